// One assignment for 500 sales, and how long the database works for it.

import assert from 'node:assert/strict'
import { bounds } from '../../platform/process/config.ts'
import { measured } from '../../test/harness/measured.ts'
import { rule } from '../../test/harness/rule.ts'
import { assignWaitingSales } from '../../test/harness/waiting-sales.ts'

/** A server of half the speed is not too slow for it. */
const limitMs = (bounds.statementMs + bounds.workMarginMs) / 2

rule('skipped_lines.undo', 'of an assignment for 500 sales leaves the database as it was', (t) =>
  measured(t, () =>
    assignWaitingSales(500, async (request) => {
      const startedMs = performance.now()
      const answer = await request()
      const ms = Math.round(performance.now() - startedMs)
      t.diagnostic(`${ms} ms for 500 sales`)
      assert.ok(ms < limitMs, `${ms} ms for 500 sales`)
      return answer
    }),
  ),
)
