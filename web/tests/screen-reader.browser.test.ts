// What only screen readers notice: menus, and which page was opened.

import { test } from 'node:test'
import { assertAccessible, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'

test('open menus are accessible, and the page that was opened is announced', async () => {
  const its = await shop()
  await sold(its)
  await withPage({ user: its.owner, path: '/sales' }, async (page) => {
    await page.getByRole('button', { name: 'A-1001: New. Change status' }).click()
    await page.getByRole('menu').waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Purchases' }).click()
    await page
      .locator('[aria-live="polite"]')
      .filter({ hasText: /^Purchases$/ })
      .waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Sales' }).click()
    await page
      .locator('[aria-live="polite"]')
      .filter({ hasText: /^Sales$/ })
      .waitFor({ state: 'attached' })
  })
})
