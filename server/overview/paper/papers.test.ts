// Documents as PDF, over HTTP: what is printed, for whom, and what is refused. Long because the tests of all kinds share one company with one of each.

import assert from 'node:assert/strict'
import { url } from '../../test/harness/app.ts'
import { base64, png } from '../../test/harness/files.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { pagesOf, textOf } from '../../test/harness/pdf-text.ts'
import { accepts, add } from '../../test/harness/record-calls.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'
import { make, workshop } from '../../test/harness/workshop.ts'
import { paperKinds } from './job.ts'

type Parameters = Readonly<Record<string, string | number>>

const get = (user: User | undefined, kind: string, parameters: Parameters = {}, site = 'same-origin') => {
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, `${value}`])),
  )
  const cookie = user === undefined ? {} : { cookie: user.cookie }
  return fetch(`${url()}/screens/documents/${kind}?${query}`, { headers: { 'sec-fetch-site': site, ...cookie } })
}

async function printed(user: User, kind: string, parameters: Parameters): Promise<Buffer> {
  const response = await get(user, kind, parameters)
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200, bytes.toString('latin1').slice(0, 300))
  return bytes
}
const text = async (user: User, kind: string, parameters: Parameters): Promise<string> =>
  textOf(await printed(user, kind, parameters))

async function answer(user: User | undefined, kind: string, parameters: Parameters, site?: string) {
  const response = await get(user, kind, parameters, site)
  const body = await response.text()
  return [response.status, response.status === 200 ? 'printed' : JSON.parse(body).error]
}

function contains(found: string, ...expected: readonly string[]): void {
  for (const one of expected) assert.ok(found.includes(one), `${one} is missing in:\n${found}`)
}
function containsNone(found: string, ...unexpected: readonly string[]): void {
  for (const one of unexpected) assert.ok(!found.includes(one), `${one} is in:\n${found}`)
}

const iban = 'DE02120300000000202051'

/** A company with one of each document. Every amount of money in it has its own digits. */
async function place() {
  const { company, board, table } = await workshop()
  const [owner, worker] = [await given.user(company), await given.user(company, 'worker')]
  const details = { legal_name: 'Eichholz GmbH', address: 'Lindenstraße 5\n10969 Berlin', country: 'GB' }
  await shown(owner, 'company/edit_details', { ...details, bank_account: iban })
  await accepts(company, 'products/edit', { product_id: table, barcodes: ['4006381333931'] })
  const supplier = await add(company, 'suppliers', { name: 'Holz & Co', address_legal: 'Am Wald 1' })
  await accepts(company, 'materials/edit', {
    material_id: board,
    suppliers: [{ supplier_id: supplier, sku: 'HZ-77', price: 18.5 }],
  })
  const sale = {
    num: '7',
    customer_name: 'Grüner Ölhändler',
    billing_address: 'Rechnungsweg 1\n20095 Hamburg',
    delivery_address: 'Lieferstraße 2',
    products: [{ id: table, amount: 3, total: 741.51 }],
    delivery_price: 25.25,
    discount: 11.11,
  }
  const { order_id } = await accepts(company, 'orders/add', sale)
  const { purchase_id } = await accepts(company, 'purchases/add', {
    supplier_id: supplier,
    materials: [{ id: board, amount: 40, total: 617.17 }],
  })
  const notes = 'Use the large saw. Product not found: SKU "X", amount 1, total 987.65'
  const production_id = await make(company, { products: [{ id: table, amount: 2 }], notes })
  const { order } = await accepts(company, 'orders/get_entry', { order_id })
  const { quote_id } = await shown(owner, 'quotes/add', {
    customer_id: order.customer_id,
    products: [{ id: table, amount: 3, total: 741.51 }],
    delivery_price: 25.25,
    discount: 11.11,
    date_placed: '2026-03-12',
    valid_until: '2026-04-11',
    notes: 'Made of oak from Brandenburg.',
  })
  return { company, owner, worker, board, table, supplier, order_id, quote_id, purchase_id, production_id }
}

const parametersOf = (made: Awaited<ReturnType<typeof place>>): Readonly<Record<string, Parameters>> => ({
  quote: { id: made.quote_id },
  'order-confirmation': { id: made.order_id },
  'packing-slip': { id: made.order_id },
  'purchase-order': { id: made.purchase_id },
  'job-sheet': { id: made.production_id },
  labels: { items: `${made.table}x2` },
})

