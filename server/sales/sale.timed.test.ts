// The movements and reservations of a sale take time in proportion to its lines, however many shipments it has.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saleStatus } from '../kernel/document-statuses.ts'
import { shortestMs } from '../test/harness/shortest.ts'
import { type Sale, saleRules } from './sale.ts'

const parts = [1, 2]

function shippedSale(count: number): Sale {
  const items = Array.from({ length: count }, (_, n) => n + 1)
  return {
    id: 1,
    num: 'S-1',
    status: saleStatus.partlyShipped,
    payment: 0,
    datePlaced: '2024-03-01',
    dateShipped: null,
    dateDeducted: null,
    deliveryPrice: 0n,
    discount: 0n,
    production: false,
    source: '',
    notes: '',
    productsStorageId: 1,
    materialsStorageId: 2,
    customerId: 1,
    billingAddress: null,
    deliveryAddress: null,
    tax: null,
    lines: items.map((itemId) => ({ itemId, kind: 'product', unitId: 1, amount: 40_000n, total: 100n, cost: 0n })),
    shipments: parts.flatMap((part) =>
      items.map((itemId) => ({ part, date: `2024-03-0${part + 1}`, itemId, amount: 10_000n })),
    ),
    skipped: [],
  }
}

test('ten times as many lines, each shipped in two parts, take about ten times as long', () => {
  const [small = 0, large = 0] = [500, 5_000].map((lines) => {
    const sale = shippedSale(lines)
    return shortestMs(() => saleRules.effectOf(sale))
  })
  const times = large / small
  assert.ok(times < 40, `ten times as many lines took ${times.toFixed(1)} times as long`)
})
