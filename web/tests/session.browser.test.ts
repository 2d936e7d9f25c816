// A session that expires on a phone, one replaced by another user's, and one that the browser does not store.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { startServer } from '../../server/test/harness/app.ts'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertValue, fromNewAddress, shot, withPage } from './harness.ts'
import { expire, signIn } from './session-steps.ts'
import { password } from './settings-steps.ts'
import { saleOf, shop, sold } from './shop.ts'

test('on a phone too; an idle page also shows the dialog', async () => {
  const its = await shop()
  const user = await given.user(its.company, 'manager', password)
  await withPage({ user, path: '/sales/new', width: 390, height: 844 }, async (page) => {
    await page.getByLabel('Notes').fill('Ring twice')
    await expire(its.company.id, user)
    await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor()
    await shot(page, 'sign-in-again-phone')
    await signIn(page)
    await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor({ state: 'detached' })
    await assertValue(page.getByLabel('Notes'), 'Ring twice')
  })
})

test('a user of another company signs in to the dialog: nothing is written, and the page reloads', async () => {
  const its = await shop()
  const id = await sold(its)
  const user = await given.user(its.company, 'manager', password)
  const elsewhere = await shop()
  const theirs = await sold(elsewhere)
  const otherUser = await given.user(elsewhere.company, 'owner', password)
  assert.equal(id, theirs, 'ids are assigned per company')
  await withPage({ user, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Notes').fill('For one company only')
    await expire(its.company.id, user)
    await page.keyboard.press('Control+Enter')
    await signIn(page, otherUser.email)
    await page.getByRole('heading', { name: /^Good / }).waitFor()
    assert.equal((await saleOf(elsewhere, theirs)).order.notes, '')
    assert.equal((await saleOf(its, id)).order.notes, '')
  })
})

test('another tab signs in a user of another company: saving in this tab does not write to that company', async () => {
  const its = await shop()
  const id = await sold(its)
  const elsewhere = await shop()
  await sold(elsewhere)
  await withPage({ user: its.owner, path: `/sales/${id}` }, async (page) => {
    await page.getByLabel('Notes').fill('For one company only')
    const [name = '', value = ''] = elsewhere.owner.cookie.split('=')
    const { hostname } = new URL(page.url())
    await page.context().addCookies([{ name, value, domain: hostname, path: '/', secure: true, httpOnly: true }])
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: /^Good / }).waitFor()
    assert.equal((await saleOf(elsewhere, id)).order.notes, '')
    assert.equal((await saleOf(its, id)).order.notes, '')
  })
})

let lan: Promise<Browser> | undefined
after(async () => {
  await (await lan)?.close()
})

/** A page at a local network name that resolves to this machine. */
async function pageOnLan(origin: string): Promise<Page> {
  lan ??= chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--host-resolver-rules=MAP workshop.lan 127.0.0.1'],
  })
  const context = await (await lan).newContext({
    baseURL: origin,
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    ...fromNewAddress(),
  })
  context.setDefaultTimeout(20_000)
  return await context.newPage()
}

async function signUp(page: Page): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('Company').fill('Oak & Sons')
  await page.getByLabel('Your name').fill('Anna')
  await page.getByLabel('E-mail').fill(`anna-${randomUUID()}@example.com`)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Create company' }).click()
}

test('over plain HTTP at a network name the page explains why the user is not signed in, and what to do', async () => {
  const server = await startServer({ WEB_DIR: process.env['WEB_DIR'] ?? '' })
  try {
    const { port } = new URL(server.url)
    const page = await pageOnLan(`http://workshop.lan:${port}`)
    assert.equal(await page.goto('/sign-in').then(() => page.evaluate(() => isSecureContext)), false)
    await signUp(page)
    const notice = page.getByRole('alert').filter({ hasText: 'Your browser did not save the sign-in' })
    await notice.waitFor()
    await assertAccessible(page)
    await shot(page, 'sign-in-plain-http')
    const text = await notice.innerText()
    for (const part of [
      `http://workshop.lan:${port}`,
      `http://localhost:${port}`,
      'https://workshop.lan',
      'PUBLIC_ORIGIN=',
    ])
      assert.ok(text.includes(part), part)
    await page.context().close()
  } finally {
    await server.stop()
  }
})

test('with that address as PUBLIC_ORIGIN it works, as the page explains', async () => {
  // The port must be known before the server starts: use one that was free just before.
  const before = await startServer()
  const { port } = new URL(before.url)
  await before.stop()
  const origin = `http://workshop.lan:${port}`
  const server = await startServer({ WEB_DIR: process.env['WEB_DIR'] ?? '', PORT: port, PUBLIC_ORIGIN: origin })
  try {
    const page = await pageOnLan(origin)
    await signUp(page)
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await page.context().close()
  } finally {
    await server.stop()
  }
})
