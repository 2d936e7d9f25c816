// A number of very many digits is refused quickly: it does not block the process.

import assert from 'node:assert/strict'
import { measured } from '../../harness/measured.ts'
import { rule } from '../../harness/rule.ts'
import { openShop, raw } from './shop.ts'

rule('text.number', 'one of 500,000 digits is refused within three seconds', async (context) => {
  const { company } = await openShop()
  const body = `{"num":0.${'0'.repeat(500_000)}1e3,"customer_name":"Ada","products":[{"sku":"P","amount":1,"total":1}]}`
  await measured(context, async () => {
    const start = performance.now()
    const reply = await raw(company, 'orders/add', body)
    assert.equal(reply.body.error, 'Invalid num value. Must be at most 255 characters')
    assert.ok(performance.now() - start < 3_000)
  })
})
