// Archives of an older schema: columns and tables that were added since get their defaults, and backfills visit the company.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runBackfills } from '../../platform/postgres/backfills.ts'
import { archiveOf, brokenAt, importArchive, rowsOf, scratchDatabase, textOf } from '../../test/harness/archives.ts'
import { fullCompany } from '../../test/harness/full-company.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { asOwner, inCompany } from '../owner.ts'
import { ArchiveError } from './format.ts'

const database = ownedDatabase()

/** Undoes the last migrations of a database, as if they had never run. */
const stepsBack = `
  alter table sales drop column cost_known;
  drop table files;
  alter table company_clock drop column last_file_id;
  delete from schema_expansions where name like '0073%' or name like '0085%';
  delete from backfills where name = 'known_costs_of_sales'`

test('an archive of an older schema is imported, and its backfills run for the company', async (context) => {
  const { company } = await fullCompany()
  const current = await rowsOf(database.url, company.id)
  const [older, newer] = [await scratchDatabase(context, database), await scratchDatabase(context, database)]
  await importArchive(older, await archiveOf(database.url, company.id))
  await asOwner(older, (client) => client.query(stepsBack))
  const archive = await archiveOf(older, company.id)
  assert.doesNotMatch(textOf(archive), /cost_known|"table":"files"/)
  await runBackfills(newer)

  await importArchive(newer, archive)
  const progress = () =>
    asOwner(newer, async (client) => {
      const { rows } = await client.query(
        'select name, finished_at is null as is_open, companies_left::int from backfills order by name',
      )
      return rows
    })
  assert.ok((await progress()).every((row) => row.is_open && row.companies_left === 1))
  const unfilled = (await rowsOf(newer, company.id)).get('sales') ?? []
  assert.ok(unfilled.length > 0 && unfilled.every((sale) => sale['cost_known'] === null))
  await runBackfills(newer)
  assert.ok((await progress()).every((row) => !row.is_open && row.companies_left === 0))
  const filled = await rowsOf(newer, company.id)
  for (const table of ['sales', 'sale_lines', 'purchases', 'items', 'customers', 'stock_movements'])
    assert.deepEqual(filled.get(table), current.get(table), table)
  assert.deepEqual(filled.get('files'), [])
  assert.equal(filled.get('company_clock')?.[0]?.['last_file_id'], 1_000_000)
  assert.deepEqual(await brokenAt(newer, company.id), [])

  await assert.rejects(
    importArchive(older, await archiveOf(database.url, company.id), 'new'),
    (error) => error instanceof ArchiveError && /lacks 0073_known_costs_of_sales, 0085_files\./.test(error.message),
  )
})

test('a backfill that had not reached the company goes on after the import, and others stay finished', async (context) => {
  const { company } = await fullCompany()
  const [from, to] = [await scratchDatabase(context, database), await scratchDatabase(context, database)]
  await importArchive(from, await archiveOf(database.url, company.id))
  await runBackfills(from)
  await asOwner(from, (client) =>
    inCompany(client, company.id, async () => {
      await client.query('update sales set cost_known = null where company_id = $1', [company.id])
      await client.query(
        `update backfills set finished_at = null, last_company_id = 0, companies_left = 1 where name = 'known_costs_of_sales'`,
      )
    }),
  )
  await runBackfills(to)
  await importArchive(to, await archiveOf(from, company.id))
  await asOwner(to, async (client) => {
    const { rows } = await client.query('select name from backfills where finished_at is null')
    assert.deepEqual(rows, [{ name: 'known_costs_of_sales' }])
  })
  await runBackfills(to)
  const sales = (await rowsOf(to, company.id)).get('sales') ?? []
  assert.ok(sales.length > 0 && sales.every((sale) => sale['cost_known'] !== null))
})
