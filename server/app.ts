// Wires all parts together: starts a listening server from a configuration, and stops it.
// Long because this is the only place where the parts are connected.

import type { Socket } from 'node:net'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keptSessions } from './access/browser-sessions.ts'
import { feedRecords } from './access/events/records.ts'
import { hashTextOf, isWellFormed } from './access/keys.ts'
import { LastUses } from './access/last-use.ts'
import { setMailPolicy } from './access/mail/policy.ts'
import { MailSender } from './access/mail-sender/sender.ts'
import { countRequest, findKey, readKey } from './access/quota.ts'
import { RequestLog } from './access/request-log.ts'
import { setPasskeyPolicy } from './access/second-factor/passkey-policy.ts'
import { setSecretsKey } from './access/second-factor/sealed-secrets.ts'
import { ownSecurityEvent } from './access/security-events.ts'
import { prolongSession, sessionOf } from './access/sessions.ts'
import { findSettings } from './access/settings.ts'
import { setSingleSignOnPolicy } from './access/single-sign-on/policy.ts'
import { Usage } from './access/usage.ts'
import { WebhookSender } from './access/webhook-sender/sender.ts'
import { setAddressPolicy } from './access/webhooks/endpoint.ts'
import { openapi } from './generate/openapi.ts'
import { methods, plannedMethods, sessionMethods } from './methods.ts'
import { mailedDocuments } from './overview/documents/mailed.ts'
import { fileContent } from './overview/files/content.ts'
import { ImportRunner } from './overview/imports/runner.ts'
import { findPaper, findSharedPaper } from './overview/paper/kinds.ts'
import { createHttp } from './platform/http/http.ts'
import { OutgoingPosts } from './platform/http/outgoing-post.ts'
import { methodPath } from './platform/http/paths.ts'
import { packedJson, type Served, StaticFiles } from './platform/http/static-files.ts'
import { webFolder } from './platform/http/web-folder.ts'
import { sumOfCompaniesLeft } from './platform/postgres/backfills.ts'
import { closeDatabase, type Database, openDatabase } from './platform/postgres/database.ts'
import { knownMigrations } from './platform/postgres/migration-file.ts'
import { Admission, CompanyQueue } from './platform/postgres/queue.ts'
import {
  type AppliedMigration,
  findApplied,
  incompatibility,
  schemaDifference,
  shortcoming,
} from './platform/postgres/schema-version.ts'
import { doubtText, TrustedClock } from './platform/postgres/trusted-clock.ts'
import { bounds, type Config, connectionsOfProcess } from './platform/process/config.ts'
import { freeStartMemory } from './platform/process/garbage-collection.ts'
import type { Logger } from './platform/process/logger.ts'
import type { WaitQueue } from './platform/process/metric-table.ts'
import type { Metrics } from './platform/process/metrics.ts'
import { countingTime, isClockInDoubt, now } from './platform/process/now.ts'
import { SlowRequests } from './platform/process/slow-requests.ts'
import type { Tracing } from './platform/process/tracing.ts'
import { version } from './platform/process/version.ts'
import { AddressLimit } from './platform/requests/address-limit.ts'
import { AppApi } from './platform/requests/app-api.ts'
import { Bodies } from './platform/requests/bodies.ts'
import { dryRunText, previewText } from './platform/requests/dry-run.ts'
import { PaperThread } from './platform/requests/paper-thread.ts'
import { PlanningThread } from './platform/requests/planning-thread.ts'
import { PublicApi } from './platform/requests/public-api.ts'
import { quoteMailStatements } from './sales/quotes/mail.ts'
import { changesUnderWay, levelsUnderWay } from './stock/preview.ts'
import { findShortages } from './stock/shortages.ts'
import { writeOwnArchive } from './tenants/archive/own.ts'
import { TestCompanies } from './tenants/test-companies.ts'

export type App = {
  readonly address: string
  /** Accepts no more requests, finishes those under way, writes pending log entries, closes the database. */
  readonly stop: () => Promise<void>
}

/** Where connections come from: a port, or the process that supervises this one. Nothing arrives after `close`. */
export type ConnectionSource = { readonly address: string; readonly close: () => Promise<void> }
export type OpenSource = (take: (socket: Socket) => void) => Promise<ConnectionSource>

