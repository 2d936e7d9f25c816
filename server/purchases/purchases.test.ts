// Purchases: their fields, their supplier, skipped lines, money, payment.

import assert from 'node:assert/strict'
import { addDocument, documentOf, editDocument, listed } from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import {
  accepts,
  add,
  edit,
  entry,
  ids,
  isoTime,
  list,
  noRecords,
  refuses,
  remove,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const purchaseOf = (company: Company, id: number) => documentOf(company, 'purchases', id)

rule('purchases.record.fields', async () => {
  const company = await given.company()
  const contact = {
    email: 'wood@example.com',
    phone: '030',
    address_real: '1 Mill Road',
    address_legal: '2 Mill Road',
    agreement: 'No. 5',
    manager_name: 'Ada',
    manager_post: 'Owner',
    notes: 'Closed on Mondays',
  }
  const supplier = await add(company, 'suppliers', { name: 'Wood', ...contact })
  const { id: item } = await given.product(company)
  const id = await addDocument(company, 'purchases', {
    num: 'BUY 7',
    supplier_id: supplier,
    products: [{ id: item, amount: 2, total: 100 }],
    date_placed: '2025-02-01',
    date_received: '2025-02-05',
    delivery_price: 30,
    discount: 12.5,
    notes: 'Urgent',
    status: 1,
  })
  const { products, materials, ...record } = await purchaseOf(company, id)
  assert.deepEqual([products.length, materials], [1, []])
  assert.deepEqual(await listed(company, 'purchases'), [record])
  const { storages } = await accepts(company, 'storages/get_list')
  const names = new Map(storages.map((one: { id: number; name: string }) => [one.id, one.name]))
  const { created_at, updated_at, ...rest } = record
  assert.deepEqual(rest, {
    id,
    num: 'BUY 7',
    status: 1,
    payment: 0,
    date_placed: '2025-02-01',
    date_received: '2025-02-05',
    subtotal: 100,
    delivery_price: 30,
    discount: 12.5,
    total: 117.5,
    cost: 117.5,
    adjustment: 0,
    amount: 2,
    lines: 1,
    source: 'api',
    notes: 'Urgent',
    products_storage_id: company.productsStorageId,
    products_storage_name: names.get(company.productsStorageId),
    materials_storage_id: company.materialsStorageId,
    materials_storage_name: names.get(company.materialsStorageId),
    supplier_id: supplier,
    supplier_name: 'Wood',
    ...Object.fromEntries(Object.entries(contact).map(([field, value]) => [`supplier_${field}`, value])),
  })
  for (const time of [created_at, updated_at]) assert.match(time, isoTime)
})

rule('purchases.record.line', async () => {
  const company = await given.company()
  const { id: product, sku, name } = await given.product(company)
  const board = await given.material(company)
  const id = await addDocument(company, 'purchases', {
    products: [{ id: product, amount: 3, total: 10 }],
    materials: [{ sku: board.sku, amount: 0.5, total: 30 }],
    delivery_price: 4,
  })
  const { unit } = (await accepts(company, 'products/get_entry', { product_id: product })).product
  const { products, materials } = await purchaseOf(company, id)
  assert.deepEqual(products, [
    { id: product, sku, name, amount: 3, unit, total: 10, price: 3.33, cost: 11, position: 0 },
  ])
  assert.deepEqual(materials, [{ ...board, amount: 0.5, unit, total: 30, price: 60, cost: 33, position: 1 }])
})

rule('purchases.record.totals', async () => {
  const company = await given.company()
  const [a, b] = [await given.product(company), await given.product(company)]
  const products = [
    { id: a.id, amount: 1, total: 10.005 },
    { id: b.id, amount: 1, total: '20.5' },
  ]
  const id = await addDocument(company, 'purchases', { products, delivery_price: '5.255', discount: 2.675 })
  const figures = async () => {
    const { subtotal, delivery_price, discount, total } = await purchaseOf(company, id)
    return [subtotal, delivery_price, discount, total]
  }
  assert.deepEqual(await figures(), [30.51, 5.26, 2.68, 33.09])
  await editDocument(company, 'purchases', id, { discount: 100 })
  assert.deepEqual(await figures(), [30.51, 5.26, 100, -64.23])
})

rule('purchases.record.price', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const cases = [[3, 10, 3.33], [8, 1, 0.13], [0.001, 0.01, 10], [7, 0, 0]] as const // biome-ignore format: a table
  const products = cases.map(([amount, total]) => ({ id: item, amount, total }))
  const lines = (await purchaseOf(company, await addDocument(company, 'purchases', { products }))).products
  assert.deepEqual(
    lines.map((line: { price: number }) => line.price),
    cases.map(([, , price]) => price),
  )
})

const body = async (company: Company) => ({
  products: [{ id: (await given.product(company)).id, amount: 1, total: 1 }],
})

