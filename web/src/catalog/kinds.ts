// What products, materials and resources have in common, and what each has beyond.

import { words } from '../words.ts'

export type ItemKind = 'product' | 'material' | 'resource'

export type KindRules = {
  readonly kind: ItemKind
  readonly section: 'products' | 'materials' | 'resources'
  readonly said: (typeof words.catalog.kinds)[ItemKind]
  /** SKU, barcodes, suppliers, minimum, and a place in stock. */
  readonly hasStock: boolean
  readonly hasComponents: boolean
}

export const kinds: Readonly<Record<ItemKind, KindRules>> = {
  product: {
    kind: 'product',
    section: 'products',
    said: words.catalog.kinds.product,
    hasStock: true,
    hasComponents: true,
  },
  material: {
    kind: 'material',
    section: 'materials',
    said: words.catalog.kinds.material,
    hasStock: true,
    hasComponents: false,
  },
  resource: {
    kind: 'resource',
    section: 'resources',
    said: words.catalog.kinds.resource,
    hasStock: false,
    hasComponents: false,
  },
}

export const addressOf = (kind: ItemKind, id: number): string => `/${kinds[kind].section}/${id}`
