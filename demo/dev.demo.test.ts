// `npm run dev` as a developer runs it: one address, a restart when a server file changes, and no process left running.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { methodPath, screensPrefix } from '../server/platform/http/paths.ts'
import { createDatabase } from '../server/platform/postgres/migrate.ts'
import { isListening, waitUntil } from '../server/test/docs/newcomer/clean-clone.ts'
import { databaseUrl } from '../server/test/harness/database.ts'
import { demoEnvironment } from '../server/test/harness/running-demo.ts'
import { freePort } from './ports.ts'

const root = join(import.meta.dirname, '..')
const firstPageMs = 15_000
// A busy machine delays every start; the time is then not meaningful.
const isBusy = (loadavg()[0] ?? 0) > 2 * availableParallelism()

const name = `kontor_dev_${randomBytes(6).toString('hex')}`
const database = Object.assign(new URL(databaseUrl()), { pathname: `/${name}` }).href
const folder = mkdtempSync(join(tmpdir(), 'kontor-dev-'))

before(() => createDatabase(database))
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.end()
})

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

async function startDev(port: number) {
  const began = performance.now()
  const child = spawn('npm', ['run', '-s', 'dev', '--', '--days', '2', '--folder', folder], {
    cwd: root,
    detached: true,
    env: demoEnvironment({ PORT: String(port), DATABASE_URL: database }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const group = child.pid ?? assert.fail('npm did not start')
  let output = ''
  const read = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  let hasEnded = false
  child.once('exit', () => {
    hasEnded = true
  })
  process.once('exit', () => isAlive(group) && process.kill(-group, 'SIGKILL'))
  await waitUntil(
    () => hasEnded || output.includes('Ctrl+C stops it.'),
    () => output,
  )
  assert.equal(hasEnded, false, output)
  return {
    ms: performance.now() - began,
    output: () => output,
    /** To npm alone, as a process manager would. */
    end: async (): Promise<void> => {
      child.kill('SIGTERM')
      await waitUntil(
        () => hasEnded && !isAlive(group),
        () => `processes of npm run dev are left:\n${output}`,
      )
    },
  }
}

const serverProcesses = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => line.includes('"msg":"listening"'))
    .map((line) => String(JSON.parse(line).pid))

test('npm run dev: one address for screens and API, a restart on change, nothing left', async (context) => {
  const port = await freePort()
  const first = await startDev(port)
  const origin = `http://localhost:${port}`
  const printed = (pattern: RegExp): string => pattern.exec(first.output())?.[1] ?? assert.fail(first.output())
  assert.equal(printed(/Open +(\S+)/), origin)
  // The page with hot reload, the URL of a screen, and a source module of the screens.
  for (const path of ['/', '/sales'])
    assert.match(await (await fetch(`http://127.0.0.1:${port}${path}`)).text(), /@vite\/client/, path)
  const signIn = await fetch(`http://127.0.0.1:${port}${screensPrefix}session/sign_in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` },
    body: JSON.stringify({ email: printed(/as owner +(\S+)/), password: printed(/Password +(\S+)/) }),
  })
  assert.equal(signIn.status, 200, await signIn.text())
  const products = async (): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${methodPath('products/get_list')}`, {
      method: 'POST',
      headers: { authorization: printed(/API key +(\S+)/), 'content-type': 'application/json' },
      body: '{"limit": 1}',
    })
    await response.arrayBuffer()
    return response.status
  }
  assert.equal(await products(), 200)

  const now = new Date()
  utimesSync(join(root, 'server', 'main.ts'), now, now)
  await waitUntil(
    () => new Set(serverProcesses(first.output())).size === 2,
    () => first.output(),
  )
  assert.match(first.output(), /^server\/main\.ts changed: restarting the server$/m)
  await waitUntil(
    async () => (await products()) === 200,
    () => first.output(),
  )
  await first.end()
  assert.equal(await isListening(port), false)

  const second = await startDev(port)
  try {
    context.diagnostic(`first page with existing data after ${Math.round(second.ms)} ms`)
    if (!isBusy) assert.ok(second.ms < firstPageMs, `ready after ${Math.round(second.ms)} ms`)
    assert.doesNotMatch(second.output(), /Making the data/)
  } finally {
    await second.end()
  }
})
