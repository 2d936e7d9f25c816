// The README's own commands, run as they are written there on a database that does not exist yet.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')

test('the README installs with npm ci, which CI runs as its first step', () => {
  assert.equal(blocks[0], 'npm ci\n')
  assert.match(readFileSync(`${root}.ci/run`, 'utf8'), /^npm ci\b/m)
})

test('the commands of the README start the service on a fresh database, and its curl creates and reads a sale', async () => {
  const name = `kontor_readme_${process.pid}`
  const database = `postgres://postgres@127.0.0.1:5432/${name}`
  // Whatever else runs on this machine: the README says 8080, so 8080 must be free.
  const script = `set -e\n${blocks.slice(1).join('\necho ----\n')}`
  const child = spawn('bash', ['-c', script], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: database, METRICS_PORT: '0' },
  })
  let out = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  try {
    assert.equal(code, 0, `${out}\n${errors}`)
    const [, added = '', read = ''] = out.split('----\n')
    const answer = (text: string) => JSON.parse(text.split('\n').find((line) => line.startsWith('{"success"')) ?? '{}')
    const shown = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    assert.deepEqual(answer(added), JSON.parse(shown))
    assert.equal(answer(read).order.num, 'A-1007')
    assert.equal(answer(read).order.total, 498)
  } finally {
    // The server was left running in the background, as the README does it.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    execFileSync('psql', [
      '-q',
      '-h',
      '127.0.0.1',
      '-U',
      'postgres',
      '-c',
      `drop database if exists ${name} with (force)`,
    ])
  }
})
