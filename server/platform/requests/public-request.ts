// The lifecycle of a request with a known key, in this order: count → origin → limit → network → method → scope → POST → body → the method's own rules.
// The request is counted in the same round trip as the rest, so checks run out of order as long as nothing is written; the first failure
// in this order determines the response. Long because the checks of a request share its state.

import type { RequestContext } from '../../kernel/clock.ts'
import { isSearch } from '../../kernel/filters.ts'
import type { Raw } from '../../kernel/json.ts'
import { isInScope, type KeyScope, maySeeStock } from '../../kernel/key-scope.ts'
import type { Method } from '../../kernel/method.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { inStep } from '../process/event-loop.ts'
import { isInNetworks } from '../process/network.ts'
import { countingMs, nowMs } from '../process/now.ts'
import type { Body } from './bodies.ts'
import { isDryRun } from './dry-run.ts'
import { withSentLine } from './error-headers.ts'
import { withoutHidden } from './hidden-money.ts'
import { type Idempotency, ownerOfKey, readIdempotency } from './idempotency.ts'
import { ignoredFields, ignoredFieldsHeaders } from './ignored-fields.ts'
import { openRead } from './list-stream.ts'
import { type QuotaCheck, runQuotaCheck, runSettings } from './quota.ts'
import {
  type ApiResponse,
  type Counted,
  KeyGone,
  type KnownKey,
  type Owner,
  type PublicApiContext,
  type PublicRequest,
  Unauthorized,
} from './request.ts'
import { type Outcome, runWrite } from './run.ts'
import type { DryRun } from './write-options.ts'

/** One request with a known key. */
export class PublicRequestHandler {
  readonly #api: PublicApiContext
  readonly #request: PublicRequest
  readonly #key: KnownKey
  readonly #body: Body
  readonly #context: RequestContext
  readonly #quota: QuotaCheck
  #counted: Counted | undefined
  #raw: Raw = {}

