// The PostgreSQL server of the benchmark's databases, and SQL as their owner.

import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../demo/ports.ts'
import { newFolder, ownedFolder, postgresProgram, postgresUser } from '../server/test/harness/postgres-programs.ts'

/** Not in the checkout, which the user of PostgreSQL may not be able to read. */
const keptFolder = '/var/tmp/kontor-bench'

/** An ordinary installation on a machine with 4 GB or more. Checkpoints are so far apart that none falls into a slice by chance. */
const settings = {
  listen_addresses: "'127.0.0.1'",
  unix_socket_directories: "''",
  max_connections: '100',
  shared_buffers: "'1GB'",
  effective_cache_size: "'3GB'",
  max_wal_size: "'8GB'",
  checkpoint_timeout: "'30min'",
  random_page_cost: '1.1',
}

let serverUrl: string | undefined

/**
 * Uses the server that KONTOR_BENCH_SERVER_URL names, or starts the benchmark's own. The result stops it. `keep`: the data stay for
 * the next run, because loading them takes minutes.
 */
export async function openPostgres({ keep }: { keep: boolean }): Promise<() => void> {
  serverUrl = process.env['KONTOR_BENCH_SERVER_URL']
  if (serverUrl !== undefined) return () => {}
  const folder = keep ? ownedFolder(keptFolder) : newFolder('bench-postgres')
  const data = join(folder, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) createCluster(folder, data)
  const port = await freePort()
  const log = join(folder, 'log')
  runProgram('pg_ctl', ['start', '-D', data, '-l', log, '-w', '-t', '300', '-o', `-p ${port}`], folder)
  serverUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
  const stop = () => {
    process.off('exit', stop)
    runProgram('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w'], folder)
    if (!keep) rmSync(folder, { recursive: true })
  }
  process.on('exit', stop)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  return stop
}

function createCluster(folder: string, data: string): void {
  runProgram('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'], folder)
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''))
}

function runProgram(name: string, args: readonly string[], folder: string): void {
  // The server inherits these streams and would keep pipes open.
  execFileSync(postgresProgram(name), [...args], { ...postgresUser(), cwd: folder, stdio: 'ignore' })
}

function openServerUrl(): string {
  if (serverUrl === undefined) throw new Error('openPostgres was not called')
  return serverUrl
}

export const databaseUrl = (database: string): string =>
  Object.assign(new URL(openServerUrl()), { pathname: `/${database}` }).href

export async function withClient<T>(database: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: database === undefined ? openServerUrl() : databaseUrl(database),
    application_name: 'kontor bench',
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The environment with which PostgreSQL programs (pgbench, psql) connect to a database. */
export function libpqEnvironment(database: string, options: string): NodeJS.ProcessEnv {
  const url = new URL(openServerUrl())
  return {
    ...process.env,
    PGHOST: url.hostname,
    PGPORT: url.port === '' ? '5432' : url.port,
    PGUSER: decodeURIComponent(url.username),
    ...(url.password === '' ? {} : { PGPASSWORD: decodeURIComponent(url.password) }),
    PGDATABASE: database,
    PGOPTIONS: options,
    PGAPPNAME: 'kontor bench bare',
  }
}
