// The card of a sale: what is changed and saved, by whom, what is said before goods move, and who sees what.
// Long because it walks through everything that can be done with a sale.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/testing/given.ts'
import { assertAccessible, assertColoursAccessible, shot, withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'

test('lines are changed by price or total, sums follow, and only what changed is sent', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Price: Oak table').fill('100')
    assert.equal(await page.getByLabel('Total: Oak table').inputValue(), '300.00')
    await page.getByLabel('Total: Walnut chair').fill('75')
    assert.equal(await page.getByLabel('Price: Walnut chair').inputValue(), '37.50')
    await page.getByLabel('Delivery').fill('12.5')
    await page.getByLabel('Discount').fill('7.50')
    await page.getByText('€380.00').first().waitFor()
    await page.getByText('Unsaved changes').waitFor()
    await page.getByLabel('Notes').fill('Ring twice')
    const request = page.waitForRequest('**/screens/orders/edit')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sale A-1001 saved').waitFor()
    const sent = Object.keys((await request).postDataJSON()).toSorted()
    assert.deepEqual(sent, ['delivery_price', 'discount', 'materials', 'notes', 'order_id', 'products'])
    await page.getByRole('button', { name: 'Pack' }).waitFor()
    const { order, lines } = await saleOf(place, id)
    assert.deepEqual([order.total, order.delivery_price, order.discount, order.notes], [380, 12.5, 7.5, 'Ring twice'])
    assert.deepEqual(
      lines.map((line: { total: number }) => line.total),
      [300, 75],
    )
    // Cost 3 × 80 + 2 × 15.
    await page.getByText('€270.00').waitFor()
    await page.getByText('€110.00').waitFor()
  })
})

test('what is there of each line is told, and follows the quantity while it is typed', async () => {
  const place = await shop()
  await sold(place, { num: '900', products: [{ sku: 'CHAIR', amount: 3, total: 120 }] })
  const id = await sold(place, { products: [{ sku: 'CHAIR', amount: 1, total: 40 }] })
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    const line = page.locator('tr[data-line]')
    await line.getByText('In stock').waitFor()
    await line.getByText('4 on hand, 4 reserved (1 here)').waitFor()
    await page.getByLabel('Quantity: Walnut chair').fill('2')
    await line.getByText('Missing').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await line.getByText('In stock').waitFor()
  })
})

test('leaving with unsaved changes asks first', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Notes').fill('half a thought')
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('dialog').getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    assert.equal(await page.getByLabel('Notes').inputValue(), 'half a thought')
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('button', { name: 'Leave and discard' }).click()
    await page.waitForURL('**/customers')
  })
})

test('an error stands where it belongs, and nothing typed is lost', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Quantity: Walnut chair').fill('0')
    await page.getByLabel('Notes').fill('kept')
    await page.keyboard.press('Control+Enter')
    const words = `Amount must be greater than 0 for product with id ${place.chair.id}`
    await page.getByRole('alert').filter({ hasText: words }).waitFor()
    await page.locator('tr[data-wrong]', { hasText: 'Walnut chair' }).getByText(words).waitFor()
    assert.equal(await page.getByLabel('Notes').inputValue(), 'kept')
    await page.getByLabel('Quantity: Walnut chair').fill('1')
    await page.getByLabel('Number').fill('')
    await page.keyboard.press('Control+Enter')
    await page.getByText('No num in input').waitFor()
    assert.equal(await page.getByLabel('Number').getAttribute('aria-invalid'), 'true')
  })
})

test('what somebody else saved meanwhile is taken in; where both changed one field, both are shown', async () => {
  const place = await shop()
  const id = await sold(place)
  const other = await given.user(place.company, 'manager')
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Notes').fill('mine')
    // Another field: it follows, and mine stays.
    assert.equal((await other.call('orders/edit', { order_id: id, delivery_price: 20 })).status, 200)
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[name="delivery_price"]')?.value === '20.00',
    )
    assert.equal(await page.getByLabel('Notes').inputValue(), 'mine')
    assert.equal(await page.getByText('Changed by someone else meanwhile').count(), 0)
    // The same field: both are shown, and nothing is lost.
    assert.equal((await other.call('orders/edit', { order_id: id, notes: 'theirs' })).status, 200)
    await page.keyboard.press('Control+Enter')
    const notice = page.getByRole('alert').filter({ hasText: 'Changed by someone else meanwhile' })
    await notice.getByRole('cell', { name: 'mine' }).waitFor()
    await notice.getByRole('cell', { name: 'theirs' }).waitFor()
    await shot(page, 'sale-conflict')
    assert.equal((await saleOf(place, id)).order.notes, 'theirs')
    await notice.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('Sale A-1001 saved').waitFor()
    const { order } = await saleOf(place, id)
    assert.deepEqual([order.notes, order.delivery_price], ['mine', 20])
  })
})

