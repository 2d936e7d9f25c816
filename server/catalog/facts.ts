// What deciding about an item needs: the item itself, and what of the things it names is there.

import { idsOf, type Named, skusOf } from '../kernel/named.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import {
  type Component,
  emptyItem,
  type Item,
  type ItemGiven,
  type ItemKind,
  type KindRules,
  type NamedComponent,
} from './item.ts'
import { codesOf } from './store.ts'

export type ItemFacts = {
  readonly record: Item | null
  readonly first_unit: number | null
  readonly units: readonly number[]
  readonly categories: readonly number[]
  readonly suppliers: readonly number[]
  /** Who has the codes that are wanted. */
  readonly codes: readonly (readonly [space: string, code: string, itemId: number])[]
  readonly components: readonly (readonly [id: number, kind: ItemKind])[]
  readonly component_codes: readonly (readonly [space: string, code: string, itemId: number])[]
  /** Everything that the wanted components are made of, themselves included. */
  readonly below: readonly number[]
  readonly has_stock: boolean
  readonly is_component: boolean
}

const some = (sql: string): string => `(select coalesce(json_agg(${sql}), '[]'::json)`

// `offset 0` keeps the components looked up product by product: hashed, all of the company's are read to make one product.
// $2 id, $3 kind, $4 unit, $5 categories, $6 suppliers, $7 and $8 codes with their spaces, $9 component ids, $10 and $11 component codes
export const findFacts = statement<ItemFacts>(
  'items.facts',
  `with recursive named as (
     select x.id from unnest($9::bigint[]) as x (id)
     union select c.item_id from unnest($10::text[], $11::text[]) as x (space, code)
       join item_codes c on c.company_id = $1 and c.space = x.space and c.code = x.code),
   below as (
     select n.id from named n
     union select c.item_id from below b cross join lateral (
       select c.item_id from components c where c.company_id = $1 and c.product_id = b.id offset 0) c)
   select (
     select json_build_object(
       'name', i.name, 'sku', i.sku, 'unit_id', i.unit_id, 'price', trim_scale(i.price)::text, 'min_amount', trim_scale(i.min_amount)::text, 'notes', i.notes,
       'alt_skus', ${some('c.code order by c.position')} from item_codes c where c.company_id = $1 and c.item_id = i.id and c.role = 'alternative'),
       'barcodes', ${some('c.code order by c.position')} from item_codes c where c.company_id = $1 and c.item_id = i.id and c.role = 'barcode'),
       'categories', ${some('t.category_id order by t.category_id')} from item_categories t where t.company_id = $1 and t.item_id = i.id),
       'suppliers', ${some("json_build_object('supplier_id', s.supplier_id, 'sku', s.sku, 'price', trim_scale(s.price)::text) order by s.position")}
          from item_suppliers s where s.company_id = $1 and s.item_id = i.id),
       'components', ${some("json_build_object('item_id', c.item_id, 'amount', trim_scale(c.amount)::text) order by c.position")}
          from components c where c.company_id = $1 and c.product_id = i.id))
     from items i where i.company_id = $1 and i.id = $2::bigint and i.kind = $3 and i.deleted_at is null) as record,
   (select min(u.id) from units u where u.company_id = $1) as first_unit,
   ${some('u.id')} from units u where u.company_id = $1 and u.id = $4::bigint) as units,
   ${some('c.id')} from categories c where c.company_id = $1 and c.id = any($5::bigint[]) and c.type = $3 || 's') as categories,
   ${some('s.id')} from suppliers s where s.company_id = $1 and s.id = any($6::bigint[]) and s.deleted_at is null) as suppliers,
   ${some('json_build_array(c.space, c.code, c.item_id)')} from unnest($7::text[], $8::text[]) as x (space, code)
      join item_codes c on c.company_id = $1 and c.space = x.space and c.code = x.code) as codes,
   ${some('json_build_array(i.id, i.kind)')} from named n join items i on i.company_id = $1 and i.id = n.id and i.deleted_at is null) as components,
   ${some('json_build_array(c.space, c.code, c.item_id)')} from unnest($10::text[], $11::text[]) as x (space, code)
      join item_codes c on c.company_id = $1 and c.space = x.space and c.code = x.code) as component_codes,
   ${some('b.id')} from below b) as below,
   exists (select from stock_levels l where l.company_id = $1 and l.item_id = $2::bigint and (l.on_hand <> 0 or l.reserved <> 0)) as has_stock,
   exists (select from components c join items p on p.company_id = $1 and p.id = c.product_id
      where c.company_id = $1 and c.item_id = $2::bigint and p.deleted_at is null) as is_component`,
)

