// The rules based on the parse tree of a statement, each tested with a statement that breaks it and a similar one that does not.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { databaseUrl } from '../test/harness/database.ts'
import { field, list, nodesIn, parseStatement, readTree } from './parse-tree.ts'
import type { Run } from './sharding-rules.ts'
import { treeComplaints } from './sharding-statements.ts'

const client = new pg.Client({ connectionString: databaseUrl() })
const run: Run = async (text, values = []) => (await client.query(text, [...values])).rows

before(() => client.connect())
after(() => client.end())

const complaints = async (text: string) => {
  const { refused, scattered } = await treeComplaints(run, new Map([['planted', text]]))
  return [...refused, ...scattered].map((one) => one.replace('planted ', ''))
}

test('a tree is read with its lists, texts and empty fields', () => {
  const tree = readTree('({A :one 1 :two <> :three ("x y" b\\ c) :four {B :five 4 [ 1 -2 ]}})')
  const [a, b] = nodesIn(tree)
  assert.ok(a !== undefined && b !== undefined)
  assert.equal(a.tag, 'A')
  assert.equal(field(a, 'one'), '1')
  assert.equal(field(a, 'two'), undefined)
  assert.deepEqual(list(a, 'three'), ['"x y"', 'b\\ c'])
  assert.deepEqual(b.fields.get('five'), ['4', '[', '1', '-2', ']'])
  assert.throws(() => readTree('({A :one 1'), /ends too early/)
})

test('parsing a statement leaves no objects behind, also when it fails', async () => {
  const left = () =>
    run(`select (select count(*) from pg_prepared_statements)::int as prepared,
           (select count(*) from pg_proc where pronamespace = pg_my_temp_schema())::int as functions`)
  const nothing = [{ prepared: 0, functions: 0 }]
  assert.equal((await parseStatement(run, 'select name from units where company_id = $1')).tag, 'QUERY')
  assert.deepEqual(await left(), nothing)
  await assert.rejects(parseStatement(run, 'select nothing from units'), /nothing/)
  assert.deepEqual(await left(), nothing)
})

const clock = 'company_clock where company_id = $1'
const refused: readonly (readonly [broken: string, complaint: RegExp, sound: string])[] = [
  [
    'update company_clock set at = greatest(at, clock_timestamp()) where company_id = $1',
    /^calls clock_timestamp\(\) in a change/,
    'update company_clock set at = greatest(at, statement_timestamp()) where company_id = $1',
  ],
  [
    'delete from units where company_id = $1 and random() < 0.5',
    /^calls random\(\) in a change/,
    'delete from units where company_id = $1 and id < 5',
  ],
  [
    `update units set name = case when now() > '2020-01-01' then 'a' else name end where company_id = $1`,
    /^calls now\(\) in CASE or COALESCE/,
    `update units set name = case when $2 > '2020-01-01' then 'a' else name end where company_id = $1`,
  ],
  [
    'update storages set deleted_at = coalesce(deleted_at, now()) where company_id = $1',
    /^calls now\(\) in CASE or COALESCE/,
    'update storages set deleted_at = coalesce(deleted_at, $2) where company_id = $1',
  ],
  [
    `update units set name = to_char(created_at, 'YYYY') where company_id = $1`,
    /^calls to_char\(\) with a column/,
    `update units set name = to_char(now(), 'YYYY') where company_id = $1`,
  ],
  [
    'update units set name = created_at::text where company_id = $1',
    /^calls timestamptz_out\(\) with a column/,
    'update units set name = id::text where company_id = $1',
  ],
  [
    'delete from units where company_id = $1 and created_at::date = $2',
    /^calls date\(\) with a column/,
    `delete from units where company_id = $1 and created_at < now() - interval '1 day'`,
  ],
  [
    'update quotas set used = 1 where company_id = $1 returning now()',
    /^calls now\(\) in RETURNING/,
    'update quotas set used = 1 where company_id = $1 returning used + 1',
  ],
  [
    'insert into quotas (company_id, day) values ($1, $2) returning current_timestamp',
    /^calls current_date or the like\(\) in RETURNING/,
    'insert into quotas (company_id, day) values ($1, current_date)',
  ],
  [
    'insert into quotas (company_id, day) values ($1, $2) on conflict (company_id) do update set day = now()::date',
    /^calls now\(\) in ON CONFLICT/,
    'insert into quotas (company_id, day) values ($1, $2) on conflict (company_id) do update set day = excluded.day',
  ],
  [
    'insert into quotas (company_id, day) values ($1, $2) on conflict (company_id) do update set used = 1 where quotas.day < now()::date',
    /^calls now\(\) in ON CONFLICT/,
    'insert into quotas (company_id, day) values ($1, $2) on conflict (company_id) do update set used = 1 where quotas.day < $2',
  ],
  [
    `insert into quotas (company_id, day) values ($1, (select at::date from ${clock}))`,
    /^inserts values that a subquery gives/,
    `insert into quotas (company_id, day) select company_id, at::date from ${clock}`,
  ],
  [
    `insert into quotas (company_id, day) select company_id, clock_timestamp()::date from ${clock}`,
    /^calls clock_timestamp\(\) in a change/,
    `insert into quotas (company_id, day) select company_id, now()::date from ${clock}`,
  ],
  [
    'select e.seq::text as seq from events e where e.company_id = $1 order by e.seq desc limit 1',
    /^is ordered by the column seq, but another column/,
    'select e.seq::text as number from events e where e.company_id = $1 order by e.seq desc limit 1',
  ],
  [
    'select (select array(select k.id::text as id from units k where k.company_id = $1 order by k.id)) as ids',
    /^is ordered by the column id, but another column/,
    'select (select array(select k.id as id from units k where k.company_id = $1 order by k.id)) as ids',
  ],
]

