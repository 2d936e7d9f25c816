// The way of a request of a known key, as one list: count → origin → limit → method → POST → body → the method's own rules.
// The count travels in the same flight as the rest, so checks run out of order where nothing is written, and the first in the order
// of the list answers.

import type { Call } from '../kernel/clock.ts'
import { type Raw, readBody } from '../kernel/json.ts'
import type { Method } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import { answerText } from './answer.ts'
import { type Asked, type Counted, type Door, type Owner, type Told, Unauthorized } from './door.ts'
import { type Idempotency, longestIdempotencyKey, requestHash } from './idempotency.ts'
import { now } from './now.ts'
import { type Gate, type Outcome, runGate, runRead, runSettings, runWrite } from './run.ts'
import { openList } from './stream.ts'

/** One request of a known key. */
export class Visit {
  readonly #door: Door
  readonly #asked: Asked
  readonly #owner: Owner
  readonly #hash: Buffer
  readonly #call: Call
  readonly #gate: Gate
  #counted: Counted | undefined
  #bytes: Uint8Array = new Uint8Array()
  #raw: Raw = {}

  constructor(door: Door, asked: Asked, owner: Owner, hash: Buffer) {
    this.#door = door
    this.#asked = asked
    this.#owner = owner
    this.#hash = hash
    this.#call = {
      companyId: owner.company_id,
      connectionId: owner.connection_id,
      userId: null,
      requestId: asked.requestId,
      source: 'api',
    }
    const time = now()
    this.#gate = {
      statement: this.#door.access.countRequest(owner.company_id, hash, time),
      judge: (rows) => this.#judge(rows as readonly Counted[]),
      undo: {
        statement: this.#door.access.uncountRequest(owner.company_id, time),
        done: () => {
          this.#counted = undefined
        },
      },
    }
  }

  async told(): Promise<Told> {
    let told: Told
    try {
      told = await this.#serve()
    } catch (error) {
      told = this.#door.failed(error, this.#asked)
    }
    if (this.#counted === undefined) return told
    this.#log(told)
    return { ...told, headers: { ...told.headers, ...rateLimit(this.#counted) } }
  }

  /** Reads the count: who is out, and who is over the limit. A foreign browser is turned away before its limit is looked at. */
  #judge(rows: readonly Counted[]): void {
    const counted = rows[0]
    if (counted === undefined) {
      this.#door.forgetKey(this.#hash)
      throw new Unauthorized()
    }
    this.#counted = counted
    if (this.#asked.isForeign) throw new Unauthorized()
    const { company_id: companyId } = this.#owner
    if (counted.used <= counted.daily_limit) {
      this.#door.overLimit.delete(companyId)
      return
    }
    this.#door.overLimit.set(companyId, Date.now() + counted.reset_seconds * 1000)
    throw new Refusal('Daily connections limit reached', 429)
  }

  async #serve(): Promise<Told> {
    const method = this.#door.methods.get(this.#asked.path)
    try {
      if (this.#asked.isForeign) throw new Unauthorized()
      if (method === undefined) throw new Refusal('Unknown method', 404)
      if (!this.#asked.isPost) throw new Refusal('Method not allowed. Use POST', 405)
      const bytes = await this.#asked.body()
      if (bytes === undefined) throw new Refusal('Request body is too large', 413)
      this.#bytes = bytes
      this.#raw = readBody(bytes)
    } catch (refused) {
      // Whatever is wrong with the request, it counts.
      await this.#count()
      const told = this.#door.failed(refused, this.#asked)
      return told.status === 405 ? { ...told, headers: { allow: 'POST' } } : told
    }
    const gate = (this.#door.overLimit.get(this.#owner.company_id) ?? 0) > Date.now() ? await this.#count() : this.#gate
    return method.kind === 'read' ? await this.#read(method, gate) : await this.#write(method, gate)
  }

  async #count(): Promise<undefined> {
    await runGate(this.#door.database.pool, this.#owner.company_id, this.#gate)
    return undefined
  }

  /** The checked input, or its refusal. A refusal is looked at again with the company's settings, which may refuse earlier. */
  async #input(method: Method, gate: Gate | undefined): Promise<{ input: unknown; gate: Gate | undefined }> {
    const raw = this.#raw
    try {
      return { input: method.input.read(raw), gate }
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused
      const { company_id: companyId } = this.#owner
      const settings = await runSettings(
        this.#door.database.pool,
        companyId,
        gate,
        this.#door.access.findSettings(companyId),
      )
      try {
        return { input: method.input.read(raw, settings), gate: undefined }
      } catch (again) {
        if (!(again instanceof Refusal)) throw again
        return { input: again, gate: undefined }
      }
    }
  }

  async #read(method: Method & { kind: 'read' }, countWith: Gate | undefined): Promise<Told> {
    const { input, gate } = await this.#input(method, countWith)
    if (input instanceof Refusal) throw input
    const list = method.stream?.(input, this.#call)
    if (list === undefined) {
      const answer = await runRead(this.#door.database.pool, method, input, this.#call, gate)
      return { status: 200, body: answerText(answer), headers: {} }
    }
    // Counted when a connection is there for it: a list that there is no room for does not count.
    const admit = async () => {
      if (gate !== undefined) await this.#count()
    }
    const body = await openList(this.#door.database.streams, this.#owner.company_id, list, admit)
    return { status: 200, body, headers: {} }
  }

  async #write(method: Method & { kind: 'write' }, countWith: Gate | undefined): Promise<Told> {
    const { company_id: companyId } = this.#owner
    const idempotency = await this.#idempotency(method, countWith)
    const { input, gate } = await this.#input(method, countWith)
    if (input instanceof Refusal && idempotency === undefined) throw input
    const name = idempotency === undefined ? undefined : `${companyId} ${idempotency.key}`
    if (name !== undefined && this.#door.keysInProgress.has(name)) {
      if (gate !== undefined) await this.#count()
      throw new Refusal('A request with this Idempotency-Key is in progress', 409)
    }
    if (name !== undefined) this.#door.keysInProgress.add(name)
    try {
      const run = () => runWrite(this.#door.database.pool, method, input, this.#call, gate, idempotency)
      return writtenTold(await this.#door.queue.run(companyId, run))
    } finally {
      if (name !== undefined) this.#door.keysInProgress.delete(name)
    }
  }

  async #idempotency(method: Method, gate: Gate | undefined): Promise<Idempotency | undefined> {
    const key = this.#asked.idempotencyKey
    if (key === undefined) return undefined
    if (key === '' || key.length > longestIdempotencyKey) {
      if (gate !== undefined) await this.#count()
      throw new Refusal('Invalid Idempotency-Key')
    }
    return { key, requestHash: requestHash(method.path, this.#bytes) }
  }

  #log(told: Told): void {
    const streamed = typeof told.body !== 'string'
    this.#door.access.log({
      companyId: this.#owner.company_id,
      connectionId: this.#owner.connection_id,
      at: this.#asked.at,
      requestId: this.#asked.requestId,
      method: this.#asked.path.slice(0, 100),
      status: told.status,
      durationMs: Date.now() - this.#asked.at.getTime(),
      error: told.status < 400 || streamed || told.body === '' ? null : (JSON.parse(told.body as string).error ?? null),
      request: Buffer.from(this.#bytes.subarray(0, 20_000)).toString('utf8'),
      answer: streamed ? '(a list without limit)' : (told.body as string),
    })
  }
}

const writtenTold = (outcome: Outcome): Told => ({
  status: outcome.status,
  body: outcome.body,
  headers: outcome.replayed === true ? { 'idempotent-replayed': 'true' } : {},
})

const rateLimit = (counted: Counted): Record<string, string> => ({
  'ratelimit-limit': String(counted.daily_limit),
  'ratelimit-remaining': String(Math.max(0, counted.daily_limit - counted.used)),
  'ratelimit-reset': String(counted.reset_seconds),
})
