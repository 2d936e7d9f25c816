// The plugin for WooCommerce in a real WordPress, with a real Kontor that sends real webhooks. WooCommerce itself is replaced by a stand-in, which has
// only the documented functions, classes and hooks that the plugin uses (woocommerce/tests/woocommerce): it cannot be installed from a package. Long because all tests share one WordPress, which takes long to start.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { url } from '../server/test/harness/app.ts'
import { type Company, given } from '../server/test/harness/given.ts'
import { unreliableLine } from '../server/test/harness/unreliable-line.ts'
import { until } from '../server/test/harness/until.ts'
import { type Browser, missing, WordPress } from '../server/test/harness/wordpress.ts'

const skip = missing() ?? false
let wordpress: WordPress
let admin: Browser

before(async () => {
  if (skip !== false) return
  wordpress = await WordPress.start(false)
  admin = await wordpress.signIn('admin')
})
after(async () => await wordpress?.stop())

const page = '/wp-admin/admin.php?page=kontor-for-woocommerce'
const nonceOf = (text: string, action: string): string =>
  new RegExp(`value="${action}">.*?name="_wpnonce" value="([^"]+)"`, 's').exec(text)?.[1] ?? assert.fail(text)

async function save(fields: Readonly<Record<string, string>>): Promise<string> {
  const nonce = nonceOf((await admin.get(page)).text, 'kontor_save')
  const named = Object.entries(fields).map(([name, value]) => [`kontor[${name}]`, value])
  const { text } = await admin.post({ action: 'kontor_save', _wpnonce: nonce, ...Object.fromEntries(named) })
  return /<div class="notice[^"]*"><p>(.*?)<\/p>/.exec(text)?.[1] ?? assert.fail(text)
}

/** The one that the page of the settings shows. */
const webhookAddress = async (): Promise<string> =>
  /<code>([^<]+)<\/code>/.exec((await admin.get(page)).text)?.[1] ?? ''

type Shop = {
  readonly company: Company
  readonly secret: string
  readonly webhookId: number
  readonly product: number
  readonly sku: string
  readonly close: () => Promise<void>
}

const secrets: string[] = []
let shops = 0
/** A company with ten tables, connected to the shop by the settings and by a webhook. */
async function connected(address = url()): Promise<Shop> {
  const company = await given.company()
  const owner = await given.user(company)
  const sku = `TABLE-${++shops}`
  await company.call('products/add', { name: 'Table', sku })
  await receive(company, sku, 10)
  const { body } = await owner.call('webhooks/add', { url: await webhookAddress() })
  secrets.push(company.key, body.secret)
  assert.equal(await save({ url: address, key: company.key, secret: body.secret, storage_id: '0' }), 'Saved.')
  const product = await wordpress.shop('product', { sku, stock: 0 })
  await wordpress.shop('run', { all: true })
  const close = async (): Promise<void> => {
    await owner.call('webhooks/delete', { webhook_id: body.webhook_id })
  }
  return { company, secret: body.secret, webhookId: body.webhook_id, product, sku, close }
}

const receive = async (company: Company, sku: string, amount: number): Promise<void> => {
  const lines = [{ sku, amount, total: amount }]
  assert.equal((await company.call('purchases/add', { supplier_name: 'Mill', status: 3, products: lines })).status, 200)
}

const ada = {
  billing_first_name: 'Ada',
  billing_last_name: 'Lovelace',
  billing_email: 'Ada@shop.example',
  shipping_address_1: 'Main Street 1',
  shipping_city: 'London',
}
const line = (product: number, quantity: number, total: number, tax = 0) => ({
  type: 'line_item',
  product_id: product,
  quantity,
  total,
  tax,
})

const saleOf = async (company: Company, id: number) =>
  (await company.call('orders/get_entry', { external_id: `wc-${id}` })).body.order
/** Runs what is due until the condition holds. Messages of Kontor arrive meanwhile, so WP-Cron may lose an event; the poll finds it again. */
const settled = (holds: () => Promise<boolean>, what: () => string = () => 'it does not settle'): Promise<void> =>
  until(
    async () => {
      await wordpress.shop('run')
      if (await holds()) return true
      await wordpress.shop('poll')
      return false
    },
    { pollMs: 100, what },
  )

