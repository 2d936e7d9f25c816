// The beginning of a transaction in which row level security shows the rows of one company.

/** Its commit does not wait for the disk: a crash of PostgreSQL may lose it. */
export const beginAsyncAs = (companyId: number): string =>
  `begin; set local synchronous_commit = off; set local app.company_id = '${companyId}'`

export const beginAs = (companyId: number): string => `begin; set local app.company_id = '${companyId}'`
