// Writing a sale.

import { writeProduction } from '../fulfilment/made-to-order.ts'
import type { Moment } from '../kernel/clock.ts'
import { moneyText, quantityText } from '../kernel/decimal.ts'
import { naturalKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { moveInList, runSplitter } from '../platform/list-runs.ts'
import { post } from '../stock/ledger.ts'
import type { SaleChange } from './plan.ts'
import { list, type Sale, totalsOf } from './sale.ts'

const columns = [
  'num',
  'num_key',
  'status',
  'payment',
  'date_placed',
  'date_shipped',
  'date_deducted',
  'subtotal',
  'delivery_price',
  'discount',
  'total',
  'cost',
  'amount',
  'lines',
  'production',
  'notes',
  'products_storage_id',
  'materials_storage_id',
  'customer_id',
  'updated_at',
] as const

const columnValues = (sale: Sale, moment: Moment): unknown[] => {
  const totals = totalsOf(sale)
  return [
    sale.num,
    naturalKey(sale.num),
    sale.status,
    sale.payment,
    sale.datePlaced,
    sale.dateShipped,
    sale.dateDeducted,
    moneyText(totals.subtotal),
    moneyText(sale.deliveryPrice),
    moneyText(sale.discount),
    moneyText(totals.total),
    moneyText(totals.cost),
    totals.amount === null ? null : quantityText(totals.amount),
    sale.lines.length,
    sale.production,
    sale.notes,
    sale.productsStorageId,
    sale.materialsStorageId,
    sale.customerId,
    moment.at,
  ]
}

const insert = statement(
  'sales.insert',
  `insert into sales (company_id, id, ${columns.join(', ')}, source, created_at)
   values ($1, $2, ${columns.map((_, at) => `$${at + 3}`).join(', ')}, $${columns.length + 3}, $${columns.length + 2})`,
)
const update = statement(
  'sales.update',
  `update sales set ${columns.map((name, at) => `${name} = $${at + 3}`).join(', ')} where company_id = $1 and id = $2`,
)
const insertLines = statement(
  'sales.insert_lines',
  `insert into sale_lines (company_id, sale_id, position, item_id, amount, total, cost)
   select c.company_id, $2, x.position - 1, x.item_id, x.amount, x.total, x.cost
   from company_clock c
   cross join unnest($3::bigint[], $4::numeric[], $5::numeric[], $6::numeric[]) with ordinality as x (item_id, amount, total, cost, position)
   where c.company_id = $1`,
)
const deleteLines = statement('sales.delete_lines', 'delete from sale_lines where company_id = $1 and sale_id = $2')
const deleteShipments = statement(
  'sales.delete_shipments',
  'delete from sale_shipments where company_id = $1 and sale_id = $2',
)
const insertShipments = statement(
  'sales.insert_shipments',
  `insert into sale_shipments (company_id, sale_id, shipment, date, item_id, amount)
   select c.company_id, $2, x.shipment, x.date, x.item_id, x.amount
   from company_clock c cross join unnest($3::int[], $4::date[], $5::bigint[], $6::numeric[]) as x (shipment, date, item_id, amount)
   where c.company_id = $1`,
)
const remove = statement('sales.delete', 'delete from sales where company_id = $1 and id = $2')

export const splitLongRun = runSplitter(list, 'sales')

/** The one place that writes a sale: its row, lines and shipments, its place in the list, its stock and its production. */
export function writeChange(change: SaleChange, moment: Moment): Statement[] {
  const { companyId } = moment.call
  const { before, after } = change
  const place = (sale: Sale | undefined) =>
    sale === undefined ? undefined : { date: sale.datePlaced, key: naturalKey(sale.num), id: sale.id }
  const around = [...moveInList(companyId, list, place(before), place(after)), ...post(change.posting, moment)]
  const production = writeProduction(change.production, moment)
  if (after === undefined) {
    const id = before?.id ?? 0
    // The production first: it refers to the sale.
    return [...production, deleteShipments(companyId, id), deleteLines(companyId, id), remove(companyId, id), ...around]
  }
  const own =
    before === undefined
      ? [
          insert(companyId, after.id, ...columnValues(after, moment), after.source),
          insertLines(companyId, after.id, ...lineColumns(after)),
        ]
      : [update(companyId, after.id, ...columnValues(after, moment)), ...replacedParts(before, after, companyId)]
  return [...own, ...around, ...production]
}

function replacedParts(before: Sale, after: Sale, companyId: number): Statement[] {
  const statements: Statement[] = []
  if (after.lines !== before.lines) {
    statements.push(deleteLines(companyId, after.id), insertLines(companyId, after.id, ...lineColumns(after)))
  }
  if (after.shipments !== before.shipments) {
    statements.push(deleteShipments(companyId, after.id))
    if (after.shipments.length > 0) {
      statements.push(
        insertShipments(
          companyId,
          after.id,
          after.shipments.map((one) => one.shipment),
          after.shipments.map((one) => one.date),
          after.shipments.map((one) => one.itemId),
          after.shipments.map((one) => quantityText(one.amount)),
        ),
      )
    }
  }
  return statements
}

const lineColumns = (sale: Sale): [number[], string[], string[], string[]] => [
  sale.lines.map((line) => line.itemId),
  sale.lines.map((line) => quantityText(line.amount)),
  sale.lines.map((line) => moneyText(line.total)),
  sale.lines.map((line) => moneyText(line.cost)),
]