rule('purchases.party.id', async () => {
  const company = await given.company()
  const supplier_id = await add(company, 'suppliers', { name: 'Wood' })
  for (const others of [
    {},
    { supplier_name: 'Other' },
    { supplier_name: '' },
    { supplier_name: 7, supplier_email: {} },
  ]) {
    const { purchase_id } = await accepts(company, 'purchases/add', {
      ...(await body(company)),
      supplier_id,
      ...others,
    })
    assert.equal((await purchaseOf(company, purchase_id)).supplier_id, supplier_id)
  }
  assert.deepEqual(ids(await list(company, 'suppliers')), [supplier_id])
})

rule('purchases.party.name', async () => {
  const company = await given.company()
  const supplier_id = await add(company, 'suppliers', { name: 'Wood', email: 'old@example.com' })
  const id = await addDocument(company, 'purchases', { supplier_name: ' Wood ', supplier_email: 'new@example.com' })
  const record = await purchaseOf(company, id)
  assert.deepEqual([record.supplier_id, record.supplier_email], [supplier_id, 'old@example.com'])
  await remove(company, 'suppliers', supplier_id)
  const other = await purchaseOf(company, await addDocument(company, 'purchases', { supplier_name: 'Wood' }))
  assert.notEqual(other.supplier_id, supplier_id)
})

rule('purchases.party.made', async () => {
  const company = await given.company()
  const id = await addDocument(company, 'purchases', {
    supplier_name: ' Wood ',
    supplier_phone: '030',
    supplier_notes: 'x',
  })
  const { supplier_id, supplier_name } = await purchaseOf(company, id)
  assert.equal(supplier_name, 'Wood')
  const supplier = await entry(company, 'suppliers', supplier_id)
  assert.deepEqual([supplier.name, supplier.phone, supplier.notes, supplier.email], ['Wood', '030', 'x', ''])
  const refused = { supplier_name: 'Nobody', products: [{ sku: 'none', amount: 1, total: 1 }] }
  await refuses(company, 'purchases/add', refused, 'All products have wrong SKU or id')
  assert.deepEqual(ids(await list(company, 'suppliers')), [supplier_id])
  assert.deepEqual(await list(company, 'customers'), [])
})

rule('purchases.party.shown', async () => {
  const company = await given.company()
  const supplier_id = await add(company, 'suppliers', { name: 'Wood' })
  const id = await addDocument(company, 'purchases', { supplier_id })
  await edit(company, 'suppliers', supplier_id, { name: 'Forest', phone: '031' })
  const shown = await purchaseOf(company, id)
  assert.deepEqual([shown.supplier_name, shown.supplier_phone], ['Forest', '031'])
  await remove(company, 'suppliers', supplier_id)
  await editDocument(company, 'purchases', id, { notes: 'Late' })
  const after = await purchaseOf(company, id)
  assert.deepEqual(after, { ...shown, notes: 'Late', updated_at: after.updated_at })
})

rule('purchases.party.none', async () => {
  const company = await given.company()
  const lines = await body(company)
  for (const party of [{}, { supplier_id: null }, { supplier_id: '' }, { supplier_name: null }, { customer_name: 'A' }])
    await refuses(company, 'purchases/add', { ...lines, ...party }, 'No supplier_name or supplier_id in input')
})

rule('purchases.party.not-found', async () => {
  const company = await given.company()
  const lines = await body(company)
  const gone = await add(company, 'suppliers')
  await remove(company, 'suppliers', gone)
  const purchase_id = await addDocument(company, 'purchases')
  for (const supplier_id of [gone, ...noRecords]) {
    await refuses(company, 'purchases/add', { ...lines, supplier_id, supplier_name: 'A' }, 'Supplier not found')
    await refuses(company, 'purchases/edit', { purchase_id, supplier_id }, 'Supplier not found')
  }
})

rule('purchases.party.empty', async () => {
  const company = await given.company()
  const purchase_id = await addDocument(company, 'purchases')
  for (const supplier_name of ['', '  ']) {
    await refuses(
      company,
      'purchases/add',
      { ...(await body(company)), supplier_name },
      'Supplier name must not be empty',
    )
    await refuses(company, 'purchases/edit', { purchase_id, supplier_name }, 'Supplier name must not be empty')
  }
})

rule('purchases.party.not-string', async () => {
  const company = await given.company()
  const purchase_id = await addDocument(company, 'purchases')
  for (const supplier_name of [7, true, [], {}]) {
    await refuses(
      company,
      'purchases/add',
      { ...(await body(company)), supplier_name },
      'Supplier name must be a string',
    )
    await refuses(company, 'purchases/edit', { purchase_id, supplier_name }, 'Supplier name must be a string')
  }
})

rule('purchases.party.edit', async () => {
  const company = await given.company()
  const supplier_id = await add(company, 'suppliers', { name: 'Wood' })
  const id = await addDocument(company, 'purchases')
  await editDocument(company, 'purchases', id, { supplier_id })
  assert.equal((await purchaseOf(company, id)).supplier_name, 'Wood')
  await editDocument(company, 'purchases', id, { supplier_name: 'Stone', supplier_email: 's@example.com' })
  const record = await purchaseOf(company, id)
  assert.deepEqual([record.supplier_name, record.supplier_email], ['Stone', 's@example.com'])
  assert.ok(ids(await list(company, 'suppliers', { search: 'Stone' })).includes(record.supplier_id))
})
