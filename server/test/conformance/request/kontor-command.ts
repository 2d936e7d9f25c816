// The `kontor` command, run as an administrator runs it, on the database of the tests.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const cli = join(import.meta.dirname, '..', '..', '..', 'cli.ts')

/** The output of the command, which must succeed. */
export async function kontor(words: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [cli, ...words])).stdout
}
