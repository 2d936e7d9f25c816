// One address in several companies: joining, signing in, the sessions of a browser, and switching between them. Long because these share one database.

import assert from 'node:assert/strict'
import { user as userCommands } from '../cli/user.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { asOwner } from '../tenants/owner.ts'
import { withAuthenticator } from '../test/harness/authenticator.ts'
import { Browser } from '../test/harness/browser.ts'
import { commandLine } from '../test/harness/command-line.ts'
import { broken, query } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { ownedDatabase } from '../test/harness/owned-database.ts'
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

const database = ownedDatabase({ SIGN_UPS_PER_HOUR: '1000', SIGN_UPS_PER_DAY: '1000' })

rule('accounts.companies.join', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  const first = await join(oak, email, password)
  const answers = await Promise.all(
    [email, newEmail()].map(async (one) => {
      const { status, body } = await pine.owner.call('users/invite', { email: one, role: 'worker' })
      return { status, names: Object.keys(body) }
    }),
  )
  assert.deepEqual(answers[0], answers[1])
  await join(pine, email.toUpperCase(), another)
  assert.equal(await openIn(first), 'Oak', 'the session in the other company goes on')
  assert.deepEqual([await signsIn(email, password, oak), await signsIn(email, another, pine)], [200, 200])
  assert.deepEqual([await signsIn(email, another, oak), await signsIn(email, password, pine)], [400, 400])
  const again = await pine.owner.call('users/invite', { email, role: 'worker' })
  assert.deepEqual([again.status, again.body.error], [400, 'Email is already in use'])
  const own = await new Browser().call('session/sign_up', { company: 'Own', name: 'Ada', email, password: another })
  assert.equal(own.text, '{"success":true}')
  for (const { company } of [oak, pine]) assert.deepEqual(await broken(company.id), [])
})

rule('accounts.companies.join', 'two companies take one address at the same moment', async () => {
  const email = newEmail()
  const replies = await Promise.all(
    [1, 2, 3, 4].map((n) => new Browser().call('session/sign_up', { company: `C${n}`, name: 'Ada', email, password })),
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const browser = new Browser()
  await signIn(browser, email, password)
  assert.deepEqual(
    (await listedIn(browser)).map((name) => name.slice(0, 2)),
    ['C1', 'C2', 'C3', 'C4'],
  )
})

rule('accounts.companies.sign-in', async () => {
  const [oak, pine, elm] = [await place('Oak'), await place('Pine'), await place('Elm')]
  const email = newEmail()
  await join(oak, email, password)
  await join(pine, email, password)
  await join(elm, email, another)
  const browser = new Browser()
  assert.deepEqual(await signIn(browser, email, password), { status: 200, success: true })
  assert.equal(await openIn(browser), 'Pine', 'used last')
  assert.deepEqual(await listedIn(browser), ['Oak', 'Pine *'])
  assert.deepEqual(await signIn(browser, email, another), { status: 200, success: true })
  assert.deepEqual(await listedIn(browser), ['Elm *', 'Oak', 'Pine'])
  const only = new Browser()
  assert.equal((await signIn(only, email, password, { company_id: oak.company.id })).status, 200)
  assert.deepEqual(await listedIn(only), ['Oak *'])
  assert.deepEqual(await signIn(only, email, password, { company_id: elm.company.id }), {
    ...{ status: 400, success: false, error: 'Email or password is wrong', code: 'wrong_credentials' },
  })
  assert.deepEqual(await listedIn(only), ['Oak *'])
})

rule('accounts.companies.unfinished', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  const first = await join(oak, email, password)
  const second = await join(pine, email, password)
  const apps = [
    await withAuthenticator(pine.company, { call: (path, body) => second.call(path, body) }),
    await withAuthenticator(oak.company, { call: (path, body) => first.call(path, body) }),
  ]
  const browser = new Browser()
  for (const { app } of apps) {
    const { needs, token } = await signIn(browser, email, password)
    assert.equal(needs, 'second_factor')
    assert.equal((await browser.call('session/second_factor', { token, code: app.code() })).status, 200)
  }
  assert.deepEqual(await listedIn(browser), ['Oak *', 'Pine'])
})

