// The sessions of a user: how long they last at most, how many there are, how they are listed and ended.

import assert from 'node:assert/strict'
import { Browser } from '../../test/harness/browser.ts'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

const password = 'a long password'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

type Shown = {
  readonly id: string
  readonly address: string | null
  readonly browser: string | null
  readonly system: string | null
  readonly is_current: boolean
}

async function signedIn(email: string, headers: Record<string, string> = {}): Promise<Browser> {
  const browser = new Browser()
  const reply = await browser.call('session/sign_in', { email, password }, headers)
  assert.equal(reply.status, 200, reply.text)
  return browser
}

async function listed(browser: Browser): Promise<readonly Shown[]> {
  const { status, body, text } = await browser.call('sessions/get_list')
  assert.equal(status, 200, text)
  return body.sessions
}

const isIn = async (browser: Browser): Promise<boolean> => (await browser.call('session/get')).status === 200

rule('accounts.sessions.longest', async () => {
  const company = await given.company()
  const user = await given.user(company)
  const set = (sql: string) => query(company.id, `update sessions set ${sql} where company_id = $1`, [company.id])
  await set(`seen_at = now() - interval '1 hour', created_at = now() - interval '89 days'`)
  assert.equal((await user.call('session/get')).status, 200)
  await set(`created_at = now() - interval '91 days', expires_at = now() + interval '1 day'`)
  assert.equal((await user.call('session/get')).status, 401)
})

rule('accounts.sessions.most', async () => {
  const company = await given.company()
  const { email, id } = await given.user(company, 'worker', password)
  const first = await signedIn(email)
  const second = await signedIn(email)
  await query(
    company.id,
    `insert into sessions (company_id, secret_hash, user_id, created_at, seen_at, expires_at)
     select $1, sha256(n::text::bytea), $2, now(), now() + interval '1 hour', now() + interval '1 day' from generate_series(1, 17) n`,
    [company.id, id],
  )
  // Used first of all, although it was started last.
  await query(
    company.id,
    `update sessions set seen_at = now() - interval '1 minute' where company_id = $1 and secret_hash = (
       select s.secret_hash from sessions s where s.company_id = $1 and s.seen_at < now() + interval '30 minutes' order by s.created_at desc limit 1)`,
    [company.id],
  )
  const third = await signedIn(email)
  const fourth = await signedIn(email)
  assert.deepEqual(await Promise.all([first, second, third, fourth].map(isIn)), [true, false, true, true])
  assert.equal((await listed(fourth)).length, 20)
})

rule('accounts.sessions.list', async () => {
  const company = await given.company()
  const { email } = await given.user(company, 'worker', password)
  const other = await given.user(company, 'worker', password)
  await signedIn(other.email)
  const old = await signedIn(email)
  const here = await signedIn(email, { 'user-agent': firefox })
  const sessions = await listed(here)
  const shown = sessions.map(({ address, browser, system, is_current }) => [address, browser, system, is_current])
  assert.deepEqual(shown.slice(0, 2), [
    [here.address, 'Firefox', 'Linux', true],
    [old.address, null, null, false],
  ])
  assert.equal(sessions.length, 3, 'with the one that the user began with, and none of others')
  assert.ok(sessions.every(({ id }) => /^[0-9a-f]{16}$/.test(id)))
  assert.deepEqual((await listed(old))[0]?.is_current, true)
})

rule('accounts.sessions.end', async () => {
  const company = await given.company()
  const { email } = await given.user(company, 'worker', password)
  const other = await given.user(company, 'owner', password)
  const [here, there] = [await signedIn(email), await signedIn(email)]
  const own = await listed(here)
  const theirs = await listed(await signedIn(other.email))
  const end = async (id: unknown) => {
    const { status, body } = await here.call('sessions/end', { session_id: id })
    return [status, body.error]
  }
  for (const id of [theirs[0]?.id, 'x', '0'.repeat(16)]) assert.deepEqual(await end(id), [400, 'Session not found'])
  assert.deepEqual(await end('x'.repeat(17)), [400, 'Invalid session_id value. Must be at most 16 characters'])
  assert.deepEqual(await end((await listed(there))[0]?.id), [200, undefined])
  assert.deepEqual([await isIn(there), await isIn(here)], [false, true])
  const reply = await here.call('sessions/end', { session_id: own[0]?.id })
  assert.match(reply.headers.getSetCookie().join(), /Max-Age=0/, 'the cookie of this session is removed')
  assert.equal(await isIn(here), false)
})

rule('accounts.sessions.end-others', async () => {
  const company = await given.company()
  const { email } = await given.user(company, 'worker', password)
  const other = await given.user(company, 'worker')
  const [here, there] = [await signedIn(email), await signedIn(email)]
  assert.equal((await here.call('sessions/end_others')).text, '{"success":true}')
  assert.deepEqual([await isIn(here), await isIn(there)], [true, false])
  assert.equal((await listed(here)).length, 1)
  assert.equal((await other.call('session/get')).status, 200)
})
