// One assignment for many sales. many.timed.test.ts does the same for as many as one step may change.

import { rule } from '../../test/harness/rule.ts'
import { assignWaitingSales } from '../../test/harness/waiting-sales.ts'

rule('skipped_lines.undo', 'of an assignment for sales of every status leaves the database as it was', () =>
  assignWaitingSales(24),
)