for (const [broken, complaint, sound] of refused) {
  test(`statements that Citus refuses are found: ${broken}`, async () => {
    const found = await complaints(broken)
    assert.ok(
      found.some((one) => complaint.test(one)),
      `found only ${JSON.stringify(found)}`,
    )
    assert.deepEqual(await complaints(sound), [])
  })
}

test('a statement that does not match the schema is reported, and the next one is checked', async () => {
  const { refused: found } = await treeComplaints(
    run,
    new Map([
      ['old', 'select planted from units where company_id = $1'],
      ['next', 'update units set name = random()::text where company_id = $1'],
    ]),
  )
  assert.deepEqual(found, [
    'old is refused by this database: column "planted" does not exist',
    'next calls random() in a change: a volatile function',
  ])
})

test('a read may call any function', async () => {
  assert.deepEqual(await complaints(`select coalesce(at, clock_timestamp()), now() from ${clock}`), [])
})

test('a table that is read without a condition on the company is found', async () => {
  const without = (text: string) => complaints(text)
  assert.deepEqual(await without('select 1 from sales where id = $1'), [
    'reads sales without a condition on the company',
  ])
  assert.deepEqual(await without('select 1 from sales where company_id = $1 or id = $2'), [
    'reads sales without a condition on the company',
  ])
  assert.deepEqual(await without('select 1 from sales where company_id = $2 and id = $1'), [
    'reads sales without a condition on the company',
  ])
  assert.deepEqual(
    await without('select 1 from sales s join sale_lines l on l.sale_id = s.id where s.company_id = $1'),
    ['reads sale_lines without a condition on the company'],
  )
  // The planner applies a parameter to other tables of the same query, but not to those of a subquery.
  assert.deepEqual(
    await without(
      'select (select count(*) from sale_lines l where l.company_id = s.company_id) from sales s where s.company_id = $1',
    ),
    ['reads sale_lines without a condition on the company'],
  )
  assert.deepEqual(
    await without(
      'select (select count(*) from sale_lines l where l.company_id = $1) from sales s where s.company_id = $1',
    ),
    [],
  )
  assert.deepEqual(
    await without(
      `select 1 from sales s join sale_lines l on l.company_id = s.company_id and l.sale_id = s.id
       left join items i on i.company_id = l.company_id and i.id = l.item_id where $1 = s.company_id`,
    ),
    [],
  )
  assert.deepEqual(await without('delete from sale_lines where sale_id = $2 and $1 > 0'), [
    'reads sale_lines without a condition on the company',
  ])
  assert.deepEqual(await without('select 1 from api_keys where key_hash = $1'), [])
})
