// Test companies: copies of a company with keys of their own. Nothing that is done in one reaches the other.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { isWellFormed } from '../access/keys.ts'
import { publicMethods } from '../generate/json-schema.ts'
import { methods, sessionMethods } from '../methods.ts'
import { sendQuote } from '../sales/quotes/send.ts'
import { exampleRequest } from '../test/contract/declared.ts'
import { allRows, assertSameRows } from '../test/contract/rows.ts'
import { makeWorld } from '../test/contract/world.ts'
import { archiveOf, brokenAt } from '../test/harness/archives.ts'
import { Browser } from '../test/harness/browser.ts'
import { query } from '../test/harness/database.ts'
import { type Company, given, type User } from '../test/harness/given.ts'
import { ownedDatabase } from '../test/harness/owned-database.ts'
import { until } from '../test/harness/until.ts'
import { importCompany } from './archive/import.ts'
import { deleteCompany } from './company-delete.ts'
import { deleteDueCompanies } from './due-deletions.ts'
import { asOwner, asServer } from './owner.ts'

const database = ownedDatabase()

/** The server makes it at once. */
async function made(owner: User): Promise<Record<string, unknown>> {
  const asked = await owner.call('test_company/make')
  assert.equal(asked.status, 200, asked.text)
  const shown = async () => (await owner.call('test_company/get')).body
  await until(async () => (await shown()).requested_at === null)
  return await shown()
}

async function withTest(company: Company, owner: User): Promise<Copy> {
  const { made_at: madeAt, failed_at: failedAt } = await made(owner)
  assert.deepEqual([typeof madeAt, failedAt], ['string', null], database.serverOutput())
  return await opened(company, owner)
}

type Copy = { readonly id: number; readonly call: (path: string, body?: unknown) => ReturnType<User['call']> }

async function opened(company: Company, owner: User): Promise<Copy> {
  const browser = new Browser()
  const [name = '', value = ''] = owner.cookie.split('=')
  browser.cookies.set(name, value)
  const reply = await browser.call('session/open_test_company')
  assert.equal(reply.status, 200, reply.text)
  const { company: shown } = (await browser.call('session/get')).body
  assert.deepEqual([shown.test_of, shown.name], [company.id, (await owner.call('session/get')).body.company.name])
  return { id: shown.id, call: (path, body = {}) => browser.call(path, body) }
}

test('an owner makes a test company, opens it and switches back', async () => {
  const company = await given.company({ name: 'Oak' })
  await given.sale(company)
  const owner = await given.user(company)
  assert.equal((await owner.call('session/open_test_company')).body.code, 'no_test_company')
  const before = await allRows(company)
  const copy = await withTest(company, owner)
  assert.notEqual(copy.id, company.id)
  assert.deepEqual(await brokenAt(database.url, copy.id), [])
  assert.equal((await copy.call('orders/get_list')).body.total, 1)
  const listed = (await copy.call('session/get_companies')).body.companies
  assert.deepEqual(
    listed.map((one: Record<string, unknown>) => [one['id'], one['is_test'], one['is_current']]),
    [
      [company.id, false, false],
      [copy.id, true, true],
    ],
  )
  assert.equal((await copy.call('units/add', { name: 'only a test' })).status, 200)
  assert.deepEqual((await allRows(company))['units'], before['units'])
  assert.equal((await copy.call('session/switch_company', { company_id: company.id })).status, 200)
  assert.equal((await copy.call('session/get')).body.company.id, company.id)
})

test('a key of either company changes nothing in the other, by any method', async () => {
  const { company, values } = await makeWorld()
  const owner = await given.user(company)
  const copy = await withTest(company, owner)
  const keyIn = async (call: User['call']): Promise<string> =>
    (await call('connections/add', { name: 'Shop' })).body.api_key
  const testKey = await keyIn(copy.call)
  const liveKey = await keyIn(owner.call)
  assert.match(testKey, /^kontor_test_/)
  assert.match(liveKey, /^kontor_live_/)
  assert.deepEqual([testKey, liveKey, testKey.replace('test', 'live')].map(isWellFormed), [true, true, false])
  const there = { ...company, id: copy.id }
  const succeeded: string[] = []
  for (const [key, used, other] of [
    [testKey, there, company],
    [liveKey, company, there],
  ] as const) {
    const [before, own] = [await allRows(other), await allRows(used)]
    for (const method of publicMethods(methods)) {
      const request = exampleRequest(method, { company, values })
      const reply = await company.call(method.path, request, { authorization: key })
      assert.ok(reply.status < 500, `${method.path}: ${reply.text}`)
      if (reply.status === 200 && method.kind === 'write') succeeded.push(method.path)
    }
    assertSameRows(await allRows(other), before, 'nothing is changed in the other company')
    assert.ok(JSON.stringify(await allRows(used)) !== JSON.stringify(own))
  }
  assert.ok(succeeded.length > 40, `only ${succeeded.length} writes had an effect`)
  assert.deepEqual([await brokenAt(database.url, copy.id), await brokenAt(database.url, company.id)], [[], []])
})

