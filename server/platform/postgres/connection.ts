// One connection to PostgreSQL. Statements are sent in batches, each of which takes one round trip.
// Nothing here retries: only the caller can decide whether a batch may be sent again.

import pg from 'pg'
import { bounds } from '../process/config.ts'
import { Busy } from '../process/faults.ts'
import { traceRoundTrip } from '../process/request-trace.ts'
import type { Plans } from './plans.ts'
import { type Prepared, RoundTrip, type RoundTripPart, type RoundTripResult } from './round-trip.ts'

/** The role that requests run as: neither the owner of the tables nor a superuser. */
export const serverRole = 'kontor_server'

const { builtins } = pg.types
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // Ids and counts stay far below 2^53; days and times remain texts.
  [builtins.INT8]: Number,
  [builtins.DATE]: (text) => text,
  [builtins.TIMESTAMPTZ]: (text) => text,
}
const parserOf = (oid: number): ((text: string) => unknown) => parsers[oid] ?? pg.types.getTypeParser(oid)
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : parserOf(oid),
}

// Generic plans: with the default, the lookup of a sale's lines is planned again in every call, 307 µs each time.
// Only Citus reads the last setting: it propagates `set local app.company_id` to the workers.
const session = (statementMs: number, plans: Plans): string =>
  [
    `role=${serverRole}`,
    `plan_cache_mode=${plans === 'generic' ? 'force_generic_plan' : 'auto'}`,
    // JIT compilation takes longer than any of these statements runs: 200 to 300 ms per list.
    'jit=off',
    // Lists are read from an index in the requested order. Without fresh statistics a generic plan uses a bitmap scan and sorts instead,
    // and a deep page took 4.5 times as long as the first.
    'enable_bitmapscan=off',
    // The data is in memory or on an SSD. With the default of 4, a company's rows in a small table are found with a sequential scan.
    'random_page_cost=1.1',
    `statement_timeout=${statementMs}`,
    `lock_timeout=${bounds.lockMs}`,
    `idle_in_transaction_session_timeout=${bounds.requestMs}`,
    // When the service disappears in the middle of a batch, PostgreSQL waits for the rest of it in a transaction that holds a
    // company's lock, and neither the statement nor the idle timeout runs. 5 + 2 × 2 seconds instead of two hours.
    'tcp_keepalives_idle=5',
    'tcp_keepalives_interval=2',
    'tcp_keepalives_count=2',
    // A query whose client is gone (killed, or its connection destroyed) ends within a second instead of running to its end. A COMMIT is
    // never ended this way.
    'client_connection_check_interval=1000',
    'timezone=UTC',
    'datestyle=ISO',
    'citus.propagate_set_commands=local',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ')

export type ConnectionOptions = { readonly url: string; readonly statementMs: number; readonly plans: Plans }

const clientConfig = ({ url, statementMs, plans }: ConnectionOptions): pg.ClientConfig => ({
  connectionString: url,
  options: session(statementMs, plans),
  application_name: 'kontor',
  connectionTimeoutMillis: bounds.connectMs,
  keepAlive: true,
  // The operating system's default is two hours; a dead connection should be detected before it is used.
  keepAliveInitialDelayMillis: 2_000,
  types,
})

export type RoundTripOptions = {
  readonly withinMs?: number
  /**
   * Whether the batch may be cancelled when its time has passed or its caller has gone. Never one that commits a write: with a
   * synchronous standby, a cancelled COMMIT is committed on the primary but perhaps not on the standby.
   */
  readonly mayCancel?: boolean
  /** Aborted when the caller has gone. */
  readonly signal?: AbortSignal | undefined
  /** JSON values of this length are not parsed: `LargeJson`. */
  readonly largeJsonLength?: number | undefined
}

export class Connection {
  replicationInDoubt = false
  /** Round trips so far. */
  roundTrips = 0
  readonly #config: pg.ClientConfig
  #client: pg.Client
  #usable = true
  #prepared: Prepared = new Map()
  #current: RoundTrip | undefined
  #isInDoubt = false
  #workUntilMs = Infinity

  constructor(options: ConnectionOptions) {
    this.#config = clientConfig(options)
    this.#client = this.#newClient()
  }

  get client(): pg.Client {
    return this.#client
  }

  /** Whether another batch can be sent. */
  get usable(): boolean {
    return this.#usable
  }

  #newClient(): pg.Client {
    const client = new pg.Client(this.#config)
    const lost = () => {
      if (client === this.#client) this.#usable = false
    }
    client.on('notice', (notice) => {
      // A commit whose wait for the standby was cancelled still reports success; only this notice shows it.
      if (/synchronous replication/i.test(notice.message ?? '')) this.replicationInDoubt = true
    })
    client.on('error', lost)
    client.on('end', lost)
    wireOf(client).on('parseComplete', () => this.#current?.handleParseComplete())
    return client
  }

  async connect(): Promise<void> {
    try {
      await this.#client.connect()
    } catch (error) {
      this.#usable = false
      throw new Busy('the database does not answer', { cause: error })
    }
  }

  /** Replaces an unusable session by a new one. */
  async reopen(): Promise<void> {
    this.destroy()
    this.#client = this.#newClient()
    this.#prepared = new Map()
    this.#isInDoubt = false
    this.#usable = true
    await this.connect()
  }

  /** Sends everything at once. The result contains the rows of each part in order, up to the first error. */
  async roundTrip(parts: readonly RoundTripPart[], options: RoundTripOptions = {}): Promise<RoundTripResult> {
    const { withinMs = bounds.requestMs, mayCancel = false, signal, largeJsonLength } = options
    this.roundTrips++
    // A half-open connection never answers: the deadline destroys it together with every pending statement.
    const startedMs = performance.now()
    const leftMs = Math.max(1, this.#workUntilMs - startedMs)
    const giveUp = mayCancel ? () => this.cancel() : () => this.destroy()
    const deadline = setTimeout(giveUp, Math.min(withinMs, leftMs))
    signal?.addEventListener('abort', giveUp)
    const leading = this.#isInDoubt && parts[0] !== 'rollback' ? ['rollback'] : []
    const trip = await new Promise<RoundTripResult>((resolve) => {
      this.#current = new RoundTrip([...leading, ...parts], this.#prepared, parserOf, resolve, largeJsonLength)
      this.#client.query(this.#current)
      if (signal?.aborted === true) giveUp()
    })
    clearTimeout(deadline)
    signal?.removeEventListener('abort', giveUp)
    this.#isInDoubt = trip.error !== undefined
    traceRoundTrip(parts, startedMs, this.#isInDoubt)
    return leading.length === 0 ? trip : trip.without(leading.length)
  }

  /** A failed batch leaves its transaction open in the failed state. */
  async leaveTransaction(): Promise<void> {
    if (this.#usable && this.#isInDoubt) await this.roundTrip(['rollback'])
  }

  /** Sets one deadline for all following round trips, so that a request that hangs in its last one is still answered in time. */
  beginWork(withinMs: number): void {
    this.#workUntilMs = performance.now() + withinMs
  }

  /** Moves the deadline, after time in which nothing was sent. */
  extendWork(ms: number): void {
    this.#workUntilMs += ms
  }

  /**
   * Cancels what PostgreSQL runs for this connection. The connection is unusable afterwards: the cancel request may
   * arrive late and must not hit the next statement.
   */
  cancel(): void {
    if (!this.#usable) return
    this.#usable = false
    const client = this.#client
    requestCancel(client, this.#config)
    // PostgreSQL does not respond: close the socket.
    const grace = setTimeout(() => wireOf(client).stream.destroy(), bounds.cancelMs)
    client.once('end', () => clearTimeout(grace))
    this.#current?.onDone(() => clearTimeout(grace))
  }

  /** Cancels the running statement and closes the connection at once, without waiting for a response. */
  abandon(): void {
    if (this.#usable) requestCancel(this.#client, this.#config)
    this.destroy()
  }

  destroy(): void {
    this.#usable = false
    wireOf(this.#client).stream.destroy()
  }

  /** Closes the session cleanly. */
  async end(): Promise<void> {
    await this.#client.end()
  }
}

type DriversWire = {
  readonly stream: { destroy(): void }
  on(event: string, listener: () => void): void
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}
type DriversClient = {
  readonly connection: DriversWire
  readonly processID: number | null
  readonly secretKey: number | null
  readonly host: string
  readonly port: number
  readonly ssl: unknown
}
const inside = (client: pg.Client): DriversClient => client as unknown as DriversClient
const wireOf = (client: pg.Client): DriversWire => inside(client).connection

/** PostgreSQL accepts a cancel request on a separate connection, encrypted like the first, and closes that connection once it is processed. */
function requestCancel(client: pg.Client, config: pg.ClientConfig): void {
  const { processID, secretKey } = inside(client)
  // There is no session yet, so nothing to cancel.
  if (processID === null || secretKey === null) return
  const { connection: wire, host, port, ssl } = inside(new pg.Client(config))
  const send = () => wire.cancel(processID, secretKey)
  const giveUp = setTimeout(() => wire.stream.destroy(), bounds.cancelMs)
  wire.on('connect', () => (ssl ? wire.requestSsl() : send()))
  wire.on('sslconnect', send)
  wire.on('error', () => wire.stream.destroy())
  wire.on('end', () => clearTimeout(giveUp))
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
  else wire.connect(port, host)
}
