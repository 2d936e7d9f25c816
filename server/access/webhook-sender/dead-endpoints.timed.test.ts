// A thousand companies whose webhooks never answer do not delay those of others.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { measured } from '../../test/harness/measured.ts'
import { ownedDatabase } from '../../test/harness/owned-database.ts'
import { until } from '../../test/harness/until.ts'
import { closeReceiver, receiver, Subscription, sentBy } from '../../test/harness/webhooks.ts'
import { newSecret } from '../webhooks/endpoint.ts'

ownedDatabase()

const deadCompanies = 1_000
const healthyCompanies = 20
const changes = 20
const pauseMs = 200

const healthy: Subscription[] = []
after(closeReceiver)

/** A webhook that has everything still to send. */
async function addDead(): Promise<void> {
  const { id } = await given.company()
  const url = `${(await receiver()).url}/hang?dead=${id}`
  await query(
    id,
    `insert into webhook_endpoints (company_id, id, url, secret, created_at, position) values ($1, 1, $2, $3, now(), 0)`,
    [id, url, newSecret()],
  )
  await query(id, 'insert into webhook_companies (company_id) values ($1)', [id])
  await query(id, 'update company_clock set has_webhooks = true, last_webhook_id = 1 where company_id = $1', [id])
}

/** Milliseconds from a change to its arrival: the 99th percentile over all healthy companies. */
async function delayOfChanges(): Promise<number> {
  const counts = await Promise.all(healthy.map(async (one) => (await one.received()).length))
  const change = async (one: Subscription): Promise<void> => {
    for (let n = 0; n < changes; n++) {
      await one.change()
      await sleep(pauseMs)
    }
  }
  await Promise.all(healthy.map(change))
  const delays: number[] = []
  for (const [at, one] of healthy.entries()) {
    const before = counts[at] ?? 0
    const arrived = (await one.waitFor(before + changes)).slice(before)
    for (const [n, { timestamp }] of sentBy(arrived).entries())
      delays.push((arrived[n]?.at ?? 0) - Date.parse(timestamp))
  }
  delays.sort((a, b) => a - b)
  return delays[Math.floor(delays.length * 0.99)] ?? 0
}

test('1,000 companies with a webhook that never answers do not double the time that others wait', async (context) => {
  while (healthy.length < healthyCompanies) healthy.push(await Subscription.of('/ok'))
  const alone: number[] = []
  await measured(context, async () => {
    if (alone.length === 0) {
      await delayOfChanges()
      alone.push(await delayOfChanges())
      for (let n = 0; n < deadCompanies; n++) await addDead()
      const waiting = async () => (await (await receiver()).received('/hang')).length
      await until(async () => (await waiting()) >= 100, { what: () => 'nothing is sent to those that never answer' })
    }
    const together = await delayOfChanges()
    const [first = 0] = alone
    context.diagnostic(
      `99 % arrive within ${Math.round(first)} ms alone, ${Math.round(together)} ms with ${deadCompanies} dead ones`,
    )
    assert.ok(together < 2 * first, `${Math.round(together)} ms instead of ${Math.round(first)} ms`)
  })
})
