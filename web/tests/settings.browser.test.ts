// The settings: company, the request log, a reference with runnable examples, short lists, users, passwords.
// Long because it covers every screen of the settings.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { send } from '../../server/test/harness/app.ts'
import { query } from '../../server/test/harness/database.ts'
import { given } from '../../server/test/harness/given.ts'
import { add } from '../../server/test/harness/record-calls.ts'
import { assertAccessible, assertNoOverflow, describedBy, eventually, pageLoaded, shot, withPage } from './harness.ts'
import { code, owned, password } from './settings-steps.ts'

/** Runs a command shown in the screens in a shell. */
async function inTerminal(line: string, key: string): Promise<{ success: boolean; error?: string }> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line], {
    env: { ...process.env, KONTOR_KEY: key },
  })
  return JSON.parse(stdout)
}

const choose = async (page: Page, field: string, option: string): Promise<void> => {
  const box = page.getByRole('combobox', { name: field, exact: true })
  await box.click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await box.and(page.locator('[aria-expanded="false"]')).waitFor()
}

test('settings of the company are saved and take effect; an error is shown at its field and the input is kept', async () => {
  const { company, owner } = await owned()
  await withPage({ user: owner, path: '/settings' }, async (page) => {
    await page.getByLabel('Name').fill('')
    await choose(page, 'Default status for new sales', 'Shipped')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Enter a name.').waitFor()
    await eventually(async () => assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), 'true'))
    await page.getByLabel('Name').fill('Elm & Daughters')
    await page.getByLabel('Allow materials in sales').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Elm & Daughters' }).waitFor()
    await eventually(async () => assert.equal(await page.getByLabel('Allow materials in sales').isChecked(), true))
    await page.getByText('10,000').waitFor()
  })
  const sale = await given.sale(company)
  const { order } = (await company.call('orders/get_entry', { order_id: sale })).body
  assert.equal(order.status, 3)
})

test('a change of currency asks for confirmation: amounts are not converted', async () => {
  const { company, owner } = await owned()
  await given.sale(company)
  await given.sale(company)
  await withPage({ user: owner, path: '/settings' }, async (page) => {
    await page.getByRole('combobox', { name: 'Currency' }).fill('USD')
    await page.getByRole('option', { name: /^USD/ }).click()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Change currency from EUR to USD?').waitFor()
    await dialog.getByText(/^Amounts are not converted.*2 sales, 0 purchases/).waitFor()
    await shot(page, 'settings-currency')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const currency = async () => (await owner.call('settings/get', {})).body.settings.currency
    await eventually(async () => assert.equal(await currency(), 'EUR'))
    await page.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Change currency' }).click()
    await page.getByText('Settings saved').waitFor()
    await eventually(async () => assert.equal(await currency(), 'USD'))
  })
})

test('the first number of sales is set, and the next sale has it', async () => {
  const { owner } = await owned()
  await withPage({ user: owner, path: '/settings' }, async (page) => {
    const field = page.getByLabel('First sale number')
    await field.fill('Order')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Enter a number that ends with a digit, such as 2026-0001.').waitFor()
    await field.fill('2026-0001')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Settings saved').waitFor()
    await page.goto('/sales/new')
    await eventually(async () => assert.equal(await page.getByLabel('Number').inputValue(), '2026-0001'))
  })
})

test('the request log is filtered by the address, shows request and response, and offers a command that runs', async () => {
  const { company, owner } = await owned()
  await company.call('customers/add', { name: "O'Hara & Sons" })
  await company.call('orders/get_entry', { order_id: 12345 })
  await withPage({ user: owner, path: '/settings/requests' }, async (page) => {
    await page.getByRole('link', { name: 'customers/add' }).waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()
    await choose(page, 'Result', 'Failed')
    await page.waitForURL(/outcome=failed/)
    await page.getByRole('link', { name: 'customers/add' }).waitFor({ state: 'detached' })
    await page.goto('/settings/requests?method=customers/add')
    await page.getByRole('link', { name: 'customers/add' }).click()
    assert.deepEqual(JSON.parse(await code(page, 'Request')), { name: "O'Hara & Sons" })
    assert.equal(JSON.parse(await code(page, 'Response')).success, true)
    const again = await inTerminal(await code(page, 'Copy as curl'), company.key)
    assert.equal(again.error, 'Customer with this name already exists', 'the quote is escaped correctly')
  })
})

test('the request log names the fields that a method does not have', async () => {
  const { company, owner } = await owned()
  await company.call('customers/get_list', { limit: 1, updated_affter: '2024-01-01T00:00:00Z', colour: 1 })
  await withPage({ user: owner, path: '/settings/requests' }, async (page) => {
    await page.getByText('Ignored fields: updated_affter, colour').waitFor()
    await page.getByRole('link', { name: 'customers/get_list' }).click()
    await page.getByText('Unknown fields, ignored:').waitFor()
    await page.getByText('updated_affter, colour').waitFor()
  })
})

