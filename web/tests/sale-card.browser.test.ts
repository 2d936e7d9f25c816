// The card of a sale: editing and saving, conflicts, confirmations before stock moves, and permissions.
// Long because it covers every action on a sale.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertColoursAccessible, assertValue, eventually, shot, withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'
import { accepted, workshop } from './workshop.ts'

test('lines are changed by price or total, totals are recomputed, and only changes are sent', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Price: Oak table').fill('100')
    await assertValue(page.getByLabel('Total: Oak table'), '300.00')
    await page.getByLabel('Total: Walnut chair').fill('75')
    await assertValue(page.getByLabel('Price: Walnut chair'), '37.50')
    await page.getByLabel('Delivery', { exact: true }).fill('12.5')
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

test('each line shows its stock, updated while the quantity is typed', async () => {
  const place = await shop()
  await sold(place, { num: '900', products: [{ sku: 'CHAIR', amount: 3, total: 120 }] })
  const id = await sold(place, { products: [{ sku: 'CHAIR', amount: 1, total: 40 }] })
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    const line = page.locator('tr[data-line]')
    await line.getByText('In stock').waitFor()
    await line.getByText('4 on hand, 4 reserved (1 by this sale)').waitFor()
    await line.getByText('1 pcs for this sale').waitFor()
    await page.getByLabel('Quantity: Walnut chair').fill('2')
    await line.getByText('Missing').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await line.getByText('In stock').waitFor()
  })
})

test('the stock reserved for a sale is not shown as negative when later sales are short', async () => {
  const place = await shop()
  const first = await sold(place, { num: '900', products: [{ sku: 'CHAIR', amount: 4, total: 120 }] })
  const second = await sold(place, { products: [{ sku: 'CHAIR', amount: 1, total: 40 }] })
  await withPage({ user: place.owner, path: `/sales/${first}` }, async (page) => {
    const line = page.locator('tr[data-line]')
    await line.getByText('In stock').waitFor()
    await line.getByText('4 pcs for this sale').waitFor()
    assert.equal(await line.getByText('available').count(), 0)
    await page.goto(`/sales/${second}`)
    await line.getByText('Missing').waitFor()
    await line.getByText('−1 pcs available').waitFor()
  })
})

test('a sale of a product that was never made shows planned cost and margin, and none where no cost is known', async () => {
  const place = await workshop()
  const sale = async (products: object[]): Promise<number> =>
    (await accepted(place.owner, 'orders/add', { num: '7', customer_name: 'Berta Blum', production: 1, products }))
      .order_id
  const { product_id: stool } = await accepted(place.owner, 'products/add', { name: 'Oak stool', sku: 'STOOL' })
  // A table is four boards at 9 and an hour and a half at 30.
  const table = { id: place.table, amount: 2, total: 498 }
  const planned = await sale([table])
  const unknown = await sale([{ id: stool, amount: 1, total: 50 }])
  const part = await sale([table, { id: stool, amount: 1, total: 50 }])
  await withPage({ user: place.owner, path: `/sales/${planned}` }, async (page) => {
    const sums = page.locator('dl').filter({ hasText: 'Subtotal' })
    const shown = async (last: string): Promise<string> => {
      await sums.getByText(last).waitFor()
      return (await sums.innerText()).replaceAll(/\s+/g, ' ')
    }
    await eventually(async () =>
      assert.match(await shown('Planned cost'), /Planned cost ≈ €162\.00 Planned margin 67 % €336\.00/),
    )
    await shot(page, 'sale-planned-cost')
    await page.goto(`/sales/${unknown}`)
    await eventually(async () => assert.match(await shown('Not known yet'), /Cost Not known yet Margin –/))
    await page.goto(`/sales/${part}`)
    assert.match(await shown('Planned cost'), /Planned cost at least €162\.00 Margin – Cost not known yet: Oak stool/)
    await page.goto('/sales')
    await page
      .getByRole('row', { name: /Berta Blum/ })
      .first()
      .waitFor()
    await eventually(async () => assert.equal(await page.getByTitle('Cost not known yet').count(), 2))
  })
})

test('leaving with unsaved changes asks for confirmation', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Notes').fill('half a thought')
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('dialog').getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await assertValue(page.getByLabel('Notes'), 'half a thought')
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('button', { name: 'Discard and leave' }).click()
    await page.waitForURL('**/customers')
  })
})

