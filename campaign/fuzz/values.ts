// Values as JSON text, generated from a field's declaration: near its bounds, of another type, existing ids, or any text that JSON allows.

import { type JsonSchema, resolve, shapes } from '../../server/generate/json-schema.ts'
import type { Method } from '../../server/kernel/method.ts'
import { methods } from '../../server/methods.ts'
import { jsonTexts, moreJsonTexts } from '../../server/test/contract/json-texts.ts'
import { liveValue, type World } from '../../server/test/contract/world.ts'
import type { Draw } from './draw.ts'

const { requests, named } = shapes(methods)

/** The body of a request, and whether it refers to an existing record. */
export type Drawn = { readonly text: string; readonly isLive: boolean }

/** Long texts are rare: they would dominate the traffic. */
const [longTexts, shortTexts] = [
  [...jsonTexts, ...moreJsonTexts].filter((text) => text.length > 500),
  [...jsonTexts, ...moreJsonTexts].filter((text) => text.length <= 500),
]

export function drawBody(method: Method, world: World, draw: Draw): Drawn {
  const shape = requests.get(method.path)
  if (shape === undefined) throw new Error(`${method.path} is not declared`)
  const body = new Body(method.path, world, draw)
  return { text: body.object(shape.fields, shape.required, ''), isLive: body.isLive }
}

class Body {
  readonly #path: string
  readonly #world: World
  readonly #draw: Draw
  isLive = false

  constructor(path: string, world: World, draw: Draw) {
    this.#path = path
    this.#world = world
    this.#draw = draw
  }

  object(fields: Readonly<Record<string, JsonSchema>>, required: readonly string[], at: string): string {
    const draw = this.#draw
    // A request usually contains the required fields and some of the others; occasionally all.
    const share = draw.pick([15, 30, 30, 100])
    const parts = Object.entries(fields).flatMap(([name, schema]) => {
      const isHere = draw.often(required.includes(name) ? 96 : namesRecord(name) ? Math.max(share, 60) : share)
      return isHere ? [`${JSON.stringify(name)}:${this.#value(name, schema, at)}`] : []
    })
    if (draw.often(2)) parts.push(draw.pick(oddFields))
    return `{${parts.join(',')}}`
  }

  #value(name: string, declared: JsonSchema, at: string): string {
    const draw = this.#draw
    const full = at === '' ? name : `${at}.${name}`
    const schema = this.#one(declared)
    const isLines = schema.type === 'array' && this.#one(schema.items ?? {}).type === 'object'
    if (isLines && draw.often(94)) return this.#lines(schema, full)
    if (draw.often(namesRecord(name) ? 75 : 40)) {
      const live = liveValue(this.#world, this.#path, full)
      if (live !== undefined) {
        if (namesRecord(name)) this.isLive = true
        return JSON.stringify(live)
      }
    }
    if (draw.often(45)) return anyText(draw)
    return isNumeric(declared) && draw.often(50) ? numberText(draw) : typed(schema, draw)
  }

  #lines(schema: JsonSchema, at: string): string {
    const draw = this.#draw
    const line = this.#one(schema.items ?? {})
    const count = draw.often(97) ? 1 + draw.below(3) : draw.pick([0, 40, 400])
    const lines = Array.from({ length: count }, () =>
      draw.often(96) ? this.object(line.properties ?? {}, line.required ?? [], at) : anyText(draw),
    )
    return `[${lines.join(',')}]`
  }

  /** The schema itself, or one of several alternatives. */
  #one(schema: JsonSchema): JsonSchema {
    const known = resolve(schema, named)
    const options = known.anyOf ?? known.oneOf
    return options === undefined ? known : this.#one(this.#draw.pick(options))
  }
}

