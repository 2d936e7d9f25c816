// Foreign keys of an import. PostgreSQL checks them for each row, which is much of the time of an import. A role that may switch that off, as a superuser may,
// has them checked once for all rows of a table. Nobody else can see or change these rows before COMMIT, so both checks have the same result.

import pg from 'pg'
import type { CompanyTable, Reference } from '../company-tables.ts'
import { ArchiveError } from './format.ts'

/** Whether the checks of each row are off from here on in this transaction. The caller then turns them on again and calls `checkReferences`. */
export async function suspendChecks(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_parameter_privilege('session_replication_role', 'set') as may`,
  )
  const may = rows[0]?.may === true
  if (may) await client.query('set local session_replication_role = replica')
  return may
}

export async function resumeChecks(client: pg.Client): Promise<void> {
  await client.query('set local session_replication_role = origin')
}

/** Checks every reference of the tables. They are read whole: searching for each row would take as long as the checks that were left out. */
export async function checkReferences(
  client: pg.Client,
  companyId: number,
  tables: readonly CompanyTable[],
): Promise<void> {
  await client.query('set local enable_nestloop = off')
  for (const table of tables)
    for (const reference of table.references) {
      const { rowCount } = await client.query(missing(table, reference), [companyId])
      if (rowCount !== 0)
        throw new ArchiveError(
          `The archive has rows of ${table.name} that cannot be stored: they refer to rows of ${reference.to} that do not exist`,
        )
    }
  await client.query('set local enable_nestloop = on')
}

/** As with `match simple`, a row in which one of the columns is null refers to nothing. */
function missing({ name }: CompanyTable, { to, columns, toColumns }: Reference): string {
  const of = (alias: string, column: string): string => `${alias}.${pg.escapeIdentifier(column)}`
  const isSet = columns.map((column) => `${of('r', column)} is not null`)
  const isSame = columns.map((column, at) => `${of('t', toColumns[at] ?? '')} = ${of('r', column)}`)
  return `select from ${pg.escapeIdentifier(name)} r where r.company_id = $1 and ${isSet.join(' and ')}
    and not exists (select from ${pg.escapeIdentifier(to)} t where t.company_id = $1 and ${isSame.join(' and ')}) limit 1`
}
