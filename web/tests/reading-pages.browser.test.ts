// Items and contacts as pages to read: their figures, the documents they open, editing in the drawer, and what a worker sees.
// Long because all pages are checked against the trade of one company.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import {
  assertAccessible,
  assertNoOverflow,
  assertValue,
  describedBy,
  eventually,
  openEditor,
  pageLoaded,
  shot,
  withPage,
} from './harness.ts'
import { accepted, bought, type Workshop, workshop } from './workshop.ts'

const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)

/**
 * Boards: 100 bought at 9, 8 used for two tables at 81 each. Tables: one of them sold and shipped, two more reserved.
 * The price of a table is 249.
 */
async function trading(): Promise<Workshop & { sawmill: number; berta: number }> {
  const its = await workshop()
  const { owner, board, table } = its
  await bought(its, 100, day(30))
  const { suppliers } = await accepted(owner, 'suppliers/get_list')
  const sawmill = suppliers[0].id
  await accepted(owner, 'materials/edit', {
    material_id: board,
    suppliers: [{ supplier_id: sawmill, sku: 'S-27', price: 8.5 }],
  })
  await accepted(owner, 'productions/add', { products: [{ id: table, amount: 2 }], status: 3, date_done: day(20) })
  const { customer_id: berta } = await accepted(owner, 'customers/add', {
    name: 'Berta Blum',
    email: 'berta@blum.example',
    notes: 'Rings twice.',
  })
  const sale = async (num: string, amount: number, back: number, status: number) => {
    const products = [{ id: table, amount, total: amount * 249 }]
    const { order_id: id } = await accepted(owner, 'orders/add', {
      num,
      customer_id: berta,
      products,
      date_placed: day(back),
    })
    if (status > 0) await accepted(owner, 'orders/update_status', { order_id: id, status })
  }
  await sale('1', 1, 10, 3)
  await sale('2', 2, 1, 0)
  return { ...its, sawmill, berta }
}

/** The texts of the headline figures, as soon as they are loaded. */
async function assertFigures(page: Page, expected: readonly RegExp[]): Promise<void> {
  const figures = page.locator('dl').first().locator('> div')
  await eventually(async () => {
    const texts = await figures.allInnerTexts()
    assert.equal(texts.length, expected.length, texts.join(' | '))
    for (const [at, text] of texts.entries()) assert.match(text.replaceAll(/\s+/g, ' '), expected[at] ?? /$^/)
  })
}

test('the page of an item shows its stock, margin or cost, and what was sold lately', async () => {
  const { owner, table, board, hour } = await trading()
  await withPage({ user: owner, path: `/products/${table}` }, async (page) => {
    await assertFigures(page, [
      /^On hand 1 pcs$/,
      /^Available −1 pcs 2 pcs reserved$/,
      /^Margin 67 % €249\.00 price, €81\.00 unit cost$/,
      /^Sold in 13 weeks 3 pcs €747\.00 revenue$/,
    ])
    await page.getByText('TABLE', { exact: true }).waitFor()
    await page.getByRole('img', { name: 'Sold by week, last 13 weeks' }).waitFor()
    const details = page.getByRole('complementary', { name: 'Details' })
    await details.getByText('Planned cost').waitFor()
    assert.equal(await page.locator('main').getByRole('textbox').count(), 0, 'nothing to fill in')
    await shot(page, 'product-page')
    await page.getByRole('link', { name: '1 pcs', exact: true }).first().click()
    await page.waitForURL(`**/stock/items/${table}`)

    await page.goto(`/materials/${board}`)
    await assertFigures(page, [
      /^On hand 92 m Minimum 20 m$/,
      /^Available 92 m Nothing reserved$/,
      /^Unit cost €9\.00 per m$/,
      /^Stock value €828\.00$/,
      /^Sold in 13 weeks 0 m$/,
    ])
    await page.getByRole('tab', { name: 'Suppliers' }).click()
    await page.getByRole('row', { name: /Sawmill S-27 €8\.50/ }).waitFor()
    await page.goto(`/resources/${hour}`)
    await assertFigures(page, [/€30\.00 per h$/, /^Used in 1 product$/])
  })
})