rule('papers.opened', async () => {
  const { owner, order_id } = await place()
  for (const [download, disposition] of [
    ['', 'inline'],
    ['1', 'attachment'],
  ] as const) {
    const response = await get(owner, 'order-confirmation', { id: order_id, download })
    assert.equal((await response.arrayBuffer()).byteLength > 5_000, true)
    const expected = {
      'content-type': 'application/pdf',
      'content-disposition': `${disposition}; filename*=UTF-8''Order%20confirmation%20A-7.pdf`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(response.headers.get(name), value, name)
  }
})

rule('papers.order-confirmation', async () => {
  const { owner, order_id } = await place()
  const found = await text(owner, 'order-confirmation', { id: order_id })
  contains(found, 'Order confirmation A-7', 'Eichholz GmbH', 'Lindenstraße 5', 'Grüner Ölhändler', 'Rechnungsweg 1')
  contains(
    found,
    'Deliver to',
    'Lieferstraße 2',
    'Oak table',
    'TABLE',
    '3\u00a0pcs',
    '247.17',
    '741.51',
    '€25.25',
    '−€11.11',
  )
  contains(found, '€755.65', iban, 'Page 1 of 1')
})

rule('papers.quote', async () => {
  const { owner, quote_id } = await place()
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['en', ['Quote Q-1', 'Valid until', '11 Apr 2026', 'Quantity', '€755.65']],
    ['de', ['Angebot Q-1', 'Gültig bis', '11.04.2026', 'Menge', '755,65\u00a0€']],
    ['ru', ['Коммерческое предложение Q-1', 'Действует до', '11.04.2026', 'Количество', '755,65\u00a0€']],
  ]
  for (const [language, expected] of cases) {
    const found = await text(owner, 'quote', { id: quote_id, language })
    contains(found, ...expected, 'Grüner Ölhändler', 'Oak table', 'Made of oak from Brandenburg.', iban)
  }
})

rule('papers.packing-slip', async () => {
  const { company, owner, worker, table, order_id } = await place()
  const prices = ['247', '741', '755', '25.25', '11.11', '€', iban]
  const whole = await text(worker, 'packing-slip', { id: order_id })
  contains(whole, 'Packing slip A-7', 'Lieferstraße 2', 'Oak table', '4006381333931', '3\u00a0pcs')
  containsNone(whole, 'Rechnungsweg', ...prices)
  await given.shippedPart(company, order_id, { date: '2026-03-04', items: [{ id: table, amount: '2' }] })
  const part = await text(worker, 'packing-slip', { id: order_id, shipment: 1 })
  contains(part, 'Packing slip A-7-1', '2\u00a0pcs', '4 Mar 2026')
  containsNone(part, '3\u00a0pcs', ...prices)
  assert.deepEqual(await answer(owner, 'packing-slip', { id: order_id, shipment: 2 }), [404, 'Document not found'])
})

rule('papers.purchase-order', async () => {
  const { company, owner, purchase_id } = await place()
  await accepts(company, 'storages/edit', { storage_id: company.materialsStorageId, address: 'Tor 4, Berlin' })
  const found = await text(owner, 'purchase-order', { id: purchase_id })
  contains(found, 'Purchase order P-1', 'Holz & Co', 'Am Wald 1', 'Your code', 'HZ-77', 'BOARD', '40\u00a0m', '15.43')
  contains(found, '617.17', '€617.17', 'Deliver to', 'Tor 4, Berlin')
})

rule('papers.job-sheet', async () => {
  const { worker, production_id } = await place()
  const found = await text(worker, 'job-sheet', { id: production_id })
  contains(found, 'Oak table', '2\u00a0pcs', 'Oak board', '8\u00a0m', 'Screw', '32\u00a0pcs', 'Carpenter', '3\u00a0pcs')
  contains(found, 'Materials', 'Finished goods', 'Made by', 'Use the large saw.')
  // Costs: 18.50 a metre, 0.25 a screw, 30 an hour, 246 altogether.
  containsNone(found, '18.5', '148', '0.25', '90', '246', '987.65', '€', iban)
})

rule('papers.labels', async () => {
  const { worker, board, table } = await place()
  const pages = pagesOf(await printed(worker, 'labels', { items: `${table}x25,${board}` }))
  assert.deepEqual(
    pages.map((page) => page.filter((one) => one === 'Oak table' || one === 'Oak board').length),
    [24, 2],
  )
  contains(pages.flat().join('\n'), '4006381333931', 'BOARD')
  const started = pagesOf(await printed(worker, 'labels', { items: `${table}x3`, sheet: 'letter-2x5', first: 9 }))
  assert.deepEqual(
    started.map((page) => page.filter((one) => one === 'Oak table').length),
    [2, 1],
  )
  assert.equal(
    pagesOf(await printed(worker, 'labels', { items: `${table}x2`, sheet: 'roll-62', code: 'qr' })).length,
    2,
  )
})

