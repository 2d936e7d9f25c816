// The daily tasks by keyboard alone: whatever is needed gets a visible focus, and no key is lost. The mouse is not used.
// Long because every task that has a test with the mouse is done here, too.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { send } from '../../server/test/harness/app.ts'
import { given } from '../../server/test/harness/given.ts'
import { counted, stocked } from './audits-steps.ts'
import { assertValue, eventually, statusButton, withPage } from './harness.ts'
import { agree, enter, focus, jump, lineSearch, selectItem, selectOption, selectTab, write } from './keyboard-steps.ts'
import { expire } from './session-steps.ts'
import { code, owned, password } from './settings-steps.ts'
import { saleOf, shop, sold } from './shop.ts'
import { moved } from './stock-steps.ts'
import { levels, workshop } from './workshop.ts'

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true })

test('signing up, out and in', async () => {
  const email = `anna-${randomUUID()}@example.com`
  await withPage({ path: '/sign-up' }, async (page) => {
    await write(page, page.getByLabel('Company'), 'Oak & Sons')
    await write(page, page.getByLabel('Your name'), 'Anna')
    await write(page, page.getByLabel('E-mail'), email)
    await write(page, field(page, 'Password'), password)
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await enter(page, button(page, 'Your account'))
    await selectItem(page, 'Sign out')
    await page.waitForURL(/\/sign-in$/)
    await write(page, page.getByLabel('E-mail'), email)
    await write(page, field(page, 'Password'), password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForURL((address) => address.pathname === '/')
  })
})

test('a sale is shipped in part, then the rest, and its effect on stock is read', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: '/' }, async (page) => {
    const dialog = page.getByRole('dialog')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await jump(page, 's', 'Sales')
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sale A-1001' }).waitFor()
    await enter(page, button(page, 'Ship part'))
    await write(page, dialog.getByRole('textbox', { name: 'Ship now: Oak table' }), '1')
    await write(page, dialog.getByRole('textbox', { name: 'Ship now: Walnut chair' }), '0')
    await agree(page, 'Ship part')
    await statusButton(page, 'A-1001: Partially shipped').waitFor()
    assert.equal((await saleOf(place, id)).shipments[0].lines[0].amount, 1)
    await enter(page, button(page, 'Ship remaining'))
    await dialog.getByText('takes 2 pcs of Oak table', { exact: false }).waitFor()
    await agree(page, 'Ship')
    await statusButton(page, 'A-1001: Shipped').waitFor()
    assert.equal((await saleOf(place, id)).order.status, 3)
    await selectTab(page, 'Stock effect')
    await enter(page, page.getByRole('tabpanel').getByRole('link', { name: 'Oak table' }).first())
    await page.waitForURL(/\/stock\/items\/\d+/)
  })
})

test('goods are bought and received in two parts, then used in a production', async () => {
  const place = await workshop()
  await withPage({ user: place.owner, path: '/purchases' }, async (page) => {
    const dialog = page.getByRole('dialog')
    const { keyboard } = page
    await page.getByText('No purchases yet.', { exact: false }).waitFor()
    await keyboard.press('n')
    await page.waitForURL('**/purchases/new')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-haspopup') === 'listbox')
    await keyboard.type('Sawmill')
    await page.getByRole('option', { name: 'Create “Sawmill”' }).waitFor()
    await keyboard.press('Enter')
    await focus(page, lineSearch(page))
    await keyboard.type('2000000000015\n')
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'amount')
    await keyboard.type('20')
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.type('200')
    await keyboard.press('Control+Enter')
    await page.waitForURL(/\/purchases\/\d+$/)
    await enter(page, button(page, 'Mark as ordered'))
    await statusButton(page, 'P-1: Ordered').waitFor()
    await enter(page, button(page, 'Receive part'))
    await write(page, dialog.getByRole('textbox', { name: 'Received now: Oak board' }), '8')
    await agree(page, 'Receive')
    await statusButton(page, 'P-1: Partially received').waitFor()
    await enter(page, button(page, 'Receive remaining'))
    await dialog.getByText('adds 12 m of Oak board', { exact: false }).waitFor()
    await agree(page, 'Receive')
    await statusButton(page, 'P-1: Received').waitFor()
    assert.deepEqual(await levels(place, place.board), [20, 0, 20])

    await keyboard.press('g')
    await keyboard.press('m')
    await page.getByRole('heading', { name: 'Production', level: 1 }).waitFor()
    await keyboard.press('n')
    await page.waitForURL('**/productions/new')
    await focus(page, lineSearch(page))
    await keyboard.type('TABLE')
    await page.getByRole('option', { name: /Oak table/ }).waitFor()
    await keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'amount')
    await keyboard.type('2')
    await keyboard.press('Control+Enter')
    await statusButton(page, 'M-1: Planned').waitFor()
    await enter(page, button(page, 'Start'))
    await statusButton(page, 'M-1: In progress').waitFor()
    await enter(page, button(page, 'Finish'))
    await agree(page, 'Finish')
    await statusButton(page, 'M-1: Done').waitFor()
    assert.deepEqual(await levels(place, place.table), [2, 0, 2])
  })
})

