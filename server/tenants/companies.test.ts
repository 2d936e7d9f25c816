// The commands for whole companies, as an owner of the tables who is subject to row level security.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { company as companyCommands } from '../cli/company.ts'
import { user as userCommands } from '../cli/user.ts'
import { commandLine, kontor as kontorProcess } from '../test/harness/command-line.ts'
import { broken, query } from '../test/harness/database.ts'
import { fullCompany } from '../test/harness/full-company.ts'
import { given } from '../test/harness/given.ts'
import { ownedDatabase } from '../test/harness/owned-database.ts'
import { readCompanyTables } from './company-tables.ts'
import { asOwner } from './owner.ts'

const database = ownedDatabase()
const kontor = commandLine(...companyCommands, ...userCommands)

async function asSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  return await asOwner(database.superuserUrl, work)
}

/** By table and partition: the rows of the company, and a digest of all other rows. */
async function contents(companyId: number): Promise<Map<string, { own: number; others: string }>> {
  return await asSuperuser(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')`,
    )
    const found = new Map<string, { own: number; others: string }>()
    for (const { name } of rows) {
      // The running server writes these every few seconds: the usage of a day, and the last use of a key.
      const row =
        name === 'daily_usage' ? 't.company_id::text' : `(to_jsonb(t) - 'last_used_on' - 'last_used_from')::text`
      const read = await client.query(
        `select count(*) filter (where company_id = $1)::int as own,
           coalesce(md5(string_agg(${row}, '|' order by ${row}) filter (where company_id <> $1)), '') as others from ${name} t`,
        [companyId],
      )
      found.set(name, read.rows[0])
    }
    return found
  })
}

const parsed = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('company list shows every company with its figures, page by page, and company show one of them', async () => {
  const [first, second] = [
    await given.company({ name: 'Oak "Workshop"' }),
    await given.company({ name: 'Elm\u001b[2J' }),
  ]
  await given.sale(first)
  const ids = [first.id, second.id].toSorted((a, b) => a - b)
  const all = parsed((await kontor('company', 'list', '--json')).out)
  assert.deepEqual(
    all.map((company) => company.company_id),
    ids,
  )
  const [{ seq }] = await query(first.id, 'select max(seq)::int as seq from events where company_id = $1', [first.id])
  const one = all.find((company) => company.company_id === first.id)
  assert.deepEqual([one.name, one.created.sale, one.created.item, one.events], ['Oak "Workshop"', 1, 1, seq])

  const page = await kontor('company', 'list', '--limit', '1')
  assert.match(
    page.out,
    new RegExp(`^${ids[0]}  ".*created \\d{4}-\\d\\d-\\d\\d, last change .* sales, \\d items, \\d events\\n$`),
  )
  assert.equal(page.errors, `kontor: there are more companies: --after ${ids[0]}\n`)
  const next = await kontor('company', 'list', '--after', String(ids[0]), '--json')
  assert.deepEqual([next.errors, ...parsed(next.out).map((company) => company.company_id)], ['', ids[1]])
  const searched = parsed((await kontor('company', 'list', '--search', 'WORKSHOP', '--json')).out)
  assert.deepEqual(
    searched.map((company) => company.company_id),
    [first.id],
  )

  assert.match((await kontor('company', 'list', '--search', 'elm')).out, /"Elm\ufffd\[2J"/)

  await given.user(first)
  const shown = await kontor('company', 'show', String(first.id))
  assert.match(shown.out, /^Company \d+ "Oak "Workshop""\n/)
  for (const line of [
    /^ {2}users +1, sessions 1$/m,
    /^ {2}live API keys +1$/m,
    /^ {2}sales created +1$/m,
    /^ {2}requests today +1 of 10000, screens 0$/m,
  ])
    assert.match(shown.out, line)
  assert.match(shown.out, /^ {2}stored +1 of 10240 MiB \(STORAGE_LIMIT_MIB\)$/m)
  const set = await kontor('company', 'set', '--company', String(first.id), 'storage_limit_mib=5', 'request_log_days=7')
  assert.equal(set.code, 0, set.errors)
  const limited = await kontor('company', 'show', String(first.id))
  assert.match(limited.out, /^ {2}stored +1 of 5 MiB$/m)
  assert.match(limited.out, /^ {2}request_log_days +7$/m)
  const [json] = parsed((await kontor('company', 'show', String(first.id), '--json')).out)
  assert.deepEqual([json.users, json.live_keys, json.settings.currency], [1, 1, 'EUR'])
})

test('company measure prints the size of the tables and corrects what counts as stored', async () => {
  const company = await given.company()
  const notes = 'y'.repeat(10_000)
  const { customer_id } = (await company.call('customers/add', { name: 'Anna', notes })).body
  const writtenBytes = async () => {
    const [row] = await query(company.id, 'select written_bytes::int from company_clock where company_id = $1', [
      company.id,
    ])
    return row.written_bytes as number
  }
  await query(company.id, 'update company_clock set written_bytes = 5000000 where company_id = $1', [company.id])
  const sizes = parsed((await kontor('company', 'measure', String(company.id), '--json')).out)
  const total = sizes.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0)
  assert.equal(await writtenBytes(), total)
  assert.equal(sizes.find(({ table }: { table: string }) => table === 'customers').rows, 1)
  assert.equal((await company.call('customers/edit', { customer_id, notes: '' })).status, 200)
  assert.ok((await writtenBytes()) > total, 'the event of the edit is added')
})

