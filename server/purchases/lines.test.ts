// Lines of purchases: skipped lines, totals, money, storage locations; the payment status; suppliers created concurrently.

import assert from 'node:assert/strict'
import { broken, level } from '../test/harness/database.ts'
import {
  addDocument,
  deleteDocument,
  documentOf,
  editDocument,
  listed,
  setStatus,
} from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { accepts, noMoney, noRecords, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('purchases.lines.skipped', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const added = await accepts(company, 'purchases/add', {
    supplier_name: 'Wood Ltd',
    products: [
      { sku: 'NONE', amount: 2, total: 30.5 },
      { id: item, amount: 4, total: 40 },
      { id: 987_654, amount: '1.0005', total: '2.675' },
    ],
    materials: [{ sku: 'NO-BOARD', amount: 3, total: 7 }],
    delivery_price: 2,
    notes: 'Urgent',
    status: 3,
  })
  assert.deepEqual(added.skipped, [
    { position: 0, type: 'product', sku: 'NONE', amount: 2, total: 30.5 },
    { position: 2, type: 'product', id: 987_654, amount: 1.001, total: 2.68 },
    { position: 3, type: 'material', sku: 'NO-BOARD', amount: 3, total: 7 },
  ])
  const id = added.purchase_id
  const sentences = [
    'Product not found: SKU "NONE", amount 2, total 30.5',
    'Product not found: id 987654, amount 1.001, total 2.68',
    'Material not found: SKU "NO-BOARD", amount 3, total 7',
  ]
  const record = await documentOf(company, 'purchases', id)
  assert.equal(record.notes, ['Urgent', ...sentences].join('\n'))
  assert.deepEqual([record.lines, record.subtotal, record.cost, record.products[0].cost], [1, 40, 42, 42])
  assert.equal((await level(company, item)).on_hand, '4.000')
  const products = [
    { id: item, amount: 1, total: 1 },
    { sku: 'GONE', amount: 1, total: 1 },
  ]
  const edit = (body: object) => accepts(company, 'purchases/edit', { purchase_id: id, ...body })
  const skipped = [{ position: 1, type: 'product', sku: 'GONE', amount: 1, total: 1 }]
  assert.deepEqual(await edit({ products }), { skipped })
  assert.deepEqual(await edit({ discount: 0 }), {})
  const gone = 'Product not found: SKU "GONE", amount 1, total 1'
  assert.equal((await documentOf(company, 'purchases', id)).notes, ['Urgent', ...sentences, gone].join('\n'))
  assert.deepEqual(await edit({ products, notes: 'New' }), { skipped })
  assert.equal((await documentOf(company, 'purchases', id)).notes, ['New', gone].join('\n'))
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.lines.all-unknown', async () => {
  const company = await given.company()
  const purchase_id = await addDocument(company, 'purchases')
  const line = { sku: 'NONE', amount: 1, total: 1 }
  const both = 'All products and materials have wrong SKU or id'
  for (const [lines, error] of [
    [{ products: [line] }, 'All products have wrong SKU or id'],
    [{ products: [line], materials: [] }, 'All products have wrong SKU or id'],
    [{ materials: [line] }, both],
    [{ products: [line], materials: [line] }, both],
  ] as const) {
    await refuses(company, 'purchases/add', { supplier_name: 'A', ...lines }, error)
    await refuses(company, 'purchases/edit', { purchase_id, ...lines }, error)
  }
})

rule('purchases.lines.no-total', async () => {
  const company = await given.company()
  const purchase_id = await addDocument(company, 'purchases')
  for (const more of [{}, { total: null }]) {
    const products = [{ sku: 'A', amount: 1, ...more }]
    await refuses(company, 'purchases/edit', { purchase_id, products }, 'Total not set for product with SKU "A"')
    const materials = [{ id: 7, amount: 1, ...more }]
    const error = 'Total not set for material with id 7'
    await refuses(company, 'purchases/add', { supplier_name: 'A', materials }, error)
  }
})

rule('purchases.lines.bad-total', async () => {
  const company = await given.company()
  for (const total of ['x', '', '1,5', true, [], {}]) {
    const products = [{ sku: 'A', amount: 1, total }]
    const error = 'Total must be a number for product with SKU "A"'
    await refuses(company, 'purchases/add', { supplier_name: 'A', products }, error)
  }
})

rule('purchases.lines.large-total', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const most = [{ id: item, amount: 1, total: '999999999999.99' }]
  assert.equal(
    (await documentOf(company, 'purchases', await addDocument(company, 'purchases', { products: most }))).lines,
    1,
  )
  const products = [{ id: item, amount: 1, total: '999999999999.995' }]
  const error = `Total is too large for product with id ${item}`
  await refuses(company, 'purchases/add', { supplier_name: 'A', products }, error)
})

