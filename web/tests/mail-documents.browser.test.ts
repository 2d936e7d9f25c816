// Documents sent by mail from the print menu, on a server that sends mails.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { MailServer } from '../../server/test/harness/mail-server.ts'
import { ownedDatabase } from '../../server/test/harness/owned-database.ts'
import { textOf } from '../../server/test/harness/pdf-text.ts'
import { workshop } from '../../server/test/harness/workshop.ts'
import { assertAccessible, assertNoOverflow, shot, withPage } from './harness.ts'

const mails = await MailServer.start()
ownedDatabase(mails.env())
after(() => mails.stop())

for (const size of ['desktop', 'phone'] as const)
  test(`an order confirmation is sent to the customer by mail: ${size}`, async () => {
    const { company, table } = await workshop()
    const owner = await given.user(company)
    const email = `${size}@beech.example`
    const { id: customer_id } = await given.customer(company, { name: 'Ada Beech', email })
    const sale = await given.sale(company, { num: '7', customer_id, products: [{ id: table, amount: 3, total: 741 }] })
    await withPage({ user: owner, path: `/sales/${sale}`, width: size === 'phone' ? 390 : 1440 }, async (page) => {
      await page.getByRole('button', { name: size === 'phone' ? 'More actions' : 'Print' }).click()
      await page.getByRole('menuitem', { name: 'Send order confirmation by mail' }).click()
      const dialog = page.getByRole('dialog', { name: 'Send order confirmation by mail' })
      assert.equal(await dialog.getByRole('textbox', { name: 'E-mail' }).inputValue(), email)
      await assertAccessible(page)
      await assertNoOverflow(page)
      await shot(page, `mail-document-${size}`)
      await dialog.getByRole('combobox', { name: 'Language' }).click()
      await page.getByRole('option', { name: 'Deutsch' }).click()
      await dialog.getByRole('button', { name: 'Send' }).click()
      await page.getByText(`Order confirmation is on its way to ${email}`).waitFor()
      const [sent] = await mails.waitFor(email)
      assert.match(sent?.mail.subject ?? '', /^Auftragsbestätigung A-7 von /)
      assert.ok(textOf(sent?.mail.attachments[0]?.content ?? Buffer.alloc(0)).includes('741,00'))
    })
  })
