// Runs the browser tests: builds the screens into a temporary folder (or uses the one named by WEB_DIR), then starts database and server
// like every test run. Usage: npm run test:web -- [test files] [options of node --test]

import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRunnerArguments } from '../../server/test/runner-arguments.ts'

const root = join(import.meta.dirname, '..', '..')

async function run(script: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, script, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' })
  return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

async function build(folder: string): Promise<void> {
  const options = ['--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  const code = await run(['node_modules/vite/bin/vite.js', 'build', '--config', 'web/vite.config.ts', ...options])
  if (code !== 0) throw new Error('building the screens failed')
}

const { options, files: named } = readRunnerArguments(process.argv.slice(2))
const files = named.length > 0 ? named : globSync('web/tests/**/*.test.ts', { cwd: root }).toSorted()
const built = process.env['WEB_DIR']
const folder = built ?? mkdtempSync(join(tmpdir(), 'kontor-web-'))
try {
  if (built === undefined) await build(folder)
  process.exitCode = await run(['server/test/run.ts', ...options, ...files], { WEB_DIR: folder })
} finally {
  if (built === undefined) rmSync(folder, { recursive: true, force: true })
}
