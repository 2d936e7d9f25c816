// What a worker does not see. Members with these names are taken out of an answer's text, wherever they stand, before it leaves: so no
// method can forget it, and no digit of the rest is changed.

import { Transform, type TransformCallback } from 'node:stream'

/** Names of amounts of money, on the wire and in what the history keeps. */
const money = new Set([
  'price',
  'prices',
  'total',
  'totals',
  'subtotal',
  'cost',
  'costs',
  'total_cost',
  'delivery_price',
  'discount',
  'plan_cost',
  'plan_costs',
  'unit_cost',
  'line_cost',
  'margin',
  'value',
  'stock_value',
  'average',
])

export const isMoney = (name: string): boolean => money.has(name)

/** A list's own total counts records: it stands at the top, and only there. */
const countsRecords = (name: string, depth: number, value: string): boolean =>
  name === 'total' && depth === 1 && /^\d+$/.test(value)

/** The text of an answer without money. */
export const withoutMoney = (text: string): string => new MoneyFilter().take(text)

/** Takes an answer part by part, where no part ends inside a member. */
export class MoneyFilter {
  #depth = 0

  take(text: string): string {
    let kept = ''
    let from = 0
    let at = 0
    while (at < text.length) {
      const letter = text.charCodeAt(at)
      if (letter === openBrace || letter === openBracket) this.#depth++
      else if (letter === closeBrace || letter === closeBracket) this.#depth--
      if (letter !== quote) {
        at++
        continue
      }
      const end = afterString(text, at)
      const colon = afterBlanks(text, end)
      const name = text.slice(at + 1, end - 1)
      if (text.charCodeAt(colon) !== colonSign || !isMoney(name)) {
        at = end
        continue
      }
      const start = afterBlanks(text, colon + 1)
      const after = afterValue(text, start)
      if (countsRecords(name, this.#depth, text.slice(start, after))) {
        at = after
        continue
      }
      kept += text.slice(from, at)
      at = afterBlanks(text, after)
      // One comma goes with the member: the one behind it, else the one before.
      if (text.charCodeAt(at) === comma) at++
      else kept = kept.replace(/,\s*$/, '')
      from = at
    }
    return kept + text.slice(from)
  }
}

/** An endless list without money. Its rows are lines. */
export class MoneylessList extends Transform {
  readonly #filter = new MoneyFilter()
  #rest: Buffer[] = []

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const end = chunk.lastIndexOf(10) + 1
    if (end === 0) {
      this.#rest.push(chunk)
      done()
      return
    }
    const lines = Buffer.concat([...this.#rest, chunk.subarray(0, end)])
    this.#rest = end < chunk.length ? [chunk.subarray(end)] : []
    done(null, this.#filter.take(lines.toString('utf8')))
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#filter.take(Buffer.concat(this.#rest).toString('utf8')))
  }
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colonSign = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

function afterString(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === backslash ? 2 : 1
  return end + 1
}

function afterBlanks(text: string, at: number): number {
  let end = at
  while (end < text.length && text.charCodeAt(end) <= 0x20) end++
  return end
}

function afterValue(text: string, at: number): number {
  let depth = 0
  let end = at
  while (end < text.length) {
    const letter = text.charCodeAt(end)
    if (letter === quote) end = afterString(text, end) - 1
    else if (letter === openBrace || letter === openBracket) depth++
    else if (letter === closeBrace || letter === closeBracket) {
      if (depth === 0) return end
      depth--
    } else if (letter === comma && depth === 0) return end
    end++
    if (depth === 0 && (letter === quote || letter === closeBrace || letter === closeBracket)) return end
  }
  return end
}