/** The sale of an order gets these values. */
async function becomes(company: Company, id: number, wanted: Readonly<Record<string, unknown>>): Promise<void> {
  let last = {}
  const same = async (): Promise<boolean> => {
    const sale = (await saleOf(company, id)) ?? {}
    last = Object.fromEntries(Object.keys(wanted).map((name) => [name, sale[name]]))
    return isDeepStrictEqual(last, wanted)
  }
  await settled(same, () => JSON.stringify(last))
}

const stockOf = (id: number): Promise<number> => wordpress.shop('stock', { id })

test('settings are saved only by who may, with a nonce; secrets are not shown, and the connection can be tested', {
  skip,
}, async () => {
  const shop = await connected()
  const visitor = await wordpress.signIn('visitor')
  assert.equal((await visitor.get(page)).status, 403)
  const shown = (await admin.get(page)).text
  assert.ok(!shown.includes(shop.company.key) && !shown.includes(shop.secret))
  const nonce = nonceOf(shown, 'kontor_save')
  const stolen = { action: 'kontor_save', 'kontor[url]': 'https://other.example', 'kontor[key]': 'x' }
  for (const [browser, fields] of [
    [admin, stolen],
    [visitor, { ...stolen, _wpnonce: nonce }],
  ] as const)
    assert.equal((await browser.post(fields)).status, 403)
  assert.equal((await wordpress.shop('options'))[0].url, url())

  for (const [fields, error] of [
    [{ url: 'javascript:alert(1)' }, 'The address must be like https://kontor.example.com.'],
    [{ url: 'https://user:word@kontor.example' }, 'The address must be like https://kontor.example.com.'],
    [{ url: url(), key: 'two words' }, 'This is not an API key.'],
    [{ url: url(), secret: 'mine' }, 'The secret of a webhook begins with whsec_.'],
  ] as const)
    assert.equal(await save(fields), error)

  const tested = async (): Promise<string> => {
    const fields = { action: 'kontor_test', _wpnonce: nonceOf((await admin.get(page)).text, 'kontor_test') }
    return (await admin.post(fields)).text
  }
  const text = await tested()
  assert.match(text, /Kontor answers, and the key may read what the shop needs\./)
  assert.match(text, /<option value="1">/)
  // An empty key keeps the stored one.
  assert.equal(await save({ url: url(), storage_id: '1' }), 'Saved.')
  assert.match(await tested(), /Kontor answers/)
  assert.equal(await save({ url: url(), key: `${shop.company.key}x` }), 'Saved.')
  assert.match(await tested(), /storages\/get_list: 401 The API key was not accepted\./)
  await shop.close()
})

test('an order is sent once and in the background, with what it contains; the shop shows its number, its status and what was left out', {
  skip,
}, async () => {
  const shop = await connected()
  const gift = await wordpress.shop('product', { sku: '<script>alert(1)</script>', stock: 5 })
  const id = await wordpress.shop('order', {
    fields: ada,
    note: 'Ring twice',
    items: {
      1: line(shop.product, 2, 400, 76),
      2: line(gift, 1, 5),
      3: { type: 'shipping', total: 10, tax: 1.9 },
      4: { type: 'fee', total: -3 },
    },
  })
  assert.equal(
    (await shop.company.call('orders/get_list', {})).body.total,
    0,
    'nothing is sent while the customer waits',
  )
  assert.deepEqual(await wordpress.shop('run'), ['kontor_send_order'])
  const sale = await saleOf(shop.company, id)
  assert.deepEqual(
    [
      sale.num,
      sale.status,
      sale.payment,
      sale.date_placed,
      sale.customer_name,
      sale.customer_email,
      sale.customer_address_real,
    ],
    [`A-${id}`, 0, 0, '2026-03-12', 'Ada Lovelace', 'Ada@shop.example', 'Main Street 1, London'],
  )
  assert.deepEqual([sale.products.length, sale.products[0].amount, sale.products[0].total], [1, 2, 476])
  assert.deepEqual([sale.delivery_price, sale.discount, sale.total], [11.9, 3, 484.9])
  assert.match(sale.notes, /^Ring twice/)

  const { meta, notes } = await wordpress.shop('shown', { id })
  assert.deepEqual([meta._kontor_num, meta._kontor_status, meta._kontor_state], [`A-${id}`, '0', 'sent'])
  assert.match(notes.join('\n'), new RegExp(`Kontor: sale A-${id} is New\\.`))
  const screen = (await admin.get(`/wp-admin/admin.php?page=wc-orders&action=edit&id=${id}`)).text
  assert.match(screen, new RegExp(`<strong>Sale:</strong> A-${id}</p>`))
  assert.match(screen, /<strong>Status:<\/strong> New<\/p>/)
  assert.match(screen, /<strong>Left out:<\/strong> /)
  assert.ok(![screen, ...notes].some((text) => text.includes('<script>alert')))
  await shop.close()
})

