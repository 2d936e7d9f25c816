// A canceled sale that is reopened: whether it is linked to its earlier production again, or gets a new one.

import assert from 'node:assert/strict'
import { broken } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { ordered, productions, shown } from '../../harness/made-to-order.ts'
import { rule } from '../../harness/rule.ts'
import { accepted, setStatus } from '../../harness/sold.ts'

const setProduction = (company: Company, id: number, status: number) =>
  accepted(company, 'productions/update_status', { production_id: id, status })

/** A sale with a started production of a product that has components. */
async function started(settings: object = {}) {
  const { company, product, other, order } = await ordered({}, settings)
  const material = await given.material(company)
  const components = [{ type: 'material', id: material.id, amount: 1 }]
  await accepted(company, 'products/edit', { product_id: product, components })
  await setProduction(company, 1, 1)
  return { company, product, other, order }
}

for (const [name, status] of [
  ['started', 1],
  ['finished', 3],
] as const) {
  rule('production.leaving-canceled', `it is ${name}`, async () => {
    const { company, product, order } = await started()
    await setProduction(company, 1, status)
    await setStatus(company, order, 4)
    assert.deepEqual(await shown(company, order), [1, null])
    for (const to of [0, 4, 3, 4, 1]) await setStatus(company, order, to)
    assert.deepEqual(await productions(company), [{ num: 'M-1', status, sale: order, lines: [[product, 2.5]] }])
    assert.deepEqual(await shown(company, order), [1, 'M-1'])
    assert.deepEqual(await broken(company.id), [])
  })

  rule('production.leaving-canceled', `it was ${name} after the sale was canceled`, async () => {
    const { company, product, order } = await started()
    await setStatus(company, order, 4)
    await setProduction(company, 1, status)
    await setStatus(company, order, 0)
    assert.deepEqual(await productions(company), [{ num: 'M-1', status, sale: order, lines: [[product, 2.5]] }])
  })
}

rule('production.leaving-canceled', 'it keeps its own lines until it is planned again', async () => {
  const { company, product, order } = await started()
  await setStatus(company, order, 4)
  await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 4, total: 10 }] })
  await setStatus(company, order, 0)
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 1, sale: order, lines: [[product, 2.5]] }])
  await setProduction(company, 1, 0)
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 0, sale: order, lines: [[product, 4]] }])
})

rule('production.leaving-canceled', 'a sale that is no longer made to order gets none, then or later', async () => {
  const { company, product, order } = await started()
  await setStatus(company, order, 4)
  await accepted(company, 'orders/edit', { order_id: order, production: 0 })
  await setStatus(company, order, 0)
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 1, sale: null, lines: [[product, 2.5]] }])
  assert.deepEqual(await shown(company, order), [0, null])
  await accepted(company, 'orders/edit', { order_id: order, production: 1 })
  assert.deepEqual(await shown(company, order), [1, 'M-2'])
  assert.deepEqual(await broken(company.id), [])
})

rule('production.leaving-canceled', 'only the one that the sale had when it was canceled', async () => {
  const { company, order } = await started()
  // Turned off, it is unlinked; turned on again, the sale has a new one.
  await accepted(company, 'orders/edit', { order_id: order, production: 0 })
  await accepted(company, 'orders/edit', { order_id: order, production: 1 })
  await setProduction(company, 2, 1)
  await setStatus(company, order, 4)
  await setStatus(company, order, 0)
  const sales = (await productions(company)).map(({ num, sale }) => [num, sale])
  assert.deepEqual(sales, [
    ['M-1', null],
    ['M-2', order],
  ])
})

for (const status of [0, 1]) {
  rule('production.leaving-canceled-new', `it was only planned, and the sale goes to ${status}`, async () => {
    const { company, product, order } = await ordered()
    await setStatus(company, order, 4)
    await setStatus(company, order, status)
    assert.deepEqual(await productions(company), [{ num: 'M-2', status: 0, sale: order, lines: [[product, 2.5]] }])
    assert.deepEqual(await shown(company, order), [1, 'M-2'])
  })
}

type Unlinked = { readonly company: Company; readonly product: number; readonly order: number }
const goneElsewhere: readonly (readonly [name: string, act: (given: Unlinked) => Promise<void>])[] = [
  ['it was canceled', ({ company }) => setProduction(company, 1, 4)],
  ['it is planned again', ({ company }) => setProduction(company, 1, 0)],
  ['it was deleted', ({ company }) => accepted(company, 'productions/delete', { production_id: 1 })],
  [
    'it was made for another sale',
    async ({ company, product }) => {
      const other = await given.sale(company, { products: [{ id: product, amount: 1, total: 10 }] })
      await accepted(company, 'productions/edit', { production_id: 1, order_id: other })
    },
  ],
  [
    'it was made for another sale for a while',
    async ({ company, product }) => {
      const other = await given.sale(company, { products: [{ id: product, amount: 1, total: 10 }] })
      await accepted(company, 'productions/edit', { production_id: 1, order_id: other })
      await accepted(company, 'productions/edit', { production_id: 1, order_id: 0 })
    },
  ],
]
for (const [name, act] of goneElsewhere) {
  rule('production.leaving-canceled-new', name, async () => {
    const made = await started()
    const { company, product, order } = made
    await setStatus(company, order, 4)
    await act(made)
    await accepted(company, 'orders/edit', { order_id: order, products: [{ id: product, amount: 4, total: 10 }] })
    await setStatus(company, order, 0)
    const latest = (await productions(company)).at(-1)
    assert.deepEqual(latest, { num: 'M-2', status: 0, sale: order, lines: [[product, 4]] })
    assert.deepEqual(await shown(company, order), [1, 'M-2'])
    // A production that was not relinked then is not relinked later either.
    await setStatus(company, order, 4)
    await setStatus(company, order, 0)
    assert.deepEqual(await shown(company, order), [1, 'M-3'])
    assert.deepEqual(await broken(company.id), [])
  })
}

rule('production.started-stays', 'deleting a canceled sale makes it available to another', async () => {
  const { company, product, order } = await started()
  await setStatus(company, order, 4)
  await accepted(company, 'orders/delete', { order_id: order })
  assert.deepEqual(await productions(company), [{ num: 'M-1', status: 1, sale: null, lines: [[product, 2.5]] }])
  const other = await given.sale(company, { products: [{ id: product, amount: 1, total: 10 }] })
  await accepted(company, 'productions/edit', { production_id: 1, order_id: other })
  assert.deepEqual(await shown(company, other), [1, 'M-1'])
  assert.deepEqual(await broken(company.id), [])
})
