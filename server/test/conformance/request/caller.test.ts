// Who may call: the key in its header, and no browser on another origin.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { send, startServer, url } from '../../harness/app.ts'
import { query } from '../../harness/database.ts'
import { type Company, given } from '../../harness/given.ts'
import { rule } from '../../harness/rule.ts'
import { assertNoCors, assertUnauthorized, callAt, openShop, origin, used } from './shop.ts'

function list(headers: Record<string, string>, method = 'POST') {
  return send('/v1/orders/get_list.php', { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })
}

const from = (company: Company, headers: Record<string, string>) => list({ Authorization: company.key, ...headers })

/** The status line of the response to a request whose header is sent byte for byte; fetch would normalize it. */
function statusOf(authorization: string): Promise<string> {
  const { hostname, port, host } = new URL(url())
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const head = [
        'POST /v1/orders/get_list.php HTTP/1.1',
        `Host: ${host}`,
        `Authorization:${authorization}`,
        'Content-Length: 2',
      ]
      socket.write([...head, 'Connection: close', '', '{}'].join('\r\n'))
    })
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer.split('\r\n')[0] ?? ''))
    socket.on('error', reject)
  })
}

rule('key.bare', async () => {
  const company = await given.company()
  assert.equal((await list({ Authorization: company.key })).status, 200)
  for (const word of ['Bearer', 'bearer', 'Basic', 'Token', 'ApiKey', 'key']) {
    assertUnauthorized(await list({ Authorization: `${word} ${company.key}` }))
  }
  assertUnauthorized(await list({ Authorization: 'Bearer x' }))
})

rule('key.trimmed', async () => {
  const { key } = await given.company()
  for (const spelling of [key, `   ${key}`, ` ${key}   `, `\t${key}\t`, ` \t ${key} \t `]) {
    assert.equal(await statusOf(spelling), 'HTTP/1.1 200 OK', JSON.stringify(spelling))
  }
})

rule('key.all-methods', async () => {
  const { company, sale } = await openShop()
  const calls: [string, unknown][] = [
    ['orders/add', sale()],
    ['orders/edit', { order_id: 1 }],
    ['orders/update_status', { order_id: 1, status: 1 }],
    ['orders/update_payment', { order_id: 1, status: 1 }],
    ['orders/get_list', {}],
    ['orders/get_entry', { order_id: 1 }],
    ['orders/delete', { order_id: 1 }],
  ]
  for (const [path, body] of calls) assert.equal((await company.call(path, body)).status, 200, path)
})

rule('key.missing', async () => {
  assertUnauthorized(await list({}))
  assertUnauthorized(await list({ Authorization: '' }))
})

rule('key.invalid', async () => {
  const { key } = await given.company()
  const last = key.endsWith('0') ? '1' : '0'
  for (const wrong of [
    'x',
    '0',
    'null',
    key.slice(0, -1),
    `${key.slice(0, -1)}${last}`,
    `${key}0`,
    `${key} ${key}`,
    `"${key}"`,
  ]) {
    assertUnauthorized(await list({ Authorization: wrong }))
  }
})

rule('key.invalid', 'a well-formed key that was never issued', async () => {
  const { id, key } = await given.company()
  await query(id, 'delete from api_keys where company_id = $1', [id])
  assertUnauthorized(await list({ Authorization: key }))
})

rule('key.live', 'a revoked key is refused at once, even in a process that has just used it', async () => {
  const company = await given.company()
  assert.equal((await company.call('orders/get_list')).status, 200)
  await query(company.id, 'update api_keys set revoked_at = now() where company_id = $1', [company.id])
  assertUnauthorized(await company.call('orders/get_list'))
  assertUnauthorized(await company.call('orders/add', {}))
  assert.equal(await used(company), 1)
})

rule('key.live', 'an expired key is refused, one that has not expired yet is accepted', async () => {
  const company = await given.company()
  const expire = (when: string) =>
    query(company.id, 'update api_keys set expires_at = now() + $2::interval where company_id = $1', [company.id, when])
  await expire('1 hour')
  assert.equal((await company.call('orders/get_list')).status, 200)
  await expire('-1 second')
  assertUnauthorized(await company.call('orders/get_list'))
})

