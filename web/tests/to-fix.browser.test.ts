// The screen To fix: unknown SKUs of all documents are assigned, created or dismissed, each as one step that can be undone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertColoursAccessible, assertNoOverflow, eventually, shot, withPage } from './harness.ts'
import { type Shop, saleOf, shop, sold } from './shop.ts'

const skus = (...codes: string[]) => [
  { sku: 'TABLE', amount: 1, total: 120 },
  ...codes.map((sku) => ({ sku, amount: 2, total: 30.5 })),
]

/** Two sales and a purchase wait for a lamp, one of the sales also for a sofa; a shipped one has a lamp too. */
async function waiting(place: Shop): Promise<number[]> {
  const ids = [
    await sold(place, { num: '1', products: skus('LAMP-9') }),
    await sold(place, { num: '2', products: skus('LAMP-9', 'SOFA') }),
    await sold(place, { num: '3', products: skus('LAMP-9') }),
  ]
  await place.owner.call('orders/update_status', { order_id: ids[2], status: 3 })
  await place.company.call('purchases/add', { num: 'P-77', supplier_name: 'Lights Ltd', products: skus('lamp-9') })
  return ids
}

const group = (page: Page, code: string) => page.getByRole('region', { name: code, exact: true })
const linesOf = async (place: Shop, id: number): Promise<string[]> =>
  (await saleOf(place, id)).lines.map(({ sku, amount }: { sku: string; amount: number }) => `${amount} ${sku}`)
const waitingOf = async (place: Shop): Promise<number> =>
  (await place.owner.call('skipped_lines/get_list', {})).body.total

