// The commit of this code: a release has it in its package.json, in a checkout it is the one that git has checked out.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

let found: { readonly commit: string | undefined } | undefined

/** The hash of the commit, if it is known. */
export function commit(): string | undefined {
  found ??= { commit: commitOfRelease() ?? commitOfCheckout() }
  return found.commit
}

const commitOfRelease = (): string | undefined => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).gitHead

function commitOfCheckout(): string | undefined {
  // Without this, git would find a repository around the folder that Kontor is installed in.
  if (!existsSync(join(root, '.git'))) return undefined
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}
