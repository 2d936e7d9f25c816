// Every client does the same against a real server: its scenario prints what it got. The connection of one write is cut twice after the server has
// handled it: before the response, and within it.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { url } from '../server/test/harness/app.ts'
import { given } from '../server/test/harness/given.ts'
import { unreliableLine } from '../server/test/harness/unreliable-line.ts'

const run = promisify(execFile)

type Message = { readonly secret: string; readonly body: string; readonly headers: Readonly<Record<string, string>> }

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
const now = Math.floor(Date.now() / 1000)

/** A message signed as the Standard Webhooks conventions define. */
function signed(body: string, timestamp = now, key = secret): Message {
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', bytes).update(`msg_1.${timestamp}.${body}`).digest('base64')
  const headers = {
    'Webhook-Id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v0,unknown v1,${'A'.repeat(43)}= v1,${signature}`,
  }
  return { secret, body, headers }
}

const payload = { type: 'order.created', timestamp: '2026-03-12T09:30:00Z', data: { id: 1, name: 'Zoë' } }
const whole = signed(JSON.stringify(payload))
const invalid = 'No signature of the webhook is valid'
const [messages, verdicts] = [
  [
    whole,
    { ...whole, body: whole.body.replace('created', 'deleted') },
    signed(whole.body, now, `whsec_${Buffer.from('another').toString('base64')}`),
    signed(whole.body, now - 3600),
    { ...whole, headers: {} },
    signed('[not JSON'),
  ],
  [
    payload,
    invalid,
    invalid,
    'The webhook is too old or too new',
    'The webhook headers are missing',
    'The webhook is not JSON',
  ],
]

async function play(context: TestContext, program: string, args: readonly string[]): Promise<object> {
  const company = await given.company()
  const product = await given.product(company)
  const line = await unreliableLine(context, url(), ['cut before the answer', 'cut within the answer'])
  const { stdout } = await run(program, args, {
    cwd: join(import.meta.dirname),
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      KONTOR_URL: url(),
      KONTOR_CUT_URL: line.url,
      KONTOR_KEY: company.key,
      KONTOR_SKU: product.sku,
      KONTOR_WEBHOOKS: JSON.stringify(messages),
    },
  })
  const { orders } = (await company.call('orders/get_list', {})).body
  assert.equal(orders.length, 2, 'one sale for each add, although one of them was sent three times')
  return JSON.parse(stdout)
}

const begun = ['storage.created', 'storage.created', 'unit.created', 'product.created']
const sold = ['order.created', 'order.updated', 'order.updated', 'order.created']

const expected = {
  added: {
    order_id: 1,
    customer_id: 1,
    skipped: [{ position: 1, type: 'product', sku: 'UNKNOWN', amount: 1, total: 5 }],
  },
  edited: [],
  shown: ['A-1', 3, 'Zoë Ångström', 'Call "before" delivery / ok', 30.5, '2026-01-31'],
  retried: [
    [0, false],
    [0, false],
    [200, true],
  ],
  dryRun: [
    true,
    3,
    [
      { record: 'customer', id: 2 },
      { record: 'order', id: 3 },
    ],
    [2, 4],
  ],
  nums: ['A-1', 'A-2'],
  streamed: ['A-1', 'A-2'],
  changes: [...begun, 'customer.created', ...sold],
  resumed: sold,
  levels: [-4],
  refused: {
    status: 400,
    text: 'Order not found or access denied',
    code: 'record_not_found',
    retryable: false,
    attempts: 1,
  },
  empty: ['units'],
  webhooks: verdicts,
}

const programs = {
  TypeScript: [process.execPath, 'typescript/scenario.ts'],
  PHP: ['php', 'php/scenario.php'],
  Python: ['python3', 'python/scenario.py'],
} as const

for (const [name, [program, script]] of Object.entries(programs)) {
  test(`the ${name} client plays the scenario: each write happens once, and webhooks are verified`, async (context) => {
    assert.deepEqual(await play(context, program, [script]), expected)
  })
}
