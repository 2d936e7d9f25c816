// The fields of materials, products and resources, as they are sent and as they are shown.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import {
  accepts,
  add,
  edit,
  editChanges,
  entry,
  ids,
  list,
  missingText,
  refuses,
  refusesEdit,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { shown } from '../test/harness/screens.ts'

const kinds = ['materials', 'products', 'resources'] as const
/** Sections with codes, stock and suppliers. */
const goods = ['materials', 'products'] as const

rule('catalog.item.id', async () => {
  const company = await given.company()
  const made = []
  for (const section of [...kinds, ...kinds]) made.push([section, await add(company, section)] as const)
  assert.deepEqual(
    made.map(([, id]) => id),
    [1, 2, 3, 4, 5, 6],
  )
  for (const [section, id] of made) {
    assert.equal((await entry(company, section, id)).id, id)
    for (const other of kinds.filter((one) => one !== section)) {
      const noun = other.slice(0, -1)
      await refuses(company, `${other}/get_entry`, { [`${noun}_id`]: id }, missingText(other))
      await refuses(company, `${other}/edit`, { [`${noun}_id`]: id, name: 'x' }, missingText(other))
      await refuses(company, `${other}/delete`, { [`${noun}_id`]: id }, missingText(other))
    }
  }
})

rule('catalog.item.name', async () => {
  const company = await given.company()
  for (const section of kinds) {
    const id = await add(company, section, { name: 'Oak & "Sons" <1>' })
    assert.equal((await entry(company, section, id)).name, 'Oak & "Sons" <1>')
    await editChanges(company, section, id, { name: 'Pine\\' }, { name: 'Pine\\' })
    await add(company, section, { name: 'Pine\\' })
  }
})

rule('catalog.item.sku', async () => {
  const company = await given.company()
  for (const section of goods) {
    const id = await add(company, section, { sku: '  BOARD 1 ' })
    assert.equal((await entry(company, section, id)).sku, 'BOARD 1')
    await editChanges(company, section, id, { sku: 'B-2' }, { sku: 'B-2' })
    await editChanges(company, section, id, { sku: 4711 }, { sku: '4711' })
    await editChanges(company, section, id, { sku: '' }, { sku: '' })
    assert.equal((await entry(company, section, await add(company, section))).sku, '')
  }
})

rule('catalog.item.alt_skus', async () => {
  const company = await given.company()
  const id = await add(company, 'products', { sku: 'T', alt_skus: ['Z-1', 'A-1', 7] })
  assert.deepEqual((await entry(company, 'products', id)).alt_skus, ['Z-1', 'A-1', '7'])
  await editChanges(company, 'products', id, { alt_skus: ['A-1', 'Z-1'] }, { alt_skus: ['A-1', 'Z-1'] })
  assert.deepEqual((await entry(company, 'products', await add(company, 'products'))).alt_skus, [])
  const order = await given.sale(company, { products: [{ sku: 'Z-1', amount: 1, total: 1 }] })
  const sale = (await accepts(company, 'orders/get_entry', { order_id: order })).order
  assert.deepEqual([sale.products[0].id, sale.products[0].sku], [id, 'T'])
})

rule('catalog.item.barcodes', async () => {
  const company = await given.company()
  for (const section of goods) {
    const barcodes = [`${section} 40063`, `${section} 1`]
    const id = await add(company, section, { barcodes })
    assert.deepEqual((await entry(company, section, id)).barcodes, barcodes)
    await editChanges(company, section, id, { barcodes: [barcodes[1], 'new'] }, { barcodes: [barcodes[1], 'new'] })
    await editChanges(company, section, id, { barcodes: [] }, { barcodes: [] })
    assert.deepEqual((await entry(company, section, await add(company, section))).barcodes, [])
  }
})

rule('catalog.item.unit_id', async () => {
  const company = await given.company()
  const kg = await add(company, 'units', { name: 'kg' })
  for (const section of kinds) {
    const id = await add(company, section, { unit_id: kg })
    assert.equal((await entry(company, section, id)).unit_id, kg)
    await editChanges(company, section, id, { unit_id: '1' }, { unit_id: 1, unit: 'pcs' })
  }
})

rule('catalog.item.unit', async () => {
  const company = await given.company()
  const unit_id = await add(company, 'units', { name: 'kg', full_name: 'kilogram' })
  for (const section of kinds) {
    const id = await add(company, section, { unit_id })
    await edit(company, 'units', unit_id, { name: `kg ${section}` })
    assert.equal((await entry(company, section, id)).unit, `kg ${section}`)
    assert.equal((await list(company, section))[0].unit, `kg ${section}`)
  }
})

rule('catalog.item.unit-default', async () => {
  const company = await given.company()
  await add(company, 'units', { name: 'A first by name' })
  for (const section of kinds) {
    for (const unit_id of [undefined, null]) {
      const item = await entry(company, section, await add(company, section, { unit_id }))
      assert.deepEqual([item.unit_id, item.unit], [1, 'pcs'])
    }
  }
})

rule('catalog.item.price', async () => {
  const company = await given.company()
  const cases: readonly (readonly [unknown, number])[] = [
    [249, 249],
    ['12.50', 12.5],
    [2.675, 2.68],
    [0.004, 0],
    [' 1e2 ', 100],
    [999999999999.99, 999999999999.99],
    [0, 0],
  ]
  for (const section of kinds) {
    for (const [price, shown] of cases) {
      const id = await add(company, section, { price })
      assert.equal((await entry(company, section, id)).price, shown)
      await editChanges(company, section, id, { price: 3.335 }, { price: 3.34 })
    }
    assert.equal((await entry(company, section, await add(company, section))).price, 0)
  }
})

