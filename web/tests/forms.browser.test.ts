// What a form says while it is filled in is true at every moment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertValue, eventually, holdRequests, pageLoaded, withPage } from './harness.ts'
import { workshop } from './workshop.ts'

test('the error that there are no lines disappears with the first line', async () => {
  const { owner } = await workshop()
  await withPage({ user: owner, path: '/sales/new' }, async (page) => {
    await page.getByRole('combobox', { name: 'Customer' }).fill('Berta Blum')
    await page.getByRole('option', { name: 'Create “Berta Blum”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create customer' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create sale' }).click()
    await page.getByText('Add at least one line.').waitFor()
    await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).fill('TABLE')
    await page.getByRole('option', { name: /Oak table/ }).click()
    await page.getByText('Add at least one line.').waitFor({ state: 'detached' })

    // What is made for the sale is not missing.
    const line = page.locator('tr[data-line]')
    await line.getByText('Missing').waitFor()
    await page.getByRole('checkbox', { name: 'Make to order' }).check()
    await line.getByText('Expected').waitFor()
    assert.equal(await line.getByText('Missing').count(), 0)
    await page.getByRole('button', { name: 'Create sale' }).click()
    await page.getByRole('heading', { name: /^Sale \d+$/ }).waitFor()
    await line.getByText('Expected').waitFor()
  })
})

test('the button of a new write-off names what it does, also while lines are typed', async () => {
  const { owner } = await workshop()
  await withPage({ user: owner, path: '/write-offs/new' }, async (page) => {
    const button = page.getByRole('button', { name: 'Write off', exact: true })
    await button.waitFor()
    await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).fill('BOARD')
    await page.getByRole('option', { name: /Oak board/ }).click()
    await page.getByRole('textbox', { name: 'Quantity: Oak board' }).fill('1.5')
    await page.getByText('Unsaved changes').waitFor()
    await button.waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0)
  })
})

test('a new sale survives reloading the page, and is gone when it is saved', async () => {
  const { owner } = await workshop()
  await withPage({ user: owner, path: '/sales/new' }, async (page) => {
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('combobox', { name: 'Customer' }).fill('Berta Blum')
    await page.getByRole('option', { name: 'Create “Berta Blum”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create customer' }).click()
    const add = async (): Promise<void> => {
      await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).fill('TABLE')
      await page.getByRole('option', { name: /Oak table/ }).click()
    }
    await add()
    await page.getByLabel('Quantity: Oak table').fill('3')
    await page.getByLabel('Notes').fill('half a thought')
    await page.reload()
    await page.getByText('Your unsaved entries were restored.').waitFor()
    await assertValue(page.getByLabel('Quantity: Oak table'), '3')
    await assertValue(page.getByLabel('Notes'), 'half a thought')
    await assertValue(page.getByRole('combobox', { name: 'Customer' }), 'Berta Blum')
    await add()
    assert.equal(await page.locator('tr[data-line]').count(), 2, 'lines added since are lines of their own')
    await page.getByRole('button', { name: 'Create sale' }).click()
    await page.getByRole('heading', { name: 'Sale 1', exact: true }).waitFor()
    await page.goto('/sales/new')
    await page.getByRole('combobox', { name: 'Customer' }).waitFor()
    assert.equal(await page.locator('tr[data-line]').count(), 0)
    assert.equal(await page.getByText('Your unsaved entries were restored.').count(), 0)
  })
})

test('Enter adds one line, also while the results of an earlier text are shown, and when it is pressed twice', async () => {
  const { owner } = await workshop()
  await withPage({ user: owner, path: '/sales/new' }, async (page) => {
    const { keyboard } = page
    await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).focus()
    await keyboard.type('oak t')
    await page.locator('[data-combobox-selected]').filter({ hasText: 'Oak table' }).waitFor()
    const release = await holdRequests(page, '**/screens/items/search')
    await keyboard.type('a')
    await keyboard.press('Enter')
    await keyboard.press('Enter')
    release()
    await page.getByLabel('Quantity: Oak table').first().waitFor()
    await pageLoaded(page)
    await eventually(async () => assert.equal(await page.locator('tr[data-line]').count(), 1))
    await page.unroute('**/screens/items/search')
  })
})
