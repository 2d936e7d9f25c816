// The thread that prints: its limits of time, memory and waiting, and that companies take turns.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../test/harness/until.ts'
import { Busy, CallerGone } from '../process/faults.ts'
import { type PaperLimits, PaperThread } from './paper-thread.ts'

/** The thread: returns the job as the file, or fails as the job says. */
const source = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (job) => {
    if (job.act === 'hang') while (true);
    if (job.act === 'exit') process.exit(3)
    if (job.act === 'throw') setImmediate(() => { throw new Error('late') })
    else if (job.act === 'fill') { const all = []; while (true) all.push(new Array(100000).fill({})) }
    else if (job.act === 'fail') parentPort.postMessage({ failed: new Error('no such paper') })
    else parentPort.postMessage({ printed: { name: job.name, content: new Uint8Array(3) } })
  })`
const file = new URL(`data:text/javascript,${encodeURIComponent(source)}`)

const threads: PaperThread[] = []
function threadWith(limits: Partial<PaperLimits> = {}): PaperThread {
  const thread = new PaperThread(file, limits)
  threads.push(thread)
  return thread
}
after(async () => {
  for (const thread of threads) await thread.stop()
})

const isBusy = (error: unknown): boolean => error instanceof Busy

test('a paper that takes too long, fills the memory or ends the thread is busy, and the next one is printed', async () => {
  const thread = threadWith({ printMs: 1_500, heapMb: 32 })
  for (const act of ['hang', 'fill', 'exit', 'throw']) {
    await assert.rejects(thread.print(1, { act }), isBusy, act)
    assert.equal((await thread.print(1, { name: `after ${act}` })).name, `after ${act}`)
  }
})

test('an error of one paper is its own, not one of the thread', async () => {
  const thread = threadWith()
  await assert.rejects(thread.print(1, { act: 'fail' }), { message: 'no such paper' })
  assert.equal((await thread.print(1, { name: 'A' })).name, 'A')
})

test('the queue has a limit for each company and for the process, and companies take turns', async () => {
  const waits: number[] = []
  const thread = threadWith({ waiting: 5, waitingOfCompany: 3, onWaited: (ms) => waits.push(ms) })
  const printed: string[] = []
  const all: Promise<unknown>[] = []
  const begin = (companyId: number, name: string): void => {
    all.push(thread.print(companyId, { name }).then((paper) => printed.push(paper.name)))
  }
  for (const name of ['a0', 'a1', 'a2', 'a3']) begin(1, name)
  await assert.rejects(thread.print(1, { name: 'a4' }), isBusy, 'the company has three that wait')
  begin(2, 'b1')
  begin(3, 'c1')
  await assert.rejects(thread.print(4, { name: 'd1' }), isBusy, 'five wait altogether')
  await Promise.all(all)
  assert.deepEqual(printed, ['a0', 'a1', 'b1', 'c1', 'a2', 'a3'])
  assert.equal(thread.waiting, 0)
  assert.equal(waits.length, 5)
})

test('what waits too long is busy, and does not take its turn later', async () => {
  const thread = threadWith({ waitMs: 20, printMs: 700 })
  const first = thread.print(1, { act: 'hang' })
  const second = thread.print(2, { name: 'B' })
  await assert.rejects(second, isBusy)
  await assert.rejects(first, isBusy)
  assert.equal((await thread.print(2, { name: 'C' })).name, 'C')
})

test('a paper whose caller has gone is not printed', async () => {
  const thread = threadWith()
  const caller = new AbortController()
  const [first, second] = [thread.print(1, { name: 'A' }), thread.print(1, { name: 'B' }, caller.signal)]
  caller.abort()
  assert.equal((await first).name, 'A')
  await assert.rejects(second, (error) => error instanceof CallerGone)
  assert.equal((await thread.print(1, { name: 'C' })).name, 'C')
})

test('a thread that prints nothing ends, and stopping answers what waits', async () => {
  const thread = threadWith({ idleMs: 1 })
  await thread.print(1, { name: 'A' })
  await until(() => !thread.isRunning)
  assert.equal((await thread.print(1, { name: 'B' })).name, 'B')
  const hanging = [thread.print(1, { act: 'hang' }), thread.print(1, { name: 'C' })]
  const results = Promise.allSettled(hanging)
  await thread.stop()
  for (const result of await results) assert.ok(result.status === 'rejected' && isBusy(result.reason))
})
