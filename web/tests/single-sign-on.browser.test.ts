// Single sign-on in a browser: an owner sets it up, and a user signs in on the pages of a real identity provider.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../demo/ports.ts'
import { startServer } from '../../server/test/harness/app.ts'
import { given } from '../../server/test/harness/given.ts'
import { startProvider } from '../../server/test/harness/real-provider.ts'
import { assertAccessible, shot, withPage } from './harness.ts'
import { owned } from './settings-steps.ts'

async function signInThere(page: Page, email: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(email)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('an owner sets up single sign-on, and a user signs in at the provider', async () => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const provider = await startProvider(origin)
  const server = await startServer({ PUBLIC_ORIGIN: origin, PORT: String(port) })
  try {
    const { company, owner } = await owned()
    const worker = await given.user(company, 'worker')
    let address = ''
    await withPage({}, async (page) => {
      const value = owner.cookie.slice(owner.cookie.indexOf('=') + 1)
      await page.context().addCookies([{ name: 'kontor_session', value, url: origin, httpOnly: true }])
      await page.goto(`${origin}/settings/single-sign-on`)
      await page.getByText(`${origin}/sign-in/return`).waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Set up single sign-on' }).click()
      const dialog = page.getByRole('dialog', { name: 'Identity provider' })
      const { name, issuer, client_id: clientId, client_secret: secret } = provider.settings
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByLabel('Issuer').fill(issuer)
      await dialog.getByLabel('Client ID').fill(clientId)
      await dialog.getByLabel('Client secret').fill(secret)
      await shot(page, 'single-sign-on-dialog')
      await dialog.getByRole('button', { name: 'Save' }).click()
      const shown = page.getByText(`${origin}/sign-in/with/`)
      address = (await shown.textContent()) ?? ''
      await assertAccessible(page)
      await shot(page, 'single-sign-on')
    })
    await withPage({}, async (page) => {
      await page.goto(address)
      await page.getByRole('button', { name: 'Continue' }).waitFor()
      await assertAccessible(page)
      await shot(page, 'sign-in-with')
      await page.getByRole('button', { name: 'Continue' }).click()
      await signInThere(page, worker.email)
      await page.getByRole('button', { name: 'Your account' }).waitFor()
      // An answer is used once; the page offers to begin anew.
      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in with Oak ID' }).click()
      await page.getByRole('button', { name: 'Your account' }).waitFor()
      await page.goto(`${origin}/sign-in/return?code=x&state=y`)
      await page.getByText('This sign-in was not begun in this tab').waitFor()
      await assertAccessible(page)
      await shot(page, 'sign-in-return')
      assert.equal(await page.getByRole('button', { name: 'Sign in again' }).count(), 1)
    })
  } finally {
    provider.stop()
    await server.stop()
  }
})
