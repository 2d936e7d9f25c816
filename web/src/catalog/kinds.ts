// What products, materials and resources have in common, and what is specific to each.

import { messages } from '../messages.ts'

export type ItemKind = 'product' | 'material' | 'resource'

export type ItemKindRules = {
  readonly kind: ItemKind
  readonly section: 'products' | 'materials' | 'resources'
  readonly texts: (typeof messages.catalog.kinds)[ItemKind]
  /** The input field that holds the id. */
  readonly idInput: (id: number) => { product_id: number } | { material_id: number } | { resource_id: number }
  /** Whether it has a SKU, barcodes, suppliers, a minimum and stock. */
  readonly hasStock: boolean
  readonly hasComponents: boolean
}

export const kinds: Readonly<Record<ItemKind, ItemKindRules>> = {
  product: {
    kind: 'product',
    section: 'products',
    texts: messages.catalog.kinds.product,
    idInput: (id) => ({ product_id: id }),
    hasStock: true,
    hasComponents: true,
  },
  material: {
    kind: 'material',
    section: 'materials',
    texts: messages.catalog.kinds.material,
    idInput: (id) => ({ material_id: id }),
    hasStock: true,
    hasComponents: false,
  },
  resource: {
    kind: 'resource',
    section: 'resources',
    texts: messages.catalog.kinds.resource,
    idInput: (id) => ({ resource_id: id }),
    hasStock: false,
    hasComponents: false,
  },
}

export const addressOf = (kind: ItemKind, id: number): string => `/${kinds[kind].section}/${id}`

/** The way from an item back to its list. */
export const crumbsOf = (rules: ItemKindRules) => [
  { label: messages.frame.nav.items },
  { label: rules.texts.title, to: `/${rules.section}` },
]
