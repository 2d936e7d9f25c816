// Runs the service: migrates or checks the schema, starts, logs the address, stops gracefully. With WORKERS above 1 this process only supervises the others.

import cluster from 'node:cluster'
import type { OpenSource } from './app.ts'
import { serveMetrics } from './platform/http/metrics-page.ts'
import { screensAreBuilt } from './platform/http/web-folder.ts'
import { checkConnections } from './platform/postgres/capacity-checks.ts'
import { checkLogin, checkRole, checkVersion } from './platform/postgres/database-checks.ts'
import { DatabaseMetrics } from './platform/postgres/database-metrics.ts'
import { findingText, refuseErrors } from './platform/postgres/finding.ts'
import { Maintenance } from './platform/postgres/maintain.ts'
import { ownerClient } from './platform/postgres/owner-client.ts'
import { appliedMigrations, refuseUnsuitable, schemaDifference } from './platform/postgres/schema-version.ts'
import { type BackgroundTask, inBackground, onBackgroundError } from './platform/process/background.ts'
import { commit } from './platform/process/commit.ts'
import { bounds, type Config, configWarnings, defaultMetricsPort } from './platform/process/config.ts'
import { watchEventLoop } from './platform/process/event-loop.ts'
import { createLogger, type Logger } from './platform/process/logger.ts'
import { Metrics } from './platform/process/metrics.ts'
import { Port } from './platform/process/port.ts'
import { addressVariable, Supervisor } from './platform/process/supervisor.ts'
import { version } from './platform/process/version.ts'
import { SentConnections, WorkerConnections } from './platform/process/worker-connections.ts'
import { answerCollections, WorkerMetrics } from './platform/process/worker-metrics.ts'
import { deleteDueCompanies } from './tenants/due-deletions.ts'

export type ServeOptions = {
  /** Called after everything else when the service stops; not when its start fails. */
  readonly last?: () => Promise<void>
  /** Migrate first and run hourly maintenance, both of which require the owner of the tables. Default: true. */
  readonly asOwner?: boolean
  /** The database belongs to the caller alone, so that its login needs no warning. */
  readonly isPrivateDatabase?: boolean
}

/** Resolves when requests are served. If the start fails, everything that was started is stopped. */
export async function serve(config: Config, options: ServeOptions = {}): Promise<void> {
  const metrics = new Metrics(cluster.isWorker ? 'worker' : config.WORKERS > 1 ? 'supervisor' : 'single')
  const logger = createLogger(config.LOG_LEVEL, () => metrics.logLinesLost.inc())
  reportBackgroundErrors(logger, metrics)
  const stops = new AsyncDisposableStack()
  let isStopping = false
  // Called before the first request is accepted: from then on a signal must not cut anything off.
  const handleSignals = () =>
    onStop(config, logger, async () => {
      isStopping = true
      await stops.disposeAsync()
      await options.last?.()
    })
  try {
    if (!cluster.isWorker) return await serveAll(config, logger, metrics, stops, handleSignals, options)
    handleSignals()
    answerCollections(metrics)
    await serveHere(config, logger, metrics, stops)
  } catch (error) {
    // A signal arrived during the start: the process ends when everything is stopped.
    if (isStopping) return await new Promise<never>(() => {})
    await stops.disposeAsync()
    throw error
  }
}

async function serveAll(
  config: Config,
  logger: Logger,
  metrics: Metrics,
  stops: AsyncDisposableStack,
  handleSignals: () => void,
  { asOwner = true, isPrivateDatabase = false }: ServeOptions,
): Promise<void> {
  for (const warning of configWarnings(process.env)) logger.warn(warning)
  if (asOwner) {
    const { migrate } = await import('./platform/postgres/migrate.ts')
    const migrated = await migrate(config.DATABASE_URL)
    if (migrated.length > 0) logger.info({ migrations: migrated }, 'the database was migrated')
    const { distributeNew } = await import('./cluster/distribute.ts')
    const steps = await distributeNew(config.DATABASE_URL)
    if (steps > 0) logger.info({ steps }, 'what is new was distributed over the cluster')
  }
  await checkDatabase(config, logger, isPrivateDatabase)
  metrics.gauge('buildInfo', () => 1, { version, commit: commit() ?? '' })
  metrics.gauge('workersConfigured', () => config.WORKERS)
  const databaseMetrics = new DatabaseMetrics(config.DATABASE_URL, config.DATABASE_METRICS_SECONDS, logger, metrics)
  await databaseMetrics.start()
  stops.defer(() => databaseMetrics.stop())
  const maintenance = asOwner
    ? new Maintenance(config.DATABASE_URL, config.REQUEST_LOG_DAYS, logger, deleteDueCompanies)
    : undefined
  stops.defer(() => maintenance?.stop())
  if (!screensAreBuilt(config))
    logger.warn('the screens are not built: "npm run web:build" builds them, then start the service again')
  handleSignals()
  if (config.WORKERS > 1) await superviseWorkers(config, logger, metrics, stops)
  else await serveHere(config, logger, metrics, stops)
  // The service does not wait for it: a long reader of the database may block its statements for minutes.
  inBackground('maintenance', () => maintenance?.start())
}

