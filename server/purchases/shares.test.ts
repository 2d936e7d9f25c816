// How delivery and discount of a purchase are spread over its lines.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withShares } from './purchase.ts'

const size = (money: bigint): bigint => (money < 0n ? -money : money)
const sum = (figures: readonly bigint[]): bigint => figures.reduce((all, one) => all + one, 0n)

const cents = fc.oneof(
  fc.bigInt({ min: -10_000n, max: 10_000n }),
  fc.bigInt({ min: -3n, max: 3n }),
  fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n }),
)

test('shares add up to what is spread, none is larger, and only positive lines take one in proportion', () => {
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 30 }), cents, (totals, extra) => {
      const lines = totals.map((total) => ({
        itemId: 1,
        kind: 'product' as const,
        unitId: 1,
        amount: 1n,
        total,
        cost: 0n,
      }))
      const shares = withShares(lines, extra).map(({ total, cost }) => cost - total)
      const positive = sum(totals.filter((total) => total > 0n))
      assert.equal(sum(shares), positive > 0n ? extra : 0n)
      for (const [at, share] of shares.entries()) {
        const total = totals[at] ?? 0n
        assert.ok(size(share) <= size(extra))
        if (total <= 0n) assert.equal(share, 0n)
        // A cent or less from the exact share.
        else assert.ok(size(share * positive - extra * total) <= positive)
      }
    }),
    { numRuns: 2_000 },
  )
})
