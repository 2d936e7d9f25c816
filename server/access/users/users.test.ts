// Users of a company: invited by link, assigned a role, removed.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Browser } from '../../test/harness/browser.ts'
import { broken, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'

const password = 'a long password'
const newEmail = () => `ben-${randomUUID()}@oak.example`

test('an invited person accepts by the link and is signed in', async () => {
  const company = await given.company({ name: 'Oak Workshop' })
  const owner = await given.user(company)
  const email = newEmail()
  const invited = await owner.call('users/invite', { email, role: 'worker' })
  assert.equal(invited.status, 200, invited.text)
  const { token, invitation_id: id } = invited.body
  const { body: list } = await owner.call('users/get_list')
  assert.equal(list.users.length, 1)
  assert.deepEqual(
    list.invitations.map((one: { id: number; email: string; role: string }) => [one.id, one.email, one.role]),
    [[id, email, 'worker']],
  )
  assert.ok(!JSON.stringify(list).includes(token.split('.')[1]), 'the link is shown once')

  const browser = new Browser()
  const shown = await browser.call('invitations/get', { token })
  assert.deepEqual(shown.body, { success: true, company: 'Oak Workshop', email, role: 'worker' })
  const accepted = await browser.call('invitations/accept', { token, name: 'Ben Oak', password })
  assert.equal(accepted.text, '{"success":true}')
  const { body: session } = await browser.call('session/get')
  assert.equal(session.company.id, company.id)
  assert.deepEqual([session.user.name, session.user.email, session.user.role], ['Ben Oak', email, 'worker'])

  const again = await new Browser().call('invitations/accept', { token, name: 'Ben Oak', password })
  assert.deepEqual([again.status, again.body.error], [400, 'Invitation not found'])
  assert.equal((await new Browser().call('session/sign_in', { email, password })).status, 200)
  const { body: after } = await owner.call('users/get_list')
  assert.equal(after.users.length, 2)
  assert.deepEqual(after.invitations, [])
  assert.ok(after.users[1].last_seen_at !== null)
  assert.deepEqual(await broken(company.id), [])
})

test('an invitation ends when it is withdrawn, replaced or expired', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const email = newEmail()
  const invite = async () => (await owner.call('users/invite', { email, role: 'manager' })).body
  const isOpen = async (token: string) => (await new Browser().call('invitations/get', { token })).status === 200
  const [first, second] = [await invite(), await invite()]
  assert.equal(await isOpen(first.token), false)
  assert.equal(await isOpen(second.token), true)
  assert.equal((await owner.call('invitations/delete', { invitation_id: second.invitation_id })).status, 200)
  assert.equal(await isOpen(second.token), false)
  const gone = await owner.call('invitations/delete', { invitation_id: second.invitation_id })
  assert.equal(gone.body.error, 'Invitation not found')
  const third = await invite()
  await query(company.id, `update invitations set expires_at = now() - interval '1 second' where company_id = $1`, [
    company.id,
  ])
  assert.equal(await isOpen(third.token), false)
  const late = await new Browser().call('invitations/accept', { token: third.token, name: 'Ben', password })
  assert.equal(late.body.error, 'Invitation not found')
  assert.deepEqual((await owner.call('users/get_list')).body.invitations, [])
})

test('a malformed link is answered like an unknown invitation', async () => {
  const owner = await given.user(await given.company())
  const { token } = (await owner.call('users/invite', { email: newEmail(), role: 'worker' })).body
  const [companyId, secret] = token.split('.')
  for (const wrong of [
    'x',
    '1.x',
    secret,
    `${companyId}.${'A'.repeat(43)}`,
    `1.${secret}`,
    `99999999999999999999.${secret}`,
    `0.${secret}`,
    "1' or true --",
  ]) {
    for (const path of ['invitations/get', 'invitations/accept']) {
      const reply = await new Browser().call(path, { token: wrong, name: 'Ben', password })
      assert.deepEqual([reply.status, reply.body.error], [400, 'Invitation not found'], `${path} ${wrong}`)
    }
  }
  assert.equal((await new Browser().call('invitations/get', {})).body.error, 'No token in input')
  const short = await new Browser().call('invitations/accept', { token, name: 'Ben', password: 'short' })
  assert.equal(short.body.error, 'Invalid password value. Must be at least 10 characters')
  assert.equal((await new Browser().call('invitations/accept', { token, password })).body.error, 'No name in input')
})

test('invalid invitation fields are refused with the message of the field', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const cases: readonly (readonly [object, string])[] = [
    [{}, 'No email in input'],
    [{ email: 'ben' }, 'Invalid email value. Must be an email address'],
    [{ email: newEmail() }, 'No role in input'],
    [{ email: newEmail(), role: 'boss' }, 'Invalid role value. Must be one of: worker, manager, owner'],
    [{ email: newEmail(), role: {} }, 'Invalid role value. Must be a string'],
    [{ email: owner.email, role: 'worker' }, 'Email is already in use'],
  ]
  for (const [body, error] of cases) assert.equal((await owner.call('users/invite', body)).body.error, error)
  const taken = await owner.call('users/invite', { email: owner.email.toUpperCase(), role: 'worker' })
  assert.equal(taken.body.error, 'Email is already in use')
})

test('an email that became a user of the company after the invitation cannot accept it', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const email = newEmail()
  const { token } = (await owner.call('users/invite', { email, role: 'worker' })).body
  await given.user(company, 'worker', undefined, email)
  const reply = await new Browser().call('invitations/accept', { token, name: 'Ben', password })
  assert.deepEqual([reply.status, reply.body.error], [400, 'Email is already in use'])
})

