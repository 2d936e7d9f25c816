// Purchases: deleting, copying, conflicts, ordering what is low, undoing a receipt, and the view of a worker on a phone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertNoOverflow, assertValue, eventually, shot, statusButton, withPage } from './harness.ts'
import { accepted, bought, levels, workshop } from './workshop.ts'

test('deleting a received purchase shows its effect, a copy starts from it, and the address restores a filter', async () => {
  const place = await workshop()
  const id = await bought(place, 5)
  await withPage({ user: place.owner, path: `/purchases/${id}` }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    await page.waitForURL(`**/purchases/new?copy=${id}`)
    await page.getByRole('heading', { name: 'New purchase' }).waitFor()
    await page.getByRole('textbox', { name: 'Quantity: Oak board' }).fill('7')
    await page.keyboard.press('Control+Enter')
    await statusButton(page, 'P-2: New').waitFor()
    await page.goto('/purchases?cut=all&status=3')
    await page.getByRole('link', { name: 'P-1' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'P-2' }).count(), 0, 'filtered by the address')
    await page.getByRole('link', { name: 'P-1' }).click()
    await page.getByRole('heading', { name: 'Purchase P-1' }).waitFor()

    // Changing a received purchase moves stock and shows a confirmation.
    await page.getByRole('textbox', { name: 'Quantity: Oak board' }).fill('3')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Saves purchase P-1 and takes 2 m of Oak board from Materials.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    assert.deepEqual(await levels(place, place.board), [3, 0, 3])

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByText('Deletes purchase P-1 and takes 3 m of Oak board from Materials.').waitFor()
    await shot(page, 'purchase-delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/purchases')
    assert.deepEqual(await levels(place, place.board), [0, 0, 0])
  })
})

test('two users change one purchase: the second sees both versions', async () => {
  const place = await workshop()
  const id = await bought(place, 5)
  await withPage({ user: place.owner, path: `/purchases/${id}` }, async (page) => {
    await page.getByLabel('Notes').fill('Mine')
    await accepted(place.owner, 'purchases/edit', { purchase_id: id, notes: 'Theirs' })
    await page.keyboard.press('Control+Enter')
    await page.getByText('Some owner changed this record').waitFor()
    await page.getByRole('cell', { name: 'Theirs' }).waitFor()
    await page.getByRole('button', { name: 'Overwrite with mine' }).click()
    await page.getByText('Some owner changed this record').waitFor({ state: 'hidden' })
    const { purchase } = await accepted(place.owner, 'purchases/get_card', { purchase_id: id })
    assert.equal(purchase.notes, 'Mine')
  })
})

