// kontor migrate: the database brought to the present schema.

import { readConfig } from '../platform/config.ts'
import { migrate } from '../platform/migrate.ts'
import { type Command, options } from './command.ts'

export const migrateCommand: Command = {
  words: ['migrate'],
  usage: 'migrate',
  summary: 'Bring the database to the present schema',
  help: 'Makes the database when it is missing. Safe to run again, and by several at once: the others wait.',
  run: async (rest) => {
    options(rest, {})
    const run = await migrate(readConfig(process.env).DATABASE_URL)
    console.log(run.length === 0 ? 'The schema is up to date.' : `Migrated: ${run.join(', ')}`)
    return 0
  },
}
