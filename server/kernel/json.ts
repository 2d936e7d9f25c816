// Parses a request body into an object, or refuses it with the exact text. Numbers keep their written digits where JavaScript would
// change them, because rounding works on the digits as written and ids above 2^53 must not turn into other ids.

import { parseJson } from './exact-json.ts'
import { Refusal } from './refusal.ts'

export type Raw = Readonly<Record<string, unknown>>

/** A number whose digits do not survive as a JavaScript number. */
export class NumberText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const maxDepth = 32
/** Texts, numbers, literals, objects and arrays; the names of fields do not count. */
const maxValues = 200_000
/**
 * What objects with many different fields may cost. V8 keeps a description for each sequence of names that an object begins with: 2 MiB of objects whose fields
 * are in random order took 500 ms to parse. Programs send the same few fields in the same order.
 */
const maxFields = 1_000
const maxSequences = 20_000
/** A smaller body cannot cost much. */
const countedBytes = 65_536
const notJson = (): Refusal => new Refusal('Request body is not valid JSON', { code: 'body_not_json' })
export const bodyTooLarge = (): Refusal => new Refusal('Request body is too large', { code: 'body_too_large' })
const decoder = new TextDecoder('utf-8', { fatal: true })

/** What the first of two steps finds out about a body. The steps of a large one are separate, so that other requests can run between them. */
export type ScannedBody = { readonly hasLongNumber: boolean }

export const readBody = (bytes: Uint8Array): Raw => parseBody(bytes, scanBody(bytes))

export function parseBody(bytes: Uint8Array, { hasLongNumber }: ScannedBody): Raw {
  let value: unknown
  try {
    const text = decoder.decode(bytes) // drops a byte order mark
    if (isEmpty(text)) return {}
    value = hasLongNumber ? parseJson(text, keepDigits) : JSON.parse(text)
  } catch {
    throw notJson()
  }
  // PHP writes an empty object as an empty array.
  if (Array.isArray(value) && value.length === 0) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof NumberText) {
    throw new Refusal('Request body must be a JSON object', { code: 'body_not_an_object' })
  }
  return value as Raw
}

/** Only white space as JSON defines it. */
const isEmpty = (text: string): boolean => /^[ \t\n\r]*$/.test(text)

const [blank, quote, open, close, colon, other] = [0, 1, 2, 3, 4, 5]
const kinds = new Uint8Array(256).fill(other)
for (const [kind, characters] of [
  [blank, ' \t\n\r,'],
  [quote, '"'],
  [open, '[{'],
  [close, ']}'],
  [colon, ':'],
] as const) {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind
}
const backslash = 0x5c
const quoteByte = 0x22

/**
 * Limits depth, number of values and number of different fields before anything is parsed: the parser never recurses into a body that is refused, and a body of 8 MiB
 * with millions of empty objects (178 MB once parsed) is refused after 3 ms, before it is decoded. Works on bytes: no byte of a multi-byte
 * character is equal to a character of JSON syntax.
 */
export function scanBody(bytes: Uint8Array): ScannedBody {
  let depth = 0
  let values = 0
  let hasLongNumber = false
  const end = bytes.length
  const fields = end < countedBytes ? undefined : new Fields(bytes)
  let textFrom = 0
  let textTo = 0
  for (let at = hasByteOrderMark(bytes) ? 3 : 0; at < end; at++) {
    switch (kinds[bytes[at] as number]) {
      case blank:
        continue
      case quote:
        values++
        textFrom = at + 1
        at = endOfText(bytes, textFrom)
        textTo = at
        break
      case open:
        values++
        depth++
        if (depth > maxDepth) throw notJson()
        fields?.begin(depth)
        break
      case close:
        depth--
        break
      case colon: // the text before it was the name of a field
        values--
        fields?.add(depth, textFrom, textTo)
        break
      default: {
        // A number or a literal. A double keeps fifteen significant digits; exponents are checked when the number is parsed.
        values++
        const start = at
        let hasExponent = false
        for (; at + 1 < end && kinds[bytes[at + 1] as number] === other; at++) {
          if (((bytes[at + 1] as number) | 0x20) === 0x65) hasExponent = true
        }
        if (bytes[start] !== 0x66 && bytes[start] !== 0x74 && (hasExponent || at - start >= safeDigits))
          hasLongNumber = true
      }
    }
    if (values > maxValues) throw bodyTooLarge()
  }
  return { hasLongNumber }
}

/** Counts the fields of each object, and the different sequences of names that objects begin with. */
class Fields {
  readonly #view: DataView
  /** By depth: of the object that is open there. */
  readonly #counts = new Uint32Array(maxDepth + 1)
  readonly #hashes = new Int32Array(maxDepth + 1)
  readonly #sequences = new Set<number>()

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  begin(depth: number): void {
    this.#counts[depth] = 0
    this.#hashes[depth] = 0
  }

  add(depth: number, from: number, to: number): void {
    // Without an object around it, this is not JSON.
    if (depth < 1) return
    const view = this.#view
    let hash = (this.#hashes[depth] as number) ^ (to - from)
    let at = from
    for (; at + 4 <= to; at += 4) hash = mixed(hash ^ view.getInt32(at))
    for (; at < to; at++) hash = mixed(hash ^ view.getInt8(at))
    hash = mixed(hash + 1)
    this.#hashes[depth] = hash
    this.#counts[depth] = (this.#counts[depth] as number) + 1
    this.#sequences.add(hash)
    if ((this.#counts[depth] as number) > maxFields || this.#sequences.size > maxSequences) throw bodyTooLarge()
  }
}

/** Odd, and different in each process, so that nobody can write names whose hashes are equal. */
const [hashFactor = 1] = crypto.getRandomValues(new Int32Array(1)).map((random) => random | 1)
const mixed = (hash: number): number => {
  const product = Math.imul(hash, hashFactor)
  return product ^ (product >>> 15)
}

/** Texts are searched byte by byte so far, and from there on natively, which is many times as fast for long texts. */
const nearBytes = 64

/** The index of the quote that ends a text, or the number of bytes if none does. */
function endOfText(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length) {
    const near = Math.min(bytes.length, at + nearBytes)
    while (at < near && bytes[at] !== quoteByte) at += bytes[at] === backslash ? 2 : 1
    if (at < near) return at
    const found = bytes.indexOf(quoteByte, at)
    if (found === -1) break
    let slashes = 0
    while (found - slashes > at && bytes[found - slashes - 1] === backslash) slashes++
    if (slashes % 2 === 0) return found
    at = found + 1
  }
  return bytes.length
}

const hasByteOrderMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

const keepDigits = (source: string): number | NumberText => (survives(source) ? Number(source) : new NumberText(source))

const safeDigits = 15

/** At most fifteen digits, and at most two in the exponent. A loop, because regular expressions took most of the time of parsing such a body. */
function survives(source: string): boolean {
  let digits = 0
  let exponentDigits = 0
  let isExponent = false
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if ((code | 0x20) === 0x65) isExponent = true
    else if (code >= 0x30 && code <= 0x39) isExponent ? exponentDigits++ : digits++
  }
  return digits <= safeDigits && exponentDigits < 3
}
