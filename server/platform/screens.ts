// The screens' door: a session instead of a key, every method behind it, nothing counted. A request's way, as one list:
// POST → own page → session → method → role → body → the method's own rules.

import { pipeline } from 'node:stream'
import type { Call } from '../kernel/clock.ts'
import { passed } from '../kernel/field.ts'
import { readBody } from '../kernel/json.ts'
import { type Method, type Role, roles } from '../kernel/method.ts'
import { Refusal, refuse } from '../kernel/refusal.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Statement } from '../kernel/statement.ts'
import { answerText } from './answer.ts'
import type { Database } from './database.ts'
import type { AnyEntrance, Entered, ScreensAccess, ScreensAsked, Session, Told } from './door.ts'
import { type Idempotency, longestIdempotencyKey, requestHash } from './idempotency.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { isMoney, MoneylessList, withoutMoney } from './money.ts'
import type { Admission, CompanyQueue } from './queue.ts'
import { runRead, runWrite } from './run.ts'
import { readSecret } from './secrets.ts'
import { openList } from './stream.ts'
import { toldOf } from './told.ts'

/** Cookies as they are set and taken away; what they are called is known to HTTP alone. */
export type Cookies = { readonly session?: string | null; readonly device?: string }
export type ScreensTold = Told & { readonly cookies: Cookies }

