// The `kontor` command. Each subcommand has a file in cli/ with its help, and returns an exit code.

import { commit } from '../platform/process/commit.ts'
import { version } from '../platform/process/version.ts'
import { type Command, explain, UsageError } from './command.ts'
import { loadCommands } from './commands.ts'

const lineOf = ({ usage, summary }: Command): string => `  ${usage.padEnd(58)} ${summary}`
const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h'

const overview = (commands: readonly Command[]): string => `kontor: inventory, production and orders

Usage: kontor <command> [options]     (in a checkout: npx kontor)

${commands.map(lineOf).join('\n')}

Every command takes --help or -h; "kontor --version" or -v prints the version. DATABASE_URL is the address of the database, for example
  DATABASE_URL=postgres://postgres@127.0.0.1:5432/kontor
`

async function main(words: readonly string[]): Promise<number> {
  if (words.length === 0 || isHelp(words[0]) || words[0] === 'help') {
    console.log(overview(await loadCommands()))
    return words.length === 0 ? 2 : 0
  }
  if (words[0] === '--version' || words[0] === '-v') {
    console.log([`kontor ${version}`, commit()].filter((part) => part !== undefined).join(' '))
    return 0
  }
  const commands = await loadCommands(words[0])
  const command = commands.find((one) => one.words.every((word, at) => words[at] === word))
  if (command === undefined) return helpOfGroup(commands, words)
  const rest = words.slice(command.words.length)
  if (rest.some(isHelp)) {
    console.log(`${command.summary}\n\nUsage: kontor ${command.usage}\n\n${command.help}`)
    return 0
  }
  return await command.run(rest)
}

/** "kontor company --help" lists the commands that begin with this word. */
function helpOfGroup(commands: readonly Command[], [group = '', second]: readonly string[]): number {
  const members = commands.filter(({ words }) => words[0] === group)
  if (members.length === 0 || (second !== undefined && !isHelp(second)))
    throw new UsageError(`there is no command "${[group, second].filter((word) => word !== undefined).join(' ')}"`)
  console.log(`Commands of "kontor ${group}"; each takes --help:\n\n${members.map(lineOf).join('\n')}`)
  return second === undefined ? 2 : 0
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
