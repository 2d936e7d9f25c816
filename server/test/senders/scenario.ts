// What the recorder sends: every method of both APIs at least once, every list in each of its orders, documents through all of their
// statuses, and the commands. A statement that only a rare case sends has its own step here.
// Long because every method that has no scenario of its own is called here.

import assert from 'node:assert/strict'
import { argon2Sync, randomUUID } from 'node:crypto'
import type { Senders } from '../../generate/sql-documents.ts'
import type { Method } from '../../kernel/method.ts'
import { methods } from '../../methods.ts'
import { exampleRequest } from '../contract/declared.ts'
import { makeWorld, newCompany, type World } from '../contract/world.ts'
import { send } from '../harness/app.ts'
import { Browser } from '../harness/browser.ts'
import { query } from '../harness/database.ts'
import { type Company, given, type User } from '../harness/given.ts'
import { until } from '../harness/until.ts'
import { accepted, type Call } from './accepted.ts'
import { sendDocuments, sendSales, splitRuns } from './document-scenario.ts'
import { sendFiles } from './files-scenario.ts'
import { sendImports } from './import-scenario.ts'
import { sendMails } from './mail-scenario.ts'
import { sendQuotes } from './quotes-scenario.ts'
import { Recorder } from './recorder.ts'
import { sendSecondFactors } from './second-factor-scenario.ts'
import { sendSingleSignOn } from './sign-on-scenario.ts'
import { sendSkipped } from './skipped-scenario.ts'
import { sendWebhooks } from './webhook-scenario.ts'

/** Plays the scenario on a server process of its own. */
export async function recordSenders(databaseUrl: string): Promise<Senders> {
  const recorder = await Recorder.start(databaseUrl)
  const previous = process.env['KONTOR_TEST_URL']
  process.env['KONTOR_TEST_URL'] = recorder.serverUrl
  try {
    const company = recorder.recorded(await newCompany())
    const world = await makeWorld('SENT', company)
    const owner = recorder.recorded(await given.user(company, 'owner'))
    await sendReads(world, owner)
    await sendDocuments(world, accepted(owner))
    await sendSales(world, accepted(owner))
    await sendSkipped(world, accepted(owner))
    await sendFiles(world, owner, accepted(owner), recorder)
    await sendQuotes(world, accepted(owner), recorder)
    await sendRecords(accepted(owner))
    await sendEmployees(company.id, accepted(owner), recorder)
    await sendSecondFactors(company, owner, recorder)
    await sendSingleSignOn(company, recorder)
    await sendRareCases(company, owner, recorder)
    await sendImports(company, accepted(owner), recorder)
    await sendWebhooks(company, accepted(owner), recorder)
    await sendMails(company, accepted(owner), recorder)
    await loseLogEntry(company, recorder)
    await splitRuns(company, world, accepted(owner))
    await sendCommands(recorder)
    await recorder.request('the readiness check', () => send('/readyz', { method: 'GET' }))
  } finally {
    if (previous === undefined) delete process.env['KONTOR_TEST_URL']
    else process.env['KONTOR_TEST_URL'] = previous
    await recorder.stop()
  }
  return recorder.senders
}

/** The example of every method that reads, and pages, searches and orders of the lists. */
async function sendReads(world: World, owner: User): Promise<void> {
  for (const method of methods.filter(({ kind }) => kind === 'read'))
    for (const request of readRequests(method, world)) await owner.call(method.path, request)
}

