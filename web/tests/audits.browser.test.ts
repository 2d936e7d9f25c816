// Counting stock: by scanner, by two users at once, offline, with items left out, and a second count of a location.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Counted, counted, stocked, turnOn } from './audits-steps.ts'
import { assertAccessible, assertNoOverflow, shot, withPage } from './harness.ts'
import { accepted, levels } from './workshop.ts'

test('a scanner finds items by barcode, including items without recorded stock, and each scan can add one', async () => {
  const shop = await stocked()
  const { product_id: stool } = await accepted(shop.owner, 'products/add', {
    name: 'Oak stool',
    sku: 'STOOL',
    barcodes: ['4006381333948'],
  })
  await withPage({ user: shop.owner, path: `/audits/count?storage_id=${shop.place}` }, async (page) => {
    const scanner = page.getByLabel('Scan or type a name, SKU or barcode')
    await page.getByText('0 of 2 counted').waitFor()
    // A code moves the focus to its field.
    await scanner.fill('2000000000015')
    await scanner.press('Enter')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Counted: Oak board')
    await page.keyboard.type('16')
    await page.keyboard.press('Enter')
    await page.getByText('1 of 2 counted').waitFor()
    await turnOn(page, 'Each scan adds one')
    for (const code of ['4006381333948', '4006381333948', '4006381333931']) {
      await scanner.fill(code)
      await scanner.press('Enter')
      await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === '')
    }
    await page.getByText('3 of 3 counted').waitFor()
    await page.waitForFunction(() => document.body.textContent?.includes('Saving…') === false)
    const id = Number(page.url().split('/').at(-1))
    const { audit } = await accepted(shop.owner, 'audits/get_card', { audit_id: id })
    const counts = audit.products.map((line: Counted) => [line.id, line.counted])
    assert.deepEqual(
      new Map(counts),
      new Map([
        [stool, 2],
        [shop.table, 1],
      ]),
    )
    await scanner.fill('unheard of')
    await scanner.press('Enter')
    await page.getByText('No item found for “unheard of”.').first().waitFor()
    await shot(page, 'count')
  })
})

test('two users count the same location, and a lost connection loses no count', async () => {
  const shop = await stocked()
  const { audit_id: id } = await accepted(shop.owner, 'audits/add', {
    storage_id: shop.place,
    materials: [{ id: shop.board, counted: 16 }],
  })
  const open = { user: shop.owner, path: `/audits/count/${id}` }
  await withPage(open, async (first) => {
    await first.getByText('1 of 2 counted').waitFor()
    // Another user counts the boards again, and this page counts tables without having loaded that.
    await accepted(shop.owner, 'audits/edit', { audit_id: id, materials: [{ id: shop.board, counted: 14 }] })
    await first.context().setOffline(true)
    await first.getByLabel('Counted: Oak table').fill('4')
    await first.getByLabel('Counted: Oak table').press('Enter')
    await first.getByText('Not saved', { exact: false }).first().waitFor()
    await shot(first, 'count-offline')
    // The count survives a reload.
    await first.context().setOffline(false)
    await first.reload()
    await first.getByText('2 of 2 counted').waitFor()
    await first.getByText('Counted', { exact: true }).click()
    await first.getByText('Saved', { exact: true }).nth(1).waitFor()
    assert.deepEqual(await counted(shop, id), [
      [3, 4, 1],
      [16, 14, -2],
    ])
  })
})

test('uncounted items are listed before completing and keep their stock', async () => {
  const shop = await stocked()
  const { audit_id: id } = await accepted(shop.owner, 'audits/add', {
    storage_id: shop.place,
    products: [{ id: shop.table, counted: 3 }],
  })
  await withPage({ user: shop.owner, path: `/audits/${id}`, scheme: 'dark' }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByText('No differences from the recorded stock.').waitFor()
    await page.getByRole('tab', { name: /Not counted/ }).click()
    await page.getByRole('tabpanel').getByRole('link', { name: 'Oak board' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'audit-dark')
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await dialog.getByText('1 item with stock here was not counted and stays unchanged.').waitFor()
    await dialog.getByText('Completes stocktake I-1. No effect on stock.').waitFor()
    await dialog.getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByRole('button', { name: 'I-1: Completed. Change status' }).waitFor()
    assert.deepEqual(await levels(shop, shop.board), [16, 0, 16])
    // A completed audit cannot be counted further.
    await page.goto(`/audits/count/${id}`)
    await page.getByText('This stocktake is closed. Reopen it to continue counting.').waitFor()
  })
})

test('a second count of a location shows a warning about the open one', async () => {
  const shop = await stocked()
  const { audit_id: first } = await accepted(shop.owner, 'audits/add', {
    storage_id: shop.place,
    date: '2026-03-01',
    products: [{ id: shop.table, counted: 3 }],
  })
  await withPage({ user: shop.owner, path: `/audits/count?storage_id=${shop.place}` }, async (page) => {
    const warning = page.getByRole('alert').filter({ hasText: 'A stocktake of this location is already open' })
    await warning.getByRole('link', { name: /^Continue .* of 01\/03\/2026 \(1 item counted\)$/ }).click()
    await page.waitForURL(`**/audits/count/${first}`)
    await warning.waitFor({ state: 'detached' })
    await page.goto(`/audits/count?storage_id=${shop.company.materialsStorageId}`)
    await page
      .getByText('0 of', { exact: false })
      .or(page.getByText('No stock recorded here', { exact: false }))
      .first()
      .waitFor()
    assert.equal(await warning.count(), 0, 'no warning for another location')
  })
})

test('a manager enters what a surplus costs, on a phone, and the page says what each difference is valued at', async () => {
  const shop = await stocked()
  const { material_id: felt } = await accepted(shop.owner, 'materials/add', { name: 'Felt pad', price: 0.15 })
  const { audit_id: id } = await accepted(shop.owner, 'audits/add', {
    storage_id: shop.place,
    products: [{ id: shop.table, counted: 4 }],
    materials: [
      { id: shop.board, counted: 15 },
      { id: felt, counted: 100 },
    ],
  })
  const open = { user: shop.owner, path: `/audits/${id}`, width: 390, height: 844 }
  await withPage(open, async (page) => {
    await page.getByText('at the purchase price').first().waitFor()
    await page.getByRole('button', { name: 'Felt pad: at the purchase price. Enter a unit cost' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Cost per pcs').fill('0.2')
    await shot(page, 'audit-unit-cost-phone')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^Felt pad: at the cost entered/ }).waitFor()
    await page.getByRole('button', { name: /^Oak table: at average cost/ }).waitFor()
    await assertNoOverflow(page)
    await shot(page, 'audit-values-phone')
  })
  await withPage({ user: shop.owner, path: `/audits/${id}` }, async (page) => {
    await page.getByRole('row', { name: /Felt pad.*€20\.00/ }).waitFor()
    await shot(page, 'audit-values')
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByRole('button', { name: 'I-1: Completed. Change status' }).waitFor()
  })
  const { material } = await accepted(shop.owner, 'materials/get_entry', { material_id: felt })
  assert.equal(material.cost, 0.2)
})
