// Every migration after the baseline expands the schema, or contracts it a release later, without blocking requests.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backfills } from '../../platform/postgres/backfills.ts'
import { lastOfBaseline, parseMigration, readMigrations } from '../../platform/postgres/migration-file.ts'
import { root } from './architecture.ts'
import { migrationComplaints, releasedVersions } from './migration-rules.ts'

const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')

test('every migration after the baseline follows the rules', () => {
  const facts = { released: releasedVersions(changelog), backfills: backfills.map(({ name }) => name) }
  const migrations = readMigrations().filter(({ name }) => name > lastOfBaseline)
  assert.ok(migrations.length > 0)
  assert.deepEqual(
    migrations.flatMap((migration) => migrationComplaints(migration, facts)),
    [],
  )
})

const facts = { released: ['1.0.0', '1.1.0'], backfills: ['codes'] }
const complaints = (sql: string): string[] => migrationComplaints(parseMigration('9000_new', sql), facts)

for (const sql of [
  'alter table sales add column a integer;',
  "alter table sales add column a text not null default '', add column b integer default 0 not null;",
  'alter table sales add column a numeric(12, 3) not null default 0;',
  'alter table sales add constraint sales_a check (a > 0) not valid;\nalter table sales validate constraint sales_a;',
  'alter table sales add column customer bigint, add constraint f foreign key (company_id, customer) references customers not valid;',
  'create table new (company_id bigint not null references companies, a integer unique, primary key (company_id));\ncreate index new_a on new (a);',
  "create index concurrently sales_a on sales (company_id, a);\ncomment on index sales_a is 'drop table';",
  'alter table companies add column a integer check (a > 0);\nupdate companies set a = 1;',
  "comment on table sales is 'drop table; rename';\n-- drop table sales",
  'alter table sales alter column notes drop not null;',
  'alter table sales drop constraint sales_a_check, add constraint sales_a_check check (a > 0) not valid;',
  'drop policy if exists own_company on sales;\ncreate policy own_company on sales using (true);',
  '-- Contracts: not needed since 1.1.0\n-- Requires the backfill: codes\nalter table sales drop column a;',
  '-- Contracts: not needed since 1.0.0\nalter table sales rename a to b;\nalter table sales alter b set not null;',
  '-- Contracts: not needed since 1.0.0\ndrop index concurrently if exists sales_a;',
])
  test(`accepted: ${sql.replaceAll('\n', ' ')}`, () => assert.deepEqual(complaints(sql), []))

for (const [sql, complaint] of [
  ['drop table sales;', /drops something/],
  ['alter table sales drop column a;', /drops something/],
  ['alter table sales drop constraint sales_a;', /drops something/],
  ['alter table sales drop constraint sales_a_check, add b integer;', /drops something/],
  ['alter table sales drop constraint a_check, add constraint b_check check (a > 0) not valid;', /drops something/],
  ['alter table sales drop constraint a_check, add constraint a_check check (a > 0);', /without "not valid"/],
  ['alter table sales alter a drop default;', /drops something/],
  ['drop index sales_a;', /drops something/],
  ['do $$ begin drop table sales; end $$;', /drops something/],
  ["do $$ begin execute format('create policy p on sales'); drop table sales; end $$;", /drops something/],
  ['alter table sales rename to orders;', /renames/],
  ['alter table sales\n  rename column a to b;', /renames/],
  ['revoke insert on sales from kontor_server;', /revokes/],
  ['alter table sales alter column a set not null;', /sets not null/],
  ['alter table sales add column a text not null;', /not null and has no default/],
  ['alter table companies add a text not null;', /not null and has no default/],
  ['alter table sales add column a integer default 0, add column b text not null;', /not null and has no default/],
  ['alter table sales add constraint sales_a unique (company_id, a);', /may violate/],
  ['alter table sales alter column a type bigint;', /rewrites the table/],
  ['alter table sales alter a set data type text;', /rewrites the table/],
  ['alter table sales add column a uuid default gen_random_uuid();', /rewrites the table/],
  ['alter table sales add column a bigserial;', /rewrites the table/],
  ['alter table sales add column a text generated always as (notes) stored;', /rewrites the table/],
  ['alter table sales add constraint sales_a check (a > 0);', /without "not valid"/],
  ['alter table sales add column a integer check (a > 0);', /without "not valid"/],
  ['create index sales_a on sales (a);', /concurrently/],
  ['create unique index if not exists sales_a on sales (company_id, a);', /concurrently/],
  ['update sales set a = 1;', /declare a backfill/],
  ['delete from sales where a = 1;', /declare a backfill/],
  ['lock table sales;', /blocks requests/],
  ['alter table sales set unlogged;', /blocks requests/],
  ['alter table sales add a integer;\ncreate index concurrently sales_a on sales (a);', /into another migration/],
  ['-- Contracts: not needed since 1.2.0\ndrop table sales;', /1\.2\.0 .* not released/],
  ['-- Contracts the sales.\nselect 1;', /no valid header/],
  ['-- Contracts: not needed since 1.0.0\nalter table sales alter a type text;', /rewrites the table/],
  ['-- Contracts: not needed since 1.0.0\nupdate sales set a = 1;', /declare a backfill/],
  ['-- Contracts: not needed since 1.0.0\n-- Requires the backfill: other\ndrop table sales;', /not declared/],
] as const)
  test(`refused: ${sql.replaceAll('\n', ' ')}`, () => {
    const found = complaints(sql)
    assert.ok(found.length === 1 && complaint.test(found[0] ?? ''), found.join('\n') || 'nothing was found')
  })

test('released versions are read from the headings of the changelog', () => {
  const text = '# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-12-01)\n\nsince 1.0.5\n\n## [1.0.0] - 2026-11-16\n'
  assert.deepEqual(releasedVersions(text), ['1.1.0', '1.0.0'])
})
