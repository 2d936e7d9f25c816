// A copy of the source tree with injected faults, and what is run in it.

import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../../server/test/structure/architecture.ts'
import { type Patch, patched } from './fault.ts'

/** What a copy consists of. Nothing in it imports a file of another folder. */
export const copied = ['server', 'campaign', 'demo', 'clients', 'migrations', 'docs', 'release', 'package.json']
/** A run that has not ended by then has not detected anything. */
const patienceMs = 600_000

/** `more` are further folders of the repository. */
export async function withCopy<T>(
  patches: readonly Patch[],
  work: (folder: string) => Promise<T>,
  more: readonly string[] = [],
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-planted-'))
  try {
    for (const name of [...copied, ...more]) {
      if (existsSync(join(root, name)))
        cpSync(join(root, name), join(folder, name), {
          recursive: true,
          filter: (path) => basename(path) !== 'results',
        })
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const patch of patches) {
      const file = join(folder, patch.file)
      writeFileSync(file, patched(readFileSync(file, 'utf8'), patch))
    }
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a script of the copy. Of the environment of the tests it has only the PostgreSQL server. */
export async function runIn(
  folder: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(NODE_TEST_CONTEXT|KONTOR_TEST_(?!SERVER_URL|RUN)\w+|KONTOR_TIMINGS|DATABASE_URL|WEB_DIR)$/.test(name),
    ),
  )
  const child = spawn(process.execPath, [...args], {
    cwd: folder,
    env: { ...inherited, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (bytes) => {
    output += bytes
  })
  child.stderr.on('data', (bytes) => {
    output += bytes
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
  clearTimeout(timer)
  return { code, output }
}
