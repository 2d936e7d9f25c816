// A proxy between a server process and PostgreSQL that reads along and changes nothing but the time. It tells which backends the
// process talks to, and how many flights each request takes.
//
// A flight is what a client sends without having heard an answer in between. To tell a second flight from the tail of the first,
// answers are held back for a few milliseconds: what the client sends meanwhile cannot depend on them.

import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Flight = {
  /** Which connection, in the order they were opened. */
  readonly connection: number
  /** What was asked: the names of prepared statements, and the texts of statements without a name. */
  readonly asked: string[]
  /** The state of the session after the last answer: I idle, T in a transaction, E in a failed one. */
  state: string
}

export type WireTap = {
  /** The database's address through the tap. */
  readonly url: string
  /** Process ids of the backends that answered so far. */
  readonly backends: ReadonlySet<number>
  /** Flights since the last call of this, once nothing has been under way for a while. */
  flights(): Promise<readonly Flight[]>
  close(): Promise<void>
}

export async function tapWire(databaseUrl: string, options: { holdMs: number }): Promise<WireTap> {
  const target = new URL(databaseUrl)
  const backends = new Set<number>()
  const sockets = new Set<Socket>()
  let flights: Flight[] = []
  let connections = 0
  let lastHeardMs = performance.now()

  const server = createServer({ noDelay: true }, (client) => {
    const connection = connections++
    const database = dial({ host: target.hostname, port: Number(target.port || 5432), noDelay: true })
    let current: Flight | undefined
    /** Something has been answered since the client last sent: what it sends now may depend on it. */
    let answered = true
    let started = false
    let held: Buffer[] = []
    let release: NodeJS.Timeout | undefined

    const fromClient = frames({ startup: true }, (type, body) => {
      if (started && answered && type !== 'X') {
        current = { connection, asked: [], state: '' }
        flights.push(current)
        answered = false
      }
      if (type === 'Q') current?.asked.push(textAt(body, 0))
      // A parse without a name is told by its text, everything else when it is bound.
      if (type === 'P' && textAt(body, 0) === '') current?.asked.push(textAt(body, 1))
      if (type === 'B') {
        const name = textAt(body, body.indexOf(0) + 1)
        if (name !== '') current?.asked.push(name)
      }
    })
    const fromDatabase = frames({ startup: false }, (type, body) => {
      if (type === 'K') backends.add(body.readInt32BE(0))
      if (type !== 'Z') return
      started = true
      if (current !== undefined) current.state = String.fromCharCode(body[0] ?? 0)
    })
    const deliver = () => {
      release = undefined
      const answer = Buffer.concat(held)
      held = []
      answered = true
      client.write(answer)
    }

    client.on('data', (bytes) => {
      lastHeardMs = performance.now()
      fromClient(bytes)
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      lastHeardMs = performance.now()
      fromDatabase(bytes)
      held.push(bytes)
      if (options.holdMs === 0) deliver()
      else release ??= setTimeout(deliver, options.holdMs)
    })
    const end = (one: Socket, other: Socket) => {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        if (release !== undefined) {
          clearTimeout(release)
          deliver()
        }
        other.end()
      })
    }
    end(client, database)
    end(database, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const url = new URL(databaseUrl)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the tap listens nowhere')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    backends,
    flights: async () => {
      const quietMs = options.holdMs * 3 + 20
      while (performance.now() - lastHeardMs < quietMs) await sleep(quietMs)
      const seen = flights
      flights = []
      return seen
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Cuts a stream of bytes into the protocol's messages. A client's first message carries no type. */
function frames(options: { startup: boolean }, message: (type: string, body: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let untyped = options.startup
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    for (;;) {
      const head = untyped ? 0 : 1
      if (rest.length < head + 4) return
      const length = rest.readInt32BE(head)
      if (rest.length < head + length) return
      message(untyped ? '' : String.fromCharCode(rest[0] ?? 0), rest.subarray(head + 4, head + length))
      rest = rest.subarray(head + length)
      untyped = false
    }
  }
}

/** The text from `at` to the next zero byte; `1` at a parse message is the text behind its empty name. */
function textAt(body: Buffer, at: number): string {
  const end = body.indexOf(0, at)
  return body.toString('utf8', at, end === -1 ? body.length : end)
}
