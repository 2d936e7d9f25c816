// kontor backup: a dump of the database, checked, under its own name only when it is complete.

import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { checkSchema, checkVersion } from '../platform/postgres/database-checks.ts'
import { dumpDatabase } from '../platform/postgres/dump.ts'
import { DatabaseUnsuitable, refuseErrors, rowOf } from '../platform/postgres/finding.ts'
import { asOwner } from '../platform/postgres/owner-client.ts'
import { readConfig } from '../platform/process/config.ts'
import { type Command, options, UsageError } from './command.ts'

export const backup: Command = {
  words: ['backup'],
  usage: 'backup --file FILE | --folder DIR [--keep N]',
  summary: 'Write a dump of the whole database, and check that it contains every row',
  help: `Calls pg_dump, which must be of the version of the database server or a later one. Then reads the file and compares the number of rows of every table with
that of the database at the moment of the dump. The service goes on meanwhile. Row level security hides the companies from the owner of the tables:
run this as a superuser, or as a login with BYPASSRLS that may read everything. Only you may read the file: it contains everything.
  --file FILE   the file, which must not exist
  --folder DIR  write a file that is named after the time, such as kontor-20261118T030000Z.dump
  --keep N      afterwards delete all files of that kind in the folder but the N newest
docs/guides/restore.md says how to restore it.`,
  run: async (rest) => {
    const { values } = options(rest, {
      file: { type: 'string' },
      folder: { type: 'string' },
      keep: { type: 'string' },
    })
    const { file, folder } = values
    if ((file === undefined) === (folder === undefined)) throw new UsageError('either --file or --folder is needed')
    const keep = values.keep === undefined ? undefined : keepOption(values.keep, folder)
    const url = readConfig(process.env).DATABASE_URL
    const line = await asOwner(url, { name: 'kontor backup' }, async (client) => {
      refuseErrors([await checkVersion(client)])
      await refuseHiddenRows(client)
      refuseErrors([await checkSchema(client)])
      return await write(client, url, file ?? join(folder ?? '', await nameOfNow(client)))
    })
    console.log(line)
    if (folder !== undefined && keep !== undefined) await deleteOld(folder, keep)
    return 0
  },
}

function keepOption(text: string, folder: string | undefined): number {
  if (folder === undefined) throw new UsageError('--keep needs --folder')
  const keep = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (keep === 0) throw new UsageError('--keep must be a whole number from 1 to 999999')
  return keep
}

async function refuseHiddenRows(client: pg.Client): Promise<void> {
  const { login, sees } = await rowOf<{ login: string; sees: boolean }>(
    client,
    'select current_user as login, rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user',
  )
  if (sees) return
  throw new DatabaseUnsuitable(
    `Row level security hides rows from ${login}. Create a login for backups as a superuser, and name it in DATABASE_URL:\n` +
      `  create role kontor_backup login bypassrls password '…'; grant pg_read_all_data to kontor_backup;`,
  )
}

const namePattern = /^kontor-\d{8}T\d{6}Z\.dump$/

async function nameOfNow(client: pg.Client): Promise<string> {
  const { name } = await rowOf<{ name: string }>(
    client,
    `select to_char(clock_timestamp() at time zone 'UTC', '"kontor-"YYYYMMDD"T"HH24MISS"Z.dump"') as name`,
  )
  return name
}

async function write(client: pg.Client, url: string, file: string): Promise<string> {
  if (existsSync(file)) throw new UsageError(`${file} exists already`)
  const partial = `${file}.partial`
  try {
    const { tables, rows, bytes } = await dumpDatabase(client, url, partial)
    await rename(partial, file)
    return `${file}: ${rows} rows of ${tables} tables, ${(bytes / 1024 / 1024).toFixed(1)} MiB. Read again: no row is missing.`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(partial, { force: true })
    throw error
  }
}

async function deleteOld(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => namePattern.test(name)).toSorted()
  for (const name of names.slice(0, -keep)) {
    await rm(join(folder, name))
    console.log(`${join(folder, name)}: deleted`)
  }
}
