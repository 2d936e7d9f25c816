// Signing up, signing out, and being redirected to the requested page after signing in.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertAccessible, assertNoOverflow, describedBy, eventually, withPage } from './harness.ts'

const tooCommon = /This password is easy to guess. Choose another./

test('a new user signs up a company, signs out, and signs in to the requested page', async () => {
  await withPage({ path: '/sales' }, async (page) => {
    await page.waitForURL(/\/sign-in\?next=%2Fsales$/)
    await assertAccessible(page)
    await assertNoOverflow(page)
    const email = `anna-${randomUUID()}@example.com`
    const password = 'a long enough password'
    await page.goto('/sign-up')
    await page.getByLabel('Company').fill('Oak & Sons')
    await page.getByLabel('Your name').fill('Anna')
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill('password123')
    await page.getByRole('button', { name: 'Create company' }).click()
    await page.getByText(tooCommon).waitFor()
    await eventually(async () =>
      assert.match(await describedBy(page.getByRole('textbox', { name: 'Password' })), tooCommon),
    )
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create company' }).click()
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in$/)
    await page.goto('/sales?cut=all')
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill('something else')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Wrong e-mail or password. Try again.').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
    assert.equal(new URL(page.url()).search, '?cut=all')
  })
})
