// Sales workflows: from the API key of an integration to the last shipment, by keyboard alone, and on a phone.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { methodPath } from '../../server/platform/http/http.ts'
import { send } from '../../server/test/harness/app.ts'
import { assertNoOverflow, eventually, shot, withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'

/** Calls the API as a shop's own program does. */
async function asShop(key: string, path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await send(methodPath(path), { headers: { authorization: key }, body: JSON.stringify(body) })
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

const row = (page: Page, num: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: num }) })

test('sign up, create a key, receive a sale through the API, ship part of it, then the rest, and see the explanation of the stock', async () => {
  await withPage({ path: '/sign-up' }, async (page) => {
    await page.getByLabel('Company').fill('Oak & Sons')
    await page.getByLabel('Your name').fill('Anna')
    await page.getByLabel('E-mail').fill(`anna-${randomUUID()}@example.com`)
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await page.getByRole('button', { name: 'Create company' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Integrations' }).click()
    await page.getByRole('button', { name: /^(Make|Roll) key$/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Make|Roll) key$/ })
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
    const line = row(page, 'A-1007')
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
    await page.getByRole('button', { name: 'A-1007 is Partially shipped. Change its state' }).waitFor()
    await page.getByText('2 of 5').waitFor()
    await page.getByText('Shipment 1').waitFor()

    await page.getByRole('button', { name: 'Ship the rest' }).click()
    await dialog.getByText('Ships sale A-1007 and takes 3 pcs of Oak table from Finished goods.').waitFor()
    await dialog.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.getByRole('button', { name: 'A-1007 is Shipped. Change its state' }).waitFor()
    await page.getByText('Shipment 2').waitFor()

    await page.getByRole('tab', { name: 'History' }).click()
    const history = page.getByRole('tabpanel')
    await history.getByText('Created').waitFor()
    await eventually(async () => assert.equal(await history.getByText('by Anna').count(), 2, 'both shipments by Anna'))
    await eventually(async () =>
      assert.equal(await history.getByText(/^through /).count(), 1, 'the sale was created with the key'),
    )
    await page.getByRole('tab', { name: 'Stock effect' }).click()
    await page.getByText('Now it takes 5 pcs of Oak table from Finished goods.').waitFor()
    await page.getByRole('tabpanel').getByRole('link', { name: 'Oak table' }).first().click()
    await page.waitForURL(/\/stock\/items\/\d+/)
    await page
      .getByRole('link', { name: /A-1007/ })
      .first()
      .waitFor()
    await shot(page, 'stock-explained')
  })
})

test('a sale is entered and saved by keyboard alone, with a new customer', async () => {
  const place = await shop()
  await withPage({ user: place.owner, path: '/sales' }, async (page) => {
    await page.getByText('No sales yet.', { exact: false }).waitFor()
    const { keyboard } = page
    await keyboard.press('n')
    await page.waitForURL('**/sales/new')
    await page.waitForFunction(() => document.activeElement?.matches('input[placeholder^="Name, phone"]'))
    await keyboard.type('Cora Carpenter')
    await keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Phone').waitFor()
    await keyboard.type('+43 1 5550')
    await keyboard.press('Enter')
    // The customer is selected, and the focus is in the line search.
    await page.waitForFunction(() => document.activeElement?.matches('input[placeholder^="Add a line"]'))
    await keyboard.type('oak ta')
    await page.getByRole('option', { name: /Oak table/ }).waitFor()
    await keyboard.press('Enter')
    await keyboard.type('2')
    await keyboard.press('Tab')
    await keyboard.type('110')
    await keyboard.press('Enter')
    // A scanner types a code and sends Enter at once.
    await keyboard.type('4006381333931\n', { delay: 0 })
    await page.waitForFunction(() => document.querySelectorAll('tr[data-line]').length === 2)
    await keyboard.type('1')
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.type('99,90')
    await keyboard.press('Enter')
    await keyboard.type('BOARD')
    await page.getByRole('option', { name: /Oak board/ }).waitFor()
    await keyboard.press('Enter')
    await keyboard.type('2.5')
    await shot(page, 'sale-by-keyboard')
    await keyboard.press('Control+Enter')
    await page.waitForURL(/\/sales\/\d+$/)
    const card = await saleOf(place, Number(page.url().split('/').at(-1)))
    assert.equal(card.order.customer_name, 'Cora Carpenter')
    assert.equal(card.order.customer_phone, '+43 1 5550')
    assert.equal(card.order.num, '1')
    assert.equal(card.order.source, 'manual')
    assert.deepEqual(
      card.lines.map((line: { sku: string; amount: number; total: number }) => [line.sku, line.amount, line.total]),
      [
        ['TABLE', 2, 220],
        ['TABLE', 1, 99.9],
        ['BOARD', 2.5, 22.5],
      ],
    )
    // The next sale gets the next number, and the customer is found.
    await page.goto('/sales')
    await row(page, '1').waitFor()
    await keyboard.press('n')
    await page.waitForFunction(() => document.activeElement?.matches('input[placeholder^="Name, phone"]'))
    await keyboard.type('cora')
    await page.getByRole('option', { name: 'Cora Carpenter' }).waitFor()
    await keyboard.press('Enter')
    await keyboard.type('T-OLD')
    await page.getByRole('option', { name: /Code T-OLD/ }).waitFor()
    await keyboard.press('Enter')
    await keyboard.press('Control+Enter')
    await page.waitForURL(/\/sales\/\d+$/)
    await page.getByRole('heading', { name: 'Sale 2', exact: true }).waitFor()
    await eventually(async () => assert.match(await page.title(), /^Sale 2, Cora Carpenter/))
  })
})

test('the next number follows the highest, backdated or not; a duplicate number shows the other sale and can be saved', async () => {
  const place = await shop()
  const write = async (num: string, date: string) => {
    const lines = [{ id: place.table.id, amount: 1, total: 1 }]
    const body = { num, customer_name: 'Berta Blum', date_placed: date, products: lines }
    return (await place.owner.call('orders/add', body)).body.order_id
  }
  const first = await write('R-41', '2026-03-01')
  await write('R-42', '2025-01-01')
  await write('R-7', '2026-04-01')
  await withPage({ user: place.owner, path: `/sales/new?copy=${first}` }, async (page) => {
    const number = page.getByLabel('Number')
    await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'R-43'))
    assert.equal(await page.getByText('Another sale has this number:').count(), 0)
    await number.fill('R-41')
    const warning = page.getByRole('status').filter({ hasText: 'Another sale has this number:' })
    const link = warning.getByRole('link', { name: 'Sale R-41, Berta Blum, 01/03/2026' })
    await eventually(async () => assert.equal(await link.getAttribute('href'), `/sales/${first}`))
    await shot(page, 'sale-number-taken')
    await page.getByRole('button', { name: 'Create sale' }).click()
    await page.waitForURL(/\/sales\/\d+$/)
    const { order } = await saleOf(place, Number(page.url().split('/').at(-1)))
    assert.equal(order.num, 'R-41')
    await warning.waitFor()
    await number.fill('R-44')
    await warning.waitFor({ state: 'detached' })
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
    await page.getByRole('button', { name: 'Ship part' }).waitFor()
    await assertNoOverflow(page)
    await shot(page, 'sale-phone')
    await page.getByRole('button', { name: 'Ship part' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Ship now: Oak table').fill('1')
    await dialog.getByLabel('Ship now: Walnut chair').fill('0')
    await assertNoOverflow(page)
    await dialog.getByRole('button', { name: 'Ship part' }).tap()
    await page.getByText('Partially shipped').waitFor()
    assert.equal((await saleOf(place, id)).shipments[0].lines[0].amount, 1)
    await page.goto('/sales/new')
    await page.getByRole('button', { name: 'Create sale' }).waitFor()
    await assertNoOverflow(page)
  })
})
