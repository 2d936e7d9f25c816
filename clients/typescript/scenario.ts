// What every client must be able to do, run against a real server by clients/scenario.clients.test.ts. Prints its results as JSON.

import {
  type Attempt,
  type DryRun,
  type FeedPosition,
  Kontor,
  KontorError,
  verifyWebhook,
  WebhookError,
} from './src/client.ts'

const env = (name: string): string => process.env[name] ?? ''

const kontor = new Kontor({ baseUrl: env('KONTOR_URL'), apiKey: env('KONTOR_KEY') })
const line = { sku: env('KONTOR_SKU'), amount: 2, total: 30.5 }

const added = await kontor.orders.add({
  num: '1',
  customer_name: 'Zoë Ångström',
  products: [line, { sku: 'UNKNOWN', amount: 1, total: 5 }],
})
const { order_id } = added
const edited = await kontor.orders.edit({ order_id, notes: 'Call "before" delivery / ok' })
await kontor.orders.update_status({ order_id, status: 3, date_shipped: '2026-01-31' })
const { order } = await kontor.orders.get_entry({ order_id })

const attempts: Attempt[] = []
const cut = new Kontor({
  baseUrl: env('KONTOR_CUT_URL'),
  apiKey: env('KONTOR_KEY'),
  onAttempt: (attempt) => attempts.push(attempt),
})
await cut.orders.add({ num: '2', customer_name: 'Zoë Ångström', products: [line] })

const trial = (await kontor.orders.add(
  { num: '3', customer_name: 'Ben', products: [line] },
  { dryRun: true },
)) as DryRun<{ order_id: number }>

const nums: string[] = []
for await (const one of kontor.orders.each({}, { pageSize: 1 })) nums.push(one.num)

const streamed = await Array.fromAsync(kontor.orders.stream({ date_from: '2026-01-01' }), (one) => one.num)

const changes: string[] = []
let middle: FeedPosition = { after: 0 }
for await (const [event, position] of kontor.events.follow(middle, { wait: false, pageSize: 2 })) {
  changes.push(event.type)
  if (event.type === 'customer.created') middle = position
}
const resumed = await Array.fromAsync(kontor.events.follow(middle, { wait: false }), ([event]) => event.type)
const levels = await Array.fromAsync(
  kontor.stock.follow_changes({ after: 0 }, { wait: false }),
  ([level]) => level.available,
)

const refused = await kontor.orders.delete({ order_id: 999_999 }).catch((error: unknown) => {
  if (!(error instanceof KontorError)) throw error
  return {
    status: error.status,
    text: error.text,
    code: error.code,
    retryable: error.retryable,
    attempts: error.attempts,
  }
})

type Message = { readonly secret: string; readonly body: string; readonly headers: Readonly<Record<string, string>> }

/** The payload of a message of the test, or why it is refused. */
const verified = ({ secret, body, headers }: Message): Promise<unknown> =>
  verifyWebhook(secret, body, headers).catch((error: unknown) => {
    if (!(error instanceof WebhookError)) throw error
    return error.message
  })

process.stdout.write(
  JSON.stringify({
    added,
    edited: Object.keys(edited),
    shown: [order.num, order.status, order.customer_name, order.notes, order.total, order.date_shipped],
    retried: attempts.map(({ status, replayed }) => [status, replayed]),
    dryRun: [trial.dry_run, trial.order_id, trial.effects.created, trial.effects.stock?.[0]?.reserved],
    nums,
    streamed,
    changes,
    resumed,
    levels,
    refused,
    empty: Object.keys(await kontor.units.get_list()),
    webhooks: await Promise.all((JSON.parse(env('KONTOR_WEBHOOKS')) as Message[]).map(verified)),
  }),
)