function readRequests(method: Method, world: World): object[] {
  const { shape } = method.input.schema as {
    shape: Readonly<Record<string, { unwrap?: () => { options?: string[] } } | undefined>>
  }
  const example = exampleRequest(method, world)
  const page = shape['limit'] === undefined ? {} : { limit: 1 }
  const filters = { ids: [1], external_ids: ['E-1'], updated_after: '2024-03-01T00:00:00Z', include: ['meta'] }
  const filtered = Object.entries(filters).flatMap(([name, value]) =>
    shape[name] === undefined ? [] : [{ ...page, [name]: value }],
  )
  if (shape['limit'] === undefined) return [example, ...filtered]
  const orders = shape['sort']?.unwrap?.().options ?? []
  return [
    example,
    { limit: 1 },
    { limit: 1, offset: 1 },
    ...filtered,
    ...(shape['include'] === undefined ? [] : [{ limit: 1, offset: 1, include: ['meta'] }]),
    ...(shape['search'] === undefined ? [] : [{ limit: 1, search: 'a' }]),
    ...orders.flatMap((sort) => ['asc', 'desc'].map((direction) => ({ limit: 1, sort, direction }))),
  ]
}

/** Items, contacts and reference records with all their details, edited and deleted. */
async function sendRecords(call: Call): Promise<void> {
  const { unit_id } = await call('units/add', { name: randomUUID() })
  await call('units/edit', { unit_id, name: randomUUID() })
  await call('units/delete', { unit_id })
  const { storage_id } = await call('storages/add', { name: randomUUID(), default_products: 1, default_materials: 1 })
  await call('storages/edit', { storage_id, name: randomUUID() })
  const { storage_id: other } = await call('storages/add', { name: randomUUID() })
  await call('storages/edit', { storage_id: other, default_products: 1, default_materials: 1 })
  await call('storages/delete', { storage_id })
  for (const section of ['customers', 'suppliers']) {
    const id = `${section.slice(0, -1)}_id`
    const { [id]: contact } = await call(`${section}/add`, { name: randomUUID() })
    await call(`${section}/edit`, { [id]: contact, phone: '+1 555 0100' })
    const external = { external_id: randomUUID() }
    await call(`${section}/add`, { name: randomUUID(), ...external })
    await call(`${section}/get_entry`, external)
    await call(`${section}/delete`, { [id]: contact })
  }
  for (const section of ['customers', 'suppliers', 'products', 'materials'])
    for (const external_id of ['one', 'two'])
      await call(`${section}/upsert`, {
        [section]: [
          { name: randomUUID(), external_id },
          { name: randomUUID(), external_id: 'one' },
        ],
      })
  const { supplier_id } = await call('suppliers/add', { name: randomUUID() })
  const { material_id } = await call('materials/add', { name: randomUUID() })
  for (const type of ['products', 'materials', 'resources']) {
    const { category_id } = await call('categories/add', { name: randomUUID(), type })
    const details = (amount: number) => ({
      sku: randomUUID(),
      categories: amount === 1 ? [category_id] : [],
      ...(type === 'resources' ? {} : { suppliers: [{ supplier_id, price: amount }] }),
      ...(type === 'products' ? { components: [{ type: 'material', id: material_id, amount }] } : {}),
    })
    const id = `${type.slice(0, -1)}_id`
    const { [id]: item } = await call(`${type}/add`, { name: randomUUID(), ...details(1) })
    for (const amount of [2, 1]) await call(`${type}/edit`, { [id]: item, ...details(amount), name: randomUUID() })
    await call('categories/edit', { category_id, name: randomUUID() })
    if (type !== 'resources') {
      const external = { external_id: randomUUID() }
      await call(`${type}/add`, { name: randomUUID(), ...external })
      await call(`${type}/get_entry`, external)
    }
    await call(`${type}/delete`, { [id]: item })
    await call('categories/delete', { category_id })
  }
}

const password = 'a long password'

