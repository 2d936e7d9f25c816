// The list of sales: states and payments changed in place, many at once, and an address that can be sent to others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'

const today = (): string => new Date().toISOString().slice(0, 10)
const row = (page: Page, num: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: num }) })

test('state and payment are changed in the list, by mouse and by key, and taken back', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: '/sales' }, async (page) => {
    await page.getByRole('button', { name: 'A-1001 is Unpaid. Change its payment' }).click()
    await page.getByRole('menuitem', { name: 'Paid', exact: true }).click()
    await page.getByRole('button', { name: 'A-1001 is Paid. Change its payment' }).waitFor()
    assert.equal((await saleOf(place, id)).order.payment, 2)

    await page.keyboard.press('j')
    await page.keyboard.press('s')
    await page.getByRole('menuitem', { name: 'Packed' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'A-1001 is Packed. Change its state' }).waitFor()

    await page.getByRole('button', { name: 'A-1001 is Packed. Change its state' }).click()
    await page.getByRole('menuitem', { name: 'Shipped' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ships sale A-1001 and takes 5 items (2 kinds) from Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.getByText('Sale A-1001: Shipped').waitFor()
    const shipped = (await saleOf(place, id)).order
    assert.deepEqual([shipped.status, shipped.date_shipped], [3, today()])
    await page
      .getByRole('alert')
      .filter({ hasText: 'Sale A-1001: Shipped' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByText('Undone').waitFor()
    const undone = (await saleOf(place, id)).order
    assert.deepEqual([undone.status, undone.date_shipped], [1, ''])
  })
})

test('many sales at once: packed, shipped with one day and one sum, canceled, paid, exported, deleted', async () => {
  const place = await shop()
  const ids = [await sold(place), await sold(place, { num: '1002' }), await sold(place, { num: '1003' })]
  const states = async () => await Promise.all(ids.map(async (id) => (await saleOf(place, id)).order.status))
  await withPage({ user: place.owner, path: '/sales?cut=all' }, async (page) => {
    const choose = async (label: string): Promise<void> => {
      await page.getByLabel('Select all rows of this page').check()
      await page.getByRole('toolbar').getByRole('button', { name: label }).click()
    }
    await choose('Pack')
    await page.getByText('3 rows done').waitFor()
    assert.deepEqual(await states(), [1, 1, 1])
    await choose('Ship')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ships 3 sales and takes 15 items (2 kinds) from Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(await states(), [1, 1, 1], 'thought better of it')
    await page.getByRole('toolbar').getByRole('button', { name: 'Ship' }).click()
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.waitForFunction(() => document.querySelectorAll('[data-tone="3"]').length === 3)
    assert.deepEqual(await states(), [3, 3, 3])
    await choose('Mark paid')
    await page.getByRole('button', { name: 'A-1002 is Paid. Change its payment' }).waitFor()

    await page.getByLabel('Select row').first().check()
    const download = page.waitForEvent('download')
    await page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Export CSV' }).click()
    const file = await (await download).createReadStream()
    const text = (await file.toArray()).join('')
    assert.match(text, /^\uFEFFNumber,State,Payment,Date,Customer,Goods,Total,Margin,Source\r\nA-1001,Shipped,Paid,/)
    assert.equal(text.trim().split('\r\n').length, 2, 'only what is selected')

    await choose('Cancel sales')
    await dialog.getByText('Cancels 3 sales and returns 15 items (2 kinds) to Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel sales' }).click()
    await page.waitForFunction(() => document.querySelectorAll('[data-tone="4"]').length === 3)
    await choose('Delete')
    await dialog.getByText('Deletes 3 sales for good. Stock does not change.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No sales yet.', { exact: false }).waitFor()
  })
})

test('filters, order and page live in the address and come back with it', async () => {
  const place = await shop()
  await sold(place)
  await sold(place, { num: '1002', customer_name: 'Café Central' })
  await withPage({ user: place.owner, path: '/sales' }, async (page) => {
    await row(page, 'A-1001').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('café')
    await page.waitForURL(/q=caf/)
    await row(page, 'A-1002').waitFor()
    await page.locator('thead th', { hasText: 'Total' }).click()
    await page.waitForURL(/sort=total/)
    await page.reload()
    await row(page, 'A-1002').waitFor()
    assert.equal(await page.getByRole('searchbox', { name: 'Search in this list' }).inputValue(), 'café')
    assert.equal(await row(page, 'A-1001').count(), 0)
    // The sum is that of what is filtered.
    await page
      .getByRole('row', { name: /^Total/ })
      .getByText('€440.00')
      .first()
      .waitFor()
  })
})
