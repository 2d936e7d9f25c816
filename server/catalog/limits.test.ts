// How many codes, categories, suppliers and components one item may have.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import { add, entry, leastOf, refuses, refusesEdit } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

rule('catalog.error.too-many', async () => {
  const company = await given.company()
  const component = { type: 'material', id: await add(company, 'materials'), amount: 1 }
  const supplier = { supplier_id: (await company.call('suppliers/add', { name: 'Wood' })).body.supplier_id }
  const category = (await company.call('categories/add', { name: 'Oak', type: 'products' })).body.category_id
  const limits = [
    ['alt_skus', 100, (at: number) => `S-${at}`],
    ['barcodes', 100, (at: number) => `B-${at}`],
    ['categories', 100, () => category],
    ['suppliers', 100, () => supplier],
    ['components', 1000, () => component],
  ] as const
  for (const [field, most, element] of limits) {
    const filled = (length: number) => ({ [field]: Array.from({ length }, (_, at) => element(at)) })
    const error = `Too many ${field}. Must be at most ${most}`
    await refuses(company, 'products/add', { ...leastOf('products'), ...filled(most + 1) }, error)
    const id = await add(company, 'products', filled(most))
    await refusesEdit(company, 'products', id, filled(most + 1), error)
    assert.ok((await entry(company, 'products', id))[field].length > 0, field)
  }
})
