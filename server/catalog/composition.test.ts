// Whether a product would contain itself, with the changes of a batch: the search finds the same as following every component.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Composition } from './upsert.ts'

type Edge = readonly [product: number, item: number]

/** Follows every component. */
function isBelow(edges: readonly Edge[], items: readonly number[], id: number): boolean {
  const found = new Set(items)
  for (const item of found) for (const [product, part] of edges) if (product === item) found.add(part)
  return found.has(id)
}

const number = fc.nat({ max: 12 })
const edge = fc.tuple(number, number)

test('an item is below others exactly when a chain of components leads to it', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(edge, { selector: String, maxLength: 30 }),
      fc.array(fc.tuple(number, fc.uniqueArray(number, { maxLength: 4 })), { maxLength: 4 }),
      fc.uniqueArray(number, { maxLength: 4 }),
      number,
      (edges, replaced, items, id) => {
        const composition = new Composition(edges)
        let current: readonly Edge[] = edges
        for (const [product, parts] of replaced) {
          composition.replace(product, parts)
          current = [...current.filter(([of]) => of !== product), ...parts.map((part): Edge => [product, part])]
        }
        assert.equal(composition.isBelow(items, id), isBelow(current, items, id))
      },
    ),
    { numRuns: 2_000 },
  )
})
