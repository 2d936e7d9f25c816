// The PostgreSQL server of a test run, on which its databases are created.

import pg from 'pg'

/** Names the server. Set from outside, or by a run for the processes it starts. */
export const serverVariable = 'KONTOR_TEST_SERVER_URL'

export function testServerUrl(): string {
  const url = process.env[serverVariable]
  if (url === undefined) throw new Error(`no PostgreSQL for tests: run this with npm, or set ${serverVariable}`)
  return url
}

/** The URL of a database on it. */
export const testDatabaseUrl = (name: string): string =>
  Object.assign(new URL(testServerUrl()), { pathname: `/${name}` }).href

/** As a superuser. */
export async function onTestServer(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() })
  await client.connect()
  try {
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}
