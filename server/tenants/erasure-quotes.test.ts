// Erasing a customer: what the links of quotes have logged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { erase } from '../cli/erase.ts'
import { commandLine } from '../test/harness/command-line.ts'
import { query } from '../test/harness/database.ts'
import { given } from '../test/harness/given.ts'
import { ownedDatabase } from '../test/harness/owned-database.ts'

ownedDatabase()
const kontor = commandLine(...erase)

test('erasing a customer removes who opened and decided about its quotes, and its name from other quotes', async () => {
  const company = await given.company()
  const { id: product } = await given.product(company)
  const owner = await given.user(company)
  const decidedBy = async (customerId: number, name: string): Promise<number> => {
    const products = [{ id: product, amount: 1, total: 1 }]
    const { quote_id } = (await owner.call('quotes/add', { customer_id: customerId, products })).body
    assert.equal((await owner.call('quotes/send', { quote_id })).status, 200)
    await query(
      company.id,
      `update quote_links set opened = 2, first_opened_from = '192.0.2.7', last_opened_from = '192.0.2.8', decision = 'declined',
         decided_by = $3, decided_from = '192.0.2.9' where company_id = $1 and quote_id = $2`,
      [company.id, quote_id, name],
    )
    return quote_id
  }
  const { id: own } = await given.customer(company, { name: 'Hedwig Sturmvogel' })
  const { id: other } = await given.customer(company, { name: 'Somebody' })
  const quotes = [
    await decidedBy(own, 'Bert'),
    await decidedBy(other, 'for Hedwig Sturmvogel'),
    await decidedBy(other, 'Somebody'),
  ]
  const erasing = ['--company', String(company.id), '--customer', String(own), '--confirm', 'Hedwig Sturmvogel']
  assert.equal((await kontor('customer', 'erase', ...erasing)).code, 0)
  const left = []
  for (const id of quotes) {
    const [link] = (await owner.call('quotes/get_card', { quote_id: id })).body.links
    left.push([link.opened, link.decision, link.decided_by, link.decided_from, link.first_opened_from])
  }
  assert.deepEqual(left, [
    [2, 'declined', null, null, null],
    [2, 'declined', null, '192.0.2.9', '192.0.2.7'],
    [2, 'declined', 'Somebody', '192.0.2.9', '192.0.2.7'],
  ])
})
