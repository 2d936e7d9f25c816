// Storage locations: their fields, the defaults, and when they cannot be deleted.

import assert from 'node:assert/strict'
import { level } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import {
  accepts,
  add,
  edit,
  editChanges,
  entry,
  leastOf,
  refuses,
  refusesDelete,
  refusesEdit,
  remove,
  wholeReference,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const inUse = 'Storage is in use and cannot be deleted'

async function defaultsOf(company: Company): Promise<{ products: number[]; materials: number[] }> {
  const all: { id: number; default_products: number; default_materials: number }[] = await wholeReference(
    company,
    'storages',
  )
  return {
    products: all.filter((one) => one.default_products === 1).map((one) => one.id),
    materials: all.filter((one) => one.default_materials === 1).map((one) => one.id),
  }
}

const saleOf = async (company: Company, order_id: number) =>
  (await accepts(company, 'orders/get_entry', { order_id })).order

rule('storages/storage.id', async () => {
  const company = await given.company()
  const id = await add(company, 'storages')
  assert.equal((await entry(company, 'storages', id)).id, id)
})

rule('storages/storage.name', async () => {
  const company = await given.company()
  const id = await add(company, 'storages', { name: 'Showroom' })
  assert.equal((await entry(company, 'storages', id)).name, 'Showroom')
  await editChanges(company, 'storages', id, { name: 'Cellar' }, { name: 'Cellar' })
})

rule('storages/storage.address', async () => {
  const company = await given.company()
  const id = await add(company, 'storages', { address: '1 Oak Lane' })
  assert.equal((await entry(company, 'storages', id)).address, '1 Oak Lane')
  await editChanges(company, 'storages', id, { address: '' }, { address: '' })
  assert.equal((await entry(company, 'storages', await add(company, 'storages'))).address, '')
})

rule('storages/storage.notes', async () => {
  const company = await given.company()
  const id = await add(company, 'storages', { notes: 'Key under the mat\nRing twice' })
  assert.equal((await entry(company, 'storages', id)).notes, 'Key under the mat\nRing twice')
  await editChanges(company, 'storages', id, { notes: '' }, { notes: '' })
  assert.equal((await entry(company, 'storages', await add(company, 'storages'))).notes, '')
})

rule('storages/storage.default_products', async () => {
  const company = await given.company()
  const id = await add(company, 'storages')
  assert.equal((await entry(company, 'storages', id)).default_products, 0)
  await editChanges(company, 'storages', id, { default_products: 1 }, { default_products: 1 })
  const next = await add(company, 'storages', { default_products: true })
  assert.deepEqual(await defaultsOf(company), { products: [next], materials: [company.materialsStorageId] })
})

rule('storages/storage.default_materials', async () => {
  const company = await given.company()
  const id = await add(company, 'storages')
  assert.equal((await entry(company, 'storages', id)).default_materials, 0)
  await editChanges(company, 'storages', id, { default_materials: '1' }, { default_materials: 1 })
  const next = await add(company, 'storages', { default_materials: 'true' })
  assert.deepEqual(await defaultsOf(company), { products: [company.productsStorageId], materials: [next] })
})

rule('storages/storage.fields-all', async () => {
  const company = await given.company()
  const fields = ['address', 'created_at', 'default_materials', 'default_products', 'id', 'name', 'notes', 'updated_at']
  for (const one of await wholeReference(company, 'storages')) assert.deepEqual(Object.keys(one).sort(), fields)
})

rule('storages/default.used', async () => {
  const company = await given.company({ materials_in_sales: true })
  const [product, material] = [await given.product(company), await given.material(company)]
  const lines = {
    products: [{ id: product.id, amount: 1, total: 1 }],
    materials: [{ id: material.id, amount: 2, total: 1 }],
  }
  const products = await add(company, 'storages', { name: 'Shelf', default_products: 1 })
  const materials = await add(company, 'storages', { name: 'Shed' })
  await edit(company, 'storages', materials, { default_materials: 1 })
  const sale = await saleOf(company, await given.sale(company, lines))
  assert.deepEqual([sale.products_storage_id, sale.products_storage_name], [products, 'Shelf'])
  assert.deepEqual([sale.materials_storage_id, sale.materials_storage_name], [materials, 'Shed'])
  assert.equal((await level(company, product.id, products)).reserved, '1.000')
  assert.equal((await level(company, material.id, materials)).reserved, '2.000')
})

rule('storages/default.one', async () => {
  const company = await given.company()
  const both = await add(company, 'storages', { default_products: 1, default_materials: 1 })
  assert.deepEqual(await defaultsOf(company), { products: [both], materials: [both] })
  const next = await add(company, 'storages', { default_products: 0, default_materials: 1 })
  assert.deepEqual(await defaultsOf(company), { products: [both], materials: [next] })
  await edit(company, 'storages', company.productsStorageId, { default_products: 1 })
  assert.deepEqual(await defaultsOf(company), { products: [company.productsStorageId], materials: [next] })
})

rule('storages/add.error.default', async () => {
  const company = await given.company()
  const id = await add(company, 'storages')
  for (const field of ['default_products', 'default_materials'])
    for (const value of [2, -1, 'yes', 0.5, [], {}]) {
      const error = `Invalid ${field} value. Must be one of: 0, 1`
      await refuses(company, 'storages/add', { ...leastOf('storages'), [field]: value }, error)
      await refusesEdit(company, 'storages', id, { [field]: value }, error)
    }
})

rule('storages/add.order-of-checks', async () => {
  const company = await given.company()
  const id = await add(company, 'storages')
  const wrong = { name: '', address: [], notes: {}, default_products: 7, default_materials: 8 }
  const texts: readonly [field: keyof typeof wrong, error: string][] = [
    ['name', 'Storage name must not be empty'],
    ['address', 'Invalid address value. Must be a string'],
    ['notes', 'Invalid notes value. Must be a string'],
    ['default_products', 'Invalid default_products value. Must be one of: 0, 1'],
    ['default_materials', 'Invalid default_materials value. Must be one of: 0, 1'],
  ]
  for (const [at, [, error]] of texts.entries()) {
    const later = Object.fromEntries(texts.slice(at).map(([field]) => [field, wrong[field]]))
    await refuses(company, 'storages/add', { ...leastOf('storages'), ...later }, error)
    await refusesEdit(company, 'storages', id, later, error)
    await refusesEdit(company, 'storages', 987654, later, error)
    await refusesEdit(company, 'storages', null, later, 'No storage_id in input')
  }
})

rule('storages/delete.error.stock', 'stock on hand', async () => {
  const company = await given.company()
  const storage = await add(company, 'storages')
  const { id: item } = await given.product(company)
  await given.stock(company, { item, amount: '0.001', unitCost: '1', storage })
  await refusesDelete(company, 'storages', storage, inUse)
  const order_id = await given.sale(company, {
    products: [{ id: item, amount: 0.001, total: 1 }],
    products_storage_id: storage,
  })
  await accepts(company, 'orders/update_status', { order_id, status: 3 })
  await remove(company, 'storages', storage)
})

rule('storages/delete.error.stock', 'negative stock on hand', async () => {
  const company = await given.company({ default_sale_status: 3 })
  const storage = await add(company, 'storages')
  const order_id = await given.sale(company, { products_storage_id: storage })
  await refusesDelete(company, 'storages', storage, inUse)
  await accepts(company, 'orders/delete', { order_id })
  await remove(company, 'storages', storage)
})

rule('storages/delete.error.open-document', async () => {
  const company = await given.company()
  // A sale without material lines reserves nothing there: only the document refers to the storage location.
  const storage = await add(company, 'storages')
  const order_id = await given.sale(company, { materials_storage_id: storage })
  for (const status of [0, 1]) {
    await accepts(company, 'orders/update_status', { order_id, status })
    await refusesDelete(company, 'storages', storage, inUse)
  }
  await accepts(company, 'orders/update_status', { order_id, status: 4 })
  await remove(company, 'storages', storage)
})

rule('storages/delete.error.open-document', 'a partially shipped sale', async () => {
  const company = await given.company()
  const { id } = await given.product(company)
  const storage = await add(company, 'storages')
  const order_id = await given.sale(company, {
    products: [{ id, amount: 2, total: 1 }],
    materials_storage_id: storage,
  })
  await given.shippedPart(company, order_id, { date: '2026-01-05', items: [{ id, amount: '1' }] })
  await refusesDelete(company, 'storages', storage, inUse)
  await accepts(company, 'orders/update_status', { order_id, status: 3 })
  await remove(company, 'storages', storage)
})

rule('storages/delete.error.default', async () => {
  const company = await given.company()
  for (const id of [company.productsStorageId, company.materialsStorageId])
    await refusesDelete(company, 'storages', id, inUse)
  await add(company, 'storages', { default_products: 1 })
  await remove(company, 'storages', company.productsStorageId)
  await refusesDelete(company, 'storages', company.materialsStorageId, inUse)
})

rule('storages/delete.kept-on-documents', async () => {
  const company = await given.company()
  const storage = await add(company, 'storages', { name: 'Old barn' })
  const order_id = await given.sale(company, { materials_storage_id: storage })
  await accepts(company, 'orders/update_status', { order_id, status: 3 })
  const before = await saleOf(company, order_id)
  await remove(company, 'storages', storage)
  assert.deepEqual(await saleOf(company, order_id), before)
  assert.deepEqual([before.materials_storage_id, before.materials_storage_name], [storage, 'Old barn'])
})

rule('storages/delete.not-found-elsewhere', async () => {
  const company = await given.company()
  const { id } = await given.product(company)
  const storage = await add(company, 'storages')
  await remove(company, 'storages', storage)
  for (const field of ['products_storage_id', 'materials_storage_id']) {
    const sale = { num: '1', customer_name: 'Ann', products: [{ id, amount: 1, total: 1 }], [field]: storage }
    await refuses(company, 'orders/add', sale, 'Storage ID not found')
  }
})
