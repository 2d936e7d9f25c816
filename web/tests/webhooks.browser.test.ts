// The settings of webhooks: created with a secret that is shown once, tested against a real receiver, failing, sent again, turned off, deleted.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { given, type User } from '../../server/test/harness/given.ts'
import { closeReceiver, receiver, sentBy, verify } from '../../server/test/harness/webhooks.ts'
import { assertAccessible, assertNoOverflow, eventually, shot, withPage } from './harness.ts'

after(closeReceiver)

const owned = async (): Promise<User> => await given.user(await given.company(), 'owner')

const menu = async (page: Page, of: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${of}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

for (const width of [1440, 390])
  test(`a webhook is created, tested, and its events are sent again, ${width} px wide`, async () => {
    const owner = await owned()
    const path = `/ok?user=${owner.email}`
    const url = `${(await receiver()).url}${path}`
    await withPage({ user: owner, path: '/settings/webhooks', width }, async (page) => {
      await page.getByText(/^No webhooks yet/).waitFor()
      await page.getByRole('button', { name: 'New webhook' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'New webhook' })
      await dialog.getByLabel('Address').fill('https://ann:secret@shop.example/')
      await dialog.getByRole('button', { name: 'Create webhook' }).click()
      await dialog.getByText(/^Enter an address that starts with https/).waitFor()
      await dialog.getByLabel('Address').fill(url)
      await dialog.getByLabel('Description').fill('Web shop')
      await shot(page, `webhook-new-${width}`)
      await dialog.getByRole('button', { name: 'Create webhook' }).click()
      const secret = (await page.getByRole('region', { name: 'Secret' }).textContent()) ?? ''
      assert.match(secret, /^whsec_[\w+/]{43}=$/)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await page.reload()
      await page.getByText('Nothing sent yet').waitFor()
      assert.equal(await page.getByText(secret).count(), 0, 'the secret is not shown again')

      await page.getByRole('link', { name: 'Web shop' }).click()
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByRole('cell', { name: 'Test', exact: true }).waitFor()
      const [tested] = await (await receiver()).received(path)
      if (tested === undefined) throw new Error('no test arrived')
      assert.equal(verify(secret, tested).type, 'webhook.test')
      assert.equal((await owner.call('customers/add', { name: 'Anna Ahorn' })).status, 200)
      await page.getByRole('button', { name: /^customer.created no\. / }).click()
      await page.getByRole('region', { name: 'Response' }).getByText('thank you').waitFor()
      await assertNoOverflow(page)
      await assertAccessible(page)
      await shot(page, `webhook-deliveries-${width}`)

      await page.getByRole('button', { name: /^Actions for customer.created/ }).click()
      await page.getByRole('menuitem', { name: 'Send again', exact: true }).click()
      await page.getByText(/^customer.created no\. \d+ sent again$/).waitFor()
      await eventually(async () => {
        const sent = sentBy(await (await receiver()).received(path)).filter(({ type }) => type === 'customer.created')
        assert.equal(sent.length, 2)
        assert.equal(sent[0]?.data.seq, sent[1]?.data.seq)
      })
    })
  })

test('a failing webhook says since when and why; it is turned off and on, gets a new secret, and is deleted', async () => {
  const owner = await owned()
  const url = `${(await receiver()).url}/status/503?user=${owner.email}`
  assert.equal((await owner.call('webhooks/add', { url, description: 'Old shop' })).status, 200)
  assert.equal((await owner.call('customers/add', { name: 'Anna Ahorn' })).status, 200)
  await withPage({ user: owner, path: '/settings/webhooks' }, async (page) => {
    const panel = page.getByRole('region', { name: 'Old shop' })
    await panel.getByText('Failing', { exact: true }).waitFor()
    await panel.getByText(/^Failing since .*: response 503 · Next attempt /).waitFor()
    await panel.getByText(/1 change is waiting/).waitFor()
    await assertAccessible(page)
    await shot(page, 'webhooks')
    await panel.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByText('Delivered', { exact: true }).click()
    await page.getByText('No successful deliveries yet.').waitFor()
    await page.getByText('Failed', { exact: true }).click()
    await page.getByRole('cell', { name: '503' }).first().waitFor()
    await page.goBack()

    await menu(page, 'Old shop', 'Turn off')
    await panel.getByText('Turned off', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Actions for Old shop' }).click()
    assert.equal(await page.getByRole('menuitem', { name: 'Send test' }).isDisabled(), true)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await menu(page, 'Old shop', 'Turn on')
    await page.getByText('Old shop turned on. Deliveries continue where they stopped.').waitFor()
    await menu(page, 'Old shop', 'New secret')
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('region', { name: 'Secret' }).waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await panel.getByText(/The previous secret is valid until/).waitFor()

    await menu(page, 'Old shop', 'Edit')
    await page.getByLabel('Description').fill('New shop')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'New shop' }).waitFor()
    await menu(page, 'New shop', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('New shop deleted').waitFor()
    await page.getByText(/^No webhooks yet/).waitFor()
  })
})
