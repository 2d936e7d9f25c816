// Made-to-order production: what a sale requires, and what happens to its production when the sale changes.

import assert from 'node:assert/strict'
import { broken } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { ordered, productions, shown } from '../../harness/made-to-order.ts'
import { accepts } from '../../harness/record-calls.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, setStatus } from '../../harness/sold.ts'

rule('production.created', async () => {
  const company = await given.company({ materials_in_sales: true })
  const material = await given.material(company, {})
  const made_of = material.id
  const [one, two] = [await given.product(company, { made_of }), await given.product(company, { made_of })]
  const bought = await given.product(company, {})
  const order = await given.sale(company, {
    products: [
      { id: two.id, amount: 2.5, total: 10 },
      { id: bought.id, amount: 3, total: 10 },
      { id: one.id, amount: 1, total: 10 },
    ],
    materials: [{ id: material.id, amount: 4, total: 10 }],
    production: 1,
  })
  // its product lines in their order; neither the material nor what is bought
  const lines = [
    [two.id, 2.5],
    [one.id, 1],
  ]
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 0, sale: order, lines }])
})

rule('production.created', 'an edit turns it on', async () => {
  const { company, product, order } = await ordered({ production: 0 })
  assert.deepEqual(await productions(company), [])
  assert.deepEqual(await shown(company, order), [0, null])
  await accepted(company, 'orders/edit', { order_id: order, production: 1 })
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 0, sale: order, lines: [[product, 2.5]] }])
  assert.deepEqual(await shown(company, order), [1, 'M-1'])
})

rule('production.created', 'turned on again, it keeps the same production', async () => {
  const { company, product, order } = await ordered()
  await accepted(company, 'orders/edit', { order_id: order, production: 1 })
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 0, sale: order, lines: [[product, 2.5]] }])
})

rule(
  'production.created',
  'without it a sale is fulfilled from stock, regardless of the company’s default',
  async () => {
    const company = await given.company({ default_fulfillment: 'production' })
    const order = await given.sale(company, {})
    assert.deepEqual(await shown(company, order), [0, null])
    assert.deepEqual(await productions(company), [])
  },
)

rule('production.number', async () => {
  const { company, product, order } = await ordered()
  const products = [{ id: product, amount: 1, total: 10 }]
  await given.sale(company, { products })
  const second = await given.sale(company, { products, production: 1 })
  assert.deepEqual(await shown(company, order), [1, 'M-1'])
  assert.deepEqual(await shown(company, second), [1, 'M-2'])
  const { body } = await company.call('orders/get_list', {})
  const numbers = Object.fromEntries(
    body.orders.map((sale: { id: number; production_num: string | null }) => [sale.id, sale.production_num]),
  )
  assert.deepEqual(numbers, { 1: 'M-1', 2: null, 3: 'M-2' })
})

rule('production.number', 'a number is never assigned twice', async () => {
  const { company, product, order } = await ordered()
  await accepted(company, 'orders/delete', { order_id: order })
  const next = await given.sale(company, { products: [{ id: product, amount: 1, total: 10 }], production: 1 })
  assert.deepEqual(await shown(company, next), [1, 'M-2'])
})

rule('documents.number.taken', 'for the production of a sale', async () => {
  const { company, product } = await ordered()
  const products = [{ id: product, amount: 1, total: 10 }]
  await accepts(company, 'productions/add', { num: 'M-2', products: [{ id: product, amount: 1 }] })
  const second = await given.sale(company, { products, production: 1 })
  assert.deepEqual(await shown(company, second), [1, 'M-3'])
  await accepts(company, 'productions/add', { num: 'M-4', products: [{ id: product, amount: 1 }] })
  const { production_id } = await accepts(company, 'productions/add', { products: [{ id: product, amount: 1 }] })
  const { production } = await accepts(company, 'productions/get_entry', { production_id })
  assert.equal(production.num, 'M-5')
})

rule('production.number', 'a refused request takes no number', async () => {
  const { company, product } = await ordered()
  const products = [{ id: product, amount: 1, total: 10 }]
  const refused = await company.call('orders/add', { num: '5', products, production: 1, customer_id: 999 })
  assert.equal(refused.status, 400)
  assert.deepEqual(await shown(company, await given.sale(company, { products, production: 1 })), [1, 'M-2'])
})

rule('production.number', 'companies count separately', async () => {
  const [one, two] = [await ordered(), await ordered()]
  assert.deepEqual(await shown(one.company, one.order), [1, 'M-1'])
  assert.deepEqual(await shown(two.company, two.order), [1, 'M-1'])
})

rule('production.follows', async () => {
  const { company, product, other, order } = await ordered()
  const products = [
    { id: other, amount: 3, total: 10 },
    { id: product, amount: 0.001, total: 10 },
  ]
  await accepted(company, 'orders/edit', { order_id: order, products })
  const lines = [
    [other, 3],
    [product, 0.001],
  ]
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 0, sale: order, lines }])
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: other, amount: 8, total: 10 }] })
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 0, sale: order, lines: [[other, 8]] }])
  assert.deepEqual(await shown(company, order), [1, 'M-1'])
})

