// kontor config: shows the configuration that the other commands would use, or everything that is wrong with it.

import { examineConfig, variables } from '../platform/process/config.ts'
import { type Command, options } from './command.ts'

export const configCheck: Command = {
  words: ['config', 'check'],
  usage: 'config check',
  summary: 'Check the environment variables, and print the resulting configuration',
  help: `Prints every setting with its value and where it comes from: the environment, a file, or the default. Passwords are hidden.
If something is wrong, it prints all problems and exits with 1. It does not connect to the database.
"kontor serve --help" explains the settings.`,
  run: async (rest) => {
    options(rest, {})
    const reading = examineConfig(process.env)
    if ('problems' in reading) {
      for (const problem of reading.problems) console.error(`kontor: ${problem}`)
      return 1
    }
    const { config, sources, warnings } = reading
    const rows = variables.map(({ name, shown }) => {
      const value = config[name as keyof typeof config]
      if (value === undefined) return [name, '', 'not set'] as const
      return [name, shown(String(value)), sources.get(name) ?? 'default'] as const
    })
    const [nameWidth, valueWidth] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
    for (const [name, value, source] of rows) {
      console.log(`${name.padEnd(nameWidth ?? 0)}  ${value.padEnd(valueWidth ?? 0)}  ${source}`)
    }
    for (const warning of warnings) console.error(`kontor: ${warning}`)
    return 0
  },
}
