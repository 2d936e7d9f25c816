// Creating or changing many products or materials with one request, matched by external id or SKU.

import { FoldedMap } from '../kernel/folded-text.ts'
import { idsOf, type Named, skusOf } from '../kernel/named.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { RecordRules } from '../platform/lists/record-methods.ts'
import { type BatchFacts, recordsFound, recordUpsert } from '../platform/lists/upsert.ts'
import { jsonRows } from '../platform/postgres/json-sql.ts'
import { codesNamed } from './code-lookup.ts'
import { byAge, componentCtes, componentFacts, type ItemFacts, itemState, lookedUp } from './facts.ts'
import { emptyItem, type Item, type ItemInput, type ItemKind, type KindRules } from './item.ts'
import { codesOf } from './store.ts'

type ItemCode = readonly [space: string, code: string, itemId: number, role: string]

type ItemBatchFacts = BatchFacts<Item> &
  Pick<
    ItemFacts,
    'first_unit' | 'units' | 'categories' | 'suppliers' | 'tax_rates' | 'components' | 'component_codes'
  > & {
    readonly codes: readonly ItemCode[]
    /**
     * The components of the components that are named, and of everything they are made of. Without items that have no components and are no record of
     * the batch: through them nothing can contain itself.
     */
    readonly made_of: readonly (readonly [productId: number, itemId: number])[]
  }

type Values = {
  readonly company_id: number
  readonly connection_id: number
  readonly external_ids: readonly string[]
  readonly unit_ids: readonly number[]
  readonly category_ids: readonly number[]
  readonly supplier_ids: readonly number[]
  readonly spaces: readonly string[]
  readonly codes: readonly string[]
  readonly component_ids: readonly number[]
  readonly component_spaces: readonly string[]
  readonly component_codes: readonly string[]
}

/** Roughly, as JSON. */
const bytesOfComponent = 40

const declareFacts = (kind: ItemKind): ((values: Values) => Statement<ItemBatchFacts>) =>
  statement<ItemBatchFacts, Values>(
    `${kind}s.upsert_facts`,
    `with recursive ${componentCtes},
     coded as materialized (
       select c.space, c.code, c.item_id, c.role from ${codesNamed(':spaces', ':codes')}),
     external as materialized (
       select x.external_id, x.record_id from external_ids x where x.company_id = :company_id and x.connection_id = :connection_id::bigint
         and x.record = '${kind}' and x.external_id = any(:external_ids::text[])),
     found as materialized (
       select e.record_id as id from external e union select c.item_id from coded c where c.space = '${kind}' and c.role = 'sku')
     select
       ${recordsFound(
         `json_build_array(i.id, ${itemState})`,
         `octet_length(i.notes) + ${bytesOfComponent} * (select count(*) from components c where c.company_id = :company_id and c.product_id = i.id)`,
         `from found f join items i on i.company_id = :company_id and i.id = f.id where i.kind = '${kind}' and i.deleted_at is null`,
       )},
       ${jsonRows('json_build_array(e.external_id, e.record_id)')} from external e) as external,
       ${jsonRows('json_build_array(x.record_id, x.external_id)')} from found f join external_ids x on x.company_id = :company_id
          and x.record = '${kind}' and x.record_id = f.id and x.connection_id = :connection_id::bigint) as own_external,
       (select min(u.id) from units u where u.company_id = :company_id) as first_unit,
       ${jsonRows('u.id')} from units u where u.company_id = :company_id and u.id = any(:unit_ids::bigint[])) as units,
       ${jsonRows('c.id')} from categories c where c.company_id = :company_id and c.id = any(:category_ids::bigint[]) and c.type = '${kind}s') as categories,
       ${jsonRows('s.id')} from suppliers s where s.company_id = :company_id and s.id = any(:supplier_ids::bigint[]) and s.deleted_at is null) as suppliers,
       ${jsonRows('t.id')} from tax_rates t where t.company_id = :company_id and not t.is_archived) as tax_rates,
       ${jsonRows('json_build_array(c.space, c.code, c.item_id, c.role)')} from coded c) as codes,
       ${componentFacts},
       ${jsonRows('json_build_array(c.product_id, c.item_id)')} from below b
          join components c on c.company_id = :company_id and c.product_id = b.id
          where exists (select from components d where d.company_id = :company_id and d.product_id = c.item_id)
            or c.item_id in (select f.id from found f)) as made_of`,
  )

const keyOf = (space: string, code: string): string => `${space} ${code}`

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

function valuesOf(
  kind: ItemKind,
  given: readonly ItemInput[],
): Omit<Values, 'company_id' | 'connection_id' | 'external_ids'> {
  const codes = lookedUp(given.flatMap((one) => codesOf(kind, { sku: '', alt_skus: [], barcodes: [], ...one })))
  const components = given.flatMap((one) => one.components ?? [])
  const named = (of: ItemKind): Named[] => components.filter(({ type }) => type === of).map((one) => one.named)
  const componentSkus = (['product', 'material'] as const).flatMap((space) =>
    unique(skusOf(named(space))).map((code) => ({ space, code })),
  )
  return {
    unit_ids: unique(given.flatMap(({ unit_id }) => (unit_id === undefined ? [] : [unit_id]))),
    category_ids: unique(given.flatMap(({ categories = [] }) => categories)),
    supplier_ids: unique(given.flatMap(({ suppliers = [] }) => suppliers.map((one) => one.supplier_id))),
    spaces: codes.map(({ space }) => space),
    codes: codes.map(({ code }) => code),
    component_ids: unique(idsOf(components.map((one) => one.named))),
    component_spaces: componentSkus.map(({ space }) => space),
    component_codes: componentSkus.map(({ code }) => code),
  }
}

