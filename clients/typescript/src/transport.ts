// Sends a call, and sends it again where that is safe. A write has an Idempotency-Key, the same in all its attempts, so that the
// server does it once, however often it was sent.

import { KontorError } from './error.ts'
import { exchange, parsed, type Reply, TimeLimit } from './exchange.ts'
import { RecordScanner } from './records.ts'

export type ClientOptions = {
  /** The address of the server, such as `https://kontor.example.com`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How long one attempt may take, including the response. */
  readonly timeoutMs?: number | undefined
  /** How many attempts may follow the first. */
  readonly retries?: number | undefined
  /** Used instead of the global `fetch`, for example one with a proxy. */
  readonly fetch?: typeof fetch | undefined
  /** Called for every attempt, for logs and metrics. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined
}

export type ReadOptions = {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly retries?: number | undefined
}

export type WriteOptions = ReadOptions & {
  /** Identifies the change. By default every call has a new key. */
  readonly idempotencyKey?: string | undefined
  /** Store nothing. The response then also has `dry_run` and `effects`: see `DryRun`. */
  readonly dryRun?: boolean | undefined
}

/** The response to a dry run: that of the call itself, and what it would have changed. */
export type DryRun<Output> = Output & {
  dry_run: true
  effects: {
    /** Levels of stock that would change, each figure as [before, after]. Missing when the key may not call the section stock. */
    stock?: { type: string; id: number; storage_id: number; on_hand: [number, number]; reserved: [number, number] }[]
    created: { record: string; id: number }[]
  }
}

export type ListOptions = ReadOptions & {
  /** Records per request, 1 to 1000. */
  readonly pageSize?: number | undefined
}

export type Attempt = {
  readonly path: string
  /** 1 for the first. */
  readonly attempt: number
  /** 0 when no response arrived. */
  readonly status: number
  readonly durationMs: number
  readonly requestId: string | undefined
  /** True when the server repeated the stored response to an earlier attempt. */
  readonly replayed: boolean
  /** Requests that the company has left for the day. */
  readonly remaining: number | undefined
}

export type Endpoint = { readonly path: string; readonly writes: boolean }

/** Used by the generated methods. The type of the response comes from the server's declaration. */
export type Send = <Output>(endpoint: Endpoint, input: object, options?: WriteOptions) => Promise<Output>

/** Used by the generated methods: the records of the field `listed`, as they arrive. */
export type Stream = <Entry>(
  endpoint: Endpoint,
  listed: string,
  input: object,
  options?: ReadOptions,
) => AsyncGenerator<Entry, void, undefined>

export type Transport = { readonly send: Send; readonly stream: Stream }

const defaults = { timeoutMs: 30_000, retries: 4 }
const firstPauseMs = 200
const longestPauseMs = 5_000
// A call whose Retry-After is longer fails, so that the caller can decide.
const longestRetryAfterSeconds = 30

export function transport(client: ClientOptions): Transport {
  const base = client.baseUrl.replace(/\/+$/, '')
  // Throws immediately for an invalid address or a key that cannot be sent in a header.
  new Request(`${base}/`, { headers: { Authorization: client.apiKey } })

  const reply = async (
    { path, writes }: Endpoint,
    input: object,
    options: WriteOptions,
    isStream: boolean,
  ): Promise<Reply> => {
    const headers = new Headers({
      Authorization: client.apiKey,
      'Content-Type': 'application/json',
      // Browsers keep their own.
      'User-Agent': 'kontor-typescript',
    })
    const isDryRun = writes && options.dryRun === true
    const idempotencyKey = writes && !isDryRun ? (options.idempotencyKey ?? randomKey()) : undefined
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
    if (isDryRun) headers.set('Kontor-Dry-Run', 'true')
    // Serialized once: the server compares the bytes of requests with the same key.
    const sent = { headers, body: JSON.stringify(input), isStream }
    const retries = options.retries ?? client.retries ?? defaults.retries
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? defaults.timeoutMs

    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted()
      const startedAt = performance.now()
      const reply = await exchange(client.fetch ?? fetch, base + path, sent, new TimeLimit(timeoutMs, options.signal))
      client.onAttempt?.({ path, attempt, durationMs: performance.now() - startedAt, ...detailsOf(reply) })
      if (reply.chunks !== undefined || outputFields(reply) !== undefined) return reply

      const text = errorText(reply)
      const retryable = mayRepeat(reply.status, text)
      const retryAfterSeconds = secondsToWait(reply)
      if (!retryable || attempt > retries || (retryAfterSeconds ?? 0) > longestRetryAfterSeconds) {
        const { requestId } = detailsOf(reply)
        const code = reply.headers?.get('Kontor-Error-Code') ?? undefined
        throw new KontorError({
          ...{ path, status: reply.status, text, code, retryable, attempts: attempt },
          ...{ requestId, retryAfterSeconds, idempotencyKey, cause: reply.cause },
        })
      }
      await pause(Math.max(growingPauseMs(attempt), (retryAfterSeconds ?? 0) * 1000), options.signal)
    }
  }

  return {
    send: async <Output>(endpoint: Endpoint, input: object, options: WriteOptions = {}) =>
      outputFields(await reply(endpoint, input, options, false)) as Output,
    stream: async function* <Entry>(endpoint: Endpoint, listed: string, input: object, options: ReadOptions = {}) {
      yield* recordsOf<Entry>(await reply(endpoint, input, options, true), endpoint.path, listed, options.signal)
    },
  }
}

