// The shared failures as documents tell them, asked of a running server. (500 and 503 cannot be asked for; tests of faults see them.)

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reply, send } from '../testing/app.ts'
import { type Company, given } from '../testing/given.ts'
import { badRequest, sharedFailures } from './failures.ts'
import { methodPath } from './http.ts'

const ask = async (
  company: Company,
  path: string,
  body: string | Uint8Array,
  headers = {},
  method = 'POST',
): Promise<Reply> => await send(methodPath(path), { method, headers: { Authorization: company.key, ...headers }, body })

const textOf = (reply: Reply): string => {
  if (reply.text === '') return ''
  assert.equal(reply.body.success, false)
  return reply.body.error
}

test('the texts of the shared failures are those that the server sends', async () => {
  const company = await given.company()
  const spent = await given.company({ daily_limit: 0 })
  const unknown = (key: string) => ({ 'Idempotency-Key': key })
  await ask(company, 'orders/delete', '{"order_id":1}', unknown('used'))
  const replies: Record<string, Reply> = {
    'not JSON': await ask(company, 'orders/get_list', '{'),
    'not an object': await ask(company, 'orders/get_list', '[]'),
    'bad key': await ask(company, 'orders/delete', '{"order_id":1}', unknown('k'.repeat(256))),
    'no key': await send(methodPath('orders/get_list'), { method: 'POST', body: '{}' }),
    'unknown method': await ask(company, 'orders/nothing', '{}'),
    'not a POST': await ask(company, 'orders/get_list', '{}', {}, 'PUT'),
    'another request': await ask(company, 'orders/delete', '{"order_id":2}', unknown('used')),
    'too large': await ask(company, 'orders/get_list', `{"x":"${'x'.repeat(8 * 1024 * 1024)}"}`),
    'limit reached': await ask(spent, 'orders/get_list', '{}'),
  }
  const told = new Set(Object.values(replies).map((reply) => `${reply.status} ${textOf(reply)}`))
  const documented = [badRequest, ...sharedFailures]
    .filter(({ status }) => status < 500)
    .flatMap(({ status, texts }) =>
      texts.length === 0 ? [`${status} `] : texts.map(({ text }) => `${status} ${text}`),
    )
    // Shown where it can be brought about: in the tests of the client.
    .filter((line) => !line.includes('is in progress'))
  assert.deepEqual([...told].sort(), documented.sort())
})
