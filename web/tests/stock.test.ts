// Every number of the stock list links to its explanation.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, eventually, rowOf, shot, withPage } from './harness.ts'
import { moved } from './stock-steps.ts'
import { accepted } from './workshop.ts'

test('every number has an explanation: movements with their balance, the sales that reserve it, expected quantities', async () => {
  const place = await moved()
  await accepted(place.owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    materials: [{ id: place.board, amount: 50, total: 450 }],
    status: 1,
  })
  await withPage({ user: place.owner, path: '/stock' }, async (page) => {
    await rowOf(page, 'Oak board').getByText('Low').waitFor()
    await rowOf(page, 'Oak table').getByText('Negative').waitFor()
    await assertAccessible(page)
    await shot(page, 'stock')
    assert.equal(
      await page.getByRole('link', { name: '16 m. On hand of Oak board: show details' }).getAttribute('href'),
      `/stock/items/${place.board}?storage_id=${place.company.materialsStorageId}`,
    )

    await page.getByRole('link', { name: '16 m. On hand of Oak board: show details' }).click()
    await page.getByText('On hand 16 m at Materials: the sum of 2 movements.').waitFor()
    const movements = page.getByRole('tabpanel').getByRole('row')
    await eventually(async () =>
      assert.match((await movements.nth(1).textContent()) ?? '', /05\/03\/2026Write-off W-1−14 m16 m€9\.00/),
    )
    await eventually(async () =>
      assert.match((await movements.nth(2).textContent()) ?? '', /10\/01\/2026Purchase P-1\+30 m30 m€9\.00/),
    )
    await assertAccessible(page)
    await shot(page, 'stock-item')
    await page.getByRole('link', { name: 'Write-off W-1' }).click()
    await page.getByRole('heading', { name: 'Write-off W-1' }).waitFor()
    await page.goBack()
    await page.getByRole('tab', { name: 'Expected' }).click()
    await page.getByRole('link', { name: 'Purchase P-2' }).waitFor()

    await page.goto('/stock')
    await page.getByRole('link', { name: '2 pcs. Reserved of Oak table: show details' }).click()
    const held = page.getByRole('tabpanel').getByRole('row')
    await eventually(async () =>
      assert.match((await held.nth(1).textContent()) ?? '', /Sale 2.*New.*Berta Blum.*Finished goods2 pcs/),
    )
    await eventually(async () => assert.match((await held.last().textContent()) ?? '', /Reserved2 pcs/))
    await page.getByRole('link', { name: 'Sale 2' }).click()
    await page.waitForURL(/\/sales\/\d+/)
  })
})
