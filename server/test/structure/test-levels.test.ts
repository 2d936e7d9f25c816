// Tests of the gate are right or wrong however fast the machine is: they measure no durations, and wait for conditions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partOf } from '../runner/levels.ts'
import { readTree, type SourceFile } from './architecture.ts'

/** A pause is part of what these do, not a wait for something. */
const pauses: Readonly<Record<string, string>> = {
  'server/platform/http/hang-up.test.ts': 'closes connections after a moment',
  'server/platform/postgres/migrate.test.ts': 'sends requests at intervals while a migration waits',
  'server/platform/requests/bodies.test.ts': 'sends a body in pieces',
  'server/test/conformance/request/slow-bodies.test.ts': 'sends a body in pieces',
  'server/test/processes/workers.test.ts': 'a connection has reached a stopped process when nothing shows it',
  'server/test/structure/architecture.test.ts': 'contains samples of source',
  'server/test/runner/runner.test.ts': 'contains the source of a test that takes too long',
  'clients/typescript/src/retries.test.ts': 'aborts after an attempt has begun',
}

const measures =
  /performance\.now\(\) *[-<>]|[-<>] *performance\.now\(\)|Date\.now\(\) *[-<>] *\w*(?:start|began|before)/i
const waits = /\bsleep\(|\bsetTimeout\((?!resolve, 0\))/

function complaintsAbout({ path, text }: SourceFile): string[] {
  const lines = text.split('\n').map((line, at) => ({ line, where: `${path}:${at + 1}` }))
  return lines.flatMap(({ line, where }) => [
    ...(measures.test(line) ? [`${where} measures a duration`] : []),
    ...(waits.test(line) && !(path in pauses) ? [`${where} waits for a time; use until`] : []),
  ])
}

const isPlain = (path: string): boolean => path.endsWith('.test.ts') && partOf(path) === undefined

test('no test of the gate measures a duration or waits for a time', () => {
  const files = readTree(['.ts']).filter(({ path }) => isPlain(path) && !path.endsWith('test-levels.test.ts'))
  assert.ok(files.length > 200)
  assert.deepEqual(files.flatMap(complaintsAbout), [])
})

test('a test that does either is noticed', () => {
  const about = (text: string) => complaintsAbout({ path: 'server/some.test.ts', text }).length
  for (const text of [
    'assert.ok(performance.now() - started < 100)',
    'while (Date.now() < startedAt + 5) {}',
    'await sleep(100)',
    'await new Promise((resolve) => setTimeout(resolve, 50))',
  ])
    assert.equal(about(text), 1, text)
  assert.equal(about('const day = new Date(Date.now() - back * 86_400_000)'), 0)
})
