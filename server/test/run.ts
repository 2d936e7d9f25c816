// Runs the tests: creates a database (or uses the one named by KONTOR_TEST_DATABASE_URL), migrates it, starts the real server
// on it, runs node's test runner, and removes everything afterwards. Usage: npm test -- [test files] [options of node --test], in any order

import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '../platform/postgres/migrate.ts'
import { startServer } from './harness/app.ts'
import { type RunnerArguments, RunnerArgumentsError, readRunnerArguments, requireFiles } from './runner-arguments.ts'
import { addTiming, lastPartVariable, timingsVariable } from './timings.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const reporter = fileURLToPath(new URL('reporter.ts', import.meta.url))
const serverUrl = process.env['KONTOR_TEST_SERVER_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

async function run(args: RunnerArguments): Promise<number> {
  const named = process.env['KONTOR_TEST_DATABASE_URL']
  const name = `kontor_test_${process.pid}`
  const databaseUrl = named ?? Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  process.env['DATABASE_URL'] = databaseUrl
  try {
    await migrate(databaseUrl)
    // Adds the SQLSTATE of every error to the PostgreSQL log, for the tests that read it.
    if (named === undefined) await onServer(`alter database ${name} set log_error_verbosity = verbose`)
    const server = await startServer()
    try {
      return await runTests(args, {
        KONTOR_TEST_URL: server.url,
        KONTOR_TEST_METRICS_URL: server.metricsUrl,
        KONTOR_TEST_PID: String(server.pid),
      })
    } finally {
      await server.stop()
    }
  } finally {
    if (named === undefined) await onServer(`drop database if exists ${name} with (force)`)
  }
}

/** Tests that measure time run after all the others and one at a time, so that they measure only the server. */
const timed = [
  'server/test/{performance,concurrency}/**/*.test.ts',
  'server/catalog/ten-thousand.test.ts',
  'campaign/**/*.test.ts',
  'demo/**/*.test.ts',
  // Installs the packages and creates the demo's year: running in parallel it could exceed the runner's timeout.
  'server/test/docs/newcomer.test.ts',
  'server/test/deploy/{compose,container}.test.ts',
  'release/**/*.test.ts',
]

async function runTests({ options, files }: RunnerArguments, env: Record<string, string>): Promise<number> {
  if (files.length > 0) return await runFiles([...options, ...files], availableParallelism(), env)
  const last = globSync(timed, { cwd: root }).toSorted()
  const first = globSync(['server/**/*.test.ts', 'clients/**/*.test.ts'], { cwd: root })
    .filter((file) => !last.includes(file))
    .toSorted()
  const kept = process.env[timingsVariable]
  const folder = mkdtempSync(join(tmpdir(), 'kontor-timings-'))
  const path = kept ?? join(folder, 'timings')
  try {
    const started = performance.now()
    const keep = { ...env, [timingsVariable]: path }
    const failed = await runFiles([...options, ...first], availableParallelism(), keep)
    addTiming(path, { part: 'tests', seconds: (performance.now() - started) / 1000 })
    return (await runFiles([...options, ...last], 1, { ...keep, [lastPartVariable]: 'timed tests' })) || failed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runFiles(files: readonly string[], concurrency: number, env: Record<string, string>): Promise<number> {
  const options = [`--test-concurrency=${concurrency}`, '--test-timeout=600000', `--test-reporter=${reporter}`]
  const child = spawn(process.execPath, ['--test', ...options, ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

try {
  const args = readRunnerArguments(process.argv.slice(2))
  requireFiles(args.files, root)
  process.exitCode = await run(args)
} catch (error) {
  if (!(error instanceof RunnerArgumentsError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
