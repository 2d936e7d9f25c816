// The arguments of `npm test`: options of node's test runner and test files, in any order.

import { existsSync, globSync } from 'node:fs'
import { resolve } from 'node:path'

/** Options of node --test whose value may follow as the next argument. */
const withValue = [
  '--test-name-pattern',
  '--test-skip-pattern',
  '--test-concurrency',
  '--test-timeout',
  '--test-shard',
  '--test-reporter',
  '--test-reporter-destination',
  '--import',
]

export type RunnerArguments = { readonly options: readonly string[]; readonly files: readonly string[] }

export class RunnerArgumentsError extends Error {}

/** Node reads options only before the first file, so they are separated here and passed on in that order. */
export function readRunnerArguments(args: readonly string[]): RunnerArguments {
  const options: string[] = []
  const files: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const value = args[at + 1]
    if (!arg.startsWith('-')) files.push(arg)
    else if (withValue.includes(arg) && value !== undefined) {
      options.push(`${arg}=${value}`)
      at++
    } else options.push(arg)
  }
  return { options, files }
}

/** Node's test runner ignores a file or pattern that matches nothing and then succeeds. */
export function requireFiles(files: readonly string[], root: string): void {
  const missing = files.filter((file) => !existsSync(resolve(root, file)) && globSync(file, { cwd: root }).length === 0)
  if (missing.length > 0) throw new RunnerArgumentsError(`no such test file: ${missing.join(', ')}`)
}
