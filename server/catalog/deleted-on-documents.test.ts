// A deleted item on the documents of every section: they keep showing it.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const goods = ['products', 'materials'] as const

/** Documents of an item that leave none of it on hand or reserved, once all are added. */
const documents: Readonly<Record<string, (company: Company, lines: object, counted: object) => object>> = {
  purchases: (_company, lines) => ({ supplier_name: 'Ann', ...lines, status: 4 }),
  writeoffs: (_company, lines) => ({ ...lines }),
  transfers: (company, lines) => ({
    storage_from_id: company.productsStorageId,
    storage_to_id: company.materialsStorageId,
    ...lines,
    status: 4,
  }),
  audits: (company, _lines, counted) => ({ storage_id: company.productsStorageId, ...counted, status: 4 }),
}
const nouns: Readonly<Record<string, string>> = {
  purchases: 'purchase',
  writeoffs: 'writeoff',
  transfers: 'transfer',
  audits: 'audit',
}

rule('catalog.delete.kept-on-documents', 'documents of every section', async () => {
  const company = await given.company()
  for (const section of goods)
    for (const [kind, body] of Object.entries(documents)) {
      const id = await add(company, section, { name: 'Old', sku: `OLD ${kind}` })
      const storage = section === 'products' ? company.productsStorageId : company.materialsStorageId
      if (kind === 'writeoffs') await given.stock(company, { item: id, amount: '2', unitCost: '3', storage })
      const lines = { [section]: [{ id, amount: 2, total: 6 }] }
      const field = `${nouns[kind]}_id`
      const answer = await accepts(company, `${kind}/add`, {
        ...body(company, lines, { [section]: [{ id, counted: 2 }] }),
      })
      const idOnly = { [field]: answer[field] }
      const before = await accepts(company, `${kind}/get_entry`, idOnly)
      await remove(company, section, id)
      await add(company, section, { name: 'New', sku: `OLD ${kind}` })
      const after = await accepts(company, `${kind}/get_entry`, idOnly)
      assert.deepEqual(after, before)
      const [line] = after[nouns[kind] ?? ''][section]
      assert.deepEqual([line.id, line.sku, line.name], [id, `OLD ${kind}`, 'Old'])
    }
})

rule('catalog.delete.kept-on-documents', 'a production of it', async () => {
  const company = await given.company()
  const board = await add(company, 'materials', { name: 'Old board', sku: 'BOARD' })
  const components = [{ type: 'material', id: board, amount: 2 }]
  const product = await add(company, 'products', { name: 'Old table', sku: 'TABLE', components })
  const { production_id } = await accepts(company, 'productions/add', { products: [{ id: product, amount: 1 }] })
  await accepts(company, 'productions/update_status', { production_id, status: 4 })
  const before = await accepts(company, 'productions/get_entry', { production_id })
  await remove(company, 'products', product)
  assert.deepEqual(await accepts(company, 'productions/get_entry', { production_id }), before)
  assert.equal(before.production.products[0].name, 'Old table')
})
