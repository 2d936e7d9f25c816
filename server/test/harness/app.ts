// The server under test: a real process on a real PostgreSQL, and requests to it.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { publicCodes } from '../../kernel/refusal.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const startMs = 120_000
/** The receivers of webhooks in tests are on this machine. */
const receivers = { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' }

export type Server = {
  readonly url: string
  readonly metricsUrl: string
  readonly pid: number
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
  /** Everything it has printed. */
  readonly output: () => string
}

/** As server/cli.ts sets them: a process that has them does not start itself once more, which takes a tenth of a second. */
const malloc = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '16777216' }

/** One more server process, on the database of the tests unless `env` names another. `program` is the command of another release. */
export async function startServer(
  env: Record<string, string> = {},
  options: readonly string[] = [],
  program = 'server/cli.ts',
): Promise<Server> {
  const child = spawn(process.execPath, [program, 'serve', ...options], {
    cwd: root,
    env: { ...process.env, ...malloc, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'info', ...receivers, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listening = new Promise<{ address: string }>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server did not start:\n${output}`)), startMs)
    let isListening = false
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (isListening) return
      const line = output.split('\n').find((one) => one.includes('"msg":"listening"'))
      if (line === undefined) return
      isListening = true
      clearTimeout(timer)
      resolve(JSON.parse(line))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  listening.catch(() => {})
  try {
    const { address } = await listening
    return {
      url: address,
      // With several workers the process that supervises them has printed it before.
      metricsUrl: /"metrics":"([^"]+)"/.exec(output)?.[1] ?? '',
      pid: child.pid ?? 0,
      stop: (signal) => stopped(child, signal),
      output: () => output,
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exit
}

/** Base address of the server that the test runner started. */
export function url(): string {
  const address = process.env['KONTOR_TEST_URL']
  if (address === undefined) throw new Error('no server under test: run the tests with "npm test -- <files>"')
  return address
}

export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed response; `undefined` when it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any
}

export type Sent = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array }

/** How long a busy server is asked again. */
const acceptedMs = 60_000

/** Like `send`, but a response that the server is busy is followed by another try, as a client would: such a request was not run. */
export async function sendUntilAccepted(path: string, sent: Sent): Promise<Reply> {
  const deadline = performance.now() + acceptedMs
  for (;;) {
    const reply = await send(path, sent)
    if (reply.status !== 503 || performance.now() > deadline) return reply
    await sleep(100)
  }
}

export async function send(
  path: string,
  { method = 'POST', headers = {}, body }: Sent = {},
  base = url(),
): Promise<Reply> {
  const response = await fetch(base + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
  })
  const text = await response.text()
  // Not of other addresses: a server of an earlier release has no codes.
  if (base === url() && path.startsWith('/v1/')) assertCode(path, response)
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

/** Every refusal of the public API has a documented code, and nothing else has one. */
function assertCode(path: string, { status, headers }: Response): void {
  const code = headers.get('kontor-error-code')
  if (status < 400) assert.equal(code, null, `${path}: ${status} with the code ${code}`)
  else assert.ok(code !== null && code in publicCodes, `${path}: ${status} with the code ${code}`)
}
