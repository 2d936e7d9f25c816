// The line between a service and PostgreSQL, which knows the protocol's messages and fails at the message it is told to: a TCP proxy.
// Messages are counted from the flight in which a request names its company, in each direction by itself.

import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const directions = ['to the database', 'to the service'] as const
export type Direction = (typeof directions)[number]

export const kinds = ['closed', 'reset', 'silent', 'cut in a message', 'delayed'] as const
export type Kind = (typeof kinds)[number]

export type Fault = {
  readonly company: number
  readonly direction: Direction
  /** Messages that pass in that direction before it happens. */
  readonly after: number
  readonly kind: Kind
}

const delayMs = 200
/** Until a kernel whose peer has vanished gives a connection up, when nobody told it to look sooner. */
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
    if (address === null || typeof address === 'string') throw new Error('the line leads nowhere')
    const url = Object.assign(new URL(databaseUrl), { port: String(address.port) }).href
    return new FaultyLine(url, server, sockets, watched)
  }

  /** Counts the messages of the company's next request, and fails as told. */
  watch(company: number, fault?: Fault): Watched {
    const watched: Watched = { fault, passed: { 'to the database': 0, 'to the service': 0 }, struck: false }
    this.#watched.set(company, watched)
    return watched
  }

  unwatch(company: number): void {
    this.#watched.delete(company)
  }

  /** Ends every connection in order: the next request finds none, and makes one that knows nothing yet. */
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

/** One connection of the service, and the one to PostgreSQL that it stands for. */
class Conversation {
  readonly #ends: Readonly<Record<Direction, Socket>>
  readonly #watched: ReadonlyMap<number, Watched>
  #current: Watched | undefined
  #flight: Buffer[] = []
  #over = false
  #keepaliveMs = defaultKeepaliveMs
  readonly #held: Record<Direction, Promise<void> | undefined> = {
    'to the database': undefined,
    'to the service': undefined,
  }

  constructor(client: Socket, database: Socket, watched: ReadonlyMap<number, Watched>) {
    this.#ends = { 'to the database': database, 'to the service': client }
    this.#watched = watched
    const fromClient = messages(true, (message, startup) => this.#gather(message, startup))
    const fromDatabase = messages(false, (message) => this.#pass('to the service', message, false))
    client.on('data', fromClient)
    database.on('data', fromDatabase)
    client.once('close', () => this.#over || database.end())
    database.once('close', () => this.#over || client.end())
  }

  /** A flight is looked at as a whole before its first message passes: that one does not name the company yet. */
  #gather(message: Buffer, startup: boolean): void {
    this.#flight.push(message)
    // Parse, Bind, Describe and Execute come before a Sync; everything else stands alone.
    if (!startup && 'PBDE'.includes(String.fromCharCode(message[0] ?? 0))) return
    const flight = this.#flight
    this.#flight = []
    if (!startup) this.#look(flight)
    for (const one of flight) this.#pass('to the database', one, startup)
  }

  #pass(direction: Direction, message: Buffer, startup: boolean): void {
    if (this.#over) return
    // What comes behind a delayed message waits with it.
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
    // After the last message that passes, not before the next: there may be none.
    if (at + 1 === here.after && here.kind !== 'delayed' && here.kind !== 'cut in a message')
      this.#strike(watched, undefined)
  }

  /** A transaction that names a company is that company's to its end; one that begins without is nobody's. */
  #look(flight: readonly Buffer[]): void {
    const text = Buffer.concat(flight).toString('latin1')
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
      // Nothing arrives anywhere any more. PostgreSQL's kernel finds out when its probes stay unanswered.
      const timer = setTimeout(() => database.resetAndDestroy(), this.#keepaliveMs)
      timer.unref()
      database.once('close', () => clearTimeout(timer))
    } else {
      database.end()
      service.end()
    }
  }
}

/** How soon PostgreSQL was asked to notice that nobody is there: idle + interval × count, from the startup message's options. */
function keepaliveOf(startup: Buffer): number {
  const text = startup.toString('latin1')
  const [idle, interval, count] = ['idle', 'interval', 'count'].map((name) =>
    Number(new RegExp(`tcp_keepalives_${name}=(\\d+)`).exec(text)?.[1]),
  )
  const seconds = (idle ?? Number.NaN) + (interval ?? Number.NaN) * (count ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : defaultKeepaliveMs
}

/** Cuts a stream of bytes into the protocol's messages, whole and with their heads. A client's first message carries no type. */
function messages(startup: boolean, each: (message: Buffer, startup: boolean) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let untyped = startup
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    for (;;) {
      const head = untyped ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      const first = untyped
      untyped = false
      each(message, first)
    }
  }
}
