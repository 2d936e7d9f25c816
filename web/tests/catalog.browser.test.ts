// Products, materials, resources, customers and suppliers: lists, cards, conflicts, what a worker sees, very long names.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { make } from '../../server/test/harness/workshop.ts'
import { entry, shop } from './catalog-steps.ts'
import { assertAccessible, assertNoOverflow, eventually, openEditor, pageLoaded, withPage } from './harness.ts'

test('saving over another user’s change shows both versions', async () => {
  const { manager, table } = await shop()
  await withPage({ user: manager, path: `/products/${table}` }, async (page) => {
    await openEditor(page)
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Oak table, mine')
    await manager.call('products/edit', { product_id: table, name: 'Oak table, theirs' })
    await page.keyboard.press('Control+Enter')
    const conflict = page.getByRole('alert').filter({ hasText: 'Some manager changed this record' })
    await conflict.getByText('Oak table, theirs').waitFor()
    await conflict.getByText('Oak table, mine').waitFor()
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await page.getByText('Oak table, mine saved').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Oak table, mine' }).waitFor()
    assert.equal((await entry(manager, table)).name, 'Oak table, mine')
  })
})

test('the list is searched, filtered, sorted and exported by its address; a record that cannot be deleted shows the reason', async () => {
  const { company, manager, table } = await shop()
  await given.product(company, { name: 'Shelf', sku: 'SHELF' })
  await manager.call('products/edit', { product_id: table, min_amount: 5 })
  await withPage({ user: manager, path: '/products?sort=sku&dir=desc' }, async (page) => {
    await page.getByRole('link', { name: 'Shelf' }).waitFor()
    const names = () => page.locator('tbody tr td:nth-child(2)').allTextContents()
    await eventually(async () => assert.deepEqual(await names(), ['Oak table', 'Shelf']))
    await page.getByRole('tab', { name: 'Low' }).click()
    await page.waitForURL(/cut=low/)
    await page.getByRole('link', { name: 'Shelf' }).waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('t-old')
    await page.waitForURL(/q=t-old/)
    await page.getByRole('link', { name: 'Oak table' }).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export CSV, commas' }).click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /^Oak table,TABLE,/)

    await page.goto('/materials')
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/2 of 2 failed: This item has stock/).waitFor()
    await page.getByRole('link', { name: 'Oak board' }).waitFor()
  })
})

test('a card shows stock over time, sales by week and where an item is used, as charts and as tables', async () => {
  const { company, manager, board, table } = await shop()
  await make(company, { status: 3 })
  await given.sale(company, { products: [{ id: table, amount: 1, total: 249 }] })
  await withPage({ user: manager, path: `/materials/${board}` }, async (page) => {
    await page.locator('.recharts-surface').waitFor()
    await page.getByText('Table', { exact: true }).click()
    await page
      .getByRole('cell', { name: '96 pcs' })
      .or(page.getByRole('cell', { name: '96 m' }))
      .first()
      .waitFor()
    await page.getByRole('tab', { name: 'Used in' }).click()
    await page.getByRole('link', { name: 'Oak table' }).click()
    await page.getByRole('heading', { name: 'Oak table' }).waitFor()
    await page.getByRole('tab', { name: 'Sales' }).click()
    await page.getByText('Table', { exact: true }).click()
    await page.getByRole('cell', { name: '€249.00' }).waitFor()
    await page.getByRole('link', { name: 'View sales' }).click()
    await page.waitForURL(/\/sales\?cut=all&item_id=\d+$/)
  })
})

test('a worker sees the catalog without prices, costs or editing', async () => {
  const { company, table, board } = await shop()
  await given.sale(company, { customer_name: 'Miller', products: [{ id: table, amount: 1, total: 249 }] })
  const worker = await given.user(company, 'worker')
  const { customers } = (await company.call('customers/get_list', {})).body
  await withPage({ user: worker }, async (page) => {
    const paths = [
      '/products',
      `/products/${table}`,
      `/products/${table}?tab=sales`,
      `/materials/${board}`,
      '/resources',
      '/customers',
      `/customers/${customers[0].id}`,
    ]
    for (const path of paths) {
      await page.goto(path)
      await pageLoaded(page)
      const text = (await page.locator('main').textContent()) ?? ''
      assert.equal(await page.getByRole('alert').count(), 0, path)
      assert.match(text, /Oak|Carpenter|Miller/, path)
      assert.doesNotMatch(text, /€|price|cost|revenue|value|margin|sold\b(?! (by|in))/i, path)
      assert.equal(await page.getByRole('button', { name: /^(New|Edit|Save|Delete|Create)/ }).count(), 0, path)
    }
    assert.equal(await page.locator('main').getByRole('textbox').count(), 0, 'no text field')
    assert.equal(await page.getByRole('link', { name: /^(New|Sell|Make|Buy)/ }).count(), 0, 'no new document')
  })
})

test('a customer’s page shows contact details, documents and totals; a duplicate name is reported at its field', async () => {
  const { company, manager, table } = await shop()
  for (const num of ['1', '2'])
    await given.sale(company, { num, customer_name: 'Miller', products: [{ id: table, amount: 1, total: 249 }] })
  await withPage({ user: manager, path: '/customers/new' }, async (page) => {
    await page.getByLabel('Name').fill('Miller')
    await page.getByLabel('Phone').fill('+49 30 1234567')
    await page.keyboard.press('Control+Enter')
    await page.getByText('This name is already in use.').waitFor()
    await page.getByLabel('Name').fill('Smith')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await page.getByRole('heading', { name: 'Smith' }).waitFor()
    await page.getByText('No sales with this customer yet.').waitFor()
    await page.goto('/customers')
    await page.getByRole('link', { name: 'Miller' }).click()
    await page.getByRole('link', { name: 'A-2' }).waitFor()
    await eventually(async () =>
      assert.match((await page.locator('dl').first().textContent()) ?? '', /Open sales22 in allTotal sales€498\.00/),
    )
    await page.getByRole('link', { name: 'New sale' }).click()
    await page.waitForURL(/\/sales\/new/)
    await page.locator('input[value="Miller"]').first().waitFor()
    await page.goto('/customers')
    await page.getByRole('link', { name: 'Miller' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(/\/customers$/)
    await page.getByRole('link', { name: 'Miller' }).waitFor({ state: 'detached' })
  })
})

for (const [scheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const)
  test(`very long names fit every screen of catalog and contacts, ${scheme} at ${width} px`, async () => {
    const { company, manager, table, board, hour } = await shop()
    await given.product(company, {
      name: `Bench ${'very long '.repeat(20)}`,
      sku: 'B'.repeat(60),
      price: '9999999999.99',
    })
    await given.sale(company, { customer_name: 'Miller', products: [{ id: table, amount: 1, total: 249 }] })
    const { customers } = (await company.call('customers/get_list', {})).body
    const paths = [
      '/products',
      '/products/new',
      `/products/${table}`,
      `/products/${table}?tab=history`,
      '/materials',
      `/materials/${board}`,
      '/resources',
      `/resources/${hour}`,
      '/customers',
      `/customers/${customers[0].id}`,
      '/suppliers',
    ]
    await withPage({ user: manager, scheme, width }, async (page) => {
      for (const path of paths) {
        await page.goto(path)
        await pageLoaded(page)
        await assertNoOverflow(page)
        if (scheme === 'dark') await assertAccessible(page)
      }
    })
  })
