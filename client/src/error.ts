// The one error of the client: a call that was not answered with success.

export type KontorFailure = {
  readonly path: string
  readonly status: number
  readonly text: string
  readonly retryable: boolean
  readonly attempts: number
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly idempotencyKey?: string | undefined
  readonly cause?: unknown
}

export class KontorError extends Error {
  override readonly name = 'KontorError'
  /** The HTTP status, or 0 when no answer arrived. */
  readonly status: number
  /** The `error` text of the server as it was sent; empty when it sent none. */
  readonly text: string
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined
  /** True when the same call may succeed later without being changed, and was tried again until the attempts were used up. */
  readonly retryable: boolean
  /** How often the call was sent. */
  readonly attempts: number
  /** When the server says it may be asked again: after a pause when it is busy, at the day's end when the limit is reached. */
  readonly retryAfterSeconds: number | undefined
  /** The key that a writing call was sent with. Give it again to repeat the call without doing it twice. */
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
    this.requestId = failure.requestId
    this.retryable = failure.retryable
    this.attempts = attempts
    this.retryAfterSeconds = failure.retryAfterSeconds
    this.idempotencyKey = failure.idempotencyKey
  }
}

/** For answers that carry no text of their own. */
function reason(status: number): string {
  if (status === 0) return 'no answer arrived'
  if (status === 401) return 'the API key was not accepted'
  return status < 400 ? 'the answer is not that of a Kontor server' : 'no reason was given'
}
