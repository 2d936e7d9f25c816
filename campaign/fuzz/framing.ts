// Malformed HTTP: broken framing, oversized parts, and slow clients. Each has its own connection, and
// each connection must end: with a 4xx response, or without one.

import { connect } from 'node:net'
import { bounds, maxBodyBytes } from '../../server/platform/process/config.ts'
import type { Draw } from './draw.ts'
import { http } from './requests.ts'

export type Framed = { readonly name: string; readonly found: readonly string[] }

const quickMs = 2_000
/** How often the server checks for slow clients, plus a margin. */
const lookMs = 6_000

type Piece = Buffer | string
type Case = {
  readonly name: string
  /** Sent one after the other, with a pause in between. */
  readonly pieces: (path: string, key: string, draw: Draw) => readonly Piece[]
  readonly pauseMs?: number
  /** The client closes its side of the connection. */
  readonly half?: boolean
  readonly withinMs?: number
}

const head = (path: string, key: string, more: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n${more}\r\n`

const broken: readonly Case[] = [
  { name: 'random bytes', pieces: (_path, _key, draw) => [draw.bytes(1 + draw.below(400)), '\r\n\r\n'] },
  { name: 'TLS on a plain connection', pieces: () => [Buffer.from('16030100a5010000a10303', 'hex'), '\r\n\r\n'] },
  { name: 'HTTP/2 preface', pieces: () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'] },
  {
    name: 'an upgrade to something else',
    pieces: (path, key) => [
      head(path, key, 'Upgrade: websocket\r\nConnection: upgrade\r\nContent-Length: 2\r\n'),
      '{}',
    ],
  },
  { name: 'HTTP/9', pieces: (path) => [`POST ${path} HTTP/9.9\r\nHost: x\r\n\r\n`] },
  { name: 'no version', pieces: (path) => [`POST ${path}\r\n\r\n`] },
  {
    name: 'HTTP/1.0',
    pieces: (path, key) => [`POST ${path} HTTP/1.0\r\nAuthorization: ${key}\r\nContent-Length: 2\r\n\r\n{}`],
  },
  {
    name: 'no host',
    pieces: (path, key) => [`POST ${path} HTTP/1.1\r\nAuthorization: ${key}\r\nContent-Length: 2\r\n\r\n{}`],
  },
  { name: 'an unknown verb', pieces: (path) => [`SMUGGLE ${path} HTTP/1.1\r\nHost: x\r\n\r\n`] },
  {
    name: 'two lengths',
    pieces: (path, key) => [head(path, key, 'Content-Length: 2\r\nContent-Length: 3\r\n'), '{}x'],
  },
  { name: 'a negative length', pieces: (path, key) => [head(path, key, 'Content-Length: -1\r\n'), '{}'] },
  {
    name: 'a length beyond all integers',
    pieces: (path, key) => [head(path, key, 'Content-Length: 99999999999999999999\r\n')],
  },
  {
    name: 'length and chunks',
    pieces: (path, key) => [head(path, key, 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'), '0\r\n\r\n'],
  },
  {
    name: 'chunks with a wrong size',
    pieces: (path, key) => [head(path, key, 'Transfer-Encoding: chunked\r\n'), 'zz\r\n{}\r\n'],
  },
  {
    name: 'a huge chunk that is never sent',
    pieces: (path, key) => [head(path, key, 'Transfer-Encoding: chunked\r\n'), 'ffffffffffff\r\n{'],
    half: true,
  },
  {
    name: 'another encoding',
    pieces: (path, key) => [head(path, key, 'Transfer-Encoding: gzip\r\n'), '{}'],
    half: true,
  },
  { name: 'a line feed alone', pieces: (path, key) => [`POST ${path} HTTP/1.1\nHost: x\nAuthorization: ${key}\n\n`] },
  { name: 'a header without a name', pieces: (path, key) => [head(path, key, ': x\r\n')] },
  { name: 'a header with a zero byte', pieces: (path, key) => [head(path, key, 'X: a\0b\r\n')] },
  { name: 'a folded header', pieces: (path, key) => [head(path, key, 'X: a\r\n b\r\n')] },
  { name: 'oversized headers', pieces: (path, key) => [head(path, key, `X: ${'x'.repeat(100_000)}\r\n`)] },
  {
    name: 'thousands of headers',
    pieces: (path, key) => [head(path, key, Array.from({ length: 3_000 }, (_, at) => `X${at}: 1\r\n`).join(''))],
  },
  { name: 'an oversized URL', pieces: (_path, key) => [head(`/${'a'.repeat(100_000)}`, key, '')] },
  {
    name: 'a body shorter than declared',
    pieces: (path, key) => [head(path, key, 'Content-Length: 100\r\n'), '{"num":'],
    half: true,
  },
  { name: 'an oversized body', pieces: (path, key) => [http(path, key, Buffer.alloc(maxBodyBytes + 10, 0x20))] },
  {
    name: 'a smuggled request',
    pieces: (path, key) => [
      head(path, key, 'Content-Length: 4\r\nTransfer-Encoding : chunked\r\n'),
      '0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
  },
]

const slow: readonly Case[] = [
  {
    name: 'headers a byte at a time',
    pieces: (path) => [...`POST ${path} HTTP/1.1\r\nHost: x\r\nX-Slow: ${'s'.repeat(400)}`],
    pauseMs: 200,
    withinMs: bounds.headersMs + lookMs,
  },
  { name: 'nothing at all', pieces: () => [], withinMs: bounds.headersMs + bounds.bodyMs + lookMs },
  {
    name: 'a body a byte at a time',
    pieces: (path, key) => [head(path, key, 'Content-Length: 5000\r\n'), ...'{'.padEnd(600, ' ')],
    pauseMs: 200,
    withinMs: bounds.bodyMs + lookMs,
  },
  {
    name: 'a body that stops',
    pieces: (path, key) => [head(path, key, 'Content-Length: 50\r\n'), '{"num"'],
    withinMs: bounds.bodyMs + lookMs,
  },
  {
    name: 'chunks that stop',
    pieces: (path, key) => [head(path, key, 'Transfer-Encoding: chunked\r\n'), '5\r\n{"num\r\n'],
    withinMs: bounds.bodyMs + lookMs,
  },
]

export async function brokenFrames(url: string, path: string, key: string, draw: Draw): Promise<Framed> {
  const one = draw.pick(broken)
  // A single timeout may be due to the machine, three are not.
  let framed = await play(one, url, path, key, draw)
  for (let again = 0; framed.found.length > 0 && again < 2; again++) framed = await play(one, url, path, key, draw)
  return framed
}

/** All of them at once: none waits for another. */
export async function slowClients(url: string, path: string, key: string, draw: Draw): Promise<readonly Framed[]> {
  return await Promise.all(slow.map((one) => play(one, url, path, key, draw)))
}

export const frames = broken.length + slow.length

async function play(one: Case, url: string, path: string, key: string, draw: Draw): Promise<Framed> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true })
  const withinMs = one.withinMs ?? quickMs
  let answer = ''
  const ended = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve('open'), withinMs)
    const end = (why: string) => () => {
      clearTimeout(timer)
      resolve(why)
    }
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
      // A connection kept alive is of no further interest after its response.
      if (isWhole(answer)) end('answered')()
    })
    socket.on('end', end('closed'))
    socket.on('close', end('closed'))
    socket.on('error', end('closed'))
  })
  const isOver = ended.then(() => true)
  for (const piece of one.pieces(path, key, draw)) {
    socket.write(piece)
    if (one.pauseMs !== undefined && (await Promise.race([isOver, pause(one.pauseMs)]))) break
  }
  if (one.half === true) socket.end()
  const end = await ended
  socket.destroy()
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
  const found: string[] = []
  if (end === 'open') found.push(`${one.name}: neither answered nor closed within ${withinMs} ms`)
  if (status >= 500) found.push(`${one.name}: answered ${status}`)
  return { name: one.name, found }
}

const pause = (ms: number): Promise<false> => new Promise((resolve) => setTimeout(() => resolve(false), ms))

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1] ?? 0)
  return answer.length >= end + 4 + length
}
