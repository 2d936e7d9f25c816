// A receiver of webhooks in a process of its own, which answers as its path says. Run as a program it is the receiver; imported, it starts and reads one.
// Paths: /ok, /status/<code>, /retry/<code>/<seconds>, /slow/<ms>, /hang, /redirect/<url>, /cut, /endless, /garbage, /drip, and /moody, which fails now and then
// in one of these ways. `?flip=<n>` answers 500 to the first n requests.

import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

export type Received = {
  readonly path: string
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Requests of the same path that were under way when this one arrived. */
  readonly concurrent: number
  readonly status: number
}

const file = fileURLToPath(import.meta.url)

export class WebhookReceiver {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  /** `port` 0: any free port. What arrives is also written to the file `keptIn`, and read from it by the next receiver, so that one can be killed. */
  static async start(port = 0, keptIn = ''): Promise<WebhookReceiver> {
    const child = spawn(process.execPath, [file, String(port), keptIn], { stdio: ['ignore', 'pipe', 'inherit'] })
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()))
      child.once('exit', (code) => reject(new Error(`the receiver ended with ${code}`)))
    })
    return new WebhookReceiver(url, child)
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  /** What has arrived at paths that start like this, in the order of arrival. */
  async received(path = '/'): Promise<Received[]> {
    const response = await fetch(`${this.url}/received?path=${encodeURIComponent(path)}`)
    return (await response.json()) as Received[]
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill(signal)
    await ended
  }
}

/** What the receiver remembers. */
const received: Received[] = []
const keptIn = process.argv[3] ?? ''
const underWay = new Map<string, number>()
const seen = new Map<string, number>()

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://receiver')
  if (url.pathname === '/received') {
    const path = url.searchParams.get('path') ?? '/'
    response.end(JSON.stringify(received.filter((one) => one.path.startsWith(path))))
    return
  }
  const path = request.url ?? ''
  const concurrent = underWay.get(path) ?? 0
  underWay.set(path, concurrent + 1)
  response.once('close', () => underWay.set(path, (underWay.get(path) ?? 1) - 1))
  let body = ''
  for await (const chunk of request) body += chunk
  const times = (seen.get(path) ?? 0) + 1
  seen.set(path, times)
  const flips = Number(url.searchParams.get('flip') ?? 0)
  const status = times <= flips ? 500 : statusOf(url.pathname)
  const headers = request.headers as Record<string, string>
  const one = { path, at: Date.now(), headers, body, concurrent, status }
  received.push(one)
  // Before the response: what was accepted is known even if the receiver is killed then.
  if (keptIn !== '') appendFileSync(keptIn, `${JSON.stringify(one)}\n`)
  answer(url.pathname, status, response)
}

/** What a moody receiver answers when it fails. */
const moods = [302, 404, 429, 500, 503]

function statusOf(path: string): number {
  const [, what = '', first = ''] = path.split('/')
  if (what === 'moody') return Math.random() < 0.08 ? (moods[Math.floor(Math.random() * moods.length)] ?? 500) : 200
  if (what === 'status' || what === 'retry') return Number(first)
  return what === 'redirect' ? 302 : 200
}

function answer(path: string, status: number, response: ServerResponse): void {
  const [, what = '', first = '', second = ''] = path.split('/')
  if (what === 'hang') return
  if (what === 'slow') {
    setTimeout(() => response.writeHead(status).end('late'), Number(first))
    return
  }
  if (what === 'cut' || (what === 'moody' && Math.random() < 0.02)) {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('only the start')
    setTimeout(() => response.destroy(), 50)
    return
  }
  if (what === 'garbage') {
    response.socket?.end('this is not HTTP\r\n\r\n')
    return
  }
  if (what === 'drip') {
    response.writeHead(200)
    setInterval(() => response.write('.'), 100)
    return
  }
  if (what === 'endless') {
    response.writeHead(200)
    const more = (): void => {
      if (!response.destroyed && response.write('x'.repeat(4_096))) setImmediate(more)
      else response.once('drain', more)
    }
    more()
    return
  }
  if (what === 'redirect') response.setHeader('location', decodeURIComponent(first))
  if (what === 'retry') response.setHeader('retry-after', decodeURIComponent(second))
  if (what === 'moody') response.setHeader('retry-after', '1').setHeader('location', '/ok')
  response.writeHead(status).end(status === 200 ? 'thank you' : `status ${status}`)
}

if (process.argv[1] === file) {
  if (existsSync(keptIn))
    for (const line of readFileSync(keptIn, 'utf8').split('\n')) if (line !== '') received.push(JSON.parse(line))
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}
