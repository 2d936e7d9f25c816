// Whether the request log accounts for every request that was answered and counted: as a row, or in a recorded gap.

import pg from 'pg'
import { type Server, startServer } from '../../server/test/harness/app.ts'
import { metric } from '../../server/test/harness/half-sent.ts'
import { until } from '../../server/test/harness/until.ts'
import type { Service } from '../scratch-service.ts'
import { type Heard, load, type Stream } from './load.ts'

export type Logged = { readonly rows: number; readonly missing: number }

export async function logged({ sql }: Service): Promise<Logged> {
  const [row] = await sql(`select (select count(*)::int from request_log) as rows,
    (select coalesce(sum(requests), 0)::int from request_log_gaps) as missing`)
  return row
}

/** Responses with the company's count: these requests are logged. */
export const servedOf = (heard: Heard): number => heard.answered - (heard.statuses.get(503) ?? 0) + heard.busyCounted

/** For the rows that are queued, and then for the gaps. */
const patience = { rowsMs: 60_000, gapsMs: 10_000 }

/** What was logged, as soon as no server has queued rows. */
export async function settledLog(service: Service, servers: readonly Server[] = service.servers): Promise<Logged> {
  const isEmpty = async (): Promise<boolean> => {
    const queued = await Promise.all(servers.map(({ metricsUrl }) => metric(metricsUrl, 'kontor_request_log_queued')))
    return queued.every((rows) => rows === 0)
  }
  await until(isEmpty, { withinMs: patience.rowsMs, pollMs: 50, what: () => 'the request log was not written' })
  return await logged(service)
}

/** Compares what was logged since `before` with the requests that were served. */
export async function logComplaints(
  service: Service,
  before: Logged,
  served: number,
  label: string,
  servers: readonly Server[] = service.servers,
): Promise<string[]> {
  let now = await settledLog(service, servers)
  const accounted = (): number => now.rows - before.rows + now.missing - before.missing
  const isComplete = async (): Promise<boolean> => {
    now = await logged(service)
    return accounted() >= served
  }
  await until(isComplete, { withinMs: patience.gapsMs, pollMs: 100 }).catch(() => {})
  if (accounted() === served) return []
  const [rows, missing] = [now.rows - before.rows, now.missing - before.missing]
  return [
    `${label}: ${served} requests were served, ${rows} are in the request log and ${missing} in its recorded gaps`,
  ]
}

const queueRows = 100
const seconds = 3

/** For a few seconds no row can be written, and the queue is too small for all of them. */
export async function blockedLog(service: Service, stream: Stream): Promise<{ missing: number; found: string[] }> {
  const label = 'while the request log was locked'
  const server = await startServer({ DATABASE_URL: service.databaseUrl, REQUEST_LOG_QUEUE_ROWS: String(queueRows) })
  const holder = new pg.Client({ connectionString: service.databaseUrl })
  try {
    const servers = [...service.servers, server]
    const before = await settledLog(service, servers)
    await holder.connect()
    await holder.query('begin; lock table request_log in access exclusive mode')
    const heard = await load([server.url], [stream], seconds)
    // At least one batch has failed.
    const isLate = (): boolean => server.output().includes('the request log is written late')
    await until(isLate, { withinMs: patience.rowsMs, what: () => 'no row of the request log was written late' })
    await holder.query('rollback')
    const served = servedOf(heard)
    const found = await logComplaints(service, before, served, label, servers)
    const missing = (await logged(service)).missing - before.missing
    if (served <= queueRows) found.push(`${label}: only ${served} requests were served, too few to fill the queue`)
    if (missing !== Math.max(0, served - queueRows))
      found.push(
        `${label}: ${missing} of ${served} requests are in its recorded gaps, and the queue had room for ${queueRows}`,
      )
    return { missing, found }
  } finally {
    await holder.end()
    await server.stop()
  }
}
