// Browsers and operating systems by what browsers name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedOrigin } from './request-origin.ts'

const words = (agent: string | undefined): string => {
  const { browser, system } = storedOrigin({ address: '', agent })
  return `${browser}, ${system}`
}

test('browsers and systems are named', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const cases = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox, Linux',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`]:
      'Edge, Windows',
    [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`]: 'Chrome, Android',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1':
      'Safari, iOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15':
      'Safari, macOS',
    'curl/8.5.0': 'null, null',
    '': 'null, null',
  }
  for (const [agent, expected] of Object.entries(cases)) assert.equal(words(agent), expected)
  assert.equal(words(undefined), 'null, null')
})

test('whatever is sent is bounded and read in no time', () => {
  const long = 'Version/1'.repeat(1_000_000)
  const { address, browser, system } = storedOrigin({ address: 'x'.repeat(1_000), agent: `${long} Firefox/1` })
  assert.deepEqual([address?.length, browser, system], [64, null, null])
})