rule('accounts.companies.switch', async () => {
  const [oak, pine, elm] = [await place('Oak'), await place('Pine'), await place('Elm')]
  const email = newEmail()
  const browser = await join(oak, email, password)
  const elsewhere = await join(elm, email, password)
  await join(pine, email, another, browser)
  const cookie = browser.cookies.get('__Host-kontor_others') ?? ''
  assert.match(cookie, new RegExp(`^${oak.company.id}\\.[\\w-]{43}$`))
  assert.equal(await openIn(browser), 'Pine')
  assert.deepEqual(await switchTo(browser, oak), [200, undefined])
  assert.equal(await openIn(browser), 'Oak')
  assert.deepEqual(await switchTo(browser, pine), [200, undefined])
  assert.equal(await openIn(browser), 'Pine')
  assert.deepEqual(await switchTo(browser, pine), notSignedIn, 'it is open already')
  assert.deepEqual(await switchTo(browser, elm), notSignedIn, 'signed in there in another browser only')
  assert.deepEqual((await browser.call('session/switch_company', {})).body.error, 'No company_id in input')
  assert.equal(await openIn(elsewhere), 'Elm')
  const sessions = async ({ company }: Place) =>
    (await query(company.id, 'select from sessions where company_id = $1 and user_id > 1', [company.id])).length
  assert.deepEqual([await sessions(oak), await sessions(pine)], [1, 1], 'no session was added or ended')
  // Ended in its company, it cannot be switched to.
  await oak.owner.call('users/end_sessions', { user_id: await idIn(oak, email) })
  assert.deepEqual(await switchTo(browser, oak), notSignedIn)
  assert.deepEqual(await listedIn(browser), ['Pine *'])
})

rule('accounts.companies.switch', 'the company that was switched to was used last', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  const browser = await join(oak, email, password)
  await join(pine, email, password, browser)
  await switchTo(browser, oak)
  const other = new Browser()
  await signIn(other, email, password)
  assert.equal(await openIn(other), 'Oak')
})

rule('accounts.companies.list', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  await join(pine, email, another)
  // Without mail anybody can use any address: what is listed must not depend on where it has accounts.
  const browser = await join(oak, email, password)
  assert.deepEqual(await listedIn(browser), ['Oak *'])
  assert.deepEqual(await switchTo(browser, pine), notSignedIn)
  const forged = `${pine.company.id}.${'A'.repeat(43)}`
  for (const cookie of [forged, `${forged}~${forged}`, 'x', '~~', '', '1.~2.', 'x'.repeat(4000)]) {
    browser.cookies.set('__Host-kontor_others', cookie)
    assert.deepEqual(await listedIn(browser), ['Oak *'], cookie)
    assert.deepEqual(await switchTo(browser, pine), notSignedIn)
  }
})

rule('accounts.companies.person', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const [ada, ben] = [newEmail(), newEmail()]
  const browser = await join(oak, ada, password)
  const kept = browser.cookies.get('__Host-kontor_session') ?? ''
  await join(pine, ben, password, browser)
  assert.ok(!browser.cookies.has('__Host-kontor_others'))
  assert.deepEqual(await listedIn(browser), ['Pine *'])
  // Not even if the browser still has it.
  browser.cookies.set('__Host-kontor_others', kept)
  assert.deepEqual(await listedIn(browser), ['Pine *'])
  assert.deepEqual(await switchTo(browser, oak), notSignedIn)
  await signIn(browser, ben, password)
  assert.ok(!browser.cookies.has('__Host-kontor_others'))
})

