// The messages of PostgreSQL's extended query protocol that a batch consists of, written one after the other into one buffer: a buffer for
// each message, and their concatenation, took six times as long as this.

/** A larger batch is sent in its own buffer, so that one large batch does not occupy memory for good. */
const keptBytes = 64 * 1024
/** Up to this length a loop is faster than a call of `write`. */
const shortText = 64

const execute = Uint8Array.of(0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0)
const describePortal = Uint8Array.of(0x44, 0, 0, 0, 6, 0x50, 0)
const sync = Uint8Array.of(0x53, 0, 0, 0, 4)
const [parseCode, bindCode] = [0x50, 0x42]
const [textFormat, binaryFormat] = [0, 1]
const [quote, comma, open, close] = [0x22, 0x2c, 0x7b, 0x7d]

export class Messages {
  #bytes = Buffer.allocUnsafeSlow(keptBytes)
  #end = 0

  /** Prepares a statement. The types of its parameters are left to PostgreSQL. */
  parse(name: string, text: string): void {
    const start = this.#begin(parseCode)
    this.#terminated(name)
    this.#terminated(text)
    this.#int16(0)
    this.#finish(start)
  }

  /** Binds the values of a prepared statement: texts, bytes in binary, everything else in PostgreSQL's text form. */
  bind(name: string, values: readonly unknown[]): void {
    const start = this.#begin(bindCode)
    this.#terminated('')
    this.#terminated(name)
    this.#int16(values.length)
    for (const value of values) this.#int16(Buffer.isBuffer(value) ? binaryFormat : textFormat)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#int16(1)
    this.#int16(textFormat)
    this.#finish(start)
  }

  /** Requests the columns of the statement that was bound last. */
  describe(): void {
    this.#append(describePortal)
  }

  execute(): void {
    this.#append(execute)
  }

  sync(): void {
    this.#append(sync)
  }

  /** Discards what a batch that failed has written. */
  clear(): void {
    this.#end = 0
  }

  /** Everything written since the last call. */
  take(): Buffer {
    const length = this.#end
    this.#end = 0
    // Copied, because the socket may send it later.
    if (this.#bytes.length === keptBytes) return Buffer.from(this.#bytes.subarray(0, length))
    const large = this.#bytes.subarray(0, length)
    this.#bytes = Buffer.allocUnsafeSlow(keptBytes)
    return large
  }

  #begin(code: number): number {
    this.#reserve(5)
    const start = this.#end
    this.#bytes[start] = code
    this.#end = start + 5
    return start
  }

  /** The length of a message includes itself, but not the code before it. */
  #finish(start: number): void {
    this.#setInt32(start + 1, this.#end - start - 1)
  }

  #value(value: unknown): void {
    this.#reserve(4)
    const start = this.#end
    if (value === null || value === undefined) {
      this.#setInt32(start, -1)
      this.#end = start + 4
      return
    }
    this.#end = start + 4
    if (Buffer.isBuffer(value)) this.#append(value)
    else if (Array.isArray(value)) this.#array(value)
    else this.#text(valueText(value))
    this.#setInt32(start, this.#end - start - 4)
  }

  /** PostgreSQL's text form of an array. */
  #array(values: readonly unknown[]): void {
    this.#byte(open)
    for (let at = 0; at < values.length; at++) {
      if (at > 0) this.#byte(comma)
      this.#element(values[at])
    }
    this.#byte(close)
  }

  #element(value: unknown): void {
    if (value === null || value === undefined) this.#text('NULL')
    else if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
      this.#text(String(value))
    else if (Array.isArray(value)) this.#array(value)
    else this.#quoted(Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : valueText(value))
  }

  #quoted(text: string): void {
    this.#byte(quote)
    this.#text(special.test(text) ? text.replace(specials, '\\$&') : text)
    this.#byte(quote)
  }

  #terminated(text: string): void {
    this.#text(text)
    this.#byte(0)
  }

  #byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#end++] = value
  }

  #text(text: string): void {
    const { length } = text
    // UTF-8 takes at most three bytes for each unit of UTF-16.
    this.#reserve(length * 3)
    if (length > shortText || !this.#ascii(text)) this.#end += this.#bytes.write(text, this.#end)
  }

  /** False when the text contains other characters; then nothing counts as written. */
  #ascii(text: string): boolean {
    const bytes = this.#bytes
    let end = this.#end
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code > 0x7f) return false
      bytes[end++] = code
    }
    this.#end = end
    return true
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.length
  }

  #int16(value: number): void {
    this.#reserve(2)
    this.#bytes[this.#end++] = value >>> 8
    this.#bytes[this.#end++] = value
  }

  #setInt32(at: number, value: number): void {
    const bytes = this.#bytes
    bytes[at] = value >>> 24
    bytes[at + 1] = value >>> 16
    bytes[at + 2] = value >>> 8
    bytes[at + 3] = value
  }

  #reserve(size: number): void {
    if (this.#end + size <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#end + size))
    larger.set(this.#bytes.subarray(0, this.#end))
    this.#bytes = larger
  }
}

const special = /[\\"]/
const specials = /[\\"]/g

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  return value instanceof Date ? value.toISOString() : JSON.stringify(value)
}
