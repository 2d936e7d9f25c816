// Raw connections of an attacker: requests as bytes, sent completely, in part or slowly, from a separate loopback address.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Target = {
  readonly host: string
  readonly port: number
  /** The source address of the attacker's connections. */
  readonly from: string
}

/** Responses by status; 0 counts connections that ended without a response. */
export type Statuses = Map<number, number>

export const targetOf = (url: string, from: string): Target => {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port), from }
}

export function requestHead(path: string, headers: Readonly<Record<string, string>>, length: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${lines.join('')}Content-Length: ${length}\r\n\r\n`
}

export function requestBytes(path: string, headers: Readonly<Record<string, string>>, body: string): Buffer {
  return Buffer.from(requestHead(path, headers, Buffer.byteLength(body)) + body)
}

export function openSocket({ host, port, from }: Target): Socket {
  const socket = connect({ host, port, localAddress: from, noDelay: true })
  // The server may close it at any time; that counts as a response, too.
  socket.on('error', () => {})
  return socket
}

/** The status of the next complete response on the connection, or 0 when it closes before. */
export async function nextStatus(socket: Socket): Promise<number> {
  return await new Promise((resolve) => {
    let answer = Buffer.alloc(0)
    let status = 0
    const settle = (value: number) => {
      socket.off('data', read)
      socket.off('close', closed)
      resolve(value)
    }
    const closed = () => settle(status)
    const read = (bytes: Buffer) => {
      answer = Buffer.concat([answer, bytes])
      const end = answer.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = answer.toString('latin1', 0, end)
      status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      // Without a length the body is chunked: only its end is kept.
      if (length === undefined) {
        if (answer.subarray(-5).equals(lastChunk)) settle(status)
        else
          answer = Buffer.concat([answer.subarray(0, end + 4), answer.subarray(Math.max(end + 4, answer.length - 5))])
      } else if (answer.length >= end + 4 + Number(length)) settle(status)
    }
    socket.on('data', read)
    socket.once('close', closed)
  })
}

const lastChunk = Buffer.from('0\r\n\r\n')

export const note = (statuses: Statuses, status: number): void => {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
}

/** Sends requests one after the other on each of several connections until the time is up. */
export async function hammer(
  target: Target,
  lanes: number,
  untilMs: number,
  requests: readonly Buffer[],
): Promise<Statuses> {
  const statuses: Statuses = new Map()
  let number = 0
  const lane = async (): Promise<void> => {
    let socket = openSocket(target)
    while (performance.now() < untilMs) {
      if (socket.destroyed || !socket.writable) socket = openSocket(target)
      const status = nextStatus(socket)
      socket.write(requests[number++ % requests.length] as Buffer)
      note(statuses, await Promise.race([status, sleep(Math.max(1, untilMs - performance.now()), 0, { ref: false })]))
      // A real attacker has its own bandwidth; here it shares two processors with its target.
      await sleep(5)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return statuses
}

/** Reads a whole list at a kilobyte a second. */
export async function slowReaders(target: Target, lanes: number, untilMs: number, bytes: Buffer): Promise<Statuses> {
  const statuses: Statuses = new Map()
  const lane = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const socket = openSocket(target)
      socket.pause()
      socket.write(bytes)
      let head = ''
      while (performance.now() < untilMs && !socket.destroyed && !socket.readableEnded) {
        const chunk: Buffer | null = socket.read(1_024) ?? socket.read()
        if (head === '' && chunk !== null) {
          head = chunk.toString('latin1', 0, 12)
          note(statuses, Number(head.slice(9, 12)))
        }
        // A refused reader retries at once.
        if (head !== '' && !head.endsWith('200')) break
        await sleep(head === '' ? 20 : 1_000)
      }
      socket.destroy()
      await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return statuses
}
