// Stock screens: levels on a day, shortages, goods transferred and written off, locations that were deleted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import {
  assertAccessible,
  assertNoOverflow,
  assertValue,
  eventually,
  pageLoaded,
  rowOf,
  shot,
  withPage,
} from './harness.ts'
import { moved } from './stock-steps.ts'
import { accepted, levels, workshop } from './workshop.ts'

test('on a given day the levels and their explanation are those of that day; by item, a row sums all locations', async () => {
  const place = await moved()
  const { storage_id: annex } = await accepted(place.owner, 'storages/add', { name: 'Annex' })
  await accepted(place.owner, 'transfers/add', {
    storage_from_id: place.company.materialsStorageId,
    storage_to_id: annex,
    materials: [{ id: place.board, amount: 6 }],
    date: '2026-03-20',
  })
  await withPage({ user: place.owner, path: '/stock?date=2026-02-01' }, async (page) => {
    await page.getByRole('link', { name: '30 m. On hand of Oak board: show details' }).waitFor()
    assert.equal(await rowOf(page, 'Oak table').count(), 0, 'tables moved later')
    await page.getByRole('link', { name: '30 m. On hand of Oak board: show details' }).click()
    await page.getByText('On hand 30 m at Materials until 01/02/2026: the sum of 1 movement.').waitFor()
    await page.goto('/stock?type=materials')
    await pageLoaded(page)
    await eventually(async () => assert.equal(await rowOf(page, 'Oak board').count(), 2))
    await page.getByText('By item').click()
    await page.waitForURL(/by=item/)
    await page.getByRole('link', { name: '16 m. On hand of Oak board: show details' }).click()
    await page.getByText('On hand 16 m: the sum of 4 movements.').waitFor()
    await page.getByRole('row', { name: /Annex 6 m/ }).waitFor()
  })
})

test('low items are ordered from the list; the selected items are on the new purchase with the missing quantity', async () => {
  const place = await moved()
  await withPage({ user: place.owner, path: '/stock?cut=low' }, async (page) => {
    await rowOf(page, 'Oak board').getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Order' }).click()
    await page.waitForURL(/\/purchases\/order\?items=/)
    // The minimum is twenty, sixteen are in stock.
    const without = page.getByRole('region', { name: 'No supplier' })
    await assertValue(without.getByRole('textbox', { name: 'Quantity: Oak board' }), '4')
    await without.getByRole('link', { name: 'Choose a supplier' }).click()
    await page.waitForURL(/\/purchases\/new\?items=/)
    await assertValue(page.getByRole('textbox', { name: 'Quantity: Oak board' }), '4')
    await assertValue(page.getByRole('textbox', { name: 'Total: Oak board' }), '36.00')
  })
})

test('on a phone the stock list shows the location of each row, and names in full', async () => {
  const place = await moved()
  const name = 'Solid oak board, planed on all four sides and oiled, 27 mm'
  await accepted(place.owner, 'materials/edit', { material_id: place.board, name })
  const { storage_id: annex } = await accepted(place.owner, 'storages/add', { name: 'Annex' })
  const lines = [{ id: place.board, amount: 6 }]
  const from = place.company.materialsStorageId
  await accepted(place.owner, 'transfers/add', {
    storage_from_id: from,
    storage_to_id: annex,
    materials: lines,
    status: 3,
  })
  await withPage({ user: place.owner, path: '/stock', width: 390, height: 844 }, async (page) => {
    const rows = page.getByRole('row').filter({ hasText: name })
    await rows.nth(1).waitFor()
    const texts = await rows.locator('td:has(a)').allInnerTexts()
    assert.equal(texts.filter((text) => text.includes('Annex')).length, 1)
    assert.equal(texts.filter((text) => text.includes('Materials')).length, 1)
    const isCut = await page.evaluate(() =>
      [...document.querySelectorAll('tbody td:nth-child(2)')].some((cell) => cell.scrollWidth > cell.clientWidth + 1),
    )
    assert.equal(isCut, false, 'nothing is cut off')
    await assertNoOverflow(page)
    await shot(page, 'stock-phone')
  })
})

