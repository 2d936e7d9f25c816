// A dump of the whole database by pg_dump, checked by reading it again: it contains every row that the database had at that moment.

import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type pg from 'pg'

/** pg_dump or pg_restore failed, or the dump is incomplete. */
export class DumpError extends Error {}

export type Dump = { readonly tables: number; readonly rows: number; readonly bytes: number }

/** Writes a file in the custom format of pg_dump, which only its owner may read. `client` stays in a transaction meanwhile, so that both see the same rows. */
export async function dumpDatabase(client: pg.Client, databaseUrl: string, file: string): Promise<Dump> {
  // pg_dump keeps the mode of an existing file.
  await (await open(file, 'wx', 0o600)).close()
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot')
  const connection = connectionOf(databaseUrl)
  const words = ['--format=custom', `--file=${file}`, `--snapshot=${rows[0]?.snapshot}`, '--no-password']
  await run('pg_dump', [...words, `--dbname=${connection.url}`], connection.env)
  const counted = await countRows(client)
  await client.query('commit')
  const dumped = await rowsOfDump(file)
  const lacking = [...counted].filter(([table, count]) => dumped.get(table) !== count)
  if (lacking.length > 0)
    throw new DumpError(
      `The dump is incomplete: ${lacking.map(([table, count]) => `${table} has ${dumped.get(table) ?? 'no'} rows instead of ${count}`).join(', ')}.`,
    )
  return {
    tables: counted.size,
    rows: [...counted.values()].reduce((sum, count) => sum + count, 0),
    bytes: await writtenBytes(file),
  }
}

/** Also waits until the file is on the disk. */
async function writtenBytes(file: string): Promise<number> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

/** The password in the environment, because everybody can read the arguments of a process; and the values of sslmode that libpq knows. */
export function connectionOf(databaseUrl: string): { readonly url: string; readonly env: Record<string, string> } {
  const url = new URL(databaseUrl)
  const password = url.password === '' ? url.searchParams.get('password') : decodeURIComponent(url.password)
  url.password = ''
  url.searchParams.delete('password')
  url.searchParams.delete('uselibpqcompat')
  if (url.searchParams.get('sslmode') === 'no-verify') url.searchParams.set('sslmode', 'require')
  return { url: url.href, env: password === null ? {} : { PGPASSWORD: password } }
}

async function countRows(client: pg.Client): Promise<Map<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence <> 't' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from only ${name}`)
    counts.set(name, Number(rows[0]?.count))
  }
  return counts
}

async function rowsOfDump(file: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  await run('pg_restore', ['--data-only', '--file=-', file], {}, (out) => countCopiedRows(out, counts))
  return counts
}

const newline = 10
const endOfRows = Buffer.from('\\.')

/** Reads SQL with `COPY … FROM stdin` and counts the lines of each. A row is one line: line breaks in values are escaped. */
export async function countCopiedRows(text: AsyncIterable<Buffer>, counts: Map<string, number>): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  let table: string | undefined
  let count = 0
  for await (const chunk of text) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      const line = bytes.subarray(start, end)
      start = end + 1
      if (table === undefined) {
        table = /^COPY (\S+) \(.*FROM stdin;$/.exec(line.toString())?.[1]
        count = 0
      } else if (line.equals(endOfRows)) {
        counts.set(table, count)
        table = undefined
      } else count++
    }
    rest = bytes.subarray(start)
  }
}

async function run(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  read: (out: Readable) => Promise<void> = async (out) => {
    out.resume()
  },
): Promise<void> {
  const child = spawn(program, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors = `${errors}${chunk}`.slice(-2_000)))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  try {
    const [code] = await Promise.all([ended, read(child.stdout)])
    if (code !== 0) throw new DumpError(`${program} failed: ${errors.trim()}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new DumpError(
      `${program} was not found: install the client programs of PostgreSQL (Debian: postgresql-client).`,
    )
  }
}
