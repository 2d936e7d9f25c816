// The facts that decide about an item: the item itself, and the records it refers to.

import { transferStatus } from '../kernel/document-statuses.ts'
import { FoldedMap, foldedText, withFolded } from '../kernel/folded-text.ts'
import { idsOf, type Named, skusOf } from '../kernel/named.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { jsonRows } from '../platform/postgres/json-sql.ts'
import { codesNamed } from './code-lookup.ts'
import {
  type Component,
  emptyItem,
  type Item,
  type ItemInput,
  type ItemKind,
  type KindRules,
  type NamedComponent,
} from './item.ts'
import { type Code, codesOf } from './store.ts'

export type ItemFacts = {
  readonly record: Item | null
  readonly first_unit: number | null
  readonly units: readonly number[]
  readonly categories: readonly number[]
  readonly suppliers: readonly number[]
  /** Those that are not archived. */
  readonly tax_rates: readonly number[]
  /** The items that have the requested codes. */
  readonly codes: readonly (readonly [space: string, code: string, itemId: number])[]
  readonly components: readonly (readonly [id: number, kind: ItemKind])[]
  readonly component_codes: readonly (readonly [space: string, code: string, itemId: number])[]
  readonly has_stock: boolean
  readonly is_component: boolean
} & (
  | {
      /** The requested components and everything they are made of. */
      readonly below: readonly number[]
    }
  | {
      /** Whether an item is one of the requested components, or of what they are made of. */
      readonly isBelow: (id: number) => boolean
    }
)

type FactsValues = {
  readonly company_id: number
  readonly item_id: number | null
  readonly kind: ItemKind
  readonly unit_id: number | null
  readonly category_ids: readonly number[]
  readonly supplier_ids: readonly number[]
  readonly spaces: readonly string[]
  readonly codes: readonly string[]
  readonly component_ids: readonly number[]
  readonly component_spaces: readonly string[]
  readonly component_codes: readonly string[]
}

/** SQL: the whole item `i`, as JSON of the type `Item`. */
export const itemState = `json_build_object(
       'name', i.name, 'sku', i.sku, 'unit_id', i.unit_id, 'price', trim_scale(i.price)::text, 'tax_rate_id', i.tax_rate_id, 'min_amount', trim_scale(i.min_amount)::text, 'notes', i.notes,
       'alt_skus', ${jsonRows('c.code order by c.position')} from item_codes c where c.company_id = :company_id and c.item_id = i.id and c.role = 'alternative'),
       'barcodes', ${jsonRows('c.code order by c.position')} from item_codes c where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'),
       'categories', ${jsonRows('t.category_id order by t.category_id')} from item_categories t where t.company_id = :company_id and t.item_id = i.id),
       'suppliers', ${jsonRows("json_build_object('supplier_id', s.supplier_id, 'sku', s.sku, 'price', trim_scale(s.price)::text) order by s.position")}
          from item_suppliers s where s.company_id = :company_id and s.item_id = i.id),
       'components', ${jsonRows("json_build_object('item_id', c.item_id, 'amount', trim_scale(c.amount)::text) order by c.position")}
          from components c where c.company_id = :company_id and c.product_id = i.id))`

/**
 * SQL: the recursive CTEs `named`, the requested components, and `below`, these and everything they are made of. `offset 0` makes PostgreSQL look up
 * components product by product: a hash join reads all components of the company for one product.
 */
export const componentCtes = `named as (
     select x.id from unnest(:component_ids::bigint[]) as x (id)
     union select c.item_id from ${codesNamed(':component_spaces', ':component_codes')}),
   below as (
     select n.id from named n
     union select c.item_id from below b cross join lateral (
       select c.item_id from components c where c.company_id = :company_id and c.product_id = b.id offset 0) c)`

