// Imports of files are taken back, deleted, and kept for a limited time.

import assert from 'node:assert/strict'
import { keepLogDays } from '../../platform/postgres/maintain.ts'
import { broken, databaseUrl, level, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { contents, draft, imported, importer, rowsOf, undone } from '../../test/harness/imports.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

rule('imports.undo', async () => {
  const { company, user } = await importer()
  const leg = await given.material(company, { sku: 'LEG' })
  await given.product(company, { sku: 'TEA', price: '3', made_of: leg.id, alt_skus: ['T2'] })
  await company.call('customers/add', { name: 'Ann', phone: '1', country: 'DE', payment_days: 14 })
  const before = await contents(company)
  const products = await imported(user, 'products', [
    { sku: 'PART', name: 'Part' },
    { sku: 'WHOLE', name: 'Whole', components: [{ sku: 'PART', amount: '2' }] },
    { sku: 'TEA', price: '4', name: 'Other', barcodes: ['1'], components: [{ sku: 'PART', amount: '1' }] },
  ])
  const customers = await imported(user, 'customers', [
    { name: 'Ann', phone: '2', country: 'fr', vat_number: 'FR1', payment_days: '30' },
    { name: 'Ben' },
  ])
  assert.notDeepEqual(await contents(company), before)
  assert.deepEqual(await undone(user, customers.id), { undone: 2 })
  assert.deepEqual(await undone(user, products.id), { undone: 3 })
  assert.deepEqual(await contents(company), before)
  assert.equal(await refusal(user, 'imports/undo', { import_id: products.id }), 'The import is not done')
  assert.deepEqual(await broken(company.id), [])
})

rule('imports.undo.touched', async () => {
  const { company, user } = await importer()
  await given.product(company, { sku: 'TEA', price: '3' })
  const { id } = await imported(user, 'products', [
    { sku: 'TEA', price: '4' },
    { sku: 'KEPT', name: 'Kept' },
    { sku: 'USED', name: 'Used' },
    { sku: 'STOCK', name: 'Stock' },
    { sku: 'FREE', name: 'Free' },
  ])
  const rows = await rowsOf(user, id)
  await company.call('products/edit', { product_id: rows[0].record_id, notes: 'changed' })
  await company.call('products/edit', { product_id: rows[1].record_id, notes: 'changed' })
  await company.call('products/add', { name: 'Of it', components: [{ type: 'product', sku: 'USED', amount: 1 }] })
  await imported(user, 'stock', [{ sku: 'STOCK', counted: '1' }], { storage_id: company.productsStorageId })
  assert.deepEqual(await undone(user, id), { left: 4, undone: 1 })
  assert.deepEqual(
    (await rowsOf(user, id)).map(({ state, refusal: why }) => [state, why?.code]),
    [
      ['left', 'changed_meanwhile'],
      ['left', 'changed_meanwhile'],
      ['left', 'used_in_products'],
      ['left', 'has_stock'],
      ['undone', undefined],
    ],
  )
  assert.equal((await company.call('products/get_list', { sku: 'TEA' })).body.products[0].price, 4)
})

rule('imports.undo.stock', async () => {
  const { company, user } = await importer()
  const { material_id: leg } = (await company.call('materials/add', { name: 'Leg', sku: 'LEG' })).body
  await given.product(company, { sku: 'TEA' })
  const storage_id = company.materialsStorageId
  await company.call('purchases/add', {
    supplier_name: 'Holz AG',
    status: 3,
    materials: [{ id: leg, amount: 3, total: 10 }],
  })
  const before = await contents(company)
  const { id } = await imported(user, 'stock', [{ sku: 'LEG', counted: '1' }, { sku: 'TEA', counted: '9' }], { storage_id }) // biome-ignore format: rows
  assert.equal((await level(company, leg, storage_id)).on_hand, '1.000')
  assert.deepEqual(await undone(user, id), { undone: 2 })
  assert.deepEqual(await contents(company), before)
  assert.deepEqual(await broken(company.id), [])
})

rule('imports.delete', async () => {
  const { company, user } = await importer()
  const { id } = await imported(user, 'customers', [{ name: 'Ann' }])
  const { id: other } = await draft(user, 'customers', [{ name: 'Ben' }])
  const working = () => query(company.id, 'select is_working from import_companies where company_id = $1', [company.id])
  assert.deepEqual(await working(), [{ is_working: false }])
  await query(company.id, `update imports set status = 'running', lease = 'x', leased_until = now() + interval '30 s' where company_id = $1 and id = $2`, [company.id, other]) // biome-ignore format: statement
  assert.equal(await refusal(user, 'imports/delete', { import_id: other }), 'The import is at work')
  await query(company.id, `update imports set status = 'draft' where company_id = $1 and id = $2`, [company.id, other])
  await shown(user, 'imports/delete', { import_id: id })
  await shown(user, 'imports/delete', { import_id: other })
  assert.deepEqual((await shown(user, 'imports/get_list')).imports, [])
  assert.deepEqual(await query(company.id, 'select from import_rows where company_id = $1', [company.id]), [])
  assert.deepEqual(await working(), [])
  assert.equal((await company.call('customers/get_list')).body.total, 1)
})

rule('imports.kept', async () => {
  const { company, user } = await importer()
  const [old, recent, atWork] = [
    await draft(user, 'customers', [{ name: 'Ann' }]),
    await draft(user, 'customers', [{ name: 'Ben' }]),
    await draft(user, 'customers', [{ name: 'Cem' }]),
  ]
  const age = (id: number, days: number, status: string) =>
    query(
      company.id,
      `update imports set created_at = now() - make_interval(days => $3), status = $4, lease = 'x', leased_until = now() + interval '30 s'
       where company_id = $1 and id = $2`,
      [company.id, id, days, status],
    )
  await age(old.id, 31, 'done')
  await age(recent.id, 29, 'done')
  await age(atWork.id, 31, 'running')
  await keepLogDays(databaseUrl(), 30)
  const { imports } = await shown(user, 'imports/get_list')
  assert.deepEqual(
    imports.map((one: { id: number }) => one.id),
    [atWork.id, recent.id],
  )
  const rows = await query(company.id, 'select import_id::int from import_rows where company_id = $1 order by 1', [
    company.id,
  ])
  assert.deepEqual(rows, [{ import_id: recent.id }, { import_id: atWork.id }])
})
