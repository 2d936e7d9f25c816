// The only wiring: from a configuration to a server that listens, and back to nothing.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { countRequest, findKey, uncountRequest } from './access/gate.ts'
import { hashOf, isWellFormed } from './access/keys.ts'
import { entrances } from './access/methods.ts'
import { RequestLog } from './access/request-log.ts'
import { prolongSession, sessionOf } from './access/sessions.ts'
import { findSettings } from './access/settings.ts'
import { statement } from './kernel/statement.ts'
import { methods } from './methods.ts'
import type { Config } from './platform/config.ts'
import { closeDatabase, type Database, openDatabase } from './platform/database.ts'
import { PublicDoor } from './platform/dispatch.ts'
import { createHttp, methodPath } from './platform/http.ts'
import type { Logger } from './platform/logger.ts'
import { Metrics } from './platform/metrics.ts'
import { openapi } from './platform/openapi.ts'
import { Admission, CompanyQueue } from './platform/queue.ts'
import { ScreensDoor } from './platform/screens.ts'
import { StaticFiles } from './platform/static-files.ts'
import { freeStartMemory } from './platform/young-memory.ts'
import { effectUnderWay } from './stock/preview.ts'

export type App = {
  readonly address: string
  readonly metrics: Metrics
  /** Takes no more requests, ends those under way, writes what waits, closes the database. */
  readonly stop: () => Promise<void>
}

// Answers only when the schema is there and the role may read it.
const probe = statement('health.probe', 'select count(*) from companies where company_id = $1')

export async function startApp(config: Config, logger: Logger): Promise<App> {
  const database = openDatabase(
    config.DATABASE_URL,
    {
      connections: Math.max(2, Math.floor(config.DATABASE_CONNECTIONS / config.WORKERS)),
      streams: config.DATABASE_STREAMS,
    },
    config.DATABASE_PLANS,
  )
  const metrics = new Metrics()
  metrics.gauge('kontor_database_connections', 'Open connections to the database.', () => database.pool.open)
  metrics.gauge('kontor_database_waiting', 'Requests waiting for a connection.', () => database.pool.waiting)
  const log = new RequestLog(database.pool, logger)
  let stopping = false
  // Both doors lead into the same rooms: one writer per company, so many requests under way.
  const queue = new CompanyQueue()
  const admission = new Admission(config.MAX_REQUESTS, config.MAX_COMPANY_REQUESTS, database.pool)
  metrics.gauge('kontor_requests_under_way', 'Requests under way.', () => admission.underWay)
  const door = new PublicDoor({
    database,
    methods,
    access: {
      isWellFormed,
      hashOf,
      findKey,
      countRequest,
      uncountRequest,
      findSettings,
      log: (entry) => log.add(entry),
    },
    logger,
    metrics,
    queue,
    admission,
  })
  const screens = new ScreensDoor({
    database,
    methods,
    entrances,
    effectUnderWay: (companyId) => effectUnderWay(companyId),
    access: { sessionOf, prolongSession, signUpIsOpen: config.SIGN_UP === 'open' },
    logger,
    metrics,
    queue,
    admission,
  })
  const webFolder = config.WEB_DIR ?? join(import.meta.dirname, '..', 'web', 'dist')
  // Made when it is first asked for: most processes never are.
  let document: string | undefined
  const http = createHttp({
    door,
    screens,
    files: new StaticFiles(webFolder, config.PUBLIC_ORIGIN?.startsWith('https:') === true),
    logger,
    metrics,
    openapi: () => {
      document ??= JSON.stringify(openapi(methods, { methodPath }))
      return document
    },
    isReady: () => isReady(database),
    isStopping: () => stopping,
    publicOrigin: config.PUBLIC_ORIGIN,
    trustedProxies: config.TRUSTED_PROXIES,
  })
  // As many new connections may wait as the system allows: one that finds no place among the default of 511 knocks again only after 1, 3 and 7 s.
  await http.listen({ host: config.HOST, port: config.PORT, backlog: 65_535 })
  freeStartMemory()
  return {
    address: addressOf(http),
    metrics,
    stop: async () => {
      stopping = true
      await new Promise((resolve) => setTimeout(resolve, config.STOP_DELAY_MS))
      await http.close()
      await log.flush()
      await closeDatabase(database)
    },
  }
}

async function isReady(database: Database): Promise<boolean> {
  try {
    const flown = await database.pool.use((connection) => connection.flight([probe(0)], 2_000))
    return flown.error === undefined
  } catch {
    return false
  }
}

function addressOf(http: FastifyInstance): string {
  const { address, family, port } = http.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Metrics on a port of their own, so that nobody outside reads them by accident. */
export async function serveMetrics(
  host: string,
  port: number,
  collect: () => Promise<string>,
  contentType: string,
): Promise<{ address: string; close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    collect().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = server.address() as AddressInfo
  return { address: `http://${host}:${bound.port}/metrics`, close: () => server.close() }
}
