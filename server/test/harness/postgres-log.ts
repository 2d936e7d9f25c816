// PostgreSQL's log, read through the database itself: which errors, by SQLSTATE, its backends reported. An input that reaches
// the database and is refused there with a syntax or data error is a defect, even if the response is a proper refusal.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type LoggedError = {
  readonly backend: number
  readonly database: string
  readonly state: string
  readonly text: string
}

export type PostgresLog = {
  /** Errors of every backend since the previous call. Throws when the log lacks an error that certainly occurred. */
  errors(): Promise<readonly LoggedError[]>
  close(): Promise<void>
}

/**
 * Needs a superuser. New connections to the database log SQLSTATEs; connections that are already open do not.
 * The log lines must contain process id and database, as with `%m [%p] %q%u@%d ` in Debian's packages.
 */
export async function openPostgresLog(databaseUrl: string, path?: string): Promise<PostgresLog> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const file = path ?? (await logFile(client, databaseUrl))
    await client.query('set log_error_verbosity = verbose; set log_min_messages = warning')
    await client.query(`do $$ begin
      execute format('alter database %I set log_error_verbosity = verbose', current_database());
    end $$`)
    const { size } = (await client.query('select size::float8 from pg_stat_file($1)', [file])).rows[0]
    let offset = size as number
    const errors = async (): Promise<readonly LoggedError[]> => {
      const sentinel = randomUUID()
      const backend = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
      // Raises an error after all others: once the log contains it, it contains the others too.
      await client
        .query(`do $$ begin raise exception 'end of log ${sentinel}' using errcode = 'KONTO'; end $$`)
        .catch(() => {})
      for (let attempt = 0; attempt < 50; attempt++) {
        const text = await readFrom(client, file, offset)
        const found = parse(text)
        const end = found.findIndex(
          (one) => one.state === 'KONTO' && one.backend === backend && one.text.includes(sentinel),
        )
        if (end !== -1) {
          offset += Buffer.byteLength(text.slice(0, text.indexOf('\n', text.indexOf(sentinel)) + 1))
          return found.slice(0, end)
        }
        await sleep(100)
      }
      throw new Error(`${file} does not contain an error that was just raised: not the log, or not with SQLSTATEs`)
    }
    await errors()
    return { errors, close: () => client.end() }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function logFile(client: pg.Client, databaseUrl: string): Promise<string> {
  const settings = `select pg_current_logfile() as file, current_setting('data_directory') as directory`
  const { file, directory } = (await client.query(settings)).rows[0] as { file: string | null; directory: string }
  if (file !== null) return isAbsolute(file) ? file : join(directory, file)
  // Debian's packages redirect the server's stderr to a file that is not part of the server's settings.
  const port = new URL(databaseUrl).port || '5432'
  const clusters = execFileSync('pg_lsclusters', ['-h'], { encoding: 'utf8' }).trim().split('\n')
  const cluster = clusters.map((line) => line.trim().split(/\s+/)).find((words) => words[2] === port)
  const last = cluster?.at(-1)
  if (last === undefined || !isAbsolute(last))
    throw new Error(`pg_lsclusters lists no log of the cluster on port ${port}`)
  return last
}

/** As bytes, because a read may end in the middle of a character; only complete lines count. */
async function readFrom(client: pg.Client, file: string, offset: number): Promise<string> {
  const read = 'select pg_read_binary_file($1, $2::bigint, 100000000) as bytes'
  const bytes = (await client.query(read, [file, offset])).rows[0].bytes as Buffer
  return bytes.subarray(0, bytes.lastIndexOf(10) + 1).toString('utf8')
}

const errorLine = /^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] \S*@(\S+) (?:ERROR|FATAL|PANIC): {2}([0-9A-Z]{5}): (.*)$/

function parse(text: string): LoggedError[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const match = errorLine.exec(line)
    if (match === null) return []
    const [, backend = '', database = '', state = '', message = ''] = match
    const statement = lines.slice(at + 1, at + 8).find((one) => one.includes('STATEMENT: ')) ?? ''
    return [{ backend: Number(backend), database, state, text: `${message} ${statement}` }]
  })
}
