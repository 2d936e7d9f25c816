// The whole way of a quote: made and sent in the screens, opened and accepted by the customer without an account, and then a sale.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startServer } from '../../server/test/harness/app.ts'
import { given } from '../../server/test/harness/given.ts'
import { linkOf, MailServer } from '../../server/test/harness/mail-server.ts'
import { textOf } from '../../server/test/harness/pdf-text.ts'
import { quoted } from '../../server/test/harness/quotes.ts'
import { shown } from '../../server/test/harness/screens.ts'
import { assertAccessible, assertNoOverflow, assertValue, shot, withPage } from './harness.ts'
import { shop } from './shop.ts'

const mails = await MailServer.start()
after(() => mails.stop())

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

test('a quote is made, sent, accepted by the customer on a phone, and becomes a sale', async () => {
  const place = await shop({ materials_in_sales: false })
  const { owner, company } = place
  await given.customer(company, { name: 'Berta Blum', email: 'berta@example.com' })
  await shown(owner, 'company/edit_details', { legal_name: 'Oak & Sons Ltd', address: 'Oak Lane 1', country: 'GB' })
  let link = ''
  await withPage({ user: owner, path: '/sales' }, async (page) => {
    await page.getByRole('link', { name: 'Quotes', exact: true }).click()
    await page.getByText('No quotes yet. Create the first one.').waitFor()
    await page.getByRole('link', { name: 'New quote' }).first().click()
    await page.getByRole('combobox', { name: 'Customer' }).fill('Berta')
    await page.getByRole('option', { name: /Berta Blum/ }).click()
    await page.getByPlaceholder(/^Add a line/).fill('TABLE')
    await page.getByRole('option', { name: /Oak table/ }).click()
    await field(page, 'Note for the customer').fill('Oiled twice.')
    await assertAccessible(page)
    await shot(page, 'quote-new')
    await page.getByRole('button', { name: 'Create quote' }).click()
    await page.getByRole('heading', { name: 'Quote Q-1' }).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const text = await dialog.innerText()
    link = /http\S+\/q\/\S+/.exec(text)?.[0] ?? ''
    assert.ok(link !== '', text)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Sent', { exact: true }).first().waitFor()
    await assertAccessible(page)
    await shot(page, 'quote-sent')
    await assertNoOverflow(page)
  })

  await withPage({ path: new URL(link).pathname, width: 390 }, async (page) => {
    await page.getByRole('heading', { name: 'Quote Q-1' }).waitFor()
    const content = await page.getByRole('main').innerText()
    for (const one of ['Oak & Sons Ltd', 'Oak Lane 1', 'Berta Blum', 'Oak table', '€120.00', 'Oiled twice.'])
      assert.ok(content.includes(one), `${one} is missing in:\n${content}`)
    await assertAccessible(page)
    await assertNoOverflow(page)
    await shot(page, 'quote-shared-phone')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download PDF' }).click()
    const file = await download
    assert.equal(file.suggestedFilename(), 'Quote Q-1.pdf')
    assert.ok(textOf(readFileSync(await file.path())).includes('€120.00'))
    await page.getByRole('button', { name: 'Accept quote' }).click()
    await page.getByText('Enter your name.').waitFor()
    await field(page, 'Your name').fill('Berta B.')
    await page.getByRole('button', { name: 'Accept quote' }).click()
    await page.getByText('This quote is accepted. Thank you!').waitFor()
    await page.reload()
    await page.getByText(/^Berta B\., /).waitFor()
  })

  await withPage({ user: owner, path: '/quotes?cut=accepted', width: 390 }, async (page) => {
    await page.getByRole('link', { name: 'Q-1' }).first().click()
    await page.getByText(/Accepted by Berta B\./).waitFor()
    await page.getByText('Opened: 2').waitFor()
    await shot(page, 'quote-accepted-phone')
    await assertNoOverflow(page)
    await page.getByRole('link', { name: 'Sale 1' }).click()
    await page.getByRole('heading', { name: 'Sale 1' }).waitFor()
    await page.getByRole('link', { name: 'From quote Q-1' }).waitFor()
    await page.getByRole('link', { name: 'Berta Blum' }).first().click()
    await page.getByRole('link', { name: 'New quote' }).click()
    await page.getByRole('heading', { name: 'New quote' }).waitFor()
    await assertValue(page.getByRole('combobox', { name: 'Customer' }), 'Berta Blum')
  })
})

