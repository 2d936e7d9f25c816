// kontor doctor: checks the database that the configuration names, and says what to do about each problem.

import { checkAll } from '../platform/postgres/database-checks.ts'
import type { Finding } from '../platform/postgres/finding.ts'
import { asOwner } from '../platform/postgres/owner-client.ts'
import { type Config, readConfig } from '../platform/process/config.ts'
import { type Command, explain, options } from './command.ts'

export const doctor: Command = {
  words: ['doctor'],
  usage: 'doctor [--json]',
  summary: 'Check the database server, the login and its rights; says what to do',
  help: `Changes nothing. Each line begins with ok, warning or error: the version of PostgreSQL, the login and its rights, the role of the server and who may
act as it, the schema, settings, the clock, the disk, and the number of connections. "migrate", "serve" and "audit" use the same checks.
  --json  one JSON line for each check
The exit code is 1 if there is an error, otherwise 0. "kontor audit" checks the data.`,
  run: async (rest) => {
    const { values } = options(rest, { json: { type: 'boolean', default: false } })
    const findings = await examine(readConfig(process.env))
    for (const finding of findings) console.log(values.json ? JSON.stringify(finding) : lineOf(finding))
    return findings.some(({ level }) => level === 'error') ? 1 : 0
  },
}

/** A database that cannot be reached is a line too. */
async function examine(config: Config): Promise<readonly Finding[]> {
  try {
    return await asOwner(config.DATABASE_URL, { name: 'kontor doctor' }, async (client) => {
      // Not an option of the connection, which would hide the setting of the login.
      await client.query(`set statement_timeout = '30s'`)
      return await checkAll(client, config)
    })
  } catch (error) {
    return [{ check: 'connection', level: 'error', text: explain(error).replaceAll('\n', ' ') }]
  }
}

const lineOf = ({ level, check, text, advice }: Finding): string =>
  `${level.padEnd(7)}  ${check.padEnd(11)}  ${text}${advice === undefined ? '' : `\n${' '.repeat(22)}${advice}`}`
