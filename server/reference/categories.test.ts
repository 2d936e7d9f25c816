// Categories: their fields, errors, and when they cannot be deleted.

import assert from 'node:assert/strict'
import { given } from '../test/harness/given.ts'
import {
  add,
  edit,
  editChanges,
  entry,
  noRecords,
  noTexts,
  refuses,
  refusesDelete,
  refusesEdit,
  remove,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const types = ['products', 'materials', 'resources'] as const
const wrongType = 'Invalid type value. Must be one of: products, materials, resources'
const noTypes: readonly unknown[] = ['product', 'Products', 'none', 0, 1, ...noTexts]

rule('categories/category.id', async () => {
  const company = await given.company()
  const id = await add(company, 'categories')
  assert.equal((await entry(company, 'categories', id)).id, id)
})

rule('categories/category.name', async () => {
  const company = await given.company()
  const id = await add(company, 'categories', { name: 'Tables' })
  assert.equal((await entry(company, 'categories', id)).name, 'Tables')
  await editChanges(company, 'categories', id, { name: 'Chairs' }, { name: 'Chairs' })
})

rule('categories/category.type', async () => {
  const company = await given.company()
  for (const type of types) {
    const id = await add(company, 'categories', { type })
    assert.equal((await entry(company, 'categories', id)).type, type)
    for (const other of types.filter((one) => one !== type))
      await editChanges(company, 'categories', id, { type: other }, { type: other })
  }
})

rule('categories/category.parent_id', async () => {
  const company = await given.company()
  const top = await add(company, 'categories', { type: 'materials' })
  const other = await add(company, 'categories', { type: 'materials' })
  const below = await add(company, 'categories', { type: 'materials', parent_id: top })
  assert.equal((await entry(company, 'categories', top)).parent_id, null)
  assert.equal((await entry(company, 'categories', below)).parent_id, top)
  await editChanges(company, 'categories', below, { parent_id: other }, { parent_id: other })
  await editChanges(company, 'categories', below, { parent_id: String(top) }, { parent_id: top })
  await editChanges(company, 'categories', below, { name: 'Renamed', parent_id: null }, { name: 'Renamed' })
})

rule('categories/category.position', async () => {
  const company = await given.company()
  const id = await add(company, 'categories', { position: 7 })
  assert.equal((await entry(company, 'categories', id)).position, 7)
  await editChanges(company, 'categories', id, { position: 3 }, { position: 3 })
  await editChanges(company, 'categories', id, { position: '12' }, { position: 12 })
  const { position } = await entry(company, 'categories', await add(company, 'categories'))
  assert.ok(Number.isInteger(position))
})

rule('categories/category.fields-all', async () => {
  const company = await given.company()
  const category = await entry(company, 'categories', await add(company, 'categories'))
  const fields = ['created_at', 'id', 'name', 'parent_id', 'position', 'type', 'updated_at']
  assert.deepEqual(Object.keys(category).sort(), fields)
})

rule('categories/add.error.no-type', async () => {
  const company = await given.company()
  await refuses(company, 'categories/add', { name: 'Tables' }, 'No type in input')
  for (const type of [null, '']) await refuses(company, 'categories/add', { name: 'Tables', type }, 'No type in input')
})

rule('categories/add.error.type', async () => {
  const company = await given.company()
  for (const type of noTypes) await refuses(company, 'categories/add', { name: 'Tables', type }, wrongType)
})

rule('categories/edit.error.type', async () => {
  const company = await given.company()
  const id = await add(company, 'categories')
  for (const type of noTypes) await refusesEdit(company, 'categories', id, { type }, wrongType)
})

rule('categories/add.error.parent', async () => {
  const company = await given.company()
  const deleted = await add(company, 'categories')
  await remove(company, 'categories', deleted)
  // 0 is left out: the rules do not define whether it means none or unknown.
  for (const parent_id of [deleted, ...noRecords.filter((id) => id !== 0)])
    await refuses(company, 'categories/add', { name: 'Tables', type: 'products', parent_id }, 'Category not found')
})

rule('categories/add.error.parent', 'the category of another company', async () => {
  const [own, other] = [await given.company(), await given.company()]
  const parent_id = await add(other, 'categories')
  await refuses(own, 'categories/add', { name: 'Tables', type: 'products', parent_id }, 'Category not found')
})

rule('categories/edit.error.parent', async () => {
  const company = await given.company()
  const deleted = await add(company, 'categories')
  await remove(company, 'categories', deleted)
  const id = await add(company, 'categories')
  for (const parent_id of [deleted, ...noRecords.filter((one) => one !== 0)])
    await refusesEdit(company, 'categories', id, { parent_id }, 'Category not found')
  assert.equal((await entry(company, 'categories', id)).parent_id, null)
})

rule('categories/add.order-of-checks', async () => {
  const company = await given.company()
  const wrong = { parent_id: 987654, type: 'x' }
  await refuses(company, 'categories/add', wrong, 'No name in input')
  await refuses(company, 'categories/add', { ...wrong, name: '' }, 'Category name must not be empty')
  await refuses(company, 'categories/add', { name: 5 }, 'Category name must be a string')
  await refuses(company, 'categories/add', { name: 'Tables', parent_id: 987654 }, 'No type in input')
  await refuses(company, 'categories/add', { ...wrong, name: 'Tables' }, wrongType)
})

rule('categories/edit.order-of-checks', async () => {
  const company = await given.company()
  await refusesEdit(company, 'categories', '', { name: '', type: 'x' }, 'No category_id in input')
  await refusesEdit(company, 'categories', 987654, { name: '', type: 'x' }, 'Category name must not be empty')
  await refusesEdit(company, 'categories', 987654, { type: 'x', parent_id: 987654 }, wrongType)
  await refusesEdit(company, 'categories', 987654, { parent_id: 987655 }, 'Category not found or access denied')
})

rule('categories/delete.error.in-use', 'an item belongs to it', async () => {
  const company = await given.company()
  for (const section of types) {
    const category = await add(company, 'categories', { type: section })
    const item = await add(company, section, { categories: [category] })
    await refusesDelete(company, 'categories', category, 'Category is in use and cannot be deleted')
    assert.equal((await entry(company, 'categories', category)).id, category)
    await edit(company, section, item, { categories: [] })
    await remove(company, 'categories', category)
  }
})

rule('categories/delete.error.in-use', 'it has a child category', async () => {
  const company = await given.company()
  const top = await add(company, 'categories')
  const below = await add(company, 'categories', { parent_id: top })
  await refusesDelete(company, 'categories', top, 'Category is in use and cannot be deleted')
  await remove(company, 'categories', below)
  await remove(company, 'categories', top)
})
