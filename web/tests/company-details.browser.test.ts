// The details that documents show of the company, and its logo: owners change them, managers read them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { png } from '../../server/test/harness/files.ts'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertNoOverflow, eventually, shot, withPage } from './harness.ts'
import { accepted, workshop } from './workshop.ts'

test('an owner fills in the details and adds a logo, which is made smaller; a manager reads both', async () => {
  const { company, owner } = await workshop()
  const details = async () => (await accepted(owner, 'company/get_details', {})).details
  await withPage({ user: owner, path: '/settings/details' }, async (page) => {
    await page.getByLabel('Legal name').fill('Oak Workshop GmbH')
    await page.getByLabel('Address').fill('Lindenstraße 5\n10969 Berlin')
    await page.getByRole('combobox', { name: 'Country' }).fill('Germ')
    await page.getByRole('option', { name: 'Germany' }).click()
    await page.getByLabel('IBAN or account number').fill('DE02120300000000202051')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Company details saved').waitFor()
    const { legal_name, address, country, bank_account } = await details()
    assert.deepEqual(
      [legal_name, address, country, bank_account],
      ['Oak Workshop GmbH', 'Lindenstraße 5\n10969 Berlin', 'DE', 'DE02120300000000202051'],
    )

    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add logo' }).click()
    await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png(1_300, 650) })
    const logo = page.getByRole('img', { name: 'Logo of the company' })
    await logo.waitFor()
    await eventually(async () =>
      assert.equal(await logo.evaluate((image) => (image as HTMLImageElement).naturalWidth), 600),
    )
    await shot(page, 'company-details')
    await assertAccessible(page)
    await assertNoOverflow(page)
  })
  const manager = await given.user(company, 'manager')
  await withPage({ user: manager, path: '/settings/details', width: 390 }, async (page) => {
    await page.getByText('Oak Workshop GmbH').waitFor()
    await page.getByText('Germany').waitFor()
    await page.getByRole('img', { name: 'Logo of the company' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Remove' }).count(), 0)
    assert.equal(await page.getByRole('textbox', { name: 'Legal name' }).count(), 0)
    await assertNoOverflow(page)
  })
  await withPage({ user: owner, path: '/settings/details' }, async (page) => {
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Logo removed').waitFor()
    await page.getByRole('button', { name: 'Add logo' }).waitFor()
    assert.equal((await accepted(owner, 'company/get_details', {})).logo, null)
  })
})
