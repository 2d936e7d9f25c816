// Runs the tests: makes a database of its own (or takes the one named by KONTOR_TEST_DATABASE_URL), migrates it, starts the real server
// on it, runs node's test runner, and takes everything down again. Usage: npm test -- [test files] [options of node --test]

import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '../platform/migrate.ts'
import { startServer } from './app.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const serverUrl = process.env['KONTOR_TEST_SERVER_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

async function run(args: readonly string[]): Promise<number> {
  const named = process.env['KONTOR_TEST_DATABASE_URL']
  const name = `kontor_test_${process.pid}`
  const databaseUrl = named ?? Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  process.env['DATABASE_URL'] = databaseUrl
  try {
    await migrate(databaseUrl)
    // The code of every error in PostgreSQL's own log, for the tests that read it.
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

/** Tests that read the clock run after all the others and one at a time, so that they measure the server and not their neighbours. */
const timed = [
  'server/numbers/**/*.test.ts',
  'server/catalog/ten-thousand.test.ts',
  'server/testing/campaign/**/*.test.ts',
  'demo/**/*.test.ts',
]

async function runTests(args: readonly string[], env: Record<string, string>): Promise<number> {
  if (args.some((arg) => !arg.startsWith('-'))) return await runFiles(args, availableParallelism(), env)
  const last = globSync(timed, { cwd: root }).toSorted()
  const first = globSync(['server/**/*.test.ts', 'client/**/*.test.ts'], { cwd: root })
    .filter((file) => !last.includes(file))
    .toSorted()
  const failed = await runFiles([...args, ...first], availableParallelism(), env)
  return (await runFiles([...args, ...last], 1, env)) || failed
}

async function runFiles(files: readonly string[], concurrency: number, env: Record<string, string>): Promise<number> {
  const options = [`--test-concurrency=${concurrency}`, '--test-timeout=600000', '--test-reporter=spec']
  const child = spawn(process.execPath, ['--test', ...options, ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

process.exitCode = await run(process.argv.slice(2))
