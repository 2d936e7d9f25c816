// An import restores everything that was exported, as an owner of the tables who is subject to row level security. Long because all of it shares one
// database with its server.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hasPassword } from '../../access/passwords.ts'
import { company as companyCommands } from '../../cli/company.ts'
import { key as keyCommands } from '../../cli/key.ts'
import {
  archiveOf,
  brokenAt,
  importArchive,
  type Rows,
  rowsOf,
  scratchDatabase,
  textOf,
} from '../../test/harness/archives.ts'
import { commandLine, kontor as kontorProcess } from '../../test/harness/command-line.ts'
import { query } from '../../test/harness/database.ts'
import { fullCompany } from '../../test/harness/full-company.ts'
import { given } from '../../test/harness/given.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { until } from '../../test/harness/until.ts'
import { closeReceiver, Subscription } from '../../test/harness/webhooks.ts'
import { deleteCompany } from '../company-delete.ts'
import { asOwner, inCompany } from '../owner.ts'
import { leftOut, secretTables } from './contents.ts'
import { suspendChecks } from './references.ts'

const database = ownedDatabase()
after(closeReceiver)
const kontor = commandLine(...companyCommands, ...keyCommands)

const remove = (companyId: number) => asOwner(database.url, (client) => deleteCompany(client, companyId))

async function logged(companyId: number, method: string): Promise<number> {
  const counted = 'select count(*)::int as rows from request_log where company_id = $1 and method = $2'
  return (await query(companyId, counted, [companyId, method]))[0].rows
}

type Row = Rows extends ReadonlyMap<string, (infer R)[]> ? R : never

const without = (rows: readonly Row[], ...columns: string[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column))))

/** Columns of the clock that a new epoch changes, and how. */
const raised = 1_000_000
const clockAfter = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const isRaised = column === 'seq' || column === 'raised_by' || /^last_.*_id$/.test(column)
      return [column, isRaised ? Number(value) + raised : value]
    }),
  )

/** Compares all tables but those of users and webhooks, and of what is never in an archive. */
function assertSame(before: Rows, now: Rows, ids: { readonly from: number; readonly to: number }): void {
  const apart = [
    ...Object.keys(leftOut),
    ...Object.keys(secretTables),
    'users',
    'webhook_endpoints',
    'company_clock',
    'events',
    'mails',
  ]
  for (const [table, rows] of before)
    if (!apart.includes(table)) {
      assert.ok(rows.length > 0, `${table} has no rows: the test would notice nothing there`)
      assert.deepEqual(now.get(table), rows, table)
    }
  const changing = ['epoch', 'at', 'has_webhooks']
  const [clock] = before.get('company_clock') ?? []
  assert.deepEqual(
    without(now.get('company_clock') ?? [], ...changing),
    without([clockAfter(clock ?? {})], ...changing),
  )
  assert.notEqual(now.get('company_clock')?.[0]?.['epoch'], clock?.['epoch'])
  const events = (now.get('events') ?? []).filter(({ method }) => method !== 'feed/new_epoch')
  const ofCompany = (row: Row): Row =>
    row['record'] === 'company' && row['record_id'] === ids.from ? { ...row, record_id: ids.to } : row
  const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
  assert.deepEqual(inOrder(events), inOrder(before.get('events') ?? []).map(ofCompany))
  assert.equal(now.get('events')?.length, events.length + 1)
  assert.deepEqual(now.get('import_companies'), before.get('import_companies'))
  assert.deepEqual(now.get('webhook_companies'), before.get('webhook_companies'))
  assert.deepEqual(now.get('webhook_parked'), [])
  const mails = before.get('mails') ?? []
  assert.deepEqual(
    mails.map(({ status }) => status),
    ['queued'],
  )
  assert.deepEqual(
    without(now.get('mails') ?? [], 'ended_at'),
    without(mails, 'ended_at').map((mail) => ({ ...mail, status: 'canceled' })),
  )
  assert.deepEqual(now.get('mail_companies'), [{ has_queued: false, has_shortage_mails: false }])
}