test('the request log shows that a body was omitted', async () => {
  const { company, owner } = await owned()
  await company.call('customers/add', { name: 'Oak & Sons' })
  await withPage({ user: owner, path: '/settings/requests' }, async (page) => {
    await page.getByRole('link', { name: 'customers/add' }).waitFor()
    await query(
      company.id,
      `update request_log set request = '', answer = '', bodies_left_out = true where company_id = $1`,
      [company.id],
    )
    await page.getByRole('link', { name: 'customers/add' }).click()
    await page.getByText('Not stored: the request log was full that day').first().waitFor()
    await eventually(async () =>
      assert.equal(await page.getByText('Not stored: the request log was full that day').count(), 2),
    )
    assert.equal(await page.getByText('KONTOR_KEY').count(), 0, 'no command that would send an empty request')
  })
})

test('the reference shows examples with the company’s own records that run unchanged', async () => {
  const { company, owner } = await owned()
  await given.material(company, { sku: 'BOARD-9' })
  const product = await given.product(company, { sku: "T-9 'oak'", name: 'Oak table', price: '249' })
  const sale = await given.sale(company, { products: [{ id: product.id, amount: 1, total: 249 }] })
  await add(company, 'suppliers', { name: 'Wood Ltd' })
  const run = async (page: Page, method: string): Promise<{ line: string; answer: { success: boolean } }> => {
    await page.goto(`/settings/reference/${method}`)
    const line = await code(page, 'Example with your data')
    return { line, answer: await inTerminal(line, company.key) }
  }
  await withPage({ user: owner }, async (page) => {
    const entry = await run(page, 'products/edit')
    assert.match(entry.line, new RegExp(`"product_id": ${product.id}\\b`))
    for (const method of [
      'orders/add',
      'purchases/add',
      'products/add',
      'stock/get_movements',
      'transfers/add',
      'units/get_list',
    ]) {
      const { answer } = await run(page, method)
      assert.equal(answer.success, true, `${method}: ${JSON.stringify(answer)}`)
    }
    await page.goto('/settings/reference/orders/get_list')
    const shown = JSON.parse(await code(page, 'Response with your data'))
    assert.ok(shown.orders.some((order: { id: number }) => order.id === sale))
    await page.goto('/settings/reference/audits/get_entry')
    await page.getByText('You have no record for audit_id yet, so a placeholder is shown.').waitFor()
    await page.getByRole('searchbox', { name: 'Find a method' }).fill('write-off')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'writeoffs/add' }).waitFor()
  })
})

test('units, storage locations and categories are created, changed, sorted and deleted, or rejected with a reason', async () => {
  const { company, owner } = await owned()
  await given.product(company)
  await withPage({ user: owner, path: '/settings/units' }, async (page) => {
    await page.getByRole('button', { name: 'pcs', exact: true }).waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Short name').fill('kg')
    await page.getByLabel('Full name').fill('kilogram')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'kg', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Actions for pcs' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('This is in use, so it cannot be deleted.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Actions for kg' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'kg', exact: true }).waitFor({ state: 'detached' })

    await page.goto('/settings/storages')
    await page.getByRole('button', { name: 'New storage location' }).click()
    await page.getByLabel('Name').fill('Showroom')
    await page.getByLabel('Default for products').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Showroom.*Products/ }).waitFor()

    await page.goto('/settings/categories')
    for (const name of ['Tables', 'Chairs']) {
      await page.getByRole('button', { name: 'New category' }).first().click()
      await page.getByLabel('Name').fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name, exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Actions for Tables' }).click()
    await page.getByRole('menuitem', { name: 'New subcategory' }).click()
    await page.getByLabel('Name').fill('Round tables')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Round tables', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Move Chairs up' }).click()
    await page.getByRole('listitem').first().getByText('Chairs').waitFor()
    await page.reload()
    await page.getByRole('listitem').first().waitFor()
    const names = await page.getByRole('listitem').evaluateAll((rows) => rows.map((row) => row.textContent))
    assert.deepEqual(names, ['Chairs', 'Tables', 'Round tables'])
  })
})

