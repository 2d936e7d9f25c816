// The frame: whose screens they are, where the user is, and what waits for somebody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, assertNoOverflow, withPage } from './harness.ts'
import { shop, sold } from './shop.ts'

test('the navigation names the company, leads to every section, and keeps developers’ pages in the settings', async () => {
  const its = await shop()
  await sold(its)
  await withPage({ user: its.owner, path: '/materials' }, async (page) => {
    const nav = page.getByRole('navigation', { name: 'Main navigation' })
    await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
    assert.deepEqual(
      (await nav.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]),
      ['Home', 'Sales', 'Production', 'Purchases', 'Stock', 'Items', 'Contacts', 'Settings'],
    )
    assert.equal(await nav.getByRole('link', { name: 'Items' }).getAttribute('aria-current'), 'page')
    await page.getByText('Kontor', { exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Items' }).getByRole('link', { name: 'Labour & services' }).click()
    await page.getByRole('heading', { name: 'Labour & services', level: 1 }).waitFor()
    await nav.getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('navigation', { name: 'Contacts' }).getByRole('link', { name: 'Suppliers' }).click()
    await page.waitForURL('**/suppliers')
    await page.getByRole('button', { name: 'Collapse navigation' }).click()
    await nav.getByRole('link', { name: 'Sales' }).click()
    await page.getByRole('heading', { name: 'Sales', level: 1 }).waitFor()
    await assertNoOverflow(page)
    await assertAccessible(page)
  })
})
