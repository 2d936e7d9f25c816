// Concurrent whole lists: only a few long ones run at once, and slow readers do not delay other clients.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { type Server, startServer } from '../../harness/app.ts'
import { type Company, given } from '../../harness/given.ts'
import { metric } from '../../harness/half-sent.ts'
import { longSales } from '../../harness/long-sales.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'
import { assertFailure, callAt, used } from './shop.ts'

let server: Server
before(async () => {
  server = await startServer({ DATABASE_STREAMS: '2' })
})
after(async () => {
  await server?.stop()
})

/** About 40 MB: more than the buffers of a reader that reads nothing. */
async function longCompany(): Promise<Company> {
  const company = await given.company()
  await longSales(company, 2_500, 2_500)
  return company
}

const wholeList = (company: Company) => callAt(server.url, company.key, 'orders/get_list')

/** Reads the first bytes of the list and then nothing more. */
async function slowReader(company: Company): Promise<Socket> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.write(
    `POST /v1/orders/get_list.php HTTP/1.1\r\nHost: x\r\nAuthorization: ${company.key}\r\nContent-Length: 2\r\n\r\n{}`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  return socket
}

test('two slow readers of one company do not delay the list of another', async () => {
  const [slow, other, long] = [await longCompany(), await given.company(), await longCompany()]
  await given.sale(other)
  // The second waits for the first until it times out: a company reads one long list at a time.
  const first = await slowReader(slow)
  const second = slowReader(slow)
  await until(async () => (await metric(server.metricsUrl, 'kontor_waiting{queue="lists"}')) > 0)
  for (let n = 0; n < 5; n++) {
    const reply = await wholeList(other)
    assert.deepEqual([reply.status, reply.body.total], [200, 1])
  }
  const whole = await wholeList(long)
  assert.deepEqual([whole.status, whole.body.total], [200, 5_000])
  first.destroy()
  ;(await second).destroy()
})

test('slow readers of several companies give way to a long list of another', async () => {
  const [one, two, other] = [await longCompany(), await longCompany(), await longCompany()]
  const readers = [await slowReader(one), await slowReader(two)]
  const reply = await wholeList(other)
  assert.deepEqual([reply.status, reply.body.total], [200, 5_000])
  for (const reader of readers) reader.destroy()
})

test('a company may read many whole lists at once if they are short', async () => {
  const company = await given.company()
  const { id } = await given.product(company)
  for (let n = 0; n < 20; n++) await given.sale(company, { products: [{ id, amount: 1, total: 10 }] })
  const before = await used(company)
  const replies = await Promise.all(Array.from({ length: 32 }, () => wholeList(company)))
  assert.deepEqual(
    replies.map((reply) => [reply.status, reply.body.total]),
    replies.map(() => [200, 20]),
  )
  assert.equal((await used(company)) - before, 32)
})

test('long lists of one company are read one after the other', async () => {
  const company = await given.company()
  await longSales(company, 100, 100)
  const before = await used(company)
  const replies = await Promise.all([wholeList(company), wholeList(company), wholeList(company)])
  for (const reply of replies) assert.deepEqual([reply.status, reply.body.total], [200, 200])
  assert.equal((await used(company)) - before, 3)
})

rule('answer.503-begun', 'a whole list that is blocked by the company’s own slow reader', async () => {
  const company = await longCompany()
  const before = await used(company)
  const reader = await slowReader(company)
  const reply = await wholeList(company)
  assertFailure(reply, 503, 'Service is busy')
  assert.equal(reply.headers.get('ratelimit-remaining'), String(10_000 - before - 2))
  assert.equal((await used(company)) - before, 2)
  assert.equal((await callAt(server.url, company.key, 'orders/get_list', { limit: 10 })).status, 200)
  reader.destroy()
})

test('a short list and a long one have the same format', async () => {
  // With 8,000 characters each, thirty sales are sent at once and forty are streamed.
  for (const sales of [0, 1, 30, 40, 600]) {
    const company = await given.company()
    if (sales > 0) await longSales(company, sales, 0)
    const { text } = await wholeList(company)
    const rows = JSON.parse(text).orders.map((row: object) => JSON.stringify(row))
    const expected = rows.map((row: string, at: number) => `${at === 0 ? '' : ','}${row}\n`).join('')
    assert.equal(text, `{"success":true,"orders":[${expected}],"total":${sales}}`)
  }
})
