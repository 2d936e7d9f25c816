// An API key in the settings: shown once, rolled over and revoked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../../server/test/harness/app.ts'
import { given } from '../../server/test/harness/given.ts'
import { eventually, withPage } from './harness.ts'
import { code, owned } from './settings-steps.ts'

const answers = async (key: string): Promise<number> =>
  (await send('/v1/units/get_list.php', { headers: { authorization: key }, body: '' })).status

test('a key is shown once, rotated with an overlap, and revoked; the number prefix can be changed', async () => {
  const { company, owner } = await owned()
  await withPage({ user: owner, path: '/settings/integrations' }, async (page) => {
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
    const key = await code(page, 'API key')
    assert.match(key, /^kontor_live_\w{49}$/)
    assert.equal(await answers(key), 200)
    assert.equal(await answers(company.key), 200, 'the old key is still valid')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText(/^Expires /).waitFor()
    await page.reload()
    await page.getByText(/^Expires /).waitFor()
    await eventually(async () => assert.equal(await page.getByText(key).count(), 0, 'a key is not shown again'))

    await page
      .getByRole('row')
      .filter({ has: page.getByText('Active', { exact: true }) })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText(/^Key .* revoked$/).waitFor()
    assert.equal(await answers(key), 401)

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Number prefix').fill('SHOP-')
    await page.keyboard.press('Enter')
    await page.getByText('Sale numbers start with “SHOP-”').waitFor()
  })
  const { order } = (await company.call('orders/get_entry', { order_id: await given.sale(company, { num: '7' }) })).body
  assert.equal(order.num, 'SHOP-7')
})
