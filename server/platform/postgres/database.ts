// Connection pools, shared fairly between companies (shares.ts): of those that wait, the one that has used the least time is served first.
// Long because who waits and who is served are decided together.

import type { Statement } from '../../kernel/statement.ts'
import { inBackground } from '../process/background.ts'
import { bounds } from '../process/config.ts'
import { Busy, CallerGone } from '../process/faults.ts'
import { Connection } from './connection.ts'
import { allCosts, type Cost, Costs } from './costs.ts'
import { Readers } from './list-readers.ts'
import { plansFor } from './plans.ts'
import { FairQueue, type OnWaited } from './queue.ts'
import type { RoundTripResult } from './round-trip.ts'
import { followUp, noCompany, Shares } from './shares.ts'

/** So many are served in time with certainty. */
const waitersPerConnection = 8

/** Of so many requests that waited, one is served because it is its company's turn. */
const servedInTurn = 4

type Waiter = {
  readonly companyId: number
  readonly cost: Cost
  readonly serve: (connection: Promise<Connection>) => void
  readonly fail: (error: unknown) => void
}

/** What a connection is used for. */
export type Use = {
  /** The method, by which the time of the connection is remembered. */
  readonly method?: string
  /** Aborted when the caller has gone; then nothing waits any more. */
  readonly signal?: AbortSignal | undefined
}

export type PoolOptions = {
  readonly size: number
  readonly statementMs: number
  /** How long to wait for a connection. */
  readonly waitMs: number
  /** Connections that one company may have at a time, so that its slow requests leave some to the others. */
  readonly maxOfCompany: number
  /** Waiters of one company. */
  readonly maxWaiting: number
  readonly onWaited: OnWaited
}

