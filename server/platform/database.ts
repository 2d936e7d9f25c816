// Long because the pool, its connections and their flights know each other.
// Connections to PostgreSQL and flights over them. A flight is a batch of statements sent at once and answered at once: one round trip.
// Nothing here retries: whoever sends a flight knows whether it may be sent again.

import pg from 'pg'
import type { Statement } from '../kernel/statement.ts'
import { bounds } from './config.ts'
import { Busy } from './faults.ts'

/** The role that requests run as: neither the owner of the tables nor a superuser. */
export const serverRole = 'kontor_server'

const { builtins } = pg.types
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // Ids and counts stay far below 2^53; days and times are texts, as on the wire.
  [builtins.INT8]: Number,
  [builtins.DATE]: (text) => text,
  [builtins.TIMESTAMPTZ]: (text) => text,
}
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : (parsers[oid] ?? pg.types.getTypeParser(oid)),
}

/** A cluster plans a statement only with its values at hand. */
export type Plans = 'generic' | 'auto'

// Generic plans: with the default, the look-up of a sale's lines is planned anew at every call, 307 µs each time.
// The last one is heard only by Citus: it carries `set local app.company_id` to the workers.
const session = (statementMs: number, plans: Plans): string =>
  [
    `role=${serverRole}`,
    `plan_cache_mode=${plans === 'generic' ? 'force_generic_plan' : 'auto'}`,
    // Compiling a statement takes longer than any of ours runs: 200 to 300 ms a list.
    'jit=off',
    // Our statements walk an index in the order they want; without fresh statistics a generic plan gathers a bitmap and sorts instead,
    // and a deep page took 4.5 times as long as the first.
    'enable_bitmapscan=off',
    `statement_timeout=${statementMs}`,
    `lock_timeout=${bounds.lockMs}`,
    `idle_in_transaction_session_timeout=${bounds.requestMs}`,
    'timezone=UTC',
    'datestyle=ISO',
    'citus.propagate_set_commands=local',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ')

export class Connection {
  readonly client: pg.Client
  usable = true
  replicationInDoubt = false
  /** Flights sent so far. */
  flights = 0

  constructor(client: pg.Client) {
    this.client = client
    const lost = () => {
      this.usable = false
    }
    client.on('notice', (notice) => {
      // A commit whose wait for the standby was cancelled answers COMMIT all the same; only this notice tells.
      if (/synchronous replication/i.test(notice.message ?? '')) this.replicationInDoubt = true
    })
    client.on('error', lost)
    client.on('end', lost)
  }

  /** Sends everything at once; the answers come in order, each its own rows or its own error. */
  async flight(parts: readonly (string | Statement)[], withinMs: number = bounds.requestMs): Promise<Flown> {
    this.flights++
    const stream = socketOf(this.client)
    // A half-open connection answers nothing, ever: the deadline destroys it, and every statement in flight with it.
    const deadline = setTimeout(() => this.destroy(), withinMs)
    stream.cork()
    const sent = parts.map((part) =>
      this.client.query(
        typeof part === 'string' ? { text: part } : { name: part.name, text: part.text, values: [...part.values] },
      ),
    )
    stream.uncork()
    const settled = await Promise.allSettled(sent)
    clearTimeout(deadline)
    return new Flown(settled)
  }

  destroy(): void {
    this.usable = false
    socketOf(this.client).destroy()
  }
}

const socketOf = (client: pg.Client): { cork(): void; uncork(): void; destroy(): void } =>
  (client as unknown as { connection: { stream: { cork(): void; uncork(): void; destroy(): void } } }).connection.stream

/** What came back from a flight. */
export class Flown {
  readonly #settled: readonly PromiseSettledResult<pg.QueryResult>[]

  constructor(settled: readonly PromiseSettledResult<pg.QueryResult>[]) {
    this.#settled = settled
  }

  /** The first error in the order sent; what follows it inside a transaction fails only because of it. */
  get error(): unknown {
    return this.#settled.find((result) => result.status === 'rejected')?.reason
  }

  rows<Row>(at: number): readonly Row[] {
    const result = this.#settled.at(at)
    if (result === undefined) throw new Error('no such part in this flight')
    if (result.status === 'rejected') throw result.reason
    return result.value.rows as Row[]
  }

  errorAt(at: number): unknown {
    const result = this.#settled.at(at)
    return result?.status === 'rejected' ? result.reason : undefined
  }

  failed(at: number): boolean {
    return this.#settled.at(at)?.status !== 'fulfilled'
  }

  command(at: number): string {
    const result = this.#settled.at(at)
    return result?.status === 'fulfilled' ? result.value.command : ''
  }
}

type Waiter = { readonly take: (connection: Connection) => void; readonly fail: (error: unknown) => void }

export class Pool {
  readonly #url: string
  readonly #size: number
  readonly #pipeline: boolean
  readonly #statementMs: number
  readonly #plans: Plans
  readonly #idle: Connection[] = []
  readonly #waiters: Waiter[] = []
  #open = 0
  #ended = false

  constructor(url: string, options: { size: number; pipeline: boolean; statementMs: number; plans: Plans }) {
    this.#url = url
    this.#size = options.size
    this.#pipeline = options.pipeline
    this.#statementMs = options.statementMs
    this.#plans = options.plans
  }

  get open(): number {
    return this.#open
  }

  get waiting(): number {
    return this.#waiters.length
  }

  /** Runs `work` on a connection of its own; waits for one at most `poolWaitMs`. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#take()
    try {
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  async #take(): Promise<Connection> {
    if (this.#ended) throw new Busy('the pool is closed')
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.usable) return connection
      this.#open--
    }
    if (this.#open < this.#size) return await this.#connect()
    return await new Promise((resolve, reject) => {
      const waiter: Waiter = {
        take: (connection) => {
          clearTimeout(timer)
          resolve(connection)
        },
        fail: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1)
        reject(new Busy('no database connection was free in time'))
      }, bounds.poolWaitMs)
      this.#waiters.push(waiter)
    })
  }

  async #connect(): Promise<Connection> {
    this.#open++
    const client = new pg.Client({
      connectionString: this.#url,
      options: session(this.#statementMs, this.#plans),
      application_name: 'kontor',
      connectionTimeoutMillis: bounds.connectMs,
      keepAlive: true,
      types,
      ...(this.#pipeline ? { pipeline: true } : {}),
    } as pg.ClientConfig)
    const connection = new Connection(client)
    try {
      await client.connect()
      return connection
    } catch (error) {
      this.#open--
      connection.usable = false
      throw new Busy('the database does not answer', { cause: error })
    }
  }

  #giveBack(connection: Connection): void {
    if (this.#ended || !connection.usable) {
      this.#open--
      if (connection.usable) void connection.client.end()
      // Somebody may be waiting for the place that just became free.
      const waiter = this.#ended ? undefined : this.#waiters.shift()
      if (waiter !== undefined) this.#connect().then(waiter.take, waiter.fail)
      return
    }
    const waiter = this.#waiters.shift()
    if (waiter === undefined) this.#idle.push(connection)
    else waiter.take(connection)
  }

  async end(): Promise<void> {
    this.#ended = true
    for (const waiter of this.#waiters.splice(0)) waiter.fail(new Busy('the pool is closed'))
    const idle = this.#idle.splice(0)
    this.#open -= idle.length
    await Promise.allSettled(idle.map((connection) => connection.client.end()))
  }
}

export type Database = {
  readonly pool: Pool
  /** Connections for COPY, which cannot share one with pipelined statements. */
  readonly streams: Pool
}

export function openDatabase(
  url: string,
  sizes: { connections: number; streams: number },
  plans: Plans = 'generic',
): Database {
  return {
    pool: new Pool(url, { size: sizes.connections, pipeline: true, statementMs: bounds.statementMs, plans }),
    streams: new Pool(url, { size: sizes.streams, pipeline: false, statementMs: bounds.streamMs, plans }),
  }
}

export async function closeDatabase(database: Database): Promise<void> {
  await Promise.all([database.pool.end(), database.streams.end()])
}
