// A proxy between a server process and PostgreSQL that records what the server sends: statements with their texts and values, by round
// trip. A round trip is everything sent without a response in between; responses are delayed by a few milliseconds, so that
// what is sent in that time cannot depend on them.

import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMessages, textAt } from '../server/test/harness/postgres-messages.ts'
import { databaseUrl } from './postgres.ts'

export type Sent = {
  readonly text: string
  /** The values of a prepared statement, as text (bytea in hex); absent when there are none, as for `begin`. */
  readonly values?: readonly (string | null)[]
  /** The server's name for a prepared statement. */
  readonly name?: string
}
export type RoundTrip = readonly Sent[]

export type Tap = {
  readonly url: string
  /** The settings with which the server's sessions start, as it sends them. */
  readonly options: () => string
  /** Round trips since the previous call, once nothing has been in progress for a while. */
  readonly roundTrips: () => Promise<readonly RoundTrip[]>
  readonly close: () => Promise<void>
}

const holdMs = 5

export async function tapWire(database: string): Promise<Tap> {
  const target = new URL(databaseUrl(database))
  const sockets = new Set<Socket>()
  let roundTrips: Sent[][] = []
  let options = ''
  let lastHeardMs = performance.now()

  const server = createServer({ noDelay: true }, (client) => {
    const postgres = dial({ host: target.hostname, port: Number(target.port || 5432), noDelay: true })
    const texts = new Map<string, string>()
    let current: Sent[] | undefined
    let held: Buffer[] = []
    let release: NodeJS.Timeout | undefined

    const write = (sent: Sent) => {
      if (current === undefined) {
        current = []
        roundTrips.push(current)
      }
      current.push(sent)
    }
    const read = readMessages('client', ({ type, body }) => {
      if (type === '') options = startupOptions(body) ?? options
      if (type === 'Q') write({ text: textAt(body, 0) })
      if (type === 'P') texts.set(textAt(body, 0), textAt(body, body.indexOf(0) + 1))
      if (type === 'B') {
        const { name, values } = readBind(body)
        const text = texts.get(name) ?? ''
        write(values.length === 0 ? { text } : { text, values, name })
      }
    })
    client.on('data', (bytes) => {
      lastHeardMs = performance.now()
      read(bytes)
      postgres.write(bytes)
    })
    postgres.on('data', (bytes) => {
      lastHeardMs = performance.now()
      held.push(bytes)
      release ??= setTimeout(() => {
        release = undefined
        current = undefined
        client.write(Buffer.concat(held))
        held = []
      }, holdMs)
    })
    for (const [one, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        clearTimeout(release)
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the tap is not listening')
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(address.port) }).href,
    options: () => options,
    roundTrips: async () => {
      const quietMs = holdMs * 4 + 20
      while (performance.now() - lastHeardMs < quietMs) await sleep(quietMs)
      const seen = roundTrips
      roundTrips = []
      return seen
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The parameter `options` of a start-up message. */
function startupOptions(body: Buffer): string | undefined {
  const words = body.toString('utf8', 4).split('\0')
  const at = words.findIndex((word, index) => index % 2 === 0 && word === 'options')
  return at === -1 ? undefined : words[at + 1]
}

function readBind(body: Buffer): { name: string; values: (string | null)[] } {
  let at = body.indexOf(0) + 1
  const name = textAt(body, at)
  at = body.indexOf(0, at) + 1
  const next16 = (): number => {
    at += 2
    return body.readInt16BE(at - 2)
  }
  const formats = Array.from({ length: next16() }, next16)
  const values = Array.from({ length: next16() }, (_, index) => {
    const length = body.readInt32BE(at)
    at += 4
    if (length === -1) return null
    const bytes = body.subarray(at, at + length)
    at += length
    const isBinary = (formats.length === 1 ? formats[0] : formats[index]) === 1
    // Only buffers are sent in binary.
    return isBinary ? `\\x${bytes.toString('hex')}` : bytes.toString('utf8')
  })
  return { name, values }
}