test('one link accepted twice concurrently creates one user', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const { token } = (await owner.call('users/invite', { email: newEmail(), role: 'worker' })).body
  const accept = () => new Browser().call('invitations/accept', { token, name: 'Ben', password })
  const replies = await Promise.all([accept(), accept(), accept()])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400])
  assert.equal((await owner.call('users/get_list')).body.users.length, 2)
})

test('a changed role applies from the next request', async () => {
  const company = await given.company()
  const [owner, user] = [await given.user(company), await given.user(company, 'worker')]
  assert.equal((await user.call('units/add', { name: 'kg' })).status, 403)
  assert.equal((await owner.call('users/edit', { user_id: user.id, role: 'manager', name: 'Benjamin' })).status, 200)
  assert.equal((await user.call('units/add', { name: 'kg' })).status, 200)
  assert.equal((await user.call('session/get')).body.user.name, 'Benjamin')
  await owner.call('users/edit', { user_id: user.id, role: 'worker' })
  assert.equal((await user.call('units/add', { name: 'm' })).status, 403)
})

test('a removed user loses access immediately, the email is free, and the name stays in the history', async () => {
  const company = await given.company()
  const [owner, user] = [await given.user(company), await given.user(company, 'manager', password)]
  const { body: unit } = await user.call('units/add', { name: 'kg' })
  assert.equal((await owner.call('users/delete', { user_id: user.id })).status, 200)
  assert.equal((await user.call('session/get')).status, 401)
  const left = 'select 1 from sessions where company_id = $1 and user_id = $2'
  assert.deepEqual(await query(company.id, left, [company.id, user.id]), [])
  assert.equal((await new Browser().call('session/sign_in', { email: user.email, password })).status, 400)
  const { body: history } = await owner.call('history/get_list', { record: 'unit', record_id: unit.unit_id })
  assert.equal(history.events[0].user_name, 'Some manager')
  const reply = await new Browser().call('session/sign_up', {
    company: 'Own',
    name: 'Ben',
    email: user.email,
    password,
  })
  assert.equal(reply.status, 200, reply.text)
  for (const path of ['users/delete', 'users/edit']) {
    assert.equal((await owner.call(path, { user_id: user.id })).body.error, 'User not found')
  }
  assert.deepEqual(await broken(company.id), [])
})

test('the last owner cannot be removed', async () => {
  const company = await given.company()
  const [owner, other] = [await given.user(company), await given.user(company, 'manager')]
  for (const [path, body] of [
    ['users/edit', { user_id: owner.id, role: 'manager' }],
    ['users/delete', { user_id: owner.id }],
  ] as const) {
    const reply = await owner.call(path, body)
    assert.deepEqual([reply.status, reply.body.error], [400, 'The company needs an owner'])
  }
  assert.equal((await owner.call('users/edit', { user_id: owner.id, name: 'Ada' })).status, 200)
  await owner.call('users/edit', { user_id: other.id, role: 'owner' })
  assert.equal((await owner.call('users/delete', { user_id: owner.id })).status, 200)
  assert.equal((await other.call('users/edit', { user_id: other.id, role: 'worker' })).status, 400)
})

test('of two owners who remove each other concurrently, one stays', async () => {
  const company = await given.company()
  const [one, two] = [await given.user(company), await given.user(company)]
  const replies = await Promise.all([
    one.call('users/delete', { user_id: two.id }),
    two.call('users/delete', { user_id: one.id }),
  ])
  assert.deepEqual(replies.filter(({ status }) => status === 200).length, 1)
  const owners = await query(
    company.id,
    `select 1 from users where company_id = $1 and role = 'owner' and deleted_at is null`,
    [company.id],
  )
  assert.equal(owners.length, 1)
})

test('the audit reports a user who cannot sign in, and one who should not', async () => {
  const company = await given.company()
  const [one, two] = [await given.user(company), await given.user(company)]
  assert.deepEqual(await broken(company.id), [])
  await query(company.id, 'delete from sign_ins where company_id = $1 and user_id = $2', [company.id, one.id])
  await query(company.id, 'update users set deleted_at = now() where company_id = $1 and id = $2', [company.id, two.id])
  const violations = await broken(company.id)
  assert.equal(violations.length, 2)
  assert.deepEqual(
    [...new Set(violations.map(({ invariant }) => invariant))],
    ['every user signs in with one email, deleted users and those of a test company with none'],
  )
})

test('a company has at most a hundred open invitations', async () => {
  const company = await given.company()
  const owner = await given.user(company)
  const invite = async (email: string) => {
    const { status, body } = await owner.call('users/invite', { email, role: 'worker' })
    return { status, error: body.error }
  }
  for (let at = 1; at <= 100; at++) assert.equal((await invite(`worker-${at}@oak.example`)).status, 200)
  const refused = { status: 400, error: 'Too many open invitations. Must be at most 100' }
  assert.deepEqual(await invite('worker-101@oak.example'), refused)
  assert.equal((await invite('Worker-7@oak.example')).status, 200, 'an invited email can be invited again')
  await query(
    company.id,
    `update invitations set expires_at = now() where company_id = $1 and email = 'worker-8@oak.example'`,
    [company.id],
  )
  assert.equal((await invite('worker-101@oak.example')).status, 200, 'an expired invitation does not count')
})
