// The largest sums that a company may have are shown whole.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertNoOverflow, eventually, pageLoaded, shot, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'

test('large sums break neither tiles nor axes, and the label of the totals is whole', async () => {
  const sales = await shop()
  const large = [{ id: sales.table.id, amount: 1, total: 999_999_999_999.99 }]
  await sold(sales, { products: large })
  const canceled = await sold(sales, { num: '1002' })
  await sales.owner.call('orders/update_status', { order_id: canceled, status: 4 })
  await given.stock(sales.company, { item: sales.table.id, amount: '1', unitCost: '900000000000' })
  for (const width of [1280, 390])
    await withPage({ user: sales.owner, path: '/', width }, async (page) => {
      await page.locator('svg text').filter({ hasText: '1tn' }).waitFor()
      await pageLoaded(page)
      await assertNoOverflow(page)
      const figures = await page
        .getByRole('region', { name: 'Figures' })
        .locator('a > span:nth-child(2)')
        .evaluateAll((all) =>
          all
            .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.clientHeight > 34)
            .map((one) => one.textContent),
        )
      assert.deepEqual(figures, [], `cut or broken at ${width}`)
      const ticks = await page.locator('svg text').evaluateAll((all) =>
        all
          .filter((one) => {
            const chart = one.closest('svg')?.getBoundingClientRect()
            return one.getBoundingClientRect().left < (chart?.left ?? 0)
          })
          .map((one) => one.textContent),
      )
      assert.deepEqual(ticks, [], `labels of the axis at ${width}`)
      await shot(page, `dashboard-large-${width}`)
    })
  await withPage({ user: sales.owner, path: '/sales?cut=all', width: 1280 }, async (page) => {
    const label = page.locator('tfoot').getByText('Total excl. canceled')
    await label.waitFor()
    const hidden = await label.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const lines = [...range.getClientRects()]
      const isOnTop = ({ left, right, top, bottom }: DOMRect): boolean =>
        [left + 1, right - 1].every((x) =>
          element.closest('tr')?.contains(document.elementFromPoint(x, (top + bottom) / 2)),
        )
      const others = [...(element.closest('tr')?.cells ?? [])].filter(
        (cell) => cell.innerText !== '' && !cell.contains(element),
      )
      const end = Math.max(...lines.map(({ right }) => right))
      return {
        lines: lines.length,
        isCut: !lines.every(isOnTop),
        isOver: others.some((cell) => cell.getBoundingClientRect().left < end),
      }
    })
    assert.deepEqual(hidden, { lines: 1, isCut: false, isOver: false })
    await shot(page, 'totals-label')
  })
})

test('on a phone, what is touched is large enough, and the selected tab is in view', async () => {
  const sales = await shop()
  const id = await sold(sales)
  await withPage({ user: sales.owner, path: '/sales?cut=all', width: 390, height: 844 }, async (page) => {
    const link = page.getByRole('link', { name: 'A-1001' })
    await link.waitFor()
    const sizes = async (locator: typeof link) => {
      const { width = 0, height = 0 } = (await locator.boundingBox()) ?? {}
      return [width >= 24, height >= 24]
    }
    assert.deepEqual(await sizes(link), [true, true], 'the number of a sale')
    assert.deepEqual(await sizes(page.getByLabel('Select row')), [true, true], 'the checkbox of a row')
    const inView = async () => {
      const box = await page.getByRole('tab', { selected: true }).last().boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= 390
    }
    await eventually(async () => assert.equal(await inView(), true, 'the cut'))
    await shot(page, 'sales-phone')
    await page.goto(`/sales/${id}?tab=requests`)
    await page.getByRole('tab', { name: 'Requests', selected: true }).waitFor()
    await eventually(async () => assert.equal(await inView(), true, 'the tab of the card'))
    await shot(page, 'sale-phone-tabs')
  })
})
