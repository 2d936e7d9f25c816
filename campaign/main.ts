// npm run campaign -- <test> [--runs N] [--seed S] [--short] [--record]: runs one test, prints its seed and counts, and ends with one line.
// npm run campaign -- report: writes the table of docs/reliability.md from the results. A long run stores a result; a shorter one only with --record.

import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startResources } from '../server/test/runner/resources.ts'
import { writeReport } from './report.ts'
import { writeResult } from './results.ts'
import { loadTest, tests } from './tests.ts'

const usage = () =>
  [
    'npm run campaign -- <test> [--runs N] [--seed S] [--short] [--record]',
    'npm run campaign -- report',
    '',
    ...tests.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`),
  ].join('\n')

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      seed: { type: 'string' },
      short: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  })
  const [name] = positionals
  if (name === undefined) {
    console.log(usage())
    return 2
  }
  if (name === 'report') {
    console.log(`wrote ${writeReport()}`)
    return 0
  }
  const test = loadTest(name)
  const seed = whole(values.seed, randomInt(2 ** 31))
  const runs = whole(values.runs, values.short ? test.short.runs : test.long.runs)
  const started = Date.now()
  console.log(`${test.name}: ${test.about}\nseed ${seed}, ${runs} runs`)
  const outcome = await test.run({
    runs,
    seed,
    short: values.short,
    judgesTime: true,
    say: (line) => console.log(line),
  })
  const seconds = Math.round((Date.now() - started) / 1000)
  for (const [count, value] of Object.entries(outcome.counts)) console.log(`  ${String(value).padStart(10)}  ${count}`)
  for (const line of outcome.found) console.log(`  FOUND  ${line}`)
  if (outcome.skipped !== undefined) {
    console.log(`${test.name}: skipped, ${outcome.skipped}`)
    return 0
  }
  if (values.record || (!values.short && runs >= test.long.runs)) {
    const { counts, found } = outcome
    const date = new Date().toISOString().slice(0, 10)
    writeResult({ test: test.name, about: test.about, date, commit: commit(), seed, runs, seconds, counts, found })
  }
  const verdict = outcome.found.length === 0 ? 'holds' : `${outcome.found.length} FOUND`
  console.log(`${test.name}: ${verdict}, seed ${seed}, ${runs} runs, ${seconds} s`)
  return outcome.found.length === 0 ? 0 : 1
}

function whole(text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${text} is not an integer`)
  return number
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}

const resources = await startResources()
try {
  process.exitCode = await run(process.argv.slice(2))
} finally {
  await resources.stop()
}
