// Printing from the pages of sales, purchases, productions and items: what each role is offered, the preview and the file.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import { textOf } from '../../server/test/harness/pdf-text.ts'
import { make, workshop } from '../../server/test/harness/workshop.ts'
import { assertAccessible, withPage } from './harness.ts'

async function offered(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByRole('menuitem').first().waitFor()
  return await page.getByRole('menuitem').allTextContents()
}

async function downloaded(page: Page): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click()
  const file = await download
  return { name: file.suggestedFilename(), text: textOf(readFileSync(await file.path())) }
}

test('every document is printed from its page, in the chosen language; a worker is offered no prices', async () => {
  const { company, table } = await workshop()
  const [owner, worker] = [await given.user(company), await given.user(company, 'worker')]
  const sale = await given.sale(company, { num: '7', products: [{ id: table, amount: 3, total: 741 }] })
  await given.shippedPart(company, sale, { date: '2026-03-04', items: [{ id: table, amount: '2' }] })
  const production = await make(company)
  await withPage({ user: owner, path: `/sales/${sale}` }, async (page) => {
    assert.deepEqual(await offered(page), ['Order confirmation', 'Packing slip', 'Packing slip of shipment 1'])
    await page.getByRole('menuitem', { name: 'Order confirmation' }).click()
    const preview = page.getByRole('dialog').getByRole('link', { name: 'Preview' })
    assert.equal(await preview.getAttribute('target'), '_blank')
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    assert.equal(
      await preview.getAttribute('href'),
      `/screens/documents/order-confirmation?id=${sale}&language=de&company=${company.id}`,
    )
    const { name, text } = await downloaded(page)
    assert.equal(name, 'Auftragsbestätigung A-7.pdf')
    assert.ok(text.includes('741,00'))
  })
  await withPage({ user: worker, path: `/sales/${sale}` }, async (page) => {
    assert.deepEqual(await offered(page), ['Packing slip', 'Packing slip of shipment 1'])
  })
  await withPage({ user: worker, path: `/productions/${production}` }, async (page) => {
    assert.deepEqual(await offered(page), ['Job sheet'])
  })
  await withPage({ user: worker, path: `/products/${table}`, width: 390 }, async (page) => {
    assert.deepEqual(await offered(page), ['Labels'])
    await page.getByRole('menuitem', { name: 'Labels' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Quantity' }).fill('5')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Sheet' }).click()
    await page.getByRole('option', { name: 'Label printer' }).click()
    const { name, text } = await downloaded(page)
    assert.equal(name, 'Labels TABLE.pdf')
    assert.equal(text.split('\n').filter((one) => one === 'Oak table').length, 5)
    await assertAccessible(page)
  })
})
