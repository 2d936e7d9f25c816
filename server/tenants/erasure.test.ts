// Erasing a person leaves no trace of them: searched in a dump of the whole database, by an owner of the tables who is subject to row level security.
// Long because of the many places that the data of a person is stored in before.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { erase } from '../cli/erase.ts'
import { commandLine } from '../test/harness/command-line.ts'
import { broken, query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { ownedDatabase } from '../test/harness/owned-database.ts'
import { clientProgram } from '../test/harness/postgres-programs.ts'
import { until } from '../test/harness/until.ts'

const database = ownedDatabase()
const kontor = commandLine(...erase)

const dump = (...options: string[]): string =>
  execFileSync(clientProgram('pg_dump'), [...options, database.superuserUrl], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  }).replace(/^\\(?:un)?restrict .*$/gm, '')

/** The dump with its escapes undone, so that a text is found however a body has written it. */
const readable = (text: string): string =>
  text
    .replaceAll('\\\\', '\\')
    .replace(/\\u([0-9a-f]{4})/gi, (_all, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\./g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()

const call = async (company: Company, path: string, body: unknown, headers: Record<string, string> = {}) => {
  const reply = await company.call(path, body, headers)
  assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  return reply.body
}

/** Requests are logged after their response. */
const logged = (company: Company, count: number) =>
  until(async () => {
    const rows = await query(company.id, 'select 1 from request_log where company_id = $1', [company.id])
    return rows.length === count
  })

const ledgerTables = ['stock_movements', 'stock_levels', 'item_costs', 'sale_lines', 'purchase_lines', 'list_runs'].map(
  (name) => `--table=${name}`,
)

const person = {
  name: 'Zoë "Zo" O\'Brien-Çelik',
  email: 'zoe.obrien@private.example',
  phone: '+49 171 5550123',
  address_real: 'Lindenweg 7a, 10115 Berlin',
  vat_number: 'DE 987654321',
  manager_name: 'Quentin Tarkowski',
}
const traces = [
  person.name,
  person.email,
  '5550123',
  '555 0123',
  person.address_real,
  person.vat_number,
  person.manager_name,
  'zoë',
  'Brunhilde Maier',
]

test('erasing a customer leaves no trace of name, email, phone and addresses, and keeps documents, numbers and the ledger', async () => {
  const company = await given.company()
  const product = (await given.product(company)).id
  await given.stock(company, { item: product, amount: '10', unitCost: '2' })
  const lines = [{ id: product, amount: 1, total: 10 }]
  const added = {
    num: '1',
    products: lines,
    customer_name: person.name,
    customer_email: person.email,
    customer_phone: person.phone,
  }
  // Created with a sale, with escapes that JSON allows, and once more under a key that names the person.
  const { order_id: sale } = await call(company, 'orders/add', added, { 'idempotency-key': `order of ${person.email}` })
  const [{ customer_id: customer }] = await query(
    company.id,
    'select customer_id::int from sales where company_id = $1',
    [company.id],
  )
  await call(company, 'customers/edit', {
    customer_id: customer,
    name: 'Brunhilde Maier',
    address_real: person.address_real,
    vat_number: person.vat_number,
    country: 'DE',
  })
  await call(company, 'customers/edit', {
    customer_id: customer,
    name: person.name,
    manager_name: person.manager_name,
    agreement: `signed by ${person.email.toUpperCase()}`,
    notes: `call ${person.phone.replaceAll(' ', '')}`,
  })
  const notes = `For  ZOË "ZO"\n o'brien-çelik <${person.email}>, tel. +49-171/555 0123. Not for Zoologists.`
  const { order_id: other } = await call(company, 'orders/add', {
    num: '2',
    products: lines,
    customer_name: 'Somebody',
    notes,
  })
  await call(company, 'orders/edit', { order_id: other, notes: `${notes} Edited.` })
  await call(company, 'orders/update_status', { order_id: sale, status: 3 })
  await call(company, 'products/edit', { product_id: product, notes: `as ${person.name} likes it` })
  await call(company, 'orders/get_entry', { order_id: sale })
  await call(company, 'customers/get_list', { search: 'zoë', limit: 10 })
  const escaped = [...JSON.stringify({ search: person.name })]
    .map((char) => (char > '~' ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char))
    .join('')
  await query(
    company.id,
    `insert into request_log (company_id, at, request_id, method, status, duration_ms, error, request, answer) values
       ($1, '2020-01-01T00:00:00.000001Z', 'a', 'customers/get_list', 200, 1, null, $2, '{}'),
       ($1, '2020-01-01T00:00:00.000001Z', 'b', 'customers/get_list', 400, 1, $3, '{}', '{}'),
       ($1, '2020-01-01T00:00:00.000001Z', 'e', 'customers/get_list', 200, 1, null, '{}', $4),
       ($1, '2020-01-01T00:00:00.000002Z', 'c', 'customers/get_list', 200, 1, null, $5, '{}'),
       ($1, '2020-01-01T00:00:00.000003Z', 'd', 'units/get_list', 200, 1, null, '{"limit":3}', '{"kept":true}')`,
    [
      company.id,
      escaped,
      `no ${person.email}`,
      JSON.stringify({ body: JSON.stringify({ name: person.name }) }),
      `{"customer_name":"Zoë \\"Zo\\" O'Bri…`,
    ],
  )
  await query(
    company.id,
    `insert into webhook_deliveries (company_id, webhook_id, number, seq, type, attempt, at, duration_ms, response)
     values ($1, 1, 1, 1, 'customer.updated', 1, now(), 1, 'thank you'), ($1, 1, 2, 1, 'customer.updated', 2, now(), 1, $2)`,
    [company.id, `saved ${person.email}`],
  )
  await query(
    company.id,
    `insert into mails (company_id, id, kind, recipient, language, created_at)
     values ($1, '5-q8Zb1nV0x_Yc2R', 'invitation', $2, 'en', now())`,
    [company.id, person.email],
  )
  const importer = await given.user(company, 'manager')
  const { import_id } = (await importer.call('imports/add', { kind: 'customers', name: 'customers.csv' })).body
  const rows = [
    { line: 2, fields: { name: person.name, phone: person.phone } },
    { line: 3, fields: { name: 'Somebody else' } },
  ]
  await importer.call('imports/add_rows', { import_id, kind: 'customers', position: 0, rows })
  await logged(company, 14)
  const before = readable(dump())
  for (const trace of traces) assert.ok(before.includes(trace.toLowerCase()), `the test has not stored ${trace}`)
  const ledger = dump(...ledgerTables)

  const erased = await kontor(
    'customer',
    'erase',
    '--company',
    String(company.id),
    '--customer',
    String(customer),
    '--confirm',
    person.name,
    '--json',
  )
  assert.deepEqual([erased.code, erased.errors], [0, 'kontor: all invariants of the company hold\n'])

  const after = readable(dump())
  for (const trace of traces) {
    const at = after.indexOf(trace.toLowerCase())
    assert.equal(at, -1, `${trace} is still there: ${after.slice(Math.max(0, at - 200), at + 100)}`)
  }
  assert.equal(dump(...ledgerTables), ledger)
  assert.deepEqual(await broken(company.id), [])
  const shown = (await call(company, 'orders/get_entry', { order_id: sale })).order
  assert.deepEqual([shown.num, shown.customer_name, shown.customer_email, shown.total], ['A-1', '[erased]', '', 10])
  const kept = (await call(company, 'orders/get_entry', { order_id: other })).order
  assert.equal(kept.notes, 'For  [erased] <[erased]>, tel. [erased]. Not for Zoologists. Edited.')
  assert.equal(kept.customer_name, 'Somebody')
  const events = await query(
    company.id,
    `select method, change from events where company_id = $1 and record = 'customer' and record_id = $2 order by seq`,
    [company.id, customer],
  )
  assert.deepEqual(
    events.map(({ method }) => method),
    ['orders/add', 'customers/edit', 'customers/edit', 'customers/erase'],
  )
  assert.deepEqual(events[1].change, {
    name: ['[erased]', '[erased]'],
    address_real: ['', '[erased]'],
    country: ['', '[erased]'],
    vat_number: ['', '[erased]'],
  })
  assert.deepEqual(events[3].change, { erased: true })
  const [untouched] = await query(
    company.id,
    `select answer from request_log where company_id = $1 and request_id = 'd'`,
    [company.id],
  )
  assert.deepEqual(untouched, { answer: '{"kept":true}' })
  const responses = await query(
    company.id,
    'select response from webhook_deliveries where company_id = $1 order by number',
    [company.id],
  )
  assert.deepEqual(
    responses.map(({ response }) => response),
    ['thank you', '[erased]'],
  )
  assert.deepEqual(
    await query(company.id, `select key, fields from import_rows where company_id = $1 order by position`, [
      company.id,
    ]),
    [
      { key: '', fields: { name: '[erased]', phone: '[erased]' } },
      { key: 'somebody else', fields: { name: 'Somebody else' } },
    ],
  )
  const searched = await call(company, 'customers/get_list', { limit: 10 })
  assert.deepEqual(
    searched.customers.map(({ name }: { name: string }) => name),
    ['Somebody'],
  )
})

test('erasing a customer removes the addresses of its sales, whatever they are, and finds them in other sales', async () => {
  const company = await given.company()
  const product = (await given.product(company)).id
  const products = [{ id: product, amount: 1, total: 1 }]
  const [own, other] = ['Rosenweg 9, 20095 Hamburg', 'Am Markt 1, 99084 Erfurt']
  const customer = { customer_name: 'Ida Wolkenstein', customer_address_legal: 'Kiel' }
  const { order_id: sale, customer_id: id } = await call(company, 'orders/add', {
    num: '1',
    ...customer,
    products,
    delivery_address: own,
  })
  const { order_id: deleted } = await call(company, 'orders/add', { num: '2', customer_id: id, products })
  await call(company, 'orders/delete', { order_id: deleted })
  const elsewhere = { num: '3', customer_name: 'Somebody', products, billing_address: other }
  const { order_id: gift } = await call(company, 'orders/add', { ...elsewhere, delivery_address: `c/o X, ${own}` })
  const addresses = async (order_id: number) => {
    const { billing_address, delivery_address, version } = (
      await call(company, 'orders/get_entry', { order_id, include: ['addresses', 'meta'] })
    ).order
    return { shown: [billing_address, delivery_address], version }
  }
  const before = await addresses(gift)
  assert.deepEqual((await addresses(sale)).shown, ['Kiel', own])
  await logged(company, 6)

  const erasing = ['--company', String(company.id), '--customer', String(id), '--confirm', 'Ida Wolkenstein']
  assert.equal((await kontor('customer', 'erase', ...erasing)).code, 0)
  assert.deepEqual((await addresses(sale)).shown, ['', ''])
  const after = await addresses(gift)
  assert.deepEqual(after.shown, [other, 'c/o X, [erased]'])
  assert.ok(after.version > before.version)
  assert.equal(readable(dump()).indexOf('rosenweg 9'), -1)
  const events = await query(company.id, `select change::text from events where company_id = $1`, [company.id])
  for (const { change } of events) assert.doesNotMatch(change, /Kiel|Rosenweg|Wolkenstein/)
  const again = await query(company.id, 'select seq from company_clock where company_id = $1', [company.id])
  assert.equal((await kontor('customer', 'erase', ...erasing.slice(0, -1), '[erased]')).code, 0)
  const [{ seq }] = await query(company.id, 'select seq from company_clock where company_id = $1', [company.id])
  assert.equal(Number(seq), Number(again[0].seq) + 1, 'only the record itself has another event')
})

test('other companies keep a person of the same name, and a word that contains the name is kept', async () => {
  const [company, other] = [await given.company(), await given.company()]
  const body = { num: '1', customer_name: 'Annu', notes: 'Annual order of annu' }
  for (const one of [company, other]) await given.sale(one, body)
  const [{ id }] = await query(company.id, 'select id::int from customers where company_id = $1', [company.id])
  const { code } = await kontor(
    'customer',
    'erase',
    '--company',
    String(company.id),
    '--customer',
    String(id),
    '--confirm',
    'Annu',
  )
  assert.equal(code, 0)
  const notes = async ({ id: companyId }: Company) =>
    (
      await query(
        companyId,
        'select s.notes, c.name from sales s join customers c on c.company_id = $1 and c.id = s.customer_id where s.company_id = $1',
        [companyId],
      )
    )[0]
  assert.deepEqual(await notes(company), { notes: 'Annual order of [erased]', name: '[erased]' })
  assert.deepEqual(await notes(other), { notes: body.notes, name: 'Annu' })
})

test('erasing a supplier with --text also removes that text', async () => {
  const company = await given.company()
  const { supplier_id: supplier } = await call(company, 'suppliers/add', {
    name: 'Walburga Kranz',
    phone: '0301234567',
    notes: 'Wally',
  })
  const product = (await given.product(company)).id
  await call(company, 'purchases/add', {
    supplier_id: supplier,
    products: [{ id: product, amount: 1, total: 1 }],
    notes: 'WALLY called from 030 / 123 45 67',
  })
  const { code } = await kontor(
    'supplier',
    'erase',
    '--company',
    String(company.id),
    '--supplier',
    String(supplier),
    '--confirm',
    'Walburga Kranz',
    '--text',
    'Wally',
  )
  assert.equal(code, 0)
  const left = readable(dump())
  for (const trace of ['walburga', 'wally', '0301234567', '123 45 67']) assert.ok(!left.includes(trace), trace)
})

test('erasing a user ends their access and removes their name and email; the last owner cannot be erased', async () => {
  const company = await given.company()
  const [owner, worker] = [await given.user(company), await given.user(company, 'worker')]
  const name = `Gundula ${randomUUID().slice(0, 8)}`
  assert.equal((await owner.call('users/edit', { user_id: worker.id, name })).status, 200)
  await call(company, 'units/add', { name: 'kg' })
  await given.sale(company, { notes: `packed by ${name}` })
  await query(
    company.id,
    `insert into security_events (company_id, id, at, kind, user_id, detail, address, browser, system)
     values ($1, 'a', now(), 'user_invited', $2, $3, null, null, null), ($1, 'b', now(), 'signed_in', $4, null, '203.0.113.77', 'Firefox', 'Linux')`,
    [company.id, owner.id, worker.email, worker.id],
  )
  const user = ['--company', String(company.id), '--user']
  const last = await kontor('user', 'erase', ...user, String(owner.id), '--confirm', 'Some owner')
  assert.deepEqual(
    [last.code, last.errors],
    [2, 'kontor: The company needs an owner: make another user an owner first\n'],
  )
  assert.equal((await owner.call('session/get')).status, 200)
  const done = await kontor('user', 'erase', ...user, String(worker.id), '--confirm', name)
  assert.equal(done.code, 0, done.errors)
  assert.equal((await worker.call('session/get')).status, 401)
  const left = readable(dump())
  for (const trace of [name, worker.email, '203.0.113.77']) assert.ok(!left.includes(trace.toLowerCase()), trace)
  assert.deepEqual(await broken(company.id), [])
})

test('an erasure with wrong arguments changes nothing and says what is wrong', async () => {
  const company = await given.company()
  const { id, name } = await given.customer(company, { name: 'Kept' })
  const of = ['--company', String(company.id)]
  for (const [words, message] of [
    [['customer', 'erase', ...of], /--customer must be the id of a customer/],
    [['customer', 'erase', '--customer', '1'], /--company must be the id of a company/],
    [['customer', 'erase', ...of, '--customer', '99'], /has no customer 99/],
    [
      ['customer', 'erase', ...of, '--customer', String(id)],
      /nothing was changed: confirm with --confirm and the name, "Kept"/,
    ],
    [
      ['customer', 'erase', ...of, '--customer', String(id), '--confirm', 'kept'],
      /nothing was changed: the name is "Kept"/,
    ],
    [['user', 'erase', ...of, '--user', 'x'], /--user must be the id of a user/],
  ] as const) {
    const { code, errors } = await kontor(...words)
    assert.deepEqual([code, message.test(errors)], [2, true], errors)
  }
  const [row] = await query(company.id, 'select name from customers where company_id = $1', [company.id])
  assert.deepEqual(row, { name })
})
