// Finds and replaces the texts that identify a person: in other letter case, with other white space, with other separators in a phone number, and in
// bodies of requests also escaped or cut off. Pure.

export const erased = '[erased]'

/** Shorter texts are part of too many others, longer ones of none. */
const shortest = 3
const longest = 500
const shortestPhoneDigits = 6
/** A body that was cut off may end with the beginning of a text. */
const shortestStart = 4

const phone = /^\+?[\d\s()./-]+$/
const digits = (text: string): string => text.replace(/\D/g, '')
export const hasPhoneDigits = (text: string): boolean => digits(text).length >= shortestPhoneDigits
const isPhone = (text: string): boolean => phone.test(text) && hasPhoneDigits(text)

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

function patternOf(text: string): string {
  const body = isPhone(text)
    ? `\\+?${[...digits(text)].join('[\\s().\\/\\-]*')}`
    : text.split(/\s+/u).map(escaped).join('\\s+')
  // Not within a longer word or number: "Ann" is not in "Annual".
  return `(?<![\\p{L}\\p{N}_])${body}(?![\\p{L}\\p{N}_])`
}

const normal = (text: string): string => text.normalize('NFC').trim()

export class Traces {
  readonly texts: readonly string[]
  readonly #pattern: RegExp | undefined
  readonly #starts: readonly string[]

  /** Empty, very short and very long texts are left out. */
  constructor(texts: readonly string[]) {
    const known = texts
      .map(normal)
      .filter((text) => text.length >= shortest && text.length <= longest && text !== erased)
    this.texts = [...new Set(known)].toSorted((a, b) => b.length - a.length)
    this.#pattern = this.texts.length === 0 ? undefined : new RegExp(this.texts.map(patternOf).join('|'), 'giu')
    this.#starts = this.texts.map((text) => text.toLowerCase().replace(/\s+/gu, ' '))
  }

  /** The text without what identifies the person; the same text when there is nothing. */
  without(text: string): string {
    if (this.#pattern === undefined) return text
    const plain = text.normalize('NFC')
    const replaced = plain.replace(this.#pattern, erased)
    return replaced === plain ? text : replaced
  }

  /** Whether a body, or another text that may be escaped or cut off, contains something of the person. */
  isIn(body: string): boolean {
    return formsOf(body).some((form) => this.without(form) !== form || this.#isCutIn(form))
  }

  #isCutIn(form: string): boolean {
    if (!form.endsWith('…')) return false
    const end = form.slice(0, -1).toLowerCase().replace(/\s+/gu, ' ')
    return this.#starts.some((start) => {
      for (let length = start.length; length >= shortestStart; length--)
        if (end.endsWith(start.slice(0, length))) return true
      return false
    })
  }
}

/** JSON within JSON is escaped twice. */
const maxDepth = 3

function formsOf(body: string): string[] {
  const forms = [body]
  if (body.includes('%') || body.includes('+')) forms.push(decodedForm(body))
  for (let form = body, depth = 0; depth < maxDepth && form.includes('\\'); depth++) {
    form = unescapedJson(form)
    forms.push(form)
  }
  return forms
}

const control: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const unescapedJson = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|([^u]))/gis, (_all, code: string | undefined, char: string) =>
    code === undefined ? (control[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  )

const decodedForm = (text: string): string =>
  text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })

/** A JSON value in which the strings under the given keys are replaced by `replace`; keys of an outer object apply to everything in it. */
export function mapStrings(
  value: unknown,
  keys: readonly string[],
  replace: (text: string) => string,
  isInside = false,
): unknown {
  if (typeof value === 'string') return isInside ? replace(value) : value
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, keys, replace, isInside))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapStrings(one, keys, replace, isInside || keys.includes(key))]),
  )
}
