// One attempt of a call: a request and its response, whole or in parts, within a time limit.

export type Reply = {
  readonly status: number
  readonly headers?: Headers
  readonly body?: unknown
  /** The body that has not been read yet. */
  readonly chunks?: AsyncGenerator<Uint8Array, void, undefined>
  readonly cause?: unknown
}

/** Aborts an attempt that waits too long for the server, or whose caller aborts it. */
export class TimeLimit {
  readonly #attempt = new AbortController()
  readonly #durationMs: number
  readonly #callers: AbortSignal | undefined
  readonly #abort = (): void => this.#attempt.abort(this.#callers?.reason)
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(durationMs: number, callers: AbortSignal | undefined) {
    this.#durationMs = durationMs
    this.#callers = callers
    callers?.addEventListener('abort', this.#abort, { once: true })
    this.start()
  }

  get signal(): AbortSignal {
    return this.#attempt.signal
  }

  start(): void {
    const reason = new DOMException(`no response within ${this.#durationMs} ms`, 'TimeoutError')
    this.#timer = setTimeout(() => this.#attempt.abort(reason), this.#durationMs)
  }

  /** While the caller works on what has arrived. */
  suspend(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.suspend()
    this.#callers?.removeEventListener('abort', this.#abort)
  }

  throwIfCallerAborted(): void {
    this.#callers?.throwIfAborted()
  }
}

/** One attempt. Throws only when the caller's signal is aborted; any other failure is a reply with status 0. */
export async function exchange(
  request: typeof fetch,
  url: string,
  { isStream, ...sent }: { headers: Headers; body: string; isStream: boolean },
  limit: TimeLimit,
): Promise<Reply> {
  let isOpen = false
  try {
    const response = await request(url, {
      ...sent,
      method: 'POST',
      // A redirect would turn the POST into a GET and could send the key to another server.
      redirect: 'manual',
      credentials: 'omit',
      signal: limit.signal,
    })
    const { headers } = response
    const status = response.type === 'opaqueredirect' ? 302 : response.status
    if (isStream && status === 200 && response.body !== null) {
      isOpen = true
      return { status, headers, chunks: chunksOf(response.body, limit) }
    }
    // Read within the attempt: a connection that breaks during the body is a failed attempt too.
    const text = await response.text()
    return { status, headers, body: parsed(text) }
  } catch (cause) {
    limit.throwIfCallerAborted()
    return { status: 0, cause }
  } finally {
    if (!isOpen) limit.end()
  }
}

/** The parts of a body as they arrive. The time limit applies to each of them. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  limit: TimeLimit,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      limit.suspend()
      if (done) return
      yield value
      limit.start()
    }
  } finally {
    limit.end()
    // A caller that stops early closes the connection. One that failed is closed already.
    await reader.cancel().catch(() => undefined)
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