/** The records of a response that is still arriving. */
async function* recordsOf<Entry>(
  { status, headers, chunks }: Reply,
  path: string,
  listed: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Entry, void, undefined> {
  const scanner = new RecordScanner(listed)
  const decoder = new TextDecoder()
  const requestId = headers?.get('X-Request-Id') ?? undefined
  const broken = (cause: unknown, shown = 0): KontorError =>
    new KontorError({ path, status: shown, text: '', retryable: shown === 0, attempts: 1, requestId, cause })
  try {
    for await (const chunk of chunks ?? []) {
      for (const record of scanner.add(decoder.decode(chunk, { stream: true }))) {
        signal?.throwIfAborted()
        yield record as Entry
      }
    }
  } catch (cause) {
    signal?.throwIfAborted()
    throw broken(cause)
  }
  if (outputFields({ status, body: parsed(scanner.rest) }) === undefined)
    throw broken(new Error('the list ended before its end'), scanner.hasStarted ? 0 : status)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The fields of a successful response without `success`; `undefined` for anything else. */
function outputFields({ status, body }: Reply): object | undefined {
  if (status !== 200 || !isObject(body) || body['success'] !== true) return undefined
  const { success: _, ...fields } = body
  return fields
}

function errorText({ body }: Reply): string {
  return isObject(body) && typeof body['error'] === 'string' ? body['error'] : ''
}

const inProgress = 'A request with this Idempotency-Key is in progress'

/** 502 and 504 come from a proxy that could not reach the server. 400, 401 and 429 would be the same again. */
function mayRepeat(status: number, text: string): boolean {
  return status === 0 || [500, 502, 503, 504].includes(status) || (status === 409 && text === inProgress)
}

function detailsOf({ status, headers }: Reply): Pick<Attempt, 'status' | 'requestId' | 'replayed' | 'remaining'> {
  return {
    status,
    requestId: headers?.get('X-Request-Id') ?? undefined,
    replayed: headers?.get('Idempotent-Replayed') === 'true',
    remaining: seconds(headers?.get('RateLimit-Remaining')),
  }
}

function secondsToWait({ status, headers }: Reply): number | undefined {
  const retryAfter = headers?.get('Retry-After')
  const dated = retryAfter == null ? Number.NaN : Date.parse(retryAfter)
  return (
    seconds(retryAfter) ??
    (Number.isNaN(dated) ? undefined : Math.max(0, (dated - Date.now()) / 1000)) ??
    (status === 429 ? seconds(headers?.get('RateLimit-Reset')) : undefined)
  )
}

const seconds = (header: string | null | undefined): number | undefined =>
  header != null && /^\d+$/.test(header) ? Number(header) : undefined

/** Doubles with every attempt; half of it is random, so that clients that failed together do not retry together. */
function growingPauseMs(attempt: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}

export function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, durationMs)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted === true) stop()
  })
}

/** Not randomUUID(), which browsers provide only on secure pages. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
