// Lists and lines at the widths of a tablet and a small window: what is needed is not cut off.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertNoOverflow, pageLoaded, shot, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'

test('every column of a partially shipped sale is visible', async () => {
  const sales = await shop()
  const id = await sold(sales)
  const item = await given.product(sales.company, {
    name: 'Extendable dining table made of solid walnut',
    sku: 'T-EXT',
  })
  await sales.owner.call('orders/edit', {
    order_id: id,
    products: [
      { id: sales.table.id, amount: 3, total: 360 },
      { id: item.id, amount: 12, total: 123_456.78 },
    ],
  })
  await given.shippedPart(sales.company, id, { date: '2026-03-02', items: [{ id: sales.table.id, amount: '1' }] })
  for (const width of [1280, 820, 390])
    await withPage({ user: sales.owner, path: `/sales/${id}`, width }, async (page) => {
      await page.getByText('1 of 3').waitFor()
      await pageLoaded(page)
      await assertNoOverflow(page)
      const hidden = await page.locator('table:has(input[name="amount"])').evaluate((table) => {
        const right = (table.parentElement as HTMLElement).getBoundingClientRect().right
        return [...table.querySelectorAll('td, button, input')]
          .filter((cell) => cell.getBoundingClientRect().right > right + 1)
          .map((cell) => cell.outerHTML.slice(0, 80))
      })
      assert.deepEqual(hidden, [], `at ${width}`)
      await shot(page, `sale-in-parts-${width}`)
    })
})

test('a list on a tablet shows customer and total without scrolling', async () => {
  const sales = await shop()
  await sold(sales)
  for (const width of [820, 1024])
    await withPage({ user: sales.owner, path: '/sales', width }, async (page) => {
      const row = page.getByRole('row', { name: /A-1001/ })
      await row.waitFor()
      await pageLoaded(page)
      for (const text of ['Berta Blum', '€440.00', 'Unpaid']) {
        const box = await row.getByText(text).boundingBox()
        assert.ok(box !== null && box.x + box.width <= width - 20, `${text} at ${width}`)
      }
      const table = page.locator('[data-row="0"]').locator('xpath=ancestor::table')
      const [needed, given] = await table.evaluate((it) => {
        const scroll = it.closest('.mantine-ScrollArea-viewport') ?? (it.parentElement as HTMLElement)
        return [scroll.scrollWidth, scroll.clientWidth]
      })
      assert.ok((needed ?? 0) <= (given ?? 0) + 1, `the table is ${needed} px wide in ${given} px`)
      await shot(page, `sales-${width}`)
    })
})

test('the pages of the settings are in one row, each as large as a thumb', async () => {
  const { owner } = await shop()
  for (const width of [390, 820])
    await withPage({ user: owner, path: '/settings', width }, async (page) => {
      const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
      await pages.last().waitFor()
      const boxes = await pages.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
      assert.ok(boxes.length > 10)
      assert.equal(new Set(boxes.map(({ top }) => Math.round(top))).size, 1)
      assert.ok(
        boxes.every(({ height }) => height >= 44),
        'each is as large as a thumb',
      )
    })
})
