// Checks the invariants of all sections and of the schema.

import type pg from 'pg'
import { accessInvariants } from './access/invariants.ts'
import { catalogInvariants } from './catalog/invariants.ts'
import { documentInvariants } from './documents/invariants.ts'
import type { Invariant } from './kernel/invariant.ts'
import { compileSql } from './kernel/statement.ts'
import { asCompany } from './platform/postgres/company-transaction.ts'
import { checkLogin, checkSchema, checkVersion } from './platform/postgres/database-checks.ts'
import { type Finding, refuseErrors, rowOf } from './platform/postgres/finding.ts'
import { asOwner } from './platform/postgres/owner-client.ts'
import { isRebalancing } from './platform/postgres/rebalance-lock.ts'
import { actInvariant, rightsInvariants, seesEveryCompany } from './platform/postgres/rights.ts'
import { salesInvariants } from './sales/invariants.ts'
import { stockInvariants } from './stock/invariants.ts'

export type Broken = { readonly invariant: string; readonly row: object }

export const invariants: readonly Invariant[] = [
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
    sql: `select relname from (${tenantTables}) t where not (relrowsecurity and (relforcerowsecurity or ${isRebalancing}))`,
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
  actInvariant,
]

export const invariantNames: readonly string[] = [...schemaInvariants, ...invariants].map(({ name }) => name)

/** An unfinished backfill. */
export type OpenBackfill = {
  readonly name: string
  /** Every company up to this one is filled in. */
  readonly last_company_id: number
  readonly companies_left: number
}

/** The backfill that has not reached the company yet and explains the violation. */
export function fillingIn(
  { invariant }: Broken,
  companyId: number,
  open: readonly OpenBackfill[],
): OpenBackfill | undefined {
  const name = invariants.find((one) => one.name === invariant)?.filledInBy
  return open.find((backfill) => backfill.name === name && companyId > backfill.last_company_id)
}

/** The audit cannot say anything about the data. */
export class NothingSeen extends Error {}

/** Runs as the user of DATABASE_URL, one company at a time: row level security applies here too. */
export async function auditCompany(databaseUrl: string, companyId: number): Promise<Broken[]> {
  return await withClient(databaseUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    await client.query(asCompany(companyId))
    const found = await brokenOf(client, invariants, [companyId])
    await client.query('commit')
    return found
  })
}

export async function auditSchema(databaseUrl: string): Promise<Broken[]> {
  return await withClient(databaseUrl, (client) => brokenOf(client, schemaInvariants, []))
}

/** What has to be known before the companies are checked. Throws if the audit would see nothing, or not everything. */
export async function prepareAudit(
  databaseUrl: string,
  only: number | undefined,
): Promise<{ readonly companies: number[]; readonly open: OpenBackfill[]; readonly login: Finding }> {
  return await withClient(databaseUrl, async (client) => {
    refuseErrors([await checkVersion(client), await checkSchema(client)])
    const { rows: open } = await client.query<OpenBackfill>(
      `select name, last_company_id::float8 as last_company_id, companies_left::int as companies_left
       from backfills where finished_at is null order by name`,
    )
    const companies = only === undefined ? await everyCompany(client) : [await existingCompany(client, only)]
    return { companies, open, login: await checkLogin(client) }
  })
}

async function everyCompany(client: pg.Client): Promise<number[]> {
  const { login, sees, owns } = await rowOf<{ login: string; sees: boolean; owns: boolean }>(client, seesEveryCompany)
  if (!sees)
    throw new NothingSeen(
      owns
        ? `${login} owns the tables but does not see the companies: a policy is missing. Run "kontor migrate" as ${login}.`
        : `${login} does not own the tables and sees no company, so nothing was checked. Run the audit as the owner of the tables.`,
    )
  const { rows } = await client.query<{ company_id: string }>('select company_id from companies order by company_id')
  return rows.map((row) => Number(row.company_id))
}

async function existingCompany(client: pg.Client, companyId: number): Promise<number> {
  await client.query('begin read only')
  await client.query(asCompany(companyId))
  const { rowCount } = await client.query('select from companies where company_id = $1', [companyId])
  await client.query('commit')
  if (rowCount === 0) throw new NothingSeen(`There is no company ${companyId}, so nothing was checked.`)
  return companyId
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
