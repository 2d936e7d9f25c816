// A thread that runs behind the others of its process.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

const program = `
  const { readlinkSync } = require('node:fs')
  const { getPriority } = require('node:os')
  const { parentPort, workerData } = require('node:worker_threads')
  const own = () => getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)))
  import(workerData).then(({ runBehindOthers }) => {
    const before = own()
    runBehindOthers()
    parentPort.postMessage([before, own()])
  })`

test('the priority of the thread is lowered, and not that of its process', async () => {
  const before = getPriority()
  const file = new URL('thread-priority.ts', import.meta.url).href
  const worker = new Worker(program, { eval: true, workerData: file })
  const [[first, second]] = await once(worker, 'message')
  assert.deepEqual([first, second, getPriority()], [before, Math.min(19, before + 5), before])
})
