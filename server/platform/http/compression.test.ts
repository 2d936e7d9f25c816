// Compressed responses, as they are on the wire.

import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { url } from '../../test/harness/app.ts'
import { query } from '../../test/harness/database.ts'
import { type Company, given } from '../../test/harness/given.ts'
import { longSales } from '../../test/harness/long-sales.ts'
import { rule } from '../../test/harness/rule.ts'
import { until } from '../../test/harness/until.ts'
import { methodPath, screensPrefix } from './paths.ts'

type Raw = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }

/** A response as it was sent: fetch would unpack it. */
const raw = (path: string, headers: Record<string, string>, body: object = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request(new URL(path, url()), { method: 'POST', headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) }),
      )
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })

const call = (company: Company, path: string, encoding: string, body: object = {}, more: Record<string, string> = {}) =>
  raw(methodPath(path), { authorization: company.key, ...(encoding === '' ? {} : { 'accept-encoding': encoding }), ...more }, body) // biome-ignore format: one line

/** A company with some customers, whose list has a few kilobytes. */
async function withCustomers(): Promise<Company> {
  const company = await given.company()
  const customers = Array.from({ length: 20 }, (_, at) => ({ name: `Customer ${at} ü`, notes: 'Pays late' }))
  const reply = await company.call('customers/upsert', { customers })
  assert.equal(reply.status, 200, reply.text)
  return company
}

const page = { limit: 100 }

rule('compression.text', async () => {
  const company = await withCustomers()
  const plain = await call(company, 'customers/get_list', '', page)
  for (const encoding of ['gzip', 'br, GZIP;q=0.5', 'deflate, gzip']) {
    const packed = await call(company, 'customers/get_list', encoding, page)
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
    assert.equal(packed.headers['content-length'], String(packed.bytes.length))
    assert.equal(packed.headers['content-type'], plain.headers['content-type'])
    assert.ok(packed.bytes.length < plain.bytes.length / 3, `${packed.bytes.length} of ${plain.bytes.length}`)
  }
})

rule('compression.list', async () => {
  const company = await given.company()
  await longSales(company, 600, 0)
  const plain = await call(company, 'orders/get_list', '')
  const packed = await call(company, 'orders/get_list', 'gzip')
  assert.deepEqual([plain.headers['content-encoding'], plain.headers['content-length']], [undefined, undefined])
  assert.deepEqual([packed.headers['content-encoding'], packed.headers['content-length']], ['gzip', undefined])
  assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
})

rule('compression.cut-off', async () => {
  const company = await given.company()
  await longSales(company, 9_000, 0)
  const path = new URL(methodPath('orders/get_list'), url())
  const headers = { authorization: company.key, 'accept-encoding': 'gzip' }
  await new Promise((resolve, reject) => {
    const sent = request(path, { method: 'POST', headers }, (response) => {
      assert.equal(response.headers['content-encoding'], 'gzip')
      response.once('data', () => resolve(response.destroy()))
    })
    sent.on('error', reject)
    sent.end('{}')
  })
  const copying = `select from pg_stat_activity where state = 'active' and query like 'copy (%company_id = ${company.id} %'`
  await until(async () => (await query(company.id, copying)).length === 0)
  assert.equal((await call(company, 'orders/get_list', 'gzip', { limit: 1 })).status, 200)
})

rule('compression.not-wanted', async () => {
  const company = await withCustomers()
  for (const encoding of ['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, deflate', 'gzipped', '*;q=0']) {
    const { headers, bytes } = await call(company, 'customers/get_list', encoding, page)
    assert.equal(headers['content-encoding'], undefined, encoding)
    assert.equal(headers['content-length'], String(bytes.length))
    assert.equal(JSON.parse(bytes.toString()).total, 20)
  }
})

rule('compression.small', async () => {
  const company = await withCustomers()
  const small = await call(company, 'customers/get_list', 'gzip', { limit: 1 })
  const failed = await call(company, 'customers/get_list', 'gzip', { limit: 0 })
  for (const { headers, bytes } of [small, failed]) {
    assert.equal(headers['content-encoding'], undefined)
    assert.ok(JSON.parse(bytes.toString()))
  }
})

rule('compression.vary', async () => {
  const company = await withCustomers()
  for (const encoding of ['', 'gzip'])
    for (const limit of [1, 100])
      assert.equal((await call(company, 'customers/get_list', encoding, { limit })).headers.vary, 'accept-encoding')
})

rule('compression.replayed', async () => {
  const company = await given.company()
  const customers = Array.from({ length: 60 }, (_, at) => ({ name: `Customer ${at}` }))
  const send = async (encoding: string) =>
    await call(company, 'customers/upsert', encoding, { customers }, { 'idempotency-key': 'k' })
  const [first, packed, plain] = [await send('gzip'), await send('gzip'), await send('')]
  assert.deepEqual(gunzipSync(first.bytes), plain.bytes)
  assert.deepEqual(gunzipSync(packed.bytes), plain.bytes)
  assert.deepEqual([packed, plain].map(({ headers }) => headers['idempotent-replayed']), ['true', 'true']) // biome-ignore format: one line
})

rule('compression.many', async () => {
  const company = await withCustomers()
  const plain = await call(company, 'customers/get_list', '', page)
  const all = await Promise.all(Array.from({ length: 30 }, () => call(company, 'customers/get_list', 'gzip', page)))
  for (const { headers, bytes } of all) {
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    assert.deepEqual(body, plain.bytes)
    assert.equal(headers['content-length'], String(bytes.length))
  }
  assert.ok(all.some(({ headers }) => headers['content-encoding'] === 'gzip'))
})

rule('compression.screens', async () => {
  const company = await withCustomers()
  const { cookie } = await given.user(company, 'owner')
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'accept-encoding': 'gzip' }
  const { status, headers: sent, bytes } = await raw(`${screensPrefix}customers/get_list`, headers, page)
  assert.deepEqual([status, sent['content-encoding'], sent.vary], [200, undefined, undefined])
  assert.equal(JSON.parse(bytes.toString()).total, 20)
})