export class Pool {
  readonly #url: string
  readonly #options: PoolOptions
  readonly #idle: Connection[] = []
  readonly #waiters = {
    short: new FairQueue<Waiter>(),
    unknown: new FairQueue<Waiter>(),
    long: new FairQueue<Waiter>(),
  }
  readonly #shares: Shares
  readonly #costs = new Costs()
  #open = 0
  #served = 0
  #ended = false

  constructor(url: string, options: PoolOptions) {
    this.#url = url
    this.#options = options
    this.#shares = new Shares(options.size, options.maxOfCompany)
  }

  get open(): number {
    return this.#open
  }

  /** Requests that wait. What follows from requests does not count: no request need be refused because of it. */
  get waiting(): number {
    const { short, unknown, long } = this.#waiters
    return short.length - short.lengthOf(followUp) + unknown.length + long.length
  }

  /** How many requests wait that would be served if any connection became free. */
  get servable(): number {
    const lengths = allCosts.map((cost) =>
      this.#waiters[cost].lengthWhere((companyId) => this.#shares.mayHave(companyId, cost)),
    )
    return lengths.reduce((sum, length) => sum + length, 0)
  }

  /** With so many waiting the pool is overloaded: a further request would time out, and slow down the others. */
  get overloadedAt(): number {
    return this.#options.size * waitersPerConnection
  }

  /** Runs `work` on a connection of its own; waits for one at most `waitMs`. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.useFor(noCompany, work)
  }

  /**
   * The same for what follows from requests that were answered, ahead of all that wait, on at most a quarter of the connections. While it waited like a
   * request, a process under overload accepted changes faster than it sent their webhooks.
   */
  async useForFollowUp<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return await this.useFor(followUp, work)
  }

  /** One round trip of what follows from requests. Throws the error of a statement. */
  async followUp(parts: readonly (string | Statement)[]): Promise<RoundTripResult> {
    const trip = await this.useForFollowUp((connection) => connection.roundTrip(parts))
    if (trip.error !== undefined) throw trip.error
    return trip
  }

  /** The same, for a company that shares the connections with others. */
  async useFor<T>(
    companyId: number,
    work: (connection: Connection) => Promise<T>,
    { method, signal }: Use = {},
  ): Promise<T> {
    const cost = method === undefined ? 'short' : this.#costs.of(companyId, method)
    const connection = await this.#take(companyId, cost, signal)
    const startedMs = performance.now()
    // The statement's own timeout expires first.
    connection.beginWork(this.#options.statementMs + bounds.workMarginMs)
    try {
      return await work(connection)
    } finally {
      await connection.leaveTransaction()
      if (method !== undefined) this.#costs.note(companyId, method, performance.now() - startedMs)
      this.#giveBack(companyId, cost, connection)
    }
  }

  async #take(companyId: number, cost: Cost, signal: AbortSignal | undefined): Promise<Connection> {
    if (this.#ended) throw new Busy('the pool is closed')
    if (signal?.aborted === true) throw new CallerGone()
    if (this.#hasFree && this.#shares.mayHave(companyId, cost)) return await this.#obtain(companyId, cost)
    const waiters = this.#waiters[cost]
    const mayWaitLong = cost !== 'short' || companyId === followUp
    const waitMs = mayWaitLong ? Math.max(bounds.longWaitMs, this.#options.waitMs) : this.#options.waitMs
    if (waiters.lengthOf(companyId) >= this.#options.maxWaiting)
      throw new Busy('too many requests of the company wait for a database connection')
    const sinceMs = performance.now()
    return await new Promise((resolve, reject) => {
      const leave = (error: Error) => {
        waiters.remove(companyId, waiter)
        stopWaiting()
        reject(error)
      }
      const stopWaiting = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', gone)
        this.#options.onWaited(performance.now() - sinceMs)
      }
      const gone = () => leave(new CallerGone())
      const waiter: Waiter = {
        companyId,
        cost,
        serve: (connection) => {
          stopWaiting()
          connection.then(resolve, reject)
        },
        fail: (error) => {
          stopWaiting()
          reject(error)
        },
      }
      const timer = setTimeout(() => leave(new Busy('no database connection was free in time')), waitMs)
      signal?.addEventListener('abort', gone)
      waiters.push(companyId, waiter)
    })
  }

  get #hasFree(): boolean {
    return this.#idle.length > 0 || this.#open < this.#options.size
  }

  /** An idle connection that is still usable, otherwise a new one. The slot is reserved before the first await. */
  async #obtain(companyId: number, cost: Cost): Promise<Connection> {
    this.#shares.take(companyId, cost)
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.usable) return connection
      this.#open--
    }
    this.#open++
    let connection: Connection | undefined
    try {
      connection = new Connection({ url: this.#url, plans: await plansFor(this.#url), ...this.#options })
      await connection.connect()
      return connection
    } catch (error) {
      this.#giveBack(companyId, cost, connection)
      throw error instanceof Busy ? error : new Busy('the database does not answer', { cause: error })
    }
  }

  #giveBack(companyId: number, cost: Cost, connection: Connection | undefined): void {
    this.#shares.giveBack(companyId, cost)
    if (connection?.usable === true && !this.#ended) this.#idle.push(connection)
    else {
      this.#open--
      if (connection?.usable === true) inBackground('connections', () => connection.end())
      else connection?.destroy()
    }
    this.#serveWaiters()
  }

  /** Serves those companies first that have used the least, unless they have their share already. */
  #serveWaiters(): void {
    while (!this.#ended && this.#hasFree) {
      const cost = this.#nextCost()
      const next = cost === undefined ? undefined : this.#waiters[cost].shift(...this.#order(cost))
      if (next === undefined) return
      this.#served++
      next.serve(this.#obtain(next.companyId, next.cost))
    }
  }

  /** Requests that take long come first, because they have few connections. */
  #nextCost(): Cost | undefined {
    let next: { readonly cost: Cost; readonly rank: number } | undefined
    for (const cost of allCosts) {
      const rank = this.#waiters[cost].lowestRank(...this.#order(cost))
      if (rank === undefined) continue
      if (cost === 'long') return cost
      if (next === undefined || rank < next.rank) next = { cost, rank }
    }
    return next?.cost
  }

  /** The company that has used the least comes first. Now and then it is the one whose turn it is, so that one that has used much is served as well. */
  #order(cost: Cost): [mayBeServed: (companyId: number) => boolean, rankOf: (companyId: number) => number] {
    const inTurn = this.#served % servedInTurn === servedInTurn - 1
    const rankOf = (companyId: number) => (inTurn ? 0 : this.#shares.usedMs(companyId))
    return [
      (companyId) => this.#shares.mayHave(companyId, cost),
      (companyId) => (companyId === followUp ? -1 : rankOf(companyId)),
    ]
  }

  async end(): Promise<void> {
    this.#ended = true
    for (const waiters of Object.values(this.#waiters))
      for (let next = waiters.shift(); next !== undefined; next = waiters.shift())
        next.fail(new Busy('the pool is closed'))
    const idle = this.#idle.splice(0)
    this.#open -= idle.length
    await Promise.allSettled(idle.map((connection) => connection.end()))
  }
}

export type Database = {
  readonly pool: Pool
  /** Connections for COPY, which cannot share one with pipelined statements. */
  readonly streams: Pool
  readonly readers: Readers
}

export function openDatabase(
  url: string,
  sizes: { connections: number; streams: number; waitMs?: number },
  onWaited: (queue: 'database' | 'lists', waitedMs: number) => void = () => {},
): Database {
  const streams = new Pool(url, {
    size: sizes.streams,
    statementMs: bounds.streamMs,
    waitMs: bounds.streamWaitMs,
    maxOfCompany: 1,
    maxWaiting: maxWaitingLists,
    onWaited: (waitedMs) => onWaited('lists', waitedMs),
  })
  return {
    pool: new Pool(url, {
      size: sizes.connections,
      statementMs: bounds.statementMs,
      waitMs: sizes.waitMs ?? bounds.poolWaitMs,
      maxOfCompany: Math.max(1, Math.floor(sizes.connections / 2)),
      maxWaiting: Infinity,
      onWaited: (waitedMs) => onWaited('database', waitedMs),
    }),
    streams,
    readers: new Readers(() => streams.servable),
  }
}

/** Streamed lists of one company that may wait while it reads another one. */
const maxWaitingLists = 32

export async function closeDatabase(database: Database): Promise<void> {
  await Promise.all([database.pool.end(), database.streams.end()])
}
