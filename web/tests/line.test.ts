// Computations of the screens: quantity, price and total of a line, availability marks, effects as text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pricedEssence } from '../src/documents/lines.ts'
import { addedUp, effectSentence } from '../src/kit/effect-text.ts'
import {
  coverOf,
  isEqual,
  type Line,
  markOf,
  neededOf,
  partsOf,
  withAmount,
  withOneMore,
  withPrice,
  withTotal,
} from '../src/kit/line.ts'

const line: Line = {
  key: 1,
  type: 'product',
  id: 7,
  sku: 'TABLE',
  name: 'Oak table',
  unit: 'pcs',
  amount: 3,
  price: 10,
  total: 30,
}

test('price and total determine each other, and a price computed from a total is not rounded', () => {
  assert.equal(withPrice(line, 9.99).total, 29.97)
  const shared = withTotal(line, 100)
  assert.equal(shared.total, 100)
  assert.equal(withAmount(shared, 6).total, 200, 'computed with the unrounded price')
  assert.equal(withAmount(line, 1.0005).amount, 1.001)
  assert.equal(withTotal({ ...line, amount: 0 }, 5).price, 10, 'no division by zero')
})

test('an item that is scanned again is added to its first line, at the price of that line', () => {
  const scanned = { ...line, key: 9, amount: 1, price: 12, total: 12 }
  assert.deepEqual(withOneMore([], scanned), [scanned])
  const other = { ...line, key: 2, id: 8 }
  assert.deepEqual(withOneMore([other], scanned), [other, scanned])
  const second = { ...line, key: 3 }
  assert.deepEqual(withOneMore([other, line, second], scanned), [other, { ...line, amount: 4, total: 40 }, second])
})

test('availability is computed for all lines of an item together, including what the document itself has reserved', () => {
  const lines = [line, { ...line, key: 2, amount: 2 }]
  assert.equal(neededOf(lines).get(7), 5)
  const cases: [stock: Parameters<typeof markOf>[2], needed: number, mark: string | undefined][] = [
    [{ available: 5 }, 5, 'in_stock'],
    [{ available: 4 }, 5, 'missing'],
    [{ available: 4, expected: 1 }, 5, 'expected'],
    [{ available: -2, own: 5 }, 3, 'in_stock'],
    [{ available: -2, own: 5 }, 4, 'missing'],
    [{ available: 1, gone: 4 }, 5, 'in_stock'],
    [{ available: -9, gone: 5 }, 5, undefined],
    [{ available: -9, texts: { amount: 5, mark: 'in_stock' } }, 5, 'in_stock'],
    [{ available: -9, texts: { amount: 5, mark: 'in_stock' } }, 6, 'missing'],
    [{ available: null }, 5, undefined],
  ]
  for (const [stock, needed, mark] of cases) assert.equal(markOf(line, needed, stock), mark, JSON.stringify(stock))
})

test('the row of another line of the item stays as it is while its mark does', () => {
  const stock = { available: 2, own: 3, gone: 1 }
  assert.deepEqual(coverOf(line, 5, stock), { mark: 'in_stock', held: 4 }, 'what is free for the document itself')
  assert.deepEqual(coverOf(line, 5, { available: 9 }), { mark: 'in_stock' })
  assert.deepEqual(coverOf(line, 70, stock), { mark: 'missing' })
  assert.deepEqual(coverOf(line, 700, stock), coverOf(line, 70, stock))
  assert.deepEqual(coverOf({ ...line, mark: 'expected' }, 5, { available: null }), { mark: 'expected' })
})

test('priced lines are equal when the same is saved, whatever their keys and places among lines of the other kind', () => {
  const material: Line = { ...line, key: 2, type: 'material', id: 8 }
  const second: Line = { ...line, key: 3, id: 9 }
  const essence = pricedEssence([line, material, second])
  assert.deepEqual(pricedEssence([{ ...line, key: -1, available: 4 }, second, material]), essence)
  const others = [
    [second, material, line],
    [line, second],
    [withAmount(line, 4), material, second],
    [withTotal(line, 31), material, second],
    [line, material, { ...second, type: 'material' as const }],
  ]
  for (const other of others) assert.notDeepEqual(pricedEssence(other), essence)
})

test('effects are described in one sentence, each item once', () => {
  const at = {
    item_id: 7,
    type: 'product',
    sku: 'T',
    name: 'Oak table',
    unit: 'pcs',
    storage_id: 1,
    storage_name: 'Main',
  }
  const chair = { ...at, item_id: 8, name: 'Chair' }
  assert.equal(effectSentence('Saves it', []), 'Saves it. No effect on stock.')
  assert.equal(
    effectSentence('Ships it', [{ ...at, on_hand: -3, reserved: -3 }]),
    'Ships it and takes 3 pcs of Oak table from Main.',
  )
  assert.equal(
    effectSentence('Deletes it', [
      { ...at, on_hand: 2, reserved: 0 },
      { ...chair, on_hand: 0, reserved: -1 },
    ]),
    'Deletes it, returns 2 pcs of Oak table to Main and releases 1 pcs of Chair reserved in Main.',
  )
  const twice = addedUp([
    { ...at, on_hand: -0.1, reserved: 0 },
    { ...at, on_hand: -0.2, reserved: 0 },
    { ...chair, on_hand: -4, reserved: 0 },
  ])
  assert.equal(effectSentence('Ships 2', twice), 'Ships 2 and takes 0.3 pcs of Oak table and 4 pcs of Chair from Main.')
  const several = [7, 8, 9, 10].map((item_id) => ({
    ...at,
    item_id,
    name: `Item ${item_id}`,
    on_hand: -1,
    reserved: 0,
  }))
  assert.equal(
    effectSentence('Ships it', several.slice(1)),
    'Ships it and takes 1 pcs of Item 8, 1 pcs of Item 9 and 1 pcs of Item 10 from Main.',
  )
  assert.equal(
    effectSentence('Ships it', several),
    'Ships it and takes 1 pcs of Item 7, 1 pcs of Item 8 and 2 other items from Main.',
  )
})

test('a line that a form has copied is the same line, one with another quantity is not', () => {
  const line = { key: 1, id: 7, amount: 2, stock: undefined }
  assert.equal(isEqual(line, { ...line }), true)
  assert.equal(isEqual(line, { ...line, amount: 3 }), false)
  assert.equal(isEqual<object>(line, { ...line, mark: 'missing' }), false)
  assert.equal(isEqual(undefined, line), false)
  assert.equal(isEqual(undefined, undefined), true)
})

test('lines are divided into parts without losing any', () => {
  const lines = Array.from({ length: 101 }, (_, at) => at)
  const parts = partsOf(lines, 50)
  assert.deepEqual(
    parts.map(({ length }) => length),
    [50, 50, 1],
  )
  assert.deepEqual(parts.flat(), lines)
  assert.deepEqual(partsOf([], 50), [])
})