test('a user joins by a link; the last owner cannot be removed; a removed user is signed out', async () => {
  const { owner } = await owned()
  await withPage({ user: owner, path: '/settings/users' }, async (page) => {
    await page.getByRole('button', { name: 'Invite' }).click()
    const email = `mona-${owner.id}-${Date.now()}@example.com`
    await page.getByLabel('E-mail').fill(email)
    await choose(page, 'Role', 'Worker')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const link = await code(page, 'Link')
    const text = await page.getByRole('region', { name: 'Link' }).boundingBox()
    const copy = await page.getByRole('button', { name: 'Copy' }).boundingBox()
    assert.ok(text && copy && text.x + text.width <= copy.x, 'the button does not cover the link')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText(email).waitFor()
    await withPage({ path: new URL(link).pathname }, async (guest) => {
      await guest.getByText(`You were invited with ${email}. Your role: Worker.`).waitFor()
      await assertAccessible(guest)
      await guest.getByLabel('Your name').fill('Mona')
      await guest.getByRole('textbox', { name: 'Password' }).fill(password)
      await guest.getByRole('button', { name: 'Join' }).click()
      await guest.getByRole('navigation', { name: 'Main navigation' }).waitFor()
      await page.reload()
      await page.getByText('No open invitations.').waitFor()
      await choose(page, 'Role of Mona', 'Manager')
      await page.getByText('Role of Mona changed to Manager').waitFor()
      await choose(page, 'Role of Some owner', 'Worker')
      await page.getByText('A company needs at least one owner').waitFor()
      await page.getByRole('button', { name: 'Actions for Mona' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('Mona removed').waitFor()
      await guest.goto('/settings/profile')
      await guest.waitForURL(/\/sign-in/)
    })
  })
})

test('a password is changed with the current password', async () => {
  const { owner } = await owned()
  await withPage({ user: owner, path: '/settings/profile' }, async (page) => {
    const fill = async (present: string, next: string, again: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Current password' }).fill(present)
      await page.getByRole('textbox', { name: 'New password', exact: true }).fill(next)
      await page.getByRole('textbox', { name: 'Repeat new password' }).fill(again)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    await fill(password, 'another long password', 'another long passwort')
    await page.getByText('The passwords do not match.').waitFor()
    await fill('not the password', 'another long password', 'another long password')
    await page.getByText('Wrong password. Try again.').waitFor()
    await fill(password, 'short', 'short')
    await page.getByText('Enter at least 10 characters.').waitFor()
    await fill(password, 'password123', 'password123')
    const tooCommon = /This password is easy to guess. Choose another./
    await page.getByText(tooCommon).waitFor()
    await eventually(async () =>
      assert.match(await describedBy(page.getByRole('textbox', { name: 'New password', exact: true })), tooCommon),
    )
    await fill(password, 'another long password', 'another long password')
    await page.getByText('Password changed.').waitFor()
  })
  const signIn = (word: string) =>
    send('/screens/session/sign_in', {
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify({ email: owner.email, password: word }),
    })
  assert.equal((await signIn(password)).status, 400)
  assert.equal((await signIn('another long password')).status, 200)
})

test('a worker sees the company and their own profile, read-only', async () => {
  const { company } = await owned()
  const worker = await given.user(company, 'worker')
  await withPage({ user: worker, path: '/settings' }, async (page) => {
    await page.getByText('Only an owner can change these settings.').waitFor()
    assert.equal(await page.locator('main').getByRole('textbox').count(), 0)
    const places = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await eventually(async () => assert.deepEqual(await places.allInnerTexts(), ['Company', 'Your profile']))
    await page.goto('/settings/integrations')
    await page.getByText('Your role does not allow this. An owner of the company can change your role.').waitFor()
  })
})

const places = [
  '/settings',
  '/settings/integrations',
  '/settings/requests',
  '/settings/reference',
  '/settings/reference/orders/add',
  '/settings/taxes',
  '/settings/units',
  '/settings/categories',
  '/settings/storages',
  '/settings/users',
  '/settings/profile',
]

test('every screen of the settings is accessible and fits, in dark mode at 390 px', async () => {
  const { company, owner } = await owned()
  await company.call('categories/add', { name: 'Tables', type: 'products' })
  await company.call('orders/get_entry', { order_id: 1 })
  await withPage({ user: owner, scheme: 'dark', width: 390 }, async (page) => {
    for (const path of places) {
      await page.goto(path)
      await pageLoaded(page)
      await assertNoOverflow(page)
      await assertAccessible(page)
    }
  })
})

test('a connection is replaced by another, which takes over its external ids', async () => {
  const { company, owner } = await owned()
  await add(company, 'customers', { name: 'Ann', external_id: 'a' })
  const fresh = await given.otherConnection(company)
  await withPage({ user: owner, path: '/settings/integrations' }, async (page) => {
    const panel = page.getByRole('region', { name: 'General API connection' })
    await panel.getByRole('button', { name: 'Replace connection' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByText('General API connection replaced').waitFor()
    await panel.getByRole('button', { name: 'Create key' }).waitFor()
  })
  assert.equal((await company.call('units/get_list')).status, 401)
  const { body } = await fresh.call('customers/get_entry', { external_id: 'a' })
  assert.equal(body.customer.name, 'Ann')
})
