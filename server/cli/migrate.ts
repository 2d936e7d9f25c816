// kontor migrate: migrates the database to the current schema.

import { migrate } from '../platform/postgres/migrate.ts'
import { readConfig } from '../platform/process/config.ts'
import { type Command, options } from './command.ts'

export const migrateCommand: Command = {
  words: ['migrate'],
  usage: 'migrate',
  summary: 'Migrate the database to the current schema',
  help: `Creates the database if it does not exist, and restores the role of the server and its privileges, which a restored dump lacks.
Can be run repeatedly and concurrently: the others wait. Requests continue meanwhile: no statement waits long for a lock.`,
  run: async (rest) => {
    options(rest, {})
    const run = await migrate(readConfig(process.env).DATABASE_URL)
    console.log(run.length === 0 ? 'The schema is up to date.' : `Migrated: ${run.join(', ')}`)
    return 0
  },
}
