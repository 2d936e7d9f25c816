// The SQL formatter, and the documents generated with it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSql } from './format-sql.ts'
import { sqlDocuments } from './sql-documents.ts'

test('a short statement has one clause per line', () => {
  assert.equal(
    formatSql("select a,\n  b from t   where t.id = :id::bigint and t.name = 'from  me' order by a, b"),
    "select a, b\nfrom t\nwhere t.id = :id::bigint and t.name = 'from  me'\norder by a, b",
  )
})

test('a long clause is broken at its commas, its conditions or its longest parenthesis', () => {
  const column = 'a_column_with_a_long_name'
  const sql = `select ${column}, ${column}, ${column}, ${column} from t where exists (select from u where ${column} = 1 and ${column} between 2 and 3 and ${column} = 4)`
  assert.equal(
    formatSql(sql),
    [
      `select ${column},`,
      ...[`  ${column},`, `  ${column},`, `  ${column}`],
      'from t',
      'where exists (',
      '  select',
      '  from u',
      `  where ${column} = 1`,
      `    and ${column} between 2 and 3`,
      `    and ${column} = 4`,
      ')',
    ].join('\n'),
  )
})

test('a text that the formatter cannot parse completely is an error', () => {
  assert.throws(() => formatSql('select a § b'), /more than white space/)
})

test('a statement is shown with its parameters and senders; one that differs only in its order is shown by its order', () => {
  const declared = (sql: string) => ({ sql, text: sql, parameters: ['company_id', 'limit'] })
  const documents = sqlDocuments(
    new Map([
      ['things.browse.by_name_asc', declared('select a from t order by name limit :limit')],
      ['things.browse.by_name_desc', declared('select a from t order by name desc limit :limit')],
    ]),
    {
      'things.browse.by_name_asc': ['things/browse'],
      'things.browse.by_name_desc': ['kontor thing list', 'things/browse'],
    },
  )
  assert.equal(
    documents.get('things.sql'),
    `-- things.browse.by_name_asc
-- parameters: company_id, limit
-- sent by: things/browse
select a
from t
order by name
limit :limit;

-- things.browse.by_name_desc
-- parameters: company_id, limit
-- sent by: kontor thing list, things/browse
-- as things.browse.by_name_asc, but order by name desc
`,
  )
})

test('a statement without a sender, and a sender of a statement that is not declared, are errors', () => {
  const statements = new Map([['things.find', { sql: 'select 1', text: 'select 1', parameters: [] }]])
  assert.throws(() => sqlDocuments(statements, {}), /things\.find has no recorded sender/)
  assert.throws(
    () => sqlDocuments(statements, { 'things.find': ['things/get'], 'things.lost': ['things/get'] }),
    /things\.lost has recorded senders and is not declared/,
  )
})

test('of the variants of a statement the last one is shown whole', () => {
  const variant = (sql: string, variantOf?: string) => ({ sql, text: sql, parameters: [], variantOf })
  const documents = sqlDocuments(
    new Map([
      ['things.add.rows_1', variant('insert into t values (:a_1)', 'things.add')],
      ['things.add.rows_2', variant('insert into t values (:a_1), (:a_2)', 'things.add')],
      ['things.add', variant('insert into t select unnest(:a)')],
    ]),
    { 'things.add': ['things/add'] },
  )
  assert.equal(
    documents.get('things.sql'),
    `-- things.add
-- sent by: things/add
insert into t
select unnest(:a);

-- things.add.rows_2
-- a variant of things.add; the others between the two: .rows_1
insert into t
values (:a_1), (:a_2);
`,
  )
})
