// Reading a request body: bytes to an object, or the exact refusal. Numbers keep their written digits where JavaScript would
// change them, because rounding works on the digits as written and ids past 2^53 must not turn into other ids.

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
const notJson = (): Refusal => new Refusal('Request body is not valid JSON')
const decoder = new TextDecoder('utf-8', { fatal: true })

export function readBody(bytes: Uint8Array): Raw {
  let text: string
  try {
    text = decoder.decode(bytes) // drops a byte order mark
  } catch {
    throw notJson()
  }
  if (isEmpty(text)) return {}
  if (nestsTooDeep(text)) throw notJson()
  let value: unknown
  try {
    value = hasLongNumber(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    throw notJson()
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof NumberText) {
    throw new Refusal('Request body must be a JSON object')
  }
  return value as Raw
}

/** Nothing but what JSON calls white space: other blanks are characters like any other. */
const isEmpty = (text: string): boolean => /^[ \t\n\r]*$/.test(text)

/** Counts brackets outside strings, so that the parser never recurses into what is refused anyway. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string: skip to its end
        at++
        while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
        break
      case 0x5b:
      case 0x7b:
        depth++
        if (depth > maxDepth) return true
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
    }
  }
  return false
}

// Fifteen significant digits survive in a double, and exponents of two digits; texts without anything longer take the fast path (the
// reviver is four times slower than plain JSON.parse).
const hasLongNumber = (text: string): boolean => /[\d.]{16}|\d[eE][+-]?\d{3}/.test(text)

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined) return value
  const [mantissa = '', exponent = ''] = source.split(/[eE]/)
  const survives = mantissa.replace(/\D/g, '').length <= safeDigits && exponent.replace(/\D/g, '').length < 3
  return survives ? value : new NumberText(source)
}

const safeDigits = 15