test('payment, refunds and cancellation of an order reach its sale, and what Kontor does to it is shown', {
  skip,
}, async () => {
  const shop = await connected()
  const place = (): Promise<number> =>
    wordpress.shop('order', {
      fields: ada,
      items: { 1: line(shop.product, 3, 300), 2: { type: 'shipping', total: 10 } },
    })
  const [id, other] = [await place(), await place()]
  await wordpress.shop('pay', { id })
  await becomes(shop.company, id, { payment: 2, total: 310 })

  // One of three is returned before it is shipped, then the rest.
  await wordpress.shop('refund', { id, refunds: [{ item: 1, quantity: 1, total: 100 }] })
  await becomes(shop.company, id, { amount: 2, total: 210, payment: 2, status: 0 })
  const rest = [
    { item: 1, quantity: 2, total: 200 },
    { item: 2, total: 10 },
  ]
  await wordpress.shop('refund', { id, refunds: rest })
  await becomes(shop.company, id, { status: 4, payment: 0 })

  await becomes(shop.company, other, { status: 0, payment: 0 })
  await wordpress.shop('status', { id: other, status: 'cancelled' })
  await becomes(shop.company, other, { status: 4, payment: 0 })
  await wordpress.shop('status', { id: other, status: 'processing' })
  await becomes(shop.company, other, { status: 0, payment: 2 })
  const again = await saleOf(shop.company, other)

  // It is shipped in Kontor, and the webhook brings it into the shop. A cancellation after that does not bring the goods back.
  await shop.company.call('orders/update_status', { order_id: again.id, status: 3 })
  await settled(async () => (await wordpress.shop('shown', { id: other })).meta._kontor_status === '3')
  const screen = (await admin.get(`/wp-admin/admin.php?page=wc-orders&action=edit&id=${other}`)).text
  assert.match(screen, /<strong>Status:<\/strong> Shipped<\/p>/)
  await wordpress.shop('status', { id: other, status: 'cancelled' })
  const notes = async (): Promise<string> => (await wordpress.shop('shown', { id: other })).notes.join('\n')
  const kept = /is Shipped\.[\s\S]*the sale is shipped already, so it was not canceled/
  await settled(async () => kept.test(await notes()))
  assert.equal((await saleOf(shop.company, other)).status, 3)
  await shop.close()
})

test('stock follows Kontor by webhooks and, when there is none, by polling; what is ordered and not yet sent is not sold twice', {
  skip,
}, async () => {
  const shop = await connected()
  assert.equal(await stockOf(shop.product), 10)
  await receive(shop.company, shop.sku, 5)
  await settled(async () => (await stockOf(shop.product)) === 15)

  // An order that Kontor does not know yet: the shop keeps its goods back when levels change.
  await wordpress.shop('order', { fields: ada, items: { 1: line(shop.product, 4, 400) } })
  await receive(shop.company, shop.sku, 1)
  await wordpress.shop('pull')
  assert.equal(await stockOf(shop.product), 12)
  await settled(
    async () =>
      (await stockOf(shop.product)) === 12 && (await shop.company.call('orders/get_list', {})).body.total === 1,
  )

  await shop.close()
  await receive(shop.company, shop.sku, 8)
  assert.ok((await wordpress.shop('waiting')).includes('kontor_poll'))
  const ran: string[] = await wordpress.shop('run', { all: true })
  assert.ok(ran.includes('kontor_poll'))
  assert.equal(await stockOf(shop.product), 20)
})

test('a message with a wrong signature, an old one and a changed one are refused', { skip }, async () => {
  const shop = await connected()
  const address = await webhookAddress()
  const send = async (secret: string, at: Date, body: string, sent = body): Promise<number> => {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', at, body)}`,
    }
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body: sent,
    })
    return response.status
  }
  const body = '{"type":"webhook.test","data":{}}'
  const other = `whsec_${Buffer.from('another secret of 32 bytes long.').toString('base64')}`
  assert.deepEqual(
    [
      await send(shop.secret, new Date(), body),
      await send(other, new Date(), body),
      await send(shop.secret, new Date(Date.now() - 3_600_000), body),
      await send(shop.secret, new Date(), body, body.replace('test', 'text')),
    ],
    [204, 400, 400, 400],
  )
  await shop.close()
})

