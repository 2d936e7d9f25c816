// Reads XML in pieces: the names of elements, their attributes, and the text in them. Workbooks need no more.

import { unreadable } from './refusal.ts'

const longestTag = 100_000
const longestEntity = 12

export type XmlReader = {
  readonly open: (name: string, attribute: (name: string) => string | undefined) => void
  readonly close: (name: string) => void
  readonly text: (text: string) => void
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (all, hex, digits, name) => {
        if (name !== undefined) return named[name] ?? all
        const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
      })
    : text

const patterns = new Map<string, RegExp>()

function patternOf(attribute: string): RegExp {
  const known = patterns.get(attribute)
  if (known !== undefined) return known
  const made = new RegExp(`\\s(?:\\w+:)?${attribute}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  patterns.set(attribute, made)
  return made
}

/** Without the prefix of its namespace. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1)

export class XmlPieces {
  readonly #reader: XmlReader
  #rest = ''

  constructor(reader: XmlReader) {
    this.#reader = reader
  }

  take(piece: string): void {
    const xml = this.#rest + piece
    let at = 0
    for (;;) {
      const start = xml.indexOf('<', at)
      const end = start < 0 ? -1 : this.#end(xml, start)
      if (end < 0) break
      if (start > at) this.#reader.text(decoded(xml.slice(at, start)))
      this.#tag(xml.slice(start + 1, end))
      at = end + 1
    }
    this.#rest = this.#kept(xml.slice(at))
  }

  /** What is not kept for the next piece: text without a tag, so that a part of gigabytes takes no memory. */
  #kept(rest: string): string {
    if (rest.length > longestTag && rest.startsWith('<')) unreadable({ why: 'damaged' })
    if (rest.length <= longestTag || rest.includes('<')) return rest
    // An entity may be cut off at the end.
    const end = rest.length - longestEntity
    this.#reader.text(decoded(rest.slice(0, end)))
    return rest.slice(end)
  }

  /** Where the tag ends; -1 when the rest of it is in the next piece. */
  #end(xml: string, start: number): number {
    if (xml.startsWith('<!--', start)) {
      const end = xml.indexOf('-->', start + 4)
      return end < 0 ? -1 : end + 2
    }
    if (xml.startsWith('<![CDATA[', start)) {
      const end = xml.indexOf(']]>', start)
      return end < 0 ? -1 : end + 2
    }
    return xml.indexOf('>', start)
  }

  #tag(tag: string): void {
    if (tag.startsWith('![CDATA[')) this.#reader.text(tag.slice(8, -2))
    else if (tag.startsWith('/')) this.#reader.close(local(tag.slice(1).trim()))
    else if (!tag.startsWith('!') && !tag.startsWith('?')) this.#element(tag)
  }

  #element(tag: string): void {
    const name = local(/^[^\s/]+/.exec(tag)?.[0] ?? '')
    this.#reader.open(name, (wanted) => {
      const [, double, single] = patternOf(wanted).exec(tag) ?? []
      const value = double ?? single
      return value === undefined ? undefined : decoded(value)
    })
    if (tag.endsWith('/')) this.#reader.close(name)
  }
}
