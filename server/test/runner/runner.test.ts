// The test runner itself: a test that always fails fails the run, one that fails by chance is reported and does not, and both are in the counts.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventsVariable, readEvents, runningFiles, type TestEvent } from './events.ts'
import { everyTestFile, isInGate, partOf } from './levels.ts'
import { closingLines, failedFiles, flakyLines, outcomeOf } from './outcome.ts'
import { budgetWarning, timingsText } from './timings.ts'

const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kontor-runner-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let attempts = 0

/** The events and the output of one attempt at these files. */
function attempt(names: readonly string[]): { events: readonly TestEvent[]; output: string } {
  const path = join(folder, `events-${++attempts}`)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'NODE_TEST_CONTEXT'))
  const { stdout } = spawnSync(process.execPath, ['--test', `--test-reporter=${reporter}`, ...names], {
    cwd: folder,
    env: { ...env, [eventsVariable]: path },
    encoding: 'utf8',
  })
  // The reporter names files from the root of the repository.
  const events = readEvents(path).map((event) => ({ ...event, file: event.file.split('/').at(-1) ?? '' }))
  return { events, output: stdout }
}

const sources: Readonly<Record<string, string>> = {
  'good.test.mjs': `test('good', () => { if (process.env.${eventsVariable} !== undefined) throw new Error('handed on') })
    test('not here', (t) => t.skip('undecided: the machine was busy'))
    test('later', { todo: true }, () => { throw new Error('not yet') })`,
  'bad.test.mjs': `test('one', () => {}); test('always bad', () => { throw new Error('red') })
    test('never ends', { timeout: 20 }, () => new Promise((resolve) => setTimeout(resolve, 1_000)))`,
  // Declared by a function of another file, as the tests of rules are.
  'chance.test.mjs': `declare('bad at first', () => {
      if (existsSync('seen')) return
      writeFileSync('seen', '')
      throw new Error('by\\nchance')
    })`,
  'ends.test.mjs': 'process.exit(3)',
}
writeFileSync(
  join(folder, 'declare.mjs'),
  `import { test } from 'node:test'\nexport const declare = (name, work) => test(name, work)\n`,
)
for (const [name, text] of Object.entries(sources))
  writeFileSync(
    join(folder, name),
    `import { existsSync, writeFileSync } from 'node:fs'\nimport { test } from 'node:test'\nimport { declare } from './declare.mjs'\n${text}\n`,
  )
const files = Object.keys(sources)
const first = attempt(files)
const failed = failedFiles(files, first.events)
const again = attempt(failed)

test('every failed file is known, also one that ends before its tests', () => {
  assert.deepEqual(failed, ['bad.test.mjs', 'chance.test.mjs', 'ends.test.mjs'])
  assert.match(first.output, /✖ always bad/)
  assert.doesNotMatch(first.output, /ℹ tests/, 'the runner prints the closing lines')
})

test('a file that passes when repeated is reported and does not fail the run', () => {
  const only = outcomeOf(['good.test.mjs', 'chance.test.mjs'], first.events, again.events)
  assert.equal(only.passed, true)
  assert.deepEqual(flakyLines(only), ['flaky: chance.test.mjs: bad at first: by chance'])
})

test('a file that fails twice fails the run, and the counts are those of the last attempt', () => {
  const outcome = outcomeOf(files, first.events, again.events)
  assert.equal(outcome.passed, false)
  assert.deepEqual(
    outcome.failures.map(({ file, test: name }) => `${file} ${name}`),
    ['bad.test.mjs always bad', 'bad.test.mjs never ends', 'ends.test.mjs ends.test.mjs'],
  )
  assert.deepEqual(outcome.counts, { passed: 3, failed: 2, cancelled: 1, skipped: 1, todo: 1 })
  assert.equal(outcome.undecided, 1)
  assert.match(closingLines(outcome, 1.5), /ℹ tests 8\n.*\nℹ pass 3\nℹ fail 2\n[\s\S]*\nℹ duration_ms 1500$/)
})

const endedFile = (file: string, passed: boolean): TestEvent => ({ type: 'ended', file, passed, seconds: 1 })

test('more than three files that fail by chance fail the run', () => {
  const names = ['a', 'b', 'c', 'd']
  const events = (passed: boolean) => names.map((name) => endedFile(name, passed))
  assert.equal(outcomeOf(names, events(false), events(true)).passed, false)
  assert.equal(outcomeOf(names.slice(1), events(false), events(true)).passed, true)
})

test('a file that never ended has failed, and is among those that were running', () => {
  const events: TestEvent[] = [{ type: 'started', file: 'a' }, { type: 'started', file: 'b' }, endedFile('a', true)]
  assert.deepEqual(runningFiles(events), ['b'])
  assert.equal(outcomeOf(['a', 'b'], events).passed, false)
})

test('twenty files are printed, the slowest first, and over the budget a warning names the slowest', () => {
  const timings = Array.from({ length: 30 }, (_, at) => ({ file: `${at}.test.ts`, seconds: at }))
  const text = timingsText([{ part: 'lint', seconds: 12.34 }], timings)
  const shown = text.split('\n').filter((line) => line.includes('.test.ts'))
  assert.equal(shown.length, 20)
  assert.match(shown[0] ?? '', /29\.0 s {2}29\.test\.ts$/)
  assert.match(text, /12\.3 s {2}lint/)
  assert.equal(budgetWarning(1_200, timings), undefined)
  assert.match(budgetWarning(1_201, timings) ?? '', /^warning: this took 1201 s.*29\.test\.ts \(29 s\)/)
})

test('the name of a test file contains its level', () => {
  assert.equal(partOf('server/sales/orders/add.errors.test.ts'), undefined)
  assert.equal(partOf('server/test/performance/long-list.timed.test.ts'), 'timed')
  assert.ok(isInGate('server/test/contract/values.generated.test.ts') && !isInGate('demo/demo.demo.test.ts'))
  const all = everyTestFile()
  assert.ok(all.length > 250 && all.some((path) => path.startsWith('web/tests/')), String(all.length))
  assert.ok(!all.some((path) => path.includes('node_modules')))
})
