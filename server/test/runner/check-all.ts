// `npm run check:all`: everything that the gate leaves out, in parts. `npm run check:all -- deploy docs` runs two of them. Each part is a process of its
// own with a time limit, and a failing one does not stop the next. Ends with a table of the results, which tmp/check-all.json contains too.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasProgram } from '../harness/postgres-programs.ts'
import { root } from '../structure/architecture.ts'
import { type Part, partNames, parts } from './levels.ts'
import { type Outcome, outcomeVariable } from './outcome.ts'

type Row = {
  readonly part: Part
  readonly result: 'passed' | 'failed'
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly undecided: number
  /** Why it failed, or what disturbed it. */
  readonly notes: readonly string[]
}

const isNamed = (text: string): text is Part => (partNames as readonly string[]).includes(text)

/** Debian's package of a program that has another name. */
const packages: Readonly<Record<string, string>> = {
  php: 'php-cli php-curl',
  mariadbd: 'mariadb-server-core php-mysql wordpress',
  pg_dump: 'postgresql-client',
  promtool: 'prometheus',
  'systemd-analyze': 'systemd',
  'mkfs.ext4': 'e2fsprogs',
}

/** On a machine for checks (CI=true) what is missing is installed; elsewhere it is named. */
function missingPrograms(part: Part): readonly string[] {
  const missing = () => parts[part].programs.filter((program) => !hasProgram(program))
  if (missing().length === 0 || process.env['CI'] !== 'true') return missing()
  const names = missing().flatMap((program) => (packages[program] ?? program).split(' '))
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  spawnSync('apt-get', ['-qq', 'update'], options)
  spawnSync('apt-get', ['-qq', 'install', '--no-install-recommends', '-y', ...names], options)
  return missing()
}

/** The process of a part. The benchmark is a program of its own; the other parts are tests. */
function start(part: Part, env: NodeJS.ProcessEnv): ChildProcess {
  const script = part === 'bench' ? ['bench/smoke.ts'] : ['server/test/runner/run.ts', `--part=${part}`]
  return spawn(process.execPath, script, { cwd: root, env, stdio: 'inherit', detached: true })
}

async function run(part: Part): Promise<Row> {
  console.log(`\n=== ${part}`)
  const startedMs = performance.now()
  const counts = { passed: 0, failed: 0, skipped: 0, undecided: 0 }
  const row = (result: Row['result'], notes: readonly string[], more: Partial<Row> = {}): Row => ({
    part,
    result,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    ...counts,
    notes,
    ...more,
  })
  const missing = missingPrograms(part)
  if (missing.length > 0) return row('failed', [`needs ${missing.join(', ')}`])
  const outcomePath = join(folder, `${part}.json`)
  const { code, isLate } = await ended(start(part, { ...process.env, [outcomeVariable]: outcomePath }), part)
  if (isLate) return row('failed', [`stopped after ${parts[part].limitSeconds} s`])
  const result = code === 0 ? 'passed' : 'failed'
  if (!existsSync(outcomePath)) return row(result, code === 0 ? [] : [`ended with ${code}`])
  const outcome = JSON.parse(readFileSync(outcomePath, 'utf8')) as Outcome
  const { passed, failed, cancelled, skipped } = outcome.counts
  const notes = [
    ...outcome.failures.map(({ file, test, message }) => `${file}: ${test}: ${message.split('\n', 1)[0]}`),
    ...outcome.flaky.map(({ file, test }) => `flaky: ${file}: ${test}`),
  ]
  return row(result, notes, {
    passed,
    failed: failed + cancelled,
    skipped: skipped - outcome.undecided,
    undecided: outcome.undecided,
  })
}

/** Ends the part that is running. */
let stopRunning: (signal: NodeJS.Signals) => void = () => {}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => {
    stopRunning(signal)
    process.exit(code)
  })

async function ended(child: ChildProcess, part: Part): Promise<{ readonly code: number; readonly isLate: boolean }> {
  let isLate = false
  const stop = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  }
  const timer = setTimeout(() => {
    isLate = true
    stop('SIGTERM')
  }, parts[part].limitSeconds * 1000)
  stopRunning = stop
  const code = await new Promise<number>((resolve) => child.once('exit', (exitCode) => resolve(exitCode ?? 1)))
  clearTimeout(timer)
  return { code, isLate }
}

function table(rows: readonly Row[]): string {
  const titles = ['part', 'seconds', 'passed', 'failed', 'skipped', 'undecided', 'result']
  const cells = rows.map((row) =>
    [row.part, row.seconds, row.passed, row.failed, row.skipped, row.undecided, row.result].map(String),
  )
  const widths = titles.map((title, at) => Math.max(title.length, ...cells.map((line) => line[at]?.length ?? 0)))
  const line = (texts: readonly string[]): string =>
    texts.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))).join('  ')
  const notes = rows.flatMap(({ part, notes: of }) => of.map((note) => `${part}: ${note}`))
  return [line(titles), ...cells.map(line), ...notes].join('\n')
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !isNamed(name))
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(', ')}: there are ${partNames.join(', ')}`)
  process.exit(2)
}
const selected = asked.length === 0 ? partNames : partNames.filter((part) => asked.includes(part))
const folder = mkdtempSync(join(tmpdir(), 'kontor-check-all-'))
const rows: Row[] = []
// Each part starts its own PostgreSQL: what one leaves behind does not disturb the next.
for (const part of selected) rows.push(await run(part))
rmSync(folder, { recursive: true, force: true })
mkdirSync(join(root, 'tmp'), { recursive: true })
writeFileSync(join(root, 'tmp', 'check-all.json'), `${JSON.stringify(rows, null, 2)}\n`)
console.log(`\n${table(rows)}`)
process.exitCode = rows.every(({ result }) => result === 'passed') ? 0 : 1