/** Settings, users and keys; signing up, in and out. */
async function sendEmployees(companyId: number, call: Call, recorder: Recorder): Promise<void> {
  await call('settings/edit', { currency: 'USD', number_prefix: 'Z-' })
  await call('company/edit_details', { country: 'DE' })
  await call('company/get_details')
  const { tax_rate_id } = await call('tax_rates/add', { name: 'VAT', percent: 7 })
  await call('tax_rates/edit', { tax_rate_id, percent: 8, is_default: 1 })
  const { tax_rate_id: spare } = await call('tax_rates/add', { name: 'VAT', percent: 0 })
  await call('tax_rates/get_list')
  await call('tax_rates/delete', { tax_rate_id: spare })
  for (const products_storage_id of [2, 1]) await call('settings/edit', { products_storage_id })
  const { connection_id } = await call('connections/add', { name: 'Shop' })
  await call('connections/edit', { connection_id, name: 'Web shop' })
  await call('keys/roll', { connection_id, overlap_hours: 1 })
  const { connections } = await call('connections/get_list')
  const { keys } = connections.find((one: { id: number }) => one.id === connection_id)
  await call('keys/revoke', { key_id: keys[0].key_id })
  const { connection_id: replaced } = await call('connections/add', { name: 'Old shop' })
  await call('connections/replace', { connection_id: replaced, by_connection_id: connection_id })
  const withdrawn = await call('users/invite', { email: `${randomUUID()}@oak.example`, role: 'worker' })
  await call('invitations/delete', { invitation_id: withdrawn.invitation_id })

  const email = `${randomUUID()}@oak.example`
  const { token } = await call('users/invite', { email, role: 'worker' })
  const browser = new Browser()
  const enter = async (path: string, body: object) => {
    const reply = await recorder.request(path, () => browser.call(path, body))
    assert.equal(reply.status, 200, `${path} → ${reply.text}`)
  }
  await enter('invitations/get', { token })
  await enter('invitations/accept', { token, name: 'Ben', password })
  await enter('session/sign_out', {})
  await enter('session/sign_in', { email, password })
  const wrong = () => new Browser().call('session/sign_in', { email, password: 'not the password' })
  assert.equal((await recorder.request('session/sign_in', wrong)).status, 400)
  const failures = `select from security_events where kind = 'sign_in_failed' and company_id = $1`
  await until(async () => (await query(companyId, failures, [companyId])).length > 0, { pollMs: 50 })
  await enter('sessions/get_list', {})
  await enter('sessions/end_others', {})
  const { sessions } = (await browser.call('sessions/get_list')).body
  await enter('sessions/end', { session_id: sessions[0].id })
  await enter('session/sign_in', { email, password })
  await enter('session/change_password', { password, new_password: `${password} of mine` })
  const other = await given.company()
  const invited = await (await given.user(other)).call('users/invite', { email, role: 'worker' })
  await enter('invitations/accept', { token: invited.body.token, name: 'Ben', password })
  await enter('session/get_companies', {})
  await enter('session/switch_company', { company_id: companyId })
  const { users } = await call('users/get_list')
  const { id: user_id } = users.find((one: { email: string }) => one.email === email)
  await call('users/edit', { user_id, role: 'manager' })
  await call('users/end_sessions', { user_id })
  await call('users/delete', { user_id })
  const newcomer = { company: 'Oak', name: 'Ada', email: `${randomUUID()}@oak.example`, password }
  await enter('session/sign_up', { ...newcomer, language: 'de' })
  await enter('first_steps/edit', { details_seen: true })
  await enter('example_data/add', {})
  await enter('example_data/delete', {})
}

