// Reads the catalog of the migrated database and every declared statement, and reports anything that would break the separation of companies or
// that a cluster would not accept. Each check is first shown to report a fault created in a transaction that is rolled back.
// Long because every rule comes with what breaks it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  type CatalogCheck,
  catalogChecks,
  catalogComplaints,
  type Run,
  statementComplaints,
} from '../../cluster/sharding-rules.ts'
import { treeComplaints } from '../../cluster/sharding-statements.ts'
import { citusUrl } from '../harness/citus.ts'
import { databaseUrl } from '../harness/database.ts'
import { everyStatement } from '../harness/statements.ts'
import { explanationComplaints, numericComplaints, planComplaints, roleComplaints } from './schema.ts'

const client = new pg.Client({ connectionString: databaseUrl() })
const run: Run = async (text, values = []) => (await client.query(text, [...values])).rows

before(() => client.connect())
after(() => client.end())

/** The complaints of `look` about a database on which `sql` was run. */
async function planted<T>(sql: string, look: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await client.query(sql)
    return await look()
  } finally {
    await client.query('rollback')
  }
}

const walled = (table: string): string => `alter table ${table} enable row level security, force row level security`
const tenant = (
  more = '',
): string => `create table planted (company_id bigint not null, id bigint not null${more}, primary key (company_id, id));
  ${walled('planted')}`

test('the catalog is that of the migrated database', async () => {
  const rows = await run(
    `select count(*)::int as tables from pg_class where relkind in ('r', 'p') and relrowsecurity and relforcerowsecurity`,
  )
  assert.ok(Number(rows[0]?.['tables']) >= 20, 'too few tables have row level security')
})

test('a correct table causes no complaint', async () => {
  await planted(tenant(', amount numeric(12, 3) not null check (amount between 0 and 10)'), async () => {
    for (const check of catalogChecks) assert.deepEqual(await catalogComplaints(run, check), [], check)
    assert.deepEqual(await numericComplaints(run), [])
  })
})

const unsound: Readonly<Record<CatalogCheck, readonly (readonly [sql: string, complaint: RegExp])[]>> = {
  'row level security': [
    ['create table planted (company_id bigint primary key)', /^planted has no row level security/],
    [
      'create table planted (company_id bigint primary key); alter table planted enable row level security',
      /^planted has no/,
    ],
    [
      `create table planted (company_id bigint primary key) partition by range (company_id); ${walled('planted')};
       create table planted_part partition of planted default; grant select on planted_part to kontor_server`,
      /^planted_part has no/,
    ],
  ],
  policies: [
    [`${tenant()}; create policy anyone on planted using (true)`, /^planted\.anyone has no condition/],
    [
      `${tenant()}; create policy anyone on planted for insert to kontor_server with check (true)`,
      /^planted\.anyone has no condition/,
    ],
  ],
  'unique keys': [
    ['create table planted (id bigint primary key, company_id bigint)', /^planted_pkey does not start/],
    [`${tenant(', code text unique')}`, /^planted_code_key does not start/],
    [`${tenant()}; create unique index planted_order on planted (id, company_id)`, /^planted_order does not start/],
    [`${tenant()}; create unique index planted_sum on planted ((company_id + id))`, /^planted_sum does not start/],
  ],
  'primary keys': [['create table planted (company_id bigint)', /^planted has no primary key/]],
  'foreign keys': [
    [
      `${tenant()}; create table planted_other (id bigint primary key);
       alter table planted add constraint stray foreign key (id) references planted_other`,
      /^planted\.stray does not start/,
    ],
    [
      `${tenant(', owner_id bigint')}; alter table planted add constraint crossed foreign key (owner_id, id) references planted (company_id, id)`,
      /^planted\.crossed does not start/,
    ],
  ],
  triggers: [
    [
      `${tenant()}; create function planted_trigger() returns trigger language plpgsql as 'begin return new; end';
       create trigger sprung before insert on planted for each row execute function planted_trigger()`,
      /^planted\.sprung is a trigger/,
    ],
  ],
  sequences: [
    ['create sequence planted', /^planted is a sequence/],
    [tenant(', number bigint generated always as identity'), /^planted_number_seq is a sequence/],
    [tenant(', number bigserial'), /^planted_number_seq is a sequence/],
  ],
  functions: [
    [
      `create function planted() returns bigint language sql security definer as 'select 1::bigint'`,
      /^planted runs with its owner's rights/,
    ],
  ],
  'unlogged tables': [['create unlogged table planted (company_id bigint primary key)', /^planted does not survive/]],
  'binary floating point': [[tenant(', price double precision'), /^planted\.price is binary floating point/]],
}

