// What maintenance removes for all companies.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl, query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { createWithSchema } from '../../test/harness/template-database.ts'
import { onTestServer, testDatabaseUrl } from '../../test/harness/test-server.ts'
import { until } from '../../test/harness/until.ts'
import { createLogger } from '../process/logger.ts'
import { keepLogDays, Maintenance } from './maintain.ts'
import { asOwner } from './owner-client.ts'

const keys = async (company: Company): Promise<string[]> => {
  const rows = await query(company.id, 'select key from idempotency_keys where company_id = $1 order by key', [
    company.id,
  ])
  return rows.map(({ key }) => key.replace('connection 1: ', ''))
}

test('responses stored under an Idempotency-Key are removed after a day, also for companies that send no more requests', async () => {
  const companies = [await given.company(), await given.company()]
  for (const company of companies) {
    for (const key of ['new', 'old', 'older']) {
      const reply = await company.call('units/add', { name: key }, { 'idempotency-key': key })
      assert.equal(reply.status, 200, reply.text)
    }
    await query(
      company.id,
      `update idempotency_keys set created_at = now() - case when key = 'connection 1: old' then interval '25 hours' else interval '40 days' end
       where company_id = $1 and key <> 'connection 1: new'`,
      [company.id],
    )
  }
  await keepLogDays(databaseUrl(), 30)
  for (const company of companies) assert.deepEqual(await keys(company), ['new'])
  const [company] = companies
  const again = await company?.call('units/add', { name: 'new' }, { 'idempotency-key': 'new' })
  assert.equal(again?.headers.get('idempotent-replayed'), 'true')
})

test('requests of a company with its own number of days are removed earlier than those of others', async () => {
  const companies = [
    await given.company({ request_log_days: 3 }),
    await given.company(),
    await given.company({ request_log_days: 60 }),
  ]
  for (const company of companies)
    await query(
      company.id,
      `insert into request_log (company_id, at, request_id, method, status, duration_ms, request, answer)
       select $1, now() - make_interval(days => age), age::text, 'units/add', 200, 1, '{}', '{}' from unnest(array[1, 5]) age`,
      [company.id],
    )
  await keepLogDays(databaseUrl(), 30)
  const kept = async ({ id }: Company) =>
    (await query(id, 'select request_id from request_log where company_id = $1 order by 1', [id])).map(
      (row) => row.request_id,
    )
  assert.deepEqual(
    [await kept(companies[0] as Company), await kept(companies[1] as Company), await kept(companies[2] as Company)],
    [['1'], ['1', '5'], ['1', '5']],
  )
})

test('gaps of the request log are removed after as many days as the log', async () => {
  const companies = [await given.company(), await given.company()]
  for (const company of companies) {
    await query(
      company.id,
      `insert into request_log_gaps (company_id, first_at, first_request_id, last_at, requests, reason)
       select $1, now() - x.age, x.age::text, now() - x.age, 1, 'full'
       from (values (interval '29 days'), (interval '31 days')) x (age)`,
      [company.id],
    )
  }
  await keepLogDays(databaseUrl(), 30)
  for (const company of companies) {
    const rows = await query(company.id, 'select first_request_id as age from request_log_gaps where company_id = $1', [
      company.id,
    ])
    assert.deepEqual(rows, [{ age: '29 days' }])
  }
})

test('the log of a webhook is kept for 30 days, at most 50,000 rows', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  for (const webhook of [1, 2]) {
    await owner.call('webhooks/add', { url: 'https://shop.example/', enabled: 0 })
    await query(
      company.id,
      `insert into webhook_deliveries (company_id, webhook_id, number, seq, type, attempt, at, duration_ms, response)
       select $1, $2, n, 1, 'unit.created', 1, now() - case n when 1 then interval '31 days' else interval '29 days' end, 1, '' from generate_series(1, 6) n`,
      [company.id, webhook],
    )
  }
  await query(company.id, 'update webhook_endpoints set deliveries = 50003 where company_id = $1 and id = 2', [
    company.id,
  ])
  await keepLogDays(databaseUrl(), 30)
  const kept = await query(
    company.id,
    'select array_agg(number::int order by number) as numbers from webhook_deliveries where company_id = $1 group by webhook_id order by webhook_id',
    [company.id],
  )
  assert.deepEqual(
    kept.map(({ numbers }) => numbers),
    [
      [2, 3, 4, 5, 6],
      [4, 5, 6],
    ],
  )
})

test('backfills that another process has opened or left go on', async (context) => {
  const name = `kontor_maintained_${process.pid}`
  await createWithSchema(name)
  context.after(() => onTestServer(`drop database ${name} with (force)`))
  const run = (sql: string) => asOwner(testDatabaseUrl(name), { name: 'test' }, (client) => client.query(sql))
  const areFinished = async () => (await run('select from backfills where finished_at is null')).rowCount === 0
  assert.equal(await areFinished(), false)
  const maintenance = new Maintenance(testDatabaseUrl(name), 30, createLogger('silent'), async () => [], 50)
  try {
    await maintenance.start()
    await until(areFinished)
    await run('update backfills set finished_at = null, last_company_id = 0')
    await until(areFinished)
  } finally {
    maintenance.stop()
  }
})
