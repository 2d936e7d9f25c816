// History of records and the request log, as the screens show them.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { until } from '../test/harness/until.ts'

/** The log is written asynchronously, shortly after the request. */
async function logged(user: { call: Company['call'] }, wanted: number, filters: object = {}) {
  const read = async () => (await user.call('requests/get_list', filters)).body
  await until(async () => (await read()).total >= wanted, { pollMs: 50 })
  return await read()
}

const methodsOf = (body: { requests: { method: string }[] }) => body.requests.map(({ method }) => method)

test('the request log is listed newest first, filtered and paged', async () => {
  const company = await given.company({ timezone: 'Pacific/Kiritimati' })
  const user = await given.user(company, 'manager')
  await company.call('units/add', { name: 'kg' })
  await company.call('units/add', { name: '100%_sure' })
  await company.call('units/edit', { unit_id: 2 })
  await company.call('units/delete', { unit_id: 99 })
  await company.call('nothing/here', {})
  const all = await logged(user, 5)
  assert.deepEqual(methodsOf(all), ['nothing/here', 'units/delete', 'units/edit', 'units/add', 'units/add'])
  assert.equal(all.total, 5)
  const [, failed] = all.requests
  assert.equal(failed.status, 400)
  assert.equal(failed.error, 'Unit not found or access denied')
  assert.equal(failed.connection_name, 'General API connection')
  assert.ok(Number.isInteger(failed.duration_ms))
  const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)
  const dayAfter = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10)
  const cases: readonly (readonly [object, number])[] = [
    [{ method: 'units/add' }, 2],
    [{ outcome: 'failed' }, 2],
    [{ outcome: 'ok' }, 3],
    [{ connection_id: 1 }, 5],
    [{ connection_id: 2 }, 0],
    [{ search: '100%_SURE' }, 1],
    [{ search: '100__sure' }, 0],
    [{ search: failed.request_id }, 1],
    [{ search: 'access denied' }, 1],
    [{ date_from: today, date_to: today }, 5],
    [{ date_from: dayAfter }, 0],
    [{ record: 'unit', record_id: 2 }, 1],
    [{ record: 'unit', record_id: 99 }, 0],
    [{ record: 'unit' }, 0],
  ]
  for (const [filters, total] of cases) {
    const { body } = await user.call('requests/get_list', filters)
    assert.equal(body.total, total, JSON.stringify(filters))
    assert.equal(body.requests.length, total)
  }
  const { body: page } = await user.call('requests/get_list', { limit: 2, offset: 1 })
  assert.deepEqual(methodsOf(page), ['units/delete', 'units/edit'])
  assert.equal(page.total, 5)
})

/** Seconds after 10:00 on a day in the past. */
const atSecond = (second: number): string => new Date(Date.UTC(2026, 2, 12, 10, 0, second)).toISOString()

const insertGaps = (company: Company, gaps: readonly (readonly [first: number, last: number, requests: number])[]) =>
  query(
    company.id,
    `insert into request_log_gaps (company_id, first_at, first_request_id, last_at, requests, reason)
     select $1, x.first_at, 'req_' || x.number, x.last_at, x.requests, 'full'
     from unnest($2::timestamptz[], $3::timestamptz[], $4::int[]) with ordinality x (first_at, last_at, requests, number)`,
    [
      company.id,
      gaps.map(([first]) => atSecond(first)),
      gaps.map(([, last]) => atSecond(last)),
      gaps.map(([, , requests]) => requests),
    ],
  )

const insertRows = (company: Company, seconds: readonly number[]) =>
  query(
    company.id,
    `insert into request_log (company_id, at, request_id, method, status, duration_ms, request, answer)
     select $1, x.at, 'req_' || x.number, 'orders/add', 200, 1, '', '' from unnest($2::timestamptz[]) with ordinality x (at, number)`,
    [company.id, seconds.map(atSecond)],
  )

