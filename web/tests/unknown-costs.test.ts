// An unknown cost is shown as unknown everywhere: it is neither zero nor the reason for a margin of 100 %.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertNoOverflow, shot, withPage } from './harness.ts'
import { accepted, workshop } from './workshop.ts'

test('sums leave out sales without a known cost and say so: list, export and dashboard', async () => {
  const { company, owner, table } = await workshop()
  const { product_id: stool } = await accepted(owner, 'products/add', { name: 'Oak stool', sku: 'STOOL' })
  await given.stock(company, { item: stool, amount: '9', unitCost: '40', date: '2026-01-01' })
  const sale = (num: string, ...items: number[]) =>
    accepted(owner, 'orders/add', {
      num,
      customer_name: 'Berta Blum',
      products: items.map((id) => ({ id, amount: 1, total: 100 })),
    })
  await sale('known', stool)
  await sale('part', stool, table)
  await sale('unknown', table)
  await withPage({ user: owner, path: '/sales' }, async (page) => {
    const footer = page.locator('tfoot')
    await footer.getByText('€60.00of 3 sales, 2 without cost').waitFor()
    await footer.getByText('€400.00').waitFor()
    await page.getByRole('row', { name: /known.*€100\.00 €60\.00/ }).waitFor()
    await page.getByRole('row', { name: /part.*€200\.00 –/ }).waitFor()
    await page.getByRole('row', { name: /unknown.*€100\.00 –/ }).waitFor()
    await shot(page, 'sales-without-cost')
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export CSV, commas' }).click(),
    ])
    const lines = (await (await file.createReadStream()).toArray()).join('').trim().split('\r\n').slice(1)
    const money = lines.map((line) => line.replace(/^(\w+),.*?,([\d.]+),([\d.]*)$/, '$1 $2 $3'))
    assert.deepEqual(money.toSorted(), ['known 100 60', 'part 200 ', 'unknown 100 '])

    await page.goto('/')
    const tile = page.getByRole('region', { name: 'Figures' }).getByRole('link', { name: /^Margin, 30 days/ })
    await tile.getByText('€60.00').waitFor()
    await tile.getByText('of 3 sales, 2 without cost').waitFor()
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('row', { name: /€400\.00 €60\.00 ?of 3 sales, 2 without cost/ }).waitFor()
    await assertNoOverflow(page)
    await shot(page, 'dashboard-without-cost')
  })
})

test('a product with a component without a cost has no planned cost and no margin', async () => {
  const { owner, table, hour } = await workshop()
  await accepted(owner, 'resources/edit', { resource_id: hour, price: 0 })
  await withPage({ user: owner, path: `/products/${table}` }, async (page) => {
    await page.getByText('Cost not known yet: Joiner hour').waitFor()
    assert.equal(await page.getByText(/Margin \d+ %/).count(), 0)
    await shot(page, 'components-without-cost')
    await accepted(owner, 'resources/edit', { resource_id: hour, price: 30 })
    await page.reload()
    // 249 less four boards at 9 and an hour and a half at 30.
    await page.getByText('Margin 67 %').waitFor()
  })
})

test('a sale that is made to order shows its planned margin in the list until its cost is known', async () => {
  const { owner, table } = await workshop()
  await accepted(owner, 'orders/add', {
    num: 'to order',
    customer_name: 'Berta Blum',
    products: [{ id: table, amount: 2, total: 500 }],
    production: 1,
  })
  await withPage({ user: owner, path: '/sales' }, async (page) => {
    // Two tables of four boards at 9 and an hour and a half at 30.
    const row = page.getByRole('row', { name: /to order.*€500\.00/ })
    await row.getByText('≈ €338.00').waitFor()
    await row.getByTitle(/^Planned margin\./).waitFor()
    // It is no part of the sums.
    await page.locator('tfoot').getByText('of 1 sale, 1 without cost').waitFor()
    await shot(page, 'sales-planned-margin')
  })
})
