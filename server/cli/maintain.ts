// kontor maintain: runs the hourly maintenance of "kontor serve" once, for installations that serve with --no-migrate.

import { runBackfills } from '../platform/postgres/backfills.ts'
import { keepLogDays } from '../platform/postgres/maintain.ts'
import { doubtText } from '../platform/postgres/trusted-clock.ts'
import { readConfig } from '../platform/process/config.ts'
import { deleteDueCompanies } from '../tenants/due-deletions.ts'
import { type Command, options } from './command.ts'

export const maintain: Command = {
  words: ['maintain'],
  usage: 'maintain',
  summary:
    'Create and drop partitions of the request log, delete expired data and companies whose owners asked for it, run backfills',
  help: `Only needed where the service runs with --no-migrate: run it once a day as the owner of the tables.
  REQUEST_LOG_DAYS      days the request log is kept; default 30`,
  run: async (rest) => {
    options(rest, {})
    const config = readConfig(process.env)
    const { isInDoubt } = await keepLogDays(config.DATABASE_URL, config.REQUEST_LOG_DAYS)
    const deleted = await deleteDueCompanies(config.DATABASE_URL)
    if (deleted.length > 0) console.log(`Deleted, as their owners had asked: companies ${deleted.join(', ')}`)
    await runBackfills(config.DATABASE_URL)
    if (isInDoubt) console.error(doubtText)
    return isInDoubt ? 1 : 0
  },
}
