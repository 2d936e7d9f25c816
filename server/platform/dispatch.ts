// The public door: who calls, is there room, and what is answered when something goes wrong. A request's way is in visit.ts.

import type { Method } from '../kernel/method.ts'
import type { Database } from './database.ts'
import { type Access, type Asked, type Door, type Owner, type Told, Unauthorized } from './door.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { Admission, CompanyQueue } from './queue.ts'
import { toldOf } from './told.ts'
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
    queue: CompanyQueue
    admission: Admission
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
      queue: parts.queue,
      overLimit: new Map(),
      keysInProgress: new Set(),
      forgetKey: (hash) => this.#owners.delete(hash.toString('base64')),
      failed: (error, asked) => this.#failed(error, asked),
    }
    this.#admission = parts.admission
  }

  /** The path as a label: unknown ones share one, so that strangers cannot make up metrics. */
  label(path: string): string {
    return this.#methods.has(path) ? path : 'unknown'
  }

  /** Whether a request with this key would be refused for want of room. Only keys that were seen before are known here. */
  isFullFor(authorization: string): boolean {
    if (!this.#admission.isTight) return false
    const owner = this.#owners.get(this.#access.hashOf(authorization.trim()).toString('base64'))
    return owner !== undefined && !this.#admission.hasRoom(owner.company_id)
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
    return toldOf(error, this.#logger, this.#metrics, { id: asked.requestId, method: this.label(asked.path) })
  }
}
