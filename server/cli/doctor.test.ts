// `kontor doctor`: every check has a line, and every problem says what to do. `serve`, `migrate` and `audit` refuse what it reports as an error.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectionsFinding, diskFinding, neededConnections } from '../platform/postgres/capacity-checks.ts'
import { versionFinding } from '../platform/postgres/database-checks.ts'
import { DatabaseUnsuitable, refuseErrors } from '../platform/postgres/finding.ts'
import { commandLine, kontor, withEnv } from '../test/harness/command-line.ts'
import { ownedDatabase } from '../test/harness/owned-database.ts'
import { onTestServer } from '../test/harness/test-server.ts'
import { doctor as doctorCommand } from './doctor.ts'

const { url, superuserUrl } = ownedDatabase()
const login = `kontor_doctor_${process.pid}`
const loginUrl = (): string => Object.assign(new URL(url), { username: login }).href

before(() => onTestServer(`create role ${login} login`))
after(() => onTestServer(`drop role ${login}`))

const command = commandLine(doctorCommand)

const doctor = async (databaseUrl: string, env: Record<string, string> = {}) => {
  const { code, out } = await withEnv({ DATABASE_URL: databaseUrl, ...env }, () => command('doctor', '--json'))
  const findings: { check: string; level: string; text: string; advice?: string }[] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const of = (check: string) => findings.filter((finding) => finding.check === check)
  return { code, findings, of }
}

test('the owner of a sound database sees a line for each check and no error', async () => {
  const { code, findings, of } = await doctor(url)
  assert.equal(code, 0, JSON.stringify(findings))
  const checks = ['version', 'login', 'role', 'schema', 'rights', 'settings', 'clock', 'disk', 'connections']
  assert.deepEqual([...new Set(findings.map(({ check }) => check))], checks)
  assert.match(of('login')[0]?.text ?? '', /owns the tables/)
  // The PostgreSQL of the tests does not wait for a disk.
  assert.ok(of('settings').some(({ text, advice }) => text === 'fsync is off.' && advice !== undefined))
  assert.ok(!of('settings').some(({ text }) => text.includes('timeout')))
  const { out } = await command('doctor')
  for (const line of out.trim().split('\n')) assert.match(line, /^(ok|warning|error) +[a-z]+ {2}|^ {22}\S/)
})

test('a timeout of the login, which could end a migration, is warned of', async () => {
  const owner = new URL(url).username
  await onTestServer(`alter role ${owner} set statement_timeout = '5s'`)
  const { code, of } = await doctor(url)
  await onTestServer(`alter role ${owner} reset statement_timeout`)
  assert.equal(code, 0)
  assert.ok(of('settings').some(({ text }) => text === 'statement_timeout is 5000.'))
})

test('a superuser is warned of', async () => {
  const { code, of } = await doctor(superuserUrl)
  assert.deepEqual([code, of('login')[0]?.level], [0, 'warning'])
})

test('a login that may not act as kontor_server is an error, which serve refuses too', async () => {
  const { code, of } = await doctor(loginUrl())
  assert.equal(code, 1)
  const [finding] = of('role')
  assert.equal(finding?.level, 'error')
  assert.equal(finding?.text, `${login} may not act as kontor_server (SET ROLE).`)
  assert.match(finding?.advice ?? '', new RegExp(`^Run as a superuser: grant kontor_server to "${login}"`))
  const served = await kontor(['serve', '--no-migrate'], { DATABASE_URL: loginUrl(), PORT: '0', METRICS_PORT: '0' })
  assert.equal(served.code, 1)
  assert.match(served.errors, new RegExp(`^kontor: ${login} may not act as kontor_server`, 'm'))
})

test('a login that may act as kontor_server but does not inherit its rights is an error', async () => {
  await onTestServer(`alter role ${login} noinherit`, `grant kontor_server to ${login}`)
  const { code, of } = await doctor(loginUrl())
  await onTestServer(`revoke kontor_server from ${login}`, `alter role ${login} inherit`)
  assert.equal(code, 1)
  assert.equal(of('role')[0]?.text, `${login} does not inherit the rights of kontor_server.`)
})

test('more connections than the server allows are an error', async () => {
  const { code, of } = await doctor(url, { DATABASE_CONNECTIONS: '200', DATABASE_STREAMS: '50', WORKERS: '64' })
  assert.equal(code, 1)
  assert.equal(of('connections')[0]?.level, 'error')
})

test('a database that cannot be reached is a line too', async () => {
  const { code, findings } = await doctor('postgres://postgres@127.0.0.1:1/kontor')
  assert.equal(code, 1)
  assert.deepEqual(
    findings.map(({ check, level }) => [check, level]),
    [['connection', 'error']],
  )
})

test('a PostgreSQL before 15 is refused', () => {
  assert.equal(versionFinding(150_000, '15.0').level, 'ok')
  assert.throws(
    () => refuseErrors([versionFinding(140_019, '14.19')]),
    (error) => {
      assert.ok(error instanceof DatabaseUnsuitable)
      assert.match(error.message, /^This is PostgreSQL 14\.19\. Kontor needs PostgreSQL 15 or later/)
      return true
    },
  )
})

test('limits of connections and free space have thresholds', () => {
  assert.equal(neededConnections({ WORKERS: 1, DATABASE_CONNECTIONS: 8, DATABASE_STREAMS: 2 }), 14)
  assert.equal(neededConnections({ WORKERS: 8, DATABASE_CONNECTIONS: 8, DATABASE_STREAMS: 2 }), 36)
  const limits = { most: 97, login: -1, database: -1, others: 10 }
  assert.equal(connectionsFinding(14, limits).level, 'ok')
  assert.equal(connectionsFinding(14, { ...limits, others: 90 }).level, 'warning')
  assert.equal(connectionsFinding(14, { ...limits, most: 13 }).level, 'error')
  assert.match(connectionsFinding(14, { ...limits, login: 10 }).text, /the connection limit of the login is 10/)
  assert.match(connectionsFinding(14, { ...limits, database: 5 }).text, /the connection limit of the database is 5/)
  const gib = 1024 ** 3
  assert.equal(diskFinding('/data', 50 * gib, 100 * gib).level, 'ok')
  assert.equal(diskFinding('/data', 5 * gib, 100 * gib).level, 'warning')
  assert.equal(diskFinding('/data', 0.5 * gib, 1 * gib).level, 'warning')
  assert.equal(diskFinding('/data', 0.05 * gib, 1 * gib).level, 'error')
})
