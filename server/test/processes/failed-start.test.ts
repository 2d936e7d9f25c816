// A service that cannot start says why and ends, with everything that it had started. Workers that end at every start are started less and less often.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startServer } from '../harness/app.ts'
import { kontor } from '../harness/command-line.ts'
import { isAlive } from '../harness/processes.ts'
import { until } from '../harness/until.ts'

/** A port of this machine that is in use. */
async function takenPort(context: TestContext): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  return String((server.address() as AddressInfo).port)
}

/** The processes that were started with this text in their environment. */
const processesWith = (marker: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(marker) && isAlive(pid)
      } catch {
        // It has ended, or belongs to another user.
        return false
      }
    })

/** Variables with which workers cannot start while `folder` contains the file `broken`. */
function brokenWorkers(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-start-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const broken = join(folder, 'broken')
  const script = join(folder, 'start.mjs')
  const isBroken = `process.env.LISTENING_ADDRESS !== undefined && existsSync('${broken}')`
  writeFileSync(script, `import { existsSync } from 'node:fs'\nif (${isBroken}) throw new Error('planted error')\n`)
  return { env: { NODE_OPTIONS: `--import=${script}` }, breakWorkers: () => writeFileSync(broken, '') }
}

for (const workers of ['1', '2']) {
  for (const variable of ['PORT', 'METRICS_PORT']) {
    test(`${variable} in use, ${workers} workers: the service says so and ends`, async (context) => {
      const port = await takenPort(context)
      const marker = randomUUID()
      const env = { PORT: '0', METRICS_PORT: '0', WORKERS: workers, [variable]: port, KONTOR_TEST_MARKER: marker }
      const { code, errors } = await kontor(['serve'], env)
      assert.equal(code, 1)
      assert.match(
        errors,
        new RegExp(`^kontor: listen EADDRINUSE: address already in use 127.0.0.1:${port}\nThe port is in use`),
      )
      assert.deepEqual(processesWith(marker), [])
    })
  }
}

test('a worker that cannot start prevents the start, and the others end', async (context) => {
  const { env, breakWorkers } = brokenWorkers(context)
  breakWorkers()
  const marker = randomUUID()
  const { code, errors } = await kontor(['serve'], {
    PORT: '0',
    METRICS_PORT: '0',
    WORKERS: '2',
    KONTOR_TEST_MARKER: marker,
    ...env,
  })
  assert.equal(code, 1)
  assert.match(errors, /^Error: planted error$/m)
  assert.match(errors, /^kontor: a server process ended with 1 while it was starting$/m)
  assert.deepEqual(processesWith(marker), [])
})

test('a worker that ends at every start is started again after longer and longer pauses', async (context) => {
  const { env, breakWorkers } = brokenWorkers(context)
  const server = await startServer({ WORKERS: '2', ...env })
  context.after(() => server.stop())
  await until(() => server.output().split('"msg":"listening"').length > 2)
  breakWorkers()
  const [, pid] = /"pid":(\d+)[^\n]*"msg":"listening"/.exec(server.output()) ?? []
  process.kill(Number(pid), 'SIGKILL')
  await until(() => server.output().includes('"pauseMs":2000'))
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
})
