// Items as documents see them: what they are, what they are made of and what they cost, found by id or by code. The one door for every section with lines.

import { type Money, moneyFrom, type Value, valueFrom } from '../kernel/decimal.ts'
import { type CostRow, costFacts, joinCosts, readCost } from './ledger.ts'
import type { Cost } from './posting.ts'

/** Sales, purchases and the like hold products and materials; productions also use resources. */
export type LineKind = 'product' | 'material' | 'resource'

export type Item = {
  readonly id: number
  readonly kind: LineKind
  readonly sku: string
  readonly unitId: number
  readonly deleted: boolean
  readonly price: Money
  readonly cost: Cost
}

/** A subselect: the items that a select of ids names. Company $1. Each is looked up by its key, whatever the statistics say: without any, all items of
 * the company were walked through, and the ids asked for anew at each: 1 ms at 60 items. */
export const itemsJson = (ids: string): string => `(
    select coalesce(json_agg(json_build_object(
      'id', i.id, 'kind', i.kind, 'sku', i.sku, 'unit_id', i.unit_id, 'deleted', i.deleted_at is not null, 'price', i.price::text, ${costFacts})), '[]'::json)
    from (select distinct w.id from (${ids}) w (id)) w
    cross join lateral (select i.* from items i where i.company_id = $1 and i.id = w.id offset 0) i ${joinCosts})`

/** Subselects `items` and `codes` for a facts statement. Company $1; `own` selects ids that are wanted even when deleted. */
export const itemFacts = (ids: string, productSkus: string, materialSkus: string, own = ''): string => {
  // Two walks of the index. One with `or` between the spaces read every code of the company: 75 µs at 500 items, twice.
  const codesOf = (space: string, skus: string) => `
    select c.space, c.code, c.item_id from item_codes c
    where c.company_id = $1 and c.space = '${space}' and c.code = any(${skus}::text[])`
  const codes = `${codesOf('product', productSkus)} union all ${codesOf('material', materialSkus)}`
  const wanted = `select unnest(${ids}::bigint[]) union all select w.item_id from (${codes}) w ${own === '' ? '' : `union all ${own}`}`
  return `${itemsJson(wanted)} as items, (
    select coalesce(json_agg(json_build_array(w.space, w.code, w.item_id)), '[]'::json) from (${codes}) w
  ) as codes`
}

type ItemRow = CostRow & {
  readonly id: number
  readonly kind: Item['kind']
  readonly sku: string
  readonly unit_id: number
  readonly deleted: boolean
  readonly price: string
}

export type ItemFacts = {
  readonly items: readonly ItemRow[]
  readonly codes: readonly (readonly [space: LineKind, code: string, itemId: number])[]
  /** What products are made of, in the order of their components, and the items that are used; only where something is made. */
  readonly composition?: readonly (readonly [productId: number, itemId: number, amount: string])[] | null
  readonly parts?: readonly ItemRow[] | null
}

export type Component = { readonly itemId: number; readonly amount: Value }

export class Items {
  readonly #byId: ReadonlyMap<number, Item>
  readonly #byCode: ReadonlyMap<string, Item>
  readonly #components = new Map<number, Component[]>()

  constructor(facts: ItemFacts) {
    this.#byId = new Map(
      [...facts.items, ...(facts.parts ?? [])].map((row) => [
        row.id,
        {
          id: row.id,
          kind: row.kind,
          sku: row.sku,
          unitId: row.unit_id,
          deleted: row.deleted,
          price: moneyFrom(row.price),
          cost: readCost(row),
        },
      ]),
    )
    const codes = facts.codes.map(([space, code, itemId]) => [`${space} ${code}`, this.load(itemId)] as const)
    this.#byCode = new Map(codes)
    for (const [productId, itemId, amount] of facts.composition ?? []) {
      const components = this.#components.get(productId) ?? []
      components.push({ itemId, amount: valueFrom(amount) })
      this.#components.set(productId, components)
    }
  }

  /** An item that the facts were asked for because a document holds it. */
  load(id: number): Item {
    const item = this.#byId.get(id)
    if (item === undefined) throw new Error(`item ${id} is missing from the facts`)
    return item
  }

  /** A living item of this kind, or a deleted one that is among `own`: a document may keep what it already holds. */
  find(kind: LineKind, named: { id: number } | { sku: string }, own: ReadonlySet<number>): Item | undefined {
    if ('id' in named) {
      const item = this.#byId.get(named.id)
      return item?.kind === kind && (!item.deleted || own.has(item.id)) ? item : undefined
    }
    const living = this.#byCode.get(`${kind} ${named.sku}`)
    if (living !== undefined) return living
    return [...this.#byId.values()].find((item) => item.kind === kind && item.sku === named.sku && own.has(item.id))
  }

  componentsOf(productId: number): readonly Component[] {
    return this.#components.get(productId) ?? []
  }

  get costs(): ReadonlyMap<number, Cost> {
    return new Map([...this.#byId].map(([id, item]) => [id, item.cost]))
  }
}
