// The format of an archive: text, compressed by zstd. Lines that begin with { are JSON: the header, one before the rows of each table, and the last one
// with the number of rows and the SHA-256 of all lines before it. The other lines are rows as COPY writes them, with an empty column for the company.

import { createHash } from 'node:crypto'

export const formatName = 'kontor company'
export const formatVersion = 1

/** The archive is refused, and nothing was imported. */
export class ArchiveError extends Error {}

export type Header = {
  readonly archive: typeof formatName
  readonly format: number
  /** Of Kontor. */
  readonly version: string
  /** Migrations of the database. */
  readonly schema: readonly string[]
  readonly company_id: number
  readonly name: string
  readonly created_at: string
  readonly exported_at: string
  readonly secrets: boolean
  /** By table, why it is not in the archive. */
  readonly left_out: Readonly<Record<string, string>>
  /** Backfills that had not reached the company. */
  readonly open_backfills: readonly string[]
}

export type TableLine = { readonly table: string; readonly columns: readonly string[] }
export type Summary = { readonly rows: Readonly<Record<string, number>>; readonly sha256: string }

export type Part =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'table'; readonly table: TableLine }
  /** Rows for COPY, or a part of a row if it is very long. */
  | { readonly kind: 'rows'; readonly bytes: Buffer; readonly rows: number; readonly endsRow: boolean }
  | { readonly kind: 'end'; readonly rows: Readonly<Record<string, number>> }

const newline = 10
const tab = 9
const brace = 123
/** Of a line of JSON. */
const maxJsonBytes = 1024 * 1024

export const notOurs = 'This is not an archive of a company.'
export const damaged = 'The archive is damaged.'
export const wrongEnd = 'The archive is incomplete, or something follows it.'

/** Splits the text of an archive into its parts, and checks it against its last line. Keeps no more than one line of JSON. */
export class ArchiveReader {
  readonly #companyOf: (header: Header) => number
  readonly #sha256 = createHash('sha256')
  readonly #rows: Record<string, number> = {}
  #header: Header | undefined
  #table: string | undefined
  /** What a row begins with. */
  #company: Buffer = Buffer.alloc(0)
  #isInRow = false
  #json: Buffer[] = []
  #jsonBytes = 0
  #isEnded = false

  /** `companyOf` decides which company the rows will belong to. */
  constructor(companyOf: (header: Header) => number) {
    this.#companyOf = companyOf
  }

  /** The parts that this piece of the text completes. */
  *parts(chunk: Buffer): Generator<Part> {
    let at = 0
    while (at < chunk.length) {
      if (this.#isEnded) throw new ArchiveError(wrongEnd)
      const isJson = this.#jsonBytes > 0 || (!this.#isInRow && chunk[at] === brace)
      if (isJson) {
        const end = chunk.indexOf(newline, at)
        this.#keepJson(chunk.subarray(at, end < 0 ? chunk.length : end))
        at = end < 0 ? chunk.length : end + 1
        if (end >= 0) yield this.#jsonPart()
      } else {
        const end = this.#endOfRows(chunk, at)
        yield* this.#rowParts(chunk.subarray(at, end))
        at = end
      }
    }
  }

  finish(): void {
    if (this.#header === undefined) throw new ArchiveError(notOurs)
    if (!this.#isEnded) throw new ArchiveError(wrongEnd)
  }

  #refuse(): never {
    throw new ArchiveError(this.#header === undefined ? notOurs : damaged)
  }

  #keepJson(bytes: Buffer): void {
    this.#jsonBytes += bytes.length
    if (this.#jsonBytes > maxJsonBytes) this.#refuse()
    // The piece belongs to the stream.
    this.#json.push(Buffer.from(bytes))
  }

  #jsonPart(): Part {
    const text = Buffer.concat(this.#json).toString()
    this.#json = []
    this.#jsonBytes = 0
    const value = objectOf(text) ?? this.#refuse()
    if ('end' in value) return this.#endPart(value['end'])
    this.#sha256.update(`${text}\n`)
    if (this.#header === undefined) {
      this.#header = headerOf(value)
      this.#company = Buffer.from(String(this.#companyOf(this.#header)))
      return { kind: 'header', header: this.#header }
    }
    const table = tableOf(value) ?? this.#refuse()
    if (Object.hasOwn(this.#rows, table.table)) this.#refuse()
    this.#table = table.table
    this.#rows[table.table] = 0
    return { kind: 'table', table }
  }

  #endPart(value: unknown): Part {
    const { rows, sha256 } = (value ?? {}) as Partial<Summary>
    if (this.#header === undefined) this.#refuse()
    if (sha256 !== this.#sha256.digest('hex')) this.#refuse()
    if (JSON.stringify(rows) !== JSON.stringify(this.#rows)) this.#refuse()
    this.#isEnded = true
    return { kind: 'end', rows: this.#rows }
  }

  /** Where the next line of JSON begins. Every row begins with the delimiter after the empty column. */
  #endOfRows(chunk: Buffer, from: number): number {
    if (this.#table === undefined) this.#refuse()
    let at = from
    if (this.#isInRow) at = afterLine(chunk, at)
    while (at < chunk.length && chunk[at] !== brace) {
      if (chunk[at] !== tab) this.#refuse()
      at = afterLine(chunk, at)
    }
    return at
  }

  /** Whole rows, and then the beginning of a row that goes on in the next piece. */
  *#rowParts(bytes: Buffer): Generator<Part> {
    this.#sha256.update(bytes)
    const whole = bytes.lastIndexOf(newline) + 1
    if (whole > 0) {
      const lines = this.#withCompany(bytes.subarray(0, whole))
      this.#isInRow = false
      this.#rows[this.#table ?? ''] = (this.#rows[this.#table ?? ''] ?? 0) + lines.rows
      yield { kind: 'rows', ...lines, endsRow: true }
    }
    if (whole === bytes.length) return
    const lines = this.#withCompany(bytes.subarray(whole))
    this.#isInRow = true
    yield { kind: 'rows', ...lines, endsRow: false }
  }

  /** The rows with the company in their first column. */
  #withCompany(text: Buffer): { bytes: Buffer; rows: number } {
    const starts: number[] = this.#isInRow ? [] : [0]
    let rows = 0
    for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) {
      rows++
      if (at + 1 < text.length) starts.push(at + 1)
    }
    const bytes = Buffer.allocUnsafe(text.length + starts.length * this.#company.length)
    let written = 0
    let from = 0
    for (const start of starts) {
      written += text.copy(bytes, written, from, start)
      written += this.#company.copy(bytes, written)
      from = start
    }
    text.copy(bytes, written, from)
    return { bytes, rows }
  }
}

function afterLine(chunk: Buffer, at: number): number {
  const end = chunk.indexOf(newline, at)
  return end < 0 ? chunk.length : end + 1
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function headerOf(value: Record<string, unknown>): Header {
  if (value['archive'] !== formatName) throw new ArchiveError(notOurs)
  if (value['format'] !== formatVersion)
    throw new ArchiveError(
      `The archive has format ${String(value['format'])}; this version of Kontor reads format ${formatVersion}.`,
    )
  const { company_id: id, schema, open_backfills: open, secrets, name } = value
  const isWhole = typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && isTexts(schema) && isTexts(open)
  if (!isWhole || typeof secrets !== 'boolean' || typeof name !== 'string') throw new ArchiveError(damaged)
  return value as unknown as Header
}

function tableOf({ table, columns }: Record<string, unknown>): TableLine | undefined {
  return typeof table === 'string' && isTexts(columns) ? { table, columns } : undefined
}
