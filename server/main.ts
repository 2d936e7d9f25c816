// Runs the service: migrates or checks the schema, starts, logs the address, stops gracefully. With WORKERS above 1 this process only supervises the others.

import cluster, { type Worker } from 'node:cluster'
import { screensAreBuilt, serveMetrics, startApp } from './app.ts'
import { DatabaseMetrics } from './platform/postgres/database-metrics.ts'
import { Maintenance } from './platform/postgres/maintain.ts'
import { ownerClient } from './platform/postgres/owner-client.ts'
import { loginWarning } from './platform/postgres/rights.ts'
import { appliedMigrations, refuseUnsuitable, schemaDifference } from './platform/postgres/schema-version.ts'
import {
  type BackgroundTask,
  inBackground,
  inBackgroundAfter,
  onBackgroundError,
} from './platform/process/background.ts'
import { commit } from './platform/process/commit.ts'
import { bounds, type Config, configWarnings, defaultMetricsPort } from './platform/process/config.ts'
import { watchEventLoop } from './platform/process/event-loop.ts'
import { createLogger, type Logger } from './platform/process/logger.ts'
import { Metrics } from './platform/process/metrics.ts'
import { version } from './platform/process/version.ts'
import { answerCollections, WorkerMetrics } from './platform/process/worker-metrics.ts'

const restartPauseMs = 1_000

export type ServeOptions = {
  /** Called after everything else when the service stops. */
  readonly last?: () => Promise<void>
  /** Migrate first and run hourly maintenance, both of which require the owner of the tables. Default: true. */
  readonly asOwner?: boolean
}

export async function serve(config: Config, options: ServeOptions = {}): Promise<void> {
  const { last = async () => {}, asOwner = true } = options
  const logger = createLogger(config.LOG_LEVEL)
  if (cluster.isWorker) {
    const metrics = new Metrics('worker')
    reportBackgroundErrors(logger, metrics)
    answerCollections(metrics)
    return await serveHere(config, logger, metrics, last)
  }
  for (const warning of configWarnings(process.env)) logger.warn(warning)
  if (asOwner) {
    const { migrate } = await import('./platform/postgres/migrate.ts')
    const migrated = await migrate(config.DATABASE_URL)
    if (migrated.length > 0) logger.info({ migrations: migrated }, 'the database was migrated')
  }
  await checkDatabase(config.DATABASE_URL, logger)
  const metrics = new Metrics(config.WORKERS > 1 ? 'supervisor' : 'single')
  reportBackgroundErrors(logger, metrics)
  metrics.gauge('buildInfo', () => 1, { version, commit: commit() ?? '' })
  metrics.gauge('workersConfigured', () => config.WORKERS)
  const databaseMetrics = new DatabaseMetrics(config.DATABASE_URL, config.DATABASE_METRICS_SECONDS, logger, metrics)
  await databaseMetrics.start()
  const maintenance = asOwner ? new Maintenance(config.DATABASE_URL, config.REQUEST_LOG_DAYS, logger) : undefined
  // The service does not wait for it: a long reader of the database may block its statements for minutes.
  inBackground('maintenance', () => maintenance?.start())
  const stop = async () => {
    databaseMetrics.stop()
    maintenance?.stop()
    await last()
  }
  if (!screensAreBuilt(config))
    logger.warn('the screens are not built: "npm run web:build" builds them, then start the service again')
  if (config.WORKERS > 1) await superviseWorkers(config, logger, metrics, stop)
  else await serveHere(config, logger, metrics, stop)
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

/** Checks that the schema matches this version, and warns if the login bypasses row level security. */
async function checkDatabase(databaseUrl: string, logger: Logger): Promise<void> {
  const client = ownerClient(databaseUrl, { name: 'kontor start' })
  await client.connect()
  try {
    const difference = schemaDifference(await appliedMigrations(client))
    refuseUnsuitable(difference)
    if (difference.unknown.length > 0) {
      const migrations = difference.unknown.map(({ name }) => name)
      logger.info({ migrations }, 'a newer version has expanded the schema')
    }
    const warning = await loginWarning(client)
    if (warning !== undefined) logger.warn(warning)
  } finally {
    await client.end()
  }
}

async function serveHere(config: Config, logger: Logger, metrics: Metrics, last: () => Promise<void>): Promise<void> {
  watchEventLoop(metrics.eventLoopDelay, logger)
  const app = await startApp(config, logger, metrics)
  metrics.gauge('workers', () => 1)
  // The metrics of a worker are collected by the supervising process.
  const page = cluster.isWorker ? undefined : await openMetrics(config, logger, () => metrics.registry.metrics())
  logger.info({ address: app.address, metrics: page?.address }, 'listening')
  onStop(config, logger, async () => {
    await app.stop()
    page?.close()
    await last()
  })
}

async function superviseWorkers(
  config: Config,
  logger: Logger,
  metrics: Metrics,
  last: () => Promise<void>,
): Promise<void> {
  const workerMetrics = new WorkerMetrics(metrics)
  const page = await openMetrics(config, logger, () => workerMetrics.collect())
  const fork = () => workerMetrics.add(forkWorker())
  let stopping = false
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    metrics.workerExits.inc()
    logger.error({ worker: worker.process.pid, code, signal }, 'a worker ended; starting another')
    inBackgroundAfter('workers', restartPauseMs, () => {
      if (!stopping) fork()
    })
  })
  for (let n = 0; n < config.WORKERS; n++) fork()
  logger.info({ workers: config.WORKERS, metrics: page?.address }, 'supervising workers')
  onStop(config, logger, async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(
      workers.map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve))
        worker.process.kill('SIGTERM')
        return ended
      }),
    )
    page?.close()
    await last()
  })
}

/**
 * A connection that is being sent to a worker that dies would stay open in this process forever, and its caller would never get a response: Node
 * closes it only when the worker confirms that it has received it. There is at most one, the last that was sent.
 */
function forkWorker(): Worker {
  const worker = cluster.fork()
  const { process: child } = worker
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  let lastSent: { close(): void } | undefined
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]): boolean => {
    if (isNewConnection(message)) lastSent = handle as typeof lastSent
    return send(message, handle, ...rest)
  }
  // Already closed if the worker had received it; closing it again has no effect.
  worker.once('exit', () => lastSent?.close())
  return worker
}

const isNewConnection = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn'

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
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