const isNumeric = (schema: JsonSchema): boolean =>
  schema.type === 'number' || [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(isNumeric)

const namesRecord = (name: string): boolean => /(^|_)(id|ids|sku|categories)$/.test(name)

const oddFields = [
  '"__proto__":{"order_id":1}',
  '"constructor":{"prototype":{"id":1}}',
  '"":1',
  '"num":"1","num":"2"',
  '"toString":null',
  `"${'k'.repeat(300)}":0`,
]

/** Allowed values, at their bounds and one step beyond. */
function typed(schema: JsonSchema, draw: Draw): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return JSON.stringify(draw.often(85) ? draw.pick(schema.enum) : `${draw.pick(schema.enum)}x`)
  const type = typeof schema.type === 'string' ? schema.type : draw.pick(schema.type ?? ['string'])
  if (type === 'integer') return integerText(schema, draw)
  if (type === 'number') return numberText(draw)
  if (type === 'boolean') return draw.pick(['true', 'false', '0', '1', '"1"', '"true"'])
  if (type === 'array') {
    const items = Array.from({ length: draw.below(4) }, () => typed(resolve(schema.items ?? {}, named), draw))
    return `[${items.join(',')}]`
  }
  if (type === 'object') return '{}'
  if (schema.format === 'date') return dateText(draw)
  return stringText(draw, schema.maxLength)
}

function integerText(schema: JsonSchema, draw: Draw): string {
  const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined)
  if (bounds.length > 0 && draw.often(60)) return String(draw.pick(bounds) + draw.pick([-1, 0, 1]))
  return draw.pick([
    '0',
    '1',
    '2',
    '3',
    '4',
    '-1',
    '1.0',
    '"1"',
    '" 1"',
    '2147483647',
    '2147483648',
    '9007199254740991',
  ])
}

const oddNumbers = [
  ...['"NaN"', '"Infinity"', '"-Infinity"', '1e400', '-1e400', '"1e400"', '-0', '"-0"'],
  ...['1e99999999999', '-1e-99999999999', '"1e-99999999999"', `0.${'0'.repeat(20_000)}1e3`, '9'.repeat(20_000)],
]

/** Digits before and after the point up to and beyond the stored precision, with and without an exponent. */
export function numberText(draw: Draw): string {
  if (draw.often(6)) return draw.pick(oddNumbers)
  const digits = (length: number): string => Array.from({ length }, () => draw.below(10)).join('')
  const whole = draw.often(80) ? String(draw.below(1_000)) : `${1 + draw.below(9)}${digits(draw.below(20))}`
  const fraction = draw.often(50) ? `.${digits(1 + draw.below(draw.often(90) ? 4 : 30))}` : ''
  const exponent = draw.often(8) ? `e${draw.pick(['', '+', '-'])}${draw.below(draw.often(80) ? 12 : 999)}` : ''
  const text = `${draw.often(8) ? '-' : ''}${whole}${fraction}${exponent}`
  return draw.often(25) ? `"${text}"` : text
}

function dateText(draw: Draw): string {
  const two = (end: number): string => String(draw.below(end)).padStart(2, '0')
  const year = draw.often(80) ? String(2020 + draw.below(8)) : String(draw.below(10_000)).padStart(4, '0')
  return `"${year}-${two(14)}-${two(33)}"`
}

/** Characters of every width and kind, some of which require an escape. */
const alphabets: readonly (readonly string[])[] = [
  [...'abcdefghijklmnopqrstuvwxyz0123456789'],
  [...'ÄÖÜßéñ№µ€'],
  [...'漢字かな한글'],
  ['😀', '👩‍👩‍👧', '🏳️‍🌈', '\u0301', '\u200d', '\u202e', '\ufeff', '\u00a0', '\u2028'],
  [...`'";\\%_$/*-{}[]()<>&|`],
  ['\\u0000', '\\u0001', '\\u001f', '\\n', '\\r', '\\t', '\\u007f', '\\ud800', '\\udfff', '\\uffff', '\\ufffe'],
]

export function stringText(draw: Draw, most?: number): string {
  const atBound = most !== undefined && most <= 70_000 && draw.often(most > 1_000 ? 1 : 15)
  const length = atBound ? most + draw.pick([-1, 0, 1]) : draw.length()
  const alphabet = draw.pick(alphabets)
  // Mostly one kind of character, so that limits are reached from either side; occasionally a little of another.
  const character = (): string => {
    const one = draw.pick(draw.often(97) ? alphabet : draw.pick(alphabets))
    return one === '"' || one === '\\' ? `\\${one}` : one
  }
  const long = length > 1_000 ? character().repeat(length) : Array.from({ length }, character).join('')
  return `"${long}"`
}

function anyText(draw: Draw): string {
  if (draw.often(1)) return draw.pick(longTexts)
  if (draw.often(55)) return draw.pick(shortTexts)
  if (draw.often(30)) return numberText(draw)
  if (draw.often(70)) return stringText(draw)
  const depth = 1 + draw.below(28)
  return draw.often(50) ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}
