// An audit counted on a phone while goods are sold.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { counted, stocked, turnOn } from './audits-steps.ts'
import { assertAccessible, assertNoOverflow, shot, withPage } from './harness.ts'
import { accepted, levels } from './workshop.ts'

test('an audit counted on a phone during a sale posts the difference at the time of counting', async () => {
  const shop = await stocked()
  const worker = await given.user(shop.company, 'worker')
  await withPage({ user: worker, path: '/audits', width: 390, height: 844 }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByRole('link', { name: 'New stocktake' }).first().click()
    await page.getByRole('combobox', { name: 'Where are you counting?' }).click()
    await page.getByRole('option', { name: 'Finished goods' }).click()
    await page.getByText('0 of 2 counted').waitFor()
    await shot(page, 'count-new-phone')
    await assertNoOverflow(page)

    // The first count creates the audit; Enter moves to the next field.
    await page.getByLabel('Counted: Oak board').fill('15')
    await page.getByLabel('Counted: Oak board').press('Enter')
    await page.waitForURL(/\/audits\/count\/\d+$/)
    await page.getByText('1 of 2 counted').waitFor()
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Counted: Oak table',
      'the focus has moved to the next field',
    )
    const id = Number(page.url().split('/').at(-1))

    // A table is sold and shipped during the count; then the tables are counted.
    const { order_id: sale } = await accepted(shop.owner, 'orders/add', {
      num: '1',
      customer_name: 'Berta Blum',
      products: [{ id: shop.table, amount: 1, total: 249 }],
    })
    await accepted(shop.owner, 'orders/update_status', { order_id: sale, status: 3 })
    await page.getByLabel('Counted: Oak table').fill('2')
    await page.getByLabel('Counted: Oak table').press('Enter')
    await page.getByText('2 of 2 counted').waitFor()
    await page.getByText('Saved', { exact: true }).nth(1).waitFor()
    assert.deepEqual(await counted(shop, id), [
      [2, 2, 0],
      [16, 15, -1],
    ])
    await turnOn(page, 'Show expected quantities')
    await page.getByText('Difference −1 m').waitFor()
    await page.getByText('As expected').waitFor()
    await assertAccessible(page)
    await shot(page, 'count-phone')

    // More boards are used after they were counted: the difference does not change.
    await accepted(shop.owner, 'writeoffs/add', { materials: [{ id: shop.board, amount: 5 }] })
    await page.getByRole('link', { name: 'Review' }).click()
    await page.getByText('1 item differs from the recorded stock.').waitFor()
    await assertNoOverflow(page)
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /€/)
    await page.getByRole('button', { name: 'Complete', exact: true }).click()
    await dialog.getByText('Completes stocktake I-1 and takes 1 m of Oak board from Finished goods.').waitFor()
    await dialog.getByText('16 → 15 m').waitFor()
    await shot(page, 'audit-complete-phone')
    await dialog.getByRole('button', { name: 'Complete', exact: true }).click()
    await page.getByRole('button', { name: 'I-1: Completed. Change status' }).waitFor()
    assert.deepEqual(await levels(shop, shop.board), [10, 0, 10])
    assert.deepEqual(await levels(shop, shop.table), [2, 0, 2])
  })
})
