// Traces and slow requests: what they contain of a request, and what they never contain.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { send, startServer } from '../harness/app.ts'
import { type Company, given } from '../harness/given.ts'
import { until } from '../harness/until.ts'

type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[]
}

/** A collector that keeps what it receives. */
async function collector() {
  const received: { text: string; authorization: string | undefined; url: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization } = request.headers
    received.push({ text: Buffer.concat(chunks).toString(), authorization, url: request.url })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const spans = (): Span[] =>
    received.flatMap(({ text }) => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans as Span[])
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, received, spans, close: () => server.close() }
}

const patient = { pollMs: 50 }
const secretName = 'Ada Lovelace-Secret'

async function addSale(url: string, company: Company, headers: Record<string, string> = {}) {
  const body = JSON.stringify({
    num: 'T-1',
    customer_name: secretName,
    products: [{ sku: 'TRACED', amount: 1, total: 10 }],
  })
  // The first request of a key also looks up the key.
  await send('/v1/units/get_list.php', { headers: { authorization: company.key }, body: '{}' }, url)
  const reply = await send('/v1/orders/add.php', { headers: { authorization: company.key, ...headers }, body }, url)
  assert.equal(reply.status, 200, reply.text)
  return reply
}

async function tracedCompany(): Promise<Company> {
  const company = await given.company()
  await given.product(company, { sku: 'TRACED' })
  return company
}

const attribute = ({ attributes }: Span, key: string) =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0]

const statementsOf = (span: Span): string[] =>
  (attribute(span, 'kontor.statements') as { values: { stringValue: string }[] }).values.map((one) => one.stringValue)

test('a trace of orders/add continues that of the caller and shows its two round trips with the names of their statements', async (context) => {
  const target = await collector()
  const server = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: target.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20t0ken',
  })
  context.after(async () => {
    await server.stop()
    target.close()
  })
  const company = await tracedCompany()
  const [traceId, parentSpanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const reply = await addSale(server.url, company, { traceparent: `00-${traceId}-${parentSpanId}-01` })
  const own = () => target.spans().filter((span) => span.traceId === traceId)
  await until(() => own().length > 0, patient)

  const [request, ...roundTrips] = own()
  assert.ok(request !== undefined)
  assert.equal(request.name, 'orders/add')
  assert.equal(request.parentSpanId, parentSpanId)
  assert.equal(reply.headers.get('traceparent'), `00-${traceId}-${request.spanId}-01`)
  assert.equal(attribute(request, 'kontor.request_id'), reply.headers.get('x-request-id'))
  assert.equal(attribute(request, 'kontor.company_id'), String(company.id))
  assert.equal(attribute(request, 'http.response.status_code'), '200')
  assert.equal(roundTrips.length, 2)
  const [first = [], second = []] = roundTrips.map(statementsOf)
  for (const name of ['gate.count', 'clock.lock']) assert.ok(first.includes(name), first.join())
  for (const name of ['sales.insert', 'clock.advance', 'commit']) assert.ok(second.includes(name), second.join())
  for (const span of roundTrips) {
    assert.equal(span.parentSpanId, request.spanId)
    assert.ok(BigInt(span.startTimeUnixNano) >= BigInt(request.startTimeUnixNano))
    assert.ok(BigInt(span.endTimeUnixNano) <= BigInt(request.endTimeUnixNano))
  }
  const [sent] = target.received
  assert.equal(sent?.url, '/v1/traces')
  assert.equal(sent?.authorization, 'Bearer t0ken')
  for (const secret of [secretName, company.key, 'TRACED', 't0ken'])
    assert.ok(!target.received.some(({ text }) => text.includes(secret)), `${secret} is in a trace`)
  assert.ok(!server.output().includes('t0ken'))
})

test('a caller that does not want its trace recorded is respected, and a malformed traceparent begins a new trace', async (context) => {
  const target = await collector()
  const server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: target.url })
  context.after(async () => {
    await server.stop()
    target.close()
  })
  const company = await tracedCompany()
  const call = (traceparent: string) =>
    send('/v1/units/get_list.php', { headers: { authorization: company.key, traceparent }, body: '{}' }, server.url)
  const unwanted = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  assert.match((await call(`00-${unwanted}-b7ad6b7169203331-00`)).headers.get('traceparent') ?? '', /-00$/)
  const fresh = (await call(`00-${'0'.repeat(32)}-b7ad6b7169203331-01`)).headers.get('traceparent') ?? ''
  await until(() => target.spans().some(({ traceId }) => fresh.includes(traceId)), patient)
  assert.ok(!target.spans().some(({ traceId }) => traceId === unwanted))
})

test('a caller cannot have more traces recorded than TRACE_PERCENT allows', async (context) => {
  const target = await collector()
  const server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: target.url, TRACE_PERCENT: '0' })
  context.after(() => target.close())
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  for (const path of ['/v1/units/get_list.php', '/screens/session/get']) {
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    const reply = await send(path, { headers, body: '{}' }, server.url)
    assert.match(reply.headers.get('traceparent') ?? '', new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
  }
  // Stopping sends what was recorded.
  await server.stop()
  assert.deepEqual(target.received, [])
})

test('without a collector there is no trace; a slow request is logged with its round trips and without any value', async (context) => {
  const server = await startServer({ SLOW_REQUEST_MS: '1' })
  context.after(() => server.stop())
  const company = await tracedCompany()
  const reply = await addSale(server.url, company)
  assert.equal(reply.headers.get('traceparent'), null)
  const requestId = reply.headers.get('x-request-id') ?? ''
  const line = () =>
    server
      .output()
      .split('\n')
      .find((one) => one.includes(requestId) && one.includes('"a slow request"'))
  await until(() => line() !== undefined, patient)
  const logged = JSON.parse(line() ?? '{}')
  assert.deepEqual(
    [logged.api, logged.method, logged.company, logged.status],
    ['public', 'orders/add', company.id, 200],
  )
  assert.ok(logged.durationMs >= 1)
  assert.equal(logged.roundTrips.length, 2)
  assert.ok(logged.roundTrips[1].statements.includes('sales.insert'))
  assert.ok(logged.roundTrips[1].tookMs >= 0 && logged.roundTrips[1].afterMs >= logged.roundTrips[0].tookMs)
  for (const secret of [secretName, company.key, 'TRACED'])
    assert.ok(!server.output().includes(secret), `${secret} is in the log`)
})
