// Records the workshop's history through the methods themselves, as its users and its web shop would have: the same checks, plans
// and ledger, only with an earlier time. Requests with a key are in the request log as well.

import { randomBytes } from 'node:crypto'
import { noLogBudget, RequestLog } from '../../server/access/request-log.ts'
import type { RequestContext } from '../../server/kernel/clock.ts'
import type { Raw } from '../../server/kernel/json.ts'
import type { Method, WriteMethod } from '../../server/kernel/method.ts'
import { Refusal } from '../../server/kernel/refusal.ts'
import { methods } from '../../server/methods.ts'
import type { Pool } from '../../server/platform/postgres/database.ts'
import type { Logger } from '../../server/platform/process/logger.ts'
import { ignoredFields } from '../../server/platform/requests/ignored-fields.ts'
import { failureText, responseText } from '../../server/platform/requests/response-text.ts'
import { runRead, runWrite } from '../../server/platform/requests/run.ts'
import type { Dice } from '../random.ts'

/** The actor: a user of the screens, or a connection with its key. */
export type Hand = { readonly userId: number } | { readonly connectionId: number }

export type Answered = Readonly<Record<string, unknown>>

const byPath: ReadonlyMap<string, Method> = new Map(methods.map((method) => [method.path, method]))

export class Books {
  readonly #pool: Pool
  readonly #companyId: number
  readonly #log: RequestLog
  /** Earlier requests are no longer in the log. */
  readonly #loggedSince: string
  readonly #dice: Dice
  writes = 0

  constructor(pool: Pool, companyId: number, logger: Logger, loggedSince: string, dice: Dice) {
    this.#pool = pool
    this.#companyId = companyId
    this.#log = new RequestLog(pool, logger, {
      budget: noLogBudget,
      limits: { rows: 100_000, bytes: 256 * 1024 * 1024 },
    })
    this.#loggedSince = loggedSince
    this.#dice = dice
  }

  /** A write that must succeed. */
  async act(by: Hand, at: string, path: string, body: object): Promise<Answered> {
    const { status, text } = await this.#run(by, at, path, body)
    if (status !== 200) throw new Error(`${path} ${JSON.stringify(body)} was refused: ${text}`)
    return JSON.parse(text) as Answered
  }

  /** A mistake of an integration; only the log contains it. */
  async mistake(by: Hand, at: string, path: string, body: object): Promise<void> {
    const { status } = await this.#run(by, at, path, body)
    if (status === 200) throw new Error(`${path} ${JSON.stringify(body)} was expected to be refused`)
  }

  async ask(path: string, body: object): Promise<Answered> {
    const method = byPath.get(path)
    if (method?.kind !== 'read') throw new Error(`${path} is not a read method`)
    const answer = await runRead(
      this.#pool,
      method,
      method.input.read(sent(body)),
      this.#call({ userId: 1 }),
      undefined,
    )
    return JSON.parse(responseText(answer)) as Answered
  }

  /** A write that neither API offers. */
  async enter<I, Facts, Plan>(method: WriteMethod<I, Facts, Plan>, input: I, at: string): Promise<Answered> {
    const { body } = await runWrite(this.#pool, method, input, this.#call({ userId: 1 }), undefined, undefined, { at })
    return JSON.parse(body) as Answered
  }

  async close(): Promise<void> {
    await this.#log.flush()
  }

  async #run(by: Hand, at: string, path: string, body: object): Promise<{ status: number; text: string }> {
    const method = byPath.get(path)
    if (method?.kind !== 'write') throw new Error(`${path} is not a write method`)
    const call = this.#call(by)
    this.writes++
    const { status, text } = await this.#outcome(method, body, call, at)
    if (call.connectionId !== null && at >= this.#loggedSince) {
      this.#log.add({
        companyId: this.#companyId,
        connectionId: call.connectionId,
        at: new Date(at),
        requestId: call.requestId,
        method: path,
        status,
        durationMs: this.#dice.whole(4, 19),
        error: status === 200 ? null : String(JSON.parse(text).error),
        request: JSON.stringify(body),
        answer: text,
        ignoredFields: ignoredFields(method, body as Raw),
      })
    }
    return { status, text }
  }

  async #outcome(
    method: WriteMethod,
    body: object,
    call: RequestContext,
    at: string,
  ): Promise<{ status: number; text: string }> {
    try {
      const input = method.input.read(sent(body))
      const { body: text } = await runWrite(this.#pool, method, input, call, undefined, undefined, { at })
      return { status: 200, text }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, text: failureText(error.message) }
    }
  }

  #call(by: Hand): RequestContext {
    const isKey = 'connectionId' in by
    return {
      companyId: this.#companyId,
      connectionId: isKey ? by.connectionId : null,
      userId: isKey ? null : by.userId,
      requestId: `req_${randomBytes(16).toString('base64url')}`,
      source: isKey ? 'api' : 'manual',
    }
  }
}

/** As it would have been received over the wire. */
const sent = (body: object): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(body)) as Readonly<Record<string, unknown>>
