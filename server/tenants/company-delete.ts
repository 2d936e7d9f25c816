// Deletes a company: every row of it, in every table. In portions, so that no lock is held for long, and as the owner of the tables, because the role of
// the server may not delete the ledger, the events and the request log.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type CompanyTable, isDeferredTarget, readCompanyTables } from './company-tables.ts'
import { inCompany } from './owner.ts'

const portion = 5_000
/** Requests that were running when the keys were deleted end within ten seconds, and rows of the request log are written a little later. */
const maxPasses = 30
const pauseMs = 500

/** The tables through which requests are authenticated, and webhooks and mails found. Without these rows the company gets no further requests and sends nothing. */
const accessTables = [
  ...['api_keys', 'sign_ins', 'further_sign_ins', 'sessions', 'devices', 'invitations', 'passkeys'],
  ...['identity_providers', 'pending_single_sign_ons', 'pending_sign_ins'],
  ...['webhook_endpoints', 'webhook_companies', 'import_companies', 'mail_companies', 'mails', 'mail_links'],
]

export type DeletedRows = Readonly<Record<string, number>>

/** Returns the number of deleted rows by table. Can be run again after an interruption, until the company no longer exists. */
export async function deleteCompany(client: pg.Client, companyId: number): Promise<DeletedRows>
/** `undefined`: nothing was deleted, because the condition did not hold when no write of the company was running. */
export async function deleteCompany(
  client: pg.Client,
  companyId: number,
  condition: Condition,
): Promise<DeletedRows | undefined>
export async function deleteCompany(
  client: pg.Client,
  companyId: number,
  condition: Condition = async () => true,
): Promise<DeletedRows | undefined> {
  const tables = await readCompanyTables(client)
  const count = new Map<string, number>()
  const add = (table: CompanyTable, rows: number): number => {
    if (rows > 0) count.set(table.name, (count.get(table.name) ?? 0) + rows)
    return rows
  }
  if (!(await endAccess(client, companyId, tables, add, condition))) return undefined
  for (const copy of await testCompaniesOf(client, companyId)) await deleteCompany(client, copy)
  for (let pass = 1; ; pass++) {
    const deleted = await deleteAll(client, companyId, tables, add)
    if (pass > 1 && deleted === 0) break
    if (pass === maxPasses) throw new Error(`company ${companyId} still gets new rows: run the command again`)
    await sleep(pauseMs)
  }
  return Object.fromEntries(count)
}

/** The test company of a company, and copies that were made and are not used. */
export async function testCompaniesOf(client: pg.Client, companyId: number): Promise<number[]> {
  const { rows } = await client.query<{ company_id: string }>(
    'select company_id from companies where test_of = $1 order by company_id',
    [companyId],
  )
  return rows.map(({ company_id: id }) => Number(id))
}

type Condition = (client: pg.Client, companyId: number) => Promise<boolean>

type Add = (table: CompanyTable, rows: number) => number

/** Waits for the write in progress, and ends access before the next one. */
async function endAccess(
  client: pg.Client,
  companyId: number,
  tables: readonly CompanyTable[],
  add: Add,
  condition: Condition,
): Promise<boolean> {
  return await inCompany(client, companyId, async () => {
    await client.query('select from company_clock where company_id = $1 for update', [companyId])
    if (!(await condition(client, companyId))) return false
    for (const table of tables.filter(({ name }) => accessTables.includes(name)))
      add(table, await deleteWhere(client, companyId, table.name, ''))
    return true
  })
}

async function deleteAll(
  client: pg.Client,
  companyId: number,
  tables: readonly CompanyTable[],
  add: Add,
): Promise<number> {
  // From the first table that a deferred reference points to, everything goes in one transaction. These tables are small.
  const last = tables.findIndex((table) => isDeferredTarget(tables, table))
  const [large, small] = last < 0 ? [tables, []] : [tables.slice(0, last), tables.slice(last)]
  let deleted = 0
  for (const table of large) deleted += add(table, await deleteInPortions(client, companyId, table))
  await inCompany(client, companyId, async () => {
    for (const table of small) deleted += add(table, await deleteWhere(client, companyId, table.name, ''))
  })
  return deleted
}

async function deleteInPortions(client: pg.Client, companyId: number, table: CompanyTable): Promise<number> {
  const key = table.key.map((column) => pg.escapeIdentifier(column)).join(', ')
  // A tree is deleted from its leaves.
  const leaves = table.references
    .filter(({ to }) => to === table.name)
    .map(({ columns, toColumns }) => {
      const same = columns.map(
        (column, at) => `c.${pg.escapeIdentifier(column)} = t.${pg.escapeIdentifier(toColumns[at] ?? '')}`,
      )
      return `and not exists (select from ${pg.escapeIdentifier(table.name)} c where c.company_id = $1 and ${same.join(' and ')})`
    })
  const condition = `and (${key}) in (
    select ${key} from ${pg.escapeIdentifier(table.name)} t where t.company_id = $1 ${leaves.join(' ')} order by ${key} limit ${portion})`
  let deleted = 0
  for (;;) {
    const rows = await inCompany(client, companyId, () => deleteWhere(client, companyId, table.name, condition))
    deleted += rows
    if (rows === 0 || (rows < portion && leaves.length === 0)) return deleted
  }
}

async function deleteWhere(client: pg.Client, companyId: number, table: string, condition: string): Promise<number> {
  const { rowCount } = await client.query(
    `delete from ${pg.escapeIdentifier(table)} where company_id = $1 ${condition}`,
    [companyId],
  )
  return rowCount ?? 0
}
