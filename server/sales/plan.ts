// Deciding what becomes of a sale. Pure: from the sale as it is and as it shall be to everything that has to be written.

import { type Production, type ProductionChange, planProduction } from '../fulfilment/made-to-order.ts'
import type { Moment } from '../kernel/clock.ts'
import { formatDecimal, moneyPlaces, quantityPlaces } from '../kernel/decimal.ts'
import { difference } from '../kernel/patch.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Items } from '../stock/items.ts'
import { type LineInput, skippedNote } from '../stock/lines.ts'
import { type Cost, noEffect, type Posted, type Posting, planPosting } from '../stock/posting.ts'
import {
  costWhenDeducted,
  costWhenWritten,
  effectOf,
  hasLeft,
  list,
  productionOrder,
  type Sale,
  type SaleLine,
  status,
  totalsOf,
} from './sale.ts'

/** A sale in the database, with what belongs to it. */
export type Present = {
  readonly sale: Sale
  readonly posted: readonly Posted[]
  readonly production: Production | undefined
}

export type SaleChange = {
  readonly before: Sale | undefined
  readonly after: Sale | undefined
  readonly posting: Posting
  readonly production: ProductionChange
  /** What the event tells: the whole sale when it comes or goes, else each field that changed. */
  readonly told: Readonly<Record<string, unknown>>
}

/** `after` is absent when the sale is deleted, `present` when it is new. */
export function planChange(
  present: Present | undefined,
  after: Sale | undefined,
  costs: ReadonlyMap<number, Cost>,
  moment: Moment,
  today: string,
): SaleChange {
  const before = present?.sale
  const sale = after ?? before
  if (sale === undefined) throw new Error('a change needs a sale')
  const document = { section: list, id: sale.id }
  const wanted = after === undefined ? noEffect : effectOf(after)
  const posting = planPosting(document, present?.posted ?? [], wanted, costs, moment, today)
  const settled = after === undefined ? undefined : withCosts(before, after, posting, costs)
  const order = settled === undefined ? undefined : productionOrder(settled)
  const production = planProduction(present?.production, order, moment)
  return { before, after: settled, posting, production, told: toldOf(before, settled) }
}

/** A line's cost is fixed when the line is written, and again when its goods are deducted. */
function withCosts(before: Sale | undefined, after: Sale, posting: Posting, costs: ReadonlyMap<number, Cost>): Sale {
  const rewritten = after.lines !== before?.lines
  const moved = new Set(posting.movements.filter((one) => one.onHand !== 0n).map((one) => one.itemId))
  const deducts = hasLeft(after)
  if (!rewritten && !(deducts && moved.size > 0)) return after
  const lines = after.lines.map((line) =>
    deducts && (rewritten || moved.has(line.itemId))
      ? { ...line, cost: costWhenDeducted(line, posting, costs, after.lines) }
      : line,
  )
  return { ...after, lines }
}

function toldOf(before: Sale | undefined, after: Sale | undefined): Record<string, unknown> {
  if (before === undefined || after === undefined)
    return after === undefined && before !== undefined ? shown(before) : shown(after as Sale)
  return difference(shown(before), shown(after))
}

/** A sale as an event shows it. */
function shown(sale: Sale): Record<string, unknown> {
  const totals = totalsOf(sale)
  return {
    num: sale.num,
    status: sale.status,
    payment: sale.payment,
    date_placed: sale.datePlaced,
    date_shipped: sale.dateShipped,
    date_deducted: sale.dateDeducted,
    delivery_price: money(sale.deliveryPrice),
    discount: money(sale.discount),
    total: money(totals.total),
    cost: money(totals.cost),
    production: sale.production,
    notes: sale.notes,
    products_storage_id: sale.productsStorageId,
    materials_storage_id: sale.materialsStorageId,
    customer_id: sale.customerId,
    lines: sale.lines.map((line) => [line.itemId, quantity(line.amount), money(line.total), money(line.cost)]),
    shipments: sale.shipments.map((one) => [one.shipment, one.date, one.itemId, quantity(one.amount)]),
  }
}

const money = (cents: bigint): string => formatDecimal(cents, moneyPlaces)
const quantity = (thousandths: bigint): string => formatDecimal(thousandths, quantityPlaces)

/** The lines whose items are there, and what the notes must tell about the others. Refuses when none is left. */
export function planLines(
  input: readonly LineInput[],
  items: Items,
  own: ReadonlySet<number>,
): { readonly lines: SaleLine[]; readonly skipped: string[] } {
  const lines: SaleLine[] = []
  const skipped: string[] = []
  for (const line of input) {
    const item = items.find(line.kind, line.named, own)
    if (item === undefined) {
      skipped.push(skippedNote(line))
      continue
    }
    const { kind, amount, total } = line
    lines.push({ itemId: item.id, kind, unitId: item.unitId, amount, total, cost: costWhenWritten(amount, item.cost) })
  }
  if (lines.length === 0) {
    const both = input.some((line) => line.kind === 'material')
    refuse(`All products${both ? ' and materials' : ''} have wrong SKU or id`)
  }
  return { lines, skipped }
}

export const withSkipped = (notes: string, skipped: readonly string[]): string =>
  [...(notes === '' ? [] : [notes]), ...skipped].join('\n')

/** A sale that takes another status: what goes with it. */
export function withStatus(sale: Sale, wanted: number, dateShipped: string | undefined, today: string): Sale {
  if (wanted === status.shipped) {
    const date = dateShipped ?? sale.dateShipped ?? (sale.status === status.shipped ? sale.dateDeducted : null) ?? today
    return { ...sale, status: wanted, dateShipped: dateShipped ?? sale.dateShipped, dateDeducted: date }
  }
  // What had left has come back.
  return { ...sale, status: wanted, dateDeducted: null, shipments: [] }
}
