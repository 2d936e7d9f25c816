// The second factor on the screens: set up in the profile, used to sign in, and asked for again before an action that requires a fresh sign-in.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { AuthenticatorApp, forgetUsedCodes, withAuthenticator } from '../../server/test/harness/authenticator.ts'
import { query } from '../../server/test/harness/database.ts'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, shot, withPage } from './harness.ts'
import { code, owned, password } from './settings-steps.ts'

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

test('a user sets up an authenticator app, confirms who they are, and signs in with it', async () => {
  const { company, owner } = await owned()
  await withPage({ user: owner, path: '/settings/profile' }, async (page) => {
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    const setUp = dialogOf(page, 'Set up authenticator app')
    await setUp.getByRole('img', { name: 'QR code with the key' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'authenticator-app')
    const app = new AuthenticatorApp((await code(page, 'Key')).replaceAll(' ', ''))
    await setUp.getByLabel('Code that the app shows').fill(app.wrongCode())
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    await setUp.getByText('Wrong code. Each code works only once.').waitFor()
    await setUp.getByLabel('Code that the app shows').fill(app.code())
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    const shown = dialogOf(page, 'Your recovery codes')
    await shown.waitFor()
    const codes = (await code(page, 'Recovery codes')).split('\n')
    assert.equal(codes.length, 10)
    await shown.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('Recovery codes left: 10').waitFor()

    // An hour later.
    await forgetUsedCodes(company)
    const old = `update sessions set authenticated_at = now() - interval '1 hour' where company_id = $1`
    await query(company.id, old, [company.id])
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    const confirm = dialogOf(page, 'Confirm that it is you')
    await confirm.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Confirm that it is you to continue.').waitFor()
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await assertAccessible(page)
    await shot(page, 'confirm-identity')
    await confirm.getByRole('textbox', { name: 'Password' }).fill(password)
    await confirm.getByLabel('Code').fill(app.code())
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await shown.waitFor()
    const [first = ''] = (await code(page, 'Recovery codes')).split('\n')
    assert.ok(!codes.includes(first))
    await shown.getByRole('button', { name: 'I have saved them' }).click()

    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'sign-in-second-factor')
    await page.getByLabel('Code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Wrong code. Each code works only once.').waitFor()
    await page.getByLabel('Code').fill(first)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').first().waitFor()
    await page.getByRole('heading', { name: 'Second factor' }).waitFor({ state: 'detached' })
  })
})

test('a session that has expired is continued with password and second factor', async () => {
  const { company, owner } = await owned()
  const { app } = await withAuthenticator(company, owner)
  await withPage({ user: owner, path: '/settings/profile' }, async (page) => {
    await page.getByText('Recovery codes left: 10').waitFor()
    await query(company.id, 'delete from sessions where company_id = $1', [company.id])
    const dialog = dialogOf(page, 'Sign in to continue')
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByLabel('Code').fill(app.code())
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
  })
})

test('a user of a company that requires a second factor sets one up before anything else', async () => {
  const { company } = await owned()
  const user = await given.user(company, 'worker', password)
  await withPage({ user, path: '/sales' }, async (page) => {
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
    // Required while the page is open: the next request leads there.
    await query(company.id, 'update companies set requires_second_factor = true where company_id = $1', [company.id])
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'second-factor-required')
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    const setUp = dialogOf(page, 'Set up authenticator app')
    await setUp.waitFor()
    const app = new AuthenticatorApp((await code(page, 'Key')).replaceAll(' ', ''))
    await setUp.getByLabel('Code that the app shows').fill(app.code())
    await setUp.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
  })
})