test('a worker transfers goods and writes them off on a phone, and sees no money anywhere', async () => {
  const place = await moved()
  const worker = await given.user(place.company, 'worker')
  await accepted(place.owner, 'storages/add', { name: 'Annex' })
  await withPage({ user: worker, path: '/stock', width: 390, height: 844 }, async (page) => {
    const dialog = page.getByRole('dialog')
    const noMoney = async () => {
      await pageLoaded(page)
      await assertNoOverflow(page)
      assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /€/, page.url())
    }
    await page.getByRole('link', { name: '16 m. On hand of Oak board: show details' }).click()
    await page.getByText('the sum of 2 movements', { exact: false }).waitFor()
    await noMoney()
    await shot(page, 'stock-item-phone')

    await page.goto(`/transfers/new?items=${place.board}&storage_id=${place.company.materialsStorageId}`)
    await page.getByRole('combobox', { name: 'To', exact: true }).click()
    await page.getByRole('option', { name: 'Annex' }).click()
    await page.getByRole('textbox', { name: 'Quantity: Oak board' }).fill('6')
    await noMoney()
    await page.getByRole('button', { name: 'Create transfer' }).click()
    await dialog
      .getByText('Creates the transfer, adds 6 m of Oak board to Annex and takes 6 m of Oak board from Materials.')
      .waitFor()
    await shot(page, 'transfer-phone')
    await dialog.getByRole('button', { name: 'Create transfer' }).click()
    await page.getByRole('heading', { name: 'Transfer T-1' }).waitFor()
    await noMoney()

    await page.goto('/write-offs/new')
    await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).fill('BOARD')
    await page.getByRole('option', { name: /Oak board/ }).click()
    await page.getByRole('textbox', { name: 'Quantity: Oak board' }).fill('1.5')
    await page.getByRole('button', { name: 'Write off' }).click()
    await dialog.getByText('Writes off these items and takes 1.5 m of Oak board from Materials.').waitFor()
    await dialog.getByRole('button', { name: 'Write off' }).click()
    await page.getByRole('heading', { name: 'Write-off W-2' }).waitFor()
    await noMoney()
    assert.deepEqual(await levels(place, place.board), [14.5, 0, 14.5])
  })
})

test('stock left at a deleted storage location is marked, and can be written off from the list', async () => {
  const place = await workshop()
  const { owner, board } = place
  const { storage_id: shed } = await accepted(owner, 'storages/add', { name: 'Old shed' })
  const goods = { materials: [{ id: board, amount: 7 }], materials_storage_id: shed }
  await accepted(owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    materials: [{ id: board, amount: 7, total: 63 }],
    materials_storage_id: shed,
    status: 3,
  })
  const { writeoff_id: taken } = await accepted(owner, 'writeoffs/add', goods)
  await accepted(owner, 'storages/delete', { storage_id: shed })
  await accepted(owner, 'writeoffs/delete', { writeoff_id: taken })
  await withPage({ user: owner, path: '/stock' }, async (page) => {
    const left = rowOf(page, 'Oak board')
    await left.getByText('Deleted', { exact: true }).waitFor()
    await assertAccessible(page)
    await left.getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Write off' }).click()
    await page.getByRole('textbox', { name: 'Quantity: Oak board' }).fill('7')
    await pageLoaded(page)
    await assertValue(page.getByRole('combobox', { name: 'Materials location' }), 'Old shed (deleted)')
    await page.getByRole('button', { name: /^(Write off|Save)$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Writes off these items and takes 7 m of Oak board from Old shed.').waitFor()
    await dialog.getByRole('button', { name: 'Write off' }).click()
    await page.getByRole('heading', { name: /^Write-off W-/ }).waitFor()
    assert.deepEqual(await levels(place, board), [0, 0, 0])
  })
})

test('a transfer in transit is received on its day, and canceling undoes it', async () => {
  const place = await moved()
  const { storage_id: annex } = await accepted(place.owner, 'storages/add', { name: 'Annex' })
  await accepted(place.owner, 'transfers/add', {
    storage_from_id: place.company.materialsStorageId,
    storage_to_id: annex,
    materials: [{ id: place.board, amount: 6 }],
    date: '2026-03-20',
    status: 1,
  })
  await withPage({ user: place.owner, path: '/transfers' }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'T-1: In transit. Change status' }).click()
    await page.getByRole('menuitem', { name: 'Received' }).click()
    await dialog.getByText('Receives transfer T-1 and adds 6 m of Oak board to Annex.').waitFor()
    await dialog.getByRole('button', { name: 'Receive', exact: true }).click()
    await page.getByRole('button', { name: 'T-1: Received. Change status' }).click()
    await page.getByRole('menuitem', { name: 'Canceled' }).click()
    await dialog
      .getByText('Cancels transfer T-1, returns 6 m of Oak board to Materials and takes 6 m of Oak board from Annex.')
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel transfer' }).click()
    await page.getByRole('button', { name: 'T-1: Canceled. Change status' }).waitFor()
    await assertAccessible(page)
    assert.deepEqual(await levels(place, place.board), [16, 0, 16])
  })
})