rule('catalog.item.min_amount', async () => {
  const company = await given.company()
  for (const section of goods) {
    const id = await add(company, section, { min_amount: 1.0005 })
    assert.equal((await entry(company, section, id)).min_amount, 1.001)
    await editChanges(company, section, id, { min_amount: '5.5' }, { min_amount: 5.5 })
    await editChanges(company, section, id, { min_amount: 0 }, { min_amount: 0 })
    assert.equal((await entry(company, section, await add(company, section))).min_amount, 0)
  }
})

rule('catalog.item.tax_rate_id', async () => {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  for (const percent of [19, 7]) await shown(owner, 'tax_rates/add', { name: 'VAT', percent })
  for (const section of goods) {
    const id = await add(company, section, { tax_rate_id: 2 })
    assert.equal((await entry(company, section, id)).tax_rate_id, 2)
    assert.equal((await list(company, section, { ids: [id] }))[0].tax_rate_id, 2)
    await editChanges(company, section, id, { tax_rate_id: '1' }, { tax_rate_id: 1 })
    await editChanges(company, section, id, { tax_rate_id: '' }, { tax_rate_id: null })
    for (const tax_rate_id of [3, 0, -1, 'x', 1.5, true, {}])
      await refusesEdit(company, section, id, { tax_rate_id }, 'Tax rate not found')
    const upsert = await company.call(`${section}/upsert`, { [section]: [{ name: 'A', sku: 'A', tax_rate_id: 2 }] })
    assert.equal(upsert.status, 200, upsert.text)
    const wrong = await company.call(`${section}/upsert`, { [section]: [{ name: 'B', sku: 'B', tax_rate_id: 9 }] })
    assert.ok(wrong.text.includes('Tax rate not found'), wrong.text)
    const [made] = await list(company, section, { sku: 'A' })
    assert.equal(made.tax_rate_id, 2)
  }
  const resource = await add(company, 'resources', { tax_rate_id: 2 })
  assert.equal('tax_rate_id' in (await entry(company, 'resources', resource)), false)
})

rule('catalog.item.categories', async () => {
  const company = await given.company()
  for (const section of kinds) {
    const a = await add(company, 'categories', { name: 'Tables', type: section })
    const b = await add(company, 'categories', { name: 'Oak', type: section })
    const id = await add(company, section, { categories: [a, String(b)] })
    const shown = [
      { id: a, name: 'Tables' },
      { id: b, name: 'Oak' },
    ]
    assert.deepEqual((await entry(company, section, id)).categories, shown)
    assert.deepEqual((await list(company, section, { ids: [id] }))[0].categories, shown)
    await edit(company, 'categories', b, { name: 'Old oak' })
    const renamed = [{ id: b, name: 'Old oak' }]
    await editChanges(company, section, id, { categories: [b] }, { categories: renamed })
    await editChanges(company, section, id, { categories: [] }, { categories: [] })
  }
})

rule('catalog.item.suppliers', async () => {
  const company = await given.company()
  const [ann, ben] = [await add(company, 'suppliers'), await add(company, 'suppliers')]
  for (const section of goods) {
    const id = await add(company, section, {
      suppliers: [
        { supplier_id: ben, sku: 'B-1', price: 2.675 },
        { supplier_id: String(ann), sku: 'A-1', price: '3' },
      ],
    })
    assert.deepEqual((await entry(company, section, id)).suppliers, [
      { supplier_id: ben, sku: 'B-1', price: 2.68 },
      { supplier_id: ann, sku: 'A-1', price: 3 },
    ])
    const next = [{ supplier_id: ann, sku: '', price: 0 }]
    await editChanges(company, section, id, { suppliers: next }, { suppliers: next })
    await editChanges(company, section, id, { suppliers: [] }, { suppliers: [] })
  }
})

rule('catalog.item.notes', async () => {
  const company = await given.company()
  for (const section of kinds) {
    const id = await add(company, section, { notes: 'Two\nlines 😀' })
    assert.equal((await entry(company, section, id)).notes, 'Two\nlines 😀')
    await editChanges(company, section, id, { notes: '' }, { notes: '' })
    assert.equal((await entry(company, section, await add(company, section))).notes, '')
  }
})

rule('catalog.item.fields-all', async () => {
  const company = await given.company()
  const every = ['id', 'name', 'unit_id', 'unit', 'price', 'categories', 'notes', 'created_at', 'updated_at']
  const ofGoods = [...every, 'sku', 'barcodes', 'tax_rate_id', 'min_amount', 'cost', 'amount', 'reserved', 'available']
  const listed = {
    resources: every,
    materials: ofGoods,
    products: [...ofGoods, 'alt_skus', 'plan_cost'],
  }
  const alone = { resources: [], materials: ['suppliers'], products: ['suppliers', 'components'] }
  for (const section of kinds) {
    const id = await add(company, section)
    assert.deepEqual(
      Object.keys(await entry(company, section, id)).sort(),
      [...listed[section], ...alone[section]].sort(),
    )
    const [shown] = await list(company, section)
    assert.deepEqual(Object.keys(shown).sort(), listed[section].sort())
    assert.deepEqual(ids([shown]), [id])
  }
})