export async function startApp(config: Config, logger: Logger, metrics: Metrics, openSource: OpenSource): Promise<App> {
  const shared = sharedParts(config, logger, metrics)
  const { database, usage, lastUses, log, bodies, anonymousLimit, planner, printer } = shared
  const tracing = await openTracing(config, logger)
  const clock = new TrustedClock(database.pool, logger)
  let stopping = false
  // Generated with the first request for it: most processes never get one.
  let document: Promise<Served> | undefined
  const { http, connections } = createHttp({
    api: createPublicApi(shared),
    screens: createAppApi(shared, config),
    files: new StaticFiles(webFolder(config), config.PUBLIC_ORIGIN?.startsWith('https:') === true),
    logger,
    metrics,
    bodies,
    anonymousLimit,
    openapi: () => {
      document ??= packedJson(JSON.stringify(openapi(methods, { methodPath })), 300)
      return document
    },
    notReadyBecause: () => notReadyBecause(database),
    warning: () => (isClockInDoubt() ? doubtText : undefined),
    isStopping: () => stopping,
    publicOrigin: config.PUBLIC_ORIGIN,
    trustedProxies: config.TRUSTED_PROXIES,
    maxConnections: config.MAX_CONNECTIONS,
    slowRequests: new SlowRequests(logger, config.SLOW_REQUEST_MS),
    tracing,
  })
  await clock.start()
  await http.ready()
  // Node begins to enforce the time limits for headers and bodies with this event.
  http.server.emit('listening')
  const source = await openSource((socket) => http.server.emit('connection', socket))
  startWorkers(shared)
  freeStartMemory()
  return {
    address: source.address,
    stop: async () => {
      stopping = true
      await sleep(config.STOP_DELAY_MS)
      await source.close()
      await connections.drain(bounds.idleMs)
      await http.close()
      await stopWorkers(shared)
      clock.stop()
      await log.flush()
      await usage.flush()
      await lastUses.flush()
      await tracing?.flush()
      await Promise.all([planner.stop(), printer.stop()])
      await closeDatabase(database)
    },
  }
}

/** What works in the background for companies. */
function startWorkers({ webhooks, mails, imports, testCompanies }: SharedParts): void {
  webhooks.start()
  mails?.start()
  imports.start()
  testCompanies.start()
}

async function stopWorkers({ webhooks, mails, imports, testCompanies }: SharedParts): Promise<void> {
  await Promise.all([webhooks, mails, imports, testCompanies].map((worker) => worker?.stop()))
}

/** Loaded only when it is configured. */
async function openTracing(config: Config, logger: Logger): Promise<Tracing | undefined> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined
  const { Tracing } = await import('./platform/process/tracing.ts')
  const options = {
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: config.OTEL_SERVICE_NAME,
    version,
    percent: config.TRACE_PERCENT,
  }
  return new Tracing(options, logger)
}

/** The file is JavaScript in the release. */
const threadFile = (name: string): URL => new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url)

type SharedParts = ReturnType<typeof sharedParts>

/** Shared by both APIs: one write queue per company, one count of requests under way. */
function sharedParts(config: Config, logger: Logger, metrics: Metrics) {
  const onWaited = (queue: WaitQueue, waitedMs: number) => metrics.waits.observe({ queue }, waitedMs / 1000)
  const connections = { connections: connectionsOfProcess(config), streams: config.DATABASE_STREAMS }
  const database = openDatabase(config.DATABASE_URL, connections, onWaited)
  const usage = new Usage(database.pool, logger, {
    sessionRequestsPerSecond: config.SESSION_REQUESTS_PER_SECOND,
    sessionRequestsPerDay: config.SESSION_REQUESTS_PER_DAY,
    logBytesPerDay: config.REQUEST_LOG_MIB_PER_DAY * 1024 * 1024,
  })
  const log = new RequestLog(database.pool, logger, {
    budget: usage,
    limits: { rows: config.REQUEST_LOG_QUEUE_ROWS, bytes: config.REQUEST_LOG_QUEUE_MIB * 1024 * 1024 },
    countDropped: (reason, rows) => metrics.requestLogDropped.inc({ reason }, rows),
  })
  const queue = new CompanyQueue((waitedMs) => onWaited('company', waitedMs))
  const admission = new Admission(config.MAX_REQUESTS, config.MAX_COMPANY_REQUESTS, database.pool)
  const bodies = new Bodies(config.BODY_MEMORY_MIB * 1024 * 1024)
  const anonymousLimit = new AddressLimit(config.ANONYMOUS_REQUESTS)
  const storageLimitMib = config.STORAGE_LIMIT_MIB
  const lastUses = new LastUses(database.pool, logger)
  const addressPolicy = setAddressPolicy(config)
  const webhooks = new WebhookSender({
    pool: database.pool,
    logger,
    metrics,
    posts: new OutgoingPosts({ policy: addressPolicy, timeoutMs: webhookTimeoutMs }),
  })
  const onChange = (companyId: number) => webhooks.wake(companyId)
  const mailPolicy = setMailPolicy(config)
  setSecretsKey(config)
  setPasskeyPolicy(config)
  const signOnPosts = new OutgoingPosts({ policy: addressPolicy, timeoutMs: providerTimeoutMs })
  setSingleSignOnPolicy(config, signOnPosts, addressPolicy.allowsHttp)
  const planner = new PlanningThread(threadFile('plan-thread'), plannedMethods)
  const printer = new PaperThread(threadFile('paper-thread'), {
    onWaited: (waitedMs) => onWaited('documents', waitedMs),
  })
  const mails =
    mailPolicy === undefined
      ? undefined
      : new MailSender({ pool: database.pool, logger, metrics, policy: mailPolicy, sections: mailedSections, printer })
  measure(metrics, { database, queue, log, admission, bodies, printer, logRows: config.REQUEST_LOG_QUEUE_ROWS })
  const limits = { admission, bodies, anonymousLimit, storageLimitMib }
  const imports = new ImportRunner({ pool: database.pool, queue, logger, planner, onChange, storageLimitMib })
  return {
    database,
    logger,
    metrics,
    usage,
    log,
    lastUses,
    queue,
    webhooks,
    mails,
    imports,
    testCompanies: new TestCompanies(config.DATABASE_URL, logger),
    onChange,
    planner,
    printer,
    ...limits,
  }
}

