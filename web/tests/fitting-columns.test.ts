// Which columns a list shows where there is not room for all.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingColumns } from '../src/kit/fitting-columns.ts'

const columns = [
  { key: 'num', title: 'Number', width: 120 },
  { key: 'payment', title: 'Payment', width: 130 },
  { key: 'customer', title: 'Customer', width: 215, isUnder: true },
  { key: 'goods', title: 'Goods', width: 200 },
  { key: 'total', title: 'Total', kind: 'money' as const, phone: true },
  { key: 'source', title: 'Source', width: 90 },
]
const keys = (width: number): string =>
  fittingColumns(columns, width)
    .map(({ key }) => key)
    .join(' ')

test('the first column and those of a phone are always shown, the others in their order while there is room', () => {
  assert.equal(keys(100), 'num total')
  assert.equal(keys(240 + 129), 'num total source')
  assert.equal(keys(240 + 130), 'num payment total')
  assert.equal(keys(240 + 130 + 90), 'num payment total source', 'a wide one is left out, a later one fits')
  assert.equal(keys(2000), 'num payment goods total source', 'the customer is shown under the number')
})
