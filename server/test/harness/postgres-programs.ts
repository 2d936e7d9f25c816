// Locations on this machine: the PostgreSQL programs, folders for their data, the user that PostgreSQL runs as.

import { execFileSync } from 'node:child_process'
import { chownSync, globSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The programs of the newest installed PostgreSQL. */
export function postgresProgram(name: string): string {
  const found = globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const newest = found.at(-1)
  if (newest === undefined) throw new Error(`no PostgreSQL with "${name}" in /usr/lib/postgresql`)
  return newest
}

/** PostgreSQL refuses to run as root; then the user of its package is used. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A new folder owned by the PostgreSQL user. */
export const newFolder = (name: string): string => ownedFolder(mkdtempSync(join(tmpdir(), `kontor-${name}-`)))

/** A folder that PostgreSQL may use, created when missing. */
export function ownedFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const { uid, gid } = postgresUser()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  return path
}

export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
