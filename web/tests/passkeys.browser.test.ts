// Passkeys in a browser, with Chromium's virtual authenticator: added in the profile, used to sign in without a password, and to confirm.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../demo/ports.ts'
import { startServer } from '../../server/test/harness/app.ts'
import { query } from '../../server/test/harness/database.ts'
import { assertAccessible, shot, withPage } from './harness.ts'
import { owned } from './settings-steps.ts'

async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is added in the profile, confirms who the user is, and signs in without a password', async () => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = await startServer({ PUBLIC_ORIGIN: origin, PORT: String(port) })
  try {
    const { company, owner } = await owned()
    await withPage({}, async (page) => {
      await addAuthenticator(page)
      // Over HTTP, which PUBLIC_ORIGIN names, cookies have no prefix.
      const value = owner.cookie.slice(owner.cookie.indexOf('=') + 1)
      await page.context().addCookies([{ name: 'kontor_session', value, url: origin, httpOnly: true }])
      await page.goto(`${origin}/settings/profile`)
      await page.getByRole('button', { name: 'Add passkey' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add passkey' })
      await dialog.getByLabel('Name').fill('Laptop')
      await dialog.getByRole('button', { name: 'Continue' }).click()
      const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
      await codes.getByRole('button', { name: 'I have saved them' }).click()
      await page.getByText('Not used yet').waitFor()
      await assertAccessible(page)
      await shot(page, 'passkeys')

      const old = `update sessions set authenticated_at = now() - interval '1 hour' where company_id = $1`
      await query(company.id, old, [company.id])
      await page.getByRole('button', { name: 'New recovery codes' }).click()
      const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
      await confirm.getByRole('button', { name: 'Use a passkey' }).click()
      await codes.getByRole('button', { name: 'I have saved them' }).click()

      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
      await assertAccessible(page)
      await shot(page, 'sign-in-passkey')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('button', { name: 'Your account' }).waitFor()
      await page.goto(`${origin}/settings/profile`)
      await page.getByText(/^Last used/).waitFor()
    })
    const [row] = await query(company.id, 'select rp_id, counter::int from passkeys where company_id = $1', [
      company.id,
    ])
    assert.equal(row.rp_id, 'localhost')
    assert.ok(row.counter >= 2)
  } finally {
    await server.stop()
  }
})
