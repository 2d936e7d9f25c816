// The report matches the results.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentReport, expectedReport, reportOf } from './report.ts'

test('the table of docs/reliability.md matches the results', () => {
  assert.equal(currentReport(), expectedReport(), 'run "npm run campaign -- report"')
})

test('a different result gives a different table', () => {
  const result = {
    test: 'sample',
    about: 'Nothing is done.',
    date: '2020-01-01',
    commit: 'abc',
    seed: 7,
    runs: 1234,
    seconds: 1,
    counts: { 'things counted': 5678 },
    found: ['a breach'],
  }
  const report = reportOf(currentReport(), [result])
  assert.match(
    report,
    /\| `sample` \| Nothing is done\. \| 1,234 \| 5,678 things counted \| 1 \| 7 \| abc, 2020-01-01 \|/,
  )
  assert.notEqual(report, currentReport())
})
