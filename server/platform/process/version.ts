// Which version of Kontor this is: a release has both parts in its package.json, in a checkout the commit is the one that git has checked out.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

type Manifest = { readonly version: string; readonly gitHead?: string }
const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export const version = manifest.version

let found: { readonly commit: string | undefined } | undefined

/** The hash of the commit, if it is known. */
export function commit(): string | undefined {
  found ??= { commit: manifest.gitHead ?? commitOfCheckout() }
  return found.commit
}

function commitOfCheckout(): string | undefined {
  // Without this, git would find a repository around the folder that Kontor is installed in.
  if (!existsSync(join(root, '.git'))) return undefined
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

/** Whether version `a` is earlier than `b`; both have the form 1.2.3. */
export const isEarlier = (a: string, b: string): boolean => a.localeCompare(b, 'en', { numeric: true }) < 0
