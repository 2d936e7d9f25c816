// Runs `kontor demo` as a user would, for tests and screenshots: address and sign-in data are read from its output.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export type RunningDemo = {
  readonly address: string
  readonly owner: string
  readonly worker: string
  readonly password: string
  readonly key: string
  readonly database: string
  /** What it printed until then. */
  readonly printed: string
  /** From the start to a working screen. */
  readonly ms: number
  /** Ends it like Ctrl+C and returns the exit code. */
  readonly end: () => Promise<number | null>
}

const root = join(import.meta.dirname, '..', '..', '..')

/** The environment without the variables of the test run. */
export function demoEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { DATABASE_URL: _ofTheTests, WEB_DIR: _too, ...rest } = process.env
  return { ...rest, PORT: '0', ...more }
}

export async function runDemo(args: readonly string[], env: Record<string, string> = {}): Promise<RunningDemo> {
  const began = performance.now()
  const child = spawn(process.execPath, ['server/cli.ts', 'demo', ...args], {
    cwd: root,
    env: demoEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const end = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    return await ended
  }
  // Must not be left running when a test forgets to stop it.
  process.once('exit', () => child.kill('SIGTERM'))
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      text += chunk.toString()
      if (text.includes('Ctrl+C stops it.')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void ended.then((code) => reject(new Error(`the demo ended with ${code}:\n${text}`)))
  })
  const printed = (pattern: RegExp): string =>
    pattern.exec(text)?.[1] ?? assert.fail(`${pattern} is not in the output:\n${text}`)
  return {
    address: printed(/Open +(\S+)/),
    owner: printed(/as owner +(\S+)/),
    worker: printed(/as worker +(\S+)/),
    password: printed(/Password +(\S+)/),
    key: printed(/API key +(\S+)/),
    database: printed(/Database +(\S+)/),
    printed: text,
    ms: performance.now() - began,
    end,
  }
}
