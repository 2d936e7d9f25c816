// The only writer of the ledger and its derived tables: movements, levels, costs. All other code plans a posting.

import type { TransactionContext } from '../kernel/clock.ts'
import { quantityFrom, quantityText, valueFrom, valueText } from '../kernel/decimal.ts'
import { declareInsert } from '../kernel/insert-rows.ts'
import type { Statement } from '../kernel/statement.ts'
import type { Cost, Posting } from './posting.ts'
import type { MovementPart, Posted } from './steps.ts'

/** A subselect for a facts statement: the ledger's sums for one document. */
export const postedFacts = (section: string, documentId: string): string => `(
  select coalesce(json_agg(json_build_array(p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued)), '[]'::json)
  from (
    select m.part, m.storage_id, m.item_id, m.date,
      sum(m.on_hand)::text as on_hand, sum(m.reserved)::text as reserved,
      coalesce(sum(m.value) filter (where m.kind = 'move'), 0)::text as value,
      coalesce(sum(m.value) filter (where m.kind = 'revaluation'), 0)::text as revalued
    from stock_movements m
    where m.company_id = :company_id and m.section = '${section}' and m.document_id = ${documentId}
    group by m.part, m.storage_id, m.item_id, m.date
    having sum(m.on_hand) <> 0 or sum(m.reserved) <> 0 or sum(m.value) <> 0
      or sum(m.value) filter (where m.kind = 'move') <> 0
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
  revalued: string,
]

export const readPosted = (rows: readonly PostedRow[]): Posted[] =>
  rows.map(([storageId, itemId, date, onHand, reserved, value, part, revalued]) => ({
    part,
    storageId,
    itemId,
    date,
    onHand: quantityFrom(onHand),
    reserved: quantityFrom(reserved),
    value: valueFrom(value),
    revalued: valueFrom(revalued),
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

type LevelRow = {
  readonly storage_id: number
  readonly item_id: number
  readonly on_hand: string
  readonly reserved: string
}
type MovementRow = LevelRow & {
  readonly id: number
  readonly kind: string
  readonly part: MovementPart
  readonly date: string
  readonly value: string
}
type MovementOrigin = {
  readonly seq: number
  readonly section: string
  readonly document_id: number
  readonly recorded_at: string
}
type StoredCost = CostRow & { readonly item_id: number }

const insertMovements = declareInsert<MovementOrigin, MovementRow>({
  name: 'stock.insert_movements',
  table: 'stock_movements',
  shared: ['seq', 'section', 'document_id', 'recorded_at'],
  columns: {
    id: 'bigint',
    kind: 'text',
    part: 'smallint',
    storage_id: 'bigint',
    item_id: 'bigint',
    date: 'date',
    on_hand: 'numeric',
    reserved: 'numeric',
    value: 'numeric',
  },
})

const changeLevels = declareInsert<{ readonly seq: number }, LevelRow>({
  name: 'stock.change_levels',
  table: 'stock_levels',
  shared: ['seq'],
  columns: { storage_id: 'bigint', item_id: 'bigint', on_hand: 'numeric', reserved: 'numeric' },
  onConflict: `on conflict (company_id, storage_id, item_id) do update
    set on_hand = stock_levels.on_hand + excluded.on_hand, reserved = stock_levels.reserved + excluded.reserved, seq = excluded.seq`,
})

const setCosts = declareInsert<object, StoredCost>({
  name: 'stock.set_costs',
  table: 'item_costs',
  columns: { item_id: 'bigint', on_hand: 'numeric', value: 'numeric', average: 'numeric' },
  onConflict: `on conflict (company_id, item_id) do update
    set on_hand = excluded.on_hand, value = excluded.value, average = excluded.average`,
})

export function post({ movements, levels, costs, document }: Posting, transaction: TransactionContext): Statement[] {
  const company = { company_id: transaction.context.companyId }
  const origin = {
    ...company,
    seq: transaction.seq,
    section: document.section,
    document_id: document.id,
    recorded_at: transaction.at,
  }
  const levelRow = (one: Posting['levels'][number] | Posting['movements'][number]): LevelRow => ({
    storage_id: one.storageId,
    item_id: one.itemId,
    on_hand: quantityText(one.onHand),
    reserved: quantityText(one.reserved),
  })
  return [
    ...insertMovements(
      origin,
      movements.map((one) => ({
        ...levelRow(one),
        id: one.id,
        kind: one.kind,
        part: one.part,
        date: one.date,
        value: valueText(one.value),
      })),
    ),
    // The last number: a client that has read only the first events of the write has not seen this change.
    ...changeLevels({ ...company, seq: transaction.lastSeq ?? transaction.seq }, levels.map(levelRow)),
    ...setCosts(
      company,
      [...costs].map(([itemId, cost]) => ({
        item_id: itemId,
        on_hand: quantityText(cost.onHand),
        value: valueText(cost.value),
        average: valueText(cost.average),
      })),
    ),
  ]
}
