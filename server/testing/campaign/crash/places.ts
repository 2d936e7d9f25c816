// Where things are on this machine: the PostgreSQL programs, a free port, a folder of one's own, the user that PostgreSQL runs as.

import { execFileSync } from 'node:child_process'
import { chownSync, globSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The newest installed PostgreSQL's programs. */
export function postgresProgram(name: string): string {
  const found = globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const newest = found.at(-1)
  if (newest === undefined) throw new Error(`no PostgreSQL with "${name}" in /usr/lib/postgresql`)
  return newest
}

/** PostgreSQL refuses to run as root; then it runs as the user of its package. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A new folder that the user of PostgreSQL owns. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `kontor-${name}-`))
  const { uid, gid } = postgresUser()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export function hasProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
