// Bodies that arrive slowly, in large numbers or all at once do not delay other clients.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../../harness/app.ts'
import { Browser, newAddress } from '../../harness/browser.ts'
import { type Company, given } from '../../harness/given.ts'
import { type HalfSent, halfSent, metric } from '../../harness/half-sent.ts'
import { rule } from '../../harness/rule.ts'
import { until } from '../../harness/until.ts'
import { callAt, used } from './shop.ts'

const mebibyte = 1024 * 1024
const largest = 8 * mebibyte

async function serverOf(context: TestContext, env: Record<string, string> = {}): Promise<Server> {
  const server = await startServer(env)
  context.after(() => server.stop())
  return server
}

/** Requests of a company with a complete head and an incomplete body. */
async function keyed(server: Server, company: Company, count: number, length: number): Promise<HalfSent[]> {
  const head = { path: '/v1/orders/get_list.php', headers: { Authorization: company.key }, length }
  return await Promise.all(Array.from({ length: count }, () => halfSent(server.url, head)))
}

const signInHead = (address: string) => ({
  path: '/screens/session/sign_in',
  headers: { 'X-Forwarded-For': address, 'Sec-Fetch-Site': 'same-origin' },
})

const close = (sent: readonly HalfSent[]): void => {
  for (const { socket } of sent) socket.destroy()
}

/** The responses received so far. */
const answered = (sent: readonly HalfSent[]): string[] =>
  sent.flatMap((one) => /^HTTP\/1\.1 (\d{3})/.exec(one.answer())?.[1] ?? [])

rule('body.slow', async (context) => {
  const server = await serverOf(context)
  const company = await given.company()
  const [stopped] = await keyed(server, company, 1, 50)
  const trickling = await halfSent(server.url, { ...signInHead(newAddress()), length: 5_000 })
  const [steady] = await keyed(server, company, 1, 16_000)
  if (stopped === undefined || steady === undefined) throw new Error('nothing was sent')
  stopped.write('{"limit"')
  const pieces = setInterval(() => {
    if (trickling.socket.writable) trickling.write(' ')
    steady.write(' '.repeat(1_000))
  }, 500)
  try {
    assert.deepEqual([await stopped.status(), await trickling.status()], [408, 408])
    for (const cut of [stopped, trickling]) {
      assert.match(cut.answer(), /\{"success":false,"error":"Request Timeout"\}$/)
      assert.match(cut.answer(), /^x-request-id: /im, 'refused because of its rate, not because of the general timeout')
    }
    assert.equal(await steady.status(), 200, 'a body that keeps arriving is accepted')
  } finally {
    clearInterval(pieces)
    close([stopped, trickling, steady])
  }
  assert.equal(await used(company), 1)
})

test('half-sent requests of one key delay no other request, not even of their own company', async (context) => {
  const server = await serverOf(context)
  const [company, other] = [await given.company(), await given.company()]
  const list = (one: Company) => callAt(server.url, one.key, 'orders/get_list', { limit: 1 })
  assert.equal((await list(company)).status, 200)
  const half = await keyed(server, company, 200, 100)
  for (const one of half) one.write('{"limit"')
  try {
    for (let at = 0; at < 20; at++) assert.equal((await list(other)).status, 200)
    await until(() => answered(half).length >= 168)
    // A request that keeps arriving replaces one that does not.
    for (let at = 0; at < 20; at++) assert.equal((await list(company)).status, 200)
    assert.deepEqual([...new Set(answered(half))], ['503'], 'a company may have 32 incomplete bodies')
    assert.equal(await metric(server.metricsUrl, 'kontor_requests_under_way'), 0, 'none of them counts as in progress')
  } finally {
    close(half)
  }
  assert.equal(await used(company), 21, 'refused requests are not counted')
})

