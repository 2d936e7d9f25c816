// A proxy between a server process and PostgreSQL that observes the traffic and changes nothing but its timing. It records which backends
// the process uses, and how many round trips each request takes.
//
// A round trip is everything a client sends without a response in between. To distinguish a second round trip from the end of the first,
// responses are delayed by a few milliseconds: what the client sends in that time cannot depend on them.

import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMessages, textAt } from './postgres-messages.ts'

export type RoundTrip = {
  /** The number of the connection, in the order they were opened. */
  readonly connection: number
  /** What was sent: the names of prepared statements, and the texts of unnamed statements. */
  readonly asked: string[]
  /** The transaction status after the last response: I idle, T in a transaction, E in a failed one. */
  state: string
}

export type WireTap = {
  /** The database URL through the tap. */
  readonly url: string
  /** Process ids of the backends that responded so far. */
  readonly backends: ReadonlySet<number>
  /** Round trips since the previous call, once nothing has been in progress for a while. */
  roundTrips(): Promise<readonly RoundTrip[]>
  /** The same without waiting: what the client sent before it received the last response is complete. */
  roundTripsSoFar(): readonly RoundTrip[]
  close(): Promise<void>
}

export async function tapWire(databaseUrl: string, options: { holdMs: number }): Promise<WireTap> {
  const target = new URL(databaseUrl)
  const backends = new Set<number>()
  const sockets = new Set<Socket>()
  const roundTrips: RoundTrip[] = []
  let connections = 0
  let lastHeardMs = performance.now()

  const server = createServer({ noDelay: true }, (client) => {
    const connection = connections++
    const database = dial({ host: target.hostname, port: Number(target.port || 5432), noDelay: true })
    let current: RoundTrip | undefined
    /** A response has arrived since the client last sent: what it sends now may depend on it. */
    let answered = true
    let started = false
    let held: Buffer[] = []
    let release: NodeJS.Timeout | undefined

    const fromClient = readMessages('client', ({ type, body }) => {
      if (started && answered && type !== 'X') {
        current = { connection, asked: [], state: '' }
        roundTrips.push(current)
        answered = false
      }
      if (type === 'Q') current?.asked.push(textAt(body, 0))
      // An unnamed statement is recorded by its text when parsed, a named one when bound.
      if (type === 'P' && textAt(body, 0) === '') current?.asked.push(textAt(body, 1))
      if (type === 'B') {
        const name = textAt(body, body.indexOf(0) + 1)
        if (name !== '') current?.asked.push(name)
      }
    })
    const fromDatabase = readMessages('server', ({ type, body }) => {
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
  if (address === null || typeof address === 'string') throw new Error('the tap is not listening')
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  const roundTripsSoFar = () => roundTrips.splice(0)
  return {
    url: url.href,
    backends,
    roundTripsSoFar,
    roundTrips: async () => {
      const quietMs = options.holdMs * 3 + 20
      while (performance.now() - lastHeardMs < quietMs) await sleep(quietMs)
      return roundTripsSoFar()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
