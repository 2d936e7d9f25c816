// A tree of sources whose server is measured: this checkout, or another commit for comparison.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Source = { readonly root: string; readonly commit: string }

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

export const thisSource = (): Source => ({ root, commit: git('rev-parse', '--short=12', 'HEAD') })

/** Checks a commit out into a temporary folder and installs its packages. */
export function checkOut(revision: string): Source & { readonly remove: () => void } {
  const commit = git('rev-parse', '--verify', '--short=12', `${revision}^{commit}`)
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-commit-'))
  git('worktree', 'add', '--detach', '--force', folder, commit)
  const remove = () => {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (lockOf(folder) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    else {
      // Scripts of the packages must run on this Node, not on an older one of the machine.
      const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
      execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, env, stdio: 'ignore' })
    }
  } catch (error) {
    remove()
    throw error
  }
  return { root: folder, commit, remove }
}

const lockOf = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8')
