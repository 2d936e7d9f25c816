// What a migration of a distributed database sends besides its statements.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forCluster } from './migrate.ts'
import { readMigrations } from './migration-file.ts'
import { referenceTables, withPlacements } from './table-placement.ts'

test('a new table is placed before there are rows in it, and after its columns are stored as wanted', () => {
  const create = 'create table planted (company_id bigint)'
  const store = 'alter table planted alter content set storage external'
  const fill = 'insert into planted select company_id from companies'
  assert.deepEqual(withPlacements([create, fill, store]), [
    create,
    store,
    "select create_distributed_table('planted', 'company_id', colocate_with => 'companies')",
    fill,
  ])
  const reference = 'create table if not exists sign_ins (a int)'
  assert.deepEqual(withPlacements([reference]), [reference, "select create_reference_table('sign_ins')"])
  for (const other of [
    'create table backfills (name text)',
    'create table planted_part partition of planted default',
    'create index planted_id on planted (id)',
    'alter table planted add column id bigint',
  ])
    assert.deepEqual(withPlacements([other]), [other])
  assert.deepEqual(withPlacements([store]), [])
})

test('every table for all companies that a migration creates has a copy on every node', () => {
  const placed = readMigrations().flatMap(({ sql }) => withPlacements(forCluster(sql)))
  for (const table of referenceTables) assert.ok(placed.includes(`select create_reference_table('${table}')`), table)
  assert.ok(placed.filter((sql) => sql.startsWith('select create_distributed_table')).length > 60)
})

test('a CASE that compares one value with several is written as a cluster understands it', () => {
  assert.deepEqual(
    forCluster(`update a set b = case b\n  when 'x' then 'y' when 'z' then 'when' end where b in ('x', 'z');`),
    [`update a set b = case\n  when b = 'x' then 'y' when b = 'z' then 'when' end where b in ('x', 'z')`],
  )
  const left = readMigrations().flatMap(({ sql }) =>
    forCluster(sql).filter((one) => /^update[\s\S]*\bcase\b(?!\s+when\b)/i.test(one)),
  )
  assert.deepEqual(left, [])
})
