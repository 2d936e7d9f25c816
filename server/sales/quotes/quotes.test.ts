// Quotes: made, changed, sent, declined, listed; and who may do it. Long because every method of quotes is tested here.

import assert from 'node:assert/strict'
import { broken, level, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { quoted, quoteOf } from '../../test/harness/quotes.ts'
import { accepts } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'
import { salesMethods } from '../methods.ts'

const quoteMethods = salesMethods.map(({ path }) => path).filter((path) => path.startsWith('quotes/'))
const notFound = 'Quote not found or access denied'

rule('quotes.add', async () => {
  const { company, user, product, customer, add } = await quoted({ materials_in_sales: true })
  const { id: material } = await given.material(company, { name: 'Oil', sku: 'OIL' })
  const id = await add({
    num: 'A 7',
    date_placed: '2026-03-12',
    valid_until: '2026-03-31',
    products: [{ sku: 'TABLE', amount: '2.5', total: 100.1 }],
    materials: [{ id: material, amount: 1, total: 4.2 }],
    delivery_price: 12.5,
    discount: '1.8',
    notes: 'Delivered in May',
  })
  const line = { unit: 'pcs', position: 0 }
  assert.deepEqual(await quoteOf(user, id), {
    ...{ id, num: 'A 7', status: 0, is_expired: 0, date_placed: '2026-03-12', valid_until: '2026-03-31' },
    ...{
      customer_id: customer,
      customer_name: 'Beech & Co',
      notes: 'Delivered in May',
      order_id: null,
      order_num: null,
    },
    ...{ subtotal: 104.3, delivery_price: 12.5, discount: 1.8, total: 115, lines: 2 },
    products: [{ ...line, id: product, sku: 'TABLE', name: 'Oak table', amount: 2.5, total: 100.1, price: 40.04 }],
    materials: [{ ...line, id: material, sku: 'OIL', name: 'Oil', amount: 1, total: 4.2, price: 4.2, position: 1 }],
  })
  assert.equal((await level(company, product)).reserved, '0.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('quotes.number', async () => {
  const { user, add } = await quoted()
  const numberOf = async (body: object = {}): Promise<string> => (await quoteOf(user, await add(body))).num
  assert.deepEqual([await numberOf(), await numberOf({ num: 'Q-3' }), await numberOf()], ['Q-1', 'Q-3', 'Q-2'])
  assert.equal(await numberOf(), 'Q-4')
})

rule('quotes.valid', async () => {
  const { company, user, add, send } = await quoted({ timezone: 'Pacific/Kiritimati' })
  const quote = await quoteOf(user, await add({ date_placed: '2026-03-12' }))
  assert.equal(quote.valid_until, '2026-04-11')
  const past = { date_placed: '2026-03-12', valid_until: '2026-03-11' }
  const { customer_id } = quote
  const products = [{ sku: 'TABLE', amount: 1, total: 1 }]
  const early = 'The quote must be valid until its day or longer'
  assert.equal(await refusal(user, 'quotes/add', { customer_id, products, ...past }), early)
  assert.equal(await refusal(user, 'quotes/edit', { quote_id: quote.id, valid_until: '2026-03-11' }), early)
  // The last hour of a day on which it is already the next day, or the day after, in Kiritimati.
  const { id } = await send()
  const setTo = (day: string) =>
    query(
      company.id,
      `update quotes set date_placed = '2026-01-01', valid_until = ${day} where company_id = $1 and id = $2`,
      [company.id, id],
    )
  await setTo(`(now() at time zone 'Pacific/Kiritimati')::date`)
  assert.equal((await quoteOf(user, id)).is_expired, 0)
  await setTo(`(now() at time zone 'Pacific/Kiritimati')::date - 1`)
  assert.equal((await quoteOf(user, id)).is_expired, 1)
  assert.equal(await refusal(user, 'quotes/send', { quote_id: id }), 'The quote has expired')
  assert.equal((await shown(user, 'quotes/browse', { cut: 'expired' })).quotes[0].id, id)
})

rule('quotes.edit', async () => {
  const { company, user, product, add, send } = await quoted()
  const id = await add({ notes: 'As before' })
  const { id: other } = await given.customer(company, { name: 'Other' })
  await shown(user, 'quotes/edit', { quote_id: id, customer_id: other, discount: 0.3 })
  await shown(user, 'quotes/edit', { quote_id: id, products: [{ id: product, amount: 1, total: 9 }] })
  const { customer_name, notes, total, products } = await quoteOf(user, id)
  assert.deepEqual([customer_name, notes, total, products.length], ['Other', 'As before', 8.7, 1])
  await shown(user, 'quotes/delete', { quote_id: id })
  assert.equal(await refusal(user, 'quotes/get_card', { quote_id: id }), notFound)
  const { id: sent } = await send()
  for (const path of ['quotes/edit', 'quotes/delete'])
    assert.equal(await refusal(user, path, { quote_id: sent, notes: 'x' }), 'Only a draft can be changed')
  // A sent quote whose draft is deleted takes the log of its links with it.
  await shown(user, 'quotes/reopen', { quote_id: sent })
  await shown(user, 'quotes/delete', { quote_id: sent })
  assert.deepEqual(await query(company.id, 'select from quote_links where company_id = $1', [company.id]), [])
})

rule('quotes.send', async () => {
  const { company, user, add } = await quoted()
  const id = await add()
  const first = (await shown(user, 'quotes/send', { quote_id: id })).token
  const second = (await shown(user, 'quotes/send', { quote_id: id })).token
  assert.match(first, new RegExp(`^${company.id}\\.[\\w-]{43}$`))
  assert.notEqual(first, second)
  const { quote, links } = await shown(user, 'quotes/get_card', { quote_id: id })
  assert.equal(quote.status, 1)
  assert.deepEqual(
    links.map((link: { number: number; works: number }) => [link.number, link.works]),
    [
      [2, 1],
      [1, 0],
    ],
  )
  await shown(user, 'quotes/revoke', { quote_id: id })
  assert.equal((await shown(user, 'quotes/get_card', { quote_id: id })).links[0].works, 0)
  const old = await add({ date_placed: '2026-03-12' })
  await shown(user, 'quotes/edit', { quote_id: old, valid_until: '2026-03-12' })
  assert.equal(await refusal(user, 'quotes/send', { quote_id: old }), 'The quote has expired')
  for (let times = 0; times < 20; times++) await shown(user, 'quotes/send', { quote_id: id })
  const kept = (await shown(user, 'quotes/get_card', { quote_id: id })).links
  assert.deepEqual([kept.length, kept[0].number], [20, 22])
})

rule('quotes.decline', async () => {
  const { user, add, send } = await quoted()
  const { id } = await send()
  await shown(user, 'quotes/decline', { quote_id: id })
  await shown(user, 'quotes/decline', { quote_id: id })
  assert.equal((await quoteOf(user, id)).status, 4)
  const draft = await add()
  for (const [path, quote_id] of [
    ['quotes/accept', id],
    ['quotes/accept', draft],
    ['quotes/decline', draft],
  ] as const)
    assert.equal(await refusal(user, path, { quote_id }), 'The quote is not sent')
})

rule('quotes.reopen', async () => {
  const { user, send } = await quoted()
  const [sent, declined, accepted] = [await send(), await send(), await send()]
  await shown(user, 'quotes/decline', { quote_id: declined.id })
  await shown(user, 'quotes/accept', { quote_id: accepted.id })
  for (const { id } of [sent, declined]) {
    await shown(user, 'quotes/reopen', { quote_id: id })
    const { quote, links } = await shown(user, 'quotes/get_card', { quote_id: id })
    assert.deepEqual([quote.status, links[0].works], [0, 0])
    await shown(user, 'quotes/edit', { quote_id: id, discount: 1 })
  }
  assert.equal(await refusal(user, 'quotes/reopen', { quote_id: accepted.id }), 'The quote is accepted')
})

rule('quotes.browse', async () => {
  const { company, user, product, customer, add, send } = await quoted()
  const { id: other } = await given.customer(company, { name: 'Zebrano' })
  const draft = await add({ num: 'Q-9', date_placed: '2026-03-01', valid_until: '9999-12-31', notes: 'in walnut' })
  const { id: sent } = await send({
    num: 'Q-10',
    date_placed: '2026-03-02',
    valid_until: '9999-12-31',
    customer_id: other,
  })
  const { id: declined } = await send({ num: 'Q-11', date_placed: '2026-03-03', valid_until: '9999-12-31' })
  await shown(user, 'quotes/decline', { quote_id: declined })
  const { id: accepted } = await send({ num: 'Q-12', date_placed: '2026-03-04', valid_until: '9999-12-31' })
  const { order_id } = await shown(user, 'quotes/accept', { quote_id: accepted })
  const cases: readonly (readonly [object, readonly number[]])[] = [
    [{}, [accepted, declined, sent, draft]],
    [{ sort: 'num' }, [draft, sent, declined, accepted]],
    [{ sort: 'customer_name', direction: 'desc', limit: 1 }, [sent]],
    [{ limit: 2, offset: 1 }, [declined, sent]],
    [{ cut: 'open' }, [sent, draft]],
    [{ cut: 'accepted' }, [accepted]],
    [{ cut: 'declined' }, [declined]],
    [{ cut: 'expired' }, []],
    [{ status: [1, 4] }, [declined, sent]],
    [{ customer_id: other }, [sent]],
    [{ item_id: product, date_from: '2026-03-02', date_to: '2026-03-03' }, [declined, sent]],
    [{ item_id: product + 1000 }, []],
    [{ order_id }, [accepted]],
    [{ search: 'WALNUT' }, [draft]],
    [{ search: 'zebr' }, [sent]],
    [{ search: 'q-1' }, [accepted, declined, sent]],
    [{ ids: [draft, declined] }, [declined, draft]],
  ]
  for (const [wanted, expected] of cases) {
    const { quotes } = await shown(user, 'quotes/browse', wanted)
    assert.deepEqual(
      quotes.map(({ id }: { id: number }) => id),
      expected,
      JSON.stringify(wanted),
    )
  }
  const { totals, counts, total, quotes } = await shown(user, 'quotes/browse', { customer_id: customer })
  assert.deepEqual([totals.total, total, quotes[0].order_id], [90.9, 3, order_id])
  assert.deepEqual(counts, { open: 1, expired: 0, accepted: 1, declined: 1, all: 3 })
})

rule('quotes.refused', async () => {
  const { company, user, product, customer } = await quoted()
  const products = [{ id: product, amount: 1, total: 1 }]
  const deleted = await given.customer(company)
  await given.deleted(company, 'customer', deleted.id)
  const cases: readonly (readonly [object, string, string | undefined])[] = [
    [{ products }, 'No customer_id in input', 'customer_id'],
    [{ customer_id: '', products }, 'No customer_id in input', 'customer_id'],
    [{ customer_id: deleted.id, products }, 'Customer not found', 'customer_id'],
    [{ customer_id: customer }, 'No products or materials in input', 'products'],
    [{ customer_id: customer, products: [] }, 'No products or materials in input', 'products'],
    [{ customer_id: customer, products: 1 }, 'Products is not an array', 'products'],
    [
      { customer_id: customer, products: [{ sku: 'NONE', amount: 1, total: 1 }] },
      'Product with SKU "NONE" not found',
      'products',
    ],
    [
      { customer_id: customer, products: [{ external_id: 'E', amount: 1, total: 1 }] },
      'Product with external id "E" not found',
      'products',
    ],
    [
      { customer_id: customer, products: [{ id: product, amount: 0, total: 1 }] },
      `Amount must be greater than 0 for product with id ${product}`,
      'products',
    ],
    [
      { customer_id: customer, products: [{ id: product, amount: 1 }] },
      `Total not set for product with id ${product}`,
      'products',
    ],
    [
      { customer_id: customer, products: [{ id: product, amount: 1, total: 1e13 }] },
      `Total is too large for product with id ${product}`,
      'products',
    ],
    [
      { customer_id: customer, products, date_placed: '2026-02-30' },
      'Date is not a valid date in format YYYY-MM-DD',
      'date_placed',
    ],
    [
      { customer_id: customer, products, valid_until: 'tomorrow' },
      'Date is not a valid date in format YYYY-MM-DD',
      'valid_until',
    ],
    [
      { customer_id: customer, products, discount: -1 },
      'Invalid discount value. Must be a number, 0 or greater',
      'discount',
    ],
    [{ customer_id: customer, products, num: ' ' }, 'No num in input', 'num'],
    [
      { customer_id: customer, products, num: 'x'.repeat(256) },
      'Invalid num value. Must be at most 255 characters',
      'num',
    ],
    [
      { customer_id: customer, products, notes: 'x'.repeat(65_536) },
      'Invalid notes value. Must be at most 65535 characters',
      'notes',
    ],
  ]
  for (const [body, error, field] of cases) {
    assert.equal(await refusal(user, 'quotes/add', body), error)
    assert.equal((await user.call('quotes/add', body)).body.field, field, error)
  }
  const most = [{ id: product, amount: 999_999_999.999, total: -999_999_999_999.99 }]
  const last = { date_placed: '9999-12-20', delivery_price: 999_999_999_999.99, products: Array(5000).fill(most[0]) }
  const { quote_id } = await shown(user, 'quotes/add', { customer_id: customer, ...last })
  assert.equal((await quoteOf(user, quote_id)).valid_until, '9999-12-31')
})

rule('quotes.materials', async () => {
  const { company, user, customer } = await quoted()
  const { id } = await given.material(company)
  const materials = [{ id, amount: 1, total: 1 }]
  const refused = 'Materials in orders are disabled in company settings'
  assert.equal(await refusal(user, 'quotes/add', { customer_id: customer, materials }), refused)
})

rule('quotes.roles', async () => {
  const { company, send } = await quoted()
  const worker = await given.user(company, 'worker')
  const { id } = await send()
  assert.equal(quoteMethods.length, 10)
  for (const path of quoteMethods) {
    const reply = await worker.call(path, { quote_id: id })
    assert.deepEqual([reply.status, reply.body.error], [403, 'Your role does not allow this'], path)
  }
  const history = await worker.call('history/get_list', { record: 'quote', record_id: id })
  assert.equal(history.status, 403)
  assert.equal((await company.call('quotes/browse')).body.error, 'Unknown method')
})

rule('quotes.company', async () => {
  const { send } = await quoted()
  const other = await quoted()
  const mine = [await send(), await send()].map(({ id }) => id)
  await other.add({ num: 'Q-77' })
  const methods = quoteMethods.filter((path) => !/add|browse/.test(path))
  for (const path of methods) assert.equal(await refusal(other.user, path, { quote_id: mine[1] }), notFound, path)
  assert.deepEqual((await shown(other.user, 'quotes/browse')).quotes.length, 1)
})

rule('quotes.events', async () => {
  const { company, user, product, send } = await quoted()
  const { id } = await send({ discount: 1 })
  await shown(user, 'quotes/reopen', { quote_id: id })
  await shown(user, 'quotes/edit', { quote_id: id, products: [{ id: product, amount: 1, total: 2 }] })
  await shown(user, 'quotes/send', { quote_id: id })
  await shown(user, 'quotes/revoke', { quote_id: id })
  const { order_id } = await shown(user, 'quotes/accept', { quote_id: id })
  const { events } = await shown(user, 'history/get_list', { record: 'quote', record_id: id })
  assert.deepEqual(
    events.map(({ method, change }: { method: string; change: object }) => [method, Object.keys(change).length > 0]),
    [
      ['quotes/accept', true],
      ['quotes/revoke', false],
      ['quotes/send', true],
      ['quotes/edit', true],
      ['quotes/reopen', true],
      ['quotes/send', true],
      ['quotes/add', true],
    ],
  )
  assert.deepEqual(events[0].change, { status: [1, 3], sale_id: [null, order_id] })
  assert.deepEqual(events[3].change.lines[1], [{ item_id: product, amount: '1.000', total: '2.00' }])
  const feed = await accepts(company, 'events/get_list', { after: 0, limit: 1000 })
  const types = feed.events.map(({ type, id: record }: { type: string; id: number }) => `${type} ${record}`)
  assert.ok(types.includes(`order.created ${order_id}`), JSON.stringify(types))
  assert.ok(!types.some((type: string) => type.startsWith('quote')))
})

rule('quotes.mail.off', async () => {
  const { user, add } = await quoted()
  const id = await add()
  const { status, body } = await user.call('quotes/send', { quote_id: id, email: 'ada@beech.example' })
  assert.deepEqual([status, body.error], [400, 'This server sends no mails'])
  const { quote, sends_mails } = await shown(user, 'quotes/get_card', { quote_id: id })
  assert.deepEqual([quote.status, sends_mails], [0, false])
})
