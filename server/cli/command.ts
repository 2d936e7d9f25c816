// The type of all subcommands, and error messages with instructions.

import { randomBytes } from 'node:crypto'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { RequestContext } from '../kernel/clock.ts'
import type { WriteMethod } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import { closeDatabase, type Database, openDatabase, type Pool } from '../platform/postgres/database.ts'
import { readClock } from '../platform/postgres/trusted-clock.ts'
import { ConfigError, readConfig } from '../platform/process/config.ts'
import { Busy, sqlState } from '../platform/process/faults.ts'
import { runWrite } from '../platform/requests/run.ts'

export type Command = {
  /** The words that name it: ['company', 'create']. */
  readonly words: readonly string[]
  readonly usage: string
  readonly summary: string
  readonly help: string
  /** Returns the exit code; infinity when the process keeps running. */
  readonly run: (rest: readonly string[]) => Promise<number>
}

/** Invalid arguments. */
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

/** The company of a command that takes its id as the only argument. */
export function companyArgument(positionals: readonly string[]): number {
  const [text = '', ...others] = positionals
  const id = /^\d+$/.test(text) ? Number(text) : 0
  if (!Number.isSafeInteger(id) || id <= 0 || others.length > 0)
    throw new UsageError('one company is expected, by its id: "company list" shows the companies')
  return id
}

/** A text that users have entered, for a terminal: control characters could move the cursor or change what was printed before. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '\ufffd')

/** Runs `work` with small connection pools and closes them. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  const database = openDatabase(config.DATABASE_URL, { connections: 2, streams: 1 })
  try {
    await readClock(database.pool)
    return await work(database)
  } finally {
    await closeDatabase(database)
  }
}

export const systemContext = (companyId: number): RequestContext => ({
  companyId,
  connectionId: null,
  userId: null,
  requestId: `cli_${randomBytes(12).toString('base64url')}`,
  source: 'system',
})

/** The response of a write by the operator; a refusal is an error in the use of the command. */
export async function writeAsOperator<I, Facts, Plan>(
  pool: Pool,
  method: WriteMethod<I, Facts, Plan>,
  input: I,
  companyId: number,
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the response
): Promise<any> {
  try {
    return JSON.parse((await runWrite(pool, method, input, systemContext(companyId), undefined, undefined)).body)
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(error.message) : error
  }
}

const instructions: Readonly<Record<string, string>> = {
  '3D000': 'Check the name in DATABASE_URL. "kontor migrate --create" creates the database.',
  '42P01': 'The database has no (or an old) schema. Run "kontor migrate" first.',
  '42704': 'The database has no (or an old) schema. Run "kontor migrate" first.',
  '22023': 'The database has no (or an old) schema. Run "kontor migrate" first.',
  '42501': 'The database user lacks a privilege. Migrate and serve as the owner of the tables.',
  '28P01': 'The password in DATABASE_URL is not accepted.',
  '28000': 'PostgreSQL rejects this user. Check DATABASE_URL and pg_hba.conf.',
}

/** The database is the only thing that commands connect to. For a name with several addresses there is one error each. */
function isUnreachable(error: unknown): boolean {
  const { syscall, errors } = error as { syscall?: unknown; errors?: readonly unknown[] }
  return syscall === 'connect' || syscall === 'getaddrinfo' || errors?.some(isUnreachable) === true
}

export function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof Refusal) return error.message
  if (error instanceof ConfigError) return error.message
  const cause = error instanceof Busy && error.cause !== undefined ? error.cause : error
  const instruction = instructions[sqlState(cause) ?? '']
  const message = cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : String(cause)
  if (instruction !== undefined) return `${message}\n${instruction}`
  if ((cause as { code?: unknown } | null)?.code === 'EADDRINUSE')
    return `${message}\nThe port is in use. Set PORT (or METRICS_PORT) to another port.`
  if (error instanceof Busy || isUnreachable(cause))
    return `the database does not answer: ${message}\nIs PostgreSQL running, and does DATABASE_URL name it?`
  return message
}
