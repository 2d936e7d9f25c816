// When a test company is copied again or later: after an erasure, also during one, and once backfills have reached the company.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../platform/process/logger.ts'
import { query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { ownedDatabase } from '../test/harness/owned-database.ts'
import { until } from '../test/harness/until.ts'
import { deleteDueCompanies } from './due-deletions.ts'
import { erasePerson } from './erasure.ts'
import { asOwner } from './owner.ts'
import { TestCompanies } from './test-companies.ts'

const database = ownedDatabase()

/** Once a new database has run its backfills. */
async function request({ id }: Company): Promise<void> {
  await until(async () => (await query(id, 'select from backfills where finished_at is null')).length === 0)
  await query(id, 'insert into test_companies (company_id, requested_at) values ($1, now())', [id])
}

type State = { readonly id: number; readonly requested_at: Date | null }

const stateOf = async ({ id }: Company): Promise<State> =>
  (
    await query(id, 'select test_company_id::float8 as id, requested_at from test_companies where company_id = $1', [
      id,
    ])
  )[0]

/** Makes what is requested, as the server does once a minute. */
async function makeRequested(during: () => Promise<void> = async () => {}): Promise<void> {
  const maker = new TestCompanies(database.url, createLogger('silent'))
  maker.wake()
  try {
    await during()
  } finally {
    await until(() => !maker.isWorking)
    await maker.stop()
  }
}

test('after an erasure the test company is copied again, without the person', async () => {
  const company = await given.company()
  const { id } = await given.customer(company, { name: 'Ada Beech' })
  await request(company)
  await makeRequested()
  const first = await stateOf(company)
  const names = async (copyId: number) =>
    (await query(copyId, 'select name from customers where company_id = $1', [copyId])).map(({ name }) => name)
  assert.deepEqual(await names(first.id), ['Ada Beech'])
  const person = { kind: 'customer', id } as const
  const changed = await asOwner(database.url, (client) => erasePerson(client, company.id, person, []))
  assert.equal(changed['test_companies'], 1)
  await makeRequested()
  const second = await stateOf(company)
  assert.notEqual(second.id, first.id)
  assert.deepEqual([second.requested_at, await names(second.id)], [null, ['[erased]']])
  assert.deepEqual(await deleteDueCompanies(database.url), [first.id])
})

test('a copy that was begun before an erasure is followed by another one', async () => {
  const company = await given.company()
  await request(company)
  await asOwner(database.superuserUrl, async (other) => {
    await other.query('begin')
    await other.query('select from test_companies where company_id = $1 for update', [company.id])
    await makeRequested(async () => {
      // The copy is complete, and waits to be taken into use. On a cluster it waits at a worker.
      const waiting = `select from pg_stat_activity where state = 'active' and query like 'update test_companies set test_company_id%'
        and clock_timestamp() - query_start > interval '0.3 seconds'`
      await until(async () => (await query(company.id, waiting)).length > 0)
      await other.query('update test_companies set requested_at = $2 where company_id = $1', [company.id, new Date()])
      await other.query('commit')
    })
  })
  const first = await stateOf(company)
  assert.ok(first.id !== null && first.requested_at !== null)
  await makeRequested()
  const second = await stateOf(company)
  assert.deepEqual([second.id === first.id, second.requested_at], [false, null])
  assert.deepEqual(await deleteDueCompanies(database.url), [first.id])
})

test('a company is copied after the backfills have reached it', async () => {
  const company = await given.company()
  await request(company)
  const change = (values: string) =>
    query(company.id, `update backfills set ${values} where name = (select min(name) from backfills)`)
  await change(`finished_at = null, last_company_id = ${company.id - 1}`)
  await makeRequested()
  const {
    rows: [waiting],
  } = await asOwner(database.superuserUrl, (client) =>
    client.query('select requested_at is not null as waits, failed_at from test_companies where company_id = $1', [
      company.id,
    ]),
  )
  assert.deepEqual(waiting, { waits: true, failed_at: null })
  await change(`last_company_id = ${company.id}`)
  await makeRequested()
  assert.equal((await stateOf(company)).requested_at, null)
  await change('finished_at = now()')
})