type Parts = {
  readonly database: Database
  readonly methods: readonly Method[]
  readonly entrances: readonly AnyEntrance[]
  readonly access: ScreensAccess
  /** What a write under way does to stock. */
  readonly effectUnderWay: (companyId: number) => Statement<{ effect: string }>
  readonly queue: CompanyQueue
  readonly admission: Admission
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Requests without a session share the room of a company that is not there. */
const noCompany = 0

const roleForbids = (): Refusal => new Refusal('Your role does not allow this', 403)
const signInFirst = (): Refusal => new Refusal('Sign in first', 401)

export class ScreensDoor {
  readonly #parts: Parts
  readonly #methods: ReadonlyMap<string, Method | AnyEntrance>
  readonly #keysInProgress = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#methods = new Map([...parts.methods, ...parts.entrances].map((method) => [method.path, method]))
  }

  /** The path as a label: unknown ones share one. */
  label(path: string): string {
    return this.#methods.has(path) ? `screens/${path}` : 'screens/unknown'
  }

  async answer(asked: ScreensAsked): Promise<ScreensTold> {
    let cookies: Cookies = {}
    try {
      if (!asked.isPost) refuse('Method not allowed. Use POST', 405)
      if (!asked.isOwn) refuse('Request comes from another site', 403)
      const method = this.#methods.get(asked.path)
      if (method?.kind === 'entrance' && !method.needsSession) {
        const entered = await this.#parts.admission.run(noCompany, () => this.#enter(method, asked, undefined))
        return { status: 200, body: answerText(entered.answer), headers: {}, cookies: entered }
      }
      const { session, isStale } = await this.#session(asked)
      if (isStale) cookies = await this.#prolonged(asked, session)
      if (method === undefined) refuse('Unknown method', 404)
      if (!mayCall(session.role, method.role)) throw roleForbids()
      return await this.#parts.admission.run(session.companyId, async () => {
        if (method.kind === 'entrance') {
          const entered = await this.#enter(method, asked, session)
          return { status: 200, body: answerText(entered.answer), headers: {}, cookies: { ...cookies, ...entered } }
        }
        return { ...(await this.#run(method, asked, session)), cookies }
      })
    } catch (error) {
      const request = { id: asked.requestId, method: this.label(asked.path) }
      const told = toldOf(error, this.#parts.logger, this.#parts.metrics, request)
      if (told.status === 405) return { ...told, headers: { allow: 'POST' }, cookies: {} }
      const isOut = told.status === 401 && asked.session !== undefined
      return { ...told, cookies: isOut ? { session: null } : cookies }
    }
  }

  /** The session as it is now: a role that was changed and a session that was ended count from the next request on. */
  async #session(asked: ScreensAsked): Promise<{ session: Session; isStale: boolean }> {
    const secret = readSecret(asked.session)
    if (secret === undefined) throw signInFirst()
    const { sessionOf } = this.#parts.access
    const flown = await this.#parts.database.pool.use((connection) =>
      connection.flight([`begin; set local app.company_id = '${secret.companyId}'`, sessionOf(secret), 'commit']),
    )
    if (flown.error !== undefined) throw flown.error
    const row = flown.rows<Settings & { user_id: number; role: Role; is_stale: boolean }>(1)[0]
    if (row === undefined) throw signInFirst()
    const { user_id: userId, role, is_stale: isStale, ...settings } = row
    return { session: { ...secret, userId, role, settings }, isStale }
  }

  async #prolonged(asked: ScreensAsked, session: Session): Promise<Cookies> {
    await this.#parts.access.prolongSession(this.#parts.database.pool, session, session.userId)
    return asked.session === undefined ? {} : { session: asked.session }
  }

  async #enter(method: AnyEntrance, asked: ScreensAsked, session: Session | undefined): Promise<Entered> {
    const { database, queue, access } = this.#parts
    if (asked.preview) refuse('This method has no preview')
    const input = method.input.read(readBody(await bodyOf(asked)))
    const inside = { pool: database.pool, queue, signUpIsOpen: access.signUpIsOpen }
    return await method.enter(input, { ...asked, session }, inside)
  }

  async #run(method: Method, asked: ScreensAsked, session: Session): Promise<Told> {
    const { pool, streams } = this.#parts.database
    const isWorker = session.role === 'worker'
    const shown = (text: string): string => (isWorker ? withoutMoney(text) : text)
    const call: Call = {
      companyId: session.companyId,
      connectionId: null,
      userId: session.userId,
      requestId: asked.requestId,
      source: 'manual',
    }
    const bytes = await bodyOf(asked)
    const raw = readBody(bytes)
    // An order tells about what it is made by.
    if (isWorker && isMoney(String(passed(raw, 'sort')))) throw roleForbids()
    const input = method.input.read(raw, session.settings)
    if (method.kind === 'write') return await this.#write(method, input, call, asked, bytes, shown)
    const list = method.stream?.(input, call)
    if (list === undefined) {
      const answer = await runRead(pool, method, input, call, undefined)
      return { status: 200, body: shown(answerText(answer)), headers: {} }
    }
    const rows = await openList(streams, session.companyId, list, async () => {})
    // A list that breaks off breaks the answer off.
    const body = isWorker ? pipeline(rows, new MoneylessList(), () => {}) : rows
    return { status: 200, body, headers: {} }
  }

  async #write(
    method: Method & { kind: 'write' },
    input: unknown,
    call: Call,
    asked: ScreensAsked,
    bytes: Uint8Array,
    shown: (text: string) => string,
  ): Promise<Told> {
    const idempotency = idempotencyOf(method, asked, call, bytes)
    const name = idempotency === undefined ? undefined : `${call.companyId} ${idempotency.key}`
    if (name !== undefined && this.#keysInProgress.has(name)) {
      throw new Refusal('A request with this Idempotency-Key is in progress', 409)
    }
    if (name !== undefined) this.#keysInProgress.add(name)
    try {
      const outcome = await this.#parts.queue.run(call.companyId, () =>
        runWrite(this.#parts.database.pool, method, input, call, undefined, idempotency, {
          preview: asked.preview ? this.#parts.effectUnderWay : undefined,
          expect: expectOf(asked),
        }),
      )
      const headers: Record<string, string> = outcome.replayed === true ? { 'idempotent-replayed': 'true' } : {}
      return { status: outcome.status, body: shown(outcome.body), headers }
    } finally {
      if (name !== undefined) this.#keysInProgress.delete(name)
    }
  }
}

function expectOf({ expect }: ScreensAsked): number | undefined {
  if (expect === undefined) return undefined
  return /^\d{1,15}$/.test(expect) ? Number(expect) : refuse('Invalid Kontor-Expect')
}

export const mayCall = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

async function bodyOf(asked: ScreensAsked): Promise<Uint8Array> {
  return (await asked.body()) ?? refuse('Request body is too large', 413)
}

/** Kept answers belong to the user who asked, whatever key somebody else sends. */
function idempotencyOf(method: Method, asked: ScreensAsked, call: Call, bytes: Uint8Array): Idempotency | undefined {
  const key = asked.idempotencyKey
  if (key === undefined || asked.preview) return undefined
  if (key === '' || key.length > longestIdempotencyKey) refuse('Invalid Idempotency-Key')
  if (method.showsSecret === true) refuse('This method takes no Idempotency-Key')
  return { key, requestHash: requestHash(`screens ${call.userId} ${method.path}`, bytes) }
}
