// What every subcommand is made of, and errors that say what to do.

import { randomBytes } from 'node:crypto'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Call } from '../kernel/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import { ConfigError, readConfig } from '../platform/config.ts'
import { closeDatabase, type Database, openDatabase } from '../platform/database.ts'
import { Busy, sqlState } from '../platform/faults.ts'
import type { Outcome } from '../platform/run.ts'

export type Command = {
  /** The words that name it: ['company', 'create']. */
  readonly words: readonly string[]
  readonly usage: string
  readonly summary: string
  readonly help: string
  /** The exit code; infinity when the process goes on. */
  readonly run: (rest: readonly string[]) => Promise<number>
}

/** The command was called wrongly. */
export class UsageError extends Error {}

export function options<T extends ParseArgsOptionsConfig>(rest: readonly string[], config: T, positionals = false) {
  try {
    return parseArgs({ args: [...rest], options: config, allowPositionals: positionals, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

export function companyOption(value: string | undefined): number {
  const id = Number(value)
  if (value === undefined || !Number.isSafeInteger(id) || id <= 0) {
    throw new UsageError('--company must be the id of a company, as "company create" printed it')
  }
  return id
}

/** Runs `work` on a database of a command's own size and closes it. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  const database = openDatabase(config.DATABASE_URL, { connections: 2, streams: 1 })
  try {
    return await work(database)
  } finally {
    await closeDatabase(database)
  }
}

export const systemCall = (companyId: number): Call => ({
  companyId,
  connectionId: null,
  userId: null,
  requestId: `cli_${randomBytes(12).toString('base64url')}`,
  source: 'system',
})

/** The answer of a write, or what was wrong with what was asked. */
// biome-ignore lint/suspicious/noExplicitAny: whoever calls knows which method answered
export function successful(outcome: Outcome): any {
  const answer = JSON.parse(outcome.body)
  if (outcome.status !== 200) throw new UsageError(answer.error)
  return answer
}

const hints: Readonly<Record<string, string>> = {
  '3D000': 'The database does not exist. "kontor migrate" makes it.',
  '42P01': 'The database has no (or an old) schema. Run "kontor migrate" first.',
  '42704': 'The database has no (or an old) schema. Run "kontor migrate" first.',
  '22023': 'The database has no (or an old) schema. Run "kontor migrate" first.',
  '42501': 'The database user lacks a right. Migrate and serve as the owner of the tables.',
  '28P01': 'The password in DATABASE_URL is not accepted.',
  '28000': 'PostgreSQL does not let this user in. Check DATABASE_URL and pg_hba.conf.',
}

export function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof Refusal) return error.message
  if (error instanceof ConfigError) return error.message
  const cause = error instanceof Busy && error.cause !== undefined ? error.cause : error
  const hint = hints[sqlState(cause) ?? '']
  const message = cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : String(cause)
  if (hint !== undefined) return `${message}\n${hint}`
  if (error instanceof Busy)
    return `the database does not answer: ${message}\nIs PostgreSQL running, and does DATABASE_URL name it?`
  return message
}