for (const width of [1440, 390])
  test(`unknown SKUs are assigned to an item for all documents and undone, ${width} px wide`, async () => {
    const place = await shop()
    const [first = 0, second = 0, shipped = 0] = await waiting(place)
    await withPage({ user: place.owner, path: '/', width }, async (page) => {
      if (width < 600) await page.getByRole('button', { name: 'More' }).click()
      const entry = page.getByRole('link', { name: /To fix/ })
      await eventually(async () => assert.match((await entry.textContent()) ?? '', /To fix\s*2/))
      await entry.click()
      await page.getByRole('heading', { name: /^To fix 2$/ }).waitFor()
      const lamp = group(page, 'SKU LAMP-9')
      await lamp.getByText('2 sales and 1 purchase · quantity 6 · €91.50').waitFor()
      await lamp.getByRole('link', { name: 'Sale A-1' }).waitFor()
      await lamp.getByRole('link', { name: 'Purchase P-77' }).waitFor()
      await assertNoOverflow(page)
      await assertAccessible(page)
      await assertColoursAccessible(page)
      await shot(page, `to-fix-${width}`)
      await lamp.getByRole('button', { name: 'Assign to an item: SKU LAMP-9' }).click()
      const dialog = page.getByRole('dialog', { name: 'Assign SKU LAMP-9 to an item' })
      await dialog.getByText(/Adds a total quantity of 6 to 2 sales and 1 purchase/).waitFor()
      await dialog.getByRole('button', { name: 'Assign to an item' }).click()
      await dialog.getByText('Choose an item.').waitFor()
      await dialog.getByRole('combobox', { name: 'Item' }).fill('walnut')
      await page.getByRole('option', { name: /Walnut chair/ }).click()
      await assertAccessible(page)
      await shot(page, `to-fix-assign-${width}`)
      await dialog.getByRole('button', { name: 'Assign to an item' }).click()
      await page.getByText('SKU LAMP-9 assigned in 3 documents').waitFor()
      await lamp.waitFor({ state: 'detached' })
      assert.deepEqual(await linesOf(place, first), ['1 TABLE', '2 CHAIR'])
      assert.deepEqual(await linesOf(place, second), ['1 TABLE', '2 CHAIR'])
      assert.deepEqual(await linesOf(place, shipped), ['1 TABLE'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await lamp.waitFor()
      assert.deepEqual(await linesOf(place, first), ['1 TABLE'])
    })
  })

test('a line is assigned by keyboard alone', async () => {
  const place = await shop()
  const [first = 0] = await waiting(place)
  await withPage({ user: place.owner, path: '/to-fix' }, async (page) => {
    await group(page, 'SKU LAMP-9').getByRole('button', { name: 'Assign to an item: SKU LAMP-9' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Assign SKU LAMP-9 to an item' })
    await dialog.getByRole('combobox', { name: 'Item' }).waitFor()
    await page.keyboard.type('walnut')
    await page.getByRole('option', { name: /Walnut chair/ }).waitFor()
    await page.keyboard.press('Enter')
    await eventually(async () =>
      assert.match(await dialog.getByRole('combobox', { name: 'Item' }).inputValue(), /Walnut chair/),
    )
    await page.keyboard.press('Control+Enter')
    await page.getByText('SKU LAMP-9 assigned in 3 documents').waitFor()
    assert.deepEqual(await linesOf(place, first), ['1 TABLE', '2 CHAIR'])
  })
})

test('a missing item is created with its SKU, and the waiting documents get their lines', async () => {
  const place = await shop()
  const [, second = 0] = await waiting(place)
  await withPage({ user: place.owner, path: '/to-fix' }, async (page) => {
    const sofa = group(page, 'SKU SOFA')
    await sofa.getByRole('button', { name: 'Create item: SKU SOFA' }).click()
    const dialog = page.getByRole('dialog', { name: 'New item' })
    assert.equal(await dialog.getByRole('textbox', { name: 'SKU' }).inputValue(), 'SOFA')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Green sofa')
    await dialog.getByRole('button', { name: 'Create and assign' }).click()
    await page.getByText('SKU SOFA assigned in 1 document').waitFor()
    await sofa.waitFor({ state: 'detached' })
    assert.deepEqual(await linesOf(place, second), ['1 TABLE', '2 SOFA'])
    // An item that gets the SKU elsewhere is offered at once.
    await place.owner.call('products/add', { name: 'Desk lamp', sku: 'LAMP-9' })
    await page.reload()
    const lamp = group(page, 'SKU LAMP-9')
    await lamp.getByRole('button', { name: 'Assign to Desk lamp' }).click()
    await page.getByText('SKU LAMP-9 assigned in 3 documents').waitFor()
    await page.getByText('Nothing to fix. No open document has skipped lines.').waitFor()
  })
})

test('lines are dismissed, also those of shipped sales, and an undo brings them back', async () => {
  const place = await shop()
  await waiting(place)
  await withPage({ user: place.owner, path: '/to-fix' }, async (page) => {
    const lamp = group(page, 'SKU LAMP-9')
    await lamp.getByRole('button', { name: 'Dismiss: SKU LAMP-9' }).click()
    await page.getByText('SKU LAMP-9 dismissed in 3 documents').waitFor()
    await lamp.waitFor({ state: 'detached' })
    assert.equal(await waitingOf(place), 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await lamp.waitFor()
    assert.equal(await waitingOf(place), 2)
    await page.getByText('Completed or canceled', { exact: true }).click()
    await lamp.getByText('1 sale · quantity 2 · €30.50').waitFor()
    assert.equal(await lamp.getByRole('button', { name: /Assign/ }).count(), 0)
    await lamp.getByRole('button', { name: 'Dismiss: SKU LAMP-9' }).click()
    await page.getByText('SKU LAMP-9 dismissed in 1 document').waitFor()
  })
})

test('a worker has no screen To fix', async () => {
  const place = await shop()
  await waiting(place)
  const worker = await given.user(place.company, 'worker')
  await withPage({ user: worker, path: '/' }, async (page) => {
    await page.getByRole('link', { name: 'Sales' }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: /To fix/ }).count(), 0)
    await page.goto('/to-fix')
    await page.waitForURL(/\/$/)
  })
})

test('a sale with skipped lines leads to the screen To fix', async () => {
  const place = await shop()
  const [first] = await waiting(place)
  await withPage({ user: place.owner, path: `/sales/${first}` }, async (page) => {
    const block = page.getByRole('alert').filter({ hasText: 'Some lines were skipped' })
    await block.getByRole('link', { name: 'Fix in all documents' }).click()
    await group(page, 'SKU LAMP-9').waitFor()
  })
})