rule('purchases.money.invalid', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const purchase_id = await addDocument(company, 'purchases')
  const products = [{ id: item, amount: 1, total: 1 }]
  for (const field of ['delivery_price', 'discount'])
    for (const value of noMoney) {
      const error = `Invalid ${field} value. Must be a number, 0 or greater`
      await refuses(company, 'purchases/add', { supplier_name: 'A', products, [field]: value }, error)
      await refuses(company, 'purchases/edit', { purchase_id, [field]: value }, error)
    }
})

rule('purchases.party.race', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const body = { supplier_name: 'Wood', products: [{ id: item, amount: 1, total: 1 }] }
  const made = await Promise.all(Array.from({ length: 12 }, () => addDocument(company, 'purchases', body)))
  assert.deepEqual([...made].sort((a, b) => a - b), made.map((_, at) => at + 1)) // biome-ignore format: one thought
  const suppliers = (await listed(company, 'purchases')).map((one) => one.supplier_id)
  assert.deepEqual([suppliers.length, new Set(suppliers).size], [12, 1])
  assert.equal((await accepts(company, 'suppliers/get_list')).total, 1)
})

rule('purchases.status.default', async () => {
  const company = await given.company()
  const statusOf = async (body: object) =>
    (await documentOf(company, 'purchases', await addDocument(company, 'purchases', { ...body }))).status
  assert.deepEqual([await statusOf({}), await statusOf({ status: null })], [0, 0])
  assert.deepEqual([await statusOf({ status: 1 }), await statusOf({ status: '3' })], [1, 3])
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.storage.kinds', async () => {
  const company = await given.company()
  const [product, board] = [await given.product(company), await given.material(company)]
  const lines = {
    products: [{ id: product.id, amount: 2, total: 2 }],
    materials: [{ id: board.id, amount: 3, total: 3 }],
    status: 3,
  }
  await addDocument(company, 'purchases', lines)
  const onHand = async (item: number, storage: number) => (await level(company, item, storage)).on_hand
  const { productsStorageId, materialsStorageId } = company
  assert.deepEqual(
    [await onHand(product.id, productsStorageId), await onHand(product.id, materialsStorageId)],
    ['2.000', '0.000'],
  )
  assert.deepEqual(
    [await onHand(board.id, productsStorageId), await onHand(board.id, materialsStorageId)],
    ['0.000', '3.000'],
  )
  const [{ id: shop }, { id: yard }] = [await given.storage(company, 'Shop'), await given.storage(company, 'Yard')]
  await addDocument(company, 'purchases', { ...lines, products_storage_id: shop, materials_storage_id: yard })
  assert.deepEqual([await onHand(product.id, shop), await onHand(board.id, yard)], ['2.000', '3.000'])
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.storage.edited', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const { id: shop } = await given.storage(company, 'Shop')
  const products = [{ id: item, amount: 2, total: 2 }]
  const id = await addDocument(company, 'purchases', { products, status: 3 })
  await editDocument(company, 'purchases', id, { products_storage_id: shop })
  assert.equal((await level(company, item)).on_hand, '0.000')
  assert.equal((await level(company, item, shop)).on_hand, '2.000')
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.update_payment.sets', async () => {
  const company = await given.company()
  const id = await addDocument(company, 'purchases')
  const before = await documentOf(company, 'purchases', id)
  assert.equal(before.payment, 0)
  for (const payment of [1, 2, '1', 0]) {
    assert.deepEqual(await accepts(company, 'purchases/update_payment', { purchase_id: id, status: payment }), {})
    const after = await documentOf(company, 'purchases', id)
    assert.deepEqual(after, { ...before, payment: Number(payment), updated_at: after.updated_at })
  }
  await accepts(company, 'purchases/update_payment', { purchase_id: id, status: 2 })
  await setStatus(company, 'purchases', id, 3)
  await editDocument(company, 'purchases', id, { notes: 'x', payment: 1 })
  assert.equal((await documentOf(company, 'purchases', id)).payment, 2)
  assert.deepEqual(await broken(company.id), [])
})

rule('purchases.update_payment.invalid', async () => {
  const company = await given.company()
  const purchase_id = await addDocument(company, 'purchases')
  for (const status of [3, -1, 1.5, 'x', true, [], {}]) {
    const error = 'Invalid payment status value. Must be one of: 0, 1, 2'
    await refuses(company, 'purchases/update_payment', { purchase_id, status }, error)
  }
})

rule('purchases.update_payment.missing', async () => {
  const company = await given.company()
  const gone = await addDocument(company, 'purchases')
  await deleteDocument(company, 'purchases', gone)
  const path = 'purchases/update_payment'
  for (const purchase_id of [gone, ...noRecords])
    await refuses(company, path, { purchase_id, status: 1 }, 'Purchase not found or access denied')
  for (const body of [{ status: 1 }, { purchase_id: null, status: 1 }, { purchase_id: '', status: 1 }])
    await refuses(company, path, body, 'No purchase_id in input')
  for (const more of [{}, { status: null }, { status: '' }])
    await refuses(company, path, { purchase_id: gone, ...more }, 'No status in input')
})
