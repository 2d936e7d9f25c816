// The one error class of the client: a call that did not succeed.

export type KontorFailure = {
  readonly path: string
  readonly status: number
  readonly text: string
  readonly code?: string | undefined
  readonly retryable: boolean
  readonly attempts: number
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly idempotencyKey?: string | undefined
  readonly cause?: unknown
}

export class KontorError extends Error {
  override readonly name = 'KontorError'
  /** The HTTP status, or 0 when no response arrived. */
  readonly status: number
  /** The `error` text of the server as it was sent; empty when it sent none. */
  readonly text: string
  /** The kind of the error, such as `feed_restarted`: the reference lists them. */
  readonly code: string | undefined
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** True when the same call may succeed later without being changed; all attempts were used up. */
  readonly retryable: boolean
  /** How often the call was sent. */
  readonly attempts: number
  /** Seconds to wait before trying again: a pause when the server is busy, the rest of the day when the limit is reached. */
  readonly retryAfterSeconds: number | undefined
  /** The key that a write was sent with. Pass it again to repeat the call without doing it twice. */
  readonly idempotencyKey: string | undefined
  readonly path: string

  constructor(failure: KontorFailure) {
    const { path, status, text, attempts, cause } = failure
    super(
      `${path}: ${status === 0 ? '' : `${status} `}${text !== '' ? text : reason(status)} (attempts: ${attempts})`,
      {
        ...(cause === undefined ? {} : { cause }),
      },
    )
    this.path = path
    this.status = status
    this.text = text
    this.code = failure.code
    this.requestId = failure.requestId
    this.retryable = failure.retryable
    this.attempts = attempts
    this.retryAfterSeconds = failure.retryAfterSeconds
    this.idempotencyKey = failure.idempotencyKey
  }
}

/** For responses without an error text. */
function reason(status: number): string {
  if (status === 0) return 'no response arrived'
  if (status === 401) return 'the API key was not accepted'
  return status < 400 ? 'the response is not from a Kontor server' : 'no reason was given'
}
