// The public API: finds the owner of the key, limits concurrent requests, and answers failures. The lifecycle of a request is in public-request.ts.

import type { Method } from '../../kernel/method.ts'
import type { Database } from '../postgres/database.ts'
import type { Admission, CompanyQueue } from '../postgres/queue.ts'
import { maxBodyBytes } from '../process/config.ts'
import type { Logger } from '../process/logger.ts'
import type { MethodClass } from '../process/metric-table.ts'
import type { Metrics } from '../process/metrics.ts'
import { traceCompany } from '../process/request-trace.ts'
import { type AddressLimit, tooManyFromAddress } from './address-limit.ts'
import { type Body, unreadBody } from './bodies.ts'
import { failureResponse } from './failure-response.ts'
import { KeysInProgress } from './idempotency.ts'
import type { Planner } from './planning-thread.ts'
import { PublicRequestHandler } from './public-request.ts'
import { beginCount } from './quota.ts'
import {
  type Access,
  type ApiResponse,
  type Counted,
  KeyGone,
  type KnownKey,
  type Owner,
  type PublicApiContext,
  type PublicRequest,
  Unauthorized,
} from './request.ts'
import { refusedByScopeLimit } from './shared-failures.ts'
import { TokenBuckets } from './token-buckets.ts'
import type { DryRun } from './write-options.ts'

const maxCachedKeys = 100_000

export class PublicApi {
  readonly #database: Database
  readonly #methods: ReadonlyMap<string, Method>
  readonly #access: Access
  readonly #logger: Logger
  readonly #metrics: Metrics
  readonly #inside: PublicApiContext
  readonly #admission: Admission
  readonly #anonymousLimit: AddressLimit
  /**
   * Valid keys by the text of their hash; a key itself is never kept. A cache, so that the quota statement can be sent with the rest, and so that the
   * query of a request that the key may not make is not sent at all. Only the quota statement decides whether a key is valid.
   */
  readonly #keys = new Map<string, KnownKey>()
  /** Keys that are being looked up: requests with the same one wait for one lookup. */
  readonly #lookups = new Map<string, Promise<KnownKey | undefined>>()
  /** Invalid keys by the text of their hash: one that was refused often is looked up only now and then. */
  readonly #invalidKeys = new TokenBuckets<string>(refusedByScopeLimit.perSecond, refusedByScopeLimit.burst)