rule('answer.401', async () => {
  const company = await given.company()
  const replies = [
    await list({}),
    await list({ Authorization: 'nonsense' }),
    await from(company, { Origin: 'https://elsewhere.example' }),
    await from(company, { 'Sec-Fetch-Site': 'cross-site' }),
  ]
  for (const reply of replies) {
    assertUnauthorized(reply)
    assert.match(reply.headers.get('content-length') ?? '0', /^0$/)
  }
})

rule('answer.key-hint', async () => {
  const company = await given.company()
  const hint = 'ApiKey realm="Send the API key alone, without Bearer"'
  const replies = [
    await list({}),
    await list({ Authorization: 'nonsense' }),
    await list({ Authorization: `Bearer ${company.key}` }),
    await from(company, { Origin: 'https://elsewhere.example' }),
  ]
  for (const reply of replies) {
    assertUnauthorized(reply)
    assert.equal(reply.headers.get('www-authenticate'), hint)
  }
  assert.equal((await from(company, {})).headers.get('www-authenticate'), null)
})

rule('origin.foreign', async () => {
  const company = await given.company()
  const { hostname, port } = new URL(url())
  const foreign = [
    'https://elsewhere.example',
    'null',
    `http://${hostname}:${Number(port) === 1 ? 2 : 1}`, // another port
    `http://${hostname}`,
    `http://sub.${hostname}:${port}`,
    `http://${hostname}:${port}.elsewhere.example`,
  ]
  for (const one of foreign) assertUnauthorized(await from(company, { Origin: one }))
})

rule('origin.own', async () => {
  const company = await given.company()
  assert.equal((await from(company, { Origin: origin() })).status, 200)
  assert.equal((await from(company, { Origin: origin(), 'Sec-Fetch-Site': 'same-origin' })).status, 200)
  assert.equal((await from(company, { 'Sec-Fetch-Site': 'none' })).status, 200)
})

rule('origin.own', 'behind a proxy the configured origin is the only one', async () => {
  const company = await given.company()
  const server = await startServer({ PUBLIC_ORIGIN: 'https://kontor.example' })
  try {
    const at = (from: string) => callAt(server.url, company.key, 'orders/get_list', {}, { Origin: from })
    assert.equal((await at('https://kontor.example')).status, 200)
    for (const foreign of [
      new URL(server.url).origin,
      'http://kontor.example',
      'https://kontor.example:8443',
      'https://a.kontor.example',
    ]) {
      assertUnauthorized(await at(foreign))
    }
  } finally {
    await server.stop()
  }
})

rule('origin.sec-fetch-site', async () => {
  const company = await given.company()
  for (const site of ['cross-site', 'same-site']) {
    assertUnauthorized(await from(company, { 'Sec-Fetch-Site': site }))
    assertUnauthorized(await from(company, { 'Sec-Fetch-Site': site, Origin: origin() }))
  }
})

rule('origin.no-cors', async () => {
  const company = await given.company()
  const preflight = {
    Origin: 'https://elsewhere.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  }
  assertUnauthorized(await list(preflight, 'OPTIONS'))
  assertUnauthorized(await list({ ...preflight, Authorization: company.key }, 'OPTIONS'))
  for (const one of [origin(), 'https://elsewhere.example', 'null']) {
    assertNoCors(await from(company, { Origin: one }))
    assertNoCors(await list({ Origin: one }))
  }
})

rule('answer.request-id', async () => {
  const { company, sale } = await openShop()
  const replies = [
    await list({}),
    await list({ Authorization: 'nonsense' }),
    await from(company, { Origin: 'https://elsewhere.example' }),
    await company.call('orders/no_such_method'),
    await list({ Authorization: company.key }, 'GET'),
    await send('/v1/orders/add.php', { method: 'POST', headers: { Authorization: company.key }, body: '{' }),
    await company.call('orders/add', {}),
    await company.call('orders/add', sale()),
    await company.call('orders/get_list'),
  ]
  assert.deepEqual(
    replies.map((reply) => reply.status),
    [401, 401, 401, 404, 405, 400, 400, 200, 200],
  )
  const ids = replies.map((reply) => reply.headers.get('x-request-id') ?? '')
  for (const id of ids) assert.notEqual(id, '')
  assert.equal(new Set(ids).size, replies.length)
})
