// Long because the pool, its connections and their flights know each other.
// Connections to PostgreSQL and flights over them. A flight is a batch of statements sent at once and answered at once: one round trip.
// Nothing here retries: whoever sends a flight knows whether it may be sent again.

import pg from 'pg'
import { bounds } from './config.ts'
import { Busy } from './faults.ts'
import { Flight, type Flown, type Part, type Prepared } from './flight.ts'
import { FairQueue } from './queue.ts'

/** The role that requests run as: neither the owner of the tables nor a superuser. */
export const serverRole = 'kontor_server'

const { builtins } = pg.types
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // Ids and counts stay far below 2^53; days and times are texts, as on the wire.
  [builtins.INT8]: Number,
  [builtins.DATE]: (text) => text,
  [builtins.TIMESTAMPTZ]: (text) => text,
}
const parserOf = (oid: number): ((text: string) => unknown) => parsers[oid] ?? pg.types.getTypeParser(oid)
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : parserOf(oid),
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
    // What is asked for lies in memory or on a disk without arms. With the default of 4 a company's rows in a small table are found by reading the
    // table to its end.
    'random_page_cost=1.1',
    `statement_timeout=${statementMs}`,
    `lock_timeout=${bounds.lockMs}`,
    `idle_in_transaction_session_timeout=${bounds.requestMs}`,
    // A service that vanishes in the middle of a flight leaves PostgreSQL waiting for the rest of it, in a transaction and with a
    // company's lock, and no timeout of a statement or of idleness runs meanwhile. 5 + 2 × 2 seconds instead of two hours.
    'tcp_keepalives_idle=5',
    'tcp_keepalives_interval=2',
    'tcp_keepalives_count=2',
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
  readonly #prepared: Prepared = new Map()
  #flying: Flight | undefined
  #isInDoubt = false
  #workUntilMs = Infinity

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
    wireOf(client).on('parseComplete', () => this.#flying?.handleParseComplete())
  }

  /** Sends everything at once; the answers come in order, each its own rows, up to the first error. */
  async flight(parts: readonly Part[], withinMs: number = bounds.requestMs): Promise<Flown> {
    this.flights++
    // A half-open connection answers nothing, ever: the deadline destroys it, and every statement in flight with it.
    const leftMs = Math.max(1, this.#workUntilMs - performance.now())
    const deadline = setTimeout(() => this.destroy(), Math.min(withinMs, leftMs))
    const leading = this.#isInDoubt && parts[0] !== 'rollback' ? ['rollback'] : []
    const flown = await new Promise<Flown>((land) => {
      this.#flying = new Flight([...leading, ...parts], this.#prepared, parserOf, land)
      this.client.query(this.#flying)
    })
    clearTimeout(deadline)
    this.#isInDoubt = flown.error !== undefined
    return leading.length === 0 ? flown : flown.without(leading.length)
  }

  /** A flight that failed has left its transaction open, and failed too. */
  async leaveTransaction(): Promise<void> {
    if (this.usable && this.#isInDoubt) await this.flight(['rollback'])
  }

  /** All flights from now on share this time: a request that is left hanging in its last one must be answered in time, too. */
  beginWork(withinMs: number): void {
    this.#workUntilMs = performance.now() + withinMs
  }

  destroy(): void {
    this.usable = false
    wireOf(this.client).stream.destroy()
  }
}

type DriversWire = { readonly stream: { destroy(): void }; on(event: string, listener: () => void): void }
const wireOf = (client: pg.Client): DriversWire => (client as unknown as { connection: DriversWire }).connection

/** What belongs to no company waits as if it were one. */
const nobody = 0
/** As many as are surely served in time. */
const waitersPerConnection = 8

type Waiter = { readonly take: (connection: Connection) => void; readonly fail: (error: unknown) => void }

export class Pool {
  readonly #url: string
  readonly #size: number
  readonly #statementMs: number
  readonly #plans: Plans
  readonly #idle: Connection[] = []
  readonly #waiters = new FairQueue<Waiter>()
  #open = 0
  #ended = false

  constructor(url: string, options: { size: number; statementMs: number; plans: Plans }) {
    this.#url = url
    this.#size = options.size
    this.#statementMs = options.statementMs
    this.#plans = options.plans
  }

  get open(): number {
    return this.#open
  }

  get waiting(): number {
    return this.#waiters.length
  }

  /** How many may wait before it is a crowd: whoever comes then would wait in vain, and take time from those that do not. */
  get crowd(): number {
    return this.#size * waitersPerConnection
  }

  /** Runs `work` on a connection of its own; waits for one at most `poolWaitMs`. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.useFor(nobody, work)
  }

  /** The same, in turn with other companies. */
  async useFor<T>(companyId: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#take(companyId)
    // A statement's own bound runs out before.
    connection.beginWork(this.#statementMs + bounds.workMarginMs)
    try {
      return await work(connection)
    } finally {
      await connection.leaveTransaction()
      this.#giveBack(connection)
    }
  }

  async #take(companyId: number): Promise<Connection> {
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
        this.#waiters.remove(companyId, waiter)
        reject(new Busy('no database connection was free in time'))
      }, bounds.poolWaitMs)
      this.#waiters.push(companyId, waiter)
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
      // The system probes an idle connection after two hours; one that died quietly is better found out before it is used.
      keepAliveInitialDelayMillis: 2_000,
      types,
    })
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
    for (let waiter = this.#waiters.shift(); waiter !== undefined; waiter = this.#waiters.shift())
      waiter.fail(new Busy('the pool is closed'))
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
    pool: new Pool(url, { size: sizes.connections, statementMs: bounds.statementMs, plans }),
    streams: new Pool(url, { size: sizes.streams, statementMs: bounds.streamMs, plans }),
  }
}

export async function closeDatabase(database: Database): Promise<void> {
  await Promise.all([database.pool.end(), database.streams.end()])
}
