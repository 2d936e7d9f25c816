// The lists of materials, products and resources: searches and filters that only they have.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import { add, edit, ids, list, names, noRecords } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const kinds = ['materials', 'products', 'resources'] as const
const goods = ['materials', 'products'] as const

rule('catalog.get_list.search-sku', async () => {
  const company = await given.company()
  for (const section of goods) {
    const oak = await add(company, section, { name: 'Oak', sku: 'TBL-100%-a' })
    const pine = await add(company, section, { name: 'Pine', sku: 'TBL_200' })
    const found = async (search: string) => ids(await list(company, section, { search }))
    assert.deepEqual(await found('TBL'), [oak, pine])
    assert.deepEqual(await found('tbl-1'), [oak])
    assert.deepEqual(await found('00%-A'), [oak])
    assert.deepEqual(await found('l_2'), [pine])
    assert.deepEqual(await found('l-2'), [])
  }
})

rule('catalog.get_list.search-sku', 'an alternative one', async () => {
  const company = await given.company()
  const id = await add(company, 'products', { sku: 'MAIN', alt_skus: ['OLD-77', 'WEB-77-x'] })
  await add(company, 'products', { sku: 'OTHER' })
  for (const search of ['old', 'WEB-77', '7-X', '77'])
    assert.deepEqual(ids(await list(company, 'products', { search })), [id])
  await edit(company, 'products', id, { alt_skus: ['WEB-77-x'] })
  assert.deepEqual(await list(company, 'products', { search: 'old' }), [])
})

rule('catalog.get_list.search-barcode', async () => {
  const company = await given.company()
  for (const section of goods) {
    const mark = section === 'products' ? '1' : '2'
    const id = await add(company, section, { name: 'Lamp', barcodes: [`400638133393${mark}`, `90000${mark}`] })
    await add(company, section, { name: 'Bulb', barcodes: [`500638133393${mark}`] })
    const found = async (search: string) => ids(await list(company, section, { search }))
    assert.deepEqual(await found(`400638133393${mark}`), [id])
    assert.deepEqual(await found('40063'), [id])
    assert.deepEqual(await found('9000'), [id])
    assert.equal((await found('33393')).length, 2)
    assert.deepEqual(await found('40063 '), [id])
  }
})

rule('catalog.get_list.category-filter', async () => {
  const company = await given.company()
  for (const section of kinds) {
    const [oak, pine, none] = [
      await add(company, 'categories', { type: section }),
      await add(company, 'categories', { type: section }),
      await add(company, 'categories', { type: section }),
    ]
    await add(company, section, { name: 'A', categories: [oak] })
    await add(company, section, { name: 'B', categories: [oak, pine] })
    await add(company, section, { name: 'C' })
    const found = async (category_id: unknown) => names(await list(company, section, { category_id }))
    assert.deepEqual(await found(oak), ['A', 'B'])
    const parent = await add(company, 'categories', { type: section })
    await edit(company, 'categories', oak, { parent_id: parent })
    await edit(company, 'categories', pine, { parent_id: oak })
    assert.deepEqual([await found(parent), await found(oak), await found(pine)], [['A', 'B'], ['A', 'B'], ['B']])
    assert.deepEqual(await found(String(pine)), ['B'])
    assert.deepEqual(await found(none), [])
    assert.deepEqual(await found(null), ['A', 'B', 'C'])
    for (const unknown of noRecords) assert.deepEqual(await found(unknown), [])
    assert.deepEqual(names(await list(company, section, { category_id: oak, search: 'b' })), ['B'])
  }
})

rule('catalog.get_list.sku-filter', async () => {
  const company = await given.company()
  for (const section of goods) {
    const id = await add(company, section, { name: 'A', sku: 'TBL-1' })
    await add(company, section, { name: 'B', sku: 'TBL-11', barcodes: [`TBL-1 ${section}`] })
    const found = async (sku: unknown) => ids(await list(company, section, { sku }))
    assert.deepEqual(await found('TBL-1'), [id])
    assert.deepEqual(await found(' TBL-1 '), [id])
    assert.deepEqual(await found('TBL'), [])
    assert.deepEqual(await found('TBL%'), [])
    assert.deepEqual(await found(`TBL-1 ${section}`), [], 'a barcode is not a SKU')
    assert.equal((await found(null)).length, 2)
    assert.deepEqual(await list(company, section, { sku: 'TBL-1', search: 'B' }).then(ids), [id])
    assert.deepEqual(await list(company, section, { sku: 'TBL-1', search: 'x' }), [])
  }
})

rule('catalog.get_list.own-section', async () => {
  const company = await given.company()
  const made = {
    materials: await add(company, 'materials', { name: 'Same', sku: 'S' }),
    products: await add(company, 'products', { name: 'Same', sku: 'S' }),
    resources: await add(company, 'resources', { name: 'Same' }),
  }
  for (const section of kinds)
    for (const filters of [{}, { search: 'same' }, { ids: Object.values(made) }])
      assert.deepEqual(ids(await list(company, section, filters)), [made[section]])
})