test('a new copy replaces the former one, and its keys keep working', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const first = await withTest(company, owner)
  const { api_key: own } = (await first.call('connections/add', { name: 'Only there' })).body
  const { api_key: copied } = (await first.call('keys/roll', { connection_id: 1 })).body
  // The server knows both by now.
  for (const key of [own, copied])
    assert.equal((await company.call('units/get_list', {}, { authorization: key })).status, 200)
  // The next connection of the company has the id of the one that exists in its test company only.
  await owner.call('connections/add', { name: 'Elsewhere' })
  await first.call('units/add', { name: 'Lost' })
  const early = await owner.call('test_company/make')
  assert.deepEqual([early.status, early.body.code], [400, 'test_company_too_early'])
  await query(company.id, `update test_companies set made_at = now() - interval '1 hour' where company_id = $1`, [
    company.id,
  ])
  await given.unit(company, 'New')
  const second = await withTest(company, owner)
  assert.notEqual(second.id, first.id)
  for (const key of [own, copied]) {
    const reply = await company.call('units/get_list', {}, { authorization: key })
    assert.equal(reply.status, 200, reply.text)
    const names = reply.body.units.map(({ name }: { name: string }) => name)
    assert.deepEqual([names.includes('New'), names.includes('Lost')], [true, false])
  }
  const { connections } = (await second.call('connections/get_list')).body
  assert.deepEqual(
    connections.map((one: { name: string; keys: unknown[] }) => [one.name, one.keys.length]),
    [
      ['General API connection', 1],
      ['Elsewhere', 0],
      ['Only there', 1],
    ],
  )
  assert.deepEqual(await brokenAt(database.url, second.id), [])
  assert.equal((await first.call('session/get')).status, 401)
  assert.deepEqual(await deleteDueCompanies(database.url), [first.id])
  assert.equal((await second.call('session/get')).status, 200)
})

test('a test company ends with its company, and a copy that is not taken into use after an hour', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const copy = await withTest(company, owner)
  const left = await asServer(database.url, async (client) => {
    const archive = Readable.from(await archiveOf(database.url, company.id))
    return (await importCompany(client, archive, 'new', { testOf: company.id })).company_id
  })
  assert.deepEqual(await deleteDueCompanies(database.url), [])
  await query(left, `update companies set delete_at = now() where company_id = $1`, [left])
  assert.deepEqual(await deleteDueCompanies(database.url), [left])
  await asOwner(database.url, (client) => deleteCompany(client, company.id))
  assert.equal((await query(copy.id, 'select from companies where company_id = $1', [copy.id])).length, 0)
  assert.equal((await copy.call('session/get')).status, 401)
})

test('a test company has no users of its own, and its sessions end after eight hours', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const copy = await withTest(company, owner)
  const refused = [...methods, ...sessionMethods].filter(({ isForRealCompanies }) => isForRealCompanies === true)
  assert.deepEqual(refused.map(({ path }) => path).toSorted(), [
    'company/delete',
    'documents/send',
    'identity_provider/set',
    'test_company/make',
    'users/invite',
  ])
  for (const { path } of refused) assert.equal((await copy.call(path)).body.code, 'test_company', path)
  // A quote is not mailed to a customer.
  const { isForRealCompanies: isMailed } = sendQuote
  assert.ok(typeof isMailed === 'function')
  const input = sendQuote.input.read({ quote_id: 1 })
  const mail = { id: 'x', recipient: 'ben@oak.example', perDay: 1 }
  assert.deepEqual([input, { ...input, mail }].map(isMailed), [false, true])
  assert.equal((await query(copy.id, 'select from sign_ins where company_id = $1', [copy.id])).length, 0)
  // Its sessions count as fresh: nobody can confirm a password there.
  await query(copy.id, `update sessions set authenticated_at = now() - interval '7 hours' where company_id = $1`, [
    copy.id,
  ])
  assert.equal((await copy.call('connections/add', { name: 'Shop' })).status, 200)
  await query(copy.id, `update sessions set created_at = now() - interval '8 hours' where company_id = $1`, [copy.id])
  assert.equal((await copy.call('session/get')).status, 401)
  await query(company.id, `update sessions set created_at = now() - interval '8 hours' where company_id = $1`, [
    company.id,
  ])
  assert.equal((await owner.call('session/get')).status, 200)
})

test('only owners open it, as the user they are', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  await withTest(company, owner)
  const manager = await given.user(company, 'manager')
  for (const path of ['test_company/get', 'test_company/make', 'session/open_test_company'])
    assert.equal((await manager.call(path)).status, 403, path)
  const later = await given.user(company)
  assert.equal((await later.call('session/open_test_company')).body.code, 'not_in_test_company')
})

test('a company that is too large is not copied, and a failure is shown', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const bytes = (mib: number) =>
    query(company.id, `update company_clock set written_bytes = ${mib} * 1048576::bigint where company_id = $1`, [
      company.id,
    ])
  await bytes(513)
  assert.equal((await owner.call('test_company/make')).body.code, 'company_too_large')
  // Copies of a large company are further apart.
  const madeHoursAgo = (hours: number) =>
    query(
      company.id,
      `insert into test_companies (company_id, test_company_id, made_at, took_ms) values ($1, 1, now() - make_interval(hours => $2), 1)
       on conflict (company_id) do update set made_at = excluded.made_at`,
      [company.id, hours],
    )
  await bytes(512)
  await madeHoursAgo(2)
  assert.equal((await owner.call('test_company/make')).body.code, 'test_company_too_early')
  await query(company.id, 'delete from test_companies where company_id = $1', [company.id])
  await bytes(1)
  await query(company.id, 'delete from quotas where company_id = $1', [company.id])
  const { made_at: madeAt, failed_at: failedAt } = await made(owner)
  assert.deepEqual([madeAt, typeof failedAt], [null, 'string'])
  assert.match(database.serverOutput(), /a test company could not be made.*|0 rows of quotas/)
})