const stateOfWebhook = [
  'position',
  'secret',
  'enabled',
  'disabled_at',
  'disabled_reason',
  'lease',
  'leased_until',
] as const

test('a company that is restored under its id has every row, its keys, passwords and links, and goes on', async () => {
  const { company, owner } = await fullCompany()
  const { email } = await given.user(company, 'manager', 'a long password')
  // What means something in the format itself.
  const notes = '{"end":null}\tb\n\\.\n{"table":"sales","columns":[]}\n\\N \u{1F4E6}'
  assert.equal((await company.call('customers/add', { name: '{"end":', notes })).status, 200)
  const { next, epoch } = (await company.call('events/get_list')).body
  // Requests are logged after their response.
  await until(async () => (await logged(company.id, 'events/get_list')) === 1)
  const before = await rowsOf(database.url, company.id)
  const archive = await archiveOf(database.url, company.id, { withSecrets: true })
  await remove(company.id)
  assert.equal((await company.call('units/get_list')).status, 401)

  const imported = await importArchive(database.url, archive)
  assert.deepEqual([imported.company_id, imported.secrets, imported.taken_emails], [company.id, true, []])
  const now = await rowsOf(database.url, company.id)
  assertSame(before, now, { from: company.id, to: company.id })
  for (const table of ['users', 'api_keys', 'invitations', 'sign_ins', 'further_sign_ins'])
    assert.deepEqual(now.get(table), before.get(table), table)
  assert.deepEqual(
    without(now.get('webhook_endpoints') ?? [], 'position'),
    without(before.get('webhook_endpoints') ?? [], 'position'),
  )
  assert.deepEqual(await brokenAt(database.url, company.id), [])

  assert.equal((await owner.call('session/get')).status, 401)
  const again = await owner.call('session/sign_in', { email, password: 'a long password' }, { cookie: '' })
  assert.equal(again.status, 200, again.text)
  const stale = await company.call('events/get_list', { after: next, epoch })
  assert.equal(stale.status, 409, stale.text)
  for (const [path, body] of [
    ['units/add', { name: 'After' }],
    ['customers/add', { name: 'After' }],
    ['products/add', { name: 'After', sku: 'AFTER' }],
    ['orders/add', { num: 'AFTER-1', customer_name: 'After', products: [{ sku: 'AFTER', amount: 1, total: 1 }] }],
  ] as const) {
    const reply = await company.call(path, body)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  }
  assert.deepEqual(await brokenAt(database.url, company.id), [])
})

test('a copy under a new id stands beside the original, which does not change, and nothing of it acts outside', async () => {
  const { company, owner } = await fullCompany()
  const before = await rowsOf(database.url, company.id)
  const archive = await archiveOf(database.url, company.id, { withSecrets: true })
  const copy = await importArchive(database.url, archive, 'new')
  assert.notEqual(copy.company_id, company.id)
  assert.equal(copy.secrets, false)
  assert.deepEqual(await rowsOf(database.url, company.id), before)
  const now = await rowsOf(database.url, copy.company_id)
  assertSame(before, now, { from: company.id, to: copy.company_id })
  for (const table of ['api_keys', 'invitations', 'sign_ins', 'sessions']) assert.deepEqual(now.get(table), [], table)
  const users = now.get('users') ?? []
  assert.deepEqual(without(users, 'password_hash'), without(before.get('users') ?? [], 'password_hash'))
  // They are users of both companies, and have no password in the copy.
  assert.ok(users.length > 1 && users.every((user) => !hasPassword(String(user['password_hash']))))
  assert.deepEqual(copy.taken_emails, [])
  assert.equal(now.get('further_sign_ins')?.length, users.length)
  const [webhook] = now.get('webhook_endpoints') ?? []
  const [original] = before.get('webhook_endpoints') ?? []
  assert.deepEqual([webhook?.['enabled'], now.get('company_clock')?.[0]?.['has_webhooks']], [false, false])
  assert.notEqual(webhook?.['secret'], original?.['secret'])
  assert.deepEqual(without([webhook ?? {}], ...stateOfWebhook), without([original ?? {}], ...stateOfWebhook))
  assert.deepEqual(await brokenAt(database.url, copy.company_id), [])
  assert.equal((await owner.call('session/get')).status, 200)

  const created = await kontor('key', 'create', '--company', String(copy.company_id), '--name', 'Copy', '--json')
  assert.equal(created.code, 0, created.errors)
  const authorization = JSON.parse(created.out).api_key
  const added = await company.call('customers/add', { name: 'Only in the copy' }, { authorization })
  assert.deepEqual([added.status, added.body.customer_id > raised], [200, true], added.text)
  assert.deepEqual(await rowsOf(database.url, company.id), before)
})

