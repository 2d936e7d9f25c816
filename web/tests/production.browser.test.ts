// Production screens: dragging, actual use, made to order, components made in-house, and the view of a worker on a phone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertNoOverflow, assertValue, eventually, pageLoaded, shot, withPage } from './harness.ts'
import { column, planned, statuses, tile } from './production-steps.ts'
import { accepted, bought, levels, workshop } from './workshop.ts'

test('a card is dragged to another column, and a finished one back after a confirmation', async () => {
  const place = await workshop()
  await bought(place, 10)
  await planned(place, 1)
  await withPage({ user: place.owner, path: '/productions' }, async (page) => {
    const dialog = page.getByRole('dialog')
    await tile(page, 'M-1').dragTo(column(page, 'In progress'))
    await column(page, 'In progress').getByRole('link', { name: 'M-1' }).waitFor()
    await tile(page, 'M-1').dragTo(column(page, 'Done'))
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await column(page, 'Done').getByRole('link', { name: 'M-1' }).waitFor()
    assert.deepEqual(await levels(place, place.table), [1, 0, 1])
    await tile(page, 'M-1').dragTo(column(page, 'Planned'))
    await dialog
      .getByText(
        'Moves production M-1 back to Planned, returns 4 m of Oak board to Materials and takes 1 pcs of Oak table from Finished goods.',
      )
      .waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await column(page, 'Done').getByRole('link', { name: 'M-1' }).waitFor()
    assert.deepEqual(await statuses(place), { 'M-1': 3 })
  })
})

test('the actual use replaces the components until it is reset', async () => {
  const place = await workshop()
  await bought(place, 10)
  const id = await planned(place, 2)
  await withPage({ user: place.owner, path: `/productions/${id}` }, async (page) => {
    const board = page.getByRole('textbox', { name: 'Quantity: Oak board' })
    await page.getByText('€162.00').first().waitFor()
    await board.fill('6.5')
    await page.getByRole('textbox', { name: 'Quantity: Joiner hour' }).fill('2')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    // 6.5 m at 9 and 2 h at 30.
    await page.getByText('€118.50').first().waitFor()
    await assertAccessible(page)
    await shot(page, 'production-used')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Reset to components' }).click()
    await page.getByText('€162.00').first().waitFor()
    await assertValue(board, '8')
    // A product without components cannot be produced: the page shows the error and keeps the input.
    const { product_id: stool } = await accepted(place.owner, 'products/add', { name: 'Stool', sku: 'STOOL' })
    assert.ok(stool > 0)
    await page.getByRole('textbox', { name: 'Add a line: name, SKU or barcode' }).first().fill('STOOL')
    await page.getByRole('option', { name: /Stool/ }).click()
    await page.keyboard.press('Control+Enter')
    await page.getByText('This product has no components.').first().waitFor()
    await assertValue(page.getByRole('textbox', { name: 'Quantity: Stool' }), '1')
  })
})

test('made to order: a planned production follows its sale, and missing items can be ordered', async () => {
  const place = await workshop()
  const { order_id: sale } = await accepted(place.owner, 'orders/add', {
    num: '1007',
    customer_name: 'Berta Blum',
    products: [{ id: place.table, amount: 3, total: 747 }],
    production: 1,
  })
  await withPage({ user: place.owner, path: '/productions', scheme: 'dark' }, async (page) => {
    await tile(page, 'M-1').getByRole('link', { name: 'For sale 1007' }).waitFor()
    await tile(page, 'M-1').getByText('Berta Blum').waitFor()
    await tile(page, 'M-1').getByRole('link', { name: 'M-1' }).click()
    await page.getByText('Until it starts, the products follow sale 1007.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Quantity: Oak table' }).count(), 0)
    await shot(page, 'production-to-order-dark')
    await assertAccessible(page)
    const missing = page.getByRole('tabpanel').getByRole('row').nth(1)
    await eventually(async () => assert.match((await missing.textContent()) ?? '', /Oak board.*12 m0 m12 m/))
    // A change of the sale updates the open page.
    await accepted(place.owner, 'orders/edit', {
      order_id: sale,
      products: [{ id: place.table, amount: 5, total: 1245 }],
    })
    await page.getByRole('tabpanel').getByText('20 m').first().waitFor()
    await page.getByRole('link', { name: 'Order Oak board' }).click()
    await page.getByRole('region', { name: 'No supplier' }).waitFor()
    await assertValue(page.getByRole('textbox', { name: 'Quantity: Oak board' }), '20')
  })
})

test('a component made in-house is produced, not ordered', async () => {
  const place = await workshop()
  const components = [{ type: 'product', id: place.table, amount: 2 }]
  const { product_id: set } = await accepted(place.owner, 'products/add', { name: 'Set of tables', components })
  const products = [{ id: set, amount: 3 }]
  const { production_id: id } = await accepted(place.owner, 'productions/add', { products })
  await withPage({ user: place.owner, path: `/productions/${id}` }, async (page) => {
    const missing = page.getByRole('tabpanel')
    assert.equal(await missing.getByRole('link', { name: 'Order Oak table' }).count(), 0)
    await missing.getByRole('link', { name: 'Make Oak table' }).click()
    await page.waitForURL(/\/productions\/new\?items=/)
    await assertValue(page.getByRole('textbox', { name: 'Quantity: Oak table' }), '6')
  })
})

test('a worker starts and finishes a production on a phone, changes no lines and sees no costs', async () => {
  const place = await workshop()
  await bought(place, 10)
  const id = await planned(place, 2)
  const worker = await given.user(place.company, 'worker')
  await withPage({ user: worker, path: '/productions', width: 390, height: 844 }, async (page) => {
    await tile(page, 'M-1').getByRole('button', { name: 'Start' }).click()
    await page.getByText('In progress 1').click()
    await tile(page, 'M-1').getByRole('button', { name: 'Finish' }).waitFor()
    for (const name of ['Finish', 'Back']) {
      const button = await tile(page, 'M-1').getByRole('button', { name }).boundingBox()
      assert.ok((button?.height ?? 0) >= 44, `${name} is ${button?.height} px tall`)
    }
    await assertNoOverflow(page)
    await shot(page, 'board-phone')
    await tile(page, 'M-1').getByRole('link', { name: 'M-1' }).click()
    await page.getByRole('button', { name: 'Finish' }).waitFor()
    await pageLoaded(page)
    assert.equal(await page.getByRole('textbox').count(), 0, 'nothing can be typed')
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /€/)
    await page.getByRole('button', { name: 'Finish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Finish' }).click()
    await page.getByRole('button', { name: 'M-1: Done. Change status' }).waitFor()
  })
  const { production } = await accepted(place.owner, 'productions/get_card', { production_id: id })
  assert.deepEqual([production.status, production.cost], [3, 162])
})
