// The plan of a distribution for the catalog of the migrated database, and for catalogs as interrupted runs leave them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { localTables, referenceTables } from '../platform/postgres/table-placement.ts'
import { databaseUrl } from '../test/harness/database.ts'
import { readCatalog, readExtension } from './distribute.ts'
import {
  type Catalog,
  circleClosing,
  NotDistributable,
  planDistribution,
  type Step,
  type Table,
} from './distribution-plan.ts'
import type { Run } from './sharding-rules.ts'

const client = new pg.Client({ connectionString: databaseUrl() })
const run: Run = async (text, values = []) => (await client.query(text, [...values])).rows

let catalog: Catalog
before(async () => {
  await client.connect()
  const { tables, foreignKeys } = await readCatalog(run, await readExtension(run))
  // As if nothing were distributed yet, and run by a user who bypasses row level security.
  catalog = {
    tables: tables.map((table) => ({ ...table, placement: null, isForced: true, hasLocalRows: false })),
    foreignKeys,
    serverMayLogIn: true,
    passesRowSecurity: true,
  }
})
after(() => client.end())

const plan = (change: Partial<Catalog> = {}): Step[] => planDistribution({ ...catalog, ...change }, 'kontor_server', 8)
const withTables = (change: (table: Table) => Partial<Table>): Pick<Catalog, 'tables'> => ({
  tables: catalog.tables.map((table) => ({ ...table, ...change(table) })),
})
const colocated: Partial<Table> = { placement: { kind: 'distributed', column: 'company_id', group: 1 } }
const placedAs = ({ name }: { readonly name: string }): Partial<Table> =>
  localTables.includes(name) ? {} : referenceTables.includes(name) ? { placement: { kind: 'reference' } } : colocated

const called = (steps: readonly Step[], name: string): string[] =>
  steps.flatMap(({ sql }) => new RegExp(`^select ${name}\\('([^']+)'`).exec(sql)?.[1] ?? [])
const distributed = (steps: readonly Step[]): string[] => called(steps, 'create_distributed_table')

test('every table of a company is distributed exactly once, API keys go to every worker, the table of migrations stays', () => {
  const steps = plan()
  const whole = catalog.tables.filter(({ partitionOf }) => partitionOf === null).map(({ name }) => name)
  assert.ok(whole.length > 20 && whole.includes('request_log') && whole.includes('sales'))
  assert.deepEqual(
    [...distributed(steps), ...called(steps, 'create_reference_table'), ...localTables].sort(),
    whole.sort(),
  )
  assert.deepEqual(called(steps, 'create_reference_table'), [
    'api_keys',
    'further_sign_ins',
    'import_companies',
    'mail_companies',
    'sign_ins',
    'test_companies',
    'webhook_companies',
  ])
  assert.equal(distributed(steps)[0], 'companies')
})

