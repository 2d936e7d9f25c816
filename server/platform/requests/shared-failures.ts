// The failures common to all methods, for generated documents. shared-failures.test.ts compares the texts with a running server.

import type { PublicCode } from '../../kernel/refusal.ts'

export type Failure = {
  readonly status: number
  readonly title: string
  /** Each exact text with its code and its cause. The text is empty in a response without a body. */
  readonly texts: readonly { readonly text: string; readonly code: PublicCode; readonly when: string }[]
  readonly when: string
  /** Only for methods that change something. */
  readonly writesOnly?: true
  /** Never the response to a POST to a documented path. */
  readonly addressOnly?: true
}

/** Refusals of the body, before a method's own rules. */
export const bodyRefusals = [
  {
    text: 'Request body is not valid JSON',
    code: 'body_not_json',
    when: 'the body is not UTF-8, not JSON, or nested more than 32 levels deep',
  },
  {
    text: 'Request body must be a JSON object',
    code: 'body_not_an_object',
    when: 'the body is JSON, but neither an object nor an empty array',
  },
] as const

/** Refusals of the headers that only methods that write accept. */
export const headerRefusals = [
  {
    text: 'Invalid Idempotency-Key',
    code: 'idempotency_key_invalid',
    when: 'the `Idempotency-Key` header is empty or longer than 255 characters',
  },
  {
    text: 'Invalid Kontor-Dry-Run. Must be true or false',
    code: 'dry_run_invalid',
    when: 'the `Kontor-Dry-Run` header has another value than true, 1, false or 0',
  },
] as const

export const badRequest: Failure = {
  status: 400,
  title: 'Bad request',
  when: 'a required field is missing, a value is invalid, or a record is not found',
  texts: [...bodyRefusals, ...headerRefusals],
}

/** How many requests that its key may not make a connection may send: by second, and at once. */
export const refusedByScopeLimit = { perSecond: 5, burst: 300 }

/** What a connection may be limited to: see the scope of a key. */
const keyRefusals = [
  {
    text: 'This key may not be used from this address',
    code: 'key_forbids_address',
    when: 'the address of the caller is in none of the networks of the connection',
  },
  {
    text: 'This key may not call <section>/<method>',
    code: 'key_forbids_method',
    when: 'the connection may only read and the method writes, or the section is not one of those of the connection; every key may call company/get',
  },
] as const

export const sharedFailures: readonly Failure[] = [
  {
    status: 401,
    title: 'Unauthorized',
    when: 'the API key is missing or invalid, the last day of its connection is over, or a browser sent the request from another origin; the body is empty',
    texts: [
      {
        text: '',
        code: 'unauthorized',
        when: 'the API key is missing or invalid, the last day of its connection is over, or a browser sent the request from another origin',
      },
    ],
  },
  {
    status: 403,
    title: 'Forbidden',
    when: 'the connection of the key does not allow this request; sending it again does not help',
    texts: keyRefusals,
  },
  {
    status: 403,
    title: 'Forbidden write',
    when: 'the connection of the key does not allow this request, or the company has used up its storage; sending it again does not help before that is changed',
    texts: [
      ...keyRefusals,
      { text: 'Storage limit reached', code: 'storage_full', when: 'the company has used up its storage' },
    ],
    writesOnly: true,
  },
  {
    status: 404,
    title: 'Unknown method',
    when: 'no method has this address',
    texts: [{ text: 'Unknown method', code: 'unknown_method', when: 'no method has this address' }],
  },
  {
    status: 405,
    title: 'Method not allowed',
    when: 'the request is not a POST',
    texts: [{ text: 'Method not allowed. Use POST', code: 'post_required', when: 'the request is not a POST' }],
    addressOnly: true,
  },
  {
    status: 409,
    title: 'Conflict',
    when: 'the `Idempotency-Key` cannot be used for this request',
    texts: [
      {
        text: 'Idempotency-Key was used with another request',
        code: 'idempotency_key_reused',
        when: 'the key was sent before, with another body or another method',
      },
      {
        text: 'A request with this Idempotency-Key is in progress',
        code: 'idempotency_key_in_progress',
        when: 'the first request with this key has not been answered yet',
      },
    ],
    writesOnly: true,
  },
  {
    status: 413,
    title: 'Body too large',
    when: 'the body is larger than 8 MiB or holds more than 200,000 values or too many different fields',
    texts: [
      {
        text: 'Request body is too large',
        code: 'body_too_large',
        when: 'the body is larger than 8 MiB or holds more than 200,000 values or too many different fields',
      },
    ],
  },
  {
    status: 429,
    title: 'Too many requests',
    when: 'the company or the connection has used up its requests of the day, or a connection sent too many requests that its key may not make; `Retry-After` contains the seconds to wait',
    texts: [
      {
        text: 'Daily connections limit reached',
        code: 'daily_limit_reached',
        when: 'the company has used up its requests of the day',
      },
      {
        text: 'Daily limit of this connection reached',
        code: 'connection_limit_reached',
        when: 'the connection has used up the requests of the day that its settings allow; other connections of the company go on',
      },
      {
        text: 'Too many requests',
        code: 'too_many_requests',
        when: `a connection sent more than ${refusedByScopeLimit.burst} requests that its key may not make, and more than ${refusedByScopeLimit.perSecond} a second since`,
      },
    ],
  },
  {
    status: 500,
    title: 'Internal error',
    when: 'the server failed; whether a change was made is not known without an `Idempotency-Key`',
    texts: [{ text: 'Internal error', code: 'internal_error', when: 'the server failed' }],
  },
  {
    status: 503,
    title: 'Busy',
    when: 'the server cannot process the request now, or processing took too long; `Retry-After` contains the seconds to wait. The request was counted only if the response has the `RateLimit` headers',
    texts: [{ text: 'Service is busy', code: 'busy', when: 'the server cannot process the request now' }],
  },
]

/** A check of a request, with the codes of its refusals. */
type Check = { readonly check: string; readonly codes: readonly PublicCode[] }

/** The checks of PublicRequestHandler, in their order. order-of-checks.test.ts sends requests that fail each of them and all later ones. */
export const checks: readonly Check[] = [
  { check: 'the key, and the last day of its connection', codes: ['unauthorized'] },
  { check: 'the request is counted for the connection and, up to its limit, for the company', codes: [] },
  { check: 'no browser on another origin', codes: ['unauthorized'] },
  {
    check: 'the daily limits of the company and of the connection',
    codes: ['daily_limit_reached', 'connection_limit_reached'],
  },
  { check: 'the address is in one of the networks of the connection', codes: ['key_forbids_address'] },
  { check: 'the method exists', codes: ['unknown_method'] },
  { check: 'the connection may call the method: it may write, and in this section', codes: ['key_forbids_method'] },
  { check: 'the request is a POST', codes: ['post_required'] },
  {
    check:
      'the body: at most 8 MiB, UTF-8, JSON nested at most 32 deep with at most 200,000 values and 1,000 fields in one object, an object',
    codes: ['body_too_large', 'body_not_json', 'body_not_an_object'],
  },
  { check: 'a method that writes: the headers', codes: ['dry_run_invalid', 'idempotency_key_invalid'] },
]
