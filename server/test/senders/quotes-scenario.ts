// The part of the scenario about quotes: made, changed, sent, opened by the customer, accepted and declined, by users and on the page of the link.

import assert from 'node:assert/strict'
import type { World } from '../contract/world.ts'
import { url } from '../harness/app.ts'
import { Browser } from '../harness/browser.ts'
import type { Call } from './accepted.ts'
import type { Recorder } from './recorder.ts'

export async function sendQuotes({ values }: World, call: Call, recorder: Recorder): Promise<void> {
  const products = [{ id: values.get('product_id'), amount: 2, total: 20 }]
  const add = async (count = 1): Promise<number> =>
    (await call('quotes/add', { customer_id: values.get('customer_id'), products: Array(count).fill(products[0]) }))
      .quote_id
  const send = async (quote_id: number): Promise<string> => (await call('quotes/send', { quote_id })).token
  const draft = await add(9)
  await call('quotes/edit', { quote_id: draft, products })
  await call('quotes/browse')
  await call('quotes/get_card', { quote_id: draft })
  await send(draft)
  await call('quotes/revoke', { quote_id: draft })
  await call('quotes/reopen', { quote_id: draft })
  await call('quotes/delete', { quote_id: draft })
  for (const method of ['accept', 'decline']) {
    const quote_id = await add()
    await send(quote_id)
    await call(`quotes/${method}`, { quote_id })
  }
  for (const method of ['accept_shared', 'decline_shared']) {
    const token = await send(await add())
    for (const path of ['quotes/get_shared', `quotes/${method}`]) {
      const open = () => new Browser().call(path, { token, name: 'Ada' })
      assert.equal((await recorder.request(path, open)).status, 200, path)
    }
    await recorder.request('a quote as PDF', async () => {
      const headers = { 'sec-fetch-site': 'same-origin' }
      const response = await fetch(`${url()}/screens/shared/quote/${token}`, { headers })
      assert.equal(response.status, 200)
      await response.arrayBuffer()
    })
  }
}