rule('production.follows', 'a started one keeps its contents', async () => {
  const { company, product, order } = await ordered()
  await given.productionStatus(company, 'M-1', 1)
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 6, total: 10 }] })
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 1, sale: order, lines: [[product, 2.5]] }])
  assert.deepEqual(await shown(company, order), [1, 'M-1'])
})

rule('production.follows', 'shipping the sale keeps it', async () => {
  const { company, product, order } = await ordered()
  await setStatus(company, order, 3)
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 0, sale: order, lines: [[product, 2.5]] }])
})

const endings = [
  [
    'turning it off',
    (company: Company, order: number) => accepted(company, 'orders/edit', { order_id: order, production: 0 }),
  ],
  ['canceling the sale', (company: Company, order: number) => setStatus(company, order, 4)],
  ['deleting the sale', (company: Company, order: number) => accepted(company, 'orders/delete', { order_id: order })],
] as const

for (const [name, end] of endings) {
  rule('production.removed', name, async () => {
    const { company, order } = await ordered()
    await end(company, order)
    assert.deepEqual(await productions(company), [])
  })

  rule('production.started-stays', name, async () => {
    const { company, product, order } = await ordered()
    await given.productionStatus(company, 'M-1', 1)
    await end(company, order)
    assert.deepEqual(await productions(company), [{ num: 'M-1', status: 1, sale: null, lines: [[product, 2.5]] }])
  })
}

for (const status of [0, 1] as const) {
  rule(
    'production.removed',
    `the sale shows none after turning it off (${status === 0 ? 'planned' : 'started'})`,
    async () => {
      const { company, order } = await ordered()
      await given.productionStatus(company, 'M-1', status)
      await accepted(company, 'orders/edit', { order_id: order, production: 0 })
      assert.deepEqual(await shown(company, order), [0, null])
    },
  )

  rule('production.canceled-keeps-mark', status === 0 ? 'it was planned' : 'it was started', async () => {
    const { company, order } = await ordered()
    await given.productionStatus(company, 'M-1', status)
    await setStatus(company, order, 4)
    assert.deepEqual(await shown(company, order), [1, null])
  })
}

rule('production.nothing-to-make', async () => {
  const { company, product, material } = await ordered({}, { materials_in_sales: true })
  const bought = await given.product(company, {})
  const materials = [{ id: material, amount: 1, total: 10 }]
  const products = [{ id: bought.id, amount: 1, total: 10 }]
  const before = await productions(company)
  for (const lines of [{ materials, products: [] }, { products }, { products, materials }]) {
    const order = await given.sale(company, { ...lines, production: 1 })
    assert.deepEqual(await shown(company, order), [1, null])
    assert.deepEqual(await productions(company), before)
    // An edit that orders something to make creates the production, and one that no longer does removes it.
    await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 2, total: 10 }] })
    const [, made] = await productions(company)
    assert.deepEqual([made.sale, made.lines], [order, [[product, 2]]])
    await accepted(company, 'orders/edit', { order_id: order, ...lines })
    assert.deepEqual(await shown(company, order), [1, null])
    assert.deepEqual(await productions(company), before)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('production.shipped-at-once', async () => {
  const { company, product, order } = await ordered({}, { default_sale_status: 3 })
  assert.deepEqual(await shown(company, order), [1, null])
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 4, total: 10 }] })
  await setStatus(company, order, 4)
  await setStatus(company, order, 3)
  assert.deepEqual(await shown(company, order), [1, null])
  assert.deepEqual(await productions(company), [])
  // Once its goods are needed again they are made.
  await setStatus(company, order, 0)
  assert.deepEqual(await shown(company, order), [1, 'M-1'])
  assert.deepEqual(await broken(company.id), [])
})

rule('production.canceled-replaced', async () => {
  const { company, product, order } = await ordered()
  await given.productionStatus(company, 'M-1', 4)
  await setStatus(company, order, 1)
  assert.deepEqual(await shown(company, order), [1, 'M-1'])
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 5, total: 10 }] })
  assert.deepEqual(await shown(company, order), [1, 'M-2'])
  assert.deepEqual(await productions(company), [
    { num: 'M-1', status: 4, sale: null, lines: [[product, 2.5]] },
    { num: 'M-2', status: 0, sale: order, lines: [[product, 5]] },
  ])
  // One that is started stays, until it is canceled and the sale is edited: also when only its skipped lines change.
  await given.productionStatus(company, 'M-2', 1)
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 6, total: 10 }] })
  assert.deepEqual(await shown(company, order), [1, 'M-2'])
  const [known, unknown] = [product, product + 1_000].map((id) => ({ id, amount: 6, total: 10 }))
  const { status } = await company.call('orders/edit', { order_id: order, products: [known, unknown], notes: 'Urgent' })
  assert.equal(status, 200)
  // Without the sentence about the skipped line.
  await accepted(company, 'orders/edit', { order_id: order, notes: 'Urgent' })
  await given.productionStatus(company, 'M-2', 4)
  await accepted(company, 'orders/edit', { order_id: order, notes: 'Urgent' })
  assert.deepEqual(await shown(company, order), [1, 'M-2'])
  await accepted(company, 'orders/edit', { order_id: order, products: [known] })
  assert.deepEqual(await shown(company, order), [1, 'M-3'])
  assert.deepEqual(await broken(company.id), [])
})
