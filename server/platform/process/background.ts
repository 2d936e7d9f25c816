// Work that no request waits for: timers, flushes, maintenance. An error in it is counted and logged, and the process goes on: one company's request
// must not be able to end the service for all. Every timer and every promise that nobody awaits is started here; architecture.test.ts checks that.

export { setTimeout as sleep } from 'node:timers/promises'

/** The tasks, with what they do; also the labels of the metric. */
export const backgroundTasks = {
  backfills: 'fills in columns of existing rows after an upgrade',
  bodies: 'ends requests whose bodies arrive too slowly',
  clock: 'reads and records the time of the database',
  connections: 'closes database connections',
  database_metrics: 'reads the metrics of the database',
  event_loop: 'measures the delay of the event loop',
  imports: 'writes the rows of imports, and takes them back',
  last_use: 'writes the last use of API connections',
  list_readers: 'ends lists that are read too slowly',
  mails: 'sends mails',
  maintenance: 'creates and drops the partitions of the request log, deletes what has expired',
  planning: 'plans large writes in a thread of their own',
  printing: 'prints documents as PDF in a thread of their own',
  refusals: 'sends delayed refusals, and discards the rest of refused requests',
  request_log: 'writes the request log',
  security_events: 'records failed sign-ins',
  test_companies: 'makes test companies',
  tracing: 'sends traces',
  turns: 'lets the next large request be computed after a pause',
  unhandled: 'anything else: an error that no other code has handled',
  usage: 'writes the usage of companies',
  webhooks: 'sends webhooks',
  workers: 'starts another worker after one has ended',
} as const

export type BackgroundTask = keyof typeof backgroundTasks

type Report = (task: BackgroundTask, error: unknown) => void

let report: Report = (task, error) =>
  process.emitWarning(`error in the background (${task}): ${error instanceof Error ? error.stack : error}`)

/** How errors are reported: counted and logged by the process that serves. */
export function onBackgroundError(reportError: Report): void {
  report = reportError
}

function failed(task: BackgroundTask, error: unknown): void {
  try {
    report(task, error)
  } catch {
    // The log may be unable to take it, too.
  }
}

/** Starts the work now. Nobody waits for its end. */
export function inBackground(task: BackgroundTask, work: () => unknown): void {
  try {
    const result = work()
    if (result instanceof Promise) result.catch((error) => failed(task, error))
  } catch (error) {
    failed(task, error)
  }
}

export const inBackgroundAfter = (task: BackgroundTask, ms: number, work: () => unknown): NodeJS.Timeout =>
  setTimeout(() => inBackground(task, work), ms)

export const inBackgroundEvery = (task: BackgroundTask, ms: number, work: () => unknown): NodeJS.Timeout =>
  setInterval(() => inBackground(task, work), ms)
