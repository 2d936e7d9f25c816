// A session that expires during an edit.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../server/test/harness/given.ts'
import { assertAccessible, assertValue, shot, withPage } from './harness.ts'
import { expire, signIn } from './session-steps.ts'
import { password } from './settings-steps.ts'
import { saleOf, shop, sold } from './shop.ts'

test('a session expires during an edit: the user signs in over the form, and it is saved', async () => {
  const its = await shop()
  const id = await sold(its)
  const user = await given.user(its.company, 'manager', password)
  await withPage({ user, path: `/sales/${id}` }, async (page) => {
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/screens/orders/edit')) keys.push(request.headers()['idempotency-key'])
    })
    // Polling for changes would open the dialog before the edit is saved.
    await page.route('**/screens/changes/get_list', (route) => route.abort())
    await page.getByLabel('Notes').fill('Ring twice')
    await page.getByLabel('Quantity: Walnut chair').fill('4')
    await expire(its.company.id, user)
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
    await dialog.waitFor()
    await assertAccessible(page)
    await shot(page, 'sign-in-again')
    await assertValue(dialog.getByLabel('E-mail'), user.email)
    await assertValue(page.getByLabel('Notes'), 'Ring twice', 'the input is kept')
    assert.equal((await saleOf(its, id)).order.notes, '')
    await dialog.getByRole('textbox', { name: 'Password' }).fill('not this one')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByText('Wrong e-mail or password. Try again.').waitFor()
    await signIn(page)
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
    const { order, lines } = await saleOf(its, id)
    assert.equal(order.notes, 'Ring twice')
    assert.deepEqual(
      lines.map((line: { amount: number }) => line.amount),
      [3, 4],
    )
    assert.equal(new Set(keys).size, 1, 'the same request was repeated')
    assert.ok(keys.length >= 2 && keys[0] !== undefined)
  })
})
