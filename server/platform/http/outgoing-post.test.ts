// Requests to addresses that companies enter: none reaches an address that is not public, in whatever way it is written or resolved.
// Long because of the table of addresses.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { addressRefused, OutgoingPosts, type Resolve } from './outgoing-post.ts'
import { AddressPolicy, isPublicAddress } from './public-address.ts'

const strict = new AddressPolicy()

/** Refused when they are entered. */
const refusedUrls: readonly (readonly [url: string, why: string])[] = [
  ['https://127.0.0.1/', 'loopback'],
  ['https://127.1/', 'shortened'],
  ['https://127.0.1/', 'shortened'],
  ['https://2130706433/', 'decimal'],
  ['https://0x7f000001/', 'hexadecimal'],
  ['https://0x7f.0.0.1/', 'hexadecimal part'],
  ['https://017700000001/', 'octal'],
  ['https://0177.0.0.1/', 'octal part'],
  ['https://127.0.0.1./', 'with a dot at the end'],
  ['https://１２７.０.０.１/', 'full-width digits'],
  ['https://127。0。0。1/', 'ideographic full stops'],
  ['https://127.255.255.254/', 'end of loopback'],
  ['https://0.0.0.0/', 'this machine'],
  ['https://0/', 'this machine, shortened'],
  ['https://0.1.2.3/', 'this network'],
  ['https://10.0.0.1/', 'private'],
  ['https://10.255.255.255/', 'private'],
  ['https://0x0a000001/', 'private, hexadecimal'],
  ['https://172.16.0.1/', 'private'],
  ['https://172.31.255.255/', 'private'],
  ['https://192.168.0.1/', 'private'],
  ['https://3232235521/', 'private, decimal'],
  ['https://169.254.169.254/latest/meta-data/', 'metadata'],
  ['https://0xa9fea9fe/', 'metadata, hexadecimal'],
  ['https://169.254.170.2/', 'metadata of containers'],
  ['https://100.64.0.1/', 'carrier-grade NAT'],
  ['https://100.100.100.200/', 'metadata in carrier-grade NAT'],
  ['https://100.127.255.255/', 'end of carrier-grade NAT'],
  ['https://192.0.0.192/', 'metadata in protocol assignments'],
  ['https://192.0.2.1/', 'documentation'],
  ['https://198.51.100.1/', 'documentation'],
  ['https://203.0.113.1/', 'documentation'],
  ['https://198.18.0.1/', 'benchmarks'],
  ['https://198.19.255.255/', 'benchmarks'],
  ['https://192.88.99.1/', '6to4 relay'],
  ['https://224.0.0.1/', 'multicast'],
  ['https://239.255.255.255/', 'multicast'],
  ['https://240.0.0.1/', 'reserved'],
  ['https://255.255.255.255/', 'broadcast'],
  ['https://[::1]/', 'loopback'],
  ['https://[::]/', 'unspecified'],
  ['https://[0:0:0:0:0:0:0:1]/', 'loopback, written out'],
  ['https://[::ffff:127.0.0.1]/', 'mapped'],
  ['https://[::ffff:7f00:1]/', 'mapped, hexadecimal'],
  ['https://[::ffff:8.8.8.8]/', 'mapped public address'],
  ['https://[0:0:0:0:0:ffff:a9fe:a9fe]/', 'mapped metadata'],
  ['https://[::127.0.0.1]/', 'compatible'],
  ['https://[::ffff:0:127.0.0.1]/', 'translated'],
  ['https://[64:ff9b::127.0.0.1]/', 'NAT64'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'NAT64 metadata'],
  ['https://[64:ff9b:1::1]/', 'local NAT64'],
  ['https://[2002:7f00:1::]/', '6to4 of loopback'],
  ['https://[2002:a9fe:a9fe::1]/', '6to4 of metadata'],
  ['https://[2001::1]/', 'Teredo'],
  ['https://[2001:db8::1]/', 'documentation'],
  ['https://[3fff::1]/', 'documentation'],
  ['https://[fe80::1]/', 'link-local'],
  ['https://[febf::1]/', 'link-local'],
  ['https://[fec0::1]/', 'site-local'],
  ['https://[fc00::1]/', 'unique local'],
  ['https://[fd00:ec2::254]/', 'metadata, unique local'],
  ['https://[ff02::1]/', 'multicast'],
  ['https://[100::1]/', 'discarded'],
  ['https://[5f00::1]/', 'segment routing'],
  ['https://[fe80::1%25eth0]/', 'with a zone'],
  ['https://user@8.8.8.8/', 'user name'],
  ['https://:secret@8.8.8.8/', 'password'],
  ['https://shop.example@127.0.0.1/', 'name as user name'],
  ['http://8.8.8.8/', 'not https'],
  ['http://shop.example/', 'not https'],
  ['ftp://shop.example/', 'another scheme'],
  ['file:///etc/passwd', 'a file'],
  ['gopher://shop.example/', 'another scheme'],
  ['javascript:alert(1)', 'no address'],
  ['https://', 'no host'],
  ['shop.example', 'no scheme'],
  ['https://shop.example:80/', 'another port'],
  ['https://shop.example:22/', 'another port'],
  ['https://8.8.8.8:5432/', 'another port'],
  ['https://shop.example:65536/', 'no port'],
]

for (const [url, why] of refusedUrls) {
  test(`${url} is refused: ${why}`, async () => {
    assert.notEqual(strict.problemOf(url), undefined)
    const posts = new OutgoingPosts({ policy: strict, timeoutMs: 1_000, resolve: async () => ['8.8.8.8'] })
    const { error, status } = await posts.post(url, {}, '{}', new AbortController().signal)
    assert.deepEqual([error, status], [addressRefused, undefined])
  })
}

