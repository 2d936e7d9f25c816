// Items as documents use them: kind, components and cost, found by id, by code or by external id. Every section with lines loads its items here.

import { codesFound } from '../catalog/code-lookup.ts'
import { type Money, moneyFrom, type Value, valueFrom } from '../kernel/decimal.ts'
import { FoldedMap, foldedText } from '../kernel/folded-text.ts'
import type { NamedLine } from '../kernel/named.ts'
import { type CostRow, costFacts, joinCosts, readCost } from './ledger.ts'
import type { Cost } from './posting.ts'

/** Lines of sales, purchases etc. are products and materials; productions also use resources. */
export type LineKind = 'product' | 'material' | 'resource'

export type Item = {
  readonly id: number
  readonly kind: LineKind
  readonly sku: string
  readonly unitId: number
  readonly deleted: boolean
  /** Null: the default rate of the company. */
  readonly taxRateId: number | null
  readonly price: Money
  readonly cost: Cost
}

const itemJson = `coalesce(json_agg(json_build_object(
      'id', i.id, 'kind', i.kind, 'sku', i.sku, 'unit_id', i.unit_id, 'deleted', i.deleted_at is not null, 'tax_rate_id', i.tax_rate_id, 'price', i.price::text, ${costFacts})), '[]'::json)`

/** A subselect of the items with the selected ids. Each is looked up by primary key regardless of statistics: without statistics, all items of
 * the company were scanned and the ids evaluated again for each: 1 ms at 60 items. */
export const itemsJson = (ids: string): string => `(
    select ${itemJson}
    from (select distinct w.id from (${ids}) w (id)) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i ${joinCosts})`

// Each space by itself. A single scan with `or` between the spaces read every code of the company: 75 µs at 500 items, twice.
const codesOf = (productSkus: string, materialSkus: string): string =>
  `${codesFound(`= 'product'`, `= any(${productSkus}::text[])`)} union all ${codesFound(`= 'material'`, `= any(${materialSkus}::text[])`)}`

/** A select of the ids of all items that a request refers to or, by `own`, that the document already has. */
const wantedItems = (ids: string, productSkus: string, materialSkus: string, own: string): string =>
  `select unnest(${ids}::bigint[]) union all select w.item_id from (${codesOf(productSkus, materialSkus)}) w ${own === '' ? '' : `union all ${own}`}`

/** Subselects `items` and `codes` for a facts statement. `own` selects ids that are loaded even when deleted. */
export const itemFacts = (ids: string, productSkus: string, materialSkus: string, own = ''): string =>
  `${itemsJson(wantedItems(ids, productSkus, materialSkus, own))} as items, (
    select coalesce(json_agg(json_build_array(w.space, w.code, w.item_id)), '[]'::json) from (${codesOf(productSkus, materialSkus)}) w
  ) as codes`

/** A common table expression: the items named by external ids of the calling connection, or of the screens. */
export const externalItems = `external_items as materialized (
    select x.record, x.external_id, x.record_id as item_id from external_ids x
    where x.company_id = :company_id and x.connection_id = coalesce(:connection_id::bigint, 0) and x.record = 'product'
      and x.external_id = any(:product_external_ids::text[])
    union all select x.record, x.external_id, x.record_id from external_ids x
    where x.company_id = :company_id and x.connection_id = coalesce(:connection_id::bigint, 0) and x.record = 'material'
      and x.external_id = any(:material_external_ids::text[]))`

/** The subselect `external_items` for a statement with them. */
export const externalItemFacts = `(
    select coalesce(json_agg(json_build_array(x.record, x.external_id, x.item_id)), '[]'::json) from external_items x) as external_items`

const noCodes = `'[]'::json as codes`

/** The same for a request that names items only by id. */
export const itemFactsById = (ids: string): string => `(
    select ${itemJson}
    from items i ${joinCosts}
    where i.company_id = :company_id and i.id = any(${ids}::bigint[])) as items, ${noCodes}`

/** The same for a request that names no items: those that the document already has. */
export const ownItemFacts = (own: string): string => `${itemsJson(own)} as items, ${noCodes}`

export type StrandedRows = readonly (readonly [storageId: number, itemId: number])[]

/** Subselect `stranded` for the facts of a document that corrects stock: where its items are on hand although the item
 * or the storage location is deleted. `storages` selects the ids of its storage locations; those of the settings are always included. */
