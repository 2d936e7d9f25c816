// `kontor demo` run as somebody runs it, for those that test it or take pictures of it: how to get in is read from what it prints.

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
  /** From the start to a working screen. */
  readonly ms: number
  /** Ends it as Ctrl+C would; the code it ended with. */
  readonly end: () => Promise<number | null>
}

const root = join(import.meta.dirname, '..', '..')

/** The environment without what belongs to a run of tests. */
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
  // Whoever forgets it must not leave it behind.
  process.once('exit', () => child.kill('SIGTERM'))
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      text += chunk.toString()
      if (text.includes('Ctrl+C ends it.')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void ended.then((code) => reject(new Error(`the demo ended with ${code}:\n${text}`)))
  })
  const told = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? assert.fail(`${pattern} is not told:\n${text}`)
  return {
    address: told(/Open +(\S+)/),
    owner: told(/as owner +(\S+)/),
    worker: told(/as worker +(\S+)/),
    password: told(/Password +(\S+)/),
    key: told(/API key +(\S+)/),
    database: told(/Database +(\S+)/),
    ms: performance.now() - began,
    end,
  }
}