export function factsFor(rules: KindRules, companyId: number, id: number | null, given: ItemGiven | undefined) {
  const codes = codesOf(rules.kind, { sku: '', alt_skus: [], barcodes: [], ...given })
  const components = given?.components ?? []
  const named = (kind: ItemKind): Named[] => components.filter((one) => one.type === kind).map((one) => one.named)
  const componentSkus = (['product', 'material'] as const).flatMap((space) =>
    skusOf(named(space)).map((code) => ({ space, code })),
  )
  return findFacts(
    companyId,
    id,
    rules.kind,
    given?.unit_id ?? null,
    given?.categories ?? [],
    given?.suppliers?.map((one) => one.supplier_id) ?? [],
    codes.map((one) => one.space),
    codes.map((one) => one.code),
    idsOf(components.map((one) => one.named)),
    componentSkus.map((one) => one.space),
    componentSkus.map((one) => one.code),
  )
}

/** The item as it shall be, or the first thing that stands against it, in the order of the fields. */
export function settleItem(
  rules: KindRules,
  given: ItemGiven,
  before: Item | undefined,
  facts: ItemFacts,
  id: number,
): Item {
  const { components: sent, ...fields } = given
  const unitId = given.unit_id ?? before?.unit_id ?? facts.first_unit
  refuseUsedCodes(rules.kind, { ...emptyItem, ...before, ...fields }, facts, id)
  if (unitId === null || (given.unit_id !== undefined && !facts.units.includes(given.unit_id))) refuse('Unit not found')
  if (given.categories?.some((one) => !facts.categories.includes(one)) === true) refuse('Category not found')
  // A supplier that was deleted stays with what it supplies.
  const suppliers = [...facts.suppliers, ...(before?.suppliers ?? []).map((one) => one.supplier_id)]
  if (given.suppliers?.some((one) => !suppliers.includes(one.supplier_id)) === true) refuse('Supplier not found')
  const components = sent === undefined ? (before?.components ?? []) : foundComponents(sent, facts, id)
  const categories =
    given.categories === undefined
      ? (before?.categories ?? [])
      : [...new Set(given.categories)].toSorted((a, b) => a - b)
  return { ...emptyItem, name: '', ...before, ...fields, unit_id: unitId, categories, components }
}

/** Codes may meet neither those of another item nor each other. */
function refuseUsedCodes(
  kind: ItemKind,
  item: Pick<Item, 'sku' | 'alt_skus' | 'barcodes'>,
  facts: ItemFacts,
  id: number,
): void {
  const seen = new Set<string>()
  for (const { space, code } of codesOf(kind, item)) {
    const taken = facts.codes.some(
      ([otherSpace, other, owner]) => otherSpace === space && other === code && owner !== id,
    )
    if (taken || seen.has(`${space} ${code}`))
      refuse(`${space === 'barcode' ? 'Barcode' : 'SKU'} "${code}" is already used`)
    seen.add(`${space} ${code}`)
  }
}

function foundComponents(sent: readonly NamedComponent[], facts: ItemFacts, id: number): Component[] {
  const found = sent.map(({ type, named, label, amount }): Component => {
    const itemId =
      'id' in named
        ? named.id
        : facts.component_codes.find(([space, code]) => space === type && code === named.sku)?.[2]
    const item = facts.components.find(([known, kind]) => known === itemId && kind === type)
    return item === undefined ? refuse(`Component with ${label} not found`) : { item_id: item[0], amount }
  })
  if (facts.below.includes(id)) refuse('Product cannot contain itself')
  return found
}