test('an error is shown at its field, and the input is kept', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Quantity: Walnut chair').fill('0')
    await page.getByLabel('Notes').fill('kept')
    await page.keyboard.press('Control+Enter')
    const messages = 'Enter a quantity above 0.'
    await page.getByRole('alert').filter({ hasText: messages }).waitFor()
    await page.locator('tr[data-wrong]', { hasText: 'Walnut chair' }).getByText(messages).waitFor()
    await assertValue(page.getByLabel('Notes'), 'kept')
    await page.getByLabel('Quantity: Walnut chair').fill('1')
    await page.getByLabel('Number').fill('')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Enter a number.').waitFor()
    await eventually(async () => assert.equal(await page.getByLabel('Number').getAttribute('aria-invalid'), 'true'))
  })
})

test('another user’s changes are merged; for a field changed by both, both versions are shown', async () => {
  const place = await shop()
  const id = await sold(place)
  const other = await given.user(place.company, 'manager')
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Notes').fill('mine')
    // A different field: it is updated, and the typed one is kept.
    assert.equal((await other.call('orders/edit', { order_id: id, delivery_price: 20 })).status, 200)
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[name="delivery_price"]')?.value === '20.00',
    )
    await assertValue(page.getByLabel('Notes'), 'mine')
    assert.equal(await page.getByText('Changed by').count(), 0)
    // The same field: both versions are shown, and nothing is lost.
    assert.equal((await other.call('orders/edit', { order_id: id, notes: 'theirs' })).status, 200)
    await page.keyboard.press('Control+Enter')
    const notice = page.getByRole('alert').filter({ hasText: 'Some manager changed this record' })
    await notice.getByRole('cell', { name: 'mine' }).waitFor()
    await notice.getByRole('cell', { name: 'theirs' }).waitFor()
    await shot(page, 'sale-conflict')
    assert.equal((await saleOf(place, id)).order.notes, 'theirs')
    // Saving again without having chosen does not overwrite it.
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'alert')
    assert.equal((await saleOf(place, id)).order.notes, 'theirs')
    await notice.getByRole('button', { name: 'Overwrite with mine' }).click()
    await page.getByText('Sale A-1001 saved').waitFor()
    const { order } = await saleOf(place, id)
    assert.deepEqual([order.notes, order.delivery_price], ['mine', 20])
  })
})

test('changing, canceling and deleting a shipped sale show the effect on stock', async () => {
  const place = await shop()
  const id = await sold(place)
  await place.owner.call('orders/update_status', { order_id: id, status: 3 })
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByLabel('Quantity: Oak table').fill('5')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Changes sale A-1001 and takes 2 pcs of Oak table from Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await assertValue(page.getByLabel('Quantity: Oak table'), '5', 'the input is kept')
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Sale A-1001 saved').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByText('Already shipped.').waitFor()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog
      .getByText(
        'Permanently deletes sale A-1001 and returns 5 pcs of Oak table and 2 pcs of Walnut chair to Finished goods.',
      )
      .waitFor()
    await shot(page, 'sale-delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/sales')
    await page.getByText('Sale A-1001 deleted').waitFor()
  })
})

test('one of several shipments is undone, from its notification or from the list of shipments', async () => {
  const place = await shop()
  const id = await sold(place)
  const shipped = async () =>
    (await saleOf(place, id)).shipments.map((one: { shipment: number; date: string }) => [one.shipment, one.date])
  await place.owner.call('orders/ship_part', {
    order_id: id,
    date: '2026-03-01',
    lines: [{ id: place.table.id, amount: 1 }],
  })
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Ship part' }).click()
    await dialog.getByLabel('Ship now: Walnut chair').fill('0')
    await dialog.getByRole('button', { name: 'Ship part' }).click()
    await page.getByRole('button', { name: 'Undo Shipment 2' }).waitFor()
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    assert.deepEqual(await shipped(), [[1, '2026-03-01']])

    const shipRest = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Ship remaining' }).click()
      await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
      await page.getByRole('button', { name: 'Undo Shipment 2' }).waitFor()
    }
    await shipRest()
    await page
      .getByRole('alert')
      .filter({ hasText: 'Sale A-1001: Shipped' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByRole('button', { name: 'A-1001: Partially shipped. Change status' }).waitFor()
    await shipRest()
    await page.getByRole('button', { name: 'Undo Shipment 1' }).click()
    await dialog
      .getByText(/^Undoes shipment 1 of sale A-1001, returns 1 pcs of Oak table to Finished goods and reserves/)
      .waitFor()
    await shot(page, 'sale-undo-shipment')
    await dialog.getByRole('button', { name: 'Undo shipment' }).click()
    await page.getByRole('button', { name: 'A-1001: Partially shipped. Change status' }).waitFor()
    assert.deepEqual(
      (await shipped()).map(([number]: [number]) => number),
      [2],
      'the rest stays shipped, as a shipment of its own',
    )
  })
})

