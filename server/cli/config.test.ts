// `kontor config check` as an operator runs it.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..')

const check = (env: Record<string, string>) =>
  spawnSync(process.execPath, ['server/cli.ts', 'config', 'check'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  })

test('config check prints every setting with its source, without passwords', () => {
  const { status, stdout, stderr } = check({
    DATABASE_URL: 'postgres://kontor:secret@db.example/kontor?password=secret',
    PORT: '8081',
    DATABASE_CONECTIONS: '4',
  })
  assert.equal(status, 0)
  assert.match(stdout, /^DATABASE_URL +postgres:\/\/kontor:\*\*\*@db\.example\/kontor\?\*\*\* +environment$/m)
  assert.match(stdout, /^PORT +8081 +environment$/m)
  assert.match(stdout, /^WORKERS +1 +default$/m)
  assert.match(stdout, /^PUBLIC_ORIGIN +not set$/m)
  assert.equal(stderr, 'kontor: DATABASE_CONECTIONS is not a setting of Kontor. Is DATABASE_CONNECTIONS meant?\n')
  assert.doesNotMatch(stdout, /secret/)
})

test('config check prints all problems and exits with 1', () => {
  const { status, stdout, stderr } = check({ PORT: 'x', WORKERS: '0', KONTOR_PORT: '1' })
  assert.deepEqual([status, stdout], [1, ''])
  assert.deepEqual(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.replace(/^kontor: (\w+) .*$/, '$1')),
    ['KONTOR_PORT', 'DATABASE_URL', 'PORT', 'WORKERS'],
  )
})
