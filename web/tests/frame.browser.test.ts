// The frame: whose screens they are, where the user is, and what waits for somebody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, assertNoOverflow, withPage } from './harness.ts'
import { planned } from './production-steps.ts'
import { shop, sold } from './shop.ts'
import { accepted, bought, workshop } from './workshop.ts'

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

test('a number beside a place says how much waits there', async () => {
  const place = await workshop()
  const { owner, table, board } = place
  await bought(place, 4)
  await planned(place, 1)
  await planned(place, 2)
  await accepted(owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    materials: [{ id: board, amount: 1, total: 9 }],
    status: 1,
  })
  const { product_id: stool } = await accepted(owner, 'products/add', { name: 'Oak stool', sku: 'STOOL' })
  await accepted(owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    products: [{ id: stool, amount: 1, total: 5 }],
    status: 3,
  })
  for (const [num, id] of [
    ['1', stool],
    ['2', table],
  ] as const)
    await accepted(owner, 'orders/add', { num, customer_name: 'Berta Blum', products: [{ id, amount: 1, total: 9 }] })
  await withPage({ user: owner, path: '/' }, async (page) => {
    const nav = page.getByRole('navigation', { name: 'Main navigation' })
    for (const [name, title] of [
      ['Sales', '1 ready to ship'],
      ['Production', '2 planned or in progress'],
      ['Purchases', '1 to receive'],
      ['Stock', '1 low in stock'],
    ] as const)
      await nav.getByRole('link', { name }).getByTitle(title).waitFor()
  })
})
