// The commit that is released, and its time.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'

export type Commit = {
  /** The hash, with "-dirty" after it when files differ from the commit. */
  readonly id: string
  /** When it was made, in seconds since 1970; SOURCE_DATE_EPOCH replaces it. */
  readonly seconds: number
}

export function readCommit(source: string): Commit | undefined {
  if (!existsSync(join(source, '.git'))) return undefined
  const hash = run('git', ['rev-parse', 'HEAD'], source).trim()
  const isDirty = run('git', ['status', '--porcelain'], source) !== ''
  const given = process.env['SOURCE_DATE_EPOCH']
  return {
    id: isDirty ? `${hash}-dirty` : hash,
    seconds: Number(given ?? run('git', ['log', '-1', '--format=%ct'], source)),
  }
}
