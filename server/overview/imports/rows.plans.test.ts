// The rows of an import are compared with many keys at once, not with one after the other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { methods } from '../../methods.ts'
import { plansOf, skipOnCluster } from '../../test/harness/plans.ts'

test('the keys of rows are hashed once', { skip: skipOnCluster }, async () => {
  assert.ok(methods.length > 0)
  const plans = await plansOf((name) => name === 'imports.rows_facts')
  const plan = plans.get('imports.rows_facts') ?? ''
  assert.equal(plan.match(/\(hashed SubPlan/g)?.length, 2, plan)
})
