// Many requests over few sockets: HTTP/1.1 with keep-alive and pipelining, written and read as bytes. Responses arrive in the order of the requests.

import { connect, type Socket } from 'node:net'

export type Answer = {
  readonly status: number
  readonly head: string
  readonly body: Buffer
  readonly tookMs: number
}

export type Pump<T> = {
  readonly url: string
  /** Concurrent requests on one socket. */
  readonly depth: number
  /** The next request, or undefined at the end. */
  readonly next: () => { readonly bytes: Buffer; readonly of: T } | undefined
  readonly answered: (of: T, answer: Answer) => void
  /** No response within `patienceMs`, or the connection was closed without one. */
  readonly unanswered: (of: T, why: string) => void
  readonly patienceMs: number
}

type Waiting<T> = { readonly bytes: Buffer; readonly of: T; sentMs: number }

/** Sends until `next` returns nothing more and every request has its response. */
export async function pump<T>(given: Pump<T>): Promise<void> {
  let unsent: Waiting<T>[] = []
  for (;;) {
    const left = await oneSocket(given, unsent)
    if (left === undefined) return
    unsent = left
  }
}

/** Until the server closes the socket (then unprocessed requests are returned), or all are done. */
async function oneSocket<T>(given: Pump<T>, first: Waiting<T>[]): Promise<Waiting<T>[] | undefined> {
  const { hostname, port } = new URL(given.url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const waiting: Waiting<T>[] = []
  const reader = new Answers()
  let isDone = false
  let isLast = false
  return await new Promise((resolve) => {
    const end = (left: Waiting<T>[] | undefined): void => {
      if (isDone) return
      isDone = true
      clearInterval(watch)
      socket.destroy()
      resolve(left)
    }
    const fill = (): void => {
      if (isLast) return
      const parts: Buffer[] = []
      while (waiting.length < given.depth) {
        const one = first.shift() ?? drawn()
        if (one === undefined) break
        one.sentMs = performance.now()
        waiting.push(one)
        parts.push(one.bytes)
      }
      if (parts.length > 0) socket.write(Buffer.concat(parts))
      else if (waiting.length === 0) end(undefined)
    }
    const drawn = (): Waiting<T> | undefined => {
      const one = given.next()
      return one === undefined ? undefined : { ...one, sentMs: 0 }
    }
    const watch = setInterval(() => {
      const oldest = waiting[0]
      if (oldest === undefined || performance.now() - oldest.sentMs < given.patienceMs) return
      waiting.shift()
      given.unanswered(oldest.of, `no answer within ${given.patienceMs} ms`)
      end([...waiting, ...first])
    }, 100)
    socket.on('connect', fill)
    socket.on('data', (bytes) => {
      reader.feed(bytes, (status, head, body) => {
        const one = waiting.shift()
        if (one === undefined) return
        given.answered(one.of, { status, head, body, tookMs: performance.now() - one.sentMs })
        // Requests sent behind it are not processed, and are sent again.
        if (/^connection: close\r?$/im.test(head)) isLast = true
      })
      if (isLast) end([...waiting, ...first])
      else fill()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      const one = waiting.shift()
      if (one !== undefined && !isLast) given.unanswered(one.of, 'the line was closed without an answer')
      end([...waiting, ...first])
    })
  })
}

const blank = Buffer.from('\r\n\r\n')

/** Reads responses with a length or in chunks. */
class Answers {
  #rest: Buffer = Buffer.alloc(0)

  feed(bytes: Buffer, each: (status: number, head: string, body: Buffer) => void): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    for (;;) {
      const end = this.#rest.indexOf(blank)
      if (end === -1) return
      const head = this.#rest.toString('latin1', 0, end)
      const status = Number(head.slice(9, 12))
      const from = end + blank.length
      if (status < 200) {
        this.#rest = this.#rest.subarray(from)
        continue
      }
      const whole = /^transfer-encoding: chunked\r?$/im.test(head)
        ? chunksAt(this.#rest, from)
        : lengthAt(this.#rest, from, Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1] ?? 0))
      if (whole === undefined) return
      each(status, head, whole.body)
      this.#rest = this.#rest.subarray(whole.end)
    }
  }
}

const lengthAt = (bytes: Buffer, from: number, length: number): { body: Buffer; end: number } | undefined =>
  bytes.length < from + length ? undefined : { body: bytes.subarray(from, from + length), end: from + length }

function chunksAt(bytes: Buffer, from: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = []
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (bytes.length < line + 2 + length + 2) return undefined
    if (length === 0) return { body: Buffer.concat(parts), end: line + 4 }
    parts.push(bytes.subarray(line + 2, line + 2 + length))
    at = line + 2 + length + 2
  }
}
