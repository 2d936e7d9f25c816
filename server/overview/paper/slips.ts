// The papers without money, which workers print: the packing slip of a sale or of one shipment, and the job sheet of a production.

import { withoutTotals } from '../../kernel/skipped-line.ts'
import { drawnCode } from '../../platform/paper/barcode.ts'
import { type Flow, lineHeight } from '../../platform/paper/flow.ts'
import { colors, mm, type Style } from '../../platform/paper/sheet.ts'
import { type Column, drawTable, type Row, type Tail } from '../../platform/paper/table.ts'
import type { JobFacts, LineFacts, SlipFacts } from './job.ts'
import { beginLetter, endLetter, type Paper } from './letter.ts'
import { cell, itemCell, positionCell, quantityCell, widths } from './lines.ts'
import type { Composed } from './orders.ts'

const codeRoom = { width: mm(46), height: mm(9) }
const label: Style = { size: 7.5, color: colors.faint }
const codeText: Style = { size: 7 }

export function composePackingSlip(facts: SlipFacts, paper: Paper): Composed {
  const { texts, formats, pen } = paper
  const shipment = facts.shipment === null ? '' : String(facts.shipment)
  const title = `${texts.packingSlip} ${facts.num}${shipment === '' ? '' : `-${shipment}`}`
  const flow = beginLetter(paper, {
    title,
    recipient: { ...facts.customer, address: facts.delivery_address },
    facts: [
      [texts.sale, facts.num],
      [texts.date, formats.day(facts.date_placed)],
      [texts.shipment, shipment],
      [texts.shipped, facts.date_shipped === null ? '' : formats.day(facts.date_shipped)],
      [texts.carrier, facts.carrier],
      [texts.tracking, facts.tracking_number],
      [texts.phone, facts.customer.phone],
      [texts.status, facts.is_canceled ? texts.canceled : ''],
    ],
  })
  const hasCodes = facts.lines.some(({ barcode }) => barcode !== null)
  const columns: Column[] = [
    { label: texts.position, most: widths.position },
    { label: texts.item },
    ...(hasCodes ? [{ label: texts.barcode, most: widths.code }] : []),
    { label: texts.quantity, align: 'right', most: widths.quantity },
  ]
  const rows = facts.lines.map(
    (line, at): Row => [
      positionCell(at),
      itemCell(line),
      ...(hasCodes
        ? [
            line.barcode === null
              ? {}
              : {
                  code: drawnCode(line.barcode, undefined, codeRoom),
                  lines: [{ text: line.barcode, style: codeText }],
                },
          ]
        : []),
      quantityCell(line, paper),
    ],
  )
  drawTable(flow, pen, columns, rows, { tail: signatures(paper, [texts.received]) })
  return { title, pages: endLetter(flow, paper, 'short') }
}

export function composeJobSheet(facts: JobFacts, paper: Paper): Composed {
  const { texts, formats } = paper
  const title = `${texts.jobSheet} ${facts.num}`
  const code = drawnCode(facts.num, undefined, { width: mm(62), height: mm(12) })
  const flow = beginLetter(paper, {
    title,
    facts: [
      [texts.number, facts.num],
      [texts.date, formats.day(facts.date_placed)],
      [texts.planned, facts.date_planned === null ? '' : formats.day(facts.date_planned)],
      [texts.sale, facts.order_num ?? ''],
      [texts.status, facts.is_canceled ? texts.canceled : ''],
    ],
    ...(code === undefined
      ? {}
      : { corner: { height: code.height, draw: (own, right, y) => own.code(code, right - code.width, y) } }),
  })
  const { products_storage: products, materials_storage: materials } = facts
  const isGoods = ({ kind }: JobFacts['uses'][number]): boolean => kind !== 'resource'
  const storageOf = ({ kind }: JobFacts['uses'][number]): string => (kind === 'product' ? products : materials)
  drawPart(flow, paper, { title: texts.products, place: texts.putInto }, facts.lines, () => products)
  drawPart(flow, paper, { title: texts.components, place: texts.storage }, facts.uses.filter(isGoods), storageOf)
  const resources = facts.uses.filter((use) => !isGoods(use))
  drawPart(flow, paper, { title: texts.resources }, resources)
  const notes = withoutTotals(facts.notes).trim()
  if (notes !== '') {
    flow.ensure(40)
    heading(texts.notes).draw(flow)
    flow.paragraph(notes, {})
  }
  const ends = signatures(paper, [texts.picked, texts.made, texts.checked])
  flow.ensure(ends.height)
  ends.draw(flow)
  return { title, pages: endLetter(flow, paper, 'short') }
}

/** A table of lines with their place, and room to write down what was done. */
function drawPart<L extends LineFacts>(
  flow: Flow,
  paper: Paper,
  { title, place }: { readonly title: string; readonly place?: string },
  lines: readonly L[],
  placeOf: (line: L) => string = () => '',
): void {
  if (lines.length === 0) return
  const { texts, pen } = paper
  const columns: Column[] = [
    { label: texts.position, most: widths.position },
    { label: texts.item },
    ...(place === undefined ? [] : [{ label: place, most: 130 }]),
    { label: texts.quantity, align: 'right', most: widths.quantity },
    { label: texts.done, align: 'right', most: 60 },
  ]
  const rows = lines.map(
    (line, at): Row => [
      positionCell(at),
      itemCell(line),
      ...(place === undefined ? [] : [cell(placeOf(line))]),
      quantityCell(line, paper),
      blank,
    ],
  )
  drawTable(flow, pen, columns, rows, { before: heading(title) })
  flow.y += 14
}

/** A place to write a quantity or a mark. */
const blank = cell('________', { color: colors.rule })

const heading = (text: string): Tail => ({
  height: 18,
  draw: (flow) => {
    flow.line(text, flow.left, flow.y, { size: 11, face: 'bold' })
    flow.y += 18
  },
})

/** Lines to sign on, beside each other. */
function signatures({ texts }: Paper, names: readonly string[]): Tail {
  const space = 46
  return {
    height: space + 2 * lineHeight(label) + 4,
    draw: (flow) => {
      const gap = 18
      const width = Math.min(flow.width * 0.45, (flow.width - gap * (names.length - 1)) / names.length)
      const y = flow.y + space
      for (const [at, name] of names.entries()) {
        const x = flow.left + at * (width + gap)
        flow.rule(y, { x, width, thickness: 0.6 })
        flow.line(name, x, y + 4, { ...label, color: colors.text })
        flow.line(texts.nameAndDate, x, y + 4 + lineHeight(label), label)
      }
      flow.y = y + 2 * lineHeight(label) + 4
    },
  }
}
