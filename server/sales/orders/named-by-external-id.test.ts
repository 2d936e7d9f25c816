// The customer of a sale and the items of lines, named by the ids that they have in the caller's system.
// Long because customers, suppliers and the lines of all documents follow the same rules.

import assert from 'node:assert/strict'
import { broken, query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { accepts, add, entry, list, refuses } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'

type Body = Readonly<Record<string, unknown>>

const documents = [
  { section: 'orders', document: 'order', contacts: 'customers', party: 'customer', needed: { num: '1' } },
  { section: 'purchases', document: 'purchase', contacts: 'suppliers', party: 'supplier', needed: {} },
] as const
type Kind = (typeof documents)[number]

const lineOf = async (company: Company): Promise<Body> => ({
  products: [{ id: (await given.product(company)).id, amount: 1, total: 10 }],
})

/** Adds a document, and returns its id and that of its party. */
async function made(company: Company, { section, document, party, needed }: Kind, body: Body) {
  const reply = await accepts(company, `${section}/add`, { ...needed, ...(await lineOf(company)), ...body })
  const id: number = reply[`${document}_id`]
  return { id, party: await partyOf(company, { section, document, party }, id) }
}

async function partyOf(
  company: Company,
  { section, document, party }: Pick<Kind, 'section' | 'document' | 'party'>,
  id: number,
): Promise<number> {
  const reply = await accepts(company, `${section}/get_entry`, { [`${document}_id`]: id })
  return reply[document][`${party}_id`]
}

rule('external-id.party', async () => {
  const company = await given.company()
  const other = await given.otherConnection(company)
  for (const kind of documents) {
    const { section, document, contacts, party } = kind
    const named = { [`${party}_external_id`]: ' c-1 ', [`${party}_name`]: 'Ann', [`${party}_phone`]: '1' }
    const first = await made(company, kind, named)
    const { [party]: contact } = await accepts(company, `${contacts}/get_entry`, { external_id: 'c-1' })
    assert.deepEqual([contact.id, contact.name, contact.phone], [first.party, 'Ann', '1'])
    assert.equal((await made(company, kind, { [`${party}_external_id`]: 'c-1' })).party, first.party)
    const theirs = await made(other, kind, named)
    assert.notEqual(theirs.party, first.party)
    await accepts(company, `${section}/edit`, {
      [`${document}_id`]: first.id,
      [`${party}_external_id`]: 'c-2',
      [`${party}_name`]: 'Bob',
    })
    const second = await partyOf(company, kind, first.id)
    assert.equal((await entry(company, contacts, second)).name, 'Bob')
    await accepts(company, `${section}/edit`, { [`${document}_id`]: first.id, [`${party}_external_id`]: 'c-1' })
    assert.equal(await partyOf(company, kind, first.id), first.party)
    const [event] = await query(
      company.id,
      `select change from events where company_id = $1 and record = $2 and record_id = $3 and action = 'created'`,
      [company.id, party, second],
    )
    assert.equal(event.change.external_id, 'c-2')
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('external-id.party-name', async () => {
  const company = await given.company()
  for (const kind of documents) {
    const { contacts, party } = kind
    const manual = await add(company, contacts, { name: 'Ann' })
    const [one, two] = [
      await made(company, kind, { [`${party}_external_id`]: 'a-1', [`${party}_name`]: 'Ann' }),
      await made(company, kind, { [`${party}_external_id`]: 'a-2', [`${party}_name`]: 'Ann' }),
    ]
    assert.deepEqual([manual, one.party, two.party], [manual, manual + 1, manual + 2])
    const again = await made(company, kind, { [`${party}_external_id`]: 'a-2', [`${party}_name`]: 'Ann' })
    assert.equal(again.party, two.party)
    assert.equal((await made(company, kind, { [`${party}_name`]: 'Ann' })).party, manual)
    assert.equal((await list(company, contacts)).length, 3)
  }
})

rule('external-id.party-required', async () => {
  const company = await given.company()
  for (const { section, document, party, contacts, needed } of documents) {
    const error = `No ${party}_name in input`
    const unknown = { [`${party}_external_id`]: 'nobody' }
    await refuses(company, `${section}/add`, { ...needed, ...(await lineOf(company)), ...unknown }, error)
    const both = `No ${party}_name or ${party}_id in input`
    for (const none of ['', ' ', null])
      await refuses(
        company,
        `${section}/add`,
        { ...needed, ...(await lineOf(company)), [`${party}_external_id`]: none },
        both,
      )
    const known = { ...needed, ...(await lineOf(company)), [`${party}_name`]: 'Bob' }
    const id = (await accepts(company, `${section}/add`, known))[`${document}_id`]
    await refuses(company, `${section}/edit`, { [`${document}_id`]: id, ...unknown }, error)
    await refuses(
      company,
      `${section}/add`,
      { ...known, ...unknown, [`${party}_name`]: ' ' },
      `${party === 'customer' ? 'Customer' : 'Supplier'} name must not be empty`,
    )
    assert.equal((await list(company, contacts)).length, 1)
  }
})

rule('external-id.party-ignored', async () => {
  const company = await given.company()
  for (const kind of documents) {
    const { contacts, party } = kind
    const id = await add(company, contacts, { name: 'Ann' })
    await add(company, contacts, { name: 'Bob', external_id: 'b' })
    for (const external of ['b', 'new', true, 'x'.repeat(300)])
      assert.equal((await made(company, kind, { [`${party}_id`]: id, [`${party}_external_id`]: external })).party, id)
    assert.equal((await made(company, kind, { [`${party}_name`]: 'Ann', [`${party}_external_id`]: '' })).party, id)
    assert.equal((await list(company, contacts)).length, 2)
  }
})

rule('external-id.party-text', async () => {
  const company = await given.company()
  for (const kind of documents) {
    const { section, party, needed } = kind
    const field = `${party}_external_id`
    const body = { ...needed, ...(await lineOf(company)), [`${party}_name`]: 'Ann' }
    const refused = async (value: unknown, error: string) =>
      await refuses(company, `${section}/add`, { ...body, [field]: value }, `Invalid ${field} value. ${error}`)
    await refused(true, 'Must be a string')
    await refused({}, 'Must be a string')
    await refused('a\u0000', 'Must be valid text')
    await refused('x'.repeat(256), 'Must be at most 255 characters')
    const first = await made(company, kind, { ...body, [field]: 4711 })
    assert.equal((await made(company, kind, { [field]: '4711' })).party, first.party)
  }
})

rule('external-id.party-kept', async () => {
  const company = await given.company()
  for (const kind of documents) {
    const { contacts, party } = kind
    const id = await add(company, contacts, { name: 'Ann', phone: '1', external_id: 'a' })
    const before = await entry(company, contacts, id)
    await made(company, kind, {
      [`${party}_external_id`]: 'a',
      [`${party}_name`]: 'Another',
      [`${party}_phone`]: '2',
    })
    assert.deepEqual(await entry(company, contacts, id), before)
  }
})

rule('external-id.line', async () => {
  const company = await given.company({ materials_in_sales: true })
  const other = await given.otherConnection(company)
  const [table, chair] = [
    await add(company, 'products', { name: 'Table', sku: 'T', external_id: 'same' }),
    await add(other, 'products', { name: 'Chair', sku: 'C', external_id: 'same' }),
  ]
  const board = await add(company, 'materials', { name: 'Board', sku: 'B', external_id: 'same' })
  const components = [{ type: 'material', id: board, amount: 2 }]
  for (const product_id of [table, chair]) await accepts(company, 'products/edit', { product_id, components })
  const stores = { storage_from_id: company.productsStorageId, storage_to_id: company.materialsStorageId }
  const added: readonly (readonly [section: string, noun: string, line: Body, more: Body])[] = [
    ['orders', 'order', { amount: 1, total: 10 }, { num: '1', customer_name: 'Ann' }],
    ['orders', 'order', { amount: 1, total: 10 }, { num: '2', customer_name: 'Ann', production: 1 }],
    ['purchases', 'purchase', { amount: 1, total: 10 }, { supplier_name: 'Bob' }],
    ['productions', 'production', { amount: 1 }, {}],
    ['writeoffs', 'writeoff', { amount: 1 }, {}],
    ['transfers', 'transfer', { amount: 1 }, stores],
    ['audits', 'audit', { counted: 1 }, { storage_id: company.productsStorageId }],
  ]
  for (const [of, product] of [
    [company, table],
    [other, chair],
  ] as const)
    for (const [section, noun, line, more] of added) {
      const itemsOf = async (id: number) => {
        const { [noun]: document } = await accepts(of, `${section}/get_entry`, { [`${noun}_id`]: id })
        return document.products.map((one: { id: number }) => one.id)
      }
      const named = { ...line, external_id: ' same ' }
      const id = (await accepts(of, `${section}/add`, { products: [named], ...more }))[`${noun}_id`]
      assert.deepEqual(await itemsOf(id), [product], section)
      await accepts(of, `${section}/edit`, { [`${noun}_id`]: id, products: [{ ...line, sku: 'C' }] })
      assert.deepEqual(await itemsOf(id), [chair], section)
      await accepts(of, `${section}/edit`, { [`${noun}_id`]: id, products: [named] })
      assert.deepEqual(await itemsOf(id), [product], section)
      // The id counts first, then the SKU.
      const products = [{ ...line, external_id: 'unknown', sku: 'T' }]
      await accepts(of, `${section}/edit`, { [`${noun}_id`]: id, products })
      assert.deepEqual(await itemsOf(id), [table], section)
    }
  const both = {
    products: [{ external_id: 'same', amount: 1, total: 1 }],
    materials: [{ external_id: 'same', amount: 2, total: 1 }],
  }
  const sale = await accepts(company, 'orders/add', {
    num: '3',
    customer_external_id: 'a',
    customer_name: 'Ann',
    ...both,
  })
  const { order } = await accepts(company, 'orders/get_entry', sale)
  assert.deepEqual([order.products[0].id, order.materials[0].id], [table, board])
  const used = { products: [{ external_id: 'same', amount: 1 }], materials: [{ external_id: 'same', amount: 3 }] }
  const { production_id } = await accepts(company, 'productions/add', used)
  const { production } = await accepts(company, 'productions/get_entry', { production_id })
  assert.deepEqual([production.materials[0].id, production.materials[0].amount], [board, 3])
  const ordered = await query(
    company.id,
    `select s.num, p.id is not null as made from sales s left join productions p on p.company_id = s.company_id and p.sale_id = s.id
     where s.company_id = $1 order by s.id`,
    [company.id],
  )
  assert.deepEqual(
    ordered.map(({ num, made: isMade }) => [num, isMade]),
    [
      ['A-1', false],
      ['A-2', true],
      ['1', false],
      ['2', true],
      ['A-3', false],
    ],
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('external-id.line-unknown', async () => {
  const company = await given.company()
  const other = await given.otherConnection(company)
  await add(other, 'products', { external_id: 'theirs' })
  await add(company, 'materials', { external_id: 'material' })
  const gone = await add(company, 'products', { external_id: 'gone' })
  await accepts(company, 'products/delete', { product_id: gone })
  const known = { id: (await given.product(company)).id, amount: 1, total: 10 }
  for (const external_id of ['unknown', 'theirs', 'material', 'gone']) {
    const line = { external_id, amount: 2, total: 30.5 }
    for (const [section, noun, more] of [
      ['orders', 'order', { num: '1', customer_name: 'Ann' }],
      ['purchases', 'purchase', { supplier_name: 'Bob' }],
    ] as const) {
      await refuses(company, `${section}/add`, { products: [line], ...more }, 'All products have wrong SKU or id')
      const reply = await accepts(company, `${section}/add`, { products: [known, line], ...more })
      assert.deepEqual(reply.skipped, [{ position: 1, type: 'product', external_id, amount: 2, total: 30.5 }])
      const { [noun]: document } = await accepts(company, `${section}/get_entry`, {
        [`${noun}_id`]: reply[`${noun}_id`],
      })
      assert.equal(document.notes, `Product not found: external id "${external_id}", amount 2, total 30.5`)
    }
    const missing = `Product with external id "${external_id}" not found`
    await refuses(company, 'writeoffs/add', { products: [line] }, missing)
    await refuses(company, 'productions/add', { products: [line] }, missing)
  }
  const products = (line: Body) => ({ num: '1', customer_name: 'Ann', products: [line] })
  for (const external_id of ['', ' ', null])
    await refuses(
      company,
      'orders/add',
      products({ external_id, amount: 1, total: 1 }),
      'SKU or id not set for product 0',
    )
  const invalid = 'Invalid external_id value. Must be a string'
  await refuses(company, 'orders/add', products({ external_id: true, amount: 1, total: 1 }), invalid)
  await refuses(
    company,
    'orders/add',
    products({ external_id: 'x', total: 1 }),
    'Amount not set for product with external id "x"',
  )
})

rule('external-id.line-hidden', async () => {
  const company = await given.company()
  const worker = await given.user(company, 'worker')
  const known = { id: (await given.product(company)).id, amount: 1, total: 10 }
  const products = [known, { external_id: 'NO-1', amount: 2, total: 2121.21 }]
  const { order_id } = await accepts(company, 'orders/add', { num: '1', customer_name: 'Ann', products })
  for (const path of ['orders/get_entry', 'orders/get_card'])
    assert.equal(
      (await worker.call(path, { order_id })).body.order.notes,
      'Product not found: external id "NO-1", amount 2',
      path,
    )
  assert.equal((await worker.call('orders/browse', { search: '2121' })).body.total, 0)
})

rule('external-id.two-shops', async () => {
  const company = await given.company()
  const shops = [company, await given.otherConnection(company)]
  const headers = { 'idempotency-key': 'order-1' }
  const replies = []
  for (const [at, shop] of shops.entries()) {
    await accepts(shop, 'products/upsert', { products: [{ name: `Table ${at}`, external_id: 'p-1' }] })
    const body = {
      num: '1001',
      external_id: '1001',
      customer_name: 'Ann Smith',
      customer_external_id: 'c-1',
      customer_email: `ann@shop-${at}.example`,
      products: [{ external_id: 'p-1', amount: 1, total: 10 + at }],
    }
    const first = await shop.call('orders/add', body, headers)
    assert.equal(first.status, 200, first.text)
    const again = await shop.call('orders/add', body, headers)
    assert.deepEqual([again.status, again.text], [200, first.text])
    replies.push(first.body)
  }
  // A third person of that name buys in the first shop, and both shops send all their customers again.
  await accepts(company, 'orders/add', {
    num: '1002',
    customer_name: 'Ann Smith',
    customer_external_id: 'c-2',
    products: [{ external_id: 'p-1', amount: 1, total: 1 }],
  })
  for (const [at, shop] of shops.entries()) {
    const customers = [{ name: 'Ann Smith', external_id: 'c-1', phone: `${at}` }]
    const reply = await accepts(shop, 'customers/upsert', { customers })
    assert.deepEqual(reply.customers, [{ result: 'updated', id: replies[at].customer_id }])
  }
  assert.deepEqual(
    (await list(company, 'customers')).map(({ email, phone }) => [email, phone]),
    [
      ['ann@shop-0.example', '0'],
      ['ann@shop-1.example', '1'],
      ['', ''],
    ],
  )
  for (const [at, shop] of shops.entries()) {
    const { order } = await accepts(shop, 'orders/get_entry', { external_id: '1001' })
    assert.deepEqual(
      [order.id, order.customer_id, order.customer_email, order.total, order.products[0].name],
      [replies[at].order_id, replies[at].customer_id, `ann@shop-${at}.example`, 10 + at, `Table ${at}`],
    )
  }
  assert.equal((await accepts(company, 'orders/get_list', {})).total, 3)
  assert.deepEqual(await broken(company.id), [])
})
