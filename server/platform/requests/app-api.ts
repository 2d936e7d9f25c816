// The app API, used by the screens: a session instead of a key, and access to every method. The order of checks:
// POST → own page → session → limits of the company → method → role → second factor → body → fresh sign-in → the method's own rules.
// Long because all of these checks are in one file, in their order.

import type { Readable } from 'node:stream'
import type { RequestContext } from '../../kernel/clock.ts'
import { passed } from '../../kernel/field.ts'
import { isSearch } from '../../kernel/filters.ts'
import type { Method, ResponseFields } from '../../kernel/method.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'
import { asCompany } from '../postgres/company-transaction.ts'
import type { Database } from '../postgres/database.ts'
import type { Admission, CompanyQueue } from '../postgres/queue.ts'
import { maxAnonymousBodyBytes, maxBodyBytes } from '../process/config.ts'
import { inStep } from '../process/event-loop.ts'
import type { Logger } from '../process/logger.ts'
import type { MethodClass } from '../process/metric-table.ts'
import type { Metrics } from '../process/metrics.ts'
import { networkOf } from '../process/network.ts'
import { now } from '../process/now.ts'
import { traceCompany } from '../process/request-trace.ts'
import { type AddressLimit, tooManyFromAddress } from './address-limit.ts'
import {
  anotherUser,
  confirmFirst,
  contentOf,
  idempotencyOf,
  mayCall,
  mustConfirm,
  refuseInTest,
  roleForbids,
  setUpFirst,
  signInFirst,
} from './app-checks.ts'
import { type ArchiveFile, type ArchiveRequest, archivePath, openArchive, type WriteArchive } from './archives.ts'
import type { Body, Payer } from './bodies.ts'
import { failureResponse } from './failure-response.ts'
import { isMoney, withoutHidden } from './hidden-money.ts'
import { KeysInProgress } from './idempotency.ts'
import { openRead } from './list-stream.ts'
import {
  type FindPaper,
  type FindSharedPaper,
  type PaperRequest,
  type PrintedFile,
  type Printer,
  paperPath,
  type SharedPaperRequest,
} from './papers.ts'
import type { Planner } from './planning-thread.ts'
import type {
  AnySessionMethod,
  ApiResponse,
  AppAccess,
  AppRequest,
  FileRequest,
  FindFile,
  Session,
  SessionMethodResult,
  SessionRow,
  StoredFile,
} from './request.ts'
import { detailedFailureText, responseText } from './response-text.ts'
import { runWrite } from './run.ts'
import { cookieOfSecrets, readSecret, readSecrets } from './secrets.ts'
import { type DryRun, readExpect } from './write-options.ts'

/** Cookies to set or remove; their names are defined in the HTTP layer. */
export type Cookies = {
  readonly session?: string | null
  readonly others?: string | null
  readonly device?: string
}
export type AppResponse = ApiResponse & { readonly cookies: Cookies }

type Parts = {
  readonly database: Database
  readonly methods: readonly Method[]
  readonly sessionMethods: readonly AnySessionMethod[]
  readonly access: AppAccess
  readonly findFile: FindFile
  readonly findPaper: FindPaper
  readonly findSharedPaper: FindSharedPaper
  readonly printer: Printer
  readonly writeArchive: WriteArchive
  /** How a write is previewed. */
  readonly preview: DryRun
  /** How much a company may store unless it has its own limit. */
  readonly storageLimitMib: number
  /** Called after a write of a company that has webhooks. */
  readonly onChange: (companyId: number) => void
  /** Called after a write that leaves work to be done in the background. */
  readonly onWork: (companyId: number) => void
  readonly planner: Planner
  readonly queue: CompanyQueue
  readonly admission: Admission
  readonly anonymousLimit: AddressLimit
  readonly logger: Logger
  readonly metrics: Metrics
}

/** The metric label of requests for stored files. */
export const filePath = 'files/file'

/** Requests without a session share the capacity of one imaginary company. */
const noCompany = 0
const maxSeenSessions = 10_000

