// Hides money from workers. Fields with these names are removed from the text of a response at any depth before it is sent, so that no
// method can forget it, and no digit of the rest is changed.

import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import { withoutTotals } from '../../kernel/skipped-line.ts'
import { holdingLoop } from '../process/event-loop.ts'

/** Names of costs, in responses. */
const costs = new Set(['cost', 'total_cost', 'plan_cost', 'unit_cost', 'line_cost', 'cost_source'])

/** Names of amounts of money, in responses and in the history. */
const money = new Set([
  ...costs,
  'price',
  'prices',
  'total',
  'totals',
  'subtotal',
  'costs',
  'delivery_price',
  'discount',
  'plan_costs',
  'exact_cost',
  'adjustment',
  'margin',
  'planned_margin',
  'value',
  'stock_value',
  'stock_total_cost',
  'average',
  'tax',
])

/** Fields that may contain sentences about lines that were not found, which include a total. Other amounts in them were written by people. */
const notes = new Set(['notes', 'skipped'])

function notesWithoutMoney(value: string): string {
  if (!value.startsWith('"') || !value.includes(' not found: ')) return value
  return JSON.stringify(withoutTotals(JSON.parse(value)))
}

export const isMoney = (name: string): boolean => money.has(name)

/** The total of a list is a count of records. It is only at the top level. */
const countsRecords = (name: string, depth: number, value: string): boolean =>
  name === 'total' && depth === 1 && /^\d+$/.test(value)

/** The text of a response without money, or only without costs. */
export const withoutMoney = (text: string, hidden: Hidden = 'money'): string => new MoneyFilter(hidden).take(text)

/** What is hidden: all money from workers, costs from API connections that may not see them. */
export type Hidden = 'money' | 'costs'

/** Filters a response part by part, where no part ends inside a field. */
export class MoneyFilter {
  readonly #hidden: ReadonlySet<string>
  readonly #filtered: ReadonlySet<string>
  #depth = 0

  constructor(hidden: Hidden) {
    this.#hidden = hidden === 'money' ? money : costs
    this.#filtered = hidden === 'money' ? notes : new Set()
  }

  take(text: string): string {
    const kept: string[] = []
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
      if (text.charCodeAt(colon) !== colonSign || !(this.#hidden.has(name) || this.#filtered.has(name))) {
        at = end
        continue
      }
      const start = afterBlanks(text, colon + 1)
      const after = afterValue(text, start)
      if (this.#filtered.has(name)) {
        const [value, shown] = [text.slice(start, after), notesWithoutMoney(text.slice(start, after))]
        if (shown !== value) {
          kept.push(text.slice(from, start), shown)
          from = after
        }
        // A value that is not a text is filtered itself.
        at = value.startsWith('"') ? after : start
        continue
      }
      if (countsRecords(name, this.#depth, text.slice(start, after))) {
        at = after
        continue
      }
      if (at > from) kept.push(text.slice(from, at))
      at = afterBlanks(text, after)
      // One comma is removed with the field: the one after it, otherwise the one before.
      if (text.charCodeAt(at) === comma) at++
      else dropLastComma(kept)
      from = at
    }
    kept.push(text.slice(from))
    return kept.join('')
  }
}

/** The body of a response without what is hidden. An aborted list aborts the response. */
export const withoutHidden = (hidden: Hidden, body: string | Readable): string | Readable =>
  typeof body === 'string'
    ? holdingLoop('hidden money', () => withoutMoney(body, hidden))
    : pipeline(body, new MoneylessList(hidden), () => {})

/** A streamed list without money or costs. Each row is one line. */
class MoneylessList extends Transform {
  readonly #filter: MoneyFilter
  #rest: Buffer[] = []

  constructor(hidden: Hidden) {
    super()
    this.#filter = new MoneyFilter(hidden)
  }

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

/** Checks only the last pieces: searching all of them for every removed field took 26 s for 12,000 fields. */
function dropLastComma(pieces: string[]): void {
  for (let piece = pieces.length - 1; piece >= 0; piece--) {
    const text = pieces[piece] ?? ''
    const end = beforeBlanks(text)
    if (end === 0) continue
    if (text.charCodeAt(end - 1) === comma) {
      pieces.length = piece
      pieces.push(text.slice(0, end - 1))
    }
    return
  }
}

function beforeBlanks(text: string): number {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) <= 0x20) end--
  return end
}

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
