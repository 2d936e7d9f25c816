// How the body of a request is read.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { CallerGone } from '../process/faults.ts'
import { Bodies } from './bodies.ts'

const head = (length: number): string => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`

/** Sends the texts one after the other; `work` gets the request when its headers have arrived. */
async function request<T>(texts: readonly string[], work: (message: IncomingMessage) => Promise<T>): Promise<T> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  try {
    const arrived = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>
    const result = arrived.then(([message]) => work(message))
    for (const text of texts) {
      socket.write(text)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return await result
  } finally {
    socket.destroy()
    server.close()
  }
}

const bodies = new Bodies(1024 * 1024)

for (const [what, texts, listens] of [
  ['together with the headers', [`${head(7)}{"a":1}`], false],
  ['later than the headers', [head(7), '{"a"', ':1}'], true],
] as const) {
  test(`a body that arrives ${what} is read ${listens ? 'as it arrives' : 'at once, without listeners'}`, async () => {
    await request(texts, async (message) => {
      const listeners: unknown[] = []
      message.on('newListener', (name) => listeners.push(name))
      const body = await bodies.receive(message, 1, 1_000)
      assert.deepEqual(body.content, { a: 1 })
      assert.equal(listeners.includes('data'), listens)
      body.release()
    })
  })
}

test('a caller that goes away while its body is expected is noticed', async () => {
  await request([head(7)], async (message) => {
    const body = bodies.receive(message, 1, 1_000)
    message.destroy()
    await assert.rejects(body, CallerGone)
  })
  assert.equal(bodies.bytesInUse, 0)
})
