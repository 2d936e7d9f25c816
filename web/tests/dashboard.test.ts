// Home: its figures match the lists they link to, and workers see no money.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertNoOverflow, eventually, pageLoaded, shot, withPage } from './harness.ts'
import { accepted, bought, workshop } from './workshop.ts'

async function sold() {
  const place = await workshop()
  const { owner, table } = place
  await bought(place, 16)
  const sale = (num: string, amount: number, more: object = {}) =>
    accepted(owner, 'orders/add', {
      num,
      customer_name: 'Berta Blum',
      products: [{ id: table, amount, total: 250 * amount }],
      ...more,
    })
  const { order_id: shipped } = await sale('1', 1)
  await accepted(owner, 'orders/update_status', { order_id: shipped, status: 3 })
  await accepted(owner, 'orders/update_payment', { order_id: shipped, status: 2 })
  await sale('2', 2)
  // Stools are in stock; tables are not, so the sale of two tables cannot be shipped.
  const { product_id: stool } = await accepted(owner, 'products/add', { name: 'Oak stool', sku: 'STOOL' })
  await given.stock(place.company, { item: stool, amount: '3', unitCost: '1', date: '2026-01-01' })
  const { order_id: packed } = await sale('3', 3, { products: [{ id: stool, amount: 3, total: 750 }] })
  await accepted(owner, 'orders/update_status', { order_id: packed, status: 1 })
  const { order_id: canceled } = await sale('4', 8)
  await accepted(owner, 'orders/update_status', { order_id: canceled, status: 4 })
  return place
}

test('every figure links to the list it counts', async () => {
  const { owner } = await sold()
  await withPage({ user: owner, path: '/' }, async (page) => {
    const tile = (name: RegExp) => page.getByRole('region', { name: 'Figures' }).getByRole('link', { name })
    await tile(/^Revenue, 30 days €1,500\.00/).waitFor()
    await tile(/^Unpaid €1,250\.00 2 sales/).waitFor()
    await tile(/^Stock value €/).waitFor()
    await page.getByRole('heading', { name: /^Good (morning|afternoon|evening), / }).waitFor()
    const today = (name: string) => page.getByRole('link', { name, exact: true })
    await today('1 item low in stock').waitFor()
    await page.getByRole('link', { name: 'All 1: To ship' }).waitFor()
    await page.getByRole('region', { name: 'To make' }).waitFor()
    await page.getByRole('region', { name: 'To buy' }).waitFor()
    await page.locator('.recharts-bar-rectangle').first().waitFor()
    await assertAccessible(page)
    await shot(page, 'dashboard')

    const figures = [
      [tile(/^Revenue/), ['1', '2', '3']],
      [tile(/^Unpaid/), ['2', '3']],
      [today('1 sale ready to ship'), ['3']],
    ] as const
    for (const [figure, numbers] of figures) {
      await page.goto('/')
      await figure.click()
      await page.getByRole('row').getByRole('link', { name: '3', exact: true }).waitFor()
      await pageLoaded(page)
      const shown = await page.locator('tbody tr td a').allTextContents()
      assert.deepEqual(shown.filter((text) => /^\d+$/.test(text)).toSorted(), numbers, String(figure))
    }
    await page.goto('/')
    await today('1 below zero').click()
    await page.getByRole('link', { name: '−1 pcs. On hand of Oak table: show details' }).waitFor()

    // The chart can be switched to a table.
    await page.goto('/')
    await page.getByText('Table', { exact: true }).click()
    const days = page.getByRole('region', { name: /^Revenue and margin of the last 30 days/ }).getByRole('row')
    await eventually(async () => assert.equal(await days.count(), 31))
    await eventually(async () => assert.match((await days.nth(1).textContent()) ?? '', /€1,500\.00/))
    await assertAccessible(page)
    await shot(page, 'dashboard-table')
  })
})

test('Home shows no money to a worker, on a phone and in dark mode', async () => {
  const { company } = await sold()
  const worker = await given.user(company, 'worker')
  await withPage({ user: worker, path: '/', width: 390, height: 844, scheme: 'dark' }, async (page) => {
    await page.getByRole('heading', { name: 'To ship' }).waitFor()
    await pageLoaded(page)
    await assertNoOverflow(page)
    await assertAccessible(page)
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /€|Revenue|Margin|Unpaid|value/)
    await shot(page, 'dashboard-worker-phone')
  })
})

test('a new company sees what to do first', async () => {
  const owner = await given.user(await given.company(), 'owner')
  await withPage({ user: owner, path: '/' }, async (page) => {
    await page.getByText('No sales in the last 60 days.').waitFor()
    await page.getByText('All items are above their minimum.').waitFor()
    await assertAccessible(page)
    await shot(page, 'dashboard-empty')
  })
})
