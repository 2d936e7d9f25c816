// Items that have to be bought or made.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

type Row = { readonly id: number; readonly name: string; readonly short: number }

async function workshop() {
  const company = await given.company({ number_prefix: '' })
  const user = await given.user(company, 'manager')
  const add = async (section: 'products' | 'materials', body: object): Promise<number> => {
    const answer = await shown(user, `${section}/add`, body)
    return answer.product_id ?? answer.material_id
  }
  const supplier = async (name: string): Promise<number> => (await shown(user, 'suppliers/add', { name })).supplier_id
  const list = async (body: object = {}): Promise<Row[]> => (await shown(user, 'items/reorder', body)).items
  return { company, user, add, supplier, list }
}

test('low items are listed with their first supplier, the expected quantity, and whether they are made', async () => {
  const { company, user, add, supplier, list } = await workshop()
  const [gone, sawmill] = [await supplier('Gone'), await supplier('Sawmill')]
  const suppliers = [gone, sawmill].map((id) => ({ supplier_id: id, price: 4 }))
  const board = await add('materials', { name: 'Board', sku: 'BOARD', price: 9, min_amount: 20, suppliers })
  await shown(user, 'suppliers/delete', { supplier_id: gone })
  const oil = await add('materials', { name: 'Oil', price: 7, min_amount: 2 })
  const table = await add('products', {
    name: 'Table',
    min_amount: 1,
    components: [{ type: 'material', id: board, amount: 1 }],
  })
  await add('products', { name: 'Enough' })
  await given.stock(company, {
    item: board,
    amount: '5',
    unitCost: '3',
    date: '2025-01-01',
    storage: company.materialsStorageId,
  })
  await shown(user, 'purchases/add', { supplier_id: sawmill, materials: [{ id: board, amount: 6, total: 6 }] })
  assert.deepEqual(await list(), [
    {
      type: 'material',
      id: board,
      sku: 'BOARD',
      name: 'Board',
      unit: 'pcs',
      on_hand: 5,
      available: 5,
      expected: 6,
      min_amount: 20,
      short: 9,
      price: 4,
      is_made: false,
      supplier_id: sawmill,
      supplier_name: 'Sawmill',
    },
    {
      type: 'material',
      id: oil,
      sku: '',
      name: 'Oil',
      unit: 'pcs',
      on_hand: 0,
      available: 0,
      expected: 0,
      min_amount: 2,
      short: 2,
      price: 7,
      is_made: false,
      supplier_id: null,
      supplier_name: null,
    },
    {
      type: 'product',
      id: table,
      sku: '',
      name: 'Table',
      unit: 'pcs',
      on_hand: 0,
      available: 0,
      expected: 0,
      min_amount: 1,
      short: 1,
      price: 0,
      is_made: true,
      supplier_id: null,
      supplier_name: null,
    },
  ])
})

test('requested items are listed whether they are low or not, deleted ones are not', async () => {
  const { user, add, list } = await workshop()
  const [one, other] = [await add('products', { name: 'One' }), await add('products', { name: 'Other' })]
  await add('products', { name: 'Low', min_amount: 1 })
  await shown(user, 'products/delete', { product_id: other })
  assert.deepEqual(
    (await list({ ids: [one, other, 999] })).map(({ id, short }) => [id, short]),
    [[one, 0]],
  )
  assert.deepEqual(await list({ ids: [] }), [])
  assert.equal(await refusal(user, 'items/reorder', { ids: 1 }), 'Ids is not an array')
})
