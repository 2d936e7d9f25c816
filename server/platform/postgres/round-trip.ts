// A pipelined batch: statements sent at once with one Sync at the end. The driver's own queries send one Sync each, which
// PostgreSQL answers separately: a write then took 10 reads and as many wake-ups on either side, and a third more of the server's time.

import pg from 'pg'
import type { Statement } from '../../kernel/statement.ts'
import { Messages } from './messages.ts'

export type RoundTripPart = string | Statement
type Parser = (text: string) => unknown
type Column = { readonly name: string; readonly parse: Parser; readonly isJson: boolean }

/** The prepared statements of one connection. The columns of a statement are requested once. */
export type Prepared = Map<string, { readonly text: string; columns: readonly Column[] | undefined }>

type Command = {
  readonly part: number
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  isKnown: boolean
}
type PartResult = { readonly rows: readonly unknown[]; readonly completed: string } | { readonly error: unknown }

/** The socket of the driver's connection. */
type Wire = { readonly stream: { cork(): void; write(bytes: Buffer): unknown; uncork(): void } }

/** Of all connections: a batch is written completely before the next one begins. */
const messages = new Messages()

/** A command without a result needs no Describe. */
const hasNoResult = /^set /

const jsonTypes: readonly number[] = [pg.types.builtins.JSON, pg.types.builtins.JSONB]

/** A JSON value that was left unparsed because of its size. */
export class LargeJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Not executed, because an earlier statement of the batch failed. */
class NotTried extends Error {}

export class RoundTrip implements pg.Submittable {
  readonly #commands: readonly Command[]
  readonly #prepared: Prepared
  readonly #parserOf: (oid: number) => Parser
  readonly #resolve: (trip: RoundTripResult) => void
  readonly #largeJsonLength: number
  readonly #results: PartResult[] = []
  #at = 0
  #columns: readonly Column[] | undefined
  #rows: unknown[] = []
  #isDone = false
  #onDone: () => void = () => {}

  constructor(
    parts: readonly RoundTripPart[],
    prepared: Prepared,
    parserOf: (oid: number) => Parser,
    resolve: (trip: RoundTripResult) => void,
    largeJsonLength: number = Number.POSITIVE_INFINITY,
  ) {
    this.#prepared = prepared
    this.#parserOf = parserOf
    this.#resolve = resolve
    this.#largeJsonLength = largeJsonLength
    this.#commands = parts.flatMap((part, at) => commandsOf(part, at))
  }

  /** `done` is called when the last response has arrived. */
  onDone(done: () => void): void {
    this.#onDone = done
  }

  /** Called by the driver when it is this batch's turn. An error that is returned is passed to `handleError`. */
  submit(connection: pg.Connection): Error | undefined {
    messages.clear()
    try {
      this.#writeMessages()
    } catch (error) {
      return new Error('a batch could not be written', { cause: error })
    }
    // One write instead of a dozen small ones, as the driver would do.
    const { stream } = connection as unknown as Wire
    stream.cork()
    for (const bytes of messages.take()) stream.write(bytes)
    stream.uncork()
    return undefined
  }

  #writeMessages(): void {
    const parsed = new Set<string>()
    for (const command of this.#commands) {
      const { name, text, values } = command
      const known = name === '' ? undefined : this.#prepared.get(name)
      if (known !== undefined && known.text !== text) throw new Error(`two statements are called ${name}`)
      command.isKnown = known?.columns !== undefined
      if (known === undefined && !parsed.has(name)) messages.parse(name, text)
      if (name !== '') parsed.add(name)
      messages.bind(name, values)
      if (!command.isKnown && !hasNoResult.test(text)) messages.describe()
      messages.execute()
    }
    messages.sync()
  }

  /** The statement is prepared from now on, even if its execution fails. */
  handleParseComplete(): void {
    const command = this.#commands[this.#at]
    if (command !== undefined && command.name !== '')
      this.#prepared.set(command.name, { text: command.text, columns: undefined })
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#parserOf(dataTypeID),
      isJson: jsonTypes.includes(dataTypeID),
    }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    const columns = this.#columns ?? this.#knownColumns()
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at]
      const text = fields[at]
      if (column === undefined) continue
      if (text === null || text === undefined) row[column.name] = null
      else if (column.isJson && text.length >= this.#largeJsonLength) row[column.name] = new LargeJson(text)
      else row[column.name] = column.parse(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const command = this.#commands[this.#at]
    if (command === undefined) return
    const known = this.#prepared.get(command.name)
    // A command without rows has no columns, and needs no further Describe either.
    if (known !== undefined && !command.isKnown) known.columns = this.#columns ?? []
    // The result of a part with several commands is that of the last command.
    this.#results[command.part] = { rows: this.#rows, completed: text }
    this.#columns = undefined
    this.#rows = []
    this.#at++
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    if (this.#at < this.#commands.length) this.handleError(new Error('a batch was answered only in part'))
    else this.#finish()
  }

  /** An error of a statement or of the connection. PostgreSQL skips the rest up to the Sync. */
  handleError(error: unknown): void {
    const [failed, ...skipped] = this.#commands.slice(this.#at)
    if (failed !== undefined && !this.#isDone) {
      this.#results[failed.part] = { error }
      for (const { part } of skipped) {
        if (part !== failed.part) this.#results[part] = { error: new NotTried('not tried', { cause: error }) }
      }
    }
    this.#finish()
  }

  #knownColumns(): readonly Column[] {
    const command = this.#commands[this.#at]
    return this.#prepared.get(command?.name ?? '')?.columns ?? []
  }

  #finish(): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#onDone()
    this.#resolve(new RoundTripResult(this.#results))
  }
}

/** The results of one batch. */
export class RoundTripResult {
  readonly #results: readonly PartResult[]

  constructor(results: readonly PartResult[]) {
    this.#results = results
  }

  /** The error that stopped the batch. */
  get error(): unknown {
    for (const part of this.#results) if ('error' in part) return part.error
    return undefined
  }

  rows<Row>(at: number): readonly Row[] {
    const part = this.#results.at(at)
    if (part === undefined) throw new Error('no such part in this batch')
    if ('error' in part) throw part.error
    return part.rows as Row[]
  }

  errorAt(at: number): unknown {
    const part = this.#results.at(at)
    return part !== undefined && 'error' in part ? part.error : undefined
  }

  failed(at: number): boolean {
    const part = this.#results.at(at)
    return part === undefined || 'error' in part
  }

  /** Without the results of the first parts. */
  without(first: number): RoundTripResult {
    return new RoundTripResult(this.#results.slice(first))
  }

  /** The name of the command that was completed, such as COMMIT. */
  command(at: number): string {
    const part = this.#results.at(at)
    return part !== undefined && 'completed' in part ? (part.completed.split(' ', 1)[0] ?? '') : ''
  }
}

/** A text may contain several commands. One without a literal is prepared with its text as name, the others are parsed each time. */
function commandsOf(part: RoundTripPart, at: number): Command[] {
  if (typeof part !== 'string') {
    return [{ part: at, name: part.name, text: part.text, values: part.values, isKnown: false }]
  }
  return part.split(';').map((piece) => {
    const text = piece.trim()
    return { part: at, name: text.includes("'") ? '' : text, text, values: [], isKnown: false }
  })
}