  constructor(parts: {
    database: Database
    methods: readonly Method[]
    access: Access
    dryRun: DryRun
    logger: Logger
    metrics: Metrics
    queue: CompanyQueue
    admission: Admission
    anonymousLimit: AddressLimit
    storageLimitMib: number
    onChange: (companyId: number) => void
    planner: Planner
  }) {
    this.#database = parts.database
    this.#methods = new Map(
      parts.methods.filter((method) => method.api === 'public').map((method) => [method.path, method]),
    )
    this.#access = parts.access
    this.#logger = parts.logger
    this.#metrics = parts.metrics
    this.#inside = {
      database: parts.database,
      methods: this.#methods,
      access: parts.access,
      dryRun: parts.dryRun,
      queue: parts.queue,
      overLimit: new Map(),
      storageLimitMib: parts.storageLimitMib,
      onChange: parts.onChange,
      planner: parts.planner,
      keysInProgress: new KeysInProgress(),
      refusedByScope: new TokenBuckets(refusedByScopeLimit.perSecond, refusedByScopeLimit.burst),
      forgetKey: (hash) => this.#keys.delete(hash.toString('base64')),
      countReached: (percent) => this.#metrics.quotaReached.inc({ percent }),
      countConnectionReached: () => this.#metrics.connectionLimitReached.inc(),
      failed: (error, request) => this.#failed(error, request),
    }
    this.#admission = parts.admission
    this.#anonymousLimit = parts.anonymousLimit
  }

  /** The path as a metric label: unknown paths share one, so that anonymous clients cannot create metrics. */
  label(path: string): string {
    return this.#methods.has(path) ? path : 'unknown'
  }

  /** The class of a method as a metric label. */
  classOf(path: string): MethodClass {
    return this.#methods.get(path)?.kind ?? 'unknown'
  }

  /** Whether a request with this key would be refused for lack of capacity. Only cached keys are considered. */
  isFullFor(authorization: string): boolean {
    if (!this.#admission.isTight) return false
    const known = this.#keys.get(this.#access.hashTextOf(authorization.trim()))
    return known !== undefined && !this.#admission.hasRoom(known.owner.company_id)
  }

  async answer(request: PublicRequest): Promise<ApiResponse> {
    try {
      const key = request.authorization.trim()
      if (!this.#access.isWellFormed(key)) throw this.#anonymousError(request)
      const hashText = this.#access.hashTextOf(key)
      const known = this.#keys.get(hashText) ?? (await this.#findKey(hashText, request))
      const { owner } = known
      traceCompany(owner.company_id)
      // Read before admission, so that slow senders do not use up capacity.
      const isRead = !request.isForeign && request.isPost && this.#methods.has(request.path)
      const body = isRead ? await request.body(owner.company_id, maxBodyBytes) : unreadBody
      try {
        return await this.#respond(request, known, body)
      } catch (error) {
        if (!(error instanceof KeyGone)) throw error
        // The keys of a test company move to its next copy.
        const moved = await this.#lookUp(hashText)
        if (moved === undefined || moved.owner.company_id === owner.company_id) throw error
        return await this.#respond(request, moved, body)
      } finally {
        body.release()
      }
    } catch (error) {
      return this.#failed(error, request)
    }
  }

  async #respond(request: PublicRequest, key: KnownKey, body: Body): Promise<ApiResponse> {
    const handler = new PublicRequestHandler(this.#inside, request, key, body)
    return await this.#admission.run(key.owner.company_id, () => handler.respond())
  }

  async #findKey(hashText: string, request: PublicRequest): Promise<KnownKey> {
    // Each invalid key costs database queries.
    if (this.#anonymousLimit.isUsedUp(request.address)) throw tooManyFromAddress()
    if (this.#invalidKeys.isUsedUp(hashText)) throw this.#anonymousError(request)
    const key = await (this.#lookups.get(hashText) ?? this.#beginLookup(hashText))
    if (key === undefined) throw this.#anonymousError(request)
    return key
  }

  #beginLookup(hashText: string): Promise<KnownKey | undefined> {
    const lookup = this.#lookUp(hashText).finally(() => this.#lookups.delete(hashText))
    this.#lookups.set(hashText, lookup)
    return lookup
  }

  async #lookUp(hashText: string): Promise<KnownKey | undefined> {
    const hash = Buffer.from(hashText, 'base64')
    const trip = await this.#database.pool.use((connection) => connection.roundTrip([this.#access.findKey(hash)]))
    const owner = trip.rows<Owner>(0)[0]
    const scope = owner === undefined ? undefined : await this.#readScope(owner, hash)
    if (owner === undefined || scope === undefined) {
      this.#invalidKeys.take(hashText)
      return undefined
    }
    if (this.#keys.size >= maxCachedKeys) this.#keys.clear()
    const key = { hash, owner, scope }
    this.#keys.set(hashText, key)
    return key
  }

  /** What the key may do; `undefined` if its connection has expired. */
  async #readScope({ company_id: companyId }: Owner, hash: Buffer): Promise<Counted | undefined> {
    const read = this.#access.readKey(companyId, hash)
    const trip = await this.#database.pool.useFor(companyId, (connection) =>
      connection.roundTrip([beginCount(companyId), read, 'commit']),
    )
    if (trip.error !== undefined) throw trip.error
    return trip.rows<Counted>(1)[0]
  }

  /** Requests without a valid key are limited by address. */
  #anonymousError({ address }: PublicRequest): Error {
    return this.#anonymousLimit.take(address) ? new Unauthorized() : tooManyFromAddress()
  }

  #failed(error: unknown, request: PublicRequest): ApiResponse {
    return failureResponse(error, this.#logger, this.#metrics, {
      id: request.requestId,
      api: 'public',
      method: this.label(request.path),
    })
  }
}
