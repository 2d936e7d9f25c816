// A company with a webhook, and what its receiver gets.

import assert from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { query } from './database.ts'
import { type Company, given, type User } from './given.ts'
import { until } from './until.ts'
import { type Received, WebhookReceiver } from './webhook-receiver.ts'

export type Sent = {
  readonly type: string
  readonly timestamp: string
  readonly data: { readonly seq: number; readonly id: number; readonly type: string }
}

let shared: Promise<WebhookReceiver> | undefined
/** One receiver for the tests of a file. */
export const receiver = (): Promise<WebhookReceiver> => {
  shared ??= WebhookReceiver.start()
  return shared
}
export const closeReceiver = async (): Promise<void> => (await shared)?.stop()

export class Subscription {
  readonly company: Company
  readonly owner: User
  readonly id: number
  readonly secret: string
  readonly path: string

  private constructor(company: Company, owner: User, added: { webhook_id: number; secret: string }, path: string) {
    this.company = company
    this.owner = owner
    this.id = added.webhook_id
    this.secret = added.secret
    this.path = path
  }

  /** `path` says how the receiver answers. */
  static async of(path: string, options: object = {}, own?: Company): Promise<Subscription> {
    const company = own ?? (await given.company())
    const owner = await given.user(company)
    const named = `${path}${path.includes('?') ? '&' : '?'}company=${company.id}`
    const reply = await owner.call('webhooks/add', { url: `${(await receiver()).url}${named}`, ...options })
    assert.equal(reply.status, 200, reply.text)
    return new Subscription(company, owner, reply.body, named)
  }

  async call(method: string, body: object = {}): Promise<Record<string, unknown>> {
    const reply = await this.owner.call(`webhooks/${method}`, { webhook_id: this.id, ...body })
    assert.equal(reply.status, 200, `${method} → ${reply.text}`)
    return reply.body
  }

  /** So many changes. Returns the ids of the customers they create. */
  async change(times = 1): Promise<number[]> {
    const ids: number[] = []
    for (let n = 0; n < times; n++) {
      const reply = await this.company.call('customers/add', { name: `Customer ${Math.random()}` })
      assert.equal(reply.status, 200, reply.text)
      ids.push(reply.body.customer_id)
    }
    return ids
  }

  async received(): Promise<Received[]> {
    return await (await receiver()).received(this.path)
  }

  async waitFor(count: number): Promise<Received[]> {
    let last: Received[] = []
    await until(
      async () => {
        last = await this.received()
        return last.length >= count
      },
      { pollMs: 25, what: () => `${last.length} of ${count} messages arrived at ${this.path}` },
    )
    return last
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows of the list have many fields
  async listed(): Promise<any> {
    const { webhooks } = (await this.owner.call('webhooks/get_list')).body
    return webhooks.find((one: { id: number }) => one.id === this.id)
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows of the log have many fields
  async log(): Promise<any[]> {
    return (await this.call('get_deliveries', { limit: 1000 }))['deliveries'] as never
  }

  /** Until the results of so many attempts are stored. */
  async waitForLog(count: number) {
    await until(async () => (await this.log()).length >= count, { pollMs: 25 })
    return await this.log()
  }

  /** Sets columns of the endpoint, to let time pass. Then the sender looks at it again. */
  async set(columns: string): Promise<void> {
    await query(this.company.id, `update webhook_endpoints set ${columns} where company_id = $1 and id = $2`, [
      this.company.id,
      this.id,
    ])
  }

  /** Makes the sender look at the webhook, by a change that is not sent. */
  async wake(): Promise<void> {
    assert.equal(
      (await this.owner.call('settings/edit', { number_prefix: `${Math.random()}`.slice(0, 8) })).status,
      200,
    )
  }
}

export const sentBy = (received: readonly Received[]): Sent[] => received.map(({ body }) => JSON.parse(body) as Sent)

/** Throws unless the message was signed with this secret. */
export const verify = (secret: string, { body, headers }: Received): Sent =>
  new Webhook(secret).verify(body, headers) as Sent

const toleranceMs = 300_000

/** The same for a message that arrived earlier than the package accepts now: it must have been valid when it arrived. */
export function verifyAsArrived(secret: string, { at, body, headers }: Received): void {
  const sentMs = Number(headers['webhook-timestamp']) * 1000
  if (!(Math.abs(at - sentMs) <= toleranceMs)) throw new Error('it was too old when it arrived')
  const expected = new Webhook(secret).sign(headers['webhook-id'] ?? '', new Date(sentMs), body)
  if (!(headers['webhook-signature'] ?? '').split(' ').includes(expected)) throw new Error('no signature matches')
}
