// kontor migrate: migrates the database to the current schema, or shows the state of the schema.

import { distributeNew } from '../cluster/distribute.ts'
import { createDatabase, migrate } from '../platform/postgres/migrate.ts'
import { type SchemaStatus, schemaStatus } from '../platform/postgres/schema-status.ts'
import { readConfig } from '../platform/process/config.ts'
import { type Command, options, UsageError } from './command.ts'

export const migrateCommand: Command = {
  words: ['migrate'],
  usage: 'migrate [--create | --status]',
  summary: 'Migrate the database to the current schema',
  help: `Creates the tables in an empty database, and restores the role of the server and its privileges, which a restored dump lacks. A database that
contains something else is refused, and nothing is changed in it.
Can be run repeatedly and concurrently: the others wait. Requests continue meanwhile: no statement waits long for a lock.
  --create  create the database first if it does not exist; the user of DATABASE_URL must be allowed to
  --status  change nothing; print the version, the applied, pending and unknown migrations, and the progress of backfills.
            The exit code is 0 if this version can serve, otherwise 1.`,
  run: async (rest) => {
    const { values } = options(rest, {
      create: { type: 'boolean', default: false },
      status: { type: 'boolean', default: false },
    })
    if (values.create && values.status) throw new UsageError('--create and --status exclude each other')
    const url = readConfig(process.env).DATABASE_URL
    if (values.status) return printStatus(await schemaStatus(url))
    if (values.create && (await createDatabase(url))) console.log('The database was created.')
    const run = await migrate(url)
    console.log(run.length === 0 ? 'The schema is up to date.' : `Migrated: ${run.join(', ')}`)
    const steps = await distributeNew(url)
    if (steps > 0) console.log(`Distributed what is new over the cluster, in ${steps} steps.`)
    return 0
  },
}

function printStatus({ version, newest, applied, difference, incompatibility, backfills }: SchemaStatus): number {
  const { missing, unknown } = difference
  const unknownText = unknown.map(({ name, oldest_version: oldest }) => name + (oldest ? ` (needs ${oldest})` : ''))
  const lines = [
    ['Version', version],
    ['Schema', newest ?? 'none'],
    ['Applied', String(applied)],
    ['Pending', missing.join(', ') || 'none'],
    ['Unknown', unknownText.join(', ') || 'none'],
    ...backfills.map(({ name, is_finished, companies_left, changed_rows }) => [
      'Backfill',
      `${name}: ${is_finished ? 'finished' : `${companies_left} companies left`}, ${changed_rows} rows changed`,
    ]),
  ]
  for (const [name = '', text] of lines) console.log(`${name.padEnd(9)} ${text}`)
  if (incompatibility !== undefined) console.log(incompatibility)
  return missing.length === 0 && incompatibility === undefined ? 0 : 1
}
