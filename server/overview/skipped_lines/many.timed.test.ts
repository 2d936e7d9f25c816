// One assignment for 500 sales.

import assert from 'node:assert/strict'
import { rule } from '../../test/harness/rule.ts'
import { assignWaitingSales } from '../../test/harness/waiting-sales.ts'

rule('skipped_lines.undo', 'of an assignment for 500 sales leaves the database as it was', async () => {
  const started = Date.now()
  await assignWaitingSales(500)
  assert.ok(Date.now() - started < 120_000, 'adding, assigning and restoring 500 sales takes less than two minutes')
})
