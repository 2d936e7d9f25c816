// Work in the background: whatever it does, the process goes on, and the error is reported.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { until } from '../../test/harness/until.ts'
import { inBackground, inBackgroundAfter, inBackgroundEvery, onBackgroundError } from './background.ts'

test('an exception and a rejected promise are reported with the task', async () => {
  const reported: string[] = []
  onBackgroundError((task, error) => reported.push(`${task}: ${(error as Error).message}`))
  inBackground('usage', () => {
    throw new Error('at once')
  })
  inBackground('tracing', async () => {
    throw new Error('later')
  })
  inBackground('bodies', async () => 'well')
  const timer = inBackgroundEvery('list_readers', 1, () => {
    throw new Error('again')
  })
  inBackgroundAfter('last_use', 1, () => Promise.reject(new Error('after')))
  await until(() => reported.filter((one) => one === 'list_readers: again').length > 1 && reported.length > 4)
  clearInterval(timer)
  assert.deepEqual([...new Set(reported)].toSorted(), [
    'last_use: after',
    'list_readers: again',
    'tracing: later',
    'usage: at once',
  ])
})

test('a report that fails is not an error either', () => {
  const report = mock.fn(() => {
    throw new Error('the log is full')
  })
  onBackgroundError(report)
  inBackground('usage', () => {
    throw new Error('at once')
  })
  assert.equal(report.mock.callCount(), 1)
})
