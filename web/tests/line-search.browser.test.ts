// Adding lines faster than the server answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertValue, holdRequests, withPage } from './harness.ts'
import { shop } from './shop.ts'

test('what is typed while an item is searched goes where it would have gone with the item found at once', async () => {
  const its = await shop()
  await withPage({ user: its.owner, path: '/sales/new' }, async (page) => {
    const release = await holdRequests(page, '**/items/search')
    const search = page.getByLabel('Add a line: name, SKU or barcode')
    const amounts = page.getByLabel('Quantity: Oak table')
    await search.focus()
    await page.keyboard.type('TABLE\n12\nTABLE\n3')
    await assertValue(search, 'TABLE', 'the rest is held')
    release()
    await amounts.nth(1).and(page.locator(':focus')).waitFor()
    await assertValue(amounts.nth(1), '3')
    await assertValue(amounts.nth(0), '12')
    await assertValue(search, '')
    assert.equal(await amounts.count(), 2)
  })
})

test('what is typed while no item is found stays in the search', async () => {
  const its = await shop()
  await withPage({ user: its.owner, path: '/sales/new' }, async (page) => {
    const release = await holdRequests(page, '**/items/search')
    const search = page.getByLabel('Add a line: name, SKU or barcode')
    await search.focus()
    await page.keyboard.type('UNHEARD\n7')
    release()
    await assertValue(search, 'UNHEARD7')
    assert.equal(await page.locator('tr[data-line]').count(), 0)
  })
})
