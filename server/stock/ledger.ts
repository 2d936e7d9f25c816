// The only writer of the ledger and its derived tables: movements, levels, costs. All other code plans a posting.

import type { TransactionContext } from '../kernel/clock.ts'
import { quantityFrom, quantityText, valueFrom, valueText } from '../kernel/decimal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Cost, Posting } from './posting.ts'
import type { MovementPart, Posted } from './steps.ts'

/** A subselect for a facts statement: the ledger's sums for one document. */
export const postedFacts = (section: string, documentId: string): string => `(
  select coalesce(json_agg(json_build_array(p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part)), '[]'::json)
  from (
    select m.part, m.storage_id, m.item_id, m.date,
      sum(m.on_hand)::text as on_hand, sum(m.reserved)::text as reserved, sum(m.value)::text as value
    from stock_movements m
    where m.company_id = :company_id and m.section = '${section}' and m.document_id = ${documentId} and m.kind = 'move'
    group by m.part, m.storage_id, m.item_id, m.date
    having sum(m.on_hand) <> 0 or sum(m.reserved) <> 0 or sum(m.value) <> 0
  ) p
)`

export type PostedRow = readonly [
  storageId: number,
  itemId: number,
  date: string,
  onHand: string,
  reserved: string,
  value: string,
  part: MovementPart,
]

export const readPosted = (rows: readonly PostedRow[]): Posted[] =>
  rows.map(([storageId, itemId, date, onHand, reserved, value, part]) => ({
    part,
    storageId,
    itemId,
    date,
    onHand: quantityFrom(onHand),
    reserved: quantityFrom(reserved),
    value: valueFrom(value),
  }))

/** The columns of an item's cost in a facts statement, together with `joinCosts`. */
export const costFacts = `'on_hand', coalesce(k.on_hand, 0)::text, 'value', coalesce(k.value, 0)::text, 'average', coalesce(k.average, 0)::text`
export const joinCosts = 'left join item_costs k on k.company_id = :company_id and k.item_id = i.id'

export type CostRow = { readonly on_hand: string; readonly value: string; readonly average: string }

export const readCost = (row: CostRow): Cost => ({
  onHand: quantityFrom(row.on_hand),
  value: valueFrom(row.value),
  average: valueFrom(row.average),
})

type LevelValues = {
  readonly company_id: number
  readonly storage_ids: readonly number[]
  readonly item_ids: readonly number[]
  readonly on_hand: readonly string[]
  readonly reserved: readonly string[]
}
type MovementValues = LevelValues & {
  readonly seq: number
  readonly section: string
  readonly document_id: number
  readonly recorded_at: string
  readonly ids: readonly number[]
  readonly kinds: readonly string[]
  readonly dates: readonly string[]
  readonly value: readonly string[]
  readonly parts: readonly MovementPart[]
}
type CostValues = {
  readonly company_id: number
  readonly item_ids: readonly number[]
  readonly on_hand: readonly string[]
  readonly value: readonly string[]
  readonly average: readonly string[]
}

// Arrays are joined to the clock row instead of inserted from unnest alone: otherwise a cluster does not run it on the company's shard.
const insertMovements = statement<never, MovementValues>(
  'stock.insert_movements',
  `insert into stock_movements
     (company_id, id, seq, kind, part, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
   select c.company_id, x.id, :seq, x.kind, x.part, :section, :document_id, x.storage_id, x.item_id, x.date, x.on_hand, x.reserved, x.value, :recorded_at
   from company_clock c
   cross join unnest(:ids::bigint[], :kinds::text[], :storage_ids::bigint[], :item_ids::bigint[], :dates::date[],
       :on_hand::numeric[], :reserved::numeric[], :value::numeric[], :parts::smallint[])
     as x (id, kind, storage_id, item_id, date, on_hand, reserved, value, part)
   where c.company_id = :company_id`,
)

const changeLevels = statement<never, LevelValues>(
  'stock.change_levels',
  `insert into stock_levels (company_id, storage_id, item_id, on_hand, reserved)
   select c.company_id, x.storage_id, x.item_id, x.on_hand, x.reserved
   from company_clock c
   cross join unnest(:storage_ids::bigint[], :item_ids::bigint[], :on_hand::numeric[], :reserved::numeric[]) as x (storage_id, item_id, on_hand, reserved)
   where c.company_id = :company_id
   on conflict (company_id, storage_id, item_id) do update
     set on_hand = stock_levels.on_hand + excluded.on_hand, reserved = stock_levels.reserved + excluded.reserved`,
)

const setCosts = statement<never, CostValues>(
  'stock.set_costs',
  `insert into item_costs (company_id, item_id, on_hand, value, average)
   select c.company_id, x.item_id, x.on_hand, x.value, x.average
   from company_clock c
   cross join unnest(:item_ids::bigint[], :on_hand::numeric[], :value::numeric[], :average::numeric[]) as x (item_id, on_hand, value, average)
   where c.company_id = :company_id
   on conflict (company_id, item_id) do update
     set on_hand = excluded.on_hand, value = excluded.value, average = excluded.average`,
)

export function post({ movements, levels, costs, document }: Posting, transaction: TransactionContext): Statement[] {
  const { companyId } = transaction.context
  const statements: Statement[] = []
  if (movements.length > 0) {
    statements.push(
      insertMovements({
        company_id: companyId,
        seq: transaction.seq,
        section: document.section,
        document_id: document.id,
        recorded_at: transaction.at,
        ids: movements.map((one) => one.id),
        kinds: movements.map((one) => one.kind),
        storage_ids: movements.map((one) => one.storageId),
        item_ids: movements.map((one) => one.itemId),
        dates: movements.map((one) => one.date),
        on_hand: movements.map((one) => quantityText(one.onHand)),
        reserved: movements.map((one) => quantityText(one.reserved)),
        value: movements.map((one) => valueText(one.value)),
        parts: movements.map((one) => one.part),
      }),
    )
  }
  if (levels.length > 0) {
    statements.push(
      changeLevels({
        company_id: companyId,
        storage_ids: levels.map((one) => one.storageId),
        item_ids: levels.map((one) => one.itemId),
        on_hand: levels.map((one) => quantityText(one.onHand)),
        reserved: levels.map((one) => quantityText(one.reserved)),
      }),
    )
  }
  if (costs.size > 0) {
    const rows = [...costs]
    statements.push(
      setCosts({
        company_id: companyId,
        item_ids: rows.map(([itemId]) => itemId),
        on_hand: rows.map(([, cost]) => quantityText(cost.onHand)),
        value: rows.map(([, cost]) => valueText(cost.value)),
        average: rows.map(([, cost]) => valueText(cost.average)),
      }),
    )
  }
  return statements
}
