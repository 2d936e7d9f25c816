// Compares the documented shared failures with those of a running server. (An internal error cannot be provoked.)

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusOf } from '../../kernel/refusal.ts'
import { type Reply, send, startServer, url } from '../../test/harness/app.ts'
import { connection } from '../../test/harness/connection.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { heldWrites } from '../../test/harness/held-writes.ts'
import { methodPath } from '../http/paths.ts'
import { badRequest, sharedFailures } from './shared-failures.ts'

type PublicRequest = { key?: string; dryRun?: string; method?: string; base?: string }

const ask = (
  company: Company,
  path: string,
  body: string,
  { key, dryRun, method = 'POST', base = url() }: PublicRequest = {},
): Promise<Reply> => {
  const headers = {
    Authorization: company.key,
    ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    ...(dryRun === undefined ? {} : { 'Kontor-Dry-Run': dryRun }),
  }
  return send(methodPath(path), { method, headers, body }, base)
}

const textOf = (reply: Reply): string => {
  if (reply.text === '') return ''
  assert.equal(reply.body.success, false)
  return reply.body.error
}

/** The responses to a key that may not be used from here, and to one that may not write, until it has sent too many requests. */
async function refusedByScope(company: Company): Promise<Reply[]> {
  const elsewhere = await connection(company, { networks: ['192.0.2.0/24'] })
  const reading = await connection(company, { read_only: true })
  const first = [await elsewhere.call('orders/get_list'), await reading.call('orders/delete')]
  for (;;) {
    const replies = await Promise.all(Array.from({ length: 40 }, () => reading.call('orders/delete')))
    const limited = replies.find(({ status }) => status === 429)
    if (limited !== undefined) return [...first, limited]
  }
}

test('the documented codes and texts of the shared failures are those that the server sends', async (context) => {
  const company = await given.company()
  const spent = await given.company({ daily_limit: 0 })
  const full = await given.company({ storage_limit_mib: 0 })
  const [removing, listing] = ['orders/delete', 'orders/get_list']
  await ask(company, 'units/add', '{"name":"kg"}', { key: 'used' })
  const replies = [
    await ask(company, listing, '{'),
    await ask(company, listing, '[1]'),
    await ask(company, removing, '{"order_id":1}', { key: 'k'.repeat(256) }),
    await ask(company, removing, '{"order_id":1}', { dryRun: 'yes' }),
    await send(methodPath(listing), { method: 'POST', body: '{}' }),
    await ask(company, 'orders/nothing', '{}'),
    await ask(company, listing, '{}', { method: 'PUT' }),
    await ask(company, removing, '{"order_id":2}', { key: 'used' }),
    await ask(company, listing, `{"x":"${'x'.repeat(8 * 1024 * 1024)}"}`),
    await ask(spent, listing, '{}'),
    await (await connection(company, { daily_limit: 0 })).call(listing),
    await ask(full, 'units/add', '{"name":"box"}'),
    ...(await refusedByScope(company)),
  ]

  const narrow = await startServer({ MAX_COMPANY_REQUESTS: '1' })
  context.after(() => narrow.stop())
  const held = await heldWrites(context, company)
  const slow = ask(company, removing, '{"order_id":3}', { key: 'slow', base: narrow.url })
  await held.reached()
  replies.push(
    await ask(company, listing, '{}', { base: narrow.url }),
    await ask(company, removing, '{"order_id":3}', { key: 'slow' }),
  )
  await held.letGo()
  await slow

  const sent = replies.map((reply) =>
    `${reply.status} ${reply.headers.get('kontor-error-code')} ${textOf(reply)}`.replace(
      'orders/delete',
      '<section>/<method>',
    ),
  )
  const documented = [badRequest, ...sharedFailures]
    .filter(({ status }) => status !== 500)
    .flatMap(({ status, texts }) => texts.map(({ text, code }) => `${status} ${code} ${text}`))
  assert.deepEqual(sent.sort(), [...new Set(documented)].sort())
  for (const { status, texts } of [badRequest, ...sharedFailures])
    for (const { code } of texts) assert.equal(status, statusOf(code), code)
})
