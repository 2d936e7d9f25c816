// What clients see when the service stops: no request is cut off, and nothing that arrives on an open connection is lost.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startServer } from '../harness/app.ts'
import { given } from '../harness/given.ts'
import { until } from '../harness/until.ts'

type Client = {
  /** Responses so far. */
  answered: number
  /** The last response announced that the connection will be closed. */
  isDismissed: boolean
  /** Set when the connection was closed: whether a request was under way. */
  cutOff: boolean | undefined
}

/** Sends requests on one connection, each as soon as the one before it is answered, until the server closes it. */
function keepAsking(url: string, key: string): Client {
  const client: Client = { answered: 0, isDismissed: false, cutOff: undefined }
  const request = `POST /v1/units/get_list.php HTTP/1.1\r\nHost: kontor\r\nAuthorization: ${key}\r\nContent-Length: 2\r\n\r\n{}`
  let received = ''
  let isWaiting = true
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request))
  socket.on('data', (chunk) => {
    received += chunk.toString()
    const [head = '', body] = received.split('\r\n\r\n')
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
    if (body === undefined || body.length < length) return
    received = ''
    isWaiting = false
    client.answered++
    client.isDismissed = /^connection: close/im.test(head)
    if (client.isDismissed) return
    isWaiting = true
    socket.write(request)
  })
  // A reset; the connection is closed after it.
  socket.on('error', () => {})
  socket.on('close', () => {
    client.cutOff = isWaiting
  })
  return client
}

for (const [workers, signal] of [
  ['1', 'SIGTERM'],
  ['4', 'SIGTERM'],
  ['2', 'SIGHUP'],
] as const) {
  test(`${signal}, ${workers} workers: every request on an open connection is answered, the last one with Connection: close`, async (context) => {
    const server = await startServer({ WORKERS: workers })
    context.after(() => server.stop('SIGKILL'))
    const { key } = await given.company({ daily_limit: 1_000_000 })
    const clients = Array.from({ length: 60 }, () => keepAsking(server.url, key))
    await until(() => clients.every(({ answered }) => answered > 3))
    await server.stop(signal)
    await until(() => clients.every(({ cutOff }) => cutOff !== undefined))
    assert.deepEqual(
      clients.filter(({ isDismissed, cutOff }) => cutOff || !isDismissed),
      [],
    )
    assert.match(server.output(), new RegExp(`"signal":"${signal}","msg":"stopping"`))
  })
}

test('a connection that is unused while the service stops is closed, and does not delay it for long', async (context) => {
  const server = await startServer()
  context.after(() => server.stop('SIGKILL'))
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  await server.stop()
  await closed
  assert.match(server.output(), /"msg":"stopping"/)
  assert.doesNotMatch(server.output(), /took too long/)
})