test('all tables are colocated with the companies, which have the given number of shards', () => {
  for (const { sql } of plan().filter(({ sql }) => sql.includes('create_distributed_table'))) {
    const others = sql.includes("'companies', 'company_id'")
      ? "colocate_with => 'none', shard_count => 8)"
      : "colocate_with => 'companies')"
    assert.match(sql, /^select create_distributed_table\('\w+', 'company_id', /)
    assert.ok(sql.endsWith(others), sql)
  }
})

test('a table comes after those it refers to; foreign keys that close a circle are dropped before and added again after', () => {
  const steps = plan()
  const at = (sql: RegExp): number => {
    const found = steps.findIndex((step) => sql.test(step.sql))
    assert.notEqual(found, -1, String(sql))
    return found
  }
  const closing = new Set(circleClosing.map(({ name }) => name))
  let followed = 0
  for (const key of catalog.foreignKeys.filter(({ table, references }) => table !== references)) {
    const [table, references] = [key.table, key.references].map((name) =>
      at(new RegExp(`create_distributed_table\\('${name}'`)),
    )
    assert.ok(table !== undefined && references !== undefined)
    if (closing.has(key.name)) {
      assert.ok(
        at(new RegExp(`drop constraint ${key.name}$`)) < Math.min(table, references),
        `${key.name} is dropped too late`,
      )
      assert.ok(
        at(new RegExp(`add constraint ${key.name} `)) > Math.max(table, references),
        `${key.name} comes back too early`,
      )
    } else assert.ok(references < table, `${key.table} comes before ${key.references}`)
    followed++
  }
  assert.ok(followed > 20, 'hardly any foreign key was checked')
})

test('the listed foreign keys that close a circle are identical to those in the catalog', () => {
  for (const key of circleClosing)
    assert.deepEqual(
      catalog.foreignKeys.filter(({ name }) => name === key.name),
      [key],
    )
})

test('dropped foreign keys are restored unchanged', async () => {
  const constraints = () =>
    run(
      `select conname, pg_get_constraintdef(oid) as definition, convalidated from pg_constraint where contype = 'f' order by 1`,
    )
  const before = await constraints()
  const plain = plan().filter(({ sql }) => sql.startsWith('alter table companies'))
  assert.equal(plain.length, 2 * circleClosing.length)
  await run('begin')
  try {
    for (const { sql } of plain) await run(sql)
    assert.deepEqual(await constraints(), before)
  } finally {
    await run('rollback')
  }
})

test('partitions are distributed with their table', () => {
  const parts = catalog.tables.filter(({ partitionOf }) => partitionOf === 'request_log').map(({ name }) => name)
  assert.ok(parts.includes('request_log_other'))
  assert.deepEqual(
    distributed(plan()).filter((name) => parts.includes(name)),
    [],
  )
  assert.ok(plan().some(({ why }) => why.includes(`request_log and its ${parts.length} partitions`)))
})

test('a distributed database needs no steps', () => {
  assert.deepEqual(plan(withTables(placedAs)), [])
})

test('an interrupted run is continued where it ended', () => {
  const whole = distributed(plan())
  const done = whole.slice(0, 10)
  const closed = new Set(circleClosing.map(({ name }) => name))
  const halfway = plan({
    ...withTables((table) =>
      done.includes(table.name) || referenceTables.includes(table.name) ? placedAs(table) : {},
    ),
    foreignKeys: catalog.foreignKeys.filter(({ name }) => !closed.has(name)),
  })
  assert.deepEqual(distributed(halfway), whole.slice(10))
  assert.deepEqual(called(halfway, 'create_reference_table'), [])
  assert.ok(!halfway.some(({ sql }) => sql.includes('drop constraint')))
  assert.equal(halfway.filter(({ sql }) => sql.includes('add constraint')).length, circleClosing.length)
  const last = plan({
    ...withTables(placedAs),
    foreignKeys: catalog.foreignKeys.filter(({ name }) => !closed.has(name)),
  })
  assert.deepEqual(
    last.map(({ sql }) => sql),
    circleClosing.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  )
})

test('the role of the server gets the right to log in before anything else', () => {
  assert.equal(plan({ serverMayLogIn: false })[0]?.sql, 'alter role kontor_server login')
  assert.ok(!plan().some(({ sql }) => sql.startsWith('alter role')))
})

test('an owner subject to row level security suspends it for each table while its rows are loaded', () => {
  const isForced = new Map<string, boolean>()
  const steps = plan({ passesRowSecurity: false })
  const forced = /^alter table (\w+) (no )?force row level security$/
  for (const { sql } of steps) {
    const [, table = '', no] = forced.exec(sql) ?? []
    if (table !== '') isForced.set(table, no === undefined)
    const loaded = /^select create_\w+_table\('(\w+)'/.exec(sql)?.[1]
    if (loaded === undefined) continue
    const family = catalog.tables.filter(({ name, partitionOf }) => name === loaded || partitionOf === loaded)
    for (const { name } of family) assert.equal(isForced.get(name), false, `${name} is loaded under its policies`)
    const suspended = [...isForced].filter(([, isOn]) => !isOn).map(([name]) => name)
    assert.deepEqual(suspended.sort(), family.map(({ name }) => name).sort())
  }
  assert.deepEqual([...new Set(isForced.values())], [true])
  assert.equal(isForced.size, catalog.tables.length - localTables.length)
  assert.ok(!plan().some(({ sql }) => forced.test(sql)))
  const left = plan(
    withTables((table) => ({
      ...placedAs(table),
      isForced: table.name !== 'sales' && !localTables.includes(table.name),
    })),
  )
  assert.deepEqual(
    left.map(({ sql }) => sql),
    ['alter table sales force row level security'],
  )
})

test('local rows left outside the shards are freed, referencing tables first', () => {
  const steps = plan(withTables(({ isPartitioned }) => ({ hasLocalRows: !isPartitioned })))
  const freed = called(steps, 'truncate_local_data_after_distributing_table')
  const filled = catalog.tables.filter(({ name, isPartitioned }) => !isPartitioned && !localTables.includes(name))
  assert.deepEqual(freed.toSorted(), filled.map(({ name }) => name).sort())
  const circle = new Set(circleClosing.map(({ name }) => name))
  for (const { table, references, name } of catalog.foreignKeys) {
    if (table !== references && !circle.has(name))
      assert.ok(freed.indexOf(table) < freed.indexOf(references), `${table} after ${references}`)
  }
  assert.ok(steps.slice(-freed.length).every(({ sql }) => sql.includes('truncate_local_data')))
  assert.deepEqual(called(plan(), 'truncate_local_data_after_distributing_table'), [])
})

test('a catalog that cannot be distributed is refused', () => {
  const unknownTable: Table = {
    name: 'planted',
    ofCompany: false,
    partitionOf: null,
    isPartitioned: false,
    isForced: true,
    hasLocalRows: false,
    placement: null,
  }
  const refuses = (change: Partial<Catalog>, words: RegExp) =>
    assert.throws(
      () => plan(change),
      (error) => error instanceof NotDistributable && words.test(error.message),
    )
  refuses({ tables: [...catalog.tables, unknownTable] }, /^planted has no company_id/)
  refuses({ tables: [] }, /run "kontor migrate" first/)
  const key = { name: 'planted', definition: '' }
  refuses(
    { foreignKeys: [...catalog.foreignKeys, { ...key, table: 'units', references: 'items' }] },
    /in a circle among/,
  )
  refuses(
    { foreignKeys: [...catalog.foreignKeys, { ...key, table: 'sales', references: 'api_keys' }] },
    /^sales\.planted/,
  )
  const elsewhere = (placement: Table['placement']) =>
    withTables((table) => (table.name === 'sales' ? { placement } : placedAs(table)))
  refuses(elsewhere({ kind: 'distributed', column: 'id', group: 1 }), /^sales is distributed already, but not/)
  refuses(elsewhere({ kind: 'distributed', column: 'company_id', group: 2 }), /^sales is distributed already, but not/)
  refuses(elsewhere({ kind: 'reference' }), /^sales is distributed already, but not/)
})
