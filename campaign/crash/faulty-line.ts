// A TCP proxy between a service and PostgreSQL that parses the protocol's messages and fails at the specified one.
// Messages are counted separately in each direction, from the round trip in which a request sets its company.

import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMessages } from '../../server/test/harness/postgres-messages.ts'

export const directions = ['to the database', 'to the service'] as const
export type Direction = (typeof directions)[number]

export const kinds = ['closed', 'reset', 'silent', 'cut in a message', 'delayed'] as const
export type Kind = (typeof kinds)[number]

export type Fault = {
  readonly company: number
  readonly direction: Direction
  /** Messages that pass in that direction before the fault. */
  readonly after: number
  readonly kind: Kind
}

const delayMs = 200
/** How long a kernel keeps a connection whose peer has vanished, when no keepalive is configured. */
const defaultKeepaliveMs = 7_200_000

type Watched = { readonly fault: Fault | undefined; passed: Record<Direction, number>; struck: boolean }

export class FaultyLine {
  readonly url: string
  readonly #server: Server
  readonly #sockets: Set<Socket>
  readonly #watched: Map<number, Watched>

  private constructor(url: string, server: Server, sockets: Set<Socket>, watched: Map<number, Watched>) {
    this.url = url
    this.#server = server
    this.#sockets = sockets
    this.#watched = watched
  }

  static async open(databaseUrl: string): Promise<FaultyLine> {
    const target = new URL(databaseUrl)
    const [sockets, watched] = [new Set<Socket>(), new Map<number, Watched>()]
    const server = createServer({ noDelay: true }, (client) => {
      const database = dial({ host: target.hostname, port: Number(target.port), noDelay: true })
      for (const socket of [client, database]) {
        sockets.add(socket)
        socket.on('error', () => socket.destroy())
        socket.once('close', () => sockets.delete(socket))
      }
      new Conversation(client, database, watched)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy is not listening')
    const url = Object.assign(new URL(databaseUrl), { port: String(address.port) }).href
    return new FaultyLine(url, server, sockets, watched)
  }

  /** Counts the messages of the company's next request, and fails as specified. */
  watch(company: number, fault?: Fault): Watched {
    const watched: Watched = { fault, passed: { 'to the database': 0, 'to the service': 0 }, struck: false }
    this.#watched.set(company, watched)
    return watched
  }

  unwatch(company: number): void {
    this.#watched.delete(company)
  }

  /** Closes every connection cleanly: the next request has to open a new one. */
  async drop(): Promise<void> {
    for (const socket of this.#sockets) socket.end()
    for (let waited = 0; this.#sockets.size > 0 && waited < 100; waited++) await sleep(2)
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** One connection of the service, and the corresponding one to PostgreSQL. */
class Conversation {
  readonly #ends: Readonly<Record<Direction, Socket>>
  readonly #watched: ReadonlyMap<number, Watched>
  #current: Watched | undefined
  #roundTrip: Buffer[] = []
  #over = false
  #keepaliveMs = defaultKeepaliveMs
  readonly #held: Record<Direction, Promise<void> | undefined> = {
    'to the database': undefined,
    'to the service': undefined,
  }

  constructor(client: Socket, database: Socket, watched: ReadonlyMap<number, Watched>) {
    this.#ends = { 'to the database': database, 'to the service': client }
    this.#watched = watched
    const fromClient = readMessages('client', ({ type, bytes }) => this.#gather(bytes, type === ''))
    const fromDatabase = readMessages('server', ({ bytes }) => this.#pass('to the service', bytes, false))
    client.on('data', fromClient)
    database.on('data', fromDatabase)
    client.once('close', () => this.#over || database.end())
    database.once('close', () => this.#over || client.end())
  }

  /** A round trip is parsed as a whole before its first message passes: that message does not set the company yet. */
  #gather(message: Buffer, startup: boolean): void {
    this.#roundTrip.push(message)
    // Parse, Bind, Describe and Execute precede a Sync; every other message is separate.
    if (!startup && 'PBDE'.includes(String.fromCharCode(message[0] ?? 0))) return
    const roundTrip = this.#roundTrip
    this.#roundTrip = []
    if (!startup) this.#look(roundTrip)
    for (const one of roundTrip) this.#pass('to the database', one, startup)
  }

  #pass(direction: Direction, message: Buffer, startup: boolean): void {
    if (this.#over) return
    // Messages behind a delayed one wait with it.
    const held = this.#held[direction]
    if (held !== undefined) void held.then(() => this.#passNow(direction, message, startup))
    else this.#passNow(direction, message, startup)
  }

  #passNow(direction: Direction, message: Buffer, startup: boolean): void {
    if (this.#over) return
    if (startup) this.#keepaliveMs = keepaliveOf(message)
    const watched = this.#current
    const fault = watched?.fault
    const here = fault?.direction === direction && watched?.struck === false ? fault : undefined
    if (watched === undefined || here === undefined || fault === undefined) {
      this.#ends[direction].write(message)
      if (watched !== undefined) watched.passed[direction]++
      return
    }
    const at = watched.passed[direction]
    if (at === here.after && here.kind === 'delayed') {
      watched.struck = true
      this.#held[direction] = sleep(delayMs).then(() => {
        this.#held[direction] = undefined
        this.#ends[direction].write(message)
        watched.passed[direction]++
      })
      return
    }
    if (at === here.after) {
      this.#strike(watched, message)
      return
    }
    this.#ends[direction].write(message)
    watched.passed[direction]++
    // After the last message that passes, not before the next one: there may be none.
    if (at + 1 === here.after && here.kind !== 'delayed' && here.kind !== 'cut in a message')
      this.#strike(watched, undefined)
  }

  /** A transaction that sets a company belongs to that company until its end; one that starts without belongs to none. */
  #look(roundTrip: readonly Buffer[]): void {
    const text = Buffer.concat(roundTrip).toString('latin1')
    const named = /app\.company_id = '(\d+)'/.exec(text)
    if (named !== null) this.#current = this.#watched.get(Number(named[1]))
    else if (text.includes('\0begin\0')) this.#current = undefined
  }

  #strike(watched: Watched, message: Buffer | undefined): void {
    const { fault } = watched
    if (fault === undefined) return
    watched.struck = true
    this.#over = true
    const { 'to the database': database, 'to the service': service } = this.#ends
    if (fault.kind === 'cut in a message' && message !== undefined)
      this.#ends[fault.direction].write(message.subarray(0, Math.ceil(message.length / 2)))
    if (fault.kind === 'reset') {
      database.resetAndDestroy()
      service.resetAndDestroy()
    } else if (fault.kind === 'silent') {
      // Nothing is delivered any more. PostgreSQL's kernel detects it when its keepalive probes get no response.
      const timer = setTimeout(() => database.resetAndDestroy(), this.#keepaliveMs)
      timer.unref()
      database.once('close', () => clearTimeout(timer))
    } else {
      database.end()
      service.end()
    }
  }
}

/** How soon PostgreSQL was configured to detect a lost client: idle + interval × count, from the startup message's options. */
function keepaliveOf(startup: Buffer): number {
  const text = startup.toString('latin1')
  const [idle, interval, count] = ['idle', 'interval', 'count'].map((name) =>
    Number(new RegExp(`tcp_keepalives_${name}=(\\d+)`).exec(text)?.[1]),
  )
  const seconds = (idle ?? Number.NaN) + (interval ?? Number.NaN) * (count ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : defaultKeepaliveMs
}
