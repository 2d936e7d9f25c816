// Inserting several rows: VALUES for few, arrays for many, the same values in either form.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declareInsert } from './insert-rows.ts'
import { declaredStatements } from './statement.ts'

const insert = declareInsert<{ readonly box_id: number }, { readonly name: string; readonly amount: number }>({
  name: 'test_boxes.insert',
  table: 'boxes',
  shared: ['box_id'],
  columns: { name: 'text', amount: 'numeric' },
  numbered: 'position',
  onConflict: 'on conflict (company_id, box_id, position) do nothing',
})

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ amount: at + 1, name: `n${at}` }))
const box = { box_id: 7, company_id: 3 }

test('without rows there is no statement', () => {
  assert.deepEqual(insert(box, []), [])
})

test('few rows are listed, numbered from 0, each with its own values', () => {
  assert.deepEqual(insert(box, rows(2)), [
    {
      name: 'test_boxes.insert.rows_2',
      text: 'insert into boxes (company_id, box_id, position, name, amount) values ($1, $2, 0, $3, $4), ($1, $2, 1, $5, $6) on conflict (company_id, box_id, position) do nothing',
      values: [3, 7, 'n0', 1, 'n1', 2],
    },
  ])
})

test('more rows are passed as arrays, whatever their number', () => {
  const [nine] = insert(box, rows(9))
  const [hundred] = insert(box, rows(100))
  assert.equal(nine?.name, 'test_boxes.insert')
  assert.equal(nine?.text, hundred?.text)
  assert.match(nine?.text ?? '', /unnest\(\$3::text\[\], \$4::numeric\[\]\) with ordinality/)
  assert.deepEqual(nine?.values.slice(0, 2), [3, 7])
  const names = nine?.values[2]
  assert.ok(Array.isArray(names))
  assert.deepEqual(names.slice(-2), ['n7', 'n8'])
})

test('every number of rows up to eight has a statement that is a variant of the general one', () => {
  const variants = [...declaredStatements()].filter(([, { variantOf }]) => variantOf === 'test_boxes.insert')
  assert.deepEqual(
    variants.map(([name]) => name),
    Array.from({ length: 8 }, (_, at) => `test_boxes.insert.rows_${at + 1}`),
  )
})

test('a row without a value for a column is an error', () => {
  assert.throws(
    () => insert(box, [{ amount: 1 } as unknown as { name: string; amount: number }]),
    /test_boxes\.insert needs a value for :name/,
  )
})
