// Users of one address in several companies: no company can be entered by way of another one, and nothing shows where the address has users.

import assert from 'node:assert/strict'
import { forgetUsedCodes, withAuthenticator } from '../test/harness/authenticator.ts'
import { Browser, newAddress } from '../test/harness/browser.ts'
import { query } from '../test/harness/database.ts'
import { given, type User } from '../test/harness/given.ts'
import { rule } from '../test/harness/rule.ts'
import {
  another,
  idIn,
  join,
  listedIn,
  newEmail,
  notSignedIn,
  openIn,
  type Place,
  password,
  place,
  signIn,
  signsIn,
  switchTo,
} from '../test/harness/several-companies.ts'

rule('accounts.companies.apart', async () => {
  // The owner of Pine tries to get into Oak through a user with the same address.
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  const victim = await join(oak, email, password)
  const { app } = await withAuthenticator(oak.company, { call: (path, body) => victim.call(path, body) })
  const stateOfOak = () =>
    query(
      oak.company.id,
      `select u.password_hash, u.deleted_at, (select count(*)::int from sessions where company_id = $1) as sessions,
         (select count(*)::int from authenticators where company_id = $1) as authenticators,
         (select count(*)::int from recovery_codes where company_id = $1) as codes
       from users u where u.company_id = $1 and u.email = $2`,
      [oak.company.id, email],
    )
  const before = await stateOfOak()
  const inPine = await join(pine, email, another)
  const user_id = await idIn(pine, email)
  const attempts: readonly (readonly [Pick<User, 'call'> | Browser, string, object])[] = [
    [inPine, 'session/change_password', { password: another, new_password: 'yet another password' }],
    [inPine, 'sessions/end_others', {}],
    [pine.owner, 'users/end_sessions', { user_id }],
    [pine.owner, 'users/edit', { user_id, role: 'owner' }],
  ]
  for (const [who, path, body] of attempts) assert.equal((await who.call(path, body)).status, 200, path)
  const second = new Browser()
  await signIn(second, email, 'yet another password')
  await withAuthenticator(pine.company, { call: (path, body) => second.call(path, body) })
  assert.equal((await pine.owner.call('users/reset_second_factors', { user_id })).status, 200)
  assert.equal((await pine.owner.call('users/delete', { user_id })).status, 200)
  assert.deepEqual(await stateOfOak(), before)
  for (const own of [another, 'yet another password']) {
    assert.equal(await signsIn(email, own, oak), 400)
    assert.equal((await signIn(new Browser(), email, own)).status, 400)
  }
  // Removed and invited again, the user of Pine is a new one, and Oak is as it was.
  await join(pine, email, another)
  const { needs, token } = await signIn(new Browser(), email, password)
  assert.equal(needs, 'second_factor')
  await forgetUsedCodes(oak.company)
  const elsewhere = `${pine.company.id}.${String(token).split('.')[1]}`
  const stolen = await new Browser().call('session/second_factor', { token: elsewhere, code: app.code() })
  assert.deepEqual([stolen.status, stolen.body.code], [400, 'sign_in_expired'])
  const right = await new Browser().call('session/second_factor', { token, code: app.code() })
  assert.equal(right.status, 200, right.text)
  assert.equal(await openIn(victim), 'Oak')
})

rule('accounts.companies.second-factor', async () => {
  const [oak, pine, elm] = [await place('Oak'), await place('Pine'), await place('Elm')]
  const email = newEmail()
  const inPine = await join(pine, email, password)
  const { app } = await withAuthenticator(pine.company, { call: (path, body) => inPine.call(path, body) })
  await join(oak, email, password)
  const browser = await join(oak, newEmail(), password)
  await browser.call('session/sign_out')
  // Oak was used last: its session begins, and no session in Pine, although the password is right there too.
  assert.deepEqual(await signIn(browser, email, password), { status: 200, success: true })
  assert.deepEqual(await listedIn(browser), ['Oak *'])
  assert.deepEqual(await switchTo(browser, pine), notSignedIn)
  const { needs, token } = await signIn(browser, email, password)
  assert.equal(needs, 'second_factor')
  assert.deepEqual(await listedIn(browser), ['Oak *'], 'the password alone changed nothing')
  const wrong = await browser.call('session/second_factor', { token, code: app.wrongCode() })
  assert.equal(wrong.body.code, 'wrong_code')
  assert.deepEqual(await switchTo(browser, pine), notSignedIn)
  assert.equal((await browser.call('session/second_factor', { token, code: app.code() })).status, 200)
  assert.deepEqual(await listedIn(browser), ['Oak', 'Pine *'])
  // Elm requires a second factor, and the user has none there: that of Pine does not count.
  await join(elm, email, password, browser)
  await query(elm.company.id, 'update companies set requires_second_factor = true where company_id = $1', [
    elm.company.id,
  ])
  await switchTo(browser, pine)
  assert.deepEqual(await switchTo(browser, elm), [200, undefined])
  const { body } = await browser.call('session/get')
  assert.deepEqual([body.company.name, body.must_set_up_second_factor], ['Elm', true])
  const refused = await browser.call('orders/get_list')
  assert.deepEqual([refused.status, refused.body.code], [403, 'second_factor_required'])
  assert.deepEqual(await listedIn(browser), ['Elm *', 'Oak', 'Pine'])
  assert.deepEqual(await switchTo(browser, oak), [200, undefined], 'the way back')
  assert.equal((await browser.call('orders/get_list')).status, 200)
})