/** SQL: the requested components and their codes, with `componentCtes` before it. */
export const componentFacts = `${jsonRows('json_build_array(i.id, i.kind)')} from named n join items i on i.company_id = :company_id and i.id = n.id and i.deleted_at is null) as components,
   ${jsonRows('json_build_array(c.space, c.code, c.item_id)')} from ${codesNamed(':component_spaces', ':component_codes')}) as component_codes`

export const findFacts = statement<ItemFacts, FactsValues>(
  'items.facts',
  `with recursive ${componentCtes}
   select (
     select ${itemState}
     from items i where i.company_id = :company_id and i.id = :item_id::bigint and i.kind = :kind and i.deleted_at is null) as record,
   (select min(u.id) from units u where u.company_id = :company_id) as first_unit,
   ${jsonRows('u.id')} from units u where u.company_id = :company_id and u.id = :unit_id::bigint) as units,
   ${jsonRows('c.id')} from categories c where c.company_id = :company_id and c.id = any(:category_ids::bigint[]) and c.type = :kind || 's') as categories,
   ${jsonRows('s.id')} from suppliers s where s.company_id = :company_id and s.id = any(:supplier_ids::bigint[]) and s.deleted_at is null) as suppliers,
   ${jsonRows('t.id')} from tax_rates t where t.company_id = :company_id and not t.is_archived) as tax_rates,
   ${jsonRows('json_build_array(c.space, c.code, c.item_id)')} from ${codesNamed(':spaces', ':codes')}) as codes,
   ${componentFacts},
   ${jsonRows('b.id')} from below b) as below,
   exists (select from stock_levels l where l.company_id = :company_id and l.item_id = :item_id::bigint and (l.on_hand <> 0 or l.reserved <> 0))
     or exists (select from transfers d join transfer_lines l on l.company_id = :company_id and l.transfer_id = d.id
       where d.company_id = :company_id and d.status = ${transferStatus.inTransit} and l.item_id = :item_id::bigint) as has_stock,
   exists (select from components c join items p on p.company_id = :company_id and p.id = c.product_id
      where c.company_id = :company_id and c.item_id = :item_id::bigint and p.deleted_at is null) as is_component`,
)

/** The codes to look up, with their folded forms. */
export const lookedUp = (codes: readonly Code[]): Pick<Code, 'space' | 'code'>[] =>
  [...Map.groupBy(codes, ({ space }) => space)].flatMap(([space, same]) =>
    withFolded(same.map(({ code }) => code)).map((code) => ({ space, code })),
  )

export function factsFor(rules: KindRules, companyId: number, id: number | null, input: ItemInput | undefined) {
  const codes = lookedUp(codesOf(rules.kind, { sku: '', alt_skus: [], barcodes: [], ...input }))
  const components = input?.components ?? []
  const named = (kind: ItemKind): Named[] => components.filter((one) => one.type === kind).map((one) => one.named)
  const componentSkus = (['product', 'material'] as const).flatMap((space) =>
    skusOf(named(space)).map((code) => ({ space, code })),
  )
  return findFacts({
    company_id: companyId,
    item_id: id,
    kind: rules.kind,
    unit_id: input?.unit_id ?? null,
    category_ids: input?.categories ?? [],
    supplier_ids: input?.suppliers?.map((one) => one.supplier_id) ?? [],
    spaces: codes.map((one) => one.space),
    codes: codes.map((one) => one.code),
    component_ids: idsOf(components.map((one) => one.named)),
    component_spaces: componentSkus.map((one) => one.space),
    component_codes: componentSkus.map((one) => one.code),
  })
}