test('a gap of the request log is on the page where its requests would be, and on no other', async () => {
  const company = await given.company({ timezone: 'UTC' })
  const user = await given.user(company, 'manager')
  await insertRows(company, [10, 20, 20, 30, 40])
  // Older than every row, equal to a row on a page boundary, over several rows, newer than every row.
  await insertGaps(company, [
    [1, 2, 1],
    [20, 20, 2],
    [15, 35, 4],
    [50, 60, 8],
  ])
  const pages = async (limit: number, filters: object = {}): Promise<number[][]> => {
    const found: number[][] = []
    for (let offset = 0; offset < 6; offset += limit) {
      const { body } = await user.call('requests/get_list', { ...filters, limit, offset })
      found.push(body.gaps.map(({ requests }: { requests: number }) => requests))
    }
    return found
  }
  assert.deepEqual(await pages(6), [[8, 4, 2, 1]])
  assert.deepEqual(await pages(5), [[8, 4, 2, 1], []])
  assert.deepEqual(await pages(3), [[8, 4, 2], [1]])
  assert.deepEqual(await pages(2), [[8, 4], [2], [1]])
  assert.deepEqual(await pages(1), [[8], [4], [2], [], [1], []])
  // It is unknown what the missing requests were.
  assert.deepEqual(await pages(6, { outcome: 'failed', method: 'orders/edit' }), [[8, 4, 2, 1]])
  assert.deepEqual(await pages(6, { date_from: '2026-03-12', date_to: '2026-03-12' }), [[8, 4, 2, 1]])
  assert.deepEqual(await pages(6, { date_from: '2026-03-13' }), [[]])
  assert.deepEqual(await pages(6, { date_to: '2026-03-11' }), [[]])
  const { body } = await user.call('requests/get_list', { limit: 1 })
  assert.deepEqual(body.gaps, [
    { first_at: '2026-03-12T10:00:50.000000Z', last_at: '2026-03-12T10:01:00.000000Z', requests: 8, reason: 'full' },
  ])
  assert.deepEqual((await (await given.user(await given.company())).call('requests/get_list')).body.gaps, [])
})

test('many gaps on one page are combined, and none of their requests is left out', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  await insertGaps(
    company,
    Array.from({ length: 250 }, (_, at) => [at, at, 2] as const),
  )
  const { body } = await user.call('requests/get_list')
  assert.equal(body.gaps.length, 100)
  assert.deepEqual(body.gaps.at(-1), {
    first_at: '2026-03-12T10:00:00.000000Z',
    last_at: '2026-03-12T10:02:30.000000Z',
    requests: 302,
    reason: 'full',
  })
})

test('one request is shown with its full request and response', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const sent = await company.call('units/add', { name: 'kg "net"' })
  const [row] = (await logged(user, 1)).requests
  assert.equal(row.request_id, sent.headers.get('x-request-id'))
  const { body } = await user.call('requests/get_entry', { request_id: row.request_id })
  assert.deepEqual(body.request, { ...row, request: '{"name":"kg \\"net\\""}', answer: sent.text })
  const missing = await user.call('requests/get_entry', { request_id: 'req_none' })
  assert.deepEqual([missing.status, missing.body.error], [400, 'Request not found'])
  assert.equal((await user.call('requests/get_entry')).body.error, 'No request_id in input')
  const otherCompany = await given.user(await given.company())
  assert.equal((await otherCompany.call('requests/get_entry', { request_id: row.request_id })).status, 400)
})

