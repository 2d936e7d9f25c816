// The list of sales: status and payment changed in place and in bulk, and its state in the address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import { loadSales } from '../../server/test/harness/many-sales.ts'
import { messages as german } from '../src/messages/de.ts'
import { assertValue, eventually, withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'

const today = (): string => new Date().toISOString().slice(0, 10)
const row = (page: Page, num: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: num }) })

test('status and payment are changed in the list, by mouse and by key, and undone', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: '/sales' }, async (page) => {
    await page.getByRole('button', { name: 'A-1001: Unpaid. Change payment' }).click()
    await page.getByRole('menuitem', { name: 'Paid', exact: true }).click()
    await page.getByRole('button', { name: 'A-1001: Paid. Change payment' }).waitFor()
    assert.equal((await saleOf(place, id)).order.payment, 2)

    await page.keyboard.press('j')
    await page.keyboard.press('s')
    // The first item has the focus.
    await page.getByRole('menuitem', { name: 'Packed' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'A-1001: Packed. Change status' }).waitFor()

    await page.getByRole('button', { name: 'A-1001: Packed. Change status' }).click()
    await page.getByRole('menuitem', { name: 'Shipped' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText('Ships sale A-1001 and takes 3 pcs of Oak table and 2 pcs of Walnut chair from Finished goods.')
      .waitFor()
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

test('the focus ring does not touch the label of a payment', async () => {
  const place = await shop()
  await sold(place)
  await withPage({ user: place.owner, path: '/sales' }, async (page) => {
    const button = page.getByRole('button', { name: 'A-1001: Unpaid. Change payment' })
    await button.focus()
    const [left = 0, right = 0] = await button.evaluate((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      const [text, ring] = [range.getBoundingClientRect(), one.getBoundingClientRect()]
      return [text.left - ring.left, ring.right - text.right]
    })
    assert.ok(left >= 4 && right >= 4, `${left} px and ${right} px next to the label`)
  })
})

test('bulk actions: packed, shipped with one date and one total, canceled, paid, exported, deleted', async () => {
  const place = await shop()
  const ids = [await sold(place), await sold(place, { num: '1002' }), await sold(place, { num: '1003' })]
  const states = async () => await Promise.all(ids.map(async (id) => (await saleOf(place, id)).order.status))
  await withPage({ user: place.owner, path: '/sales?cut=all' }, async (page) => {
    const choose = async (label: string): Promise<void> => {
      await page.getByLabel('Select all rows on this page').check()
      await page.getByRole('toolbar').getByRole('button', { name: label }).click()
    }
    await choose('Pack')
    await page.getByText('Done: 3 rows').waitFor()
    assert.deepEqual(await states(), [1, 1, 1])
    await choose('Ship')
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText('Ships 3 sales and takes 9 pcs of Oak table and 6 pcs of Walnut chair from Finished goods.')
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(await states(), [1, 1, 1], 'the user canceled')
    await page.getByRole('toolbar').getByRole('button', { name: 'Ship' }).click()
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.waitForFunction(() => document.querySelectorAll('[data-colour="green"]').length === 3)
    assert.deepEqual(await states(), [3, 3, 3])
    await choose('Mark as paid')
    await page.getByRole('button', { name: 'A-1002: Paid. Change payment' }).waitFor()

    await page.getByLabel('Select row').first().check()
    const download = page.waitForEvent('download')
    await page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Export CSV, commas' }).click()
    const file = await (await download).createReadStream()
    const text = (await file.toArray()).join('')
    assert.match(
      text,
      /^\uFEFFNumber,Customer,Date,Status,Payment,Availability,Total,Margin\r\nA-1001,Berta Blum,[\d-]+,Shipped,Paid,/,
    )
    assert.equal(text.trim().split('\r\n').length, 2, 'only the selected rows')

    await choose('Cancel sales')
    await dialog
      .getByText('Cancels 3 sales and returns 9 pcs of Oak table and 6 pcs of Walnut chair to Finished goods.')
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel sales' }).click()
    await page.waitForFunction(() => document.querySelectorAll('[data-colour="struck"]').length === 3)
    await choose('Delete')
    await dialog.getByText('Permanently deletes 3 sales. No effect on stock.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No sales yet.', { exact: false }).waitFor()
  })
})

test('filters, sort and page are kept in the address and restored from it', async () => {
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
    await assertValue(page.getByRole('searchbox', { name: 'Search' }), 'café')
    assert.equal(await row(page, 'A-1001').count(), 0)
    // The total is that of the filtered rows.
    await page
      .getByRole('row', { name: /^Total/ })
      .getByText('€440.00')
      .first()
      .waitFor()
  })
})

test('totals exclude canceled sales and say so; only a list of canceled sales is summed', async () => {
  const place = await shop()
  await sold(place)
  const canceled = await sold(place, { num: '1002' })
  await place.owner.call('orders/update_status', { order_id: canceled, status: 4 })
  await withPage({ user: place.owner, path: '/sales?cut=all' }, async (page) => {
    const foot = page.locator('tfoot tr')
    await row(page, 'A-1002').waitFor()
    await foot.getByText('Total excl. canceled').waitFor()
    await foot.getByText('€440.00').waitFor()
    await page.getByRole('tab', { name: 'Canceled' }).click()
    await foot.getByText('Total', { exact: true }).waitFor()
    await foot.getByText('€440.00').waitFor()
    await page.getByRole('tab', { name: 'Ready to ship 1' }).click()
    await row(page, 'A-1001').waitFor()
    assert.equal(await row(page, 'A-1002').count(), 0)
  })
})

test('with a decimal comma the first CSV option has semicolons; page numbers follow the locale too', async () => {
  const company = await loadSales({ sales: 1300, days: 30, lastDay: '2026-06-30' })
  const owner = await given.user(company, 'owner')
  await withPage({ user: owner, path: '/sales?cut=all&page=25', locale: 'de-DE' }, async (page) => {
    const { list } = german.kit
    await page.getByText('1.201–1.250 von 1.300').waitFor()
    await page.getByLabel(list.select).first().check()
    await page.getByRole('toolbar').getByRole('button', { name: list.export }).click()
    await eventually(async () =>
      assert.match((await page.getByRole('menuitem').first().textContent()) ?? '', /Semikolons/),
    )
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: list.exportAs['csv with semicolons'] }).click()
    const file = await (await download).createReadStream()
    const [head = '', line = ''] = (await file.toArray()).join('').split('\r\n')
    assert.match(head, /^\uFEFFNummer;Kunde;Datum;Status;/)
    assert.match(line, /^A-\d+;Customer \d+;2026-06-\d\d;[A-Za-z ]+;(?:Unbezahlt|Teilbezahlt|Bezahlt);/)
  })
  await withPage({ user: owner, path: '/sales?cut=all&page=5', width: 390, height: 844 }, async (page) => {
    await page.getByText('201–250 of 1,300').waitFor()
    const boxes = await page.locator('.mantine-Pagination-control:visible').evaluateAll((all) =>
      all.map((one) => {
        const { y, width, height } = one.getBoundingClientRect()
        return { y, isThumbSized: width >= 44 && height >= 44 }
      }),
    )
    assert.ok(boxes.length >= 3 && boxes.every(({ isThumbSized }) => isThumbSized), JSON.stringify(boxes))
    assert.equal(new Set(boxes.map(({ y }) => y)).size, 1, 'in one line')
    await page.getByRole('button', { name: 'Next page' }).tap()
    await page.getByText('251–300 of 1,300').waitFor()
  })
})

test('the row under the cursor stays marked when the list changes, and another page starts without one', async () => {
  const place = await shop()
  for (const num of ['1', '2', '3']) await sold(place, { num })
  await withPage({ user: place.owner, path: '/sales?sort=num&dir=asc' }, async (page) => {
    const marked = page.locator('tr[data-current]')
    await row(page, 'A-3').waitFor()
    assert.equal(await marked.count(), 0)
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    await marked.filter({ hasText: 'A-2' }).waitFor()
    // Another user adds a sale above it: the cursor keeps its place in the list.
    await sold(place, { num: '0' })
    await row(page, 'A-0').waitFor()
    await marked.filter({ hasText: 'A-1' }).waitFor()
    assert.equal(await marked.count(), 1)
    await page
      .getByRole('button', { name: 'Number' })
      .or(page.getByRole('columnheader', { name: 'Number' }))
      .first()
      .click()
    await page.waitForURL(/dir=desc|\/sales$/)
    await eventually(async () => assert.equal(await marked.count(), 0))
    await page.keyboard.press('j')
    await marked.filter({ hasText: 'A-3' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sale A-3' }).waitFor()
  })
})
