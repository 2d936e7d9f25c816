// What a program learns of a refusal without reading its text: the code, the field and the line.

import assert from 'node:assert/strict'
import { encoded, errorHeaders } from '../../../platform/requests/error-headers.ts'
import { type Reply, send } from '../../harness/app.ts'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'

const refusedAs = ({ status, headers }: Reply): readonly unknown[] => [
  status,
  headers.get('kontor-error-code'),
  headers.get('kontor-error-field'),
  headers.get('kontor-error-line'),
]

const line = { sku: 'CHAIR', amount: 1, total: 10 }

rule('convention.failure-code', async () => {
  const company = await given.company({ materials_in_sales: false })
  await given.product(company, { sku: 'CHAIR' })
  const { order_id } = (await company.call('orders/add', { num: '1', customer_name: 'Ada', products: [line] })).body
  await company.call('units/add', { name: 'box', external_id: 'u' })
  const cases: readonly [path: string, body: object, status: number, code: string][] = [
    ['orders/add', { customer_name: 'Ada', products: [line] }, 400, 'required'],
    ['orders/add', { num: '2', customer_name: 'Ada', products: [] }, 400, 'no_lines'],
    ['orders/add', { num: '2', customer_name: 'Ada', materials: [line] }, 400, 'materials_disabled'],
    ['orders/add', { num: '2', customer_id: 404, products: [line] }, 400, 'customer_not_found'],
    ['orders/get_entry', { order_id: 404 }, 400, 'record_not_found'],
    ['orders/update_status', { order_id, status: 9 }, 400, 'not_a_choice'],
    ['orders/edit', { order_id, version: 404, notes: 'x' }, 409, 'changed_meanwhile'],
    ['orders/get_list', { limit: 0 }, 400, 'out_of_range'],
    ['orders/get_list', { offset: 1 }, 400, 'required'],
    ['orders/get_list', { updated_after: 'today' }, 400, 'not_a_time'],
    ['stock/get_list', { type: 'chairs' }, 400, 'not_a_choice'],
    ['events/get_list', { after: -1 }, 400, 'out_of_range'],
    ['events/get_list', { after: 1e12 }, 409, 'feed_restarted'],
    ['products/add', { name: 'Chair', sku: 'CHAIR' }, 400, 'code_taken'],
    ['orders/nothing', {}, 404, 'unknown_method'],
  ]
  for (const [path, body, status, code] of cases)
    assert.deepEqual(refusedAs(await company.call(path, body)).slice(0, 2), [status, code], path)
})

rule('convention.failure-code', 'a response without a body has one too', async () => {
  const reply = await send('/v1/orders/get_list.php', { headers: { Authorization: 'kontor_live_none' }, body: '{}' })
  assert.deepEqual([reply.text, ...refusedAs(reply)], ['', 401, 'unauthorized', null, null])
})

rule('convention.failure-field', async () => {
  const company = await given.company()
  const order = { num: '1', customer_name: 'Ada', products: [line] }
  assert.deepEqual(refusedAs(await company.call('orders/add', { ...order, num: 'x'.repeat(256) })), [
    400,
    'too_long',
    'num',
    null,
  ])
  assert.equal(refusedAs(await company.call('orders/get_list', { limit: 0 }))[2], 'limit')
  assert.equal(encoded('a,b \r\n"é\ud800'), 'a%2Cb%20%0D%0A%22%C3%A9%EF%BF%BD')
  assert.ok(new Headers(errorHeaders({ code: 'required', field: 'é\n', line: 3 })).has('kontor-error-field'))
})

rule('convention.failure-line', async () => {
  const company = await given.company({ materials_in_sales: true })
  await given.product(company, { sku: 'CHAIR' })
  const add = (lines: object): Promise<Reply> =>
    company.call('orders/add', { num: '1', customer_name: 'Ada', ...lines })
  assert.deepEqual(refusedAs(await add({ products: [line, line, { ...line, amount: 0 }] })), [
    400,
    'amount_not_positive',
    'products',
    '2',
  ])
  assert.deepEqual(refusedAs(await add({ products: [line], materials: [{ ...line, total: 'x' }] })), [
    400,
    'total_not_a_number',
    'materials',
    '0',
  ])
  const writeOff = {
    products: [
      { sku: 'CHAIR', amount: 1 },
      { sku: 'NONE', amount: 1 },
    ],
  }
  assert.deepEqual(refusedAs(await company.call('writeoffs/add', writeOff)), [400, 'item_not_found', 'products', '1'])
})

rule('convention.failure-line', 'a line that the document has, and the request has not, has no position', async () => {
  const company = await given.company()
  const bare = await given.product(company, { sku: 'BARE' })
  const wood = await given.material(company, { sku: 'WOOD' })
  const products = [{ id: bare.id, amount: 1 }]
  const made = await company.call('productions/add', { products, materials: [{ id: wood.id, amount: 1 }] })
  const { production_id } = made.body
  const without = { production_id, materials: [], resources: [] }
  const refused = [400, 'no_components', 'products']
  assert.deepEqual(refusedAs(await company.call('productions/edit', without)), [...refused, null])
  assert.deepEqual(refusedAs(await company.call('productions/edit', { ...without, products })), [...refused, '0'])
})