/** What fails beside the requests is counted and logged; so is a promise that was rejected and that no code awaits. */
function reportBackgroundErrors(logger: Logger, metrics: Metrics): void {
  const report = (task: BackgroundTask, error: unknown): void => {
    metrics.backgroundErrors.inc({ task })
    logger.error({ err: error, task }, 'an error in the background')
  }
  onBackgroundError(report)
  process.on('unhandledRejection', (error) => report('unhandled', error))
}

/** Refuses a database with which no request could succeed, and warns of what is risky. */
async function checkDatabase(config: Config, logger: Logger, isPrivate: boolean): Promise<void> {
  const client = ownerClient(config.DATABASE_URL, { name: 'kontor start' })
  await client.connect()
  try {
    const [version, role] = [await checkVersion(client), await checkRole(client)]
    // Memberships of other logins do not concern this process.
    refuseErrors([version, ...role])
    const difference = schemaDifference(await appliedMigrations(client))
    refuseUnsuitable(difference)
    if (difference.unknown.length > 0) {
      const migrations = difference.unknown.map(({ name }) => name)
      logger.info({ migrations }, 'a newer version has expanded the schema')
    }
    const login = isPrivate ? [] : [await checkLogin(client)]
    for (const finding of [...login, await checkConnections(client, config)])
      if (finding.level !== 'ok') logger.warn(findingText(finding))
  } finally {
    await client.end()
  }
}

async function serveHere(config: Config, logger: Logger, metrics: Metrics, stops: AsyncDisposableStack): Promise<void> {
  // Loaded only here: a process that supervises workers, or refuses the database, does not need it.
  const { startApp } = await import('./app.ts')
  watchEventLoop(metrics.eventLoopDelay, logger)
  // The metrics of a worker are collected by the supervising process.
  const page = cluster.isWorker ? undefined : await openMetrics(config, logger, () => metrics.registry.metrics())
  stops.defer(() => page?.close())
  const app = await startApp(config, logger, metrics, cluster.isWorker ? connectionsOfSupervisor() : ownPort(config))
  stops.defer(() => app.stop())
  metrics.gauge('workers', () => 1)
  logger.info({ address: app.address, metrics: page?.address }, 'listening')
}

const ownPort =
  ({ HOST: host, PORT: port }: Config): OpenSource =>
  (take) =>
    Port.open({ host, port, isPaused: false, take })

const connectionsOfSupervisor = (): OpenSource => async (take) => {
  const connections = new SentConnections(take)
  connections.ready()
  return { address: process.env[addressVariable] ?? '', close: () => connections.close() }
}

async function superviseWorkers(
  config: Config,
  logger: Logger,
  metrics: Metrics,
  stops: AsyncDisposableStack,
): Promise<void> {
  const { HOST: host, PORT, WORKERS: workers, MAX_CONNECTIONS } = config
  const connections = new WorkerConnections(MAX_CONNECTIONS * workers)
  const port = await Port.open({ host, port: PORT, isPaused: true, take: (socket) => connections.take(socket) })
  stops.defer(() => port.close())
  const workerMetrics = new WorkerMetrics(metrics)
  const page = await openMetrics(config, logger, () => workerMetrics.collect())
  stops.defer(() => page?.close())
  logger.info({ workers, metrics: page?.address }, 'supervising workers')
  const supervisor = new Supervisor({ workers, port, connections, workerMetrics, metrics, logger })
  stops.defer(() => supervisor.stop(config.STOP_DELAY_MS))
  await supervisor.start()
}

/** A configured port must be free; the default port may be in use by another server on this machine. */
async function openMetrics(config: Config, logger: Logger, collect: () => Promise<string>) {
  try {
    return await serveMetrics(config.METRICS_HOST, config.METRICS_PORT ?? defaultMetricsPort, collect, logger)
  } catch (error) {
    if (config.METRICS_PORT !== undefined) throw error
    logger.warn({ port: defaultMetricsPort }, 'the metrics port is in use: metrics are not served (set METRICS_PORT)')
    return undefined
  }
}

/**
 * SIGHUP means that the terminal was closed, which must not cut off the requests under way. Daemons use it to read their configuration again, and systemd and
 * containers send it only for that; this service reads its configuration once, so nobody sends it for another purpose.
 */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

function onStop(config: Config, logger: Logger, stop: () => Promise<void>): void {
  let begun = false
  const end = (signal: NodeJS.Signals) => {
    if (begun) return
    begun = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => {
      logger.error('stopping took too long')
      process.exit(1)
    }, config.STOP_DELAY_MS + bounds.stopMs).unref()
    stop().then(
      () => process.exit(0),
      (error) => {
        logger.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  for (const signal of stopSignals) {
    // A terminal sends its signals to the workers too, but when they end is up to the supervising process, which sends SIGTERM.
    const isForSupervisor = cluster.isWorker && signal !== 'SIGTERM'
    process.on(signal, isForSupervisor ? () => {} : end)
  }
}
