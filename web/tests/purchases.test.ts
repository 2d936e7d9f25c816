// From purchase to sale: a purchase entered by keyboard, received in parts, used in production, and sold.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, assertValue, eventually, shot, statusButton, withPage } from './harness.ts'
import { accepted, levels, workshop } from './workshop.ts'

test('goods bought, received in two parts, used in production and sold show up in every figure', async () => {
  const place = await workshop()
  await withPage({ user: place.owner, path: '/purchases' }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByText('No purchases yet.', { exact: false }).waitFor()
    await shot(page, 'purchases-empty')

    // Entered by keyboard alone, with a new supplier.
    await page.keyboard.press('n')
    await page.waitForURL('**/purchases/new')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-haspopup') === 'listbox')
    await page.keyboard.type('Sawmill')
    await page.getByRole('option', { name: 'Create “Sawmill”' }).click()
    await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).focus()
    await page.keyboard.type('2000000000015\n')
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'amount')
    await page.keyboard.type('20')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('200')
    await page.getByRole('textbox', { name: 'Delivery' }).fill('20')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/purchases\/\d+$/)
    await statusButton(page, 'P-1: New').waitFor()
    await page.getByText('€220.00').first().waitFor()
    await assertAccessible(page)

    await page.getByRole('button', { name: 'Mark as ordered' }).click()
    await statusButton(page, 'P-1: Ordered').waitFor()
    await page.getByRole('button', { name: 'Receive part' }).click()
    await assertValue(dialog.getByRole('textbox', { name: 'Received now: Oak board' }), '20', 'all of it')
    await dialog.getByRole('textbox', { name: 'Received now: Oak board' }).fill('30')
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Only 20 remaining.' }).waitFor()
    await dialog.getByRole('textbox', { name: 'Received now: Oak board' }).fill('8')
    await shot(page, 'purchase-receive-part')
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
    await statusButton(page, 'P-1: Partially received').waitFor()
    await page
      .getByRole('row', { name: /Oak board/ })
      .getByText('12 m')
      .waitFor()
    assert.deepEqual(await levels(place, place.board), [8, 0, 8])
    await shot(page, 'purchase-partly-received')

    await page.getByRole('button', { name: 'Receive remaining' }).click()
    await dialog.getByText('Receives purchase P-1 and adds 12 m of Oak board to Materials.').waitFor()
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
    await statusButton(page, 'P-1: Received').waitFor()
    assert.deepEqual(await levels(place, place.board), [20, 0, 20])
    await page.getByRole('button', { name: 'Mark as paid' }).click()
    await page.getByText('Paid', { exact: true }).first().waitFor()

    // Production: four boards and an hour and a half each.
    await page.goto('/productions/new')
    await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).fill('TABLE')
    await page.getByRole('option', { name: /Oak table/ }).click()
    await page.getByRole('textbox', { name: 'Quantity: Oak table' }).fill('2')
    await page.getByRole('button', { name: 'Create production' }).click()
    await statusButton(page, 'M-1: Planned').waitFor()
    // Two tables: 8 m at 11 and 3 h at 30.
    await page.getByText('€178.00').first().waitFor()
    await page.getByText('All materials are available.').waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    await statusButton(page, 'M-1: In progress').waitFor()
    await page.getByRole('button', { name: 'Finish' }).click()
    await dialog
      .getByText(
        'Finishes production M-1, adds 2 pcs of Oak table to Finished goods and takes 8 m of Oak board from Materials.',
      )
      .waitFor()
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await statusButton(page, 'M-1: Done').waitFor()
    assert.deepEqual(await levels(place, place.table), [2, 0, 2])
    await shot(page, 'production-done')

    // Sold; the stock page explains why one is left.
    await accepted(place.owner, 'orders/add', {
      num: '1007',
      customer_name: 'Berta Blum',
      products: [{ id: place.table, amount: 1, total: 249 }],
    })
    await page.goto('/sales')
    await page.getByRole('link', { name: '1007' }).click()
    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    await dialog.getByText('takes 1 pcs of Oak table from Finished goods.', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await statusButton(page, '1007: Shipped').waitFor()
    await page.goto('/stock?q=TABLE')
    await page.getByRole('link', { name: '1 pcs. On hand of Oak table: show details' }).click()
    await page.getByText('On hand 1 pcs at Finished goods: the sum of 2 movements.').waitFor()
    const rows = page.getByRole('tabpanel').getByRole('row')
    await eventually(async () => assert.match((await rows.nth(1).textContent()) ?? '', /Sale 1007−1 pcs1 pcs€89\.00/))
    await eventually(async () =>
      assert.match((await rows.nth(2).textContent()) ?? '', /Production M-1\+2 pcs2 pcs€89\.00/),
    )
    await shot(page, 'stock-of-what-was-made')
  })
})