test('public addresses and names are accepted', () => {
  for (const url of [
    'https://shop.example/webhooks?shop=1',
    'https://shop.example:8443/',
    'https://SHOP.example:443/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700::1111]/',
    'https://münchen.example/',
  ])
    assert.equal(strict.problemOf(url), undefined, url)
  assert.ok(isPublicAddress('172.32.0.1') && isPublicAddress('100.128.0.1') && isPublicAddress('11.0.0.1'))
  assert.ok(!isPublicAddress('shop.example') && !isPublicAddress(''))
})

/** Names, and the addresses that a name server of the attacker returns for them. */
const refusedNames: readonly (readonly [name: string, ...addresses: string[]])[] = [
  ['localhost', '127.0.0.1'],
  ['localhost.', '::1'],
  ['metadata.google.internal', '169.254.169.254'],
  ['127.0.0.1.nip.example', '127.0.0.1'],
  ['internal.shop.example', '10.1.2.3'],
  ['six.shop.example', 'fd00::1'],
  ['mapped.shop.example', '::ffff:127.0.0.1'],
  ['mapped-hex.shop.example', '::ffff:7f00:1'],
  ['nat64.shop.example', '64:ff9b::7f00:1'],
  ['zone.shop.example', 'fe80::1%lo'],
  ['one-of-two.shop.example', '8.8.8.8', '127.0.0.1'],
  ['six-of-two.shop.example', '8.8.8.8', '::1'],
  ['nothing.shop.example'],
  ['no-address.shop.example', 'another.shop.example'],
]

const connections: string[] = []
const server = createServer((request, response) => {
  connections.push(request.url ?? '')
  response.end('reached')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
after(() => {
  server.closeAllConnections()
  server.close()
})

for (const [name, ...addresses] of refusedNames) {
  test(`${name} is refused when it resolves to ${addresses.join(', ') || 'nothing'}`, async () => {
    const posts = new OutgoingPosts({ policy: strict, timeoutMs: 2_000, resolve: async () => addresses })
    const { error, status } = await posts.post(`https://${name}/`, {}, '{}', new AbortController().signal)
    assert.deepEqual([error, status], [addressRefused, undefined])
  })
}

const open = new AddressPolicy('127.0.0.0/8', true)

test('a name that changes its address between two requests does not reach the second one', async () => {
  const asked: string[] = []
  // The first answer is allowed, every later one is not: a check before the connection would have used up the first.
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname)
    return [asked.length === 1 ? '127.0.0.1' : '10.0.0.1']
  }
  const posts = new OutgoingPosts({ policy: open, timeoutMs: 2_000, resolve })
  after(() => posts.close())
  const url = `http://rebinding.example:${port}/rebinding`
  const first = await posts.post(url, { connection: 'close' }, '{}', new AbortController().signal)
  assert.deepEqual([first.status, first.response], [200, 'reached'])
  assert.equal(asked.length, 1, 'resolved once, by the socket itself')
  const second = await posts.post(url, { connection: 'close' }, '{}', new AbortController().signal)
  assert.deepEqual([second.status, second.error, asked.length], [undefined, addressRefused, 2])
  assert.equal(connections.filter((path) => path === '/rebinding').length, 1)
})

test('a name at another port, or without TLS, must be in an allowed network', async () => {
  const posts = new OutgoingPosts({ policy: open, timeoutMs: 2_000, resolve: async () => ['8.8.8.8'] })
  for (const url of [`https://shop.example:${port}/`, 'http://shop.example/', 'https://shop.example:22/']) {
    assert.equal(open.problemOf(url), undefined, url)
    const { error } = await posts.post(url, {}, '{}', new AbortController().signal)
    assert.equal(error, addressRefused, url)
  }
  assert.equal(open.problemOf('http://10.0.0.1/'), 'port')
  assert.equal(open.problemOf('https://10.0.0.1/'), 'address')
  assert.equal(new AddressPolicy('127.0.0.0/8').problemOf(`http://127.0.0.1:${port}/`), 'malformed')
})

test('a redirect is not followed', async (context) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const redirecting = createServer((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/redirected` }).end()
    })
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
    const posts = new OutgoingPosts({ policy: open, timeoutMs: 2_000 })
    context.after(() => {
      posts.close()
      redirecting.close()
    })
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`
    const result = await posts.post(url, {}, '{}', new AbortController().signal)
    assert.equal(result.status, status)
  }
  assert.ok(!connections.includes('/redirected'))
})

test('a response that never begins or never ends is a failure', async (context) => {
  const silent = createServer((request, response) => {
    if (request.url === '/begun') response.writeHead(200).write('.')
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const posts = new OutgoingPosts({ policy: open, timeoutMs: 100 })
  context.after(() => {
    posts.close()
    silent.closeAllConnections()
    silent.close()
  })
  for (const path of ['/none', '/begun']) {
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}${path}`
    const { error, status } = await posts.post(url, {}, '{}', new AbortController().signal)
    assert.deepEqual([error, status], ['No complete response within 0.1 seconds', undefined], path)
  }
})

test('an https address whose server has no valid certificate fails', async () => {
  const posts = new OutgoingPosts({ policy: open, timeoutMs: 2_000 })
  const { error, status } = await posts.post(`https://127.0.0.1:${port}/`, {}, '{}', new AbortController().signal)
  assert.equal(status, undefined)
  assert.match(error ?? '', /TLS connection failed|closed before a response|request failed/)
})
