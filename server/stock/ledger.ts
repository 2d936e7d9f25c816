// The only writer of the ledger and of what is derived from it: movements, levels, costs. Everything else asks for a posting.

import type { Moment } from '../kernel/clock.ts'
import { quantityFrom, quantityText, valueFrom, valueText } from '../kernel/decimal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Cost, Part, Posted, Posting } from './posting.ts'

/** A subselect for a facts statement: what the ledger holds of one document. Company $1. */
export const postedFacts = (section: string, documentId: string): string => `(
  select coalesce(json_agg(json_build_array(p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part)), '[]'::json)
  from (
    select m.part, m.storage_id, m.item_id, m.date,
      sum(m.on_hand)::text as on_hand, sum(m.reserved)::text as reserved, sum(m.value)::text as value
    from stock_movements m
    where m.company_id = $1 and m.section = '${section}' and m.document_id = ${documentId} and m.kind = 'move'
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
  part: Part,
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

/** The columns of an item's cost in a facts statement, beside `left join item_costs k`. */
export const costFacts = `'on_hand', coalesce(k.on_hand, 0)::text, 'value', coalesce(k.value, 0)::text, 'average', coalesce(k.average, 0)::text`
export const joinCosts = 'left join item_costs k on k.company_id = $1 and k.item_id = i.id'

export type CostRow = { readonly on_hand: string; readonly value: string; readonly average: string }

export const readCost = (row: CostRow): Cost => ({
  onHand: quantityFrom(row.on_hand),
  value: valueFrom(row.value),
  average: valueFrom(row.average),
})

// Arrays are joined to the clock row, not inserted from unnest alone: only so does a cluster run it on the company's own shard.
const insertMovements = statement(
  'stock.insert_movements',
  `insert into stock_movements
     (company_id, id, seq, kind, part, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
   select c.company_id, x.id, $2, x.kind, x.part, $3, $4, x.storage_id, x.item_id, x.date, x.on_hand, x.reserved, x.value, $5
   from company_clock c
   cross join unnest($6::bigint[], $7::text[], $8::bigint[], $9::bigint[], $10::date[], $11::numeric[], $12::numeric[], $13::numeric[], $14::smallint[])
     as x (id, kind, storage_id, item_id, date, on_hand, reserved, value, part)
   where c.company_id = $1`,
)

const changeLevels = statement(
  'stock.change_levels',
  `insert into stock_levels (company_id, storage_id, item_id, on_hand, reserved)
   select c.company_id, x.storage_id, x.item_id, x.on_hand, x.reserved
   from company_clock c
   cross join unnest($2::bigint[], $3::bigint[], $4::numeric[], $5::numeric[]) as x (storage_id, item_id, on_hand, reserved)
   where c.company_id = $1
   on conflict (company_id, storage_id, item_id) do update
     set on_hand = stock_levels.on_hand + excluded.on_hand, reserved = stock_levels.reserved + excluded.reserved`,
)

const setCosts = statement(
  'stock.set_costs',
  `insert into item_costs (company_id, item_id, on_hand, value, average)
   select c.company_id, x.item_id, x.on_hand, x.value, x.average
   from company_clock c
   cross join unnest($2::bigint[], $3::numeric[], $4::numeric[], $5::numeric[]) as x (item_id, on_hand, value, average)
   where c.company_id = $1
   on conflict (company_id, item_id) do update
     set on_hand = excluded.on_hand, value = excluded.value, average = excluded.average`,
)

export function post(posting: Posting, moment: Moment): Statement[] {
  const { movements, levels, costs, document } = posting
  const { companyId } = moment.call
  const statements: Statement[] = []
  if (movements.length > 0) {
    statements.push(
      insertMovements(
        companyId,
        moment.seq,
        document.section,
        document.id,
        moment.at,
        movements.map((one) => one.id),
        movements.map((one) => one.kind),
        movements.map((one) => one.storageId),
        movements.map((one) => one.itemId),
        movements.map((one) => one.date),
        movements.map((one) => quantityText(one.onHand)),
        movements.map((one) => quantityText(one.reserved)),
        movements.map((one) => valueText(one.value)),
        movements.map((one) => one.part),
      ),
    )
  }
  if (levels.length > 0) {
    statements.push(
      changeLevels(
        companyId,
        levels.map((one) => one.storageId),
        levels.map((one) => one.itemId),
        levels.map((one) => quantityText(one.onHand)),
        levels.map((one) => quantityText(one.reserved)),
      ),
    )
  }
  if (costs.size > 0) {
    const rows = [...costs]
    statements.push(
      setCosts(
        companyId,
        rows.map(([itemId]) => itemId),
        rows.map(([, cost]) => quantityText(cost.onHand)),
        rows.map(([, cost]) => valueText(cost.value)),
        rows.map(([, cost]) => valueText(cost.average)),
      ),
    )
  }
  return statements
}
