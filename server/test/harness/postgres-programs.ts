// Locations on this machine: the PostgreSQL programs, folders for their data, the user that PostgreSQL runs as.

import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copiedPrograms, packagedPrograms } from '../../../demo/packaged-postgres.ts'

/** A program of the newest installed PostgreSQL server, or else of the npm package that the demo uses, which has only the server's own programs. */
export function postgresProgram(name: string): string {
  // A machine that has only the client programs has no initdb.
  const path = join(newestWith('initdb') ?? ownPrograms(), name)
  if (!existsSync(path)) throw new Error(`no PostgreSQL server with "${name}" is installed`)
  return path
}

/** A client program, such as pg_dump: of the newest installed PostgreSQL, or else the one in the path. */
export function clientProgram(name: string): string {
  const installed = newestWith(name)
  if (installed !== undefined) return join(installed, name)
  if (hasProgram(name)) return name
  throw new Error(`${name} was not found: install the client programs of PostgreSQL (Debian: postgresql-client)`)
}

/** The folder of Debian's newest PostgreSQL that has this program. */
function newestWith(program: string): string | undefined {
  const folders = globSync(`/usr/lib/postgresql/*/bin/${program}`).map((path) => dirname(path))
  return folders.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
}

function ownPrograms(): string {
  const programs = packagedPrograms()
  if (programs === undefined) throw new Error('there is no PostgreSQL: run "npm ci", or install one')
  return process.getuid?.() === 0 ? copiedPrograms(programs, join(tmpdir(), 'kontor-postgres-programs')) : programs
}

/** PostgreSQL refuses to run as root; then the user of its package is used, or else the user without rights that every system has. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout.trim())
    if (uid !== '' && gid !== '') return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user "postgres" nor a user "nobody"')
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
