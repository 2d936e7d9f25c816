// One person in several companies: the switch in the navigation, on a large screen and on a phone, and joining another company.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { query } from '../../server/test/harness/database.ts'
import { type Company, given } from '../../server/test/harness/given.ts'
import { messages as german } from '../src/messages/de.ts'
import { messages as russian } from '../src/messages/ru.ts'
import { assertAccessible, assertNoOverflow, shot, withPage } from './harness.ts'
import { password } from './settings-steps.ts'

async function twoCompanies(): Promise<{ oak: Company; pine: Company; email: string }> {
  const [oak, pine] = [await given.company({ name: 'Oak Workshop' }), await given.company({ name: 'Pine & Sons' })]
  const email = `anna-${randomUUID()}@example.com`
  for (const company of [oak, pine]) await given.user(company, 'owner', password, email)
  return { oak, pine, email }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const menuOf = (page: Page, company: string) => page.getByRole('button', { name: `${company} Kontor Your companies` })

/** Which company is opened first depends on the order of their ids. */
async function openedFirst(page: Page): Promise<readonly [string, string]> {
  await page.getByRole('button', { name: /Your companies$/ }).waitFor()
  return (await menuOf(page, 'Oak Workshop').count()) > 0
    ? ['Oak Workshop', 'Pine & Sons']
    : ['Pine & Sons', 'Oak Workshop']
}

test('signed in to both by one password, the person switches; unsaved changes are asked about, and other tabs follow', async () => {
  const { email } = await twoCompanies()
  await withPage({ path: '/sign-in' }, async (page) => {
    await signIn(page, email)
    const [first, second] = await openedFirst(page)
    await menuOf(page, first).click()
    await page.getByRole('menuitem', { name: second }).waitFor()
    await assertAccessible(page)
    await assertNoOverflow(page)
    await shot(page, 'companies')
    assert.equal(await page.getByRole('menuitem', { name: first }).getAttribute('aria-current'), 'true')
    await page.getByRole('menuitem', { name: second }).click()
    await menuOf(page, second).waitFor()
    assert.equal(new URL(page.url()).pathname, '/')

    const tab = await page.context().newPage()
    await tab.goto('/customers/new')
    await tab.getByRole('textbox', { name: 'Name', exact: true }).fill('Not saved')
    await menuOf(tab, second).click()
    await tab.getByRole('menuitem', { name: first }).click()
    await tab.getByRole('button', { name: 'Stay' }).click()
    await menuOf(tab, second).waitFor()
    await menuOf(tab, second).click()
    await tab.getByRole('menuitem', { name: first }).click()
    await tab.getByRole('button', { name: 'Discard and leave' }).click()
    await menuOf(tab, first).waitFor()
    await tab.close()
    // The page of the former company reloads with its next request.
    await page.getByRole('link', { name: 'Sales' }).first().click()
    await menuOf(page, first).waitFor()
  })
})

test('on a phone the switch is in the menu', async () => {
  const { email } = await twoCompanies()
  await withPage({ path: '/sign-in', width: 390, height: 844 }, async (page) => {
    await signIn(page, email)
    await page.getByRole('button', { name: 'More' }).click()
    const [first, second] = await openedFirst(page)
    await menuOf(page, first).click()
    await page.getByRole('menuitem', { name: second }).waitFor()
    await assertAccessible(page)
    await assertNoOverflow(page)
    await shot(page, 'companies-phone')
    await page.getByRole('menuitem', { name: second }).click()
    await page.getByRole('heading', { name: /^Good / }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await menuOf(page, second).waitFor()
  })
})

test('a user of one company joins another with its own password, and is then in both', async () => {
  const [oak, pine] = [await given.company({ name: 'Oak Workshop' }), await given.company({ name: 'Pine & Sons' })]
  const user = await given.user(oak, 'worker', password)
  const invited = await (await given.user(pine)).call('users/invite', { email: user.email, role: 'manager' })
  await withPage({ user, path: `/invitation/${invited.body.token}` }, async (page) => {
    await page.getByText('It is your password for Pine & Sons.').waitFor()
    await assertAccessible(page)
    await shot(page, 'invitation-another-company')
    await page.getByLabel('Your name').fill('Anna')
    await page.getByRole('textbox', { name: 'Password' }).fill('another long password')
    await page.getByRole('button', { name: 'Join' }).click()
    await menuOf(page, 'Pine & Sons').click()
    await page.getByRole('menuitem', { name: 'Oak Workshop' }).click()
    await menuOf(page, 'Oak Workshop').waitFor()
    // The session there has ended meanwhile.
    const users = await (await given.user(pine)).call('users/get_list')
    const { id } = users.body.users.find((one: { email: string }) => one.email === user.email)
    await menuOf(page, 'Oak Workshop').click()
    await page.getByRole('menuitem', { name: 'Pine & Sons' }).waitFor()
    await (await given.user(pine)).call('users/end_sessions', { user_id: id })
    await page.getByRole('menuitem', { name: 'Pine & Sons' }).click()
    await page.getByText('You are no longer signed in to this company.').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Stay in this company' }).click()
    await menuOf(page, 'Oak Workshop').click()
    await page.getByRole('menuitem', { name: 'Sign in to another company' }).click()
    await page.getByRole('heading', { name: 'Sign in to Kontor' }).waitFor()
  })
})

test('the page to set up a second factor has the switch, as the way back', async () => {
  const { oak, pine, email } = await twoCompanies()
  await withPage({ path: '/sign-in' }, async (page) => {
    await signIn(page, email)
    const [first, second] = await openedFirst(page)
    const required = first === 'Oak Workshop' ? oak : pine
    await query(required.id, 'update companies set requires_second_factor = true where company_id = $1', [required.id])
    await page.reload()
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await assertAccessible(page)
    await shot(page, 'second-factor-required-companies')
    await menuOf(page, first).click()
    await page.getByRole('menuitem', { name: second }).click()
    await page.getByRole('heading', { name: /^Good / }).waitFor()
    await menuOf(page, second).waitFor()
  })
})

test('in German and Russian', async () => {
  const { email } = await twoCompanies()
  for (const [locale, messages] of [
    ['de-DE', german],
    ['ru-RU', russian],
  ] as const)
    await withPage({ path: '/sign-in', locale, width: 390, height: 844 }, async (page) => {
      await page.getByLabel(messages.access.email).fill(email)
      await page.getByRole('textbox', { name: messages.access.password }).fill(password)
      await page.getByRole('button', { name: messages.access.signIn, exact: true }).click()
      await page.getByRole('button', { name: messages.frame.more }).click()
      await page.getByRole('button', { name: messages.frame.companies.title }).click()
      await page.getByRole('menuitem', { name: messages.frame.companies.another }).waitFor()
      await assertAccessible(page)
      await assertNoOverflow(page)
      await shot(page, `companies-phone-${locale.slice(0, 2)}`)
    })
})
