// Invariants of every kind of document: sums, positions, counters of lists, and the exact effect on stock that its state requires.

import {
  auditStatus,
  productionStatus,
  purchaseStatus,
  purchasesWithReceipts,
  sentTransfers,
  transferStatus,
} from '../kernel/document-statuses.ts'
import type { Invariant } from '../kernel/invariant.ts'

/** Table, lines, key column, name in ledger and lists, and the movements that its state requires: SQL rows
 * (document_id, part, storage_id, item_id, date, on_hand). */
export type Audited = {
  readonly table: string
  readonly linesTable: string
  readonly key: string
  readonly ledger: string
  readonly effect: string
}

const storageOf = `case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end`
const lines = (table: string, linesTable: string, key: string): string =>
  `from ${table} d join ${linesTable} l on l.company_id = :company_id and l.${key} = d.id
   join items i on i.company_id = :company_id and i.id = l.item_id where d.company_id = :company_id`

const audited: readonly Audited[] = [
  {
    table: 'purchases',
    linesTable: 'purchase_lines',
    key: 'purchase_id',
    ledger: 'purchases',
    // Each receipt on its day, and the rest on the effective day of a fully received purchase.
    effect: `select d.id, 0, ${storageOf}, l.item_id, d.date_effective, l.amount ${lines('purchases', 'purchase_lines', 'purchase_id')} and d.status = ${purchaseStatus.received}
      union all select d.id, 0, ${storageOf}, l.item_id, d.date_effective, -l.amount ${lines('purchases', 'purchase_receipts', 'purchase_id')} and d.status = ${purchaseStatus.received}
      union all select d.id, 0, ${storageOf}, l.item_id, l.date, l.amount ${lines('purchases', 'purchase_receipts', 'purchase_id')} and d.status in (${purchasesWithReceipts})`,
  },
  {
    table: 'writeoffs',
    linesTable: 'writeoff_lines',
    key: 'writeoff_id',
    ledger: 'writeoffs',
    effect: `select d.id, 0, ${storageOf}, l.item_id, d.date, -l.amount ${lines('writeoffs', 'writeoff_lines', 'writeoff_id')}`,
  },
  {
    table: 'transfers',
    linesTable: 'transfer_lines',
    key: 'transfer_id',
    ledger: 'transfers',
    effect: `select d.id, 0, d.storage_from_id, l.item_id, d.date, -l.amount ${lines('transfers', 'transfer_lines', 'transfer_id')} and d.status in (${sentTransfers})
      union all select d.id, 1, d.storage_to_id, l.item_id, coalesce(d.date_received, d.date), l.amount ${lines('transfers', 'transfer_lines', 'transfer_id')} and d.status = ${transferStatus.received}`,
  },
  {
    table: 'audits',
    linesTable: 'audit_lines',
    key: 'audit_id',
    ledger: 'audits',
    effect: `select d.id, 0, d.storage_id, l.item_id, d.date, l.counted - l.expected ${lines('audits', 'audit_lines', 'audit_id')} and d.status = ${auditStatus.completed}`,
  },
  {
    table: 'productions',
    linesTable: 'production_lines',
    key: 'production_id',
    ledger: 'productions',
    effect: `select d.id, 1, d.products_storage_id, l.item_id, d.date_effective, l.amount ${lines('productions', 'production_lines', 'production_id')} and d.status = ${productionStatus.done}
      union all select d.id, 0, case when d.components_by_kind then ${storageOf} else d.materials_storage_id end, l.item_id, d.date_effective, -l.amount
        ${lines('productions', 'production_uses', 'production_id')} and d.status = ${productionStatus.done} and i.kind <> 'resource'`,
  },
]

const namesOf = {
  purchases: 'purchase',
  writeoffs: 'write-off',
  transfers: 'transfer',
  audits: 'audit',
  productions: 'production',
  sales: 'sale',
}

/** The counters of a list match its records, run by run. */
export const listInvariants = (table: string, list: string): readonly Invariant[] => [
  {
    name: `the runs of the list of ${table} count its records`,
    sql: `select r.listed, r.from_key, r.from_id, r.entries, count(s.id) as records from (
            select listed, from_key, from_id, entries,
              lead(from_key) over (partition by listed order by from_key, from_id) as next_key,
              lead(from_id) over (partition by listed order by from_key, from_id) as next_id
            from list_runs where company_id = :company_id and list = '${list}') r
          left join ${table} s on s.company_id = :company_id and s.listed = r.listed and (s.num_key, s.id) >= (r.from_key, r.from_id)
            and (r.next_key is null or (s.num_key, s.id) < (r.next_key, r.next_id))
          group by r.listed, r.from_key, r.from_id, r.entries having r.entries <> count(s.id)`,
  },
  {
    name: `the runs of the list of ${table} cover every record`,
    sql: `select '${list}' as list, s.records, r.entries from
            (select count(*) as records from ${table} where company_id = :company_id) s,
            (select coalesce(sum(entries), 0) as entries from list_runs where company_id = :company_id and list = '${list}') r
          where s.records <> r.entries`,
  },
]

type Skipping = {
  /** The type of the record in events, and the method that creates it. */
  readonly record: string
  readonly add: string
  readonly table: string
  readonly skippedTable: string
  readonly key: string
}

