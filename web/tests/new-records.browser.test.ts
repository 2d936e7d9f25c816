// Records that are created where they are needed: nothing that was typed is lost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertValue, holdRequests, openEditor, withPage } from './harness.ts'
import { accepted, workshop } from './workshop.ts'

test('a supplier that does not exist is created where it is typed, and no line is dropped on save', async () => {
  const { owner, board } = await workshop()
  const suppliers = async () =>
    (await accepted(owner, 'materials/get_entry', { material_id: board })).material.suppliers
  await withPage({ user: owner, path: `/materials/${board}` }, async (page) => {
    await openEditor(page)
    await page.getByRole('button', { name: 'Add supplier' }).click()
    await page.getByRole('textbox', { name: 'Supplier SKU' }).fill('EI-27')
    await page.getByRole('textbox', { name: 'Supplier price' }).fill('8.50')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Choose a supplier for every line, or remove the line.').waitFor()
    assert.deepEqual(await suppliers(), [], 'nothing is saved')
    const release = await holdRequests(page, '**/screens/suppliers/add')
    await page.getByRole('combobox', { name: 'Supplier' }).fill('Sawmill')
    await page.getByRole('option', { name: 'Create “Sawmill”' }).waitFor()
    await page.keyboard.press('Enter')
    await assertValue(page.getByRole('combobox', { name: 'Supplier' }), 'Sawmill')
    // While the supplier is being created, typing and saving go on.
    await page.getByRole('textbox', { name: 'Supplier price' }).fill('8.75')
    await page.keyboard.press('Control+Enter')
    release()
    await page.getByText('Oak board saved').waitFor()
    const [{ supplier_id: _id, ...line }] = await suppliers()
    assert.deepEqual(line, { sku: 'EI-27', price: 8.75 })
  })
})

test('a component is created by Enter on the only option, with a unit that did not exist', async () => {
  const { owner, table } = await workshop()
  await withPage({ user: owner, path: `/products/${table}` }, async (page) => {
    await openEditor(page)
    const search = page.getByRole('textbox', { name: /^Add/ })
    await search.fill('Glass pane')
    await page.getByRole('option', { name: 'Create “Glass pane”' }).waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog').last()
    await assertValue(dialog.getByLabel('Name'), 'Glass pane')
    await dialog.getByRole('combobox', { name: 'Unit' }).fill('m²')
    await page.getByRole('option', { name: 'Create “m²”' }).click()
    await assertValue(dialog.getByRole('combobox', { name: 'Unit' }), 'm²')
    await dialog.getByRole('button', { name: 'Create and add' }).click()
    const row = page.getByRole('row', { name: /Glass pane/ })
    await row.getByText('m²').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Oak table saved').waitFor()
  })
  const { product } = await accepted(owner, 'products/get_entry', { product_id: table })
  assert.deepEqual(product.components.map(({ name, unit }: { name: string; unit: string }) => [name, unit]).at(-1), [
    'Glass pane',
    'm²',
  ])
})

test('a category that does not exist is created where it is typed', async () => {
  const { owner, board } = await workshop()
  await withPage({ user: owner, path: `/materials/${board}` }, async (page) => {
    await openEditor(page)
    await page.getByRole('combobox', { name: 'Categories' }).fill('Hardwood')
    await page.getByRole('option', { name: 'Create “Hardwood”' }).waitFor()
    await page.getByRole('option', { name: 'Create “Hardwood”' }).click()
    await page.getByRole('dialog').getByText('Hardwood', { exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Oak board saved').waitFor()
  })
  const { material } = await accepted(owner, 'materials/get_entry', { material_id: board })
  const [category] = material.categories
  assert.equal(category.name, 'Hardwood')
  const { categories } = await accepted(owner, 'categories/get_list', {})
  assert.equal(categories.find(({ id }: { id: number }) => id === category.id).type, 'materials')
})