test('an order whose response was lost is one sale; a failure is shown, is repeated, and can be repeated by hand', {
  skip,
}, async (context) => {
  const fates = ['whole', 'cut before the answer', 'cut before the request'] as const
  const cut = await unreliableLine(context, url(), fates)
  const shop = await connected(cut.url)
  const id = await wordpress.shop('order', { fields: ada, items: { 1: line(shop.product, 1, 100) } })
  // The first connection of the line was that of the levels.
  await wordpress.shop('run')
  const failed = await wordpress.shop('shown', { id })
  assert.match(failed.meta._kontor_error, /^orders\/add: No response arrived\./)
  assert.deepEqual(await wordpress.shop('run'), [], 'the next attempt is later')
  assert.ok((await wordpress.shop('waiting')).includes('kontor_send_order'))
  await wordpress.shop('run', { all: true })
  await wordpress.shop('run', { all: true })
  assert.equal((await shop.company.call('orders/get_list', {})).body.total, 1)
  assert.equal((await wordpress.shop('shown', { id })).meta._kontor_error, undefined)

  // Its event is lost: the poll finds it.
  await shop.close()
  const lost = await wordpress.shop('order', { fields: ada, items: { 1: line(shop.product, 1, 50) } })
  await wordpress.shop('forget', { id: lost })
  assert.deepEqual(await wordpress.shop('run'), [])
  await wordpress.shop('poll')
  await wordpress.shop('run')
  assert.equal((await saleOf(shop.company, lost)).total, 50)

  // Kontor refuses it: repeating is of no use until something changes.
  const unknown = await wordpress.shop('product', { sku: 'UNKNOWN', stock: 5 })
  const refused = await wordpress.shop('order', { fields: ada, items: { 1: line(unknown, 1, 100) } })
  await wordpress.shop('run')
  assert.match((await wordpress.shop('shown', { id: refused })).meta._kontor_error, /^orders\/add: 400 /)
  assert.ok(!(await wordpress.shop('waiting')).includes('kontor_send_order'))
  const address = `/wp-admin/admin.php?page=wc-orders&action=edit&id=${refused}`
  const screen = (await admin.get(address)).text
  assert.match(screen, /<strong>Last error:<\/strong> orders\/add: 400 /)
  const again =
    /href="[^"]*(\/wp-admin\/admin-post\.php\?action=kontor_send_again[^"]*)"/.exec(screen)?.[1] ?? assert.fail(screen)
  assert.equal((await admin.get(again.replaceAll('&#038;', '&').replace(/_wpnonce=\w+/, '_wpnonce=x'))).status, 403)
  await shop.company.call('products/add', { name: 'Found', sku: 'UNKNOWN' })
  await admin.get(again.replaceAll('&#038;', '&'))
  await wordpress.shop('run')
  assert.equal((await saleOf(shop.company, refused)).total, 100)
})

test('with Action Scheduler, its functions are used', { skip }, async () => {
  const other = await WordPress.start(true)
  const before = wordpress
  try {
    ;[wordpress, admin] = [other, await other.signIn('admin')]
    const shop = await connected()
    const id = await wordpress.shop('order', { fields: ada, items: { 1: line(shop.product, 1, 100) } })
    const actions: [number, string, unknown[], string][] = await wordpress.shop('actions')
    assert.deepEqual(
      actions.filter(([, hook]) => hook === 'kontor_send_order').map(([, , args, group]) => [args, group]),
      [[[id], 'kontor']],
    )
    await wordpress.shop('run')
    assert.equal((await saleOf(shop.company, id)).total, 100)
    assert.ok(!(await wordpress.shop('waiting')).some((hook: string) => hook.startsWith('kontor_')))
    await shop.close()
    unclean(other)
  } finally {
    ;[wordpress, admin] = [before, await before.signIn('admin')]
    await other.stop()
  }
})

/** Warnings of PHP in files of the plugin, and secrets. */
function unclean(site: WordPress): void {
  const logs = site.logs()
  assert.ok(!/kontor-for-woocommerce\//.test(logs), logs)
  for (const secret of secrets) assert.ok(!logs.includes(secret), logs)
}

test('no log contains a warning about the plugin, a key or a secret', { skip }, () => {
  assert.match(wordpress.logs(), /^kontor: order \d+: orders\/add: /m)
  unclean(wordpress)
})