test('the rows are the same whether foreign keys are checked for each of them or at the end', async (context) => {
  const { company } = await fullCompany()
  const before = await rowsOf(database.url, company.id)
  const archive = await archiveOf(database.url, company.id)
  const owner = new URL(database.url).username
  const asSuperuser = (sql: string) => asOwner(database.superuserUrl, (client) => client.query(sql))
  const isSuspended = (url: string) =>
    asOwner(url, (client) => inCompany(client, company.id, () => suspendChecks(client)))
  const copy = async (url: string): Promise<void> => {
    const { company_id: id } = await importArchive(url, archive, 'new')
    assertSame(before, await rowsOf(database.url, id), { from: company.id, to: id })
    assert.deepEqual(await brokenAt(database.url, id), [])
  }
  assert.deepEqual([await isSuspended(database.url), await isSuspended(database.superuserUrl)], [false, true])
  await copy(database.superuserUrl)
  await asSuperuser(`grant set on parameter session_replication_role to ${owner}`)
  context.after(() => asSuperuser(`revoke set on parameter session_replication_role from ${owner}`))
  assert.equal(await isSuspended(database.url), true)
  await copy(database.url)
})

test('an archive without secrets has none, and is imported into another database', async (context) => {
  const { company } = await fullCompany()
  const { email } = await given.user(company, 'manager', 'a long password')
  const archive = await archiveOf(database.url, company.id)
  const text = textOf(archive)
  const [webhook] = await query(company.id, 'select secret from webhook_endpoints where company_id = $1', [company.id])
  assert.ok(textOf(await archiveOf(database.url, company.id, { withSecrets: true })).includes(webhook.secret))
  assert.doesNotMatch(text, /argon2|whsec_|"api_keys","columns|_hash":/)
  const header = JSON.parse(text.slice(0, text.indexOf('\n')))
  assert.deepEqual([header.secrets, header.company_id, header.left_out.api_keys], [false, company.id, 'hashes of keys'])
  assert.doesNotMatch(textOf(await archiveOf(database.url, company.id, { withLog: false })), /"table":"request_log"/)

  const elsewhere = await scratchDatabase(context, database)
  const before = await rowsOf(database.url, company.id)
  const imported = await importArchive(elsewhere, archive)
  assert.deepEqual([imported.company_id, imported.secrets, imported.taken_emails], [company.id, false, []])
  const now = await rowsOf(elsewhere, company.id)
  assertSame(before, now, { from: company.id, to: company.id })
  const signIns = (rows: Rows) => ['sign_ins', 'further_sign_ins'].flatMap((table) => rows.get(table) ?? [])
  assert.deepEqual(new Set(signIns(now)), new Set(signIns(before)))
  const hashes = (rows: Rows) => rows.get('users')?.find((user) => user['email'] === email)?.['password_hash']
  assert.notEqual(hashes(now), hashes(before))
  assert.deepEqual(await brokenAt(elsewhere, company.id), [])
})

