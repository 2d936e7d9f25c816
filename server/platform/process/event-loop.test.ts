// What holds the event loop is logged with the request whose data were computed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Histogram, Registry } from 'prom-client'
import { until } from '../../test/harness/until.ts'
import { holdingLoop, watchEventLoop } from './event-loop.ts'
import { newTrace, runTraced } from './request-trace.ts'

/** Holds the thread, as computing with large data would. */
const hold = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('a delay of the event loop is observed, and logged with the method that caused it', async () => {
  const lines: Record<string, unknown>[] = []
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const delay = new Histogram({ name: 'delay', help: 'Delay.', buckets: [0.05], registers: [new Registry()] })
  const timer = watchEventLoop(delay, logger)
  try {
    const trace = newTrace('req_1', 'orders/edit', 0)
    trace.companyId = 7
    await runTraced(trace, async () => holdingLoop('plan', () => hold(300)))
    await until(() => lines.length > 0, { what: () => 'nothing was logged' })
    const { delayMs, heldMs, ...named } = lines[0] ?? {}
    assert.deepEqual(named, {
      level: 40,
      part: 'plan',
      method: 'orders/edit',
      requestId: 'req_1',
      company: 7,
      msg: 'the event loop was held',
    })
    assert.ok(Number(delayMs) > 0 && Number(heldMs) > 0)
    const { values } = await delay.get()
    assert.ok(values.some(({ metricName, value }) => metricName === 'delay_sum' && value > 0))
  } finally {
    clearInterval(timer)
  }
})
