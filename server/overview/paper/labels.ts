// Labels of items: the name, the SKU and a code, as often as wanted, on sheets of labels or on the roll of a label printer.

import { drawnCode } from '../../platform/paper/barcode.ts'
import { Flow, lineHeight } from '../../platform/paper/flow.ts'
import { colors, mm, type Page, type Style } from '../../platform/paper/sheet.ts'
import type { LabelFacts, LabelOptions } from './job.ts'
import { type LabelSheet, labelSheets } from './label-sheets.ts'
import { drawMissing, type Paper } from './letter.ts'

type Item = LabelFacts['items'][number]
type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const padding = mm(2.5)
const faint: Style = { size: 7, color: colors.faint }

export type ComposedLabels = { readonly title: string; readonly pages: readonly Page[]; readonly size: LabelSheet }

export function composeLabels({ items }: LabelFacts, options: LabelOptions, paper: Paper): ComposedLabels {
  const sheet: LabelSheet = labelSheets[options.sheet]
  const [width, height] = [mm(sheet.width), mm(sheet.height)]
  const margin = mm(8)
  const flow = new Flow(paper.pen, { width, height, left: margin, right: margin, top: 0, bottom: 0 })
  const perPage = sheet.columns * sheet.rows
  let at = options.first - 1
  for (const item of items) {
    for (let left = options.counts.get(item.id) ?? 0; left > 0; left--) {
      if (at === perPage) {
        flow.newPage()
        at = 0
      }
      drawLabel(flow, item, options, placeOf(sheet, at))
      at++
    }
  }
  // The labels are full: the notice gets a page of its own.
  if (paper.pen.missing.size > 0) {
    flow.newPage()
    flow.y = padding
    drawMissing(flow, paper)
  }
  const [only] = items
  const title =
    items.length === 1 && only !== undefined ? `${paper.texts.labels} ${only.sku || only.name}` : paper.texts.labels
  return { title, pages: flow.pages, size: sheet }
}

function placeOf({ columns, left, top, stepX, stepY, labelWidth, labelHeight }: LabelSheet, index: number): Place {
  return {
    x: mm(left + (index % columns) * stepX) + padding,
    y: mm(top + Math.floor(index / columns) * stepY) + padding,
    width: mm(labelWidth) - 2 * padding,
    height: mm(labelHeight) - 2 * padding,
  }
}

function drawLabel(flow: Flow, item: Item, { code: wanted }: LabelOptions, place: Place): void {
  const text = item.barcode ?? item.sku
  const isLarge = place.height > mm(40)
  const name: Style = { size: isLarge ? 12 : 8.5, face: 'bold' }
  if (wanted === 'qr' && text !== '') {
    const code = drawnCode(text, 'qr', place)
    const room = place.width - (code?.width ?? 0) - 4
    if (code !== undefined) flow.code(code, place.x, place.y)
    const x = place.x + place.width - room
    const lines = Math.floor((place.height - 2 * lineHeight(faint)) / lineHeight(name))
    const end = flow.block(
      item.name,
      { x, y: place.y + 4, width: room, maxLines: Math.max(1, Math.min(4, lines)) },
      name,
    )
    const own = [...new Set([item.sku, text])].filter((one) => one !== '')
    flow.block(own.join('\n'), { x, y: end + 2, width: room, maxLines: 2 }, faint)
    return
  }
  let y = flow.block(item.name, { x: place.x, y: place.y, width: place.width, maxLines: 2 }, name)
  if (item.sku !== '' && item.sku !== text)
    y = flow.block(item.sku, { x: place.x, y, width: place.width, maxLines: 1 }, faint)
  const below = lineHeight(faint)
  const room = { width: place.width, height: place.y + place.height - y - below - 3 }
  const code = text === '' || room.height < mm(5) ? undefined : drawnCode(text, wanted, room)
  if (code !== undefined) flow.code(code, place.x + (place.width - code.width) / 2, y + 2)
  const [shown = ''] = flow.lines(text, place.width, faint, 1)
  flow.line(shown, place.x, place.y + place.height - below, { ...faint, color: colors.text }, 'center', place.width)
}
