// The papers with prices: the quote and the confirmation of a sale to its customer, and the order of a purchase to its supplier.

import type { Flow } from '../../platform/paper/flow.ts'
import { type Column, drawTable, type Row } from '../../platform/paper/table.ts'
import type { StoredTax } from '../../sales/tax.ts'
import type { PurchaseFacts, QuoteFacts, SaleFacts } from './job.ts'
import { beginLetter, drawBlock, endLetter, type Fact, type Paper } from './letter.ts'
import { cell, itemCell, positionCell, pricedCells, sumsTail, widths } from './lines.ts'

export type Composed = { readonly title: string; readonly pages: ReturnType<typeof endLetter> }

const pricedColumns = ({ texts, company }: Paper): Column[] => [
  { label: texts.quantity, align: 'right', most: widths.quantity },
  { label: texts.priceIn(company.currency), align: 'right', most: widths.price },
  { label: texts.totalIn(company.currency), align: 'right', most: widths.price },
]

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export function composeOrderConfirmation(facts: SaleFacts, paper: Paper): Composed {
  const { texts } = paper
  const flow = drawOffer(facts, paper, `${texts.orderConfirmation} ${facts.num}`, [
    [texts.status, facts.is_canceled ? texts.canceled : ''],
  ])
  return { title: `${texts.orderConfirmation} ${facts.num}`, pages: endLetter(flow, paper, 'full') }
}

export function composeQuote(facts: QuoteFacts, paper: Paper): Composed {
  const { texts, formats } = paper
  const title = `${texts.quote} ${facts.num}`
  const flow = drawOffer(facts, paper, title, [[texts.validUntil, formats.day(facts.valid_until)]])
  if (facts.notes.trim() !== '') {
    flow.y += 6
    flow.paragraph(facts.notes, {})
  }
  return { title, pages: endLetter(flow, paper, 'full') }
}

/** What a customer buys or may buy: to whom, the lines, the sums, and where it is delivered to. */
function drawOffer(facts: Omit<SaleFacts, 'is_canceled'>, paper: Paper, title: string, more: readonly Fact[]): Flow {
  const { texts, formats, pen } = paper
  const { customer, billing_address: billing, delivery_address: delivery } = facts
  const flow = beginLetter(paper, {
    title,
    recipient: { ...customer, address: billing || delivery },
    facts: [
      [texts.number, facts.num],
      [texts.date, formats.day(facts.date_placed)],
      [texts.vatNumber, customer.vat_number ?? ''],
      ...more,
    ],
  })
  // With one rate, the sums say it for all lines.
  const rateOf = facts.tax !== null && facts.tax.rates.length > 1 ? percentByItem(facts.tax, paper) : undefined
  const columns: Column[] = [
    { label: texts.position, most: widths.position },
    { label: texts.item },
    ...(rateOf === undefined ? [] : [{ label: texts.tax, align: 'right' as const, most: widths.rate }]),
    ...pricedColumns(paper),
  ]
  const rows = facts.lines.map(
    (line, at): Row => [
      positionCell(at),
      itemCell(line),
      ...(rateOf === undefined ? [] : [cell(rateOf.get(line.item_id) ?? '')]),
      ...pricedCells(line, paper),
    ],
  )
  drawTable(flow, pen, columns, rows, { tail: sumsTail(facts, paper, facts.tax) })
  drawTreatment(flow, facts, paper)
  if (billing !== '' && delivery !== '' && flat(billing) !== flat(delivery))
    drawAddress(flow, texts.deliverTo, delivery)
  return flow
}

const percentByItem = ({ rates }: StoredTax, { formats }: Paper): ReadonlyMap<number, string> =>
  new Map(
    rates.flatMap(({ name, percent, items }) => items.map((id) => [id, name === '' ? '' : formats.percent(percent)])),
  )

/** Why no tax is charged. */
function drawTreatment(flow: Flow, { tax }: Pick<SaleFacts, 'tax'>, { texts }: Paper): void {
  if (tax === null || tax.treatment === '') return
  const title = tax.treatment === 'exempt' ? texts.exempt : texts.reverseCharge
  flow.y += 4
  flow.paragraph(tax.reason === '' ? title : `${title}: ${tax.reason}`, {})
}

export function composePurchaseOrder(facts: PurchaseFacts, paper: Paper): Composed {
  const { texts, formats, pen } = paper
  const title = `${texts.purchaseOrder} ${facts.num}`
  const flow = beginLetter(paper, {
    title,
    recipient: facts.supplier,
    facts: [
      [texts.number, facts.num],
      [texts.date, formats.day(facts.date_placed)],
      [texts.status, facts.is_canceled ? texts.canceled : ''],
    ],
  })
  const hasCodes = facts.lines.some((line) => line.supplier_sku !== null)
  const columns: Column[] = [
    { label: texts.position, most: widths.position },
    ...(hasCodes ? [{ label: texts.yourCode, most: widths.price }] : []),
    { label: texts.item },
    ...pricedColumns(paper),
  ]
  const rows = facts.lines.map(
    (line, at): Row => [
      positionCell(at),
      ...(hasCodes ? [cell(line.supplier_sku ?? '')] : []),
      itemCell(line),
      ...pricedCells(line, paper),
    ],
  )
  drawTable(flow, pen, columns, rows, { tail: sumsTail(facts, paper) })
  const places = facts.storages.filter(({ address }) => address.trim() !== '')
  for (const { name, address } of places) drawAddress(flow, texts.deliverTo, `${name}\n${address}`)
  return { title, pages: endLetter(flow, paper, 'full') }
}

function drawAddress(flow: Flow, heading: string, text: string): void {
  flow.y += 6
  drawBlock(flow, heading, text)
}
