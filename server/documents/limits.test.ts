// Figures derived from valid input that exceed what the tables can store: always a refusal, never a failure.

import assert from 'node:assert/strict'
import { assertDeclared } from '../test/contract/answers.ts'
import { broken, level } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { rule } from '../test/harness/rule.ts'
import { declared, refusal } from '../test/harness/screens.ts'

const most = 999_999_999.999
const dearest = 999_999_999_999.99

async function call(company: Company, path: string, body: object) {
  const reply = await company.call(path, body)
  assertDeclared(declared(path), reply, JSON.stringify(body).slice(0, 200))
  return reply
}
async function accepts(company: Company, path: string, body: object) {
  const reply = await call(company, path, body)
  assert.equal(reply.status, 200, `${path}: ${reply.text}`)
  return reply.body
}
async function refuses(company: Company, path: string, body: object, error: string) {
  const reply = await call(company, path, body)
  assert.deepEqual([reply.status, reply.body], [400, { success: false, error }], path)
}

/** Two products; A has a unit cost of 10^15. */
async function dear() {
  const company = await given.company({ daily_limit: 1_000_000 })
  const a = await given.product(company, { sku: 'A' })
  const b = await given.product(company, { sku: 'B' })
  const buy = async (sku: string, amount = 0.001, total = dearest): Promise<number> =>
    (await accepts(company, 'purchases/add', { supplier_name: 'S', status: 3, products: [{ sku, amount, total }] }))
      .purchase_id
  return { company, a, b, buy }
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)
const tooLarge = 'Amount is too large for product with SKU "A"'
const sale = (products: readonly object[]) => ({ num: '1', customer_name: 'C', products })
const line = { sku: 'A', amount: most, total: 1 }

rule('number.derived-too-large', 'the sum of the costs of a sale', async () => {
  const { company, a, buy } = await dear()
  await buy('A')
  // A thousand lines cost just below 10^27; the next one is the first that exceeds it.
  await accepts(company, 'orders/add', sale(times(1_000, line)))
  const first = { id: a.id, amount: most, total: 1 }
  await refuses(
    company,
    'orders/add',
    sale([...times(1_000, line), first, ...times(199, line)]),
    `Amount is too large for product with id ${a.id}`,
  )
  await refuses(company, 'orders/edit', { order_id: 1, products: times(1_200, line) }, tooLarge)
  assert.equal((await accepts(company, 'orders/get_entry', { order_id: 1 })).order.lines, 1_000)
  assert.deepEqual(await broken(company.id), [])
})

rule('number.derived-too-large', 'the cost of one line', async () => {
  const { company, buy } = await dear()
  await buy('B')
  const { product_id: costly } = await accepts(company, 'products/add', {
    name: 'Costly',
    sku: 'COSTLY',
    components: [{ type: 'product', sku: 'B', amount: 1_000_000 }],
  })
  await accepts(company, 'productions/add', { status: 3, products: [{ id: costly, amount: 1 }] })
  const error = 'Amount is too large for product with SKU "COSTLY"'
  const costlyLine = { sku: 'COSTLY', amount: 999_999_999 }
  await refuses(company, 'orders/add', sale([line, { ...costlyLine, total: 1 }]), error)
  await refuses(company, 'writeoffs/add', { products: [costlyLine] }, error)
  const between = { storage_from_id: company.productsStorageId, storage_to_id: company.materialsStorageId }
  await refuses(company, 'transfers/add', { ...between, products: [costlyLine] }, error)
  const counted = { storage_id: company.productsStorageId, products: [{ sku: 'COSTLY', counted: 999_999_999 }] }
  await refuses(company, 'audits/add', counted, error)
  await refuses(company, 'audits/add', { ...counted, status: 3 }, error)
  await accepts(company, 'products/add', {
    name: 'Costlier',
    sku: 'COSTLIER',
    components: [{ type: 'product', sku: 'COSTLY', amount: 1_000_000 }],
  })
  await refuses(
    company,
    'productions/add',
    { status: 3, products: [{ sku: 'COSTLIER', amount: 0.001 }] },
    'Amount is too large for product with SKU "COSTLIER"',
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('number.derived-too-large', 'when goods are issued after the lines were written', async () => {
  const { company, a, buy } = await dear()
  await accepts(company, 'orders/add', sale(times(1_200, line)))
  await buy('A')
  await refuses(company, 'orders/update_status', { order_id: 1, status: 3 }, tooLarge)
  const user = await given.user(company, 'manager')
  const lines = times(1_100, { id: a.id, amount: most })
  assert.equal(await refusal(user, 'orders/ship_part', { order_id: 1, lines }), tooLarge)
  assert.equal((await accepts(company, 'orders/get_entry', { order_id: 1 })).order.status, 0)
  await accepts(company, 'orders/update_status', { order_id: 1, status: 4 })
  const between = { storage_from_id: company.productsStorageId, storage_to_id: company.materialsStorageId }
  const many = times(1_200, { sku: 'B', amount: most })
  await accepts(company, 'transfers/add', { ...between, status: 0, products: many })
  await buy('B')
  const error = 'Amount is too large for product with SKU "B"'
  await refuses(company, 'transfers/update_status', { transfer_id: 1, status: 1 }, error)
  assert.deepEqual(await level(company, a.id), { on_hand: '0.001', reserved: '0.000' })
  assert.deepEqual(await broken(company.id), [])
})

rule('number.derived-too-large', 'the text for a material, and for a line by id', async () => {
  const { company } = await dear()
  const { id } = await given.material(company, { sku: 'M' })
  await accepts(company, 'purchases/add', {
    supplier_name: 'S',
    status: 3,
    materials: [{ sku: 'M', amount: 0.001, total: dearest }],
  })
  const bySku = times(1_001, { sku: 'M', amount: most })
  const byId = times(1_001, { id: String(id), amount: most })
  await refuses(company, 'writeoffs/add', { materials: bySku }, 'Amount is too large for material with SKU "M"')
  await refuses(company, 'writeoffs/add', { materials: byId }, `Amount is too large for material with id ${id}`)
})

rule('purchases.cost.negative', 'of the largest amounts', async () => {
  const { company } = await dear()
  const products = [
    { sku: 'A', amount: 0.001, total: dearest },
    { sku: 'B', amount: 0.001, total: -dearest + 0.01 },
  ]
  const body = { supplier_name: 'S', products, delivery_price: dearest, status: 3 }
  const { purchase_id } = await accepts(company, 'purchases/add', body)
  const { purchase } = await accepts(company, 'purchases/get_entry', { purchase_id })
  assert.deepEqual([purchase.products[0].cost, purchase.adjustment], [2 * dearest, 0])
  assert.deepEqual(await broken(company.id), [])
})

rule('number.derived-too-large', 'when a document is reversed', async () => {
  const { company, buy } = await dear()
  await buy('A')
  await accepts(company, 'orders/add', sale(times(1_000, line)))
  await accepts(company, 'orders/update_status', { order_id: 1, status: 3 })
  // Goods sold before they were received are issued at no cost; after the return, their value remains on very few goods.
  const { purchase_id } = await accepts(company, 'purchases/add', {
    supplier_name: 'S',
    status: 3,
    products: times(1_000, { sku: 'A', amount: most, total: 0 }),
  })
  await accepts(company, 'orders/update_status', { order_id: 1, status: 0 })
  await refuses(company, 'purchases/delete', { purchase_id }, tooLarge)
  await refuses(company, 'purchases/update_status', { purchase_id, status: 0 }, tooLarge)
  assert.deepEqual(await broken(company.id), [])
})