test('a product without stock shows the margin by its planned cost', async () => {
  const { owner, table, board } = await workshop()
  await withPage({ user: owner, path: `/products/${table}` }, async (page) => {
    // Four boards at 9, and an hour and a half at 30.
    await page.getByText('€249.00 price, €81.00 planned cost').waitFor()
    await page.goto(`/materials/${board}`)
    await page.getByText('Purchase price: nothing received yet').waitFor()
  })
})

test('Sell, Make, Buy and Count open the new document with the item in it', async () => {
  const { owner, table, board } = await trading()
  await withPage({ user: owner, path: `/products/${table}` }, async (page) => {
    await page.getByRole('link', { name: 'Sell' }).click()
    await page.waitForURL(/\/sales\/new\?/)
    await assertValue(page.getByLabel('Quantity: Oak table'), '1')
    await assertValue(page.getByLabel('Price: Oak table'), '249.00')
    await page.goto(`/products/${table}`)
    await page.getByRole('link', { name: 'Make' }).click()
    await page.waitForURL(/\/productions\/new\?/)
    await assertValue(page.getByLabel('Quantity: Oak table'), '1')
    await page.goto(`/materials/${board}`)
    assert.equal(await page.getByRole('link', { name: 'Make' }).count(), 0)
    await page.getByRole('link', { name: 'Buy' }).click()
    await page.waitForURL(/\/purchases\/new\?/)
    await assertValue(page.getByLabel('Quantity: Oak board'), '1')
    await assertValue(page.getByLabel('Price: Oak board'), '8.50')
    await page.locator('input[value="Sawmill"]').first().waitFor()
    await page.goto(`/materials/${board}`)
    await pageLoaded(page)
    await page.getByRole('link', { name: 'Count' }).click()
    await page.waitForURL(/\/audits\/count\?find=BOARD&storage_id=\d+$/)
    await page.getByLabel('Counted: Oak board').waitFor()
  })
})

