// SQL files are split into statements, and statements into single commands.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleCommandsOf, statementsOf, withoutColumnChecks } from './sql-text.ts'

for (const [sql, statements] of [
  ['select 1; select 2;', ['select 1', 'select 2']],
  ["select 'a;b'; select 2", ["select 'a;b'", 'select 2']],
  ["select 'it''s; one'", ["select 'it''s; one'"]],
  ['select ";" from "a""; b"', ['select ";" from "a""; b"']],
  ['do $$ begin a; b; end $$; select 2', ['do $$ begin a; b; end $$', 'select 2']],
  ['do $body$ select $$;$$; $body$', ['do $body$ select $$;$$; $body$']],
  ['-- one; two\nselect 1; /* three; */ select 2', ['select 1', 'select 2']],
  ["comment on table a is '-- not a comment; no';", ["comment on table a is '-- not a comment; no'"]],
  [' ;; \n', []],
] as const)
  test(`statements of ${JSON.stringify(sql)}`, () => assert.deepEqual(statementsOf(sql), statements))

for (const [statement, commands] of [
  ['alter table a add b integer', ['alter table a add b integer']],
  [
    "alter table a\n  add column b numeric(3, 2) default 0 check (b in (1, 2)),\n  add column c text default 'x, y'",
    [
      'alter table a add column b numeric(3, 2) default 0 check (b in (1, 2))',
      "alter table a add column c text default 'x, y'",
    ],
  ],
  ['create table a (b integer, c integer)', ['create table a (b integer, c integer)']],
  ['grant select, insert on a to b', ['grant select, insert on a to b']],
] as const)
  test(`commands of ${JSON.stringify(statement)}`, () => assert.deepEqual(singleCommandsOf(statement), commands))

test('a column with a check becomes a column and a check', () => {
  assert.deepEqual(withoutColumnChecks("alter table a add column b text not null default '' check (b in ('', 'x'))"), [
    "alter table a add column b text not null default ''",
    "alter table a add constraint a_b_check check (b in ('', 'x'))",
  ])
  assert.deepEqual(withoutColumnChecks('alter table a add column b int constraint c check (b > 0)'), [
    'alter table a add column b int',
    'alter table a add constraint c check (b > 0)',
  ])
  for (const other of ['alter table a add column b int', 'alter table a add constraint c check (b > 0)'])
    assert.deepEqual(withoutColumnChecks(other), [other])
})
