// Foreign keys that are checked at the end of an import: every one of them is noticed when a row breaks it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { notOnCluster } from '../../test/harness/citus.ts'
import { databaseUrl } from '../../test/harness/database.ts'
import { fullCompany } from '../../test/harness/full-company.ts'
import { type CompanyTable, type Reference, readCompanyTables } from '../company-tables.ts'
import { asOwner, inCompany } from '../owner.ts'
import { ArchiveError } from './format.ts'
import { checkReferences, resumeChecks, suspendChecks } from './references.ts'

const skip = notOnCluster('a cluster plans no update of one row by its place in the table')

/** Lets one row refer to nothing. False where no row can: it has no such row, or another constraint refuses it. */
async function broken(
  client: pg.Client,
  companyId: number,
  { name, columns }: CompanyTable,
  reference: Reference,
): Promise<boolean> {
  const [column = ''] = reference.columns.filter((one) => one !== 'company_id').slice(-1)
  const type = columns.find((one) => one.name === column)?.type
  if (type === undefined) return false
  const value = /^(?:bigint|integer)$/.test(type) ? '987654321' : `'none'`
  const id = pg.escapeIdentifier
  await client.query('savepoint unbroken')
  try {
    const { rowCount } = await client.query(
      `update ${id(name)} set ${id(column)} = ${value} where ctid = (
         select ctid from ${id(name)} where company_id = $1 and ${reference.columns.map((one) => `${id(one)} is not null`).join(' and ')} limit 1)`,
      [companyId],
    )
    return rowCount === 1
  } catch (error) {
    assert.match(String((error as { code?: unknown }).code), /^2[23]/, String(error))
    await client.query('rollback to unbroken')
    return false
  }
}

test('nothing but foreign keys is switched off, and all of them stay within a company', async () => {
  await asOwner(databaseUrl(), async (client) => {
    const { rows: triggers } = await client.query(
      `select tgname from pg_trigger join pg_class on pg_class.oid = tgrelid
       where not tgisinternal and relnamespace = 'public'::regnamespace`,
    )
    assert.deepEqual(triggers, [])
    for (const { name, references } of await readCompanyTables(client))
      for (const { columns, toColumns } of references) {
        const at = columns.indexOf('company_id')
        assert.ok(at >= 0 && toColumns[at] === 'company_id', `${name} (${columns.join(', ')})`)
      }
  })
})

test('a row that refers to nothing is noticed, by whichever foreign key', { skip }, async () => {
  const { company } = await fullCompany()
  await asOwner(databaseUrl(), async (client) => {
    const tables = await readCompanyTables(client)
    const noticed: string[] = []
    const untried: string[] = []
    await inCompany(client, company.id, async () => {
      assert.equal(await suspendChecks(client), true)
      await checkReferences(client, company.id, tables)
      for (const table of tables)
        for (const reference of table.references) {
          const name = `${table.name} (${reference.columns.join(', ')})`
          await client.query('savepoint whole')
          if (await broken(client, company.id, table, reference)) {
            const refused = (error: unknown) =>
              error instanceof ArchiveError && error.message.includes(` ${table.name} `)
            await assert.rejects(checkReferences(client, company.id, [table]), refused, name)
            noticed.push(name)
          } else untried.push(name)
          await client.query('rollback to whole')
        }
      await resumeChecks(client)
      await checkReferences(client, company.id, tables)
    })
    // Those of the company itself, and of tables in which this company has no rows.
    assert.ok(noticed.length > 60, `only ${noticed.length} were tried, not ${untried.join(', ')}`)
  })
})