/**
 * What the items of the company are made of, with the components that accepted records replace. Items are numbered from 0, because a search may follow
 * hundreds of thousands of components for each record of the batch: with sets of ids it took ten times as long.
 */
export class Composition {
  readonly #indexes = new Map<number, number>()
  /** By index, as everything below: the components of an item, and the number of products that contain it. */
  readonly #parts: number[][] = []
  readonly #uses: number[] = []
  /** The last search that has found the item. */
  readonly #foundBy: number[] = []
  #searches = 0

  constructor(madeOf: ItemBatchFacts['made_of']) {
    for (const [product, item] of madeOf) this.#add(this.#indexOf(product), this.#indexOf(item))
  }

  #indexOf(id: number): number {
    const known = this.#indexes.get(id)
    if (known !== undefined) return known
    const index = this.#parts.length
    this.#indexes.set(id, index)
    this.#parts.push([])
    this.#uses.push(0)
    this.#foundBy.push(0)
    return index
  }

  #partsOf(index: number): number[] {
    return this.#parts[index] as number[]
  }

  #add(product: number, item: number): void {
    this.#partsOf(product).push(item)
    this.#uses[item] = (this.#uses[item] ?? 0) + 1
  }

  replace(product: number, items: readonly number[]): void {
    const index = this.#indexOf(product)
    for (const part of this.#partsOf(index)) this.#uses[part] = (this.#uses[part] ?? 0) - 1
    this.#parts[index] = []
    for (const item of items) this.#add(index, this.#indexOf(item))
  }

  /** Whether an item is one of `items`, or of what they are made of. What no product contains, such as a new item, is not searched. */
  isBelow(items: readonly number[], id: number): boolean {
    if (items.includes(id)) return true
    const wanted = this.#indexOf(id)
    if (this.#uses[wanted] === 0) return false
    const [search, foundBy] = [++this.#searches, this.#foundBy]
    const found = items.map((item) => this.#indexOf(item))
    for (let at = 0; at < found.length; at++) {
      const parts = this.#partsOf(found[at] as number)
      // By index: an iterator takes twice as long.
      for (let place = 0; place < parts.length; place++) {
        const part = parts[place] as number
        if (foundBy[part] === search) continue
        if (part === wanted) return true
        foundBy[part] = search
        found.push(part)
      }
    }
    return false
  }
}

export const itemUpsert = (rules: KindRules, recordRules: RecordRules<ItemInput, Item, ItemFacts>) => {
  const { kind } = rules
  const facts = declareFacts(kind)
  return recordUpsert<ItemInput, Item, ItemFacts, ItemBatchFacts>({
    rules: recordRules,
    matchedBy: 'sku',
    refuseOther: (externalId) => `SKU belongs to external id "${externalId}"`,
    facts: (of, given) => facts({ ...of, ...valuesOf(kind, given) }),
    begin: (found, states) => {
      const composition = new Composition(found.made_of)
      // By keys, because a request may name many thousands of codes and components.
      const codes = new FoldedMap<ItemCode>(byAge(found.codes).map((one) => [keyOf(one[0], one[1]), one]))
      const componentCodes = new FoldedMap(byAge(found.component_codes).map((one) => [keyOf(one[0], one[1]), one]))
      const components = new Map(found.components.map((one) => [one[0], one]))
      return {
        match: ({ sku = '' }) => {
          const code = codes.get(keyOf(kind, sku))
          return code?.[3] === 'sku' ? [code[2]] : []
        },
        factsOf: (given, id) => {
          const before = id === undefined ? undefined : states.get(id)
          const own = codesOf(kind, { ...emptyItem, ...before, ...given })
          const named = (given.components ?? []).map(({ type, named: by }) =>
            'id' in by ? by.id : componentCodes.get(keyOf(type, by.sku)),
          )
          const ids = named.flatMap((one) => (typeof one === 'number' ? [one] : one === undefined ? [] : [one[2]]))
          return {
            ...found,
            record: before ?? null,
            codes: own.flatMap(({ space, code }) => {
              const known = codes.get(keyOf(space, code))
              return known === undefined ? [] : [[known[0], known[1], known[2]] as const]
            }),
            components: ids.flatMap((one) => {
              const known = components.get(one)
              return known === undefined ? [] : [known]
            }),
            component_codes: named.filter((one) => typeof one === 'object'),
            isBelow: (of: number) => composition.isBelow(ids, of),
            has_stock: false,
            is_component: false,
          }
        },
        // The records after this one find it by its new codes, also as a component.
        accept: (id, item, before) => {
          if (before !== undefined)
            for (const { space, code } of codesOf(kind, before)) {
              codes.delete(keyOf(space, code))
              componentCodes.delete(keyOf(space, code))
            }
          for (const { space, code, role } of codesOf(kind, item)) {
            codes.set(keyOf(space, code), [space, code, id, role])
            componentCodes.set(keyOf(space, code), [space, code, id])
          }
          components.set(id, [id, kind])
          composition.replace(
            id,
            item.components.map((one) => one.item_id),
          )
        },
      }
    },
  })
}
