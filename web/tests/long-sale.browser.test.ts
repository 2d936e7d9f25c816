// A sale of very many lines: only those near the window are rendered, and all of them are saved, also what was typed just before.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertValue, eventually, withPage } from './harness.ts'
import { saleOf, shop, sold } from './shop.ts'

test('a sale of 500 lines renders those near the window, and saves all', async () => {
  const its = await shop()
  const products = Array.from({ length: 500 }, (_, at) => ({ sku: 'TABLE', amount: at + 1, total: 1 }))
  const id = await sold(its, { products })
  await withPage({ user: its.owner, path: `/sales/${id}` }, async (page) => {
    const amounts = page.getByLabel('Quantity: Oak table')
    await amounts.first().waitFor()
    const rendered = await amounts.count()
    assert.ok(rendered < 120, `${rendered} lines are rendered`)
    await amounts.last().scrollIntoViewIfNeeded()
    await assertValue(amounts.last(), '500')
    await amounts.last().fill('7')
    // On the way back, the lines in between appear.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
    await eventually(async () => assert.ok((await amounts.count()) > rendered))
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sale A-1001 saved').waitFor()
    const { lines } = await saleOf(its, id)
    assert.equal(lines.length, 500)
    assert.equal(lines[499].amount, 7)
  })
})

test('what is typed faster than it is rendered is saved, on every line', async () => {
  const its = await shop()
  const id = await sold(its, { products: Array.from({ length: 500 }, () => ({ sku: 'TABLE', amount: 1, total: 1 })) })
  await withPage({ user: its.owner, path: `/sales/${id}` }, async (page) => {
    const amounts = page.getByLabel('Quantity: Oak table')
    await amounts.first().waitFor()
    // In one task: nothing is rendered in between.
    await amounts.first().evaluate((first) => {
      const type = (field: HTMLInputElement, text: string): void => {
        field.focus()
        for (let length = 1; length <= text.length; length++) {
          field.setRangeText(text.slice(0, length), 0, field.value.length)
          field.dispatchEvent(new Event('input', { bubbles: true }))
        }
      }
      const [one, two, three] = first.closest('tbody')?.querySelectorAll<HTMLInputElement>('input[name="amount"]') ?? []
      if (!one || !two || !three) throw new Error('three lines are expected')
      type(one, '123')
      type(two, '45')
      type(three, '6')
      type(one, '78')
      three.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
    })
    await page.getByText('Sale A-1001 saved').waitFor()
    const { lines } = await saleOf(its, id)
    assert.deepEqual(
      lines.slice(0, 4).map(({ amount }: { amount: number }) => amount),
      [78, 45, 6, 1],
    )
    await assertValue(amounts.first(), '78')
  })
})
