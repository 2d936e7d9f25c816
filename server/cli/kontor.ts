// The `kontor` command. Each subcommand has a file in cli/ with its help, and returns an exit code.

import { commit } from '../platform/process/commit.ts'
import { version } from '../platform/process/version.ts'
import { audit } from './audit.ts'
import { clock } from './clock.ts'
import { type Command, explain, UsageError } from './command.ts'
import { company } from './company.ts'
import { configCheck } from './config.ts'
import { db } from './db.ts'
import { demo } from './demo.ts'
import { erase } from './erase.ts'
import { feed } from './feed.ts'
import { key } from './key.ts'
import { maintain } from './maintain.ts'
import { migrateCommand } from './migrate.ts'
import { serveCommand } from './serve.ts'
import { user } from './user.ts'
import { webhook } from './webhook.ts'

const commands: readonly Command[] = [
  serveCommand,
  demo,
  migrateCommand,
  maintain,
  ...company,
  ...key,
  ...user,
  ...webhook,
  ...erase,
  ...clock,
  feed,
  audit,
  configCheck,
  ...db,
]

const overview = `kontor: inventory, production and orders

Usage: kontor <command> [options]     (in a checkout: npx kontor)

${commands.map((command) => `  ${command.usage.padEnd(58)} ${command.summary}`).join('\n')}

Every command takes --help; "kontor --version" prints the version. DATABASE_URL is the address of the database, for example
  DATABASE_URL=postgres://postgres@127.0.0.1:5432/kontor
`

async function main(words: readonly string[]): Promise<number> {
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    console.log(overview)
    return words.length === 0 ? 2 : 0
  }
  if (words[0] === '--version') {
    console.log([`kontor ${version}`, commit()].filter((part) => part !== undefined).join(' '))
    return 0
  }
  const command = commands.find((one) => one.words.every((word, at) => words[at] === word))
  if (command === undefined) throw new UsageError(`there is no command "${words.slice(0, 2).join(' ')}"`)
  const rest = words.slice(command.words.length)
  if (rest.includes('--help')) {
    console.log(`${command.summary}\n\nUsage: kontor ${command.usage}\n\n${command.help}`)
    return 0
  }
  return await command.run(rest)
}

main(process.argv.slice(2)).then(
  (code) => {
    // The service runs until a signal stops it.
    if (code !== Number.POSITIVE_INFINITY) process.exitCode = code
  },
  (error) => {
    console.error(`kontor: ${explain(error)}`)
    if (error instanceof UsageError) console.error('Try: kontor --help')
    // At once: work that was begun, such as maintenance that waits for a lock, must not keep alive a process that has failed.
    process.exit(error instanceof UsageError ? 2 : 1)
  },
)
