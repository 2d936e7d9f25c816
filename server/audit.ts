// Checks the invariants of all sections and of the schema.

import type pg from 'pg'
import { accessInvariants } from './access/invariants.ts'
import { catalogInvariants } from './catalog/invariants.ts'
import { documentInvariants } from './documents/invariants.ts'
import type { Invariant } from './kernel/invariant.ts'
import { compileSql } from './kernel/statement.ts'
import { asOwner } from './platform/postgres/owner-client.ts'
import { loginWarning, rightsInvariants } from './platform/postgres/rights.ts'
import { salesInvariants } from './sales/invariants.ts'
import { stockInvariants } from './stock/invariants.ts'

export type Broken = { readonly invariant: string; readonly row: object }

const invariants: readonly Invariant[] = [
  ...accessInvariants,
  ...catalogInvariants,
  ...stockInvariants,
  ...documentInvariants,
  ...salesInvariants,
]

/** Maximum number of rows per broken invariant: enough to see the problem, even if a large fault breaks more. */
const maxRows = 100

const tenantTables = `
  select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and c.relname <> 'api_keys'`

const schemaInvariants: readonly Invariant[] = [
  {
    name: 'row level security is enabled and forced on every table of a company',
    sql: `select relname from (${tenantTables}) t where not (relrowsecurity and relforcerowsecurity)`,
  },
  {
    name: 'every primary key and unique index starts with the company',
    sql: `select t.relname, i.indexrelid::regclass::text as index from (${tenantTables}) t join pg_index i on i.indrelid = t.oid
          join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0] where i.indisunique and a.attname <> 'company_id'
            -- An email is looked up by its hash, before its company is known.
            and not (t.relname = 'sign_ins' and i.indisprimary)`,
  },
  {
    name: 'every foreign key between tables of a company carries the company',
    sql: `select t.relname, k.conname from (${tenantTables}) t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
          join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1] where a.attname <> 'company_id'`,
  },
  ...rightsInvariants,
]

export const invariantNames: readonly string[] = [...schemaInvariants, ...invariants].map(({ name }) => name)

/** Runs as the user of DATABASE_URL, one company at a time: row level security applies here too. */
export async function auditCompany(databaseUrl: string, companyId: number): Promise<Broken[]> {
  return await withClient(databaseUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local app.company_id = '${Math.trunc(companyId)}'`)
    const found = await brokenOf(client, invariants, [companyId])
    await client.query('commit')
    return found
  })
}

export async function auditSchema(databaseUrl: string): Promise<Broken[]> {
  return await withClient(databaseUrl, (client) => brokenOf(client, schemaInvariants, []))
}

/** A warning about a login that is risky although no invariant is broken. */
export async function auditWarning(databaseUrl: string): Promise<string | undefined> {
  return await withClient(databaseUrl, loginWarning)
}

export async function companyIds(databaseUrl: string): Promise<number[]> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ company_id: string }>('select company_id from companies order by company_id')
    return rows.map((row) => Number(row.company_id))
  })
}

async function brokenOf(
  client: pg.Client,
  checks: readonly Invariant[],
  values: readonly unknown[],
): Promise<Broken[]> {
  const found: Broken[] = []
  for (const check of checks) {
    const { rows } = await client.query(`select * from (${compileSql(check.sql).text}) broken limit ${maxRows}`, [
      ...values,
    ])
    found.push(...rows.map((row) => ({ invariant: check.name, row })))
  }
  return found
}

const withClient = <T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  asOwner(databaseUrl, { name: 'kontor audit' }, work)
