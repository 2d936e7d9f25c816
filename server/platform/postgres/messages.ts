// The messages of PostgreSQL's extended query protocol that a batch consists of, written one after the other into one buffer: a buffer for
// each message, and their concatenation, took six times as long as this. A large batch continues in further buffers: copying it into larger and
// larger ones took 150 ms for 8 MiB.

/** A larger batch is sent in its own buffers, so that one large batch does not occupy memory for good. */
const keptBytes = 64 * 1024
/** Of a further buffer, unless one value needs a larger one. */
const furtherBytes = 256 * 1024
/** Of a longer text the bytes are counted; for a shorter one as many are reserved as it may need. */
const countedText = 1024
/** Up to this length a loop is faster than a call of `write`. */
const shortText = 64

const execute = Uint8Array.of(0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0)
const describePortal = Uint8Array.of(0x44, 0, 0, 0, 6, 0x50, 0)
const sync = Uint8Array.of(0x53, 0, 0, 0, 4)
const [parseCode, bindCode] = [0x50, 0x42]
const [textFormat, binaryFormat] = [0, 1]
const [quote, comma, open, close] = [0x22, 0x2c, 0x7b, 0x7d]

export class Messages {
  /** The buffers before the current one, which are full. */
  #full: Buffer[] = []
  #fullBytes = 0
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
    if (this.#full.length > 0) this.#startAnew()
  }

  /** Everything written since the last call, in the order of the buffers. */
  take(): Buffer[] {
    const last = this.#bytes.subarray(0, this.#end)
    this.#end = 0
    // Copied, because the socket may send it later.
    if (this.#full.length === 0) return [Buffer.from(last)]
    const all = [...this.#full, last]
    this.#startAnew()
    return all
  }

  #startAnew(): void {
    this.#full = []
    this.#fullBytes = 0
    this.#bytes = Buffer.allocUnsafeSlow(keptBytes)
  }

  /** The position of the next byte in the batch. */
  get #position(): number {
    return this.#fullBytes + this.#end
  }

  #begin(code: number): number {
    this.#reserve(5)
    const start = this.#position
    this.#bytes[this.#end] = code
    this.#end += 5
    return start
  }

  /** The length of a message includes itself, but not the code before it. */
  #finish(start: number): void {
    this.#setInt32(start + 1, this.#position - start - 1)
  }

  #value(value: unknown): void {
    this.#reserve(4)
    const start = this.#position
    this.#end += 4
    if (value === null || value === undefined) {
      this.#setInt32(start, -1)
      return
    }
    if (Buffer.isBuffer(value)) this.#append(value)
    else if (Array.isArray(value)) this.#array(value)
    else this.#text(valueText(value))
    this.#setInt32(start, this.#position - start - 4)
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
    this.#reserve(length > countedText ? Buffer.byteLength(text) : length * 3)
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

  /** The four bytes were reserved together, so that they are in one buffer. */
  #setInt32(position: number, value: number): void {
    let bytes: Buffer = this.#bytes
    let at = position - this.#fullBytes
    for (let before = this.#full.length - 1; at < 0; before--) {
      bytes = this.#full[before] as Buffer
      at += bytes.length
    }
    bytes[at] = value >>> 24
    bytes[at + 1] = value >>> 16
    bytes[at + 2] = value >>> 8
    bytes[at + 3] = value
  }

  #reserve(size: number): void {
    if (this.#end + size <= this.#bytes.length) return
    this.#full.push(this.#bytes.subarray(0, this.#end))
    this.#fullBytes += this.#end
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(furtherBytes, size))
    this.#end = 0
  }
}

const special = /[\\"]/
const specials = /[\\"]/g

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  return value instanceof Date ? value.toISOString() : JSON.stringify(value)
}