/** The new state of the item, or the first refusal in the order of the fields. */
export function settleItem(
  rules: KindRules,
  input: ItemInput,
  before: Item | undefined,
  facts: ItemFacts,
  id: number,
): Item {
  const { components: sent, ...fields } = input
  const unitId = input.unit_id ?? before?.unit_id ?? facts.first_unit
  refuseUsedCodes(rules.kind, { ...emptyItem, ...before, ...fields }, before, facts, id)
  if (unitId === null || (input.unit_id !== undefined && !facts.units.includes(input.unit_id)))
    refuse('Unit not found', { code: 'unit_not_found', field: 'unit_id' })
  if (input.categories?.some((one) => !facts.categories.includes(one)) === true)
    refuse('Category not found', { code: 'category_not_found', field: 'categories' })
  // A deleted supplier stays on the items that already have it.
  const suppliers = [...facts.suppliers, ...(before?.suppliers ?? []).map((one) => one.supplier_id)]
  if (input.suppliers?.some((one) => !suppliers.includes(one.supplier_id)) === true)
    refuse('Supplier not found', { code: 'supplier_not_found', field: 'suppliers' })
  const taxRate = input.tax_rate_id ?? null
  if (taxRate !== null && taxRate !== before?.tax_rate_id && !facts.tax_rates.includes(taxRate))
    refuse('Tax rate not found', { code: 'tax_rate_not_found', field: 'tax_rate_id' })
  const components = sent === undefined ? (before?.components ?? []) : foundComponents(sent, facts, id)
  const categories =
    input.categories === undefined
      ? (before?.categories ?? [])
      : [...new Set(input.categories)].toSorted((a, b) => a - b)
  return { ...emptyItem, name: '', ...before, ...fields, unit_id: unitId, categories, components }
}

/** SKUs are compared without regard to case, barcodes exactly. */
const codeKey = (space: string, code: string): string => `${space} ${space === 'barcode' ? code : foldedText(code)}`

/** Codes must differ from those of other items and from each other. SKUs that an older version accepted because it compared them exactly may stay. */
function refuseUsedCodes(
  kind: ItemKind,
  item: Pick<Item, 'sku' | 'alt_skus' | 'barcodes'>,
  before: Item | undefined,
  facts: ItemFacts,
  id: number,
): void {
  const kept = new Set((before === undefined ? [] : codesOf(kind, before)).map(({ space, code }) => `${space} ${code}`))
  const others = facts.codes.filter(([, , owner]) => owner !== id)
  const [seen, seenKeys] = [new Set<string>(), new Set<string>()]
  for (const { space, code } of codesOf(kind, item)) {
    const exact = `${space} ${code}`
    const key = codeKey(space, code)
    const isUsed = kept.has(exact)
      ? others.some(([one, other]) => `${one} ${other}` === exact) || seen.has(exact)
      : others.some(([one, other]) => codeKey(one, other) === key) || seenKeys.has(key)
    if (isUsed)
      refuse(`${space === 'barcode' ? 'Barcode' : 'SKU'} "${code}" is already used`, {
        code: 'code_taken',
        field: space === 'barcode' ? 'barcodes' : code === item.sku ? 'sku' : 'alt_skus',
        value: code,
      })
    seen.add(exact)
    seenKeys.add(key)
  }
}

/** Of several items whose SKUs compare as equal, the oldest is found. */
export const byAge = <T extends readonly [string, string, number, ...unknown[]]>(codes: readonly T[]): T[] =>
  codes.toSorted((one, other) => one[2] - other[2])

function foundComponents(sent: readonly NamedComponent[], facts: ItemFacts, id: number): Component[] {
  // By keys, because a product may have a thousand components.
  const ids = new FoldedMap(byAge(facts.component_codes).map(([space, code, itemId]) => [`${space} ${code}`, itemId]))
  const kinds = new Map(facts.components)
  const found = sent.map(({ type, named, label, amount }, line): Component => {
    const itemId = 'id' in named ? named.id : ids.get(`${type} ${named.sku}`)
    return itemId === undefined || kinds.get(itemId) !== type
      ? refuse(`Component with ${label} not found`, { code: 'item_not_found', field: 'components', line })
      : { item_id: itemId, amount }
  })
  const isBelow = 'isBelow' in facts ? facts.isBelow(id) : facts.below.includes(id)
  if (isBelow) refuse('Product cannot contain itself', { code: 'contains_itself', field: 'components' })
  return found
}