export const strandedFacts = (
  ids: string,
  productSkus: string,
  materialSkus: string,
  own: string,
  storages: string,
): string => `(
    select coalesce(json_agg(json_build_array(v.storage_id, v.item_id)), '[]'::json)
    from (select distinct w.id from (${wantedItems(ids, productSkus, materialSkus, own)}) w (id)) w
    cross join lateral (
      select v.storage_id, v.item_id from stock_levels v
      where v.company_id = :company_id and v.item_id = w.id and v.on_hand <> 0 and v.storage_id in (
        ${storages} union all select unnest(array[c.products_storage_id, c.materials_storage_id]) from companies c where c.company_id = :company_id) offset 0) v
    join items i on i.company_id = :company_id and i.id = v.item_id
    join storages t on t.company_id = :company_id and t.id = v.storage_id
    where i.deleted_at is not null or t.deleted_at is not null) as stranded`

type ItemRow = CostRow & {
  readonly id: number
  readonly kind: Item['kind']
  readonly sku: string
  readonly unit_id: number
  readonly deleted: boolean
  readonly tax_rate_id: number | null
  readonly price: string
}

export type ItemFacts = {
  readonly items: readonly ItemRow[]
  readonly codes: readonly (readonly [space: LineKind, code: string, itemId: number])[]
  /** Only for a request that names items by external id. */
  readonly external_items?: readonly (readonly [kind: LineKind, externalId: string, itemId: number])[]
  /** Components of products, in order, and the component items; only for sections that produce. */
  readonly composition?: readonly (readonly [productId: number, itemId: number, amount: string])[] | null
  readonly parts?: readonly ItemRow[] | null
}

/** Maximum number of components of a production, over all its lines. */
export const maxUses = 10_000

export type Component = { readonly itemId: number; readonly amount: Value }

export class Items {
  readonly #byId: ReadonlyMap<number, Item>
  readonly #byCode: FoldedMap<Item>
  readonly #byExternalId: ReadonlyMap<string, Item>
  readonly #components = new Map<number, Component[]>()
  #bySku: Map<string, Item[]> | undefined
  /** False when there are more components than a production may use. */
  readonly hasAllComponents: boolean

  /** `costs` are those of items that the same write has changed already. */
  constructor(facts: ItemFacts, costs: ReadonlyMap<number, Cost> = new Map()) {
    this.#byId = new Map(
      [...facts.items, ...(facts.parts ?? [])].map((row) => [
        row.id,
        {
          id: row.id,
          kind: row.kind,
          sku: row.sku,
          unitId: row.unit_id,
          deleted: row.deleted,
          taxRateId: row.tax_rate_id,
          price: moneyFrom(row.price),
          cost: costs.get(row.id) ?? readCost(row),
        },
      ]),
    )
    const byText = (rows: ItemFacts['codes']) =>
      rows.map(([kind, text, itemId]) => [`${kind} ${text}`, this.load(itemId)] as const)
    this.#byCode = new FoldedMap(byText(facts.codes.toSorted(([, , one], [, , other]) => one - other)))
    this.#byExternalId = new Map(byText(facts.external_items ?? []))
    this.hasAllComponents = (facts.composition ?? []).length <= maxUses
    for (const [productId, itemId, amount] of facts.composition ?? []) {
      const components = this.#components.get(productId) ?? []
      components.push({ itemId, amount: valueFrom(amount) })
      this.#components.set(productId, components)
    }
  }

  /** An item that must be among the facts. */
  load(id: number): Item {
    const item = this.#byId.get(id)
    if (item === undefined) throw new Error(`item ${id} is missing from the facts`)
    return item
  }

  /** An item of this kind that is not deleted, or a deleted one among `own`: a document may keep its lines. Only by id,
   * also a deleted one that is on hand (`isOnHand`) where the document takes it from. */
  find(
    kind: LineKind,
    named: NamedLine,
    own: ReadonlySet<number>,
    isOnHand: (item: Item) => boolean = () => false,
  ): Item | undefined {
    if ('id' in named) {
      const item = this.#byId.get(named.id)
      return item?.kind === kind && (!item.deleted || own.has(item.id) || isOnHand(item)) ? item : undefined
    }
    if ('externalId' in named) return this.#byExternalId.get(`${kind} ${named.externalId}`)
    const current = this.#byCode.get(`${kind} ${named.sku}`)
    if (current !== undefined) return current
    this.#bySku ??= Map.groupBy(this.#byId.values(), (item) => `${item.kind} ${foldedText(item.sku)}`)
    const deleted = this.#bySku.get(`${kind} ${foldedText(named.sku)}`)?.filter((item) => own.has(item.id)) ?? []
    return deleted.find(({ sku }) => sku === named.sku) ?? deleted[0]
  }

  componentsOf(productId: number): readonly Component[] {
    return this.#components.get(productId) ?? []
  }

  get costs(): ReadonlyMap<number, Cost> {
    return new Map([...this.#byId].map(([id, item]) => [id, item.cost]))
  }
}
