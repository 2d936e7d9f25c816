// Suppliers on the records that refer to them: purchases and items.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import { accepts, add, entry, refusesEdit, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('contacts.delete.kept-on-documents', 'a supplier on its purchases', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const supplier_id = await add(company, 'suppliers', { name: 'Oak' })
  const products = [{ id: product, amount: 1, total: 1 }]
  const { purchase_id } = await accepts(company, 'purchases/add', { supplier_id, products })
  const before = (await accepts(company, 'purchases/get_entry', { purchase_id })).purchase
  assert.deepEqual([before.supplier_id, before.supplier_name], [supplier_id, 'Oak'])
  await remove(company, 'suppliers', supplier_id)
  await add(company, 'suppliers', { name: 'Oak' })
  assert.deepEqual((await accepts(company, 'purchases/get_entry', { purchase_id })).purchase, before)
})

rule('contacts.delete.leaves-lists', 'a deleted supplier cannot be assigned to an item', async () => {
  const company = await given.company()
  for (const section of ['products', 'materials'] as const) {
    const supplier_id = await add(company, 'suppliers')
    const id = await add(company, section)
    await remove(company, 'suppliers', supplier_id)
    await refusesEdit(company, section, id, { suppliers: [{ supplier_id }] }, 'Supplier not found')
    assert.deepEqual((await entry(company, section, id)).suppliers, [])
  }
})
