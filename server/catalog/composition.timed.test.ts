// Whether a product would contain itself is found quickly for a batch of new products on a large catalog.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortestMs } from '../test/harness/shortest.ts'
import { Composition } from './upsert.ts'

const width = 300
const batch = 500

test('what no product contains is not searched below the components of each new product', () => {
  const [root, upper, lower, material, unrelated] = [1, 1_000, 2_000, 3_000, 3_001]
  const each = Array.from({ length: width }, (_, n) => n)
  const composition = new Composition([
    ...each.map((n) => [root, upper + n] as const),
    ...each.flatMap((n) => each.map((m) => [upper + n, lower + m] as const)),
    ...each.map((m) => [lower + m, material] as const),
    [4_000, unrelated],
  ])
  const oneSearchMs = shortestMs(() => composition.isBelow([root], unrelated))
  const newProductsMs = shortestMs(() => {
    for (let n = 0; n < batch; n++) composition.isBelow([root], 10_000 + n)
  })
  const times = newProductsMs / oneSearchMs
  assert.ok(times < batch / 10, `${batch} new products took ${times.toFixed(1)} times as long as one search`)
})
