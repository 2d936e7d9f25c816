// kontor serve: the service itself.

import { environmentHelp, readConfig } from '../platform/process/config.ts'
import { type Command, options } from './command.ts'

export const serveCommand: Command = {
  words: ['serve'],
  usage: 'serve [--no-migrate]',
  summary: 'Run the service until it is stopped (migrates first)',
  help: `  --no-migrate          run neither migrations nor maintenance: for a login that owns no tables. The owner runs
                        "kontor migrate" before, and "kontor maintain" once a day.

Environment variables:
${environmentHelp()}
SIGTERM, SIGINT or SIGHUP stop it after the requests under way.`,
  run: async (rest) => {
    const { values } = options(rest, { 'no-migrate': { type: 'boolean', default: false } })
    // The whole service: loaded only here, because the help does not need it.
    const { serve } = await import('../main.ts')
    await serve(readConfig(process.env), { asOwner: !values['no-migrate'] })
    return Number.POSITIVE_INFINITY
  },
}
