// Nothing of a company is forgotten by an archive: every table and column of the catalog is in it, or left out with a reason.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUrl } from '../../test/harness/database.ts'
import { type CompanyTable, readCompanyTables } from '../company-tables.ts'
import { asOwner } from '../owner.ts'
import {
  archivedColumns,
  archivedTables,
  leftOut,
  ownColumns,
  reasonsOf,
  secretColumns,
  secretTables,
} from './contents.ts'

const namesOf = (tables: readonly CompanyTable[]): string[] => tables.map(({ name }) => name)

test('every table with rows of companies is in an archive, or left out with a reason', async () => {
  const tables = await asOwner(databaseUrl(), readCompanyTables)
  for (const withSecrets of [true, false])
    for (const withLog of [true, false]) {
      const archived = namesOf(archivedTables(tables, { withSecrets, withLog }))
      const reasons = Object.keys(reasonsOf(tables, { withSecrets, withLog }))
      assert.deepEqual([...archived, ...reasons].toSorted(), namesOf(tables).toSorted())
      assert.equal(archived.includes('request_log'), withLog)
    }
  const listed = [...Object.keys(leftOut), ...Object.keys(secretTables)]
  const unknown = listed.filter((name) => !namesOf(tables).includes(name))
  assert.deepEqual(unknown, [], 'these tables do not exist')
})

test('a table comes after those that it refers to', async () => {
  const tables = await asOwner(databaseUrl(), readCompanyTables)
  const order = archivedTables(tables, { withSecrets: true, withLog: true })
  for (const [at, { name, references }] of order.entries()) {
    const later = references.filter(
      ({ to, isDeferred }) => to !== name && !isDeferred && !namesOf(order.slice(0, at)).includes(to),
    )
    assert.deepEqual(later, [], name)
  }
  assert.equal(order[0]?.name, 'companies')
})

/** Bytes that users have stored, and a hash that only requests are compared with. */
const harmless = ['companies.logo', 'files.content', 'files.thumbnail', 'idempotency_keys.request_hash']

test('every column that may hold a secret or a lease is treated as one, or known to hold none', async () => {
  const tables = await asOwner(databaseUrl(), readCompanyTables)
  const treated = [...Object.keys(secretColumns), ...ownColumns]
  const left = [...Object.keys(leftOut), ...Object.keys(secretTables)]
  const suspicious = tables
    .filter(({ name }) => !left.includes(name))
    .flatMap(({ name, columns }) => columns.map((column) => ({ ...column, of: `${name}.${column.name}` })))
    .filter(
      ({ name, type, isGenerated }) =>
        !isGenerated && (type === 'bytea' || /hash|secret|password|token|lease/.test(name)),
    )
    .map(({ of }) => of)
  const decided = [...treated, ...harmless]
  assert.deepEqual(
    suspicious.filter((of) => !decided.includes(of)),
    [],
    'decide whether an archive may contain these columns',
  )
  const existing = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
  assert.deepEqual(
    decided.filter((of) => !existing.includes(of)),
    [],
    'these columns do not exist',
  )
  for (const table of tables) {
    const archived = archivedColumns(table, { withSecrets: false }).map(({ name }) => `${table.name}.${name}`)
    assert.deepEqual(
      archived.filter((column) => treated.includes(column)),
      [],
    )
  }
})