/** What mails ask the sections. */
const mailedSections = { findShortages, quotes: quoteMailStatements, documents: mailedDocuments }

type Measured = {
  readonly database: Database
  readonly queue: CompanyQueue
  readonly log: RequestLog
  readonly admission: Admission
  readonly bodies: Bodies
  readonly printer: PaperThread
  readonly logRows: number
}

/** What is read from the running process when its metrics are. */
function measure(metrics: Metrics, { database, queue, log, admission, bodies, printer, logRows }: Measured): void {
  metrics.gauge('backfillLeft', () => companiesLeft(database))
  metrics.gauge('clockInDoubt', () => (isClockInDoubt() ? 1 : 0))
  metrics.gauge('databaseConnections', () => database.pool.open)
  metrics.gauge('waiting', () => database.pool.waiting, { queue: 'database' })
  metrics.gauge('waiting', () => database.streams.waiting, { queue: 'lists' })
  metrics.gauge('waiting', () => queue.length, { queue: 'company' })
  metrics.gauge('requestLogQueued', () => log.queued.rows)
  metrics.gauge('requestLogQueuedBytes', () => log.queued.bytes)
  metrics.gauge('requestLogQueueLimit', () => logRows)
  metrics.gauge('underWay', () => admission.underWay)
  metrics.gauge('bodyBytes', () => bodies.bytesInUse)
  metrics.gauge('waiting', () => printer.waiting, { queue: 'documents' })
}

/** How long a receiver may take to respond. */
const webhookTimeoutMs = 15_000
/** The same for an identity provider, which is asked three times for a sign-in. */
const providerTimeoutMs = 2_500

const keyValues = (companyId: number, keyHash: Buffer) => ({
  company_id: companyId,
  key_hash: keyHash,
  now: now(),
  counted_at: countingTime(),
})

const createPublicApi = ({ log, lastUses, ...shared }: SharedParts): PublicApi =>
  new PublicApi({
    ...shared,
    methods,
    dryRun: {
      effectOf: (companyId) => levelsUnderWay({ company_id: companyId }),
      responseOf: (...result) => dryRunText(feedRecords, ...result),
    },
    access: {
      isWellFormed,
      hashTextOf,
      findKey: (keyHash) => findKey({ key_hash: keyHash }),
      countRequest: (companyId, keyHash) => countRequest(keyValues(companyId, keyHash)),
      readKey: (companyId, keyHash) => readKey(keyValues(companyId, keyHash)),
      findSettings: (companyId) => findSettings({ company_id: companyId }),
      noteUse: (companyId, connectionId, at, address) => lastUses.note(companyId, connectionId, at, address),
      log: (entry) => log.add(entry),
    },
  })

const createAppApi = ({ usage, ...shared }: SharedParts, config: Config): AppApi =>
  new AppApi({
    ...shared,
    methods,
    sessionMethods,
    findFile: fileContent,
    findPaper,
    findSharedPaper,
    writeArchive: writeOwnArchive,
    onWork: (companyId) => {
      shared.imports.wake(companyId)
      shared.mails?.wake(companyId)
      shared.testCompanies.wake()
    },
    preview: { effectOf: (companyId) => changesUnderWay({ company_id: companyId }), responseOf: previewText },
    access: {
      sessionOf,
      prolongSession,
      keptSessions,
      noteArchive: (session, origin) => ownSecurityEvent(session, 'archive_downloaded', origin),
      countRequest: (companyId) => usage.countSessionRequest(companyId),
      signUp: {
        isOpen: config.SIGN_UP === 'open',
        perHour: config.SIGN_UPS_PER_HOUR,
        perDay: config.SIGN_UPS_PER_DAY,
      },
    },
  })

const known = knownMigrations()

const noSchema = 'The database does not respond, or has no schema that this version can read.'

/** `undefined` when requests can be served. An expanded schema is no reason: during an upgrade the previous version continues to serve. */
/** Asks for the migrations only, which every database has itself: on a cluster, one worker that does not answer concerns the companies on it. */
async function notReadyBecause(database: Database): Promise<string | undefined> {
  try {
    const trip = await database.pool.use((connection) => connection.roundTrip([findApplied], { withinMs: 2_000 }))
    if (trip.error !== undefined) return noSchema
    const difference = schemaDifference(trip.rows<AppliedMigration>(0), known)
    return incompatibility(difference) ?? shortcoming(difference)
  } catch {
    return noSchema
  }
}

async function companiesLeft(database: Database): Promise<number | undefined> {
  const trip = await database.pool.use((connection) => connection.roundTrip([sumOfCompaniesLeft], { withinMs: 2_000 }))
  return trip.error === undefined ? trip.rows<{ companies: number }>(0)[0]?.companies : undefined
}
