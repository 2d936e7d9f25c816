// Deleting an item: when it is refused, what it releases, and where the item is still shown.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import {
  accepts,
  add,
  edit,
  entityOf,
  entry,
  list,
  refuses,
  refusesDelete,
  remove,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const kinds = ['materials', 'products', 'resources'] as const
const goods = ['materials', 'products'] as const
type Goods = (typeof goods)[number]

const hasStock = (section: Goods) => `${entityOf(section)} has stock and cannot be deleted`

const saleOf = async (company: Company, order_id: number) =>
  (await accepts(company, 'orders/get_entry', { order_id })).order

rule('catalog.delete.leaves-lists', async () => {
  const company = await given.company({ materials_in_sales: true })
  for (const section of kinds) {
    const category = await add(company, 'categories', { type: section })
    const codes = section === 'resources' ? {} : { sku: 'GONE', barcodes: [`GONE ${section}`] }
    const id = await add(company, section, { name: 'Gone', categories: [category], ...codes })
    await remove(company, section, id)
    for (const filters of [{}, { search: 'gone' }, { ids: [id] }, { category_id: category }, { sku: 'GONE' }])
      assert.deepEqual(await list(company, section, filters), [])
    await remove(company, 'categories', category)
    if (section === 'resources') continue
    for (const line of [{ id }, { sku: 'GONE' }, { sku: `GONE ${section}` }]) {
      const sale = { num: '1', customer_name: 'Ann', [section]: [{ ...line, amount: 1, total: 1 }] }
      const all = section === 'materials' ? 'products and materials' : 'products'
      await refuses(company, 'orders/add', sale, `All ${all} have wrong SKU or id`)
    }
  }
})

rule('catalog.delete.kept-on-documents', async () => {
  const company = await given.company({ materials_in_sales: true })
  const unit_id = await add(company, 'units', { name: 'kg' })
  for (const section of goods) {
    const id = await add(company, section, { name: 'Old table', sku: 'OLD', unit_id })
    await given.stock(company, { item: id, amount: '2', unitCost: '4', storage: storageFor(company, section) })
    const shipped = await given.sale(company, { [section]: [{ id, amount: 2, total: 30 }] })
    await accepts(company, 'orders/update_status', { order_id: shipped, status: 3, date_shipped: '2026-02-03' })
    const canceled = await given.sale(company, { [section]: [{ id, amount: 5, total: 30 }] })
    await accepts(company, 'orders/update_status', { order_id: canceled, status: 4 })
    const before = [await saleOf(company, shipped), await saleOf(company, canceled)]
    await remove(company, section, id)
    assert.deepEqual([await saleOf(company, shipped), await saleOf(company, canceled)], before)
    const [line] = before[0][section]
    assert.deepEqual(line, {
      ...line,
      id,
      sku: 'OLD',
      name: 'Old table',
      amount: 2,
      unit: 'kg',
      total: 30,
      price: 15,
      cost: 8,
    })
  }
  await refusesDelete(company, 'units', unit_id, 'Unit is in use and cannot be deleted')
})

const storageFor = (company: Company, section: Goods): number =>
  section === 'products' ? company.productsStorageId : company.materialsStorageId

rule('catalog.delete.error.on-hand', async () => {
  const company = await given.company({ materials_in_sales: true })
  for (const section of goods) {
    const id = await add(company, section)
    await given.stock(company, { item: id, amount: '0.001', unitCost: '4', storage: storageFor(company, section) })
    await refusesDelete(company, section, id, hasStock(section))
    assert.equal((await entry(company, section, id)).amount, 0.001)
    const order_id = await given.sale(company, { [section]: [{ id, amount: 0.001, total: 1 }] })
    await accepts(company, 'orders/update_status', { order_id, status: 3 })
    await remove(company, section, id)
  }
})

rule('catalog.delete.error.on-hand', 'below zero', async () => {
  const company = await given.company({ materials_in_sales: true, default_sale_status: 3 })
  for (const section of goods) {
    const id = await add(company, section)
    const order_id = await given.sale(company, { [section]: [{ id, amount: 1, total: 1 }] })
    await refusesDelete(company, section, id, hasStock(section))
    await accepts(company, 'orders/delete', { order_id })
    await remove(company, section, id)
  }
})

rule('catalog.delete.error.reserved', async () => {
  const company = await given.company({ materials_in_sales: true })
  for (const section of goods) {
    const id = await add(company, section)
    const order_id = await given.sale(company, { [section]: [{ id, amount: 1, total: 1 }] })
    for (const status of [0, 1]) {
      await accepts(company, 'orders/update_status', { order_id, status })
      await refusesDelete(company, section, id, hasStock(section))
    }
    await accepts(company, 'orders/update_status', { order_id, status: 4 })
    await remove(company, section, id)
  }
})

rule('catalog.delete.error.component', async () => {
  const company = await given.company()
  for (const section of kinds) {
    const id = await add(company, section)
    const type = section.slice(0, -1)
    const product = await add(company, 'products', { components: [{ type, id, amount: 1 }] })
    const error = `${entityOf(section)} is used in products and cannot be deleted`
    await refusesDelete(company, section, id, error)
    assert.equal((await entry(company, section, id)).id, id)
    assert.equal((await entry(company, 'products', product)).components[0].id, id)
  }
})

rule('catalog.delete.component-freed', async () => {
  const company = await given.company()
  for (const section of kinds) {
    const type = section.slice(0, -1)
    const [id, next] = [await add(company, section), await add(company, section)]
    const edited = await add(company, 'products', { components: [{ type, id, amount: 1 }] })
    const deleted = await add(company, 'products', { components: [{ type, id, amount: 1 }] })
    await edit(company, 'products', edited, { components: [{ type, id: next, amount: 1 }] })
    await refusesDelete(company, section, id, `${entityOf(section)} is used in products and cannot be deleted`)
    await remove(company, 'products', deleted)
    await remove(company, section, id)
    assert.deepEqual((await entry(company, 'products', edited)).components.length, 1)
  }
})
