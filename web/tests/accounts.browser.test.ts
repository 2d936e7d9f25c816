// With an SMTP server: signing up with the link of a mail, setting a forgotten password anew, and what the profile and the settings show of it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { startServer } from '../../server/test/harness/app.ts'
import { linkOf, MailServer } from '../../server/test/harness/mail-server.ts'
import { assertAccessible, assertNoOverflow, fromNewAddress, shot } from './harness.ts'

const mails = await MailServer.start()
let chrome: Promise<Browser> | undefined
after(async () => {
  await (await chrome)?.close()
  await mails.stop()
})

async function newPage(baseURL: string): Promise<Page> {
  chrome ??= chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const context = await (await chrome).newContext({
    baseURL,
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    ...fromNewAddress(),
  })
  context.setDefaultTimeout(20_000)
  return await context.newPage()
}

async function openLink(page: Page, email: string, count: number): Promise<void> {
  const mail = (await mails.waitFor(email, count))[count - 1]
  assert.ok(mail)
  await page.goto(linkOf(mail))
}

const signIn = async (page: Page, email: string, password: string): Promise<void> => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const isIn = (page: Page): Promise<void> => page.getByRole('navigation', { name: 'Main navigation' }).waitFor()

test('a company signs up by mail, its owner forgets the password, and sees where they are signed in', async () => {
  // The port must be known before the server starts: use one that was free just before.
  const before = await startServer()
  const { port } = new URL(before.url)
  await before.stop()
  const origin = `http://localhost:${port}`
  const server = await startServer(
    mails.env({ WEB_DIR: process.env['WEB_DIR'] ?? '', PORT: port, PUBLIC_ORIGIN: origin }),
  )
  const email = `anna-${randomUUID()}@example.com`
  const page = await newPage(origin)
  try {
    await page.goto('/sign-up')
    await page.getByLabel('Company').fill('Oak & Sons')
    await page.getByLabel('Your name').fill('Anna')
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await page.getByRole('button', { name: 'Create company' }).click()
    await page.getByText(`We have sent a mail to ${email}.`).waitFor()
    await assertAccessible(page)
    await shot(page, 'sign-up-mailed')
    await openLink(page, email, 1)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create company' }).click()
    await isIn(page)
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in$/)

    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await assertAccessible(page)
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('The link works for 30 minutes.').waitFor()
    await openLink(page, email, 2)
    await page.getByRole('textbox', { name: 'New password' }).fill('password1234')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('This password is easy to guess.').waitFor()
    await page.getByRole('textbox', { name: 'New password' }).fill('a better password')
    await assertAccessible(page)
    await assertNoOverflow(page)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your password is set').waitFor()
    await openLink(page, email, 2)
    await page.getByRole('textbox', { name: 'New password' }).fill('yet another password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('This link no longer works').waitFor()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await signIn(page, email, 'a better password')
    await isIn(page)

    const other = await newPage(origin)
    await other.goto('/sign-in')
    await signIn(other, email, 'a better password')
    await isIn(other)
    await page.goto('/settings/profile')
    await page.getByText('(this browser)').waitFor()
    await assertAccessible(page)
    await shot(page, 'profile-sessions')
    await page.getByRole('button', { name: 'Sign out: Chrome, Linux' }).click()
    await page.getByText('Signed out: Chrome, Linux').waitFor()
    await other.goto('/sales')
    await other.waitForURL(/\/sign-in/)

    await page.goto('/settings/security')
    await page.getByText('Password set by mail').first().waitFor()
    await page.getByText('Sessions ended').first().waitFor()
    await assertAccessible(page)
    await assertNoOverflow(page)
    await shot(page, 'settings-security')
  } finally {
    await server.stop()
  }
})
