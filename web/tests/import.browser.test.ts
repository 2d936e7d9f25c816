// A file is imported by clicking, on a desktop and on a phone: columns, errors corrected in place, missing names, progress, result, undo.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import { readFile } from '../src/import/table.ts'
import { assertAccessible, assertNoOverflow, shot, withPage } from './harness.ts'

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content as string),
})

const products = `Bezeichnung;Artikelnummer;Einheit;VK;Warengruppe;Farbe
Eichentisch;T-1;Stk;1.249,50;Tische;braun
Stuhl;S-1;Stk;teuer;Stühle;rot
Bank;B-1;Stk;99,00;;
`

async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file(name, content))
}

for (const [device, size] of [
  ['desktop', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test(`products are imported and the import is undone on a ${device}`, async () => {
    const company = await given.company()
    const user = await given.user(company, 'manager')
    const names = async (): Promise<string[]> => {
      const { body } = await company.call('products/get_list')
      return body.products.map((one: { name: string; price: number }) => `${one.name} ${one.price}`)
    }
    await withPage({ user, path: '/products', ...size }, async (page) => {
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
      await shot(page, `import-${device}`)
      await choose(page, 'photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]))
      await page.getByText('This file is not a table.').waitFor()
      await choose(page, 'artikel.csv', products)
      await page.getByText('3 rows, 6 columns').waitFor()
      assert.equal(await page.getByRole('combobox', { name: 'Imported as: VK' }).inputValue(), 'Sale price')
      assert.equal(await page.getByRole('combobox', { name: 'Imported as: Farbe' }).inputValue(), '')
      await assertNoOverflow(page)
      await assertAccessible(page)
      await shot(page, `import-columns-${device}`)
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('Some names do not exist yet').waitFor()
      await shot(page, `import-missing-${device}`)
      await page.getByRole('button', { name: 'Create them' }).click()
      await page.getByText('Sale price: Enter a number, 0 or more.').waitFor()
      await page.getByLabel('Correct: Sale price').fill('49.90')
      await assertNoOverflow(page)
      await assertAccessible(page)
      await shot(page, `import-check-${device}`)
      await page.getByRole('button', { name: 'Check again' }).click()
      assert.deepEqual(await names(), [])
      await page.getByRole('button', { name: 'Import 3 rows' }).click()
      await page.getByText('Import finished').waitFor()
      assert.deepEqual(await names(), ['Bank 99', 'Eichentisch 1249.5', 'Stuhl 49.9'])
      await shot(page, `import-done-${device}`)
      await page.getByRole('button', { name: 'Undo import' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
      await page.getByText('Import undone').waitFor()
      assert.deepEqual(await names(), [])
    })
  })

test('what the complete export writes is imported again, as unchanged', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const call = async (path: string, body: object) => {
    const reply = await company.call(path, body)
    assert.equal(reply.status, 200, reply.text)
    return reply.body
  }
  const { category_id } = await call('categories/add', { name: 'Tables', type: 'products' })
  const { supplier_id } = await call('suppliers/add', { name: 'Holz AG', email: 'a@holz.example', notes: '=1+1' })
  await call('resources/add', { name: 'Carpenter' })
  await call('materials/add', { name: 'Leg', sku: 'LEG', price: 1.5 })
  const { resources } = await call('resources/get_list', {})
  await call('products/add', {
    name: 'Table "Oak"',
    sku: 'T-1',
    alt_skus: ['T-1a', 'T-1b'],
    barcodes: ['4006381333931'],
    price: 1249.5,
    min_amount: 2.5,
    categories: [category_id],
    suppliers: [{ supplier_id, sku: 'H,1', price: 3.25 }],
    components: [
      { type: 'material', sku: 'LEG', amount: 4 },
      { type: 'resource', id: resources[0].id, amount: 0.5 },
    ],
    notes: 'Two\nlines',
  })
  await withPage({ user, path: '/products' }, async (page) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Excel, to edit and import again' }).click(),
    ])
    const bytes = readFileSync(await download.path())
    assert.ok('table' in readFile(bytes))
    await page.goto('/import?of=products')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'products.xlsx', mimeType: 'application/zip', buffer: bytes })
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Unchanged: 1').waitFor()
  })
})
