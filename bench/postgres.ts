// The PostgreSQL server of the benchmark's databases, and SQL as their owner.

import pg from 'pg'

const serverUrl = process.env['KONTOR_BENCH_SERVER_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export const databaseUrl = (database: string): string =>
  Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href

export async function withClient<T>(database: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: database === undefined ? serverUrl : databaseUrl(database),
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
  const url = new URL(serverUrl)
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
