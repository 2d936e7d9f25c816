// A product entered by keyboard, with its codes, components and planned cost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entry, shop } from './catalog-steps.ts'
import { assertValue, eventually, withPage } from './harness.ts'

test('a product is created by keyboard with codes and components; its planned cost is shown while typing and after saving', async () => {
  const { manager, table } = await shop()
  await withPage({ user: manager, path: '/products' }, async (page) => {
    await page.getByRole('link', { name: 'Oak table' }).waitFor()
    await page.keyboard.press('n')
    await page.waitForURL(/\/products\/new$/)
    await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Bench')
    await page.getByLabel('SKU', { exact: true }).fill('TABLE')
    await page.getByRole('combobox', { name: 'Barcodes' }).fill('4006381333931')
    await page.keyboard.press('Enter')
    await page.keyboard.type('4006381333948')
    const search = page.getByLabel('Add a line: name, SKU or barcode')
    await search.fill('BOARD')
    await page.getByRole('option', { name: /Oak board/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('0.123456')
    await page.keyboard.press('Enter')
    await page.keyboard.type('TABLE')
    await page.getByRole('option', { name: /Oak table/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('2')
    await page.getByText('€248.28').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('SKU TABLE is already used by another item.').waitFor()
    await eventually(async () =>
      assert.equal(await page.getByLabel('SKU', { exact: true }).getAttribute('aria-invalid'), 'true'),
    )
    await assertValue(page.getByLabel('Quantity: Oak board'), '0.123456', 'nothing typed is lost')
    await page.getByLabel('SKU', { exact: true }).fill('BENCH')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/products\/\d+$/)
    const id = Number(page.url().split('/').at(-1))
    const saved = await entry(manager, id)
    assert.deepEqual(saved.barcodes, ['4006381333931', '4006381333948'], 'text still being typed is saved')
    assert.deepEqual(
      saved.components.map(({ id: of, amount }: { id: number; amount: number }) => [of, amount]),
      [
        [saved.components[0].id, 0.123456],
        [table, 2],
      ],
    )
    const leftOf = async (text: string) =>
      await page
        .getByRole('table')
        .first()
        .getByText(text, { exact: true })
        .first()
        .evaluate((one) => {
          const range = document.createRange()
          range.selectNodeContents(one)
          return Math.round(range.getBoundingClientRect().left)
        })
    await eventually(async () =>
      assert.equal(await leftOf('Oak board'), await leftOf('Component'), 'names are aligned with their header'),
    )
    await eventually(async () => assert.equal(await leftOf('Oak table'), await leftOf('Component')))
    // 0.123456 × 18.5 + 2 × 123
    await page.getByRole('button', { name: 'Show components of Oak table' }).click()
    await page.getByRole('row', { name: /Carpenter/ }).waitFor()
    await eventually(async () =>
      assert.match((await page.getByRole('complementary').textContent()) ?? '', /Planned cost€248\.28/),
    )
  })
})