test('from a number of the stock list to the document that explains it', async () => {
  const place = await moved()
  await withPage({ user: place.owner, path: '/stock' }, async (page) => {
    await enter(page, page.getByRole('link', { name: '16 m. On hand of Oak board: show details' }))
    await page.getByText('On hand 16 m at Materials: the sum of 2 movements.').waitFor()
    await selectTab(page, 'Movements')
    await enter(page, page.getByRole('link', { name: 'Write-off W-1' }))
    await page.getByRole('heading', { name: 'Write-off W-1' }).waitFor()
  })
})

test('stock is counted and the stocktake completed', async () => {
  const place = await stocked()
  await withPage({ user: place.owner, path: '/audits' }, async (page) => {
    const { keyboard } = page
    await page.getByRole('heading', { level: 1 }).waitFor()
    await keyboard.press('n')
    await focus(page, page.getByRole('combobox', { name: 'Where are you counting?' }))
    await selectOption(page, 'Finished goods')
    await write(page, page.getByLabel('Counted: Oak board'), '15')
    await keyboard.press('Enter')
    await page.getByText('1 of 2 counted').waitFor()
    await page.getByLabel('Counted: Oak table').and(page.locator(':focus')).waitFor()
    await keyboard.type('3')
    await keyboard.press('Enter')
    await page.getByText('2 of 2 counted').waitFor()
    await page.waitForURL(/\/audits\/count\/\d+$/)
    const id = Number(page.url().split('/').at(-1))
    await eventually(async () =>
      assert.deepEqual(await counted(place, id), [
        [3, 3, 0],
        [16, 15, -1],
      ]),
    )
    await enter(page, page.getByRole('link', { name: 'Review' }))
    await enter(page, button(page, 'Complete'))
    await agree(page, 'Complete')
    await statusButton(page, 'I-1: Completed').waitFor()
    assert.deepEqual(await levels(place, place.board), [15, 0, 15])
  })
})

test('an item is opened from the list, edited in its drawer, and a sale of it started', async () => {
  const place = await shop()
  await withPage({ user: place.owner, path: '/products?q=TABLE' }, async (page) => {
    const { keyboard } = page
    await page.getByRole('link', { name: 'Oak table' }).waitFor()
    await keyboard.press('j')
    await keyboard.press('e')
    const drawer = page.getByRole('dialog')
    await write(page, drawer.getByRole('textbox', { name: 'Name', exact: true }), 'Oak table, large')
    await keyboard.press('Control+Enter')
    await drawer.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Oak table, large' }).waitFor()
    await enter(page, page.getByRole('link', { name: 'Sell', exact: true }))
    await page.waitForURL(/\/sales\/new/)
    await assertValue(page.getByLabel('Quantity: Oak table, large'), '1')
  })
})

test('a session that ends during an edit is renewed in the dialog, and the edit is saved', async () => {
  const place = await shop()
  const id = await sold(place)
  const user = await given.user(place.company, 'manager', password)
  await withPage({ user, path: `/sales/${id}` }, async (page) => {
    await page.route('**/screens/changes/get_list', (route) => route.abort())
    await write(page, page.getByLabel('Notes'), 'Ring twice')
    await expire(place.company.id, user)
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
    await write(page, dialog.getByRole('textbox', { name: 'Password' }), password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => assert.equal((await saleOf(place, id)).order.notes, 'Ring twice'))
  })
})

test('an API key is rotated and revoked, and the prefix of numbers changed', async () => {
  const { owner } = await owned()
  const answers = async (key: string): Promise<number> =>
    (await send('/v1/units/get_list.php', { headers: { authorization: key }, body: '' })).status
  await withPage({ user: owner, path: '/settings/integrations' }, async (page) => {
    await enter(page, button(page, 'Rotate key'))
    await agree(page, 'Rotate key')
    const key = await code(page, 'API key')
    assert.equal(await answers(key), 200)
    await enter(page, button(page, 'I have copied it'))
    await page.getByText(/^Expires /).waitFor()
    const active = page.getByRole('row').filter({ has: page.getByText('Active', { exact: true }) })
    await enter(page, active.getByRole('button', { name: 'Revoke' }))
    await agree(page, 'Revoke')
    await page.getByText(/^Key .* revoked$/).waitFor()
    assert.equal(await answers(key), 401)
    await enter(page, button(page, 'Edit'))
    await write(page, page.getByLabel('Number prefix'), 'SHOP-')
    await page.keyboard.press('Enter')
    await page.getByText('Sale numbers start with “SHOP-”').waitFor()
  })
})

test('a figure of Home opens the list that it counts, and a record is found by the search', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: '/' }, async (page) => {
    await enter(page, page.getByRole('region', { name: 'Figures' }).getByRole('link', { name: /^Unpaid/ }))
    await page.waitForURL(/\/sales\?/)
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search', exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('1001')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/sales/${id}$`))
  })
})

test('a sale is found by a preset, selected and canceled in the list, and the settings are opened', async () => {
  const place = await shop()
  const id = await sold(place)
  await withPage({ user: place.owner, path: '/sales' }, async (page) => {
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    await selectTab(page, 'Ready to ship')
    await page.getByRole('link', { name: 'A-1001' }).waitFor()
    await focus(page, page.getByLabel('Select row').first())
    await page.keyboard.press('Space')
    await enter(page, page.getByRole('toolbar').getByRole('button', { name: 'Cancel sales' }), 'Shift+Tab')
    await page.getByRole('dialog').waitFor()
    await enter(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel sale', exact: true }))
    await eventually(async () => assert.equal((await saleOf(place, id)).order.status, 4))
    await jump(page, 'e', 'Oak & Sons')
  })
})
