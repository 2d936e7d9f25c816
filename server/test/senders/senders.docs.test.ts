// The recorded senders of the statements are those of this code.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { recordAlone, sendersFile } from './record.ts'

const pairs = (senders: object): string[] =>
  Object.entries(senders).flatMap(([name, own]: [string, readonly string[]]) =>
    own.map((sender) => `${name} is sent by ${sender}`),
  )

/** The sender of webhooks starts at any time after a request for it: what it sends of the statements of methods is recorded as its own or as the request's. */
const dependsOnTiming = (pair: string): boolean =>
  /^webhooks\.(facts|insert_company|set_has) is sent by the sender of webhooks$/.test(pair)

test('docs/sql names the methods, commands and timers that send each statement, as recorded from the traffic to PostgreSQL', async (t) => {
  const recorded = pairs(await recordAlone())
  const written = pairs(JSON.parse(readFileSync(sendersFile, 'utf8')))
  const advice = '"npm run generate:senders" records them again'
  assert.deepEqual(
    recorded.filter((pair) => !written.includes(pair) && !dependsOnTiming(pair)),
    [],
    `sent and not written down: ${advice}`,
  )
  assert.deepEqual(
    written.filter((pair) => !recorded.includes(pair) && !dependsOnTiming(pair)),
    [],
    `written down and not sent: ${advice}, or server/test/senders/scenario.ts no longer covers them`,
  )
  t.diagnostic(`${recorded.length} pairs of a statement and its sender`)
})