export class AppApi {
  readonly #parts: Parts
  readonly #methods: ReadonlyMap<string, Method | AnySessionMethod>
  readonly #keysInProgress = new KeysInProgress()
  /** Sessions that were valid when they were last checked. When an address is over its limit, only these are checked in the database. */
  readonly #seen = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#methods = new Map([...parts.methods, ...parts.sessionMethods].map((method) => [method.path, method]))
  }

  /** The path as a metric label: unknown paths share one. */
  label(path: string): string {
    const isKnown = this.#methods.has(path) || [filePath, paperPath, archivePath].includes(path)
    return isKnown ? `screens/${path}` : 'screens/unknown'
  }

  /** The class of a method as a metric label. */
  classOf(path: string): MethodClass {
    if (path === paperPath || path === archivePath) return 'list'
    return path === filePath ? 'read' : (this.#methods.get(path)?.kind ?? 'unknown')
  }

  /** A stored file, or why there is none. */
  async file(request: FileRequest): Promise<StoredFile | ApiResponse> {
    return await this.#opened(request, filePath, async (session) => {
      const file = this.#parts.findFile(request.wanted, session)
      const row = await this.#row<StoredFile>(file, session.companyId, filePath, request.signal)
      return row ?? refuse('File not found', { code: 'file_not_found' })
    })
  }

  /** A document as PDF, or why there is none. */
  async paper(request: PaperRequest): Promise<PrintedFile | ApiResponse> {
    return await this.#opened(request, paperPath, async ({ companyId, role }) => {
      const paper = this.#parts.findPaper(request.kind) ?? refuse('Document not found', { code: 'file_not_found' })
      if (!mayCall(role, paper.role)) throw roleForbids()
      const { statement, job } = paper.read(request.parameters, companyId)
      const row = await this.#row(statement, companyId, paperPath, request.signal)
      if (row === undefined) refuse('Document not found', { code: 'file_not_found' })
      return await this.#parts.printer.print(companyId, job(row), request.signal)
    })
  }

  /** The document behind a link, for a customer without an account. */
  async sharedPaper(request: SharedPaperRequest): Promise<PrintedFile | ApiResponse> {
    try {
      if (!request.isOwn) refuse('Request comes from another site', { code: 'other_site' })
      if (!this.#parts.anonymousLimit.take(request.address)) throw tooManyFromAddress()
      const link = readSecret(request.token) ?? refuse('Document not found', { code: 'file_not_found' })
      const { statement, job } = this.#parts.findSharedPaper(link)
      const row = await this.#row(statement, link.companyId, paperPath, request.signal)
      if (row === undefined) refuse('Document not found', { code: 'file_not_found' })
      return await this.#parts.printer.print(link.companyId, job(row), request.signal)
    } catch (error) {
      return this.#failed(error, request.requestId, paperPath)
    }
  }

  #failed(error: unknown, id: string, path: string): ApiResponse {
    const failed = { id, api: 'screens', method: this.label(path) } as const
    return failureResponse(error, this.#parts.logger, this.#parts.metrics, failed)
  }

  /** Everything that the company has stored, as a file, or why it cannot be had. */
  async archive(request: ArchiveRequest): Promise<ArchiveFile | ApiResponse> {
    return await this.#opened(request, archivePath, async (session) => {
      if (!mayCall(session.role, 'owner')) throw roleForbids()
      if (!session.isFresh) throw confirmFirst()
      const { database, access, writeArchive } = this.#parts
      const { companyId } = session
      const noted = access.noteArchive(session, { address: request.address, agent: request.agent })
      const archive = await openArchive(database, companyId, writeArchive, request.signal)
      const trip = await database.pool.useFor(companyId, (connection) =>
        connection.roundTrip(['begin', asCompany(companyId), noted, 'commit']),
      )
      if (trip.error !== undefined) {
        archive.destroy()
        throw trip.error
      }
      return { name: `kontor-${now().slice(0, 10)}.zst`, archive }
    })
  }

  /** What is opened by its address in the browser, by a user of the company. */
  async #opened<T>(
    request: Pick<FileRequest, 'requestId' | 'isOwn' | 'address' | 'session'> & {
      readonly company?: string | undefined
    },
    path: string,
    open: (session: Session) => Promise<T>,
  ): Promise<T | ApiResponse> {
    try {
      if (!request.isOwn) refuse('Request comes from another site', { code: 'other_site' })
      const { session } = await this.#session(request)
      if (request.company !== undefined && request.company !== String(session.companyId)) throw anotherUser()
      if (session.mustSetUp) throw setUpFirst()
      traceCompany(session.companyId)
      this.#parts.access.countRequest(session.companyId)
      return await open(session)
    } catch (error) {
      return this.#failed(error, request.requestId, path)
    }
  }

  async #row<Row>(
    statement: Statement<Row>,
    companyId: number,
    method: string,
    signal: AbortSignal,
  ): Promise<Row | undefined> {
    const { admission, database } = this.#parts
    const read = ['begin read only', asCompany(companyId), statement, 'commit']
    const trip = await admission.run(companyId, () =>
      database.pool.useFor(companyId, (connection) => connection.roundTrip(read), { method, signal }),
    )
    if (trip.error !== undefined) throw trip.error
    return trip.rows<Row>(2)[0]
  }

  async answer(request: AppRequest): Promise<AppResponse> {
    let cookies: Cookies = {}
    try {
      if (!request.isPost) refuse('Method not allowed. Use POST', { code: 'post_required' })
      if (!request.isOwn) refuse('Request comes from another site', { code: 'other_site' })
      const method = this.#methods.get(request.path)
      if (method?.kind === 'session' && !method.needsSession) {
        if (!this.#parts.anonymousLimit.take(request.address)) throw tooManyFromAddress()
        const result = await this.#admitted(request, undefined, (body) =>
          this.#runSessionMethod(method, request, undefined, body),
        )
        return { status: 200, body: responseText(result.response), headers: {}, cookies: result.cookies }
      }
      const { session, isStale } = await this.#session(request)
      traceCompany(session.companyId)
      if (!(method?.kind === 'session' && method.isUnlimited)) this.#parts.access.countRequest(session.companyId)
      if (isStale) cookies = await this.#prolonged(request, session)
      if (request.user !== undefined && request.user !== `${session.companyId}.${session.userId}`) throw anotherUser()
      if (method === undefined) refuse('Unknown method', { code: 'unknown_method' })
      if (!mayCall(session.role, method.role)) throw roleForbids()
      if (session.mustSetUp && method.isForSettingUp !== true) throw setUpFirst()
      refuseInTest(method, session)
      return await this.#admitted(request, session, async (body) => {
        if (method.kind === 'session') {
          const result = await this.#runSessionMethod(method, request, session, body)
          const all = { ...cookies, ...result.cookies }
          return { status: 200, body: responseText(result.response), headers: {}, cookies: all }
        }
        return { ...(await this.#run(method, request, session, body)), cookies }
      })
    } catch (error) {
      const answered = this.#failed(error, request.requestId, request.path)
      const response = error instanceof Refusal ? { ...answered, body: detailedFailureText(error) } : answered
      if (response.status === 405) return { ...response, headers: { ...response.headers, allow: 'POST' }, cookies: {} }
      const isOut = response.status === 401 && request.session !== undefined
      return { ...response, cookies: isOut ? { session: null } : cookies }
    }
  }

  /** The body is read before admission, so that slow senders do not use up capacity. */
  async #admitted<T>(request: AppRequest, session: Session | undefined, work: (body: Body) => Promise<T>): Promise<T> {
    const payer: Payer = session?.companyId ?? networkOf(request.address)
    const body = await request.body(payer, session === undefined ? maxAnonymousBodyBytes : maxBodyBytes)
    try {
      return await this.#parts.admission.run(session?.companyId ?? noCompany, () => work(body))
    } finally {
      body.release()
    }
  }

  /** Reads the session from the database, so that a changed role or an ended session takes effect with the next request. */
  async #session(request: Pick<AppRequest, 'session' | 'address'>): Promise<{ session: Session; isStale: boolean }> {
    const secret = readSecret(request.session)
    if (secret === undefined) throw this.#anonymousError(request)
    const name = secret.hash.toString('base64')
    if (!this.#seen.has(name) && this.#parts.anonymousLimit.isUsedUp(request.address)) throw tooManyFromAddress()
    const { sessionOf } = this.#parts.access
    const trip = await this.#parts.database.pool.use((connection) =>
      connection.roundTrip([`begin; set local app.company_id = '${secret.companyId}'`, sessionOf(secret), 'commit']),
    )
    if (trip.error !== undefined) throw trip.error
    const row = trip.rows<SessionRow>(1)[0]
    if (row === undefined) {
      this.#seen.delete(name)
      throw this.#anonymousError(request)
    }
    if (this.#seen.size >= maxSeenSessions) this.#seen.clear()
    this.#seen.add(name)
    const { user_id: userId, role, is_stale: isStale, is_fresh: isFresh, ...others } = row
    const { has_second_factor: hasSecondFactor, must_set_up: mustSetUp, is_test: isTest, ...settings } = others
    return { session: { ...secret, userId, role, settings, isFresh, hasSecondFactor, mustSetUp, isTest }, isStale }
  }

  /** Requests without a live session are limited by address. */
  #anonymousError({ address }: Pick<AppRequest, 'address'>): Error {
    return this.#parts.anonymousLimit.take(address) ? signInFirst() : tooManyFromAddress()
  }

  async #prolonged(request: AppRequest, session: Session): Promise<Cookies> {
    await this.#parts.access.prolongSession(this.#parts.database.pool, session, session.userId)
    return request.session === undefined ? {} : { session: request.session }
  }

  async #runSessionMethod(
    method: AnySessionMethod,
    request: AppRequest,
    session: Session | undefined,
    body: Body,
  ): Promise<{ readonly response: ResponseFields; readonly cookies: Cookies }> {
    const { database, queue, access, onWork, onChange } = this.#parts
    if (request.preview) refuse('This method has no preview', { code: 'no_preview' })
    const input = method.input.read(contentOf(body))
    if (session !== undefined && mustConfirm(method, session, input)) throw confirmFirst()
    const services = { pool: database.pool, queue, signUp: access.signUp, onWork, onChange }
    const given = [...(request.session === undefined ? [] : [request.session]), ...readSecrets(request.others)]
    const { response, ...result } = await method.run(input, { ...request, session, cookies: given }, services)
    return { response, cookies: await this.#cookies(request, result, given) }
  }

  /** Whatever begins a session, the browser keeps its others if they are of the same person. */
  async #cookies(
    { others }: AppRequest,
    { session, device, others: begun = [] }: Omit<SessionMethodResult, 'response'>,
    given: readonly string[],
  ): Promise<Cookies> {
    const own: Cookies = { ...(session === undefined ? {} : { session }), ...(device === undefined ? {} : { device }) }
    if (session === undefined) return own
    const { access, database } = this.#parts
    const kept = session === null ? [] : await access.keptSessions(database.pool, session, [...begun, ...given])
    const text = cookieOfSecrets(kept)
    return text === null && others === undefined ? own : { ...own, others: text }
  }

  async #run(method: Method, request: AppRequest, session: Session, body: Body): Promise<ApiResponse> {
    const { database } = this.#parts
    const isWorker = session.role === 'worker'
    const shown = (text: string | Readable): string | Readable => (isWorker ? withoutHidden('money', text) : text)
    const context: RequestContext = {
      companyId: session.companyId,
      connectionId: null,
      userId: session.userId,
      requestId: request.requestId,
      source: 'manual',
      from: { address: request.address, agent: request.agent },
    }
    const raw = contentOf(body)
    // Sorting by price would leak prices to workers.
    if (isWorker && isMoney(String(passed(raw, 'sort')))) throw roleForbids()
    const input = await inStep('input', () => method.input.read(raw, session.settings))
    if (method.roleFor !== undefined && !mayCall(session.role, method.roleFor(input))) throw roleForbids()
    refuseInTest(method, session, input)
    if (mustConfirm(method, session, input)) throw confirmFirst()
    if (method.kind === 'write') return await this.#write(method, input, context, request, body.bytes, shown)
    const options = { signal: request.signal, isSearch: isSearch(raw) }
    const rows = await openRead(database, method, input, context, undefined, options)
    return { status: 200, body: shown(rows), headers: {} }
  }

  async #write(
    method: Method & { kind: 'write' },
    input: unknown,
    context: RequestContext,
    request: AppRequest,
    bytes: Uint8Array,
    shown: (text: string) => string | Readable,
  ): Promise<ApiResponse> {
    const idempotency = idempotencyOf(method, request, context, bytes)
    const run = () =>
      runWrite(this.#parts.database.pool, method, input, context, undefined, idempotency, {
        dryRun: request.preview ? this.#parts.preview : undefined,
        expect: readExpect(request.expect),
        storageLimitMib: this.#parts.storageLimitMib,
        onChange: this.#parts.onChange,
        planner: this.#parts.planner,
        bodyLength: bytes.length,
      })
    const outcome = await this.#keysInProgress.run(context.companyId, idempotency, () =>
      this.#parts.queue.run(context.companyId, run),
    )
    if (method.startsWork === true && !request.preview) this.#parts.onWork(context.companyId)
    const headers: Record<string, string> = outcome.replayed === true ? { 'idempotent-replayed': 'true' } : {}
    return { status: 200, body: shown(outcome.body), headers }
  }
}
