// A sale entered by keyboard alone, and the number of the next one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, rowOf, shot, withPage } from './harness.ts'
import { saleOf, shop } from './shop.ts'

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
    await rowOf(page, '1').waitFor()
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
