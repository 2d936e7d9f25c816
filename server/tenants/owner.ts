// The connection of commands that work on whole companies: as the owner of the tables, and restricted by row level security to one company at a time.

import pg from 'pg'

const settings = [
  'timezone=UTC',
  'datestyle=ISO',
  // A command waits for a request that holds a lock, and never makes requests wait for long.
  'lock_timeout=10000',
  // Only Citus reads this setting: it propagates `set local app.company_id` to the workers.
  'citus.propagate_set_commands=local',
]

export async function asOwner<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'kontor tenants',
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs `work` in a transaction that sees the rows of one company. */
export async function inCompany<T>(
  client: pg.Client,
  companyId: number,
  work: () => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await client.query(`${begin}; set local app.company_id = '${Math.trunc(companyId)}'`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // The connection may be lost; the first error is the one to report.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
