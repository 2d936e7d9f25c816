// Fields that a method does not have: ignored, but named in a header and in the request log.

import assert from 'node:assert/strict'
import { given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'

rule('body.ignored-fields', async () => {
  const company = await given.company()
  const ignored = async (path: string, body: object): Promise<string | null> =>
    (await company.call(path, body)).headers.get('kontor-ignored-fields')
  assert.equal(await ignored('orders/get_list', { limit: 1, date_from: '2024-01-01' }), null)
  assert.equal(await ignored('orders/get_list', { limit: 1, updated_affter: 'x', colour: 1 }), 'updated_affter, colour')
  assert.equal(await ignored('orders/get_list', { updated_affter: 'x' }), 'updated_affter', 'a list without limit')
  assert.equal(await ignored('orders/add', { nummer: '1' }), 'nummer', 'a refusal')
  assert.equal(await ignored('units/add', { name: 'kg', 'a,b\r\n': 1, Größe: 2 }), 'a%2Cb%0D%0A, Gr%C3%B6%C3%9Fe')
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, at]))
  assert.equal((await ignored('orders/get_list', many))?.split(', ').length, 20)
  assert.equal((await ignored('orders/get_list', { ['x'.repeat(5_000)]: 1 }))?.length, 100)
})

rule('body.ignored-fields-logged', async () => {
  const company = await given.company()
  const owner = await given.user(company, 'owner')
  const long = 'x'.repeat(5_000)
  const sent = await company.call('orders/get_list', { limit: 1, updated_affter: 'x', 'Größe, "\0': 1, [long]: 1 })
  await company.call('units/add', { nummer: 1 })
  await company.call('units/get_list')
  const logged = async () => (await owner.call('requests/get_list', { limit: 10 })).body.requests
  await until(async () => (await logged()).length === 3)
  const names = (await logged()).map((row: { method: string; ignored_fields: string[] }) => [
    row.method,
    row.ignored_fields,
  ])
  const ofList = ['updated_affter', 'Größe, "\ufffd', long.slice(0, 100)]
  assert.deepEqual(names, [
    ['units/get_list', []],
    ['units/add', ['nummer']],
    ['orders/get_list', ofList],
  ])
  const one = await owner.call('requests/get_entry', { request_id: sent.headers.get('x-request-id') })
  assert.deepEqual(one.body.request.ignored_fields, ofList)
})
