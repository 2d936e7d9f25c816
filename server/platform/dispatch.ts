// The public door: who calls, is there room, and what is answered when something goes wrong. A request's way is in visit.ts.

import type { Method } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import { failureText } from './answer.ts'
import type { Database } from './database.ts'
import { type Access, type Asked, type Door, type Owner, type Told, Unauthorized } from './door.ts'
import { isBusy, sqlState } from './faults.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { Admission, CompanyQueue } from './queue.ts'
import { Visit } from './visit.ts'

const rememberedKeys = 100_000

export class PublicDoor {
  readonly #database: Database
  readonly #methods: ReadonlyMap<string, Method>
  readonly #access: Access
  readonly #logger: Logger
  readonly #metrics: Metrics
  readonly #inside: Door
  readonly #admission: Admission
  /** A hint only, so that the count can travel with the rest: the count alone decides whether a key lives. */
  readonly #owners = new Map<string, Owner>()

  constructor(parts: {
    database: Database
    methods: readonly Method[]
    access: Access
    logger: Logger
    metrics: Metrics
    maxRequests: number
    maxCompanyRequests: number
  }) {
    this.#database = parts.database
    this.#methods = new Map(
      parts.methods.filter((method) => method.door === 'public').map((method) => [method.path, method]),
    )
    this.#access = parts.access
    this.#logger = parts.logger
    this.#metrics = parts.metrics
    this.#inside = {
      database: parts.database,
      methods: this.#methods,
      access: parts.access,
      queue: new CompanyQueue(),
      overLimit: new Map(),
      keysInProgress: new Set(),
      forgetKey: (hash) => this.#owners.delete(hash.toString('base64')),
      failed: (error, asked) => this.#failed(error, asked),
    }
    this.#admission = new Admission(parts.maxRequests, parts.maxCompanyRequests)
    parts.metrics.gauge('kontor_requests_under_way', 'Requests under way.', () => this.#admission.underWay)
  }

  /** The path as a label: unknown ones share one, so that strangers cannot make up metrics. */
  label(path: string): string {
    return this.#methods.has(path) ? path : 'unknown'
  }

  async answer(asked: Asked): Promise<Told> {
    try {
      const key = asked.authorization.trim()
      if (!this.#access.isWellFormed(key)) throw new Unauthorized()
      const hash = this.#access.hashOf(key)
      const owner = await this.#ownerOf(hash)
      return await this.#admission.run(owner.company_id, () => new Visit(this.#inside, asked, owner, hash).told())
    } catch (error) {
      return this.#failed(error, asked)
    }
  }

  async #ownerOf(hash: Buffer): Promise<Owner> {
    const name = hash.toString('base64')
    const known = this.#owners.get(name)
    if (known !== undefined) return known
    const flown = await this.#database.pool.use((connection) => connection.flight([this.#access.findKey(hash)]))
    const owner = flown.rows<Owner>(0)[0]
    if (owner === undefined) throw new Unauthorized()
    if (this.#owners.size >= rememberedKeys) this.#owners.clear()
    this.#owners.set(name, owner)
    return owner
  }

  #failed(error: unknown, asked: Asked): Told {
    if (error instanceof Unauthorized) return { status: 401, body: '', headers: {} }
    if (error instanceof Refusal) return { status: error.status, body: failureText(error.message), headers: {} }
    this.#metrics.faults.inc({ kind: sqlState(error) ?? (error instanceof Error ? error.name : 'unknown') })
    if (isBusy(error)) {
      this.#logger.warn({ err: error, requestId: asked.requestId }, 'busy')
      return { status: 503, body: failureText('Service is busy'), headers: { 'retry-after': '1' } }
    }
    this.#logger.error({ err: error, requestId: asked.requestId, method: this.label(asked.path) }, 'a request failed')
    return { status: 500, body: failureText('Internal error'), headers: {} }
  }
}
