// Taxes on the screens: nothing without rates; then rates, the rate of an item, the terms of a customer, and the tax of a sale.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertNoOverflow, pageLoaded, shot, withPage } from './harness.ts'
import { accepted, workshop } from './workshop.ts'

async function addRate(page: Page, name: string, percent: string): Promise<void> {
  await page.getByRole('button', { name: 'New tax rate' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Percentage').fill(percent)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a company sets up tax rates, and sees them on items, customers and sales', async () => {
  const { company, owner, table } = await workshop()
  const { id: customer } = await given.customer(company)
  const products = [{ id: table, amount: 1, total: 100 }]
  const older = await given.sale(company, { num: '1', products })
  await withPage({ user: owner, path: `/products/${table}` }, async (page) => {
    await page.getByRole('button', { name: 'Edit' }).first().click()
    await page.getByLabel('Minimum stock').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Tax rate' }).count(), 0)

    await page.goto('/settings/taxes')
    await page.getByText('No tax rates yet. With the first one, new sales show tax.').waitFor()
    await assertAccessible(page)
    await addRate(page, 'VAT', '19')
    await addRate(page, 'Reduced', '7')
    await page.getByText('Default: items without a rate of their own have it.').waitFor()
    await shot(page, 'taxes')
    await assertAccessible(page)
    await assertNoOverflow(page)

    const includes = (checked: boolean) => page.getByRole('switch', { name: 'Prices include tax', checked })
    await includes(false).click()
    await includes(true).waitFor()
    await includes(true).click()
    await includes(false).waitFor()

    // Without loading the page again.
    await page.getByRole('link', { name: 'Items', exact: true }).click()
    await page.getByText('Oak table').first().click()
    await page.getByRole('button', { name: 'Edit' }).first().click()
    await page.getByRole('combobox', { name: 'Tax rate' }).click()
    await page.getByRole('option', { name: 'Reduced 7%' }).click()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Oak table saved').first().waitFor()

    const sale = await given.sale(company, { num: '2', products, customer_id: customer })
    await page.goto(`/sales/${sale}`)
    await page.getByText('Plus Reduced 7%').waitFor()
    await page.getByText('Total with tax').waitFor()
    await page.getByText('€107.00').first().waitFor()
    await shot(page, 'sale-with-tax')
    await assertAccessible(page)
    await page.goto(`/sales/${older}`)
    await pageLoaded(page)
    assert.equal(await page.getByText('Total with tax').count(), 0)

    await page.goto(`/customers/${customer}`)
    await page.getByRole('button', { name: 'Edit' }).first().click()
    await page.getByRole('combobox', { name: 'Tax' }).click()
    await page.getByRole('option', { name: 'Reverse charge' }).click()
    await page.getByLabel('Reason').fill('Article 196')
    await page.keyboard.press('Control+Enter')
    await page.getByText(/ saved$/).waitFor()
  })
  const { tax } = await accepted(owner, 'orders/get_card', { order_id: older })
  assert.equal(tax, null)
  const reversed = await given.sale(company, { num: '3', products, customer_id: customer })
  await withPage({ user: owner, path: `/sales/${reversed}`, width: 390 }, async (page) => {
    await page.getByText('Reverse charge: Article 196').waitFor()
    await assertNoOverflow(page)
  })
  const worker = await given.user(company, 'worker')
  await withPage({ user: worker, path: `/sales/${reversed}` }, async (page) => {
    await pageLoaded(page)
    assert.equal(await page.getByText('Reverse charge').count(), 0)
  })
})
