// The beginning of a transaction in which row level security shows the rows of one company.

/** In a transaction. Not set_config(): a cluster sends only `set local` to its workers. */
export const asCompany = (companyId: number): string => `set local app.company_id = '${Math.trunc(companyId)}'`

/** Its commit does not wait for the disk: a crash of PostgreSQL may lose it. */
export const beginAsyncAs = (companyId: number): string =>
  `begin; set local synchronous_commit = off; ${asCompany(companyId)}`

export const beginAs = (companyId: number): string => `begin; ${asCompany(companyId)}`