for (const check of catalogChecks) {
  test(`the catalog passes the check of ${check}`, async () => {
    for (const [sql, complaint] of unsound[check]) {
      const complaints = await planted(sql, () => catalogComplaints(run, check))
      assert.ok(
        complaints.some((one) => complaint.test(one)),
        `not noticed: ${sql}`,
      )
    }
    assert.deepEqual(await catalogComplaints(run, check), [])
  })
}

test('every numeric column refuses NaN and numbers that are far too large', async () => {
  const complaints = (column: string) =>
    planted(tenant(`, other numeric check (other between 0 and 9), ${column}`), () => numericComplaints(run))
  assert.deepEqual(await complaints('amount numeric(12, 3)'), ["planted.amount takes 'NaN'::numeric"])
  assert.deepEqual(await complaints(`amount numeric(12, 3) check (amount + other < 'NaN')`), [])
  assert.deepEqual(await complaints('amount numeric check (amount > 0)'), [
    "planted.amount takes 'NaN'::numeric",
    "planted.amount takes '1e60'::numeric",
  ])
  assert.deepEqual(await complaints('amount numeric check (amount <= 9)'), ["planted.amount takes '-1e60'::numeric"])
  assert.equal((await complaints('amount numeric check (other > 5 and amount is not null)')).length, 3)
  assert.deepEqual(await complaints('amount numeric check (amount = other + 1 - 1)'), [])
  assert.deepEqual(await numericComplaints(run), [])
})

test('every table of a company is planned as if companies were large', async () => {
  assert.equal((await planted(tenant(), () => planComplaints(run))).length, 2)
  const planned = `${tenant()}; alter table planted alter company_id set (n_distinct = -0.0005), alter id set (n_distinct = 2000)`
  assert.deepEqual(await planted(planned, () => planComplaints(run)), [])
  assert.deepEqual(await planComplaints(run), [])
})

test('every table has a comment, and every check constraint a chosen name', async () => {
  assert.deepEqual(await planted(tenant(), () => explanationComplaints(run)), ['planted has no comment'])
  const numbered = `${tenant(', a int, b int, check (a < b), check (a > b - 9)')}; comment on table planted is 'Planted.'`
  assert.deepEqual(await planted(numbered, () => explanationComplaints(run)), [
    'planted.planted_check has no chosen name',
    'planted.planted_check1 has no chosen name',
  ])
  assert.deepEqual(await explanationComplaints(run), [])
})