rule('accounts.companies.fresh', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  const browser = await join(oak, email, password)
  await join(pine, email, another, browser)
  for (const one of [oak, pine]) await one.owner.call('users/edit', { user_id: await idIn(one, email), role: 'owner' })
  await query(
    pine.company.id,
    `update sessions set authenticated_at = now() - interval '1 hour' where company_id = $1`,
    [pine.company.id],
  )
  await switchTo(browser, oak)
  assert.equal((await browser.call('session/confirm', { password })).status, 200)
  assert.equal((await browser.call('company/prepare_archive')).status, 200)
  await switchTo(browser, pine)
  for (const [path, body] of [
    ['company/prepare_archive', {}],
    ['company/delete', { name: 'Pine' }],
    ['connections/add', { name: 'Shop' }],
  ] as const)
    assert.equal((await browser.call(path, body)).body.code, 'fresh_sign_in_required', path)
  assert.equal((await browser.call('session/confirm', { password })).body.code, 'wrong_password')
  assert.equal((await browser.call('session/confirm', { password: another })).status, 200)
  assert.equal((await browser.call('company/prepare_archive')).status, 200)
})

rule('accounts.companies.guesses', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  await join(oak, email, password)
  // The user of Pine is somebody else's: their browser is known there.
  const theirs = await join(pine, email, another, new Browser({ address: newAddress() }))
  const guess = async (own: string) => (await signIn(theirs, email, own)).status
  for (let attempt = 1; attempt <= 5; attempt++) assert.equal(await guess(`guess no ${attempt}`), 400)
  assert.equal(await guess(password), 400, 'the right one is not even tried')
  assert.equal(await guess(another), 200, 'the own one is')
  for (let times = 1; times <= 3; times++) {
    // A new device does not bring new guesses.
    theirs.cookies.delete('__Host-kontor_device')
    assert.equal((await signIn(new Browser({ address: newAddress() }), email, another)).status, 200)
    assert.notEqual(await guess(password), 200)
  }
  assert.equal(await signsIn(email, password, oak), 200, 'the person is not locked out')
})

rule('accounts.companies.salts', async () => {
  const [oak, pine, elm] = [await place('Oak'), await place('Pine'), await place('Elm')]
  const email = newEmail()
  await join(oak, email, password)
  const browser = await join(pine, email, another)
  await join(elm, email, password)
  const signUp = await new Browser().call('session/sign_up', { company: 'Own', name: 'Ada', email, password })
  assert.equal(signUp.status, 200)
  const change = { password: another, new_password: 'yet another password' }
  assert.equal((await browser.call('session/change_password', change)).status, 200)
  const saltIn = async ({ company }: Place): Promise<string> => {
    const [row] = await query(company.id, 'select password_hash from users where company_id = $1 and email = $2', [
      company.id,
      email,
    ])
    return row.password_hash.split('$')[4]
  }
  const salt = await saltIn(oak)
  assert.match(salt, /^[\w+/]{22}$/)
  assert.deepEqual([await saltIn(pine), await saltIn(elm)], [salt, salt])
  const other = newEmail()
  await join(oak, other, password)
  const [row] = await query(oak.company.id, 'select password_hash from users where company_id = $1 and email = $2', [
    oak.company.id,
    other,
  ])
  assert.notEqual(row.password_hash.split('$')[4], salt, 'another address has another one')
})

rule(
  'accounts.companies.salts',
  'a password with another salt, as after an import, gets that of the address',
  async () => {
    const [oak, pine] = [await place('Oak'), await place('Pine')]
    const email = newEmail()
    await given.user(oak.company, 'worker', password, email)
    await given.user(pine.company, 'worker', another, email)
    const salts = async () =>
      await Promise.all(
        [oak, pine].map(async ({ company }) => {
          const [row] = await query(
            company.id,
            'select password_hash from users where company_id = $1 and email = $2',
            [company.id, email],
          )
          return row.password_hash.split('$')[4]
        }),
      )
    const [one, other] = await salts()
    assert.notEqual(one, other)
    for (const own of [another, password]) assert.equal((await signIn(new Browser(), email, own)).status, 200)
    const [renewed, same] = await salts()
    assert.equal(renewed, same)
    for (const own of [another, password]) assert.equal((await signIn(new Browser(), email, own)).status, 200)
  },
)