test('a webhook sends what happens after a restore, and nothing that happened before', async () => {
  const webhook = await Subscription.of('/ok')
  await webhook.change()
  await webhook.waitFor(1)
  await webhook.call('edit', { enabled: 0 })
  await webhook.change(2)
  await webhook.call('edit', { enabled: 1 })
  // Messages that wait for another attempt.
  await query(
    webhook.company.id,
    `insert into webhook_parked (company_id, webhook_id, seq, next_at, created_at)
     select company_id, 1, min(seq), now() + interval '1 hour', now() from events where company_id = $1 group by company_id`,
    [webhook.company.id],
  )
  const archive = await archiveOf(database.url, webhook.company.id, { withSecrets: true })
  await remove(webhook.company.id)
  const sent = (await webhook.received()).length
  await importArchive(database.url, archive)
  const [customer] = await webhook.change()
  const received = await webhook.waitFor(sent + 1)
  assert.equal(received.length, sent + 1)
  assert.equal(JSON.parse(received.at(-1)?.body ?? '{}').data.id, customer)
})

const folder = mkdtempSync(join(tmpdir(), 'kontor-archive-'))
after(() => rmSync(folder, { recursive: true }))

test('the commands write to a file or to the standard output, read from the standard input, and audit what they have read', async () => {
  const company = await given.company({ name: 'Oak' })
  await given.sale(company)
  const file = join(folder, 'oak.archive')
  const id = String(company.id)
  const exported = await kontor('company', 'export', '--company', id, '--out', file)
  assert.deepEqual([exported.code, exported.out], [0, ''])
  assert.match(exported.errors, /^kontor: company \d+ is exported: \d+ rows\n$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const again = await kontor('company', 'export', '--company', id, '--out', file)
  assert.deepEqual([again.code, again.errors], [2, `kontor: ${file} exists already\n`])

  const piped = join(folder, 'piped.archive')
  await inShell(`company export --company ${id} > '${piped}'`)
  assert.deepEqual(
    textOf(readFileSync(piped)).match(/"table":"\w+"/g),
    textOf(readFileSync(file)).match(/"table":"\w+"/g),
  )
  const taken = await inShell(`company import < '${piped}'`)
  assert.deepEqual([taken.code, taken.out], [1, ''])
  assert.match(taken.errors, new RegExp(`^kontor: There is a company ${id} already\\.`))
  const done = await inShell(`company import --company new --json < '${piped}'`)
  assert.deepEqual([done.code, done.errors], [0, 'kontor: all invariants of the company hold\n'])
  const { company_id: copy, name, rows } = JSON.parse(done.out)
  assert.deepEqual([name, rows.sales], ['Oak', 1])
  assert.equal((await kontor('company', 'show', String(copy))).code, 0)
  const chosen = await inShell(`company import --company 77 < '${piped}'`)
  assert.match(chosen.out, /^Company 77 "Oak" is imported: \d+ rows\.\nIt has no keys, and no user has a password/)
})

test('an invariant that the archive breaks is reported after the import', async () => {
  const company = await given.company()
  await given.sale(company)
  await query(company.id, 'update sales set total = total + 1, subtotal = subtotal + 1 where company_id = $1', [
    company.id,
  ])
  const file = join(folder, 'broken.archive')
  writeFileSync(file, await archiveOf(database.url, company.id))
  const { code, errors } = await inShell(`company import --company new < '${file}'`)
  assert.equal(code, 1)
  assert.match(errors, /^kontor: \d+ rows are broken: run "kontor audit --company \d+"\n$/)
})

test('a command with wrong arguments says what is wrong, and exits with 2', async () => {
  for (const [words, message] of [
    [['company', 'export'], /^kontor: --company must be the id of a company/],
    [['company', 'export', '--company', '5', '--out', join(folder, 'never')], /^kontor: there is no company 5\n/],
    [['company', 'import', '--company', 'old'], /^kontor: --company must be the id of a company/],
  ] as const) {
    const { code, errors } = await kontorProcess([...words])
    assert.equal(code, 2, errors)
    assert.match(errors, message)
  }
})

const root = join(import.meta.dirname, '..', '..', '..')

/** `words` may redirect the standard input and output. */
function inShell(words: string): Promise<{ code: number | null; out: string; errors: string }> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `exec "${process.execPath}" server/cli.ts ${words}`], { cwd: root })
    const printed = { out: '', errors: '' }
    child.stdout.on('data', (text) => (printed.out += text))
    child.stderr.on('data', (text) => (printed.errors += text))
    child.on('close', (code) => resolve({ code, ...printed }))
  })
}