test('the history of a record shows who changed what, newest first', async () => {
  const company = await given.company()
  const user = await given.user(company)
  const { body: unit } = await company.call('units/add', { name: 'kg' })
  await user.call('units/edit', { unit_id: unit.unit_id, name: 'kilo' })
  const { body } = await user.call('history/get_list', { record: 'unit', record_id: unit.unit_id })
  assert.equal(body.total, 2)
  const [edited, added] = body.events
  assert.deepEqual(
    [edited.method, edited.source, edited.user_name, edited.connection_name, edited.change],
    ['units/edit', 'manual', 'Some owner', null, { name: ['kg', 'kilo'] }],
  )
  assert.deepEqual(
    [added.method, added.source, added.user_name, added.connection_name],
    ['units/add', 'api', null, 'General API connection'],
  )
  assert.ok(edited.seq > added.seq && edited.at >= added.at)
  const { body: second } = await user.call('history/get_list', {
    record: 'unit',
    record_id: unit.unit_id,
    limit: 1,
    offset: 1,
  })
  assert.deepEqual(second.events, [added])
})

test('the history of users, invitations and connections is shown to owners only', async () => {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  const manager = await given.user(company, 'manager')
  const { body: invited } = await owner.call('users/invite', { email: `${randomUUID()}@oak.example`, role: 'worker' })
  await owner.call('users/edit', { user_id: manager.id, name: 'Ben' })
  await owner.call('connections/edit', { connection_id: 1, name: 'Web shop' })
  const records = [
    { record: 'invitation', record_id: invited.invitation_id },
    { record: 'user', record_id: manager.id },
    { record: ' user ', record_id: manager.id },
    { record: 'connection', record_id: 1 },
  ]
  for (const record of records) {
    const shown = await owner.call('history/get_list', record)
    assert.ok(shown.body.total > 0, JSON.stringify(record))
    const refused = await manager.call('history/get_list', record)
    assert.deepEqual([refused.status, refused.body.error], [403, 'Your role does not allow this'])
  }
  assert.equal((await manager.call('history/get_list', { record: 'unit', record_id: 1 })).status, 200)
})

test('changes since the last poll are listed, only the newest when there are many', async () => {
  const company = await given.company()
  const user = await given.user(company, 'worker')
  const { body: start } = await user.call('session/get')
  const nothing = await user.call('changes/get_list', { after: start.seq })
  assert.deepEqual(nothing.body, { success: true, seq: start.seq, changes: [] })
  const { body: unit } = await company.call('units/add', { name: 'kg' })
  const { body } = await user.call('changes/get_list', { after: start.seq })
  assert.deepEqual(body, {
    success: true,
    seq: start.seq + 1,
    changes: [
      {
        seq: start.seq + 1,
        record: 'unit',
        record_id: unit.unit_id,
        method: 'units/add',
        user_name: null,
        connection_name: 'General API connection',
      },
    ],
  })
  for (let unitNumber = 1; unitNumber <= 205; unitNumber++) await given.unit(company, `unit ${unitNumber}`)
  const { body: many } = await user.call('changes/get_list', { after: 0 })
  assert.equal(many.changes.length, 200)
  assert.equal(many.changes[0].seq, many.seq)
})

test('invalid fields of the log and the history are refused with the message of the field', async () => {
  const user = await given.user(await given.company())
  const cases: readonly (readonly [string, object, string])[] = [
    ['requests/get_list', { outcome: 'maybe' }, 'Invalid outcome value. Must be one of: ok, failed'],
    ['requests/get_list', { date_from: '2026-02-30' }, 'Date is not a valid date in format YYYY-MM-DD'],
    ['requests/get_list', { limit: 0 }, 'Invalid limit value. Must be between 1 and 1000'],
    ['requests/get_list', { search: {} }, 'Invalid search value. Must be a string'],
    ['history/get_list', { record_id: 1 }, 'No record in input'],
    ['history/get_list', { record: 'sale' }, 'No record_id in input'],
    ['changes/get_list', {}, 'No after in input'],
    ['changes/get_list', { after: -1 }, 'Invalid after value. Must be 0 or greater'],
    ['changes/get_list', { after: 'x' }, 'Invalid after value. Must be 0 or greater'],
  ]
  for (const [path, body, error] of cases) {
    const reply = await user.call(path, body)
    assert.deepEqual([reply.status, reply.body.error], [400, error], path)
  }
})