rule('accounts.companies.sign-out', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  const browser = await join(oak, email, password)
  await join(pine, email, password, browser)
  const other = new Browser()
  await signIn(other, email, password)
  const before = new Map(browser.cookies)
  assert.equal((await browser.call('session/sign_out')).text, '{"success":true}')
  assert.deepEqual([...browser.cookies.keys()], ['__Host-kontor_device'])
  for (const name of ['__Host-kontor_session', '__Host-kontor_others']) {
    const stolen = new Browser()
    stolen.cookies.set('__Host-kontor_session', before.get(name) ?? '')
    assert.equal((await stolen.call('session/get')).status, 401, name)
  }
  assert.deepEqual(await listedIn(other), ['Oak', 'Pine *'])
})

rule('accounts.companies.most', async () => {
  const email = newEmail()
  const full = 'This email is used in too many companies. Must be at most 20'
  for (let n = 1; n <= 19; n++) await given.user(await given.company({ name: `C${n}` }), 'owner', undefined, email)
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  await join(oak, email, password)
  const { body } = await pine.owner.call('users/invite', { email, role: 'worker' })
  const refused = await new Browser().call('invitations/accept', { token: body.token, name: 'Ada', password })
  assert.deepEqual([refused.status, refused.body.error], [400, full])
  const signUp = await new Browser().call('session/sign_up', { company: 'Own', name: 'Ada', email, password })
  assert.deepEqual([signUp.status, signUp.body.error], [400, full])
  await oak.owner.call('users/delete', { user_id: await idIn(oak, email) })
  const accepted = await new Browser().call('invitations/accept', { token: body.token, name: 'Ada', password })
  assert.equal(accepted.status, 200, accepted.text)
})

rule('accounts.companies.before', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  const browser = await join(oak, email, password)
  const cookies = new Map(browser.cookies)
  // As if the migration had never run.
  await asOwner(database.url, (client) =>
    client.query(`drop table further_sign_ins; delete from schema_expansions where name like '0140%'`),
  )
  await migrate(database.url)
  assert.equal(await openIn(browser), 'Oak')
  assert.deepEqual(browser.cookies, cookies)
  assert.deepEqual(await listedIn(browser), ['Oak *'])
  assert.equal(await signsIn(email, password, oak), 200)
  await join(pine, email, password, browser)
  assert.deepEqual(await listedIn(browser), ['Oak', 'Pine *'])
})

rule('accounts.companies.command', async () => {
  const [oak, pine] = [await place('Oak'), await place('Pine')]
  const email = newEmail()
  const browser = await join(oak, email, password)
  await join(pine, email, another)
  const kontor = commandLine(...userCommands)
  const ids = [oak.company.id, pine.company.id].toSorted((one, other) => one - other).join(', ')
  for (const words of [['password'], ['end'], ['end', '--remove'], ['reset-second-factors']]) {
    const { code, errors } = await kontor('user', ...words, '--email', email)
    assert.deepEqual(
      [code, errors],
      [2, `kontor: ${email} is a user of the companies ${ids}: choose one with --company\n`],
    )
  }
  const named = ['--email', email, '--company', String(pine.company.id)]
  const set = await kontor('user', 'password', ...named, '--json')
  assert.equal(set.code, 0, set.errors)
  assert.equal(await signsIn(email, JSON.parse(set.out).password, pine), 200)
  assert.equal(await signsIn(email, password, oak), 200)
  assert.equal((await kontor('user', 'end', ...named, '--remove')).code, 0)
  const nobody = await kontor('user', 'end', ...named)
  assert.deepEqual(
    [nobody.code, nobody.errors],
    [2, `kontor: no user has the email ${email} in company ${pine.company.id}\n`],
  )
  assert.equal(await openIn(browser), 'Oak')
  assert.equal((await kontor('user', 'end', '--email', email)).code, 0, 'now there is only one')
  assert.equal((await browser.call('session/get')).status, 401)
})