test('an item missing in the catalog is created from the line that needs it', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Add a line: name, SKU or barcode').fill('Elm stool')
    await page.getByRole('option', { name: 'Create “Elm stool”' }).click()
    const dialog = page.getByRole('dialog')
    await assertValue(dialog.getByLabel('Name'), 'Elm stool')
    await dialog.getByLabel('SKU').fill('TABLE')
    await dialog.getByRole('button', { name: 'Create and add' }).click()
    await dialog.getByText('SKU TABLE is already used by another item.').waitFor()
    await dialog.getByLabel('SKU').fill('STOOL')
    await shot(page, 'line-new-item')
    await dialog.getByLabel('SKU').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    // The line is added, and its quantity has the focus.
    await page.getByLabel('Quantity: Elm stool').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('3')
    await page.getByLabel('Total: Elm stool').fill('90')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sale A-1001 saved').waitFor()
    const { lines } = await saleOf(place, id)
    assert.deepEqual([lines[2].name, lines[2].sku, lines[2].amount, lines[2].unit], ['Elm stool', 'STOOL', 3, 'pcs'])
  })
})

test('a sale is made to order, fulfilled from stock again, copied, and canceled', async () => {
  const place = await shop()
  // What has no components is bought, not made.
  const components = [{ type: 'material', id: place.board.id, amount: 1 }]
  await accepted(place.owner, 'products/edit', { product_id: place.table.id, components })
  const id = await sold(place)
  await withPage({ user: place.owner, path: `/sales/${id}?tab=production` }, async (page) => {
    await page.getByRole('tabpanel').getByRole('button', { name: 'Make to order' }).click()
    await page.getByRole('tabpanel').getByText('Planned').waitFor()
    assert.equal((await saleOf(place, id)).order.production, 1)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Fulfil from stock' }).click()
    await page.getByText('This sale is fulfilled from stock.').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Cancel sale' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(
        'Cancels sale A-1001 and releases 3 pcs of Oak table and 2 pcs of Walnut chair reserved in Finished goods.',
      )
      .waitFor()
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

test('lines with unknown items from an integration are highlighted, and the notice disappears when they are fixed', async () => {
  const place = await shop()
  const id = await sold(place, {
    notes: 'Ring twice',
    products: [
      { sku: 'TABLE', amount: 1, total: 120 },
      { sku: 'UNKNOWN-7', amount: 2, total: 30.5 },
    ],
  })
  await withPage({ user: place.owner, path: `/sales/${id}` }, async (page) => {
    const block = page.getByRole('alert').filter({ hasText: 'Some lines were skipped' })
    await block.getByText('Product not found: SKU "UNKNOWN-7", amount 2, total 30.5').waitFor()
    await shot(page, 'sale-skipped')
    await block.getByRole('button', { name: 'Find UNKNOWN-7' }).click()
    await page.getByText('No item found for “UNKNOWN-7”.').waitFor()
    await block.getByRole('button', { name: 'Dismiss note' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Sale A-1001 saved').waitFor()
    await block.waitFor({ state: 'detached' })
    assert.equal((await saleOf(place, id)).order.notes, 'Ring twice')
  })
})

test('a worker ships, and sees no price, cost or total anywhere', async () => {
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
    await page.getByText('This document reserves', { exact: false }).waitFor()
    assert.doesNotMatch(await page.locator('#content').innerText(), money)
    assert.equal(await page.getByRole('tab', { name: 'History' }).count(), 0)
    assert.equal(await page.getByLabel('Quantity: Oak table').count(), 0, 'no field for the quantity')
    await shot(page, 'sale-worker')
    await page.getByRole('button', { name: 'Ship part' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ship now: Walnut chair').fill('0')
    assert.doesNotMatch(await dialog.innerText(), money)
    await dialog.getByRole('button', { name: 'Ship part' }).click()
    await page.getByText('3 of 3').waitFor()
  })
})

for (const [scheme, check] of [
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
      await check(page)
      await page.getByRole('button', { name: 'Filters' }).click()
      await check(page)
      await page.goto('/sales/new')
      await page.getByRole('button', { name: 'Create sale' }).waitFor()
      await check(page)
      await page.goto(`/sales/${id}`)
      for (const tab of ['Production', 'Stock effect', 'History', 'Requests', 'Shipments']) {
        await page.getByRole('tab', { name: tab }).click()
        await check(page)
      }
      await page.getByRole('button', { name: 'Ship part' }).click()
      await check(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Ship', exact: true }).click()
      await check(page)
    })
  })
}