test('a worker receives goods on a phone and sees no money', async () => {
  const place = await workshop()
  const worker = await given.user(place.company, 'worker')
  const { purchase_id: id } = await accepted(place.owner, 'purchases/add', {
    supplier_name: 'Sawmill and Sons, Timber Merchants since 1884, Branch Office North',
    materials: [{ id: place.board, amount: 12, total: 4321 }],
    status: 1,
  })
  await withPage({ user: worker, path: '/purchases', width: 390, height: 844, scheme: 'dark' }, async (page) => {
    await page.getByRole('link', { name: 'P-1' }).waitFor()
    await assertNoOverflow(page)
    await page.getByRole('link', { name: 'P-1' }).click()
    await page.getByRole('heading', { name: 'Purchase P-1' }).waitFor()
    await shot(page, 'purchase-worker-phone')
    await assertNoOverflow(page)
    await assertAccessible(page)
    assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /€|4,?321/)
    await page.getByRole('button', { name: 'Receive', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Receive', exact: true }).click()
    await statusButton(page, 'P-1: Received').waitFor()
    assert.deepEqual(await levels(place, place.board), [12, 0, 12])
  })
  const { purchase } = await accepted(place.owner, 'purchases/get_card', { purchase_id: id })
  assert.equal(purchase.status, 3)
})

test('low items become one purchase per supplier, without products made in-house', async () => {
  const place = await workshop()
  const { owner } = place
  const supplier = async (name: string): Promise<number> =>
    (await accepted(owner, 'suppliers/add', { name })).supplier_id
  const [sawmill, tannery] = [await supplier('Sawmill'), await supplier('Tannery')]
  const low = (name: string, id: number, price: number) =>
    accepted(owner, 'materials/add', { name, min_amount: 5, suppliers: [{ supplier_id: id, price }] })
  await low('Beech board', sawmill, 8)
  await low('Ash board', sawmill, 7)
  await low('Leather', tannery, 30)
  await accepted(owner, 'products/edit', { product_id: place.table, min_amount: 2 })
  await withPage({ user: owner, path: '/' }, async (page) => {
    await page.getByRole('link', { name: 'Reorder low stock' }).click()
    await page.waitForURL('**/purchases/order')
    const part = (name: string) => page.getByRole('region', { name })
    await part('Sawmill').getByLabel('Quantity: Ash board').fill('6')
    await part('No supplier').getByText('Oak board').waitFor()
    await part('Made in-house').getByText('Oak table').waitFor()
    await assertAccessible(page)
    await shot(page, 'reorder')
    await page.getByRole('button', { name: 'Create 2 purchases' }).click()
    await page.getByText('2 purchases created').waitFor()
    await part('Tannery').getByRole('link', { name: 'Open purchase' }).waitFor()
    const { purchases } = await accepted(owner, 'purchases/browse', { sort: 'num' })
    assert.deepEqual(
      purchases.map((one: Record<string, unknown>) => [
        one['supplier_name'],
        one['lines'],
        one['total'],
        one['status'],
      ]),
      [
        ['Sawmill', 2, 82, 0],
        ['Tannery', 1, 150, 0],
      ],
    )
    await part('Made in-house').getByRole('link', { name: 'Plan production' }).click()
    await assertValue(page.getByRole('textbox', { name: 'Quantity: Oak table' }), '2')
  })
})

test('one of several receipts is undone, and the others keep their dates', async () => {
  const place = await workshop()
  const { owner, board } = place
  const { purchase_id: id } = await accepted(owner, 'purchases/add', {
    supplier_name: 'Sawmill',
    materials: [{ id: board, amount: 20, total: 180 }],
  })
  const receive = (amount: number, date: string) =>
    accepted(owner, 'purchases/receive_part', { purchase_id: id, date, lines: [{ id: board, amount }] })
  await receive(5, '2026-03-01')
  await receive(7, '2026-03-02')
  await withPage({ user: owner, path: `/purchases/${id}` }, async (page) => {
    await page.getByText('Receipt 2, 02/03/2026').waitFor()
    await page.getByRole('button', { name: 'Undo receipt 1' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Undoes receipt 1 of purchase P-1 and takes 5 m of Oak board from Materials.').waitFor()
    await dialog.getByRole('button', { name: 'Undo receipt' }).click()
    await page.getByText('Receipt 1, 01/03/2026').waitFor({ state: 'detached' })
    assert.deepEqual(await levels(place, board), [7, 0, 7])
  })
})

test('a purchase with the number of another shows a warning, and can be saved', async () => {
  const { owner, board } = await workshop()
  const { purchase_id: first } = await accepted(owner, 'purchases/add', {
    num: 'B-7',
    supplier_name: 'Sawmill',
    date_placed: '2026-03-01',
    materials: [{ id: board, amount: 1, total: 9 }],
  })
  await withPage({ user: owner, path: `/purchases/new?copy=${first}` }, async (page) => {
    const number = page.getByLabel('Number')
    await number.fill('B-7')
    const warning = page.getByRole('status').filter({ hasText: 'Another purchase has this number:' })
    const link = warning.getByRole('link', { name: 'Purchase B-7, Sawmill, 01/03/2026' })
    await eventually(async () => assert.equal(await link.getAttribute('href'), `/purchases/${first}`))
    await number.fill('B-8')
    await warning.waitFor({ state: 'detached' })
  })
})
