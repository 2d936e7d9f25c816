// Runs tests: starts a PostgreSQL (or uses the one named by KONTOR_TEST_SERVER_URL), creates a database on it (or uses the one named by
// KONTOR_TEST_DATABASE_URL), migrates it, starts the real server, runs node's test runner, and removes everything afterwards.
// Usage: npm test -- [test files] [options of node --test], in any order. Without files: the tests of the gate. --part=NAME: a part of check:all.
// --repeat: failed ones of the named files are repeated, as in the gate.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAndMigrate } from '../../platform/postgres/migrate.ts'
import { startServer } from '../harness/app.ts'
import { citusUrl, createDistributedDatabase, dropClusterDatabase } from '../harness/citus.ts'
import { sampleVariable } from '../harness/sample.ts'
import { templateVariable } from '../harness/template-database.ts'
import { onTestServer, testDatabaseUrl } from '../harness/test-server.ts'
import { root } from '../structure/architecture.ts'
import { eventsVariable, readEvents, runningFiles, type TestEvent } from './events.ts'
import { filesOf, gateConcurrency, gateFiles, isBrowserTest, type Part, parts, testLimitOf } from './levels.ts'
import {
  closingLines,
  failedFiles,
  flakyLines,
  maxFlakyFiles,
  type Outcome,
  outcomeOf,
  outcomeVariable,
} from './outcome.ts'
import { startResources } from './resources.ts'
import { type RunnerArguments, RunnerArgumentsError, readRunnerArguments, requireFiles } from './runner-arguments.ts'
import { gateSampleSeed } from './sample-seed.ts'
import { addTiming, budgetWarning, elapsedSeconds, readTimings, timingsText, timingsVariable } from './timings.ts'

const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url))

type Selection = {
  readonly files: readonly string[]
  /** How many files run at the same time. */
  readonly concurrency: number
  readonly testLimitSeconds: number
  /** Whether failed files are repeated alone, and the durations are printed. */
  readonly isWhole: boolean
  readonly env: Readonly<Record<string, string>>
}

function select({ options, files }: RunnerArguments): Selection {
  const named = options.find((option) => option.startsWith('--part='))?.slice('--part='.length)
  const isWhole = options.includes('--repeat')
  const ofGate = { concurrency: gateConcurrency, testLimitSeconds: testLimitOf() }
  if (files.length > 0) return { ...ofGate, files, isWhole, env: {} }
  if (named === undefined) {
    const seed = gateSampleSeed()
    console.log(`Generated tests run on a sample of their cases: ${sampleVariable}=${seed}`)
    return { ...ofGate, files: gateFiles(), isWhole: true, env: { [sampleVariable]: seed } }
  }
  if (!Object.hasOwn(parts, named)) throw new RunnerArgumentsError(`there is no part "${named}"`)
  const part = named as Part
  const { concurrency } = parts[part]
  return { files: filesOf(part), concurrency, testLimitSeconds: testLimitOf(part), isWhole: true, env: {} }
}

/** Runs `work` with a migrated database and a server on it. */
async function withServer<T>(work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const named = process.env['KONTOR_TEST_DATABASE_URL']
  const name = `kontor_test_${process.pid}`
  const databaseUrl = named ?? testDatabaseUrl(name)
  const template = `kontor_template_${process.pid}`
  const isOnCluster = named === undefined && citusUrl() !== undefined
  process.env['DATABASE_URL'] = databaseUrl
  try {
    if (isOnCluster) await timed('distribution of the database', () => createDistributedDatabase(name))
    else await createAndMigrate(databaseUrl)
    // Adds the SQLSTATE of every error to the PostgreSQL log, for the tests that read it.
    if (named === undefined) await onTestServer(`alter database ${name} set log_error_verbosity = verbose`)
    const server = await startServer()
    try {
      return await work({
        KONTOR_TEST_URL: server.url,
        KONTOR_TEST_METRICS_URL: server.metricsUrl,
        KONTOR_TEST_PID: String(server.pid),
        [templateVariable]: template,
      })
    } finally {
      await server.stop()
    }
  } finally {
    if (isOnCluster) await dropClusterDatabase(name)
    else if (named === undefined) await onTestServer(`drop database if exists ${name} with (force)`)
    await onTestServer(`drop database if exists ${template} with (force)`)
  }
}

