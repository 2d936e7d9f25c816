// Finding purchases with the same number, for the warning in the screens.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../test/harness/given.ts'
import { refusal, shown } from '../test/harness/screens.ts'

test('purchases with a number are found, except the one being edited', async () => {
  const company = await given.company()
  const user = await given.user(company, 'manager')
  const { id } = await given.product(company)
  const add = async (num: string, supplier: string): Promise<number> => {
    const products = [{ id, amount: 1, total: 1 }]
    const body = { num, supplier_name: supplier, date_placed: '2026-03-01', products }
    return (await shown(user, 'purchases/add', body)).purchase_id
  }
  const first = await add('B-7', 'Sawmill')
  const second = await add('B-7', 'Glass Ltd')
  await add('B-07', 'Sawmill')
  const found = async (body: object) => (await shown(user, 'purchases/find_number', body)).purchases
  assert.deepEqual(await found({ num: ' B-7 ', purchase_id: second }), [
    { id: first, num: 'B-7', status: 0, date_placed: '2026-03-01', supplier_name: 'Sawmill' },
  ])
  assert.deepEqual(
    (await found({ num: 'B-7' })).map((one: { id: number }) => one.id),
    [second, first],
  )
  assert.deepEqual(await found({ num: 'B-8' }), [])
  assert.equal(await refusal(user, 'purchases/find_number', {}), 'No num in input')
})