rule('papers.settings', async () => {
  const { owner, order_id } = await place()
  const sizeOf = (pdf: Buffer): string => /\/MediaBox \[0 0 ([\d.]+ [\d.]+)\]/.exec(pdf.toString('latin1'))?.[1] ?? ''
  const [a4, letter] = ['595.275591 841.889764', '612 792']
  const cases: readonly (readonly [object, Parameters, string, string])[] = [
    [{}, {}, 'Order confirmation', a4],
    [{}, { language: 'ru' }, 'Подтверждение заказа', a4],
    [{ country: 'US' }, {}, 'Order confirmation', letter],
    [{ country: 'AT' }, {}, 'Auftragsbestätigung', a4],
    [{ document_language: 'ru', paper_size: 'Letter' }, {}, 'Подтверждение заказа', letter],
    [{}, { language: 'en' }, 'Order confirmation', letter],
  ]
  for (const [changed, parameters, title, size] of cases) {
    await shown(owner, 'company/edit_details', changed)
    const pdf = await printed(owner, 'order-confirmation', { id: order_id, ...parameters })
    contains(textOf(pdf), title)
    assert.equal(sizeOf(pdf), size)
  }
  await shown(owner, 'company/set_logo', { content: base64(png(400, 100)) })
  const pdf = await printed(owner, 'order-confirmation', { id: order_id })
  assert.match(pdf.toString('latin1'), /\/Subtype \/Image/)
})

rule('papers.roles', async () => {
  const made = await place()
  const manager = await given.user(made.company, 'manager')
  const forWorkers = ['packing-slip', 'job-sheet', 'labels']
  const parameters = parametersOf(made)
  assert.deepEqual(Object.keys(parameters), [...paperKinds])
  for (const kind of paperKinds) {
    const of = parameters[kind] ?? {}
    assert.deepEqual(await answer(manager, kind, of), [200, 'printed'])
    if (forWorkers.includes(kind)) containsNone(await text(made.worker, kind, of), iban)
    else assert.deepEqual(await answer(made.worker, kind, of), [403, 'Your role does not allow this'])
  }
})

rule('papers.company', async () => {
  const made = await place()
  const other = await given.user(await given.company())
  for (const [kind, parameters] of Object.entries(parametersOf(made)))
    assert.deepEqual(await answer(other, kind, parameters), [404, 'Document not found'], kind)
  const own = await place()
  for (const [kind, parameters] of Object.entries(parametersOf(own))) {
    const named = (company: number) => answer(own.owner, kind, { ...parameters, company: String(company) })
    assert.deepEqual(await named(own.company.id), [200, 'printed'], kind)
    assert.deepEqual(
      await named(made.company.id),
      [403, 'Another user is signed in'],
      `${kind} of a page of another company`,
    )
  }
  const both = { items: `${own.table},999999` }
  assert.deepEqual(await answer(own.owner, 'labels', both), [404, 'Document not found'])
})

rule('papers.refused', async () => {
  const company: Company = await given.company()
  const owner = await given.user(company)
  const cases: readonly (readonly [string, Parameters, number, string])[] = [
    ['invoice', { id: 1 }, 404, 'Document not found'],
    ['constructor', { id: 1 }, 404, 'Document not found'],
    ['order-confirmation', {}, 400, 'No id in input'],
    ['order-confirmation', { id: 'x' }, 404, 'Document not found'],
    ['order-confirmation', { id: '99999999999999999999' }, 404, 'Document not found'],
    ['order-confirmation', { id: 1, language: 'fr' }, 400, 'Invalid language value. Must be one of: en, de, ru'],
    ['packing-slip', { id: 1, shipment: 0 }, 400, 'Invalid shipment value. Must be between 1 and 2147483647'],
    ['packing-slip', { id: 1, shipment: 'a' }, 400, 'Invalid shipment value. Must be between 1 and 2147483647'],
    ['labels', {}, 400, 'No items in input'],
    ['labels', { items: '1x0' }, 400, 'Invalid items value. Must be ids with quantities, such as 7x3,9'],
    ['labels', { items: '1;2' }, 400, 'Invalid items value. Must be ids with quantities, such as 7x3,9'],
    ['labels', { items: '1x1001' }, 400, 'Too many labels. Must be at most 1000'],
    [
      'labels',
      { items: Array.from({ length: 101 }, (_, at) => at + 1).join(',') },
      400,
      'Too many items. Must be at most 100',
    ],
    [
      'labels',
      { items: 1, sheet: 'a5' },
      400,
      'Invalid sheet value. Must be one of: a4-3x8, a4-3x7, letter-3x10, letter-2x5, roll-62',
    ],
    ['labels', { items: 1, code: 'ean8' }, 400, 'Invalid code value. Must be one of: code128, qr'],
    ['labels', { items: 1, first: 25 }, 400, 'Invalid first value. Must be between 1 and 24'],
  ]
  for (const [kind, parameters, status, error] of cases)
    assert.deepEqual(await answer(owner, kind, parameters), [status, error], JSON.stringify(parameters).slice(0, 60))
  const twice = await fetch(`${url()}/screens/documents/labels?items=1&items=2`, {
    headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(twice.status, 400)
})

rule('papers.signed', async () => {
  const { owner, order_id } = await place()
  assert.equal((await answer(undefined, 'packing-slip', { id: order_id }))[0], 401)
  assert.deepEqual(await answer(owner, 'packing-slip', { id: order_id }, 'cross-site'), [
    403,
    'Request comes from another site',
  ])
  assert.deepEqual(await answer(owner, 'packing-slip', { id: order_id }, 'none'), [200, 'printed'])
})
