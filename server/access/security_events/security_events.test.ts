// What is recorded of the access to a company, and who reads it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { user as userCommands } from '../../cli/user.ts'
import { keepLogDays } from '../../platform/postgres/maintain.ts'
import { Browser } from '../../test/harness/browser.ts'
import { commandLine } from '../../test/harness/command-line.ts'
import { databaseUrl, query } from '../../test/harness/database.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'

const password = 'a long password'
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const from = { 'user-agent': agent, 'x-forwarded-for': '198.51.100.7' }

type Event = {
  readonly kind: string
  readonly user_name: string | null
  readonly about_name: string | null
  readonly detail: string | null
  readonly address: string | null
  readonly browser: string | null
  readonly system: string | null
  readonly at: string
}
type Listed = { readonly security_events: readonly Event[]; readonly total: number }

async function listed(owner: User, input: object = {}): Promise<Listed> {
  const { status, body, text } = await owner.call('security_events/get_list', input)
  assert.equal(status, 200, text)
  return body
}

const kindsOf = ({ security_events }: Listed): string[] => security_events.map(({ kind }) => kind)

async function owned(): Promise<{ company: Company; owner: User }> {
  const company = await given.company()
  return { company, owner: await given.user(company) }
}

async function failed(company: Company, count: number): Promise<void> {
  const failures = `select from security_events where company_id = $1 and kind = 'sign_in_failed'`
  await until(async () => (await query(company.id, failures, [company.id])).length >= count, { pollMs: 20 })
}

rule('accounts.security.recorded', async () => {
  const { company, owner } = await owned()
  const call = async (path: string, body: object) => {
    const reply = await owner.call(path, body, from)
    assert.equal(reply.status, 200, `${path} ${reply.text}`)
    return reply.body
  }
  const email = `ben-${randomUUID()}@oak.example`
  const withdrawn = await call('users/invite', { email: 'withdrawn@oak.example', role: 'worker' })
  await call('invitations/delete', { invitation_id: withdrawn.invitation_id })
  const { token } = await call('users/invite', { email, role: 'worker' })
  const ben = new Browser()
  const enter = async (path: string, body: object, status = 200) =>
    assert.equal((await ben.call(path, body, from)).status, status, path)
  await enter('invitations/accept', { token, name: 'Ben', password })
  await enter('session/change_password', { password, new_password: `${password} of Ben` })
  await enter('session/sign_out', {})
  await enter('session/sign_in', { email, password }, 400)
  await failed(company, 1)
  await enter('session/sign_in', { email, password: `${password} of Ben` })
  await enter('sessions/end_others', {})
  const { users } = await call('users/get_list', {})
  const { id: user_id } = users.find((one: { email: string }) => one.email === email)
  await call('users/edit', { user_id, role: 'manager' })
  await call('users/edit', { user_id, name: 'Benjamin' })
  const { connection_id } = await call('connections/add', { name: 'Shop' })
  await call('keys/roll', { connection_id })
  const { connections } = await call('connections/get_list', {})
  await call('keys/revoke', { key_id: connections.at(-1).keys[0].key_id })
  await call('users/end_sessions', { user_id })
  assert.equal((await ben.call('session/get')).status, 401)
  await call('users/delete', { user_id })
  const events = (await listed(owner)).security_events.toReversed()
  const [own, bens] = ['Some owner', 'Benjamin']
  assert.deepEqual(
    events.slice(1).map(({ kind, user_name, about_name }) => [kind, user_name, about_name]),
    [
      ['user_invited', own, null],
      ['invitation_withdrawn', own, null],
      ['user_invited', own, null],
      ['user_joined', bens, null],
      ['signed_in', bens, null],
      ['password_changed', bens, null],
      ['signed_out', bens, null],
      ['sign_in_failed', bens, null],
      ['signed_in', bens, null],
      ['sessions_ended', bens, null],
      ['role_changed', own, bens],
      ['key_created', own, null],
      ['key_created', own, null],
      ['key_revoked', own, null],
      ['sessions_ended', own, bens],
      ['user_removed', own, bens],
    ],
  )
  for (const { kind, address, browser, system, at } of events.slice(1)) {
    assert.deepEqual([address, browser, system], ['198.51.100.7', 'Firefox', 'Linux'], kind)
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000, kind)
  }
  assert.deepEqual([events[1]?.detail, events[11]?.detail], ['withdrawn@oak.example', 'manager'])
  assert.match(events[12]?.detail ?? '', /^kontor_live_\w{4}….{4} \(Shop\)$/)
})

