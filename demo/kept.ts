// Where the demo keeps what it needs to start again: the folder, and in it a file with the logins, which the database knows only as hashes.

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

/** Root's own cache is closed to the user that PostgreSQL runs as. */
export function defaultFolder(): string {
  if (userInfo().uid === 0) return '/var/cache/kontor-demo'
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kontor-demo')
}

/** One for the demo's own database, one for each that was given. */
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
