// A flight: statements sent at once with one Sync behind them, and answered at once. The driver's own queries send a Sync each, which
// PostgreSQL answers each by itself: a write then took 10 reads and as many wake-ups on either side, and a third more of the server's time.

import type pg from 'pg'
import { serialize } from 'pg-protocol'
import type { Statement } from '../kernel/statement.ts'

export type Part = string | Statement
type Parser = (text: string) => unknown
type Column = { readonly name: string; readonly parse: Parser }

/** What one connection has prepared. The columns of a statement are asked for once. */
export type Prepared = Map<string, { readonly text: string; columns: readonly Column[] | undefined }>

type Command = {
  readonly part: number
  readonly name: string
  readonly text: string
  readonly values: (string | Buffer | null)[]
  isKnown: boolean
}
type Answered = { readonly rows: readonly unknown[]; readonly command: string }
type Settled = Answered | { readonly error: unknown }

/** The socket of the driver's connection. */
type Wire = { readonly stream: { write(bytes: Buffer): unknown } }

/** A command that answers no rows need not be asked for its columns. */
const answersNothing = /^set /

/** Not tried, because a statement sent before it failed. */
class NotTried extends Error {}

export class Flight implements pg.Submittable {
  readonly #commands: readonly Command[]
  readonly #prepared: Prepared
  readonly #parserOf: (oid: number) => Parser
  readonly #land: (flown: Flown) => void
  readonly #settled: Settled[] = []
  #at = 0
  #columns: readonly Column[] | undefined
  #rows: unknown[] = []
  #landed = false

  constructor(
    parts: readonly Part[],
    prepared: Prepared,
    parserOf: (oid: number) => Parser,
    land: (flown: Flown) => void,
  ) {
    this.#prepared = prepared
    this.#parserOf = parserOf
    this.#land = land
    this.#commands = parts.flatMap((part, at) => commandsOf(part, at))
  }

  /** Called by the driver when it is this flight's turn. */
  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    const parsed = new Set<string>()
    const messages: Buffer[] = []
    for (const command of this.#commands) {
      const { name, text, values } = command
      const known = name === '' ? undefined : this.#prepared.get(name)
      if (known !== undefined && known.text !== text) throw new Error(`two statements are called ${name}`)
      command.isKnown = known?.columns !== undefined
      if (known === undefined && !parsed.has(name)) messages.push(serialize.parse({ name, text, types: [] }))
      if (name !== '') parsed.add(name)
      messages.push(serialize.bind({ statement: name, values }))
      if (!command.isKnown && !answersNothing.test(text)) messages.push(serialize.describe({ type: 'P', name: '' }))
      messages.push(serialize.execute())
    }
    messages.push(serialize.sync())
    // One piece instead of a dozen small ones, as the driver would hand them over.
    wire.stream.write(Buffer.concat(messages))
  }

  /** The server knows this statement from now on, whatever becomes of its execution. */
  handleParseComplete(): void {
    const command = this.#commands[this.#at]
    if (command !== undefined && command.name !== '')
      this.#prepared.set(command.name, { text: command.text, columns: undefined })
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#parserOf(dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    const columns = this.#columns ?? this.#knownColumns()
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at]
      const text = fields[at]
      if (column !== undefined) row[column.name] = text === null || text === undefined ? null : column.parse(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const command = this.#commands[this.#at]
    if (command === undefined) return
    const known = this.#prepared.get(command.name)
    // A command that answers no rows has no columns, and need not be asked again either.
    if (known !== undefined && !command.isKnown) known.columns = this.#columns ?? []
    // A part of several commands is answered by its last.
    this.#settled[command.part] = { rows: this.#rows, command: text.split(' ', 1)[0] ?? '' }
    this.#columns = undefined
    this.#rows = []
    this.#at++
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    if (this.#at < this.#commands.length) this.handleError(new Error('a flight was answered in part'))
    else this.#landOnce()
  }

  /** Of a statement, or of the connection. PostgreSQL skips what follows up to the Sync. */
  handleError(error: unknown): void {
    const [failed, ...skipped] = this.#commands.slice(this.#at)
    if (failed !== undefined && !this.#landed) {
      this.#settled[failed.part] = { error }
      for (const { part } of skipped) {
        if (part !== failed.part) this.#settled[part] = { error: new NotTried('not tried', { cause: error }) }
      }
    }
    this.#landOnce()
  }

  #knownColumns(): readonly Column[] {
    const command = this.#commands[this.#at]
    return this.#prepared.get(command?.name ?? '')?.columns ?? []
  }

  #landOnce(): void {
    if (this.#landed) return
    this.#landed = true
    this.#land(new Flown(this.#settled))
  }
}

/** What came back from a flight. */
export class Flown {
  readonly #settled: readonly Settled[]

  constructor(settled: readonly Settled[]) {
    this.#settled = settled
  }

  /** The one that stopped the flight. */
  get error(): unknown {
    for (const part of this.#settled) if ('error' in part) return part.error
    return undefined
  }

  rows<Row>(at: number): readonly Row[] {
    const part = this.#settled.at(at)
    if (part === undefined) throw new Error('no such part in this flight')
    if ('error' in part) throw part.error
    return part.rows as Row[]
  }

  errorAt(at: number): unknown {
    const part = this.#settled.at(at)
    return part !== undefined && 'error' in part ? part.error : undefined
  }

  failed(at: number): boolean {
    const part = this.#settled.at(at)
    return part === undefined || 'error' in part
  }

  /** As if the first so many parts had not been sent. */
  without(first: number): Flown {
    return new Flown(this.#settled.slice(first))
  }

  command(at: number): string {
    const part = this.#settled.at(at)
    return part !== undefined && 'command' in part ? part.command : ''
  }
}

/** A text may hold several commands. One without a value in it is prepared under its own text, the others are parsed each time. */
function commandsOf(part: Part, at: number): Command[] {
  if (typeof part !== 'string') {
    return [{ part: at, name: part.name, text: part.text, values: part.values.map(valueText), isKnown: false }]
  }
  return part.split(';').map((piece) => {
    const text = piece.trim()
    return { part: at, name: text.includes("'") ? '' : text, text, values: [], isKnown: false }
  })
}

function valueText(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return arrayText(value)
  return value instanceof Date ? value.toISOString() : JSON.stringify(value)
}

const arrayText = (values: readonly unknown[]): string => `{${values.map(elementText).join(',')}}`

function elementText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return arrayText(value)
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  const text = valueText(value) as string
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
