// The `kontor` command: as its own process, or within the test, which takes a fraction of the time.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { mock } from 'node:test'
import { type Command, explain, UsageError } from '../../cli/command.ts'

const root = join(import.meta.dirname, '..', '..', '..')

export type Printed = { readonly code: number; readonly out: string; readonly errors: string }

export const kontor = (words: readonly string[], env: Record<string, string> = {}): Promise<Printed> =>
  new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env } }
    execFile(process.execPath, ['server/cli.ts', ...words], options, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, errors }),
    )
  })

/** Runs one of `commands` within the test, and collects what it prints. */
export const commandLine =
  (...commands: readonly Command[]) =>
  async (...words: readonly string[]): Promise<Printed> => {
    const command = commands.find((one) => one.words.every((word, at) => words[at] === word))
    if (command === undefined) throw new Error(`there is no command "${words.join(' ')}"`)
    const lines = { log: '', error: '' }
    const collected = (['log', 'error'] as const).map((name) =>
      mock.method(console, name, (text: string) => {
        lines[name] += `${text}\n`
      }),
    )
    let code: number
    try {
      code = await command.run(words.slice(command.words.length))
    } catch (error) {
      lines.error += `kontor: ${explain(error)}\n`
      code = error instanceof UsageError ? 2 : 1
    } finally {
      for (const one of collected) one.mock.restore()
    }
    return { code, out: lines.log, errors: lines.error }
  }

/** Runs `work` with other variables in this process. */
export async function withEnv<T>(env: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const before = { ...process.env }
  Object.assign(process.env, env)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(env))
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
  }
}
