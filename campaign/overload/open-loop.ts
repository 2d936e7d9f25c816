// An open loop: requests are sent when they are due, whether or not earlier ones got a response. So a service that falls behind receives
// even more requests, as in reality. The latency of a request is counted from the time it was due.

import { connect, type Socket } from 'node:net'

export type Request = { readonly bytes: Buffer; readonly of: string }

export type Load = {
  readonly urls: readonly string[]
  readonly perSecond: number
  readonly seconds: number
  /** The request with a given number. */
  readonly request: (number: number) => Request
  /** The longest time that a client waits. */
  readonly patienceMs: number
  /** Per kind of request: the clients of one kind do not use the sockets of another. */
  readonly maxSockets: number
  /** Aborts it early. */
  readonly isEnough?: () => boolean
}

export type Loaded = {
  readonly sent: number
  /** Requests for which no socket was free: the client gave up before sending. */
  readonly unsent: number
  readonly byStatus: ReadonlyMap<number, number>
  /** 503 responses with the company's count: their work was started, and they were counted. */
  readonly busyCounted: number
  /** No response in time or at all. */
  readonly lost: number
  /** Durations of good responses by kind of request, in milliseconds. */
  readonly tookMs: ReadonlyMap<string, readonly number[]>
  /** The same for those due after the first second, when all clients are connected. */
  readonly settledMs: ReadonlyMap<string, readonly number[]>
  readonly seconds: number
}

const settleMs = 1_000

type Line = { socket: Socket; due: number; of: string; answer: Buffer; isBusy: boolean }

export async function openLoop(load: Load): Promise<Loaded> {
  const tally = {
    sent: 0,
    unsent: 0,
    lost: 0,
    busyCounted: 0,
    byStatus: new Map<number, number>(),
    tookMs: new Map<string, number[]>(),
    settledMs: new Map<string, number[]>(),
  }
  const noted = (lists: Map<string, number[]>, of: string, ms: number): void => {
    const list = lists.get(of)
    if (list === undefined) lists.set(of, [ms])
    else list.push(ms)
  }
  const idle = new Map<string, Line[]>()
  const open = new Map<string, number>()
  const all = new Set<Line>()
  const started = performance.now()
  let total = Math.round(load.perSecond * load.seconds)
  let number = 0

  const done = (line: Line, status: number): void => {
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
    const took = performance.now() - line.due
    if (status === 200) {
      noted(tally.tookMs, line.of, took)
      if (line.due - started >= settleMs) noted(tally.settledMs, line.of, took)
    }
    line.isBusy = false
  }
  const drop = (line: Line): void => {
    all.delete(line)
    if (line.isBusy) tally.lost++
    line.isBusy = false
    line.socket.destroy()
  }
  const dial = (of: string, url: string, free: Line[]): Line => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const line: Line = { socket, due: 0, of, answer: Buffer.alloc(0), isBusy: false }
    all.add(line)
    open.set(of, (open.get(of) ?? 0) + 1)
    socket.on('error', () => {})
    socket.on('close', () => {
      drop(line)
      open.set(of, (open.get(of) ?? 1) - 1)
      const at = free.indexOf(line)
      if (at !== -1) free.splice(at, 1)
    })
    socket.on('data', (bytes) => {
      line.answer = line.answer.length === 0 ? bytes : Buffer.concat([line.answer, bytes])
      const whole = readAnswer(line.answer)
      if (whole === undefined) return
      line.answer = Buffer.alloc(0)
      done(line, whole.status)
      if (whole.status === 503 && whole.hasCount) tally.busyCounted++
      if (whole.closes) socket.destroy()
      else free.push(line)
    })
    return line
  }
  const send = (due: number): void => {
    const request = load.request(number)
    const url = load.urls[number % load.urls.length] as string
    number++
    const { of } = request
    const free = idle.get(`${of} ${url}`) ?? []
    idle.set(`${of} ${url}`, free)
    const line = free.pop() ?? ((open.get(of) ?? 0) < load.maxSockets ? dial(of, url, free) : undefined)
    if (line === undefined) {
      tally.unsent++
      return
    }
    tally.sent++
    line.due = due
    line.isBusy = true
    line.socket.write(request.bytes)
  }

  await new Promise<void>((resolve) => {
    const tick = (): void => {
      const now = performance.now()
      if (load.isEnough?.() === true) total = number
      // The first is due at once.
      const due = Math.min(total, Math.floor(((now - started) / 1_000) * load.perSecond) + 1)
      while (number < due) send(started + (number / load.perSecond) * 1_000)
      for (const line of all) if (line.isBusy && now - line.due > load.patienceMs) line.socket.destroy()
      const isOver = number >= total && ![...all].some((line) => line.isBusy)
      if (isOver || now - started > load.seconds * 1_000 + load.patienceMs + 1_000) resolve()
      else setTimeout(tick, 2)
    }
    tick()
  })
  const seconds = (performance.now() - started) / 1_000
  for (const line of [...all]) drop(line)
  return { ...tally, seconds: Math.min(seconds, Math.max(load.seconds, 0.001)) }
}

/** A complete response, with a length or in chunks. */
function readAnswer(bytes: Buffer): { status: number; closes: boolean; hasCount: boolean } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < end + 4 + length) return undefined
  if (/\r\ntransfer-encoding: chunked/i.test(head) && !bytes.subarray(-5).equals(lastChunk)) return undefined
  return {
    status: Number(head.slice(9, 12)),
    closes: /\r\nconnection: close/i.test(head),
    hasCount: /\r\nratelimit-remaining: /i.test(head),
  }
}

const lastChunk = Buffer.from('0\r\n\r\n')

/** The given percentile. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) return 0
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0
}