test('a command with wrong arguments says what is wrong, and exits with 2', async () => {
  const company = await given.company({ name: 'Kept' })
  const cases: readonly (readonly [string[], RegExp])[] = [
    [['company', 'list', '--limit', '0'], /^kontor: --limit must be a number from 1 to 1000\n/],
    [['company', 'list', '--after', 'x'], /^kontor: --after must be a number from 0/],
    [['company', 'show'], /^kontor: one company is expected, by its id/],
    [['company', 'show', '5', '6'], /^kontor: one company is expected, by its id/],
    [['company', 'show', '5'], /^kontor: there is no company 5\n/],
    [['company', 'delete', '5', '--confirm', 'x'], /^kontor: there is no company 5\n/],
    [
      ['company', 'delete', String(company.id)],
      /^kontor: nothing was changed: confirm with --confirm and the name, "Kept"\n/,
    ],
    [
      ['company', 'delete', String(company.id), '--confirm', 'kept'],
      /^kontor: nothing was changed: the name is "Kept"\n/,
    ],
    [['user', 'list'], /^kontor: --company must be the id of a company/],
    [['user', 'end'], /^kontor: --email is missing: which user\?\n/],
    [['user', 'end', '--email', 'nobody@oak.example'], /^kontor: no user has the email nobody@oak\.example\n/],
  ]
  for (const [words, message] of cases) {
    const { code, out, errors } = await kontor(...words)
    assert.deepEqual([code, out], [2, ''], `${words}: ${errors}`)
    assert.match(errors, message)
  }
  assert.equal((await kontorProcess(['company', 'show', '5'])).code, 2)
  assert.equal((await company.call('units/get_list')).status, 200)
})

test('user list shows users and invitations; user end ends sessions, and --remove removes all but the last owner', async () => {
  const company = await given.company()
  const [owner, worker] = [await given.user(company), await given.user(company, 'worker')]
  assert.equal((await owner.call('users/invite', { email: 'new@oak.example', role: 'manager' })).status, 200)
  const listed = await kontor('user', 'list', '--company', String(company.id))
  assert.match(
    listed.out,
    new RegExp(
      `^1  Some owner <${owner.email}>, owner, last seen .*\\n2  Some worker .*\\ninvited: new@oak\\.example, manager, until`,
    ),
  )
  const [json] = parsed((await kontor('user', 'list', '--company', String(company.id), '--json')).out)
  assert.deepEqual([json.users.length, json.invitations.length], [2, 1])
  assert.equal((await kontor('user', 'list', '--company', '5')).code, 1)

  assert.equal((await worker.call('session/get')).status, 200)
  assert.equal((await kontor('user', 'end', '--email', worker.email)).out, 'All sessions are ended.\n')
  assert.equal((await worker.call('session/get')).status, 401)
  assert.equal((await kontor('user', 'end', '--email', worker.email, '--remove')).code, 0)
  assert.match((await kontor('user', 'end', '--email', worker.email)).errors, /no user has the email/)
  const last = await kontor('user', 'end', '--email', owner.email, '--remove')
  assert.deepEqual([last.code, last.errors.split('\n')[0]], [2, 'kontor: The company needs an owner'])
  assert.equal((await owner.call('session/get')).status, 200)
  assert.deepEqual(await broken(company.id), [])
})

test('company delete leaves no row of the company in any table or partition, and changes nothing of others', async () => {
  const [gone, kept] = [await fullCompany(), await fullCompany()]
  const tables = await asOwner(database.url, readCompanyTables)
  const before = await contents(gone.company.id)
  const empty = [...before].filter(([name, { own }]) => own === 0 && !/_\d{8}$/.test(name)).map(([name]) => name)
  assert.deepEqual(
    empty,
    ['sign_in_attempts'],
    'tables without rows of the company: the test would notice nothing there',
  )
  const [{ name }] = await query(gone.company.id, 'select name from companies where company_id = $1', [gone.company.id])

  const { code, out, errors } = await kontor('company', 'delete', String(gone.company.id), '--confirm', name, '--json')
  assert.deepEqual([code, errors], [0, ''])
  assert.deepEqual(
    Object.keys(JSON.parse(out)).toSorted(),
    tables
      .map((table) => table.name)
      .filter((table) => table !== 'sign_in_attempts')
      .toSorted(),
  )
  for (const [table, { own, others }] of await contents(gone.company.id)) {
    assert.equal(own, 0, `${table} has rows of the company`)
    assert.equal(others, before.get(table)?.others, `${table} has changed for others`)
  }
  assert.equal((await gone.company.call('units/get_list')).status, 401)
  assert.equal((await gone.owner.call('session/get')).status, 401)
  assert.equal((await kept.company.call('units/get_list')).status, 200)
  assert.deepEqual(await broken(kept.company.id), [])
})

test('a deletion that was interrupted is shown in the list, and can be run again', async () => {
  const company = await given.company({ name: 'Half' })
  await given.sale(company)
  await query(company.id, 'delete from company_clock where company_id = $1', [company.id])
  assert.match(
    (await kontor('company', 'list')).out,
    /"Half" {2}its deletion was interrupted: run "company delete" again/,
  )
  assert.equal((await kontor('company', 'show', String(company.id))).code, 2)
  assert.equal((await kontor('company', 'delete', String(company.id), '--confirm', 'Half')).code, 0)
  for (const [table, { own }] of await contents(company.id)) assert.equal(own, 0, table)
})
