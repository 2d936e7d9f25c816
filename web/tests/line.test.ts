// How the screens count: quantity, price and total of a line, marks of goods, effects in words, and the next number.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addedUp, effectSentence } from '../src/kit/effect-words.ts'
import { type Line, markOf, neededOf, withAmount, withPrice, withTotal } from '../src/kit/line.ts'
import { numberAfter } from '../src/sales/sale-values.ts'

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

test('price and total compute each other, and a price from a total keeps its cents', () => {
  assert.equal(withPrice(line, 9.99).total, 29.97)
  const shared = withTotal(line, 100)
  assert.equal(shared.total, 100)
  assert.equal(withAmount(shared, 6).total, 200, 'the unrounded price counts on')
  assert.equal(withAmount(line, 1.0005).amount, 1.001)
  assert.equal(withTotal({ ...line, amount: 0 }, 5).price, 10, 'nothing is divided by zero')
})

test('goods are marked for all lines of an item together; what the document itself holds is free for it', () => {
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
    [{ available: -9, said: { amount: 5, mark: 'in_stock' } }, 5, 'in_stock'],
    [{ available: -9, said: { amount: 5, mark: 'in_stock' } }, 6, 'missing'],
    [{ available: null }, 5, undefined],
  ]
  for (const [stock, needed, mark] of cases) assert.equal(markOf(line, needed, stock), mark, JSON.stringify(stock))
})

test('effects are told in one sentence, each thing once', () => {
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
  assert.equal(effectSentence('Saves it', []), 'Saves it. Stock does not change.')
  assert.equal(
    effectSentence('Ships it', [{ ...at, on_hand: -3, reserved: -3 }]),
    'Ships it and takes 3 pcs of Oak table from Main.',
  )
  assert.equal(
    effectSentence('Deletes it', [
      { ...at, on_hand: 2, reserved: 0 },
      { ...chair, on_hand: 0, reserved: -1 },
    ]),
    'Deletes it, returns 2 pcs of Oak table to Main and frees 1 pcs of Chair reserved in Main.',
  )
  const twice = addedUp([
    { ...at, on_hand: -0.1, reserved: 0 },
    { ...at, on_hand: -0.2, reserved: 0 },
    { ...chair, on_hand: -4, reserved: 0 },
  ])
  assert.equal(effectSentence('Ships 2', twice), 'Ships 2 and takes 4.3 items (2 kinds) from Main.')
})

test('the next number counts on the digits at the end of the last one', () => {
  const cases = [
    [undefined, '1'],
    ['9', '10'],
    ['A-1009', 'A-1010'],
    ['2026/0099', '2026/0100'],
    ['99999999999999999999', '100000000000000000000'],
    ['Fair', 'Fair-2'],
  ] as const
  for (const [last, next] of cases) assert.equal(numberAfter(last), next)
})
