// The beginning of a transaction in which row level security shows the rows of one company.

import type pg from 'pg'

/** In a transaction. Not set_config(): a cluster sends only `set local` to its workers. */
export const asCompany = (companyId: number): string => `set local app.company_id = '${Math.trunc(companyId)}'`

/** Its commit does not wait for the disk: a crash of PostgreSQL may lose it. */
export const beginAsyncAs = (companyId: number): string =>
  `begin; set local synchronous_commit = off; ${asCompany(companyId)}`

/** Split into statements by a round trip. */
export const beginAs = (companyId: number): string => `begin; ${asCompany(companyId)}`

/** Two texts: a cluster begins the transaction twice on its workers when one text has both statements. */
export async function beginCompany(client: pg.ClientBase, companyId: number): Promise<void> {
  await client.query('begin')
  await client.query(asCompany(companyId))
}
