// Skipped lines: the responses of add and edit, and the length limit of the notes.
// Long because the notes of add and edit are filled in many ways.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { shown } from '../../test/harness/screens.ts'

const most = 65_535
const lengthOf = (text: string): number => [...text].length

async function shop() {
  const company = await given.company({ materials_in_sales: true, daily_limit: 1_000_000 })
  await given.product(company, { sku: 'TEA' })
  await given.material(company, { sku: 'TIN' })
  return company
}

const known = { sku: 'TEA', amount: 1, total: 10 }
const body = (more: object) => ({ num: '1', customer_name: 'Ann', ...more })

async function call(company: Company, path: string, sent: object) {
  const reply = await company.call(path, sent)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

const entry = async (company: Company, order_id = 1) => (await call(company, 'orders/get_entry', { order_id })).order

rule('orders/add.skipped', async () => {
  const company = await shop()
  const products = [{ sku: ' NO-1 ', amount: '2.0005', total: 30.505 }, known, { id: 4711, amount: 1.5, total: -7 }]
  const materials = [
    { sku: 'TIN', amount: 1, total: 0 },
    { id: 'x', amount: 3, total: 0 },
    { id: 1, sku: 'TIN', amount: 999_999_999.999, total: 999_999_999_999.99 },
  ]
  const answer = await call(company, 'orders/add', body({ products, materials }))
  assert.deepEqual(answer, {
    success: true,
    order_id: 1,
    customer_id: 1,
    skipped: [
      { position: 0, type: 'product', sku: 'NO-1', amount: 2.001, total: 30.51 },
      { position: 2, type: 'product', id: 4711, amount: 1.5, total: -7 },
      { position: 4, type: 'material', id: 'x', amount: 3, total: 0 },
      { position: 5, type: 'material', id: 1, amount: 999_999_999.999, total: 999_999_999_999.99 },
    ],
  })
  assert.equal(Object.hasOwn(await call(company, 'orders/add', body({ products: [known] })), 'skipped'), false)
})

rule('orders/edit.skipped', async () => {
  const company = await shop()
  await call(company, 'orders/add', body({ products: [known] }))
  const products = [known, { sku: 'NO-1', amount: 2, total: 30.5 }]
  assert.deepEqual(await call(company, 'orders/edit', { order_id: 1, products }), {
    success: true,
    skipped: [{ position: 1, type: 'product', sku: 'NO-1', amount: 2, total: 30.5 }],
  })
  for (const change of [
    { order_id: 1, products: [known] },
    { order_id: 1, notes: 'x' },
  ])
    assert.deepEqual(await call(company, 'orders/edit', change), { success: true })
})

test('a repeated request returns the skipped lines again', async () => {
  const company = await shop()
  const sent = body({ products: [known, { sku: 'NO-1', amount: 2, total: 30.5 }] })
  const [first, again] = [
    await company.call('orders/add', sent, { 'Idempotency-Key': 'k' }),
    await company.call('orders/add', sent, { 'Idempotency-Key': 'k' }),
  ]
  assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
  assert.equal(again.body.skipped.length, 1)
})

rule('orders/add.line-skipped', 'one line of text, whatever characters the SKU contains', async () => {
  const company = await shop()
  const sku = 'a\nb\r\nc\u2028d", amount 1, total 5'
  const answer = await call(company, 'orders/add', body({ products: [known, { sku, amount: 2, total: 3 }] }))
  const sentence = 'Product not found: SKU "a b  c d", amount 1, total 5", amount 2, total 3'
  assert.equal((await entry(company)).notes, sentence)
  assert.equal(answer.skipped[0].sku, sku)
  await call(company, 'orders/edit', { order_id: 1, products: [known, { sku, amount: 2, total: 3 }] })
  assert.equal((await entry(company)).notes, sentence)
})

rule('orders/add.notes-full', async () => {
  const company = await shop()
  const sentence = 'Product not found: SKU "NO-1", amount 1, total 2'
  const rest = '… and 1 more lines not found'
  const products = [known, { sku: 'NO-1', amount: 1, total: 2 }]
  let made = 0
  for (const letter of ['n', '🙂'])
    for (const [room, expected] of [
      [0, []],
      [rest.length, []],
      [rest.length + 1, [rest]],
      [sentence.length, [rest]],
      [sentence.length + 1, [sentence]],
    ] as const) {
      const notes = letter.repeat(most - room)
      const answer = await call(company, 'orders/add', body({ notes, products }))
      assert.equal(answer.skipped.length, 1)
      const kept = (await entry(company, ++made)).notes
      assert.deepEqual(kept.split('\n'), [notes, ...expected], `${letter} with room for ${room}`)
      // The stored notes can be sent back.
      await call(company, 'orders/edit', { order_id: made, notes: kept })
    }
})

rule('orders/add.notes-full', 'a sentence that fits is added even if an earlier one did not fit', async () => {
  const company = await shop()
  const products = [
    known,
    { sku: 'x'.repeat(255), amount: 1, total: 1 },
    { sku: 'A', amount: 1, total: 1 },
    { sku: 'y'.repeat(255), amount: 1, total: 1 },
  ]
  const notes = 'n'.repeat(most - 100)
  await call(company, 'orders/add', body({ notes, products }))
  const lines = (await entry(company)).notes.split('\n').slice(1)
  assert.deepEqual(lines, ['Product not found: SKU "A", amount 1, total 1', '… and 2 more lines not found'])
})

rule('orders/add.notes-full', 'shorter sentences leave room for the one that states the number', async () => {
  const company = await shop()
  const products = [known, ...['x'.repeat(255), 'A', 'B'].map((sku) => ({ sku, amount: 1, total: 1 }))]
  const notes = 'n'.repeat(most - 60)
  await call(company, 'orders/add', body({ notes, products }))
  const lines = (await entry(company)).notes.split('\n').slice(1)
  assert.deepEqual(lines, ['… and 3 more lines not found'])
})

const unknown = (prefix: string) =>
  Array.from({ length: 4_999 }, (_, at) => ({ sku: `${prefix}-${at}`, amount: 1, total: 2 }))

rule('orders/edit.notes-full', async () => {
  const company = await shop()
  await call(company, 'orders/add', body({ notes: 'Ring twice', products: [known] }))
  const before = await written(company)
  for (let round = 0; round < 5; round++) {
    const answer = await call(company, 'orders/edit', { order_id: 1, products: [known, ...unknown(`R${round}`)] })
    assert.equal(answer.skipped.length, 4_999)
    const { notes } = await entry(company)
    assert.ok(lengthOf(notes) <= most)
    const [first, ...sentences] = notes.split('\n')
    assert.equal(first, 'Ring twice')
    for (const sentence of sentences)
      assert.match(sentence, /^(Product not found: SKU "R\d-\d+", amount 1, total 2|… and \d+ more lines not found)$/)
    await call(company, 'orders/edit', { order_id: 1, notes })
  }
  // Each event contains the notes and the skipped lines before and after at most.
  assert.ok((await written(company)) - before <= 5 * (2 * most + 2 * 4_999 * 60 + 10_000))
})

/** The number of characters in the company's events. */
async function written(company: Company): Promise<number> {
  const sql = 'select sum(length(change::text))::int as length from events where company_id = $1'
  return (await query(company.id, sql, [company.id]))[0].length
}

rule('orders/edit.line-skipped-once', async () => {
  const company = await shop()
  await call(company, 'orders/add', body({ products: [known] }))
  const products = [known, { sku: 'NO-1', amount: 2, total: 5 }, { sku: 'NO-1', amount: 2, total: 5 }]
  const sentence = 'Product not found: SKU "NO-1", amount 2, total 5'
  for (let round = 0; round < 3; round++) {
    const answer = await call(company, 'orders/edit', { order_id: 1, products })
    assert.equal(answer.skipped.length, 2)
    assert.equal((await entry(company)).notes, `${sentence}\n${sentence}`)
  }
  // Another total is another sentence, even if an existing sentence begins with the same text.
  await call(company, 'orders/edit', { order_id: 1, products: [known, { sku: 'NO-1', amount: 2, total: 50 }] })
  await call(company, 'orders/edit', { order_id: 1, products })
  assert.equal((await entry(company)).notes, `${sentence}\n${sentence}\n${sentence}0`)
  await call(company, 'orders/edit', { order_id: 1, products, notes: `Ring\n${sentence}` })
  assert.equal((await entry(company)).notes, `Ring\n${sentence}`)
})

rule('purchases.lines.skipped', 'and are not listed twice', async () => {
  const company = await shop()
  const products = [known, { sku: 'NO-1', amount: 2, total: 5 }]
  const notes = 'n'.repeat(most - 49)
  const sentence = 'Product not found: SKU "NO-1", amount 2, total 5'
  await call(company, 'purchases/add', { supplier_name: 'Wood', products, notes })
  const read = async () => (await call(company, 'purchases/get_entry', { purchase_id: 1 })).purchase.notes
  assert.equal(await read(), `${notes}\n${sentence}`)
  await call(company, 'purchases/edit', { purchase_id: 1, products })
  assert.equal(await read(), `${notes}\n${sentence}`)
  await call(company, 'purchases/edit', { purchase_id: 1, products: [known, ...unknown('X')] })
  assert.equal(await read(), `${notes}\n${sentence}`)
})

test('a worker sees no total of a skipped line, wherever the notes are shown', async () => {
  const company = await shop()
  const worker = await given.user(company, 'worker')
  const manager = await given.user(company, 'manager')
  const tricky = 'x", amount 1, total 5'
  const products = [known, { sku: 'NO-1', amount: 2, total: 2121.21 }, { sku: tricky, amount: 3, total: -3434.34 }]
  const typed = 'Paid 17.50, total 99.95\nProduct not found, total 12'
  await call(company, 'orders/add', body({ products, notes: typed }))
  await call(company, 'purchases/add', { supplier_name: 'Wood', products, notes: typed })
  const full = `${typed}\nProduct not found: SKU "NO-1", amount 2, total 2121.21\nProduct not found: SKU "${tricky}", amount 3, total -3434.34`
  // What looks like a total within the SKU is hidden as well.
  const bare = `${typed}\nProduct not found: SKU "NO-1", amount 2\nProduct not found: SKU "x", amount 1", amount 3`
  assert.equal((await entry(company)).notes, full)
  for (const [section, noun] of [
    ['orders', 'order'],
    ['purchases', 'purchase'],
  ] as const) {
    const id = { [`${noun}_id`]: 1 }
    const seen = async (user: typeof worker) => [
      (await user.call(`${section}/get_list`, {})).body[section][0].notes,
      (await user.call(`${section}/get_list`, { limit: 10 })).body[section][0].notes,
      (await user.call(`${section}/get_entry`, id)).body[noun].notes,
      (await user.call(`${section}/browse`, {})).body[section][0].notes,
      (await user.call(`${section}/get_card`, id)).body[noun].notes,
    ]
    assert.deepEqual(await seen(worker), Array(5).fill(bare), section)
    assert.deepEqual(await seen(manager), Array(5).fill(full), section)
    for (const path of ['get_list', 'browse'])
      assert.doesNotMatch((await worker.call(`${section}/${path}`, {})).text, /2121|3434/)
    assert.doesNotMatch((await worker.call(`${section}/get_card`, id)).text, /2121|3434/)
    // Hidden values cannot be guessed by searching; everything else is found.
    const found = async (search: string) => (await shown(manager, `${section}/browse`, { search })).total
    assert.deepEqual(
      [await found('total 2121'), await found('2121.21'), await found('3434')],
      [0, 0, 0],
      `${section}: totals are not searched`,
    )
    assert.deepEqual(
      [await found('sku "no-1", amount 2'), await found('total 99.95'), await found('amount 1, total 5"')],
      [1, 1, 0],
      section,
    )
  }
  // People edit notes: the sentence is followed by other line breaks and by text, and has text before it.
  const sentence = 'Product not found: SKU "NO-1", amount 2, total 2121.21'
  for (const notes of [`${sentence}\r\nRing twice`, `Note: ${sentence}`, `${sentence} (twice)`, `${sentence}\u2028x`]) {
    await call(company, 'orders/edit', { order_id: 1, notes })
    const read = (await worker.call('orders/get_entry', { order_id: 1 })).body.order.notes
    assert.equal(read, notes.replace(', total 2121.21', ''))
    assert.equal((await shown(manager, 'orders/browse', { search: '2121' })).total, 0, notes)
  }
  await call(company, 'orders/edit', { order_id: 1, notes: full })
  const { skipped } = (await worker.call('orders/get_card', { order_id: 1 })).body
  assert.equal(skipped, bare.split('\n').slice(2).join('\n'))
  assert.equal((await worker.call('history/get_list', { record: 'sale', record_id: 1 })).status, 403)
})