test('the role of requests is subject to every policy and cannot rewrite history', async () => {
  const complaints = (sql: string) =>
    planted(`create role planted_role; ${sql}`, () => roleComplaints(run, 'planted_role'))
  assert.deepEqual(await roleComplaints(run, 'planted_role'), ['there is no role planted_role'])
  assert.deepEqual(await complaints('grant select, insert on events, stock_movements to planted_role'), [])
  for (const [sql, complaint] of [
    ['alter role planted_role superuser', /^may become planted_role/],
    ['alter role planted_role bypassrls', /^may become planted_role/],
    ['create role planted_other bypassrls; grant planted_other to planted_role', /^may become planted_other/],
    [`${tenant()}; alter table planted owner to planted_role`, /^owns or may own table planted/],
    ['grant update on events to planted_role', /^may update on events/],
    // A cluster has no rights on single columns.
    ...(citusUrl() === undefined
      ? [['grant update (at) on events to planted_role', /^may update on events/] as const]
      : []),
    ['grant delete on stock_movements to planted_role', /^may delete on stock_movements/],
    ['grant insert on schema_migrations to planted_role', /^may insert on schema_migrations/],
    ['grant update on backfills to planted_role', /^may update on backfills/],
    ['grant truncate on sales to planted_role', /^may truncate sales/],
  ] as const) {
    const found = await complaints(sql)
    assert.ok(
      found.some((one) => complaint.test(one)),
      `not noticed: ${sql}`,
    )
  }
  assert.deepEqual(await roleComplaints(run), [])
})

test('every statement filters by company, changes one table, and is accepted by a cluster', async () => {
  const complaints = (text: string) =>
    statementComplaints(new Map([['planted', text]])).map((one) => one.replace('planted ', ''))
  assert.deepEqual(complaints('select 1 from sales where company_id = $1 for update of sales'), [])
  assert.deepEqual(
    complaints('insert into units (company_id, id) values ($1, $2) on conflict (company_id, id) do update set id = 1'),
    [],
  )
  assert.deepEqual(
    complaints(
      'insert into sale_lines (company_id) select c.company_id from company_clock c cross join unnest($2::int[]) x where c.company_id = $1',
    ),
    [],
  )
  assert.match(complaints('select 1 from sales where id = $1')[0] ?? '', /has no condition on the company/)
  assert.match(
    complaints('select 1 from sales where id = $1 -- company_id = $1')[0] ?? '',
    /has no condition on the company/,
  )
  assert.match(complaints('select company_id from sales where id = $1')[0] ?? '', /has no condition on the company/)
  assert.match(complaints("select set_config('a', 'b', true) from sales where company_id = $1")[0] ?? '', /set_config/)
  assert.match(
    complaints(
      'with a as (update sales set id = 1 where company_id = $1), b as (delete from sale_lines) select 1',
    )[0] ?? '',
    /changes data 2 times/,
  )
  assert.match(
    complaints(
      'with a as (insert into sales (company_id) values ($1) returning id) insert into sale_lines (company_id) select 1 from a',
    )[0] ?? '',
    /changes data 2 times/,
  )
  assert.match(
    complaints('insert into sale_lines (company_id, item_id) select $1, x from unnest($2::bigint[]) x')[0] ?? '',
    /without joining company_clock/,
  )
  assert.match(
    complaints("update units set name = case id when 1 then 'a' else 'b' end where company_id = $1")[0] ?? '',
    /has a CASE/,
  )
  assert.deepEqual(complaints("update units set name = case when id = 1 then 'a' end where company_id = $1"), [])
  assert.match(
    complaints('insert into units (company_id, id) select $1, $2 from company_clock where company_id = $1')[0] ?? '',
    /company as a parameter/,
  )
  assert.match(
    complaints(
      'delete from mail_companies where company_id = $1 and not exists (select from mails where company_id = $1)',
    )[0] ?? '',
    /^changes mail_companies, which every node has, and reads mails/,
  )
  assert.deepEqual(complaints('delete from mail_companies m where m.company_id = $1'), [])
  const selected = (table: string): string[] =>
    complaints(
      `insert into ${table} (company_id, id) select company_id, id from users where company_id = $1 returning id`,
    )
  assert.match(selected('units')[0] ?? '', /without an alias/)
  assert.deepEqual(selected('units as u'), [])
  assert.deepEqual(statementComplaints(await everyStatement()), [])
})

test('no statement calls a function where a cluster accepts none, and every one filters every table by company, so that one shard can run it', async () => {
  assert.deepEqual(await treeComplaints(run, await everyStatement()), { refused: [], scattered: [] })
})
