// Which example records stay, as a table of cases.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Created, stayingOf, type Use } from './removal.ts'

const created = (...touched: string[]): Created[] =>
  ['product 1', 'material 2', 'supplier 3', 'customer 4', 'purchase 5', 'production 6', 'sale 7'].map((key) => {
    const [record = '', id] = key.split(' ')
    return { record, id: Number(id), is_touched: touched.includes(key) }
  })
const uses: readonly Use[] = [
  ['product', 1, 'material', 2],
  ['material', 2, 'supplier', 3],
  ['purchase', 5, 'supplier', 3],
  ['purchase', 5, 'material', 2],
  ['production', 6, 'product', 1],
  ['production', 6, 'material', 2],
  ['sale', 7, 'customer', 4],
]

test('what nobody changed or used is removed', () => {
  assert.deepEqual([...stayingOf(created(), uses)], [])
})

test('what was changed stays with all it needs', () => {
  assert.deepEqual([...stayingOf(created('customer 4'), uses)], ['customer 4'])
  assert.deepEqual([...stayingOf(created('sale 7'), uses)].toSorted(), ['customer 4', 'sale 7'])
})

test('an item that stays keeps the documents that its stock comes from, and what these need', () => {
  const withPurchase = uses.filter(([record]) => record !== 'production' && record !== 'product')
  assert.deepEqual([...stayingOf(created('material 2'), withPurchase)].toSorted(), [
    'material 2',
    'purchase 5',
    'supplier 3',
  ])
})

test('what another record uses stays', () => {
  assert.deepEqual([...stayingOf(created(), [...uses, ['sale', 99, 'customer', 4]])], ['customer 4'])
  assert.deepEqual([...stayingOf(created(), [...uses, ['sale', 99, 'product', 98]])], [])
})
