// A sale from the API key of an integration to the last shipment, and on a phone.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { methodPath } from '../../server/platform/http/paths.ts'
import { send } from '../../server/test/harness/app.ts'
import { assertNoOverflow, eventually, rowOf, shot, withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'

/** Calls the API as a shop's own program does. */
async function asShop(key: string, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await send(methodPath(path), { headers: { authorization: key }, body: JSON.stringify(body) })
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

test('sign up, create a key, receive a sale through the API, ship part of it, then the rest, and see the explanation of the stock', async () => {
  await withPage({ path: '/sign-up' }, async (page) => {
    await page.getByLabel('Company').fill('Oak & Sons')
    await page.getByLabel('Your name').fill('Anna')
    await page.getByLabel('E-mail').fill(`anna-${randomUUID()}@example.com`)
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await page.getByRole('button', { name: 'Create company' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Integrations' }).click()
    await page.getByRole('button', { name: /^(Create|Rotate) key$/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Create|Rotate) key$/ })
      .click()
    const key = (await page.getByRole('region', { name: 'API key' }).textContent())?.trim() ?? ''
    await page.getByRole('button', { name: 'I have copied it' }).click()

    await page.getByRole('link', { name: 'Sales' }).click()
    await page.getByText('No sales yet.', { exact: false }).waitFor()
    await asShop(key, 'products/add', { name: 'Oak table', sku: 'TABLE', price: 120 })
    const purchase = await asShop(key, 'purchases/add', {
      supplier_name: 'Sawmill',
      products: [{ sku: 'TABLE', amount: 10, total: 800 }],
    })
    await asShop(key, 'purchases/update_status', { purchase_id: purchase['purchase_id'], status: 3 })
    await asShop(key, 'orders/add', {
      num: '1007',
      customer_name: 'Berta Blum',
      customer_phone: '+49 30 123456',
      products: [{ sku: 'TABLE', amount: 5, total: 600 }],
    })
    // The list updates without a reload.
    const line = rowOf(page, 'A-1007')
    await line.getByText('New').waitFor()
    await line.getByText('In stock').waitFor()
    await line.getByText('€600.00').waitFor()
    await shot(page, 'sales-live')

    await page.getByRole('link', { name: 'A-1007' }).click()
    await page.getByRole('button', { name: 'Ship part' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ship now: Oak table').fill('2')
    await dialog.getByText('Ships part of sale A-1007 and takes 2 pcs of Oak table from Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Ship part' }).click()
    await page.getByRole('button', { name: 'A-1007: Partially shipped. Change status' }).waitFor()
    await page.getByText('2 of 5').waitFor()
    await page.getByText('Shipment 1').waitFor()

    await page.getByRole('button', { name: 'Ship remaining' }).click()
    await dialog.getByText('Ships sale A-1007 and takes 3 pcs of Oak table from Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.getByRole('button', { name: 'A-1007: Shipped. Change status' }).waitFor()
    await page.getByText('Shipment 2').waitFor()

    await page.getByRole('tab', { name: 'History' }).click()
    const history = page.getByRole('tabpanel')
    await history.getByText('Created').waitFor()
    await eventually(async () => assert.equal(await history.getByText('by Anna').count(), 2, 'both shipments by Anna'))
    await eventually(async () =>
      assert.equal(await history.getByText(/^via /).count(), 1, 'the sale was created with the key'),
    )
    await page.getByRole('tab', { name: 'Stock effect' }).click()
    await page.getByText('This document takes 5 pcs of Oak table from Finished goods.').waitFor()
    await page.getByRole('tabpanel').getByRole('link', { name: 'Oak table' }).first().click()
    await page.waitForURL(/\/stock\/items\/\d+/)
    await page
      .getByRole('link', { name: /A-1007/ })
      .first()
      .waitFor()
    await shot(page, 'stock-explained')
  })
})

test('on a phone a sale is found, opened, and partly shipped, without sideways scrolling', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: '/sales', width: 390, height: 844 }, async (page) => {
    await page.getByText('Berta Blum').waitFor()
    await assertNoOverflow(page)
    await shot(page, 'sales-phone')
    await page.getByRole('link', { name: 'A-1001' }).tap()
    await page.getByRole('button', { name: 'Ship', exact: true }).waitFor()
    await assertNoOverflow(page)
    await shot(page, 'sale-phone')
    await page.getByRole('button', { name: 'More actions' }).tap()
    await page.getByRole('menuitem', { name: 'Ship part' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ship now: Oak table').fill('1')
    await dialog.getByLabel('Ship now: Walnut chair').fill('0')
    await assertNoOverflow(page)
    await dialog.getByRole('button', { name: 'Ship part' }).tap()
    await page.getByText('Partially shipped', { exact: true }).waitFor()
    assert.equal((await saleOf(place, id)).shipments[0].lines[0].amount, 1)
    await page.goto('/sales/new')
    await page.getByRole('button', { name: 'Create sale' }).waitFor()
    await assertNoOverflow(page)
  })
})
