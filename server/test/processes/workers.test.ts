// Several processes on one port: what happens to connections when one of them dies.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '../harness/app.ts'
import { workersOf } from '../harness/processes.ts'
import { until } from '../harness/until.ts'

/** Sends a request on a new connection: answered, closed, or neither within a minute. */
function ask(port: number): Promise<'answered' | 'closed' | 'left hanging'> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /healthz HTTP/1.1\r\nHost: kontor\r\nConnection: close\r\n\r\n'),
    )
    const end = (how: 'answered' | 'closed' | 'left hanging') => {
      clearTimeout(timer)
      socket.destroy()
      resolve(how)
    }
    const timer = setTimeout(() => end('left hanging'), 60_000)
    socket.once('data', () => end('answered'))
    socket.once('error', () => end('closed'))
    socket.once('close', () => end('closed'))
  })
}

test('a connection being handed to a process that dies is closed, not left hanging', async (context) => {
  const server = await startServer({ WORKERS: '2' })
  context.after(() => server.stop())
  const port = Number(new URL(server.url).port)
  await until(() => server.output().split('"msg":"listening"').length > 2)
  const [dying = 0] = workersOf(server.pid)
  process.kill(dying, 'SIGSTOP')
  const asked = Array.from({ length: 8 }, () => ask(port))
  // Time to reach the stopped process: from outside it cannot be seen when a connection has.
  await sleep(1_000)
  process.kill(dying, 'SIGKILL')
  const outcomes = await Promise.all(asked)
  assert.ok(outcomes.includes('closed'), `no connection was being handed over: ${outcomes.join(', ')}`)
  assert.ok(!outcomes.includes('left hanging'), outcomes.join(', '))
})
