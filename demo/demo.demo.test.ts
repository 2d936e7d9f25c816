// `kontor demo` as a user runs it from a checkout: with its own PostgreSQL, and on a given database.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { methodPath, screensPrefix } from '../server/platform/http/paths.ts'
import { createDatabase } from '../server/platform/postgres/migrate.ts'
import { canConnect, databaseUrl } from '../server/test/harness/database.ts'
import { demoEnvironment, type RunningDemo, runDemo } from '../server/test/harness/running-demo.ts'

const root = join(import.meta.dirname, '..')

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
async function asked(shown: RunningDemo, path: string, headers: Record<string, string>, body: object): Promise<any> {
  const response = await fetch(shown.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as object
  return { ...answer, cookie: response.headers.getSetCookie().map((one) => one.split(';')[0]) }
}

/** App API calls, signed in with the printed data. */
async function signIn(shown: RunningDemo, email: string) {
  const origin = { origin: shown.address }
  const signedIn = await asked(shown, `${screensPrefix}session/sign_in`, origin, { email, password: shown.password })
  assert.equal(signedIn.success, true, signedIn.error)
  const headers = { ...origin, cookie: signedIn.cookie.join('; ') }
  return (path: string, body: object = {}) => asked(shown, screensPrefix + path, headers, body)
}

const auditOf = (database: string): Promise<string> =>
  new Promise((resolve) =>
    execFile(
      process.execPath,
      ['server/cli.ts', 'audit'],
      { cwd: root, env: { ...process.env, DATABASE_URL: database } },
      (_error, out) => resolve(out),
    ),
  )

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-demo-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a demo accepts sign-in and its API key, and keeps its data after a restart', async () => {
  const folder = temporaryFolder()
  const first = await runDemo(['--days', '10', '--folder', folder])
  const page = await fetch(first.address)
  assert.match(await page.text(), /<div id="root">/)
  const call = await signIn(first, first.owner)
  const { total } = await call('orders/browse', { cut: 'all' })
  assert.ok(total > 5, `only ${total} sales in ten days`)
  const sale = { num: 'DEMO-1', customer_name: 'A visitor', products: [{ sku: 'CHR-AMS-OAK', amount: 1, total: 285 }] }
  const added = await asked(first, methodPath('orders/add'), { authorization: first.key }, sale)
  assert.equal(added.success, true, added.error)
  assert.match(await auditOf(first.database), /All invariants hold/)
  assert.equal(await first.end(), 0)
  assert.equal(await canConnect(first.database), false, 'PostgreSQL is still running')

  const second = await runDemo(['--folder', folder])
  assert.equal(second.key, first.key)
  const again = await signIn(second, second.owner)
  assert.equal((await again('orders/browse', { cut: 'all' })).total, total + 1)
  assert.equal(await second.end(), 0)
})

test('a given database gets one company after the other, and nothing else in it is changed', async () => {
  const name = `kontor_demo_${randomBytes(6).toString('hex')}`
  const database = Object.assign(new URL(databaseUrl()), { pathname: `/${name}` }).href
  const folder = temporaryFolder()
  try {
    await createDatabase(database)
    const first = await runDemo(['--days', '2', '--folder', folder], { DATABASE_URL: database })
    assert.equal(first.database, database)
    assert.equal(await first.end(), 0)
    const second = await runDemo(['--days', '2', '--fresh', '--folder', folder], { DATABASE_URL: database })
    assert.notEqual(second.owner, first.owner)
    assert.match(await auditOf(database), /All invariants hold \(companies: 2\)/)
    assert.equal(await second.end(), 0)
    assert.equal(await canConnect(database), true, 'a database of another owner was stopped')
  } finally {
    const client = new pg.Client({ connectionString: databaseUrl() })
    await client.connect()
    await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
})

test('wrong arguments end with code 2, and a port in use is reported before anything is created', async () => {
  const run = (args: readonly string[], env: Record<string, string>): Promise<{ code: unknown; errors: string }> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        ['server/cli.ts', 'demo', ...args],
        { cwd: root, env: demoEnvironment(env) },
        (error, _out, errors) => resolve({ code: error?.code ?? 0, errors }),
      ),
    )
  assert.equal((await run(['--days', 'many'], {})).code, 2)
  assert.equal((await run(['--now'], {})).code, 2)
  const taken = await run(['--folder', temporaryFolder()], { PORT: new URL(process.env['KONTOR_TEST_URL'] ?? '').port })
  assert.equal(taken.code, 1)
  assert.match(taken.errors, /EADDRINUSE/)
})

test('a year of data is created and served, with content for every screen', async (context) => {
  const shown = await runDemo(['--folder', temporaryFolder()])
  try {
    context.diagnostic(`ready after ${Math.round(shown.ms / 1000)} s`)
    // About 60 s on two idle cores. The limit grows with the load of the machine.
    const maxMs = 180_000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
    assert.ok(shown.ms < maxMs, `ready after ${Math.round(shown.ms / 1000)} s`)
    assert.doesNotMatch(shown.printed, /"level":/, 'no line of the log')
    const call = await signIn(shown, shown.owner)
    const total = async (path: string, body: object = {}): Promise<number> => (await call(path, body)).total
    assert.ok((await total('orders/browse', { cut: 'all' })) > 1_300)
    for (const status of [0, 1, 2, 3, 4])
      assert.ok((await total('orders/browse', { cut: 'all', status: [status] })) > 0, `no sale has status ${status}`)
    for (const cut of ['open', 'received'])
      assert.ok((await total('purchases/browse', { cut })) > 0, `no ${cut} purchase`)
    for (const cut of ['open', 'done'])
      assert.ok((await total('productions/browse', { cut })) > 0, `no production is ${cut}`)
    for (const section of ['writeoffs', 'transfers', 'audits'])
      assert.ok((await total(`${section}/browse`)) > 3, section)
    assert.ok((await total('products/browse')) >= 40)
    assert.equal(await total('customers/browse'), 120)
    for (const only of ['low', 'negative'])
      assert.ok((await total('stock/browse', { by: 'item', only })) > 0, `nothing is ${only}`)
    for (const outcome of ['ok', 'failed'])
      assert.ok((await total('requests/get_list', { outcome })) > 3, `no request ${outcome}`)
    const worker = await signIn(shown, shown.worker)
    assert.equal((await worker('users/get_list')).success, false)
    assert.match(await auditOf(shown.database), /All invariants hold/)
  } finally {
    assert.equal(await shown.end(), 0)
  }
})