test('the page of a link is in the language of the documents, and says so when the link was revoked', async () => {
  const { user, company, send } = await quoted()
  const owner = await given.user(company)
  await shown(owner, 'company/edit_details', { document_language: 'de' })
  const { id, token } = await send()
  await withPage({ path: `/q/${token}`, width: 1280 }, async (page) => {
    await page.getByRole('heading', { name: 'Angebot Q-1' }).waitFor()
    await page.getByText('30,30').first().waitFor()
    await shot(page, 'quote-shared-de')
    await page.getByRole('button', { name: 'Ablehnen' }).click()
    await page.getByRole('button', { name: 'Angebot ablehnen' }).click()
    await page.getByText('Dieses Angebot ist abgelehnt.').waitFor()
    await shown(user, 'quotes/revoke', { quote_id: id })
    await page.reload()
    await page.getByText('This link was revoked. Ask for a new one.').waitFor()
    const content = await page.getByRole('main').innerText()
    assert.ok(!content.includes('Oak table'))
  })
})

test('a quote shows its tax to the company and to the customer', async () => {
  const { user, company, customer, add } = await quoted()
  const owner = await given.user(company)
  await shown(owner, 'tax_rates/add', { name: 'VAT', percent: 19 })
  const id = await add()
  const totals = (page: Page) => page.locator('dl').filter({ hasText: 'Total with tax' })
  await withPage({ user, path: `/quotes/${id}` }, async (page) => {
    await totals(page).getByText('Plus VAT 19%').waitFor()
    await totals(page).getByText('€36.06').waitFor()
    await field(page, 'Discount').fill('0.30')
    await page.getByText('Tax is computed when you save.').waitFor()
    assert.equal(await page.getByText('€36.06').count(), 0)
    await page.keyboard.press('Control+Enter')
    await totals(page).getByText('€35.70').waitFor()
    await assertAccessible(page)
    await shot(page, 'quote-tax')
    await shown(owner, 'customers/edit', {
      customer_id: customer,
      tax_treatment: 'reverse_charge',
      tax_reason: 'Art. 196',
    })
    await page.reload()
    await page.getByText('Reverse charge').waitFor()
    await page.getByText('Art. 196').waitFor()
    await shown(owner, 'customers/edit', { customer_id: customer, tax_treatment: '' })
    await page.goto('/quotes/new')
    await page.getByText('Tax is computed when you save.').waitFor()
  })
  const { token } = await shown(user, 'quotes/send', { quote_id: id })
  await withPage({ path: `/q/${token}`, width: 390 }, async (page) => {
    await totals(page).getByText('Plus VAT 19%').waitFor()
    await totals(page).getByText('€35.70').waitFor()
    await assertAccessible(page)
    await assertNoOverflow(page)
    await shot(page, 'quote-shared-tax-phone')
  })
  await shown(owner, 'settings/edit', { prices_include_tax: 1 })
  const included = (await shown(user, 'quotes/send', { quote_id: await add() })).token
  await withPage({ path: `/q/${included}` }, async (page) => {
    await page.getByText('Includes VAT 19%').waitFor()
    await page.getByText('Without tax').waitFor()
    assert.equal(await page.getByText('Total with tax').count(), 0)
  })
})

test('a server that sends mails sends a quote to the customer', async () => {
  const { company, user, customer, add } = await quoted()
  const password = 'a long password of Mia'
  const { email } = await given.user(company, 'manager', password)
  await shown(user, 'customers/edit', { customer_id: customer, email: 'ada@beech.example' })
  const id = await add()
  // The port must be known before the server starts: use one that was free just before.
  const before = await startServer()
  const { port } = new URL(before.url)
  await before.stop()
  const origin = `http://localhost:${port}`
  const server = await startServer(
    mails.env({ WEB_DIR: process.env['WEB_DIR'] ?? '', PORT: port, PUBLIC_ORIGIN: origin }),
  )
  try {
    await withPage({ path: `${origin}/sign-in` }, async (page) => {
      await page.getByLabel('E-mail').fill(email)
      await field(page, 'Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
      await page.goto(`${origin}/quotes/${id}`)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await assertValue(dialog.getByLabel('E-mail of the customer'), 'ada@beech.example')
      await dialog.getByLabel('E-mail of the customer').fill('ada@oak.example')
      await assertAccessible(page)
      await shot(page, 'quote-mail')
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText('Quote Q-1 is sent to ada@oak.example').waitFor()
      const [mail] = await mails.waitFor('ada@oak.example')
      assert.ok(mail)
      await page.getByText('Mail to ada@oak.example:').waitFor()
      await page.goto(linkOf(mail))
      await page.getByRole('button', { name: 'Accept quote' }).waitFor()
    })
  } finally {
    await server.stop()
  }
})

test('a worker sees no quotes', async () => {
  const { company, send } = await quoted()
  const worker = await given.user(company, 'worker')
  const { id } = await send()
  await withPage({ user: worker, path: '/sales' }, async (page) => {
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Quotes' }).count(), 0)
    await page.goto(`/quotes/${id}`)
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
  })
})
