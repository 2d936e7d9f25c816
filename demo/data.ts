// The demo's database and company: opened when they exist, otherwise created. Used by `kontor demo` and by `npm run dev`.

import { createDatabase, migrate } from '../server/platform/postgres/migrate.ts'
import { readConfig } from '../server/platform/process/config.ts'
import { isThere, makeCompany } from './company.ts'
import { type Kept, keep, keptFile, readKept } from './kept.ts'
import { type Postgres, startPostgres } from './postgres.ts'

export type DataOptions = {
  /** Create the company again, even if there is one. */
  readonly fresh: boolean
  /** How many days of history the company has. */
  readonly days: number
  readonly folder: string
  readonly tell: (text: string) => void
}

export type DemoData = {
  readonly databaseUrl: string
  readonly company: Kept
  readonly isNew: boolean
  /** Whether the PostgreSQL was started here. */
  readonly isOwn: boolean
  /** Stops the PostgreSQL that was started here, if any. */
  readonly stop: () => Promise<void>
  /** Until this is called, SIGINT and SIGTERM stop that PostgreSQL and end the process. */
  readonly forgetSignals: () => void
}

/** Uses the database named by DATABASE_URL; without it, starts a PostgreSQL of its own in `folder`. */
export async function openData({ fresh, days, folder, tell }: DataOptions): Promise<DemoData> {
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env
  const given = DATABASE_URL || DATABASE_URL_FILE ? readConfig(process.env).DATABASE_URL : undefined
  const postgres = given === undefined ? await ownPostgres(folder, fresh, tell) : undefined
  const databaseUrl = given ?? postgres?.url ?? ''
  const stop = async (): Promise<void> => await postgres?.stop()
  const forgetSignals = stopOnSignal(stop)
  try {
    if (given === undefined) await createDatabase(databaseUrl)
    await migrate(databaseUrl)
    const file = keptFile(folder, given)
    const kept = fresh ? undefined : readKept(file)
    const isNew = kept === undefined || !(await isThere(databaseUrl, kept))
    const company = isNew ? await make(databaseUrl, days, tell) : kept
    // Written only when the company is complete: one that was interrupted is created again.
    if (isNew) keep(folder, file, company)
    return { databaseUrl, company, isNew, isOwn: postgres !== undefined, stop, forgetSignals }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ownPostgres(folder: string, fresh: boolean, tell: (text: string) => void): Promise<Postgres> {
  const hasCompany = readKept(keptFile(folder, undefined)) !== undefined
  tell('Starting PostgreSQL …')
  return await startPostgres(folder, fresh || !hasCompany)
}

async function make(databaseUrl: string, days: number, tell: (text: string) => void): Promise<Kept> {
  let last = 0
  return await makeCompany(databaseUrl, days, (share) => {
    const tenth = Math.floor(share * 10)
    if (tenth > last) tell(`Making the data … ${tenth * 10} %`)
    last = tenth
  })
}

/** Until something else handles the signals: a database that was started is not left running. */
function stopOnSignal(stop: () => Promise<void>): () => void {
  const end = (): void => void stop().finally(() => process.exit(130))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  return () => {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
}