/** The skipped lines of documents are those of the history. Codes are left out: an erasure may change them in the history. */
export const skippedInvariants = ({ record, add, table, skippedTable, key }: Skipping): readonly Invariant[] => [
  {
    // An event of the creation has the value, all others have it before and after the change.
    name: `the skipped lines of a ${record} are those of its latest event about them`,
    sql: `select coalesce(w.document_id, e.document_id) as document_id, w.skipped, e.skipped as in_event
          from (
            select l.${key} as document_id, jsonb_agg(jsonb_build_array(l.position, l.kind, l.amount, l.total) order by l.position) as skipped
            from ${skippedTable} l where l.company_id = :company_id group by l.${key}) w
          full join (
            select x.document_id, (
              select jsonb_agg(jsonb_build_array(o.line -> 0, o.line -> 1, (o.line ->> 5)::numeric, (o.line ->> 6)::numeric) order by (o.line ->> 0)::int)
              from jsonb_array_elements(case jsonb_typeof(x.skipped) when 'array' then x.skipped else '[]' end) as o (line)) as skipped
            from (
              select distinct on (v.record_id) v.record_id as document_id,
                case v.method when '${add}' then v.change -> 'skipped' else v.change -> 'skipped' -> 1 end as skipped
              from events v join ${table} d on d.company_id = :company_id and d.id = v.record_id
              where v.company_id = :company_id and v.record = '${record}' and jsonb_exists(v.change, 'skipped')
              order by v.record_id, v.seq desc) x) e on e.document_id = w.document_id
          where coalesce(w.skipped, '[]') <> coalesce(e.skipped, '[]')`,
  },
]

const ofEach: readonly Invariant[] = audited.flatMap(({ table, linesTable, key, ledger, effect }) => {
  const noun = namesOf[table as keyof typeof namesOf]
  return [
    ...listInvariants(table, ledger),
    {
      name: `a ${noun} has moved exactly what its state demands`,
      sql: `select document_id, part, storage_id, item_id, date, sum(on_hand) as wrong_by from (
              select m.document_id, m.part, m.storage_id, m.item_id, m.date, m.on_hand from stock_movements m
              where m.company_id = :company_id and m.section = '${ledger}'
              union all select x.id, x.part, x.storage_id, x.item_id, x.date, -x.on_hand from (${effect}) x (id, part, storage_id, item_id, date, on_hand)) y
            group by document_id, part, storage_id, item_id, date having sum(on_hand) <> 0`,
    },
    {
      name: `a ${noun} stores its number of lines, and their positions are consecutive from 0`,
      sql: `select d.id, d.lines, count(l.position) as counted from ${table} d
            left join ${linesTable} l on l.company_id = :company_id and l.${key} = d.id
            where d.company_id = :company_id group by d.id, d.lines
            having d.lines <> count(l.position) or coalesce(max(l.position), -1) <> count(l.position) - 1 or coalesce(min(l.position), 0) <> 0`,
    },
    {
      name: `every ${noun} has an event of its creation, and none of its deletion`,
      sql: `select d.id from ${table} d where d.company_id = :company_id and (
              exists (select from events e where e.company_id = :company_id and e.record = '${table.slice(0, -1)}' and e.record_id = d.id and (e.method = '${table}/delete' or e.action = 'deleted'))
              ${table === 'productions' ? '' : `or not exists (select from events e where e.company_id = :company_id and e.record = '${table.slice(0, -1)}' and e.record_id = d.id and (e.method = '${table}/add' or e.action = 'created'))`})`,
    },
  ]
})

export const documentInvariants: readonly Invariant[] = [
  ...ofEach,
  ...skippedInvariants({
    record: 'purchase',
    add: 'purchases/add',
    table: 'purchases',
    skippedTable: 'purchase_skipped_lines',
    key: 'purchase_id',
  }),
  {
    name: 'the costs of the lines of a purchase and its adjustment add up to its total',
    sql: `select d.id, d.total, d.cost, d.adjustment, x.cost as cost_of_lines from purchases d
          join (select l.purchase_id, sum(l.cost) as cost from purchase_lines l where l.company_id = :company_id group by l.purchase_id) x
            on x.purchase_id = d.id
          where d.company_id = :company_id and (d.cost <> x.cost or d.cost + d.adjustment <> d.total)`,
  },
  {
    name: 'a surplus with a unit cost is worth that cost',
    sql: `select l.audit_id, l.item_id, l.expected, l.counted, l.unit_cost, l.cost, l.cost_source from audit_lines l
          join audits d on d.company_id = :company_id and d.id = l.audit_id and d.status = ${auditStatus.completed}
          where l.company_id = :company_id and l.cost_source is not null
            and ((l.cost_source = 'given') <> (l.unit_cost is not null and l.counted > l.expected)
              or l.cost_source = 'given' and l.cost <> round(round((l.counted - l.expected) * l.unit_cost, 6), 2))`,
  },
  {
    name: 'a received transfer leaves the quantity and the value of its items unchanged',
    sql: `select m.document_id, m.item_id, sum(m.on_hand) as on_hand, sum(m.value) as value from stock_movements m
          join transfers d on d.company_id = :company_id and d.id = m.document_id and d.status = ${transferStatus.received}
          where m.company_id = :company_id and m.section = 'transfers' and m.kind = 'move'
          group by m.document_id, m.item_id having sum(m.on_hand) <> 0 or sum(m.value) <> 0`,
  },
  {
    name: 'only what is bought has been received',
    sql: `select r.purchase_id, r.item_id, sum(r.amount) as received from purchase_receipts r
          join purchases d on d.company_id = :company_id and d.id = r.purchase_id
          where r.company_id = :company_id group by r.purchase_id, r.item_id, d.status
          having d.status not in (${purchasesWithReceipts}) or sum(r.amount) > coalesce((
            select sum(l.amount) from purchase_lines l
            where l.company_id = :company_id and l.purchase_id = r.purchase_id and l.item_id = r.item_id), 0)`,
  },
  {
    name: 'a purchase has a date of receipt exactly while it is received',
    sql: `select id, status, date_effective from purchases where company_id = :company_id and (status = ${purchaseStatus.received}) <> (date_effective is not null)`,
  },
]
