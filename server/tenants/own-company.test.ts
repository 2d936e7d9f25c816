// What owners do with their whole company from the screens: download its archive, have it deleted, keep it. The database belongs to an ordinary login.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screensPrefix } from '../platform/http/paths.ts'
import { url } from '../test/harness/app.ts'
import { brokenAt, importArchive, textOf } from '../test/harness/archives.ts'
import { query } from '../test/harness/database.ts'
import { type Company, given, type User } from '../test/harness/given.ts'
import { ownedDatabase } from '../test/harness/owned-database.ts'
import { rule } from '../test/harness/rule.ts'
import {
  another,
  join,
  listedIn,
  newEmail,
  password,
  place,
  signIn,
  signsIn,
  switchTo,
} from '../test/harness/several-companies.ts'
import { deleteDueCompanies } from './due-deletions.ts'

const database = ownedDatabase()

const download = (user: User, site = 'same-origin', search = ''): Promise<Response> =>
  fetch(`${url()}${screensPrefix}archive${search}`, {
    headers: { 'sec-fetch-site': site, cookie: user.cookie, 'user-agent': 'Firefox/140.0' },
  })

/** As if the users of the company had signed in an hour ago. */
const anHourAgo = (company: Company): Promise<unknown> =>
  query(company.id, `update sessions set authenticated_at = now() - interval '1 hour' where company_id = $1`, [
    company.id,
  ])

/** Besides sign-ins, newest first. */
const securityEvents = async (owner: User): Promise<string[]> =>
  (await owner.call('security_events/get_list')).body.security_events
    .map(({ kind }: { kind: string }) => kind)
    .filter((kind: string) => kind !== 'signed_in')

test('an owner downloads the archive, which contains no secret and can be imported', async () => {
  const company = await given.company({ name: 'Oak' })
  await given.sale(company)
  const owner = await given.user(company)
  const prepared = await owner.call('company/prepare_archive')
  assert.equal(prepared.status, 200)
  assert.ok(prepared.body.stored_bytes > 0)
  const response = await download(owner)
  assert.equal(response.status, 200)
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /^attachment; filename="kontor-\d{4}-\d\d-\d\d\.zst"$/,
  )
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const archive = Buffer.from(await response.arrayBuffer())
  const [header] = textOf(archive).split('\n', 1)
  assert.deepEqual(
    [JSON.parse(header ?? '').name, JSON.parse(header ?? '').secrets, JSON.parse(header ?? '').company_id],
    ['Oak', false, company.id],
  )
  assert.ok(!textOf(archive).includes('password_hash'))
  const copy = await importArchive(database.url, archive, 'new')
  assert.equal(copy.rows['sales'], 1)
  assert.deepEqual(await brokenAt(database.url, copy.company_id), [])
  assert.deepEqual(await securityEvents(owner), ['archive_downloaded'])
  const named = await download(owner, 'same-origin', `?company=${company.id}`)
  assert.equal(named.status, 200)
  await named.arrayBuffer()
})

test('nobody else gets it: not without a session, from another site, without a fresh sign-in, nor as a manager', async () => {
  const company = await given.company()
  const [owner, manager] = [await given.user(company), await given.user(company, 'manager')]
  const refused = async (response: Promise<Response>) => {
    const { status, headers } = await response
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    return status
  }
  assert.equal(await refused(download({ ...owner, cookie: '' })), 401)
  assert.equal(await refused(download(owner, 'cross-site')), 403)
  assert.equal(await refused(download(manager)), 403)
  assert.equal((await manager.call('company/prepare_archive')).status, 403)
  // The page with the link is of another company: another tab has switched to this one.
  const elsewhere = await given.company()
  for (const search of [`?company=${elsewhere.id}`, '?company=', `?company=${company.id}&company=${elsewhere.id}`])
    assert.equal(await refused(download(owner, 'same-origin', search)), 403, search)
  await anHourAgo(company)
  assert.equal(await refused(download(owner)), 403)
  assert.equal((await owner.call('company/prepare_archive')).body.code, 'fresh_sign_in_required')
  assert.deepEqual(await securityEvents(owner), [])
})

