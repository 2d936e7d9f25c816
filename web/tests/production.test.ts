// The production board by keyboard alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, eventually, shot, withPage } from './harness.ts'
import { column, planned, statuses, tile } from './production-steps.ts'
import { bought, levels, workshop } from './workshop.ts'

test('the board works by keyboard alone; finishing shows the materials used and what is short', async () => {
  const place = await workshop()
  await bought(place, 10)
  await planned(place, 2, { date_planned: '2026-03-01' })
  await planned(place, 1, { date_planned: '2026-04-01' })
  await withPage({ user: place.owner, path: '/productions' }, async (page) => {
    const { keyboard } = page
    const dialog = page.getByRole('dialog')
    await tile(page, 'M-1').getByText('All materials available').waitFor()
    // The first uses eight boards, two are left for the second.
    await tile(page, 'M-2').getByText('2 m of Oak board').waitFor()
    await assertAccessible(page)
    await shot(page, 'board')

    await keyboard.press('j')
    await keyboard.press('j')
    await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'M-2'))
    await keyboard.press('k')
    await keyboard.press('s')
    await column(page, 'In progress').getByRole('link', { name: 'M-1' }).waitFor()
    await keyboard.press('S')
    await column(page, 'Planned').getByRole('link', { name: 'M-1' }).waitFor()
    await keyboard.press('s')
    await column(page, 'In progress').getByRole('link', { name: 'M-1' }).waitFor()
    await keyboard.press('s')
    await dialog
      .getByText(
        'Finishes production M-1, adds 2 pcs of Oak table to Finished goods and takes 8 m of Oak board from Materials.',
      )
      .waitFor()
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await column(page, 'Done').getByRole('link', { name: 'M-1' }).waitFor()
    assert.deepEqual(await statuses(place), { 'M-1': 3, 'M-2': 0 })
    assert.deepEqual(await levels(place, place.board), [2, 0, 2])
    await keyboard.press('?')
    await dialog.getByText('Move to the next status').waitFor()
  })
})