test('an item is edited in a drawer: an error is shown at its field, closing asks about unsaved changes, saving shows the new values', async () => {
  const { owner, table } = await workshop()
  await accepted(owner, 'products/add', { name: 'Stool', sku: 'STOOL' })
  await withPage({ user: owner, path: `/products/${table}` }, async (page) => {
    await page.getByRole('heading', { name: 'Oak table' }).waitFor()
    await page.keyboard.press('e')
    const drawer = page.getByRole('dialog', { name: 'Edit product' })
    await drawer.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
    const sku = drawer.getByLabel('SKU', { exact: true })
    await sku.fill('STOOL')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await assertValue(sku, 'STOOL', 'nothing typed is lost')
    await page.keyboard.press('Control+Enter')
    await drawer.getByText('SKU STOOL is already used by another item.').waitFor()
    assert.match(await describedBy(sku), /SKU STOOL is already used/)
    await sku.fill('TABLE-2')
    await drawer.getByLabel('Quantity: Oak board').fill('5')
    await drawer.getByRole('button', { name: 'Save', exact: true }).click()
    await drawer.waitFor({ state: 'detached' })
    await page.getByText('TABLE-2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).and(page.locator(':focus')).waitFor()
    await page.getByRole('tab', { name: 'Components' }).click()
    await page.getByRole('row', { name: /Oak board.* 5 m/ }).waitFor()

    await openEditor(page)
    await sku.fill('TABLE-3')
    await drawer.getByRole('button', { name: 'Discard changes' }).click()
    await drawer.waitFor({ state: 'detached' })
    const { product } = await accepted(owner, 'products/get_entry', { product_id: table })
    assert.deepEqual([product.sku, product.components[0].amount], ['TABLE-2', 5])
    await openEditor(page)
    await assertValue(sku, 'TABLE-2')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  })
})

test('e in a list opens the form of the row', async () => {
  const { owner } = await workshop()
  await withPage({ user: owner, path: '/products' }, async (page) => {
    await page.getByRole('link', { name: 'Oak table' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Edit product' }).waitFor()
  })
})

test('what another user changes meanwhile is shown in the drawer and on the page', async () => {
  const { owner, berta } = await trading()
  await withPage({ user: owner, path: `/customers/${berta}` }, async (page) => {
    const drawer = await openEditor(page)
    await drawer.getByLabel('Phone').fill('+49 30 1')
    await accepted(owner, 'customers/edit', { customer_id: berta, phone: '+49 30 2' })
    await page.keyboard.press('Control+Enter')
    const conflict = drawer.getByRole('alert').filter({ hasText: 'changed this record' })
    await conflict.getByText('+49 30 2').waitFor()
    await conflict.getByRole('button', { name: 'Use the saved version' }).click()
    await assertValue(drawer.getByLabel('Phone'), '+49 30 2')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: '+49 30 2' }).waitFor()
  })
})

test('the pages of a customer and a supplier show their trade, and open a new document for them', async () => {
  const { owner, berta, sawmill } = await trading()
  await withPage({ user: owner, path: `/customers/${berta}` }, async (page) => {
    await assertFigures(page, [
      /^Open sales 1 2 in all$/,
      /^Total sales €747\.00$/,
      /^Unpaid €747\.00 2 sales$/,
      /^Last sale [\d/]+ 2$/,
    ])
    await page.getByText('Rings twice.').waitFor()
    await page.getByRole('link', { name: 'berta@blum.example' }).waitFor()
    await page.getByRole('link', { name: 'New sale' }).click()
    await page.waitForURL(/\/sales\/new/)
    await page.locator('input[value="Berta Blum"]').first().waitFor()
    await page.goto(`/suppliers/${sawmill}`)
    await assertFigures(page, [
      /^Open purchases 0 1 in all$/,
      /^Total purchases €900\.00$/,
      /^Last purchase [\d/]+ \S+$/,
    ])
    await page.getByRole('link', { name: 'New purchase' }).click()
    await page.locator('input[value="Sawmill"]').first().waitFor()
  })
})

test('a worker sees quantities but no money, and may only count', async () => {
  const { company, table, board, berta, sawmill } = await trading()
  const worker = await given.user(company, 'worker')
  await withPage({ user: worker, path: `/products/${table}` }, async (page) => {
    await assertFigures(page, [/^On hand 1 pcs$/, /^Available −1 pcs/, /^Reserved 2 pcs$/, /^Sold in 13 weeks 3 pcs$/])
    assert.equal(await page.getByRole('link', { name: /^(Sell|Make|Buy)$/ }).count(), 0)
    await page.keyboard.press('e')
    assert.equal(await page.getByRole('dialog').count(), 0, 'nothing to edit')
    await page.goto(`/customers/${berta}`)
    await assertFigures(page, [/^Open sales 1 2 in all$/, /^Last sale [\d/]+ 2$/])
    for (const path of [
      `/products/${table}?tab=components`,
      `/materials/${board}?tab=suppliers`,
      `/suppliers/${sawmill}`,
    ]) {
      await page.goto(path)
      await pageLoaded(page)
      assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /€|price|cost/i, path)
    }
    await page.goto(`/materials/${board}`)
    await page.getByRole('link', { name: 'Count' }).click()
    await page.getByLabel('Counted: Oak board').waitFor()
  })
})

for (const [scheme, width] of [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)
  test(`pages and drawers are accessible and fit, ${scheme} at ${width} px`, async () => {
    const { owner, table, sawmill } = await trading()
    await withPage({ user: owner, scheme, width, height: 844 }, async (page) => {
      for (const path of [`/products/${table}?tab=components`, `/suppliers/${sawmill}`]) {
        await page.goto(path)
        await pageLoaded(page)
        await assertNoOverflow(page)
        await assertAccessible(page)
        await assertReachable(page)
        const drawer = await openEditor(page)
        await assertAccessible(page)
        const box = await drawer.getByRole('button', { name: 'Save', exact: true }).boundingBox()
        assert.ok(box !== null && box.y + box.height <= 844, 'Save is on the screen')
        await shot(page, `drawer${path.replaceAll(/\W+/g, '-')}-${scheme}-${width}`)
      }
    })
  })

/** The buttons are on the first screen, and tall enough for a thumb. */
async function assertReachable(page: Page): Promise<void> {
  for (const link of await page
    .locator('header')
    .getByRole('link', { name: /^(Sell|Make|Buy|Count|New)/ })
    .all()) {
    const box = await link.boundingBox()
    assert.ok(box !== null && box.y + box.height < 400 && box.height >= 32, JSON.stringify(box))
  }
}