test('a company is deleted when its day has come, unless an owner keeps it; others are not touched', async () => {
  const [company, kept, other] = [
    await given.company({ name: 'Oak' }),
    await given.company({ name: 'Elm' }),
    await given.company(),
  ]
  const [owner, ofKept] = [await given.user(company), await given.user(kept)]
  await given.sale(company)
  await given.sale(other)

  const wrong = await owner.call('company/delete', { name: 'oak' })
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'wrong_company_name'])
  const { delete_at: at } = (await owner.call('company/delete', { name: 'Oak' })).body
  const days = (Date.parse(at) - Date.now()) / 86_400_000
  assert.ok(days > 13.9 && days <= 14, at)
  assert.equal((await owner.call('company/delete', { name: 'Oak' })).body.delete_at, at)
  assert.equal((await owner.call('session/get')).body.company.delete_at, at)
  assert.equal((await company.call('orders/get_list')).status, 200)
  assert.deepEqual(await deleteDueCompanies(database.url), [])

  await ofKept.call('company/delete', { name: 'Elm' })
  assert.equal((await ofKept.call('company/keep')).status, 200)
  assert.deepEqual(await securityEvents(ofKept), ['company_kept', 'company_deletion_requested'])
  for (const { id } of [company, kept])
    await query(
      id,
      `update companies set delete_at = now() - interval '1 second' where company_id = $1 and delete_at is not null`,
      [id],
    )
  assert.deepEqual(await deleteDueCompanies(database.url), [company.id])
  assert.equal((await company.call('orders/get_list')).status, 401)
  assert.equal((await owner.call('session/get')).status, 401)
  assert.deepEqual(await query(company.id, 'select company_id from companies where company_id = $1', [company.id]), [])
  assert.equal((await ofKept.call('session/get')).body.company.delete_at, null)
  assert.equal((await other.call('orders/get_list')).body.orders.length, 1)
  assert.deepEqual(await brokenAt(database.url, other.id), [])
})

rule('accounts.companies.deleted', async () => {
  const [oak, pine, elm] = [await place('Oak'), await place('Pine'), await place('Elm')]
  const email = newEmail()
  const browser = await join(oak, email, password)
  await join(pine, email, another, browser)
  assert.deepEqual(await switchTo(browser, oak), [200, undefined])
  assert.equal((await oak.owner.call('company/delete', { name: 'Oak' })).status, 200)
  assert.equal((await browser.call('session/get')).body.company.delete_at === null, false)
  assert.deepEqual(await switchTo(browser, pine), [200, undefined])
  assert.equal((await browser.call('session/get')).body.company.delete_at, null)
  assert.deepEqual(await switchTo(browser, oak), [200, undefined], 'it works until then')
  await query(oak.company.id, `update companies set delete_at = now() - interval '1 second' where company_id = $1`, [
    oak.company.id,
  ])
  assert.deepEqual(await deleteDueCompanies(database.url), [oak.company.id])
  for (const table of ['sign_ins', 'further_sign_ins', 'sessions'])
    assert.deepEqual(await query(oak.company.id, `select from ${table} where company_id = $1`, [oak.company.id]), [])
  assert.equal((await browser.call('session/get')).status, 401)
  assert.equal((await signIn(browser, email, password)).status, 400)
  assert.equal((await signIn(browser, email, another)).status, 200)
  assert.deepEqual(await listedIn(browser), ['Pine *'])
  await join(elm, email, password, browser)
  assert.deepEqual(await listedIn(browser), ['Elm *', 'Pine'])
  assert.equal(await signsIn(email, another, pine), 200)
  for (const { company } of [pine, elm]) assert.deepEqual(await brokenAt(database.url, company.id), [])
})

test('an imported company is kept, even if the archive was written when it was to be deleted', async () => {
  const company = await given.company({ name: 'Ash' })
  const owner = await given.user(company)
  await owner.call('company/delete', { name: 'Ash' })
  const archive = Buffer.from(await (await download(owner)).arrayBuffer())
  const copy = await importArchive(database.url, archive, 'new')
  assert.deepEqual(
    await query(copy.company_id, 'select delete_at from companies where company_id = $1', [copy.company_id]),
    [{ delete_at: null }],
  )
})