test('changing a shipped sale says what it does to stock; canceling and deleting do too', async () => {
  const place = await shop()
  const id = await sold(place)
  await place.owner.call('orders/update_status', { order_id: id, status: 3 })
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Quantity: Oak table').fill('5')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Changes sale A-1001 and takes 2 pcs of Oak table from Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.getByLabel('Quantity: Oak table').inputValue(), '5', 'still there')
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Sale A-1001 saved').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByText('Everything of it has been shipped.').waitFor()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByText('Deletes sale A-1001 for good and returns 7 items (2 kinds) to Finished goods.').waitFor()
    await shot(page, 'sale-delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/sales')
    await page.getByText('Sale A-1001 deleted').waitFor()
  })
})

test('a sale is made to order, fulfilled from stock again, copied, and canceled', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}?tab=production` }, async (page) => {
    await page.getByRole('tabpanel').getByRole('button', { name: 'Make to order' }).click()
    await page.getByRole('tabpanel').getByText('Planned').waitFor()
    assert.equal((await saleOf(place, id)).order.production, 1)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Fulfil from stock' }).click()
    await page.getByText('It is fulfilled from stock.').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Cancel sale' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Cancels sale A-1001 and frees 5 items (2 kinds) reserved in Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel sale' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    await page.waitForURL(`**/sales/new?copy=${id}`)
    await page.getByLabel('Quantity: Oak table').waitFor()
    await page.getByRole('button', { name: 'Create sale' }).click()
    await page.waitForURL(/\/sales\/\d+$/)
    const copy = await saleOf(place, Number(page.url().split('/').at(-1)))
    assert.equal(copy.order.status, 0)
    assert.equal(copy.order.total, 440)
    assert.equal(copy.order.customer_name, 'Berta Blum')
  })
})

test('lines that an integration sent and nobody knows stand out, and the note goes when it is mended', async () => {
  const place = await shop()
  const id = await sold(place, {
    notes: 'Ring twice',
    products: [
      { sku: 'TABLE', amount: 1, total: 120 },
      { sku: 'UNKNOWN-7', amount: 2, total: 30.5 },
    ],
  })
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    const block = page.getByRole('alert').filter({ hasText: 'Some lines were left out' })
    await block.getByText('Product not found: SKU "UNKNOWN-7", amount 2, total 30.5').waitFor()
    await shot(page, 'sale-skipped')
    await block.getByRole('button', { name: 'Find UNKNOWN-7' }).click()
    await page.getByText('No item is called “UNKNOWN-7” or has this code.').waitFor()
    await block.getByRole('button', { name: 'Remove this note' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Sale A-1001 saved').waitFor()
    await block.waitFor({ state: 'detached' })
    assert.equal((await saleOf(place, id)).order.notes, 'Ring twice')
  })
})

test('a worker ships, and sees no price, no cost and no sum anywhere', async () => {
  const place = await shop()
  await sold(place, { delivery_price: 13, discount: 7 })
  const worker = await given.user(place.company, 'worker')
  const money = /€|440|446|360|120|\b80\b|270|176/
  await withPage({ user: worker, path: '/sales' }, async (page) => {
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    assert.doesNotMatch(await page.locator('#content').innerText(), money)
    assert.equal(await page.getByRole('link', { name: 'New sale' }).count(), 0)
    await page.getByRole('link', { name: 'A-1001' }).click()
    await page.getByRole('button', { name: 'Pack' }).waitFor()
    await page.getByRole('tab', { name: 'Stock effect' }).click()
    await page.getByText('Now it reserves', { exact: false }).waitFor()
    assert.doesNotMatch(await page.locator('#content').innerText(), money)
    assert.equal(await page.getByRole('tab', { name: 'History' }).count(), 0)
    assert.equal(await page.getByLabel('Quantity: Oak table').count(), 0, 'nothing to type in')
    await shot(page, 'sale-worker')
    await page.getByRole('button', { name: 'Ship part' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ship now: Walnut chair').fill('0')
    assert.doesNotMatch(await dialog.innerText(), money)
    await dialog.getByRole('button', { name: 'Ship part' }).click()
    await page.getByText('3 of 3').waitFor()
  })
})

for (const [scheme, look] of [
  ['light', assertAccessible],
  ['dark', assertColoursAccessible],
] as const) {
  test(`list, card, new sale and dialogs are accessible (${scheme})`, async () => {
    const place = await shop()
    const id = await sold(place, {
      products: [
        { sku: 'TABLE', amount: 20, total: 100 },
        { sku: 'NONE', amount: 1, total: 1 },
      ],
    })
    await withPage({ user: place.owner, path: '/sales', scheme }, async (page) => {
      await page.getByLabel('Select row').first().check()
      await look(page)
      await page.getByRole('button', { name: 'Filters' }).click()
      await look(page)
      await page.goto('/sales/new')
      await page.getByRole('button', { name: 'Create sale' }).waitFor()
      await look(page)
      await page.goto(`/sales/${id}`)
      for (const tab of ['Production', 'Stock effect', 'History', 'Requests', 'Shipments']) {
        await page.getByRole('tab', { name: tab }).click()
        await look(page)
      }
      await page.getByRole('button', { name: 'Ship part' }).click()
      await look(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Ship', exact: true }).click()
      await look(page)
    })
  })
}