rule('accounts.security.system', async () => {
  const { company, owner } = await owned()
  const worker = await given.user(company, 'worker')
  const kontor = commandLine(...userCommands)
  assert.equal((await kontor('user', 'end', '--email', worker.email)).code, 0)
  const [event] = (await listed(owner)).security_events
  const { kind, user_name, about_name, address, browser } = event ?? assert.fail('nothing was recorded')
  assert.deepEqual([kind, user_name, about_name, address, browser], ['sessions_ended', null, 'Some worker', null, null])
})

rule('accounts.security.filters', async () => {
  const { company, owner } = await owned()
  const worker = await given.user(company, 'worker', password)
  const browser = new Browser()
  for (let times = 1; times <= 2; times++)
    await browser.call('session/sign_in', { email: worker.email, password }, from)
  await owner.call('users/edit', { user_id: worker.id, role: 'manager' })
  assert.deepEqual(kindsOf(await listed(owner)), ['role_changed', ...Array(4).fill('signed_in')])
  const count = async (input: object) => (await listed(owner, input)).total
  assert.equal(await count({ user_id: worker.id }), 4, 'three sign-ins, and the change of the role')
  assert.equal(await count({ kinds: ['role_changed'] }), 1)
  assert.equal(await count({ kinds: ['role_changed', 'signed_in'], user_id: owner.id }), 2)
  assert.equal(await count({ search: '198.51.100' }), 2)
  assert.equal(await count({ search: 'fireFOX' }), 2)
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual([await count({ date_to: '2026-01-01' }), await count({ date_from: today })], [0, 5])
  const page = await listed(owner, { limit: 2, offset: 1 })
  assert.deepEqual([kindsOf(page), page.total], [['signed_in', 'signed_in'], 5])
  for (const [input, error] of [
    [{ kinds: ['nothing'] }, /^Invalid kinds value\. Must be any of: signed_in, /],
    [{ kinds: 'signed_in' }, /^Kinds is not an array$/],
    [{ date_from: 'today' }, /^Date is not a valid date/],
  ] as const)
    assert.match((await owner.call('security_events/get_list', input)).body.error, error)
})

rule('accounts.security.owners', async () => {
  const { company } = await owned()
  for (const role of ['manager', 'worker'] as const)
    assert.equal((await (await given.user(company, role)).call('security_events/get_list')).status, 403)
  const { owner: neighbour } = await owned()
  assert.deepEqual(kindsOf(await listed(neighbour)), ['signed_in'])
})

rule('accounts.security.bounded', async () => {
  const { company, owner } = await owned()
  const worker = await given.user(company, 'worker', password)
  const insert = (id: string, age: string) =>
    query(
      company.id,
      `insert into security_events (company_id, id, at, kind, user_id)
       select $1, $2 || n, now() - $3::interval, 'sign_in_failed', $4 from generate_series(1, 99) n`,
      [company.id, id, age, worker.id],
    )
  const fail = () => new Browser().call('session/sign_in', { email: worker.email, password: 'not the password' })
  await insert('old', '61 minutes')
  await insert('new', '59 minutes')
  await fail()
  await failed(company, 199)
  await fail()
  await owner.call('users/edit', { user_id: worker.id, role: 'manager' })
  assert.equal((await listed(owner, { kinds: ['sign_in_failed'] })).total, 199)
  await query(
    company.id,
    `update security_events set at = now() - interval '365 days 59 minutes' where company_id = $1 and id like 'new%'`,
    [company.id],
  )
  await keepLogDays(databaseUrl(), 30)
  assert.equal((await listed(owner, { kinds: ['sign_in_failed'] })).total, 100)
})

rule('accounts.security.unknown', async () => {
  const company = await given.company()
  const { email } = await given.user(company, 'worker', password)
  const browser = new Browser()
  const wrong = 'not the password'
  for (const one of [`${randomUUID()}@nowhere.example`, email])
    assert.equal((await browser.call('session/sign_in', { email: one, password: wrong })).status, 400)
  await failed(company, 1)
  // As the table owner, whom the maintenance policy lets see all rows.
  const rows = await query(0, 'select company_id::int8::text as id from security_events where address = $1', [
    browser.address,
  ])
  assert.deepEqual(rows, [{ id: String(company.id) }])
})
