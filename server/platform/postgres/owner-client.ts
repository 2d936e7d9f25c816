// The connection of everything that runs as the owner of the tables: migrations, maintenance, backfills, the audit and the commands of an operator.

import pg from 'pg'

/** A server that accepts the connection and says nothing would keep a command waiting for ever. */
const defaultConnectMs = 15_000

export type OwnerOptions = {
  /** Shown in pg_stat_activity. */
  readonly name: string
  readonly statementMs?: number
  readonly connectMs?: number
  readonly settings?: readonly string[]
}

/** Only Citus reads this setting: it propagates `set local app.company_id` to the workers. */
const alwaysSet = ['citus.propagate_set_commands=local']

/** A client that is not connected yet. */
export function ownerClient(databaseUrl: string, options: OwnerOptions): pg.Client {
  const { name, statementMs, connectMs = defaultConnectMs, settings = [] } = options
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    options: [...alwaysSet, ...settings].map((setting) => `-c ${setting}`).join(' '),
    ...(statementMs === undefined ? {} : { statement_timeout: statementMs }),
  })
  // When the connection is lost, the running query or the next one fails. Without a listener the error would end the process.
  client.on('error', () => {})
  return client
}

/** Runs `work` on a connection of its own. */
export async function asOwner<T>(
  databaseUrl: string,
  options: OwnerOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = ownerClient(databaseUrl, options)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