test('half-sent sign-ins from one address delay no other sign-in', async (context) => {
  const server = await serverOf(context)
  const attacker = newAddress()
  const half = await Promise.all(
    Array.from({ length: 100 }, () => halfSent(server.url, { ...signInHead(attacker), length: 1_000 })),
  )
  for (const one of half) one.write('{"email":')
  const signIn = (browser: Browser) =>
    browser.call('session/sign_in', { email: 'a@b.example', password: 'a wrong one' })
  try {
    await until(() => answered(half).length >= 84)
    assert.deepEqual([...new Set(answered(half))], ['503'], 'an address may have 16 incomplete bodies')
    for (const browser of [new Browser({ base: server.url }), new Browser({ base: server.url, address: attacker })]) {
      assert.equal((await signIn(browser)).body.error, 'Email or password is wrong')
    }
    // One that arrives in two pieces is read in addition to them.
    const body = JSON.stringify({ email: 'a@b.example', password: 'a wrong one' })
    const slow = await halfSent(server.url, { ...signInHead(newAddress()), length: body.length })
    slow.write(body.slice(0, 10))
    // So that it does not arrive in one piece.
    await sleep(100)
    slow.write(body.slice(10))
    assert.equal(await slow.status(), 400)
    close([slow])
  } finally {
    close(half)
  }
})

rule('body.size-anonymous', async (context) => {
  const server = await serverOf(context)
  const browser = new Browser({ base: server.url })
  const most = 16 * 1024
  const sized = (size: number) => {
    const body = { email: 'a@b.example', password: 'a wrong one', padding: '' }
    return { ...body, padding: 'x'.repeat(size - JSON.stringify(body).length) }
  }
  const ask = (size: number) => browser.call('session/sign_in', sized(size))
  assert.equal((await ask(most)).body.error, 'Email or password is wrong')
  const larger = await ask(most + 1)
  assert.deepEqual([larger.status, larger.text], [413, '{"success":false,"error":"Request body is too large"}'])
  // Refused by its declared length before it arrives; without a declared length, once it has arrived.
  const promised = await halfSent(server.url, { ...signInHead(browser.address), length: largest })
  const chunked = await halfSent(server.url, signInHead(browser.address))
  chunked.write(`8000\r\n${' '.repeat(0x8000)}\r\n`)
  try {
    assert.deepEqual([await promised.status(), await chunked.status()], [413, 413])
  } finally {
    close([promised, chunked])
  }
})

rule(
  'answer.503',
  'more body bytes at once than a company may send; other companies are still served',
  async (context) => {
    const server = await serverOf(context)
    const [company, other] = [await given.company(), await given.company()]
    const body = Buffer.from(`{"x":[${'{},'.repeat(190_000)}{}]${' '.repeat(largest)}`).subarray(0, largest)
    body[largest - 1] = '}'.charCodeAt(0)
    const sent = await keyed(server, company, 10, largest)
    try {
      for (const one of sent) one.write(body.subarray(0, largest - 10))
      await until(() => answered(sent).length >= 8)
      assert.ok(
        (await metric(server.metricsUrl, 'kontor_body_bytes')) <= 17 * mebibyte,
        'at most a quarter of the total',
      )
      const large = `{"limit":1,"x":"${'x'.repeat(900_000)}"}`
      const reply = await callAt(server.url, other.key, 'orders/get_list', JSON.parse(large))
      assert.equal(reply.status, 200, 'other companies have their own share')
      for (const one of sent) one.write(body.subarray(largest - 10))
      const statuses = await Promise.all(sent.map((one) => one.status()))
      const count = (status: number) => statuses.filter((one) => one === status).length
      assert.deepEqual([count(200), count(503)], [2, 8], statuses.join(' '))
      const refused = sent.find((one) => one.answer().startsWith('HTTP/1.1 503'))
      assert.match(refused?.answer() ?? '', /^retry-after: 1\r$/im)
    } finally {
      close(sent)
    }
    assert.equal(await used(company), 2, 'refused requests are not counted')
    assert.equal(await metric(server.metricsUrl, 'kontor_body_bytes'), 0, 'all bytes are released')
  },
)

test('of a refused body only a limited number of bytes is read', async (context) => {
  const server = await serverOf(context)
  const company = await given.company()
  const [endless] = await keyed(server, company, 1, 1024 * mebibyte)
  if (endless === undefined) throw new Error('nothing was sent')
  const piece = Buffer.alloc(mebibyte, ' ')
  let taken = 0
  // A write fails when the connection is closed.
  while (!endless.socket.destroyed && taken < 200) {
    await new Promise((resolve) => endless.socket.write(piece, resolve))
    taken++
  }
  close([endless])
  assert.ok(taken < 48, `${taken} MiB of a refused body were read`)
})
