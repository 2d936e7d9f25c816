// Loading the file of a screen: without a connection, and after a new version was installed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadScreen } from '../src/frame/load-screen.ts'

/** What happened, with a server that answers or not, and files that are there or not, attempt by attempt. */
function browser({ served, loads }: { served: readonly boolean[]; loads: readonly boolean[] }, isReloaded = false) {
  const log: string[] = []
  const [answers, files] = [[...served], [...loads]]
  const load = async (): Promise<string> => {
    if (files.shift() === true) return 'screen'
    throw new TypeError('Failed to fetch dynamically imported module')
  }
  const around = {
    isServed: async () => answers.shift() ?? true,
    reload: () => {
      log.push('reload')
      return !isReloaded
    },
    setOffline: (to: boolean) => void log.push(to ? 'offline' : 'online'),
    wait: async () => void log.push('wait'),
  }
  return { log, result: loadScreen(load, around) }
}

test('without a connection the screen opens as soon as the server answers', async () => {
  const { log, result } = browser({ served: [false, false], loads: [false, false, true] })
  assert.equal(await result, 'screen')
  assert.deepEqual(log, ['offline', 'wait', 'offline', 'wait', 'online'])
})

test('a file that only a short interruption kept away is loaded again', async () => {
  const { log, result } = browser({ served: [true], loads: [false, true] })
  assert.equal(await result, 'screen')
  assert.deepEqual(log, ['online'])
})

test('a file that is gone reloads the page once, and is an error after that', async () => {
  const first = browser({ served: [true], loads: [] })
  await Promise.race([first.result, new Promise((resolve) => setImmediate(resolve))])
  assert.deepEqual(first.log, ['reload'])
  const second = browser({ served: [true], loads: [] }, true)
  await assert.rejects(second.result, /Failed to fetch/)
})
