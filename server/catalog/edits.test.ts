// Editing an item: a single field, whole arrays, and a read record sent back.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import { add, edit, editChanges, entry, refuses, refusesEdit, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const kinds = ['materials', 'products', 'resources'] as const
type Kind = (typeof kinds)[number]
const goods = ['materials', 'products'] as const

/** An item with every field filled, and for each field another value with the expected result. */
async function filled(company: Company, section: Kind) {
  const [kg, m] = [await add(company, 'units', { name: 'kg' }), await add(company, 'units', { name: 'm' })]
  const category = async (name: string) => ({ id: await add(company, 'categories', { name, type: section }), name })
  const [oak, pine, elm] = [await category('Oak'), await category('Pine'), await category('Elm')]
  const [ann, ben] = [await add(company, 'suppliers'), await add(company, 'suppliers')]
  const board = await add(company, 'materials', { name: 'Board', sku: 'BOARD' })
  const component = { type: 'material', id: board, sku: 'BOARD', name: 'Board', unit: 'pcs' }

  const every = { name: 'Table', unit_id: kg, price: 10.5, categories: [oak.id, pine.id], notes: 'Some notes' }
  const ofGoods = {
    sku: 'T-1',
    barcodes: ['1', '2'],
    min_amount: 1.5,
    suppliers: [
      { supplier_id: ann, sku: 'A', price: 1 },
      { supplier_id: ben, sku: 'B', price: 2.5 },
    ],
  }
  const ofProducts = { alt_skus: ['T-2', 'T-3'], components: [{ ...component, amount: 2, position: 0 }] }
  const body = {
    ...every,
    ...(section === 'resources' ? {} : ofGoods),
    ...(section === 'products' ? ofProducts : {}),
  }
  const nextSuppliers = [{ supplier_id: ben, sku: 'C', price: 7.25 }]
  const nextComponents = [
    { ...component, amount: 0.125, position: 0 },
    { ...component, amount: 3, position: 1 },
  ]
  const changes: Readonly<Record<string, readonly [sent: unknown, shown: object]>> = {
    name: ['Chair', { name: 'Chair' }],
    sku: ['C-1', { sku: 'C-1' }],
    alt_skus: [['T-9', 'T-2'], { alt_skus: ['T-9', 'T-2'] }],
    barcodes: [['3', '1'], { barcodes: ['3', '1'] }],
    unit_id: [m, { unit_id: m, unit: 'm' }],
    price: [11, { price: 11 }],
    min_amount: [0.25, { min_amount: 0.25 }],
    categories: [[elm.id, oak.id].toSorted(), { categories: [oak, elm] }],
    suppliers: [nextSuppliers, { suppliers: nextSuppliers }],
    components: [nextComponents, { components: nextComponents }],
    notes: ['Other notes', { notes: 'Other notes' }],
  }
  return { id: await add(company, section, body), body, changes }
}

rule('catalog.edit.partial', async () => {
  for (const section of kinds) {
    const company = await given.company()
    const { id, body, changes } = await filled(company, section)
    for (const field of Object.keys(body)) {
      const [sent, shown] = changes[field] ?? assert.fail(`${field} has no other value`)
      await editChanges(company, section, id, { [field]: sent }, { ...shown })
    }
  }
})

rule('catalog.edit.arrays-whole', async () => {
  for (const section of kinds) {
    const company = await given.company()
    const { id, body, changes } = await filled(company, section)
    for (const [field, value] of Object.entries(body)) {
      if (!Array.isArray(value)) continue
      await editChanges(company, section, id, { [field]: [] }, { [field]: [] })
      const [sent, shown] = changes[field] ?? assert.fail(`${field} has no other value`)
      await editChanges(company, section, id, { [field]: sent }, { ...shown })
    }
  }
})

rule('catalog.edit.sent-back', async () => {
  for (const section of kinds) {
    const company = await given.company()
    const { id } = await filled(company, section)
    const shown = await entry(company, section, id)
    const categories = shown.categories.map((one: { id: number }) => one.id)
    await edit(company, section, id, { ...shown, categories })
    assert.deepEqual(await entry(company, section, id), shown)
  }
})

rule('catalog.error.supplier-kept', async () => {
  const company = await given.company()
  const [kept, gone] = [await add(company, 'suppliers'), await add(company, 'suppliers')]
  const suppliers = [
    { supplier_id: gone, sku: 'X', price: 1.5 },
    { supplier_id: kept, sku: '', price: 0 },
  ]
  const made = { materials: 0, products: 0 }
  for (const section of goods) made[section] = await add(company, section, { suppliers })
  await remove(company, 'suppliers', gone)
  for (const section of goods) {
    const shown = await entry(company, section, made[section])
    assert.deepEqual(shown.suppliers, suppliers)
    await edit(company, section, made[section], shown)
    assert.deepEqual(await entry(company, section, made[section]), shown)
    await refusesEdit(company, section, await add(company, section), { suppliers }, 'Supplier not found')
    await refuses(company, `${section}/add`, { name: 'Other', suppliers }, 'Supplier not found')
    // once removed, it cannot be added again
    await edit(company, section, made[section], { suppliers: suppliers.slice(1) })
    await refusesEdit(company, section, made[section], { suppliers }, 'Supplier not found')
  }
})
