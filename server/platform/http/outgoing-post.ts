// Sends requests to addresses that a company has entered. Everything about them is limited: where they go, how long they take, how much of the response is read.
// Redirects are not followed.

import { Resolver } from 'node:dns/promises'
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { CutResponse, codeOf, readAll, readStart } from './outgoing-response.ts'
import { type AddressPolicy, literalOf } from './public-address.ts'

export type PostResult = {
  /** `undefined` without a response. */
  readonly status?: number
  /** Why there is no complete response, as a sentence without a period. */
  readonly error?: string
  /** The start of the response. */
  readonly response: string
  /** The value of Retry-After. */
  readonly retryAfter?: string | undefined
  readonly durationMs: number
}

export type Resolve = (hostname: string) => Promise<readonly string[]>

export type PostOptions = {
  readonly policy: AddressPolicy
  readonly timeoutMs: number
  /** For tests: the addresses of a name. Default: DNS. */
  readonly resolve?: Resolve
  /** Certificates of authorities that are trusted in addition; for tests. */
  readonly ca?: string
}

const idleMs = 4_000
/** Refused before anything was sent. */
export const addressRefused = 'The address is not allowed'

class AddressRefused extends Error {}

// Not dns.lookup(): it occupies a thread of a small pool for as long as a name server takes, and files and passwords need these threads too.
function resolveByDns(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  }
}

type Sent = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}
type FetchOptions = Omit<Sent, 'signal'> & { readonly signal: AbortSignal | undefined }

export class OutgoingPosts {
  readonly #options: PostOptions
  readonly #resolve: Resolve
  readonly #agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: idleMs, maxFreeSockets: 64 }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: idleMs, maxFreeSockets: 64 }),
  } as const

  constructor(options: PostOptions) {
    this.#options = options
    this.#resolve = options.resolve ?? resolveByDns()
  }

  /** Never throws. `signal` ends the request. */
  async post(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<PostResult> {
    const startedMs = performance.now()
    const { policy, timeoutMs } = this.#options
    const failed = (error: string): PostResult => ({ error, response: '', durationMs: since(startedMs) })
    // The policy may have changed since the URL was entered.
    if (policy.problemOf(address) !== undefined) return failed(addressRefused)
    const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    for (let attempt = 1; ; attempt++) {
      const reused = { isReused: false }
      try {
        const result = await this.#attempt(new URL(address), headers, body, ended, reused)
        return { ...result, durationMs: since(startedMs) }
      } catch (error) {
        // The receiver closed an idle connection while the request was being sent.
        if (attempt === 1 && reused.isReused && codeOf(error) === 'ECONNRESET' && !ended.aborted) continue
        return failed(ended.aborted ? `No complete response within ${timeoutMs / 1000} seconds` : reasonOf(error))
      }
    }
  }

  /** Like `fetch()`, for a library that is given it; it does not follow redirects. Throws. */
  async fetch(address: string, { method, headers, body, signal }: FetchOptions): Promise<Response> {
    const { policy, timeoutMs } = this.#options
    if (policy.problemOf(address) !== undefined) throw new AddressRefused()
    const timeout = AbortSignal.timeout(timeoutMs)
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    const { request, response } = await this.#open(new URL(address), { method, headers, body, signal: ended })
    try {
      const content = await readAll(response)
      const fields = Object.entries(response.headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      )
      const status = response.statusCode ?? 0
      return new Response(content.length === 0 ? null : content, { status, headers: fields })
    } catch (error) {
      request.destroy()
      throw error
    }
  }

  close(): void {
    this.#agents['http:'].destroy()
    this.#agents['https:'].destroy()
  }

  async #attempt(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
    reused: { isReused: boolean },
  ): Promise<Omit<PostResult, 'durationMs'>> {
    const { request, response } = await this.#open(url, { method: 'POST', headers, body, signal }, reused)
    try {
      const text = await readStart(response)
      // The rest of a long response is not read, so the connection cannot be used again.
      if (!response.complete) request.destroy()
      return { status: response.statusCode ?? 0, response: text, retryAfter: response.headers['retry-after'] }
    } catch (error) {
      if (signal.aborted || !(error instanceof CutResponse)) throw error
      return { status: response.statusCode ?? 0, response: error.text, error: error.message }
    }
  }

  #open(
    url: URL,
    sent: Sent,
    reused?: { isReused: boolean },
  ): Promise<{ request: ClientRequest; response: IncomingMessage }> {
    const isHttps = url.protocol === 'https:'
    const { method, headers, body, signal } = sent
    return new Promise((resolve, reject) => {
      const options = {
        method,
        headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent: this.#agents[isHttps ? 'https:' : 'http:'],
        lookup: this.#lookupFor(url),
        signal,
        ...(this.#options.ca === undefined ? {} : { ca: this.#options.ca }),
      }
      const request = (isHttps ? requestHttps : requestHttp)(url, options)
      request.on('error', (error) => {
        if (reused !== undefined) reused.isReused = request.reusedSocket
        reject(error)
      })
      request.on('response', (response) => resolve({ request, response }))
      request.end(body)
    })
  }

  /** Called by the socket itself: it connects to the addresses that were checked, and to no other. For a URL without a name it is not called. */
  #lookupFor(url: URL): LookupFunction {
    return (hostname, { all }, callback) => {
      this.#allowedAddresses(url, hostname).then(
        (addresses) => {
          const [first] = addresses
          if (all === true) callback(null, [...addresses])
          else if (first === undefined) callback(new AddressRefused(), '')
          else callback(null, first.address, first.family)
        },
        (error) => callback(error, ''),
      )
    }
  }

  async #allowedAddresses(url: URL, hostname: string) {
    if (literalOf(url) !== undefined) throw new AddressRefused()
    const found = await this.#resolve(hostname)
    // One that is not allowed is enough: the name could be used to reach it.
    if (found.length === 0 || found.some((address) => !this.#options.policy.allows(url, address)))
      throw new AddressRefused()
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

const since = (startedMs: number): number => Math.round(performance.now() - startedMs)

/** Never the text of an error of the operating system: it may contain addresses of internal networks. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return addressRefused
  const errors = error instanceof AggregateError ? error.errors : [error]
  if (errors.some((one) => one instanceof AddressRefused)) return addressRefused
  const code = codeOf(errors[0])
  if (/^(ENOTFOUND|ENODATA|ETIMEOUT|ESERVFAIL|EREFUSED|EAI_\w+)$/.test(code)) return 'The name cannot be resolved'
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/.test(code))
    return 'The connection was refused'
  if (/^(ECONNRESET|EPIPE)$/.test(code)) return 'The connection was closed before a response'
  if (/^HPE_/.test(code)) return 'The response is not valid HTTP'
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return 'The TLS connection failed'
  return 'The request failed'
}
