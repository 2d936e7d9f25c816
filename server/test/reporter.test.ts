// The reporter of test runs: timings are printed before the runner's closing lines, which remain the last output.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addTiming, lastPartVariable, readTimings, timingsText, timingsVariable } from './timings.ts'

const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url))

/** The output of a run of two small files, the second failing, and the timings it records. */
function runOf(more: (path: string) => Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-reporter-'))
  try {
    const path = join(folder, 'timings')
    addTiming(path, { part: 'lint', seconds: 12.34 })
    const files = ['quick', 'slow'].map((name) => join(folder, `${name}.test.mjs`))
    for (const file of files) {
      const body = file.includes('slow')
        ? `await new Promise((resolve) => setTimeout(resolve, 200)); throw new Error('red')`
        : `if (process.env.${timingsVariable} !== undefined || process.env.${lastPartVariable} !== undefined) throw new Error('handed on')`
      writeFileSync(file, `import { test } from 'node:test'\ntest('one', async () => { ${body} })\n`)
    }
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_TEST_CONTEXT'))
    const { stdout, status } = spawnSync(process.execPath, ['--test', `--test-reporter=${reporter}`, ...files], {
      env: { ...env, ...more(path) },
      encoding: 'utf8',
    })
    return { stdout, status, kept: readTimings(path) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the last part of a run shows all parts and the slowest files before the closing lines', () => {
  const { stdout, status, kept } = runOf((path) => ({ [timingsVariable]: path, [lastPartVariable]: 'timed tests' }))
  assert.equal(status, 1)
  const at = (text: string): number => {
    assert.ok(stdout.includes(text), `"${text}" is not in:\n${stdout}`)
    return stdout.indexOf(text)
  }
  const order = ['✖ one', 'Duration of each part:', '12.3 s  lint', ' s  timed tests', 'The 2 slowest test files:']
  const places = [...order, 'slow.test.mjs\n', 'quick.test.mjs\n', 'ℹ tests 2', 'ℹ pass 1', 'ℹ fail 1'].map(at)
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  assert.ok(!stdout.slice(at('ℹ tests 2')).includes('Duration of each part:'))
  assert.equal(kept.length, 4)
})

test('another part records its timings and prints nothing; a run by itself does neither', () => {
  const part = runOf((path) => ({ [timingsVariable]: path }))
  assert.ok(!part.stdout.includes('Duration of each part:'))
  assert.equal(part.kept.filter((one) => 'file' in one).length, 2)
  const alone = runOf(() => ({}))
  assert.ok(!alone.stdout.includes('Duration of each part:') && alone.stdout.includes('ℹ pass 1'))
  assert.equal(alone.kept.length, 1)
})

test('twenty files are printed, the slowest first', () => {
  const text = timingsText(Array.from({ length: 30 }, (_, at) => ({ file: `${at}.test.ts`, seconds: at })))
  const shown = text.split('\n').filter((line) => line.includes('.test.ts'))
  assert.equal(shown.length, 20)
  assert.match(shown[0] ?? '', /29\.0 s {2}29\.test\.ts$/)
})
