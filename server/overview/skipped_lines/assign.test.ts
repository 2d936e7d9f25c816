// Assigning skipped lines to an item.

import assert from 'node:assert/strict'
import { broken, level, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'
import {
  add,
  events,
  known,
  listed,
  mug,
  sale,
  sentence,
  setStatus,
  shop,
  state,
} from '../../test/harness/skipped-lines.ts'

rule('skipped_lines.assign', async () => {
  const { company, cup, user } = await shop()
  const plain = await add(company, { notes: 'Ring twice' })
  const packed = await add(company, {
    products: [
      { sku: 'MUG', amount: 2, total: 30.5 },
      known,
      { sku: 'JUG', amount: 1, total: 1 },
      { sku: 'MUG', amount: 1, total: 4 },
    ],
  })
  await setStatus(company, packed, 1)
  assert.equal((await sale(company, plain)).notes, `Ring twice\n${sentence}`)
  const answer = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  assert.deepEqual([answer.documents, answer.remaining, answer.code_added], [2, 0, true])
  assert.deepEqual(await sale(company, plain), {
    lines: [[0, 'TEA', 1, 10], [1, 'CUP', 2, 30.5]], // biome-ignore format: lines
    notes: 'Ring twice',
    total: 40.5,
  })
  assert.deepEqual(await sale(company, packed), {
    lines: [[0, 'TEA', 1, 10], [1, 'CUP', 2, 30.5], [2, 'CUP', 1, 4]], // biome-ignore format: lines
    notes: 'Product not found: SKU "JUG", amount 1, total 1',
    total: 44.5,
  })
  assert.deepEqual(await level(company, cup.id), { on_hand: '0.000', reserved: '5.000' })
  assert.deepEqual(
    (await listed(user)).map((one: { sku: string }) => one.sku),
    ['JUG'],
  )
  // The next sale finds the item.
  const reply = await company.call('orders/add', {
    num: '9',
    customer_name: 'Ann',
    products: [{ sku: 'MUG', amount: 1, total: 1 }],
  })
  assert.deepEqual([reply.status, reply.body.skipped], [200, undefined])
  assert.deepEqual(await broken(company.id), [])
})

rule(
  'skipped_lines.assign',
  'product lines stay before material lines, and a full note loses its last sentence too',
  async () => {
    const { company, cup, user } = await shop()
    await given.material(company, { sku: 'TIN' })
    const order = await add(company, {
      notes: 'n'.repeat(65_535 - 40),
      materials: [{ sku: 'TIN', amount: 1, total: 2 }],
    })
    assert.match((await sale(company, order)).notes, /\n… and 1 more lines not found$/)
    await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
    const { lines, notes } = await sale(company, order)
    assert.deepEqual(
      lines.map(([, sku]) => sku),
      ['TEA', 'CUP', 'TIN'],
    )
    assert.equal(notes, 'n'.repeat(65_535 - 40))
    assert.deepEqual(await broken(company.id), [])
  },
)

rule('skipped_lines.assign.closed', async () => {
  const { company, cup, user } = await shop()
  const [shipped, canceled, part] = [await add(company), await add(company), await add(company)]
  await setStatus(company, shipped, 3)
  await setStatus(company, canceled, 4)
  await user.call('orders/ship_part', { order_id: part, lines: [{ id: 1, amount: 0.5 }] })
  const before = await sale(company, shipped)
  const answer = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  assert.equal(answer.documents, 1)
  assert.deepEqual((await sale(company, part)).lines[1], [1, 'CUP', 2, 30.5])
  assert.deepEqual(await sale(company, shipped), before)
  assert.equal((await listed(user, { closed: 1 }))[0].documents_count, 2)
  // A canceled sale that is opened again waits again.
  await setStatus(company, canceled, 0)
  assert.equal((await listed(user))[0].documents_count, 1)
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.assign.material', async () => {
  const { company, user } = await shop()
  const bare = await given.material(company, { sku: '' })
  const tin = await given.material(company, { sku: 'TIN' })
  const order = await add(company, {
    products: [known],
    materials: [{ sku: 'CAN', amount: 2, total: 3 }, { sku: 'BOX', amount: 1, total: 1 }],
  }) // biome-ignore format: lines
  const assign = (sku: string, item_id: number) =>
    shown(user, 'skipped_lines/assign', { type: 'material', sku, item_id })
  assert.equal((await assign('CAN', bare.id)).code_added, true)
  assert.equal((await assign('BOX', tin.id)).code_added, false)
  const { lines } = await sale(company, order)
  assert.deepEqual(
    lines.map(([, sku]) => sku),
    ['TEA', 'CAN', 'TIN'],
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.assign.id', async () => {
  const { company, cup, user } = await shop()
  const order = await add(company, { products: [known, { id: 'x7', amount: 2, total: 30.5 }] })
  const [{ id, type }] = await listed(user)
  const answer = await shown(user, 'skipped_lines/assign', { type, id, item_id: cup.id })
  assert.deepEqual([answer.documents, answer.code_added], [1, false])
  assert.deepEqual((await sale(company, order)).lines[1], [1, 'CUP', 2, 30.5])
  assert.equal((await sale(company, order)).notes, '')
})

rule('skipped_lines.assign.production', async () => {
  const { company, tea, cup, user } = await shop()
  await add(company, { production: 1 })
  const { step } = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  const made = () =>
    query(
      company.id,
      'select item_id::int, amount::float from production_lines where company_id = $1 order by position',
      [company.id],
    )
  assert.deepEqual(await made(), [
    { item_id: tea.id, amount: 1 },
    { item_id: cup.id, amount: 2 },
  ])
  assert.deepEqual(
    (await events(company, step)).map(({ record }) => record),
    ['product', 'production', 'sale'],
  )
  assert.deepEqual(await broken(company.id), [])
  await shown(user, 'skipped_lines/undo', { step })
  assert.deepEqual(await made(), [{ item_id: tea.id, amount: 1 }])
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.assign.production', 'new productions get numbers that none has', async () => {
  const { company, cup, user } = await shop()
  const bought = await given.product(company, { sku: 'BOUGHT' })
  const products = [
    { id: bought.id, amount: 1, total: 10 },
    { sku: 'MUG', amount: 2, total: 30.5 },
  ]
  for (let sales = 0; sales < 3; sales++) await add(company, { production: 1, products })
  const numbers = async (): Promise<unknown[]> => {
    const rows = await query(company.id, 'select num from productions where company_id = $1 order by num', [company.id])
    return rows.map(({ num }) => num)
  }
  assert.deepEqual(await numbers(), [])
  await company.call('productions/add', { num: 'M-2', products: [{ id: cup.id, amount: 1 }] })
  const { step } = await shown(user, 'skipped_lines/assign', { ...mug, item_id: cup.id })
  assert.deepEqual(await numbers(), ['M-1', 'M-2', 'M-3', 'M-4'])
  assert.deepEqual(await broken(company.id), [])
  await shown(user, 'skipped_lines/undo', { step })
  assert.deepEqual(await numbers(), ['M-2'])
  assert.deepEqual(await broken(company.id), [])
})

rule('skipped_lines.assign.refused', async () => {
  const { company, tea, cup, user } = await shop()
  const tin = await given.material(company, { sku: 'TIN' })
  await add(company)
  await add(company, { products: [known], materials: [{ sku: 'CAN', amount: 1, total: 1 }] })
  const before = await state(company)
  const assign = (more: object) => refusal(user, 'skipped_lines/assign', { ...mug, item_id: cup.id, ...more })
  assert.equal(await assign({ type: '' }), 'No type in input')
  assert.equal(await assign({ type: 'resource' }), 'Invalid type value. Must be one of: product, material')
  assert.equal(await assign({ sku: ' ' }), 'No sku, id or external_id in input')
  assert.equal(await assign({ item_id: '' }), 'No item_id in input')
  assert.equal(await assign({ sku: 'JUG' }), 'Skipped line not found')
  assert.equal(await assign({ sku: undefined, id: 7 }), 'Skipped line not found')
  assert.equal(await assign({ type: 'material', item_id: tin.id }), 'Skipped line not found')
  assert.equal(await assign({ item_id: 99 }), 'Product not found or access denied')
  assert.equal(await assign({ item_id: tin.id }), 'Product not found or access denied')
  assert.equal(await assign({ type: 'material', sku: 'CAN', item_id: tea.id }), 'Material not found or access denied')
  assert.deepEqual(await state(company), before)
  await company.call('products/edit', { product_id: tea.id, alt_skus: ['MUG'] })
  assert.equal(await assign({}), 'SKU "MUG" is already used')
  const owner = await given.user(company, 'owner')
  await owner.call('settings/edit', { materials_in_sales: 0 })
  assert.equal(
    await assign({ type: 'material', sku: 'CAN', item_id: tin.id }),
    'Materials in orders are disabled in company settings',
  )
  const alt_skus = Array.from({ length: 100 }, (_, at) => `A-${at}`)
  await company.call('products/edit', { product_id: tea.id, alt_skus: [] })
  await company.call('products/edit', { product_id: cup.id, alt_skus })
  assert.equal(await assign({}), 'Too many alt_skus. Must be at most 100')
})

rule('skipped_lines.assign.external-id', async () => {
  const { company, cup, user } = await shop()
  const other = await given.otherConnection(company)
  const products = [known, { external_id: '17', amount: 2, total: 30.5 }]
  const first = await add(company, { products })
  await other.call('orders/add', { num: 'B', customer_name: 'Ann', products })
  const entries = await listed(user)
  assert.deepEqual(
    entries.map((one: Record<string, unknown>) => [one['external_id'], one['documents_count']]),
    [
      ['17', 1],
      ['17', 1],
    ],
  )
  assert.notEqual(entries[0].connection_id, entries[1].connection_id)
  const of = { type: 'product', external_id: '17' }
  assert.equal(await refusal(user, 'skipped_lines/assign', { ...of, item_id: cup.id }), 'Skipped line not found')
  const { connection_id } = entries.find((one: { documents: { id: number }[] }) => one.documents[0]?.id === first)
  const answer = await shown(user, 'skipped_lines/assign', { ...of, connection_id, item_id: cup.id })
  assert.deepEqual([answer.documents, answer.code_added], [1, false])
  assert.deepEqual((await sale(company, first)).lines[1], [1, 'CUP', 2, 30.5])
  const [left, ...others] = await listed(user)
  assert.deepEqual([left.item_id, others], [null, []])
  await other.call('products/edit', { product_id: cup.id, external_id: '17' })
  assert.equal((await listed(user))[0].item_id, cup.id)
})
