// Where each table of a cluster is: on every node, on the coordinator, or in shards by company.

/** Read before the company is known, so every worker has a copy. */
export const referenceTables = [
  ...['api_keys', 'sign_ins', 'further_sign_ins'],
  ...['webhook_companies', 'import_companies', 'mail_companies', 'test_companies'],
]
/** Without a company and not needed on workers: they stay on the coordinator. */
export const localTables = ['backfills', 'schema_expansions', 'schema_migrations', 'trusted_clock']

const createsTable = /^create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)\s*\(/i

const setsStorage = /^alter\s+table\s+(\w+)\s+alter\s+(?:column\s+)?\w+\s+set\s+storage\b/i

/**
 * The statements of a migration of a distributed database, with the distribution of each new table before there are rows in it: rows that refer to a company
 * can only be written where the company is. How a column is stored can be set before a table is distributed and not later: a column of an existing table keeps
 * what it has.
 */
export function withPlacements(statements: readonly string[]): string[] {
  const storage = statements.filter((statement) => setsStorage.test(statement))
  return statements
    .filter((statement) => !storage.includes(statement))
    .flatMap((statement) => {
      const table = createsTable.exec(statement)?.[1]
      if (table === undefined || localTables.includes(table)) return [statement]
      const placement = referenceTables.includes(table)
        ? `select create_reference_table('${table}')`
        : `select create_distributed_table('${table}', 'company_id', colocate_with => 'companies')`
      return [statement, ...storage.filter((one) => setsStorage.exec(one)?.[1] === table), placement]
    })
}
