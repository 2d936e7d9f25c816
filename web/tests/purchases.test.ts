// From buying to selling: a purchase written by keyboard, received in parts, made into products, and sold; and what a worker sees of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/testing/given.ts'
import { assertAccessible, assertNoOverflow, shot, withPage } from './harness.ts'
import { accepted, bought, levels, workshop } from './workshop.ts'

const state = (page: Page, of: string) => page.getByRole('button', { name: `${of}. Change its state` })

test('what is bought, received in two parts, made and sold is there in every number', async () => {
  const place = await workshop()
  await withPage({ user: place.owner, path: '/purchases' }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByText('No purchases yet.', { exact: false }).waitFor()
    await shot(page, 'purchases-empty')

    // Written by keyboard alone, the supplier made on the way.
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
    await state(page, 'P-1 is New').waitFor()
    await page.getByText('€220.00').first().waitFor()
    await assertAccessible(page)

    await page.getByRole('button', { name: 'Mark as ordered' }).click()
    await state(page, 'P-1 is Ordered').waitFor()
    await page.getByRole('button', { name: 'Receive part' }).click()
    await dialog.getByRole('textbox', { name: 'Comes now: Oak board' }).fill('30')
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
    await dialog.getByText('Only 20 left to receive of material with SKU "BOARD"').waitFor()
    await dialog.getByRole('textbox', { name: 'Comes now: Oak board' }).fill('8')
    await shot(page, 'purchase-receive-part')
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
    await state(page, 'P-1 is Partially received').waitFor()
    await page
      .getByRole('row', { name: /Oak board/ })
      .getByText('12 m')
      .waitFor()
    assert.deepEqual(await levels(place, place.board), [8, 0, 8])
    await shot(page, 'purchase-partly-received')

    await page.getByRole('button', { name: 'Receive the rest' }).click()
    await dialog.getByText('Receives purchase P-1 and adds 12 m of Oak board to Materials.').waitFor()
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
    await state(page, 'P-1 is Received').waitFor()
    assert.deepEqual(await levels(place, place.board), [20, 0, 20])
    await page.getByRole('button', { name: 'Mark as paid' }).click()
    await page.getByText('Paid', { exact: true }).waitFor()

    // Made: four boards and an hour and a half each.
    await page.goto('/productions/new')
    await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).fill('TABLE')
    await page.getByRole('option', { name: /Oak table/ }).click()
    await page.getByRole('textbox', { name: 'Quantity: Oak table' }).fill('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await state(page, 'M-1 is Planned').waitFor()
    // Two tables: 8 m at 11 and 3 h at 30.
    await page.getByText('€178.00').first().waitFor()
    await page.getByText('Everything that it uses is there.').waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    await state(page, 'M-1 is In progress').waitFor()
    await page.getByRole('button', { name: 'Finish' }).click()
    await dialog
      .getByText(
        'Finishes production M-1, adds 2 pcs of Oak table to Finished goods and takes 8 m of Oak board from Materials.',
      )
      .waitFor()
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await state(page, 'M-1 is Done').waitFor()
    assert.deepEqual(await levels(place, place.table), [2, 0, 2])
    await shot(page, 'production-done')

    // Sold, and why there is one left.
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
    await state(page, '1007 is Shipped').waitFor()
    await page.goto('/stock?q=TABLE')
    await page.getByRole('link', { name: '1 pcs. On hand of Oak table: why?' }).click()
    await page.getByText('On hand 1 pcs at Finished goods: the sum of 2 movements.').waitFor()
    const rows = page.getByRole('tabpanel').getByRole('row')
    assert.match((await rows.nth(1).textContent()) ?? '', /Sale 1007−1 pcs1 pcs€89\.00/)
    assert.match((await rows.nth(2).textContent()) ?? '', /Production M-1\+2 pcs2 pcs€89\.00/)
    await shot(page, 'stock-of-what-was-made')
  })
})

test('deleting a received purchase tells what goes, a copy starts from it, and a filter comes back with the address', async () => {
  const place = await workshop()
  const id = await bought(place, 5)
  await withPage({ user: place.owner, path: `/purchases/${id}` }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    await page.waitForURL(`**/purchases/new?copy=${id}`)
    await page.getByRole('heading', { name: 'New purchase' }).waitFor()
    await page.getByRole('textbox', { name: 'Quantity: Oak board' }).fill('7')
    await page.keyboard.press('Control+Enter')
    await state(page, 'P-2 is New').waitFor()
    await page.goto('/purchases?cut=all&status=3')
    await page.getByRole('link', { name: 'P-1' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'P-2' }).count(), 0, 'the address filters')
    await page.getByRole('link', { name: 'P-1' }).click()
    await page.getByRole('heading', { name: 'Purchase P-1' }).waitFor()

    // Changing what has been received moves stock, and says so.
    await page.getByRole('textbox', { name: 'Quantity: Oak board' }).fill('3')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Saves purchase P-1 and takes 2 m of Oak board from Materials.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    assert.deepEqual(await levels(place, place.board), [3, 0, 3])

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByText('Deletes purchase P-1 and takes 3 m of Oak board from Materials.').waitFor()
    await shot(page, 'purchase-delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/purchases')
    assert.deepEqual(await levels(place, place.board), [0, 0, 0])
  })
})

test('two people change one purchase: the second sees both versions', async () => {
  const place = await workshop()
  const id = await bought(place, 5)
  await withPage({ user: place.owner, path: `/purchases/${id}` }, async (page) => {
    await page.getByLabel('Notes').fill('Mine')
    await accepted(place.owner, 'purchases/edit', { purchase_id: id, notes: 'Theirs' })
    await page.keyboard.press('Control+Enter')
    await page.getByText('Changed by someone else meanwhile').waitFor()
    await page.getByRole('cell', { name: 'Theirs' }).waitFor()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('Changed by someone else meanwhile').waitFor({ state: 'hidden' })
    const { purchase } = await accepted(place.owner, 'purchases/get_card', { purchase_id: id })
    assert.equal(purchase.notes, 'Mine')
  })
})

test('a worker receives goods on a phone and sees no money', async () => {
  const place = await workshop()
  const worker = await given.user(place.company, 'worker')
  const { purchase_id: id } = await accepted(place.owner, 'purchases/add', {
    supplier_name: 'Sawmill and Sons, Timber Merchants since 1884, Branch Office North',
    materials: [{ id: place.board, amount: 12, total: 4321 }],
    status: 1,
  })
  await withPage({ user: worker, path: '/purchases', width: 390, height: 844, scheme: 'dark' }, async (page) => {
    await page.getByRole('link', { name: 'P-1' }).waitFor()
    await assertNoOverflow(page)
    await page.getByRole('link', { name: 'P-1' }).click()
    await page.getByRole('heading', { name: 'Purchase P-1' }).waitFor()
    await shot(page, 'purchase-worker-phone')
    await assertNoOverflow(page)
    await assertAccessible(page)
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /€|4,?321/)
    await page.getByRole('button', { name: 'Receive', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Receive', exact: true }).click()
    await state(page, 'P-1 is Received').waitFor()
    assert.deepEqual(await levels(place, place.board), [12, 0, 12])
  })
  const { purchase } = await accepted(place.owner, 'purchases/get_card', { purchase_id: id })
  assert.equal(purchase.status, 3)
})