  constructor(api: PublicApiContext, request: PublicRequest, key: KnownKey, body: Body) {
    const { owner, hash } = key
    this.#api = api
    this.#request = request
    this.#key = key
    this.#body = body
    this.#context = {
      companyId: owner.company_id,
      connectionId: owner.connection_id,
      userId: null,
      requestId: request.requestId,
      source: 'api',
    }
    this.#quota = {
      statement: this.#api.access.countRequest(owner.company_id, hash),
      check: (rows) => this.#checkCount(rows as readonly Counted[]),
    }
  }

  get #owner(): Owner {
    return this.#key.owner
  }

  /** Throws only if the key is gone; nothing was done then. */
  async respond(): Promise<ApiResponse> {
    let response: ApiResponse
    try {
      response = await this.#serve()
    } catch (error) {
      if (error instanceof KeyGone) throw error
      response = this.#api.failed(error, this.#request)
    }
    if (this.#counted === undefined) return response
    if (this.#counted.hides_costs) response = { ...response, body: withoutHidden('costs', response.body) }
    const { company_id: companyId, connection_id: connectionId } = this.#owner
    this.#api.access.noteUse(companyId, connectionId, this.#request.at, this.#request.address)
    const method = this.#api.methods.get(this.#request.path)
    const ignored = method === undefined ? [] : ignoredFields(method, this.#raw)
    this.#log(response, ignored)
    const headers = {
      ...withSentLine(response.headers, this.#raw),
      ...ignoredFieldsHeaders(ignored),
      ...rateLimit(this.#counted),
    }
    return { ...response, headers }
  }

  /** Evaluates the count: an invalid key, or a company over its limit. A request from another origin is refused before the limit is checked. */
  #checkCount(rows: readonly Counted[]): void {
    const counted = this.#keep(rows)
    if (this.#request.isForeign) throw new Unauthorized()
    this.#countReached(counted)
    this.#checkLimits(counted)
    for (const limited of this.#limited) this.#api.overLimit.delete(limited)
    this.#checkScope(counted)
  }

  /** What has a daily limit, as keys of `overLimit`: the company and the connection. */
  get #limited(): readonly [company: string, connection: string] {
    const { company_id: companyId, connection_id: connectionId } = this.#owner
    return [String(companyId), `${companyId} ${connectionId}`]
  }

  #checkLimits({
    used,
    daily_limit: limit,
    counted,
    connection_limit: ownLimit,
    reset_seconds: seconds,
  }: Counted): void {
    const [company, connection] = this.#limited
    const until = countingMs() + seconds * 1000
    if (used > limit) {
      this.#api.overLimit.set(company, until)
      throw new Refusal('Daily connections limit reached', { code: 'daily_limit_reached' }, Math.max(1, seconds))
    }
    if (ownLimit !== null && counted > ownLimit) {
      this.#api.overLimit.set(connection, until)
      throw new Refusal(
        'Daily limit of this connection reached',
        { code: 'connection_limit_reached' },
        Math.max(1, seconds),
      )
    }
  }

  /** Remembers the count and what the key may do. No row: the key is not valid any more. */
  #keep([counted]: readonly Counted[]): Counted {
    if (counted === undefined) {
      this.#api.forgetKey(this.#key.hash)
      throw new KeyGone()
    }
    this.#counted = counted
    this.#key.scope = counted
    return counted
  }

  /** Whether the key may make this request, as far as the process remembers. */
  #isAllowed(method: Method | undefined): boolean {
    const { scope } = this.#key
    return (
      (scope.expires_at_ms === null || nowMs() < scope.expires_at_ms) &&
      isInNetworks(scope, this.#request.address) &&
      (method === undefined || isInScope(scope, method))
    )
  }

  /**
   * Refuses a request that the key may not make: before its query is sent, so that neither its duration nor its cost depends on what the query would
   * find, and without counting it for the company. What the key may do is read again, because it may have changed; then this returns.
   */
  async #refuseByScope(): Promise<void> {
    const { company_id: companyId, connection_id: connectionId } = this.#owner
    if (!this.#api.refusedByScope.take(`${companyId} ${connectionId}`))
      throw new Refusal('Too many requests', { code: 'too_many_requests' }, 1)
    const read = this.#api.access.readKey(companyId, this.#key.hash)
    await runQuotaCheck(this.#api.database.pool, companyId, {
      statement: read,
      check: (rows) => {
        const found = this.#keep(rows as readonly Counted[])
        // As if this request were counted.
        this.#checkLimits({ ...found, used: found.used + 1, counted: found.counted + 1 })
        this.#checkScope(found)
      },
    })
  }

  /** What the key may do comes from the database with every count: a cached key has no rights of its own. */
  #checkScope(scope: KeyScope): void {
    if (!isInNetworks(scope, this.#request.address))
      throw new Refusal('This key may not be used from this address', { code: 'key_forbids_address' })
    const method = this.#api.methods.get(this.#request.path)
    if (method !== undefined && !isInScope(scope, method))
      throw new Refusal(`This key may not call ${method.path}`, { code: 'key_forbids_method' })
  }

  /** Exactly one request of a day has each number, in whichever process it is counted. */
  #countReached({ used, daily_limit: limit, counted, connection_limit: ownLimit }: Counted): void {
    if (ownLimit !== null && counted > ownLimit) {
      if (counted === ownLimit + 1) this.#api.countConnectionReached()
      return
    }
    if (used === Math.ceil((limit * 4) / 5)) this.#api.countReached('80')
    if (used === limit + 1) this.#api.countReached('100')
  }

  async #serve(): Promise<ApiResponse> {
    const method = this.#api.methods.get(this.#request.path)
    if (!this.#request.isForeign && !this.#isAllowed(method)) await this.#refuseByScope()
    try {
      if (this.#request.isForeign) throw new Unauthorized()
      if (method === undefined) throw new Refusal('Unknown method', { code: 'unknown_method' })
      if (!this.#request.isPost) throw new Refusal('Method not allowed. Use POST', { code: 'post_required' })
      if (this.#body.content instanceof Refusal) throw this.#body.content
      this.#raw = this.#body.content
    } catch (refused) {
      // An invalid request counts, too.
      await this.#count()
      const response = this.#api.failed(refused, this.#request)
      return response.status === 405 ? { ...response, headers: { ...response.headers, allow: 'POST' } } : response
    }
    const isOver = this.#limited.some((one) => (this.#api.overLimit.get(one) ?? 0) > countingMs())
    const quota = isOver ? await this.#count() : this.#quota
    return method.kind === 'read' ? await this.#read(method, quota) : await this.#write(method, quota)
  }

  async #count(): Promise<undefined> {
    await runQuotaCheck(this.#api.database.pool, this.#owner.company_id, this.#quota)
    return undefined
  }

  /** The checked input, or its refusal. After a refusal the input is checked again with the company's settings, which may refuse earlier. */
  async #input(
    method: Method,
    quota: QuotaCheck | undefined,
  ): Promise<{ input: unknown; quota: QuotaCheck | undefined }> {
    const raw = this.#raw
    try {
      return { input: await inStep('input', () => method.input.read(raw)), quota }
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused
      const { company_id: companyId } = this.#owner
      const settings = await runSettings(
        this.#api.database.pool,
        companyId,
        quota,
        this.#api.access.findSettings(companyId),
      )
      try {
        return { input: method.input.read(raw, settings), quota: undefined }
      } catch (again) {
        if (!(again instanceof Refusal)) throw again
        return { input: again, quota: undefined }
      }
    }
  }

  async #read(method: Method & { kind: 'read' }, countWith: QuotaCheck | undefined): Promise<ApiResponse> {
    const { input, quota } = await this.#input(method, countWith)
    if (input instanceof Refusal) throw input
    const options = { signal: this.#request.signal, isSearch: isSearch(this.#raw) }
    const body = await openRead(this.#api.database, method, input, this.#context, quota, options)
    return { status: 200, body, headers: {} }
  }

  async #write(method: Method & { kind: 'write' }, countWith: QuotaCheck | undefined): Promise<ApiResponse> {
    const { company_id: companyId } = this.#owner
    const { idempotency, dryRun } = await this.#writeHeaders(method, countWith)
    const { input, quota } = await this.#input(method, countWith)
    if (input instanceof Refusal && idempotency === undefined) throw input
    const run = () =>
      runWrite(this.#api.database.pool, method, input, this.#context, quota, idempotency, {
        dryRun,
        storageLimitMib: this.#api.storageLimitMib,
        onChange: this.#api.onChange,
        planner: this.#api.planner,
        bodyLength: this.#body.bytes.length,
      })
    return await this.#api.keysInProgress.run(
      companyId,
      idempotency,
      async () => writeResponse(await this.#api.queue.run(companyId, run)),
      async () => (quota === undefined ? undefined : await this.#count()),
    )
  }

  /** A dry run stores nothing, so it ignores the Idempotency-Key. */
  async #writeHeaders(
    method: Method,
    quota: QuotaCheck | undefined,
  ): Promise<{ readonly idempotency?: Idempotency; readonly dryRun?: DryRun }> {
    const { dryRun, idempotencyKey: key } = this.#request
    try {
      if (isDryRun(dryRun)) return { dryRun: this.#dryRun() }
      if (key === undefined) return {}
      return { idempotency: readIdempotency(key, ownerOfKey(this.#context), method.path, this.#body.bytes) }
    } catch (refused) {
      if (quota !== undefined) await this.#count()
      throw refused
    }
  }

  /** Levels of stock are shown only to keys that may read them. */
  #dryRun(): DryRun {
    const { effectOf, responseOf } = this.#api.dryRun
    return {
      effectOf,
      responseOf: (effect, fields, created) =>
        responseOf(maySeeStock(this.#counted ?? this.#key.scope) ? effect : undefined, fields, created),
    }
  }

  #log(response: ApiResponse, ignored: readonly string[]): void {
    const streamed = typeof response.body !== 'string'
    this.#api.access.log({
      companyId: this.#owner.company_id,
      connectionId: this.#owner.connection_id,
      at: this.#request.at,
      requestId: this.#request.requestId,
      method: this.#request.path.slice(0, 100),
      status: response.status,
      durationMs: performance.now() - this.#request.startedMs,
      error:
        response.status < 400 || streamed || response.body === ''
          ? null
          : (JSON.parse(response.body as string).error ?? null),
      request: textOf(this.#body.bytes.subarray(0, loggedBytes)),
      answer: streamed ? '(a long list)' : (response.body as string),
      ignoredFields: ignored,
    })
  }
}

/** More than the log keeps. */
const loggedBytes = 20_000
const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('utf8')

const writeResponse = (outcome: Outcome): ApiResponse => ({
  status: 200,
  body: outcome.body,
  headers: outcome.replayed === true ? { 'idempotent-replayed': 'true' } : {},
})

const rateLimit = (counted: Counted): Record<string, string> => ({
  'ratelimit-limit': String(counted.daily_limit),
  'ratelimit-remaining': String(Math.max(0, counted.daily_limit - counted.used)),
  'ratelimit-reset': String(counted.reset_seconds),
  ...(counted.connection_limit === null
    ? {}
    : {
        'kontor-connection-limit': String(counted.connection_limit),
        'kontor-connection-remaining': String(Math.max(0, counted.connection_limit - counted.counted)),
      }),
})
