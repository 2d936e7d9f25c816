// Webhooks: their methods, and what the sender sends to the database when messages are delivered, fail, take long and are refused for good.

import { query } from '../harness/database.ts'
import type { Company } from '../harness/given.ts'
import { until } from '../harness/until.ts'
import { WebhookReceiver } from '../harness/webhook-receiver.ts'
import type { Call } from './accepted.ts'
import type { Recorder } from './recorder.ts'

type State = {
  readonly enabled: boolean
  readonly attempts: number
  readonly parked: number
  /** Everything was sent, and the result is stored. */
  readonly idle: boolean
}

async function stateOf(company: Company, webhookId: number): Promise<State> {
  const [state] = await query(
    company.id,
    `select w.enabled, w.attempts, p.parked, w.lease is null and p.parked = 0 and w.position = k.seq as idle
     from webhook_endpoints w join company_clock k using (company_id),
       (select count(*)::int as parked from webhook_parked where company_id = $1 and webhook_id = $2) p
     where w.company_id = $1 and w.id = $2`,
    [company.id, webhookId],
  )
  return state as State
}

export async function sendWebhooks(company: Company, call: Call, recorder: Recorder): Promise<void> {
  const receiver = await WebhookReceiver.start()
  /** What the sender does by itself until then is not part of any request. */
  const wait = (webhookId: number, holds: (state: State) => boolean) =>
    recorder.request('the sender of webhooks', () =>
      until(async () => holds(await stateOf(company, webhookId)), { pollMs: 20 }),
    )
  const setAttempts = (attempts: number) =>
    query(company.id, 'update webhook_endpoints set attempts = $2, next_at = null where company_id = $1', [
      company.id,
      attempts,
    ])
  try {
    const { webhook_id } = await call('webhooks/add', { url: `${receiver.url}/ok`, types: ['unit.created'] })
    const { seq } = await call('session/get')
    const add = async () => await call('units/add', { name: `Unit ${Math.random()}` })
    const isIdle = ({ idle }: State) => idle
    await add()
    await wait(webhook_id, isIdle)
    await call('webhooks/test', { webhook_id })
    await wait(webhook_id, isIdle)
    await call('webhooks/roll', { webhook_id })
    await call('webhooks/replay', { webhook_id, seq: 3 })
    await wait(webhook_id, isIdle)
    await call('webhooks/replay', { webhook_id, from_seq: seq })
    await wait(webhook_id, isIdle)
    await call('webhooks/get_deliveries', { webhook_id })
    // Much longer than the sender waits before it renews its lease, so that it does so on a slow machine, too.
    await call('webhooks/edit', { webhook_id, url: `${receiver.url}/slow/8000` })
    await add()
    await wait(webhook_id, isIdle)
    await call('webhooks/edit', { webhook_id, url: `${receiver.url}/status/500` })
    await add()
    await wait(webhook_id, ({ attempts }) => attempts > 0)
    await setAttempts(2)
    await add()
    await wait(webhook_id, ({ parked }) => parked > 0)
    await call('webhooks/edit', { webhook_id, url: `${receiver.url}/status/410` })
    await add()
    await wait(webhook_id, ({ enabled }) => !enabled)
    await recorder.webhookStatements()
    await call('webhooks/get_list')
    await call('webhooks/delete', { webhook_id })
  } finally {
    await receiver.stop()
  }
}
