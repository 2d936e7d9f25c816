// Serving: migrate, start, say where, stop gracefully. With WORKERS above 1 this process only minds the others.

import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { serveMetrics, startApp } from './app.ts'
import { bounds, type Config } from './platform/config.ts'
import { createLogger, type Logger } from './platform/logger.ts'
import { Maintenance } from './platform/maintain.ts'

const defaultMetricsPort = 9464
const restartPauseMs = 1_000

/** `last` is done after everything else when the service stops. */
export async function serve(config: Config, last: () => Promise<void> = async () => {}): Promise<void> {
  const logger = createLogger(config.LOG_LEVEL)
  if (cluster.isWorker) return await serveHere(config, logger, last)
  const { migrate } = await import('./platform/migrate.ts')
  const migrated = await migrate(config.DATABASE_URL)
  if (migrated.length > 0) logger.info({ migrations: migrated }, 'the database was migrated')
  const maintenance = new Maintenance(config.DATABASE_URL, config.REQUEST_LOG_DAYS, logger)
  await maintenance.start()
  if (config.WORKERS > 1) await mindWorkers(config, logger, last, maintenance)
  else await serveHere(config, logger, last, maintenance)
}

async function serveHere(
  config: Config,
  logger: Logger,
  last: () => Promise<void>,
  maintenance?: Maintenance,
): Promise<void> {
  const app = await startApp(config, logger)
  const { registry } = app.metrics
  // In a worker the registry is asked for by the process that minds it.
  if (cluster.isWorker) AggregatorRegistry.setRegistries([registry])
  const metrics = cluster.isWorker
    ? undefined
    : await openMetrics(config, logger, () => registry.metrics(), registry.contentType)
  logger.info({ address: app.address, metrics: metrics?.address }, 'listening')
  onStop(logger, async () => {
    maintenance?.stop()
    await app.stop()
    metrics?.close()
    await last()
  })
}

async function mindWorkers(
  config: Config,
  logger: Logger,
  last: () => Promise<void>,
  maintenance: Maintenance,
): Promise<void> {
  const registry = new AggregatorRegistry()
  const metrics = await openMetrics(config, logger, () => registry.clusterMetrics(), registry.contentType)
  let stopping = false
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    logger.error({ worker: worker.process.pid, code, signal }, 'a worker ended; starting another')
    setTimeout(() => {
      if (!stopping) forkWorker()
    }, restartPauseMs)
  })
  for (let n = 0; n < config.WORKERS; n++) forkWorker()
  logger.info({ workers: config.WORKERS, metrics: metrics?.address }, 'minding workers')
  onStop(logger, async () => {
    stopping = true
    maintenance.stop()
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    await Promise.all(
      workers.map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve))
        worker.process.kill('SIGTERM')
        return ended
      }),
    )
    metrics?.close()
    await last()
  })
}

/**
 * A connection on its way to a worker that dies would stay open in this process for ever, and its caller would wait in vain: Node
 * closes it only when the worker says that it has taken it. There is one at most, the last that was sent.
 */
function forkWorker(): void {
  const worker = cluster.fork()
  const { process: child } = worker
  const send = child.send.bind(child) as (...args: unknown[]) => boolean
  let onItsWay: { close(): void } | undefined
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]): boolean => {
    if (isNewConnection(message)) onItsWay = handle as typeof onItsWay
    return send(message, handle, ...rest)
  }
  // Closed already when the worker had taken it; closing it again does nothing.
  worker.once('exit', () => onItsWay?.close())
}

const isNewConnection = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn'

/** A port that was asked for must be free; the usual one may be taken by another server on this machine. */
async function openMetrics(config: Config, logger: Logger, collect: () => Promise<string>, contentType: string) {
  try {
    return await serveMetrics(config.METRICS_HOST, config.METRICS_PORT ?? defaultMetricsPort, collect, contentType)
  } catch (error) {
    if (config.METRICS_PORT !== undefined) throw error
    logger.warn({ port: defaultMetricsPort }, 'the metrics port is taken: metrics are not served (set METRICS_PORT)')
    return undefined
  }
}

function onStop(logger: Logger, stop: () => Promise<void>): void {
  let begun = false
  const end = (signal: NodeJS.Signals) => {
    if (begun) return
    begun = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => {
      logger.error('stopping took too long')
      process.exit(1)
    }, bounds.stopMs).unref()
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
