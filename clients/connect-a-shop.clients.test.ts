// The guide to connecting a shop: its commands, run as written against a real server, print what it shows.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../demo/ports.ts'
import { holds, valuesIn } from '../server/test/docs/newcomer/answers.ts'
import { blocksOf } from '../server/test/docs/newcomer/blocks.ts'
import { url } from '../server/test/harness/app.ts'
import { broken, databaseUrl, query } from '../server/test/harness/database.ts'
import { type Company, given } from '../server/test/harness/given.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const blocks = blocksOf(readFileSync(join(root, 'docs/guides/connect-a-shop.md'), 'utf8'))
const textsOf = (wanted: string): string[] =>
  blocks.filter(({ language }) => language === wanted).map(({ text }) => text)
const [setup = '', ...commands] = textsOf('sh')
const [create = '', serve = ''] = commands
const shown = textsOf('json')

const mark = '---- end of a block'
const secretOf = (seed: string): string => `whsec_${Buffer.from(seed.padEnd(32)).toString('base64')}`

/** Runs the setup and then each block in one shell; returns what each of them printed. The shop that they start is ended with the shell. */
async function printedBy(context: TestContext, company: Company, scripts: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-shop-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    ...process.env,
    ...{ DATABASE_URL: databaseUrl(), WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' },
    ...{ KONTOR_URL: url(), KONTOR_KEY: company.key, COMPANY: String(company.id) },
    ...{ SHOP_STATE: join(folder, 'shop.json'), SHOP_URL: `http://127.0.0.1:${await freePort()}` },
  }
  const script = ["trap 'kill $!' EXIT", setup, ...scripts.map((one) => `${one}\necho; echo '${mark}'`)].join('\n')
  const { stdout } = await run('bash', ['-euc', script], { cwd: root, env, timeout: 120_000 })
  return stdout.split(`${mark}\n`).slice(0, -1)
}

test('every command of the guide prints what the guide shows, and there is one sale', async (context) => {
  assert.deepEqual(
    blocks.map(({ language }) => language),
    ['sh', ...commands.flatMap(() => ['sh', 'json'])],
  )
  const company = await given.company()
  const printed = await printedBy(context, company, commands)
  for (const [at, expected] of shown.entries()) {
    const [actual, wanted] = [valuesIn(printed[at] ?? ''), valuesIn(expected)]
    assert.equal(actual.length, wanted.length, commands[at])
    for (const [n, one] of wanted.entries()) holds(actual[n], one, `answer ${n} to\n${commands[at]}`)
  }
  const { orders } = (await company.call('orders/get_list', {})).body
  assert.equal(orders.length, 1)
  const { order } = (await company.call('orders/get_entry', { external_id: 'shop-1001' })).body
  assert.deepEqual([order.id, order.customer_name, order.total], [1, 'Ada Lovelace', 498])
  assert.deepEqual(await broken(company.id), [])
})

/** A request to the shop with a signature. */
function signed(secret: string): string {
  const [body, id, at] = ['{"type":"purchase.created"}', 'msg_1', new Date()]
  const signature = new Webhook(secret).sign(id, at, body)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': Math.floor(at.getTime() / 1000),
    'webhook-signature': signature,
  }
  const options = Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`)
  return `curl -s "$SHOP_URL/webhook" ${options.join(' ')} -d '${body}'`
}

test('the shop accepts a message only with its own secret, and reads everything again after a restore', async (context) => {
  const company = await given.company()
  const [own, another] = [secretOf('own'), secretOf('another')]
  // No webhook is created, so nothing but the requests below makes the shop read.
  const start = serve
    .split('\n')
    .map((line) => (line.startsWith('webhook=') ? `webhook='"secret":"${own}"'` : line))
    .join('\n')
  const buy =
    'call purchases/add \'{"supplier_name": "Mill", "status": 3, "products": [{"sku": "TABLE-1", "amount": 7, "total": 7}]}\''
  const [, , , refused = '', unread = '', accepted = ''] = await printedBy(context, company, [
    ...[create, start, buy, signed(another), 'cat "$SHOP_STATE"', signed(own)],
  ])
  assert.deepEqual(JSON.parse(refused), { error: 'No signature of the webhook is valid' })
  assert.deepEqual(JSON.parse(unread).available, { 'TABLE-1': { 1: 10 } })
  assert.deepEqual(JSON.parse(accepted), { 'TABLE-1': 17 })

  await query(company.id, 'update company_clock set epoch = gen_random_uuid() where company_id = $1', [company.id])
  const state = { position: { after: 1, epoch: 'before the restore' }, available: { GONE: { 1: 5 } } }
  const [, known = ''] = await printedBy(context, company, [
    `echo '${JSON.stringify(state)}' > "$SHOP_STATE"; ${start}`,
    'curl -s "$SHOP_URL/stock"',
  ])
  assert.deepEqual(JSON.parse(known), { 'TABLE-1': 17 })
})