/** What the runner sends only for some requests: replays, preconditions, previews, refusals, old sessions and old password hashes. */
async function sendRareCases(company: Company, owner: User, recorder: Recorder): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() }
  for (let times = 0; times < 2; times++) await accepted(company)('units/add', { name: 'Kept' }, headers)
  const { unit_id: kept } = await accepted(company)('units/add', { name: 'Unchanged' })
  const nothing = { unit_id: kept, name: 'Unchanged' }
  await accepted(company)('units/edit', nothing, { 'idempotency-key': randomUUID() })
  const { seq } = await accepted(owner)('session/get')
  const { unit_id } = await accepted(owner)('units/add', { name: randomUUID() })
  await owner.call('units/edit', { unit_id, name: randomUUID() }, { 'kontor-expect': String(seq) })
  await accepted(owner)('units/add', { name: randomUUID() }, { 'kontor-preview': '1' })
  await accepted(company)('units/add', { name: randomUUID() }, { 'kontor-dry-run': 'true' })
  assert.equal((await company.call('orders/add', { materials: [{ id: 1, amount: 1, total: 1 }] })).status, 400)
  await query(company.id, `update sessions set seen_at = now() - interval '1 hour' where company_id = $1`, [company.id])
  await accepted(owner)('session/get')

  const user = await given.user(company, 'worker', password)
  await query(company.id, 'update users set password_hash = $3 where company_id = $1 and id = $2', [
    company.id,
    user.id,
    outdatedHash(),
  ])
  const browser = new Browser()
  const signIn = () => browser.call('session/sign_in', { email: user.email, password })
  for (let times = 0; times < 2; times++)
    assert.equal((await recorder.request('session/sign_in', signIn)).status, 200, 'signing in twice')
}

/** A request of the company is not logged, because PostgreSQL refuses its row. The log cannot be locked instead: other tests read it. */
async function loseLogEntry(company: Company, recorder: Recorder): Promise<void> {
  const condition = `check (company_id <> ${company.id}) not valid`
  await query(company.id, `alter table request_log add constraint refused_${company.id} ${condition}`)
  const isRecorded = async (): Promise<boolean> =>
    (await query(company.id, 'select from request_log_gaps where company_id = $1', [company.id])).length > 0
  try {
    await recorder.request('the request log', async () => {
      await company.call('units/get_list')
      await until(isRecorded, { pollMs: 50 })
    })
  } finally {
    await query(company.id, `alter table request_log drop constraint refused_${company.id}`)
  }
}

/** The hash of the password at a lower cost than today's. */
function outdatedHash(): string {
  const nonce = Buffer.alloc(16, 7)
  const hash = argon2Sync('argon2id', {
    message: password,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 64,
    passes: 1,
  })
  const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=64,t=1,p=1$${text(nonce)}$${text(hash)}`
}

async function sendCommands(recorder: Recorder): Promise<void> {
  const created = await recorder.command(['company', 'create'], ['--name', 'Commanded', '--examples', '--json'])
  const company = ['--company', String(JSON.parse(created).company_id)]
  await recorder.command(
    ['company', 'set'],
    [...company, 'currency=USD', 'number_prefix=Z-', 'storage_limit_mib=100', 'request_log_days=9'],
  )
  const issued = await recorder.command(['key', 'create'], [...company, '--json'])
  await recorder.command(['key', 'create'], [...company, '--connection', String(JSON.parse(issued).connection_id)])
  const listed = await recorder.command(['key', 'list'], [...company, '--json'])
  await recorder.command(['key', 'revoke'], [...company, '--key', JSON.parse(listed.split('\n')[0] ?? '').key_id])
  const email = `${randomUUID()}@oak.example`
  await recorder.command(['user', 'invite'], [...company, '--email', email, '--json'])
  const user = await given.user({ id: JSON.parse(created).company_id })
  await recorder.command(['user', 'password'], ['--email', user.email])
  await recorder.command(['user', 'list'], company)
  const hook = await recorder.command(['webhook', 'add'], [...company, '--url', 'https://shop.example/hook', '--json'])
  const webhook = [...company, '--webhook', String(JSON.parse(hook).webhook_id)]
  await recorder.command(['webhook', 'list'], company)
  await recorder.command(['webhook', 'replay'], [...webhook, '--from-seq', '1'])
  await recorder.command(['webhook', 'delete'], webhook)
  const other = await given.user({ id: JSON.parse(created).company_id })
  await recorder.command(['user', 'end'], ['--email', other.email])
  await recorder.command(['user', 'end'], ['--email', other.email, '--remove'])
}