/** Browser tests need the built screens: in the folder named by WEB_DIR, or built for this run. */
async function buildScreens(folder: string): Promise<void> {
  if (process.env['WEB_DIR'] !== undefined) return
  const options = ['--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  const command = ['node_modules/vite/bin/vite.js', 'build', '--config', 'web/vite.config.ts', ...options]
  const child = spawn(process.execPath, command, { cwd: root, stdio: 'inherit' })
  const code = await new Promise((done) => child.once('exit', done))
  if (code !== 0) throw new Error('building the screens failed')
  process.env['WEB_DIR'] = folder
}

async function attempt(
  files: readonly string[],
  options: readonly string[],
  env: Readonly<Record<string, string>>,
  eventsPath: string,
): Promise<{ readonly events: readonly TestEvent[]; readonly code: number }> {
  eventsPaths.push(eventsPath)
  const child = spawn(process.execPath, ['--test', `--test-reporter=${reporter}`, ...options, ...files], {
    cwd: root,
    env: { ...process.env, ...env, [eventsVariable]: eventsPath },
    stdio: 'inherit',
  })
  const code = await new Promise<number>((done) => child.once('exit', (exitCode) => done(exitCode ?? 1)))
  return { events: readEvents(eventsPath), code }
}

const eventsPaths: string[] = []

/** The reason why a run was stopped can be read: what was running. */
function stopOnSignal(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      const running = eventsPaths.flatMap((path) => runningFiles(readEvents(path)))
      console.log(`\nStopped. Running at that moment:\n${running.map((file) => `  ${file}\n`).join('')}`)
      // The watchdog ends everything that was started.
      process.exit(code)
    })
  }
}

async function runTests(args: RunnerArguments, folder: string): Promise<boolean> {
  const { files: selected, concurrency, testLimitSeconds, isWhole, env } = select(args)
  requireFiles(selected, root)
  if (selected.some(isBrowserTest)) await timed('build of the screens', () => buildScreens(join(folder, 'web')))
  // Every test file and every server is a process of its own, and compiling the sources takes most of its start.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  const options = args.options.filter((option) => !option.startsWith('--part=') && option !== '--repeat')
  const common = [`--test-timeout=${testLimitSeconds * 1000}`, ...options]
  const files = selected.map((file) => relative(root, resolve(root, file)))
  const startedMs = performance.now()
  const outcome = await withServer(async (ofServer): Promise<Outcome> => {
    const all = { ...ofServer, ...env }
    const { events: first, code } = await timed('tests', () =>
      attempt(files, [`--test-concurrency=${concurrency}`, ...common], all, join(folder, 'events')),
    )
    const found = isWhole ? files : first.flatMap((event) => (event.type === 'ended' ? [event.file] : []))
    const failed = failedFiles(found, first)
    // Node can fail without running anything, such as with an unknown option.
    if (code !== 0 && failed.length === 0) throw new RunnerArgumentsError(`node --test ended with ${code}`)
    if (!isWhole || failed.length === 0) return outcomeOf(found, first)
    console.log(`\nThese files failed and are run once more, alone:\n${failed.map((file) => `  ${file}\n`).join('')}`)
    const { events: again } = await timed('repetition of failed files', () =>
      attempt(failed, ['--test-concurrency=1', ...common], all, join(folder, 'events-again')),
    )
    return outcomeOf(found, first, again)
  })
  const seconds = (performance.now() - startedMs) / 1000
  if (process.env[outcomeVariable] !== undefined)
    writeFileSync(process.env[outcomeVariable], JSON.stringify({ ...outcome, seconds }))
  print(outcome, isWhole, seconds)
  return outcome.passed
}

function print(outcome: Outcome, isWhole: boolean, seconds: number): void {
  const timings = process.env[timingsVariable]
  if (isWhole && timings !== undefined) console.log(`\n${timingsText(readTimings(timings), outcome.files)}`)
  const warning = budgetWarning(elapsedSeconds(), outcome.files)
  if (warning !== undefined) console.log(warning)
  for (const line of flakyLines(outcome)) console.log(line)
  if (new Set(outcome.flaky.map(({ file }) => file)).size > maxFlakyFiles)
    console.log(`More than ${maxFlakyFiles} files failed and passed when repeated: that is not chance.`)
  for (const { file, test } of outcome.failures) console.log(`failed: ${file}: ${test}`)
  console.log(closingLines(outcome, seconds))
}

/** Records the duration of a part of the run. */
async function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    const path = process.env[timingsVariable]
    if (path !== undefined) addTiming(path, { part, seconds: (performance.now() - started) / 1000 })
  }
}

stopOnSignal()
try {
  const args = readRunnerArguments(process.argv.slice(2))
  requireFiles(args.files, root)
  const resources = await startResources()
  const folder = mkdtempSync(join(tmpdir(), 'kontor-tests-'))
  try {
    process.exitCode = (await runTests(args, folder)) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await resources.stop()
  }
} catch (error) {
  if (!(error instanceof RunnerArgumentsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
