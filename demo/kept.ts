// The files the demo needs to start again: the folder, and in it a file with the logins, which the database stores only as hashes.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

export type Kept = {
  readonly companyId: number
  readonly made: string
  readonly sales: number
  readonly logins: readonly { readonly email: string; readonly role: string }[]
  readonly password: string
  readonly apiKey: string
}

/** Root's cache folder is not accessible to the PostgreSQL user; a given folder is used regardless of the user. */
export function defaultFolder(name: 'kontor-demo' | 'kontor-dev'): string {
  const usual = userInfo().uid === 0 ? '/var/cache' : join(homedir(), '.cache')
  return join(process.env['XDG_CACHE_HOME'] || usual, name)
}

/** One for the demo's own database, one for each given database. */
export const keptFile = (folder: string, databaseUrl: string | undefined): string =>
  join(
    folder,
    databaseUrl === undefined
      ? 'demo.json'
      : `demo-${createHash('sha256').update(databaseUrl).digest('hex').slice(0, 12)}.json`,
  )

export const readKept = (file: string): Kept | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined

export function keep(folder: string, file: string, kept: Kept): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
}
