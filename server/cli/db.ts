// `kontor db`: checks whether the database can be sharded over a cluster, and distributes it.

import {
  asOwner,
  distribute,
  type Extension,
  openSessions,
  readCatalog,
  readExtension,
  tryCluster,
} from '../cluster/distribute.ts'
import { defaultShards, NotDistributable, planDistribution } from '../cluster/distribution-plan.ts'
import { rebalance } from '../cluster/rebalance.ts'
import { catalogChecks, catalogComplaints, type Run, statementComplaints } from '../cluster/sharding-rules.ts'
import { treeComplaints } from '../cluster/sharding-statements.ts'
import { statementTexts } from '../kernel/statement.ts'
import { serverRole } from '../platform/postgres/connection.ts'
import { readConfig } from '../platform/process/config.ts'
import { type Command, options, UsageError } from './command.ts'

const maxShards = 4096

const distributeCommand: Command = {
  words: ['db', 'distribute'],
  usage: 'db distribute [--shards N] [--dry-run]',
  summary: 'Distribute the database over a Citus cluster, by company',
  help: `Turns a migrated database that has the Citus extension into a distributed one: keys on every worker, everything else of a company
in the shard of that company. Existing rows are moved. Prints each step before it runs; steps that are done are skipped, so the command can
be run again, also after an interruption. Stop the service first.
  --shards N  number of shards, which is the maximum number of workers; default ${defaultShards}
  --dry-run   print the SQL and change nothing (works without Citus too)`,
  run: async (rest) => {
    const { values } = options(rest, {
      shards: { type: 'string', default: String(defaultShards) },
      'dry-run': { type: 'boolean', default: false },
    })
    const shards = Number(values.shards)
    if (!Number.isInteger(shards) || shards < 1 || shards > maxShards)
      throw new UsageError(`--shards must be a number from 1 to ${maxShards}`)
    return await asOwner(readConfig(process.env).DATABASE_URL, async (run) => {
      const extension = await readExtension(run)
      if (values['dry-run']) return await showPlan(run, extension, shards)
      if (extension.version === null) throw new NotDistributable(withoutExtension(extension))
      const sessions = await openSessions(run)
      if (sessions > 0)
        throw new NotDistributable(
          `${sessions} connections of running servers are open: stop the service first, because it cannot run on a partly distributed database`,
        )
      console.log(`Citus ${extension.version}.`)
      const done = await distribute(run, extension, shards, (at, of, { why, sql }) =>
        console.log(`${at}/${of}  ${why}\n      ${sql}`),
      )
      const seen = await tryCluster(run)
      console.log(done === 0 ? 'Everything is distributed already.' : `Distributed, in ${done} steps.`)
      console.log(
        seen === 'seen'
          ? `Tried as ${serverRole}: a company can read its own row, and no row is visible without a company.`
          : 'There is no company yet to test with.',
      )
      return 0
    })
  },
}

async function showPlan(run: Run, extension: Extension, shards: number): Promise<number> {
  const steps = planDistribution(await readCatalog(run, extension), serverRole, shards)
  if (extension.version === null)
    console.log('-- This database has no Citus extension. These steps would run on a database that has it.\n')
  if (steps.length === 0) console.log('-- Everything is distributed already.')
  for (const { why, sql } of steps) console.log(`-- ${why}\n${sql};\n`)
  return 0
}

const withoutExtension = ({ isInstallable }: Extension): string =>
  `this database has no Citus extension.
${
  isInstallable
    ? ''
    : `1. Install Citus 13 or later for your version of PostgreSQL on the coordinator and on every worker
   (https://docs.citusdata.com, "Installation"; managed services provide it).
2. On each of them: add citus to shared_preload_libraries in postgresql.conf and restart PostgreSQL.
`
}${isInstallable ? 1 : 3}. In this database, on the coordinator and on every worker: create extension citus
${isInstallable ? 2 : 4}. On the coordinator: select citus_set_coordinator_host('<its address>'), then for every worker select citus_add_node('<address>', 5432)
${isInstallable ? 3 : 5}. Run "kontor db distribute" again.
"kontor db distribute --dry-run" shows what it will do. One PostgreSQL without Citus serves thousands of companies: see docs/scale.md.`

const checkCommand: Command = {
  words: ['db', 'check'],
  usage: 'db check',
  summary: 'Check whether schema and statements can be sharded',
  help: `Checks with the catalog and PostgreSQL's own parser that every table, key and statement follows the rules of sharding by company. Prints
violations and exits with 1 if there are any. Works without Citus. With Citus, also lists what is not distributed yet.`,
  run: async (rest) => {
    options(rest, {})
    // Importing the app declares every statement that the server can send, and the examples the one that a command sends.
    await Promise.all([import('../app.ts'), import('../catalog/examples.ts')])
    return await asOwner(readConfig(process.env).DATABASE_URL, async (run) => {
      const schema: string[] = []
      for (const check of catalogChecks) schema.push(...(await catalogComplaints(run, check)))
      const statements = statementTexts()
      const { refused, scattered } = await treeComplaints(run, statements)
      const undistributed = await leftToDo(run)
      const broken =
        report(`Schema: ${catalogChecks.length} checks`, schema) +
        report(`Statements: ${statements.size}, text rules`, statementComplaints(statements)) +
        report('Statements: refused by Citus', refused) +
        report('Statements: sent to every shard', scattered) +
        report('Distribution', undistributed)
      console.log(broken === 0 ? 'All sharding rules are met.' : `Broken rules: ${broken}.`)
      return broken === 0 ? 0 : 1
    })
  },
}

const rebalanceCommand: Command = {
  words: ['db', 'rebalance'],
  usage: 'db rebalance',
  summary: 'Move shards to the workers that have fewer, while the service runs',
  help: `After citus_add_node: moves shards between the workers of a Citus cluster until each has its share. Prints the progress and ends when everything is
moved. Requests continue; those of a company wait for a moment when its shard changes place. Row level security does not apply to the owner of the tables
meanwhile; it does to requests. If the command is interrupted, run it again: it ends with row level security forced.`,
  run: async (rest) => {
    options(rest, {})
    return await asOwner(readConfig(process.env).DATABASE_URL, async (run) => {
      const { version } = await readExtension(run)
      if (version === null) throw new NotDistributable('this database has no Citus extension: there is nothing to move')
      const result = await rebalance(run, console.log)
      console.log(result === 'finished' ? 'All shards are moved.' : 'Every worker has its share already.')
      return 0
    })
  },
}

/** Without Citus only what can never be distributed; with Citus also what is not distributed yet. */
async function leftToDo(run: Run): Promise<string[]> {
  const extension = await readExtension(run)
  try {
    const steps = planDistribution(await readCatalog(run, extension), serverRole)
    return extension.version === null ? [] : steps.map(({ sql }) => `not done yet: ${sql}`)
  } catch (error) {
    if (error instanceof NotDistributable) return [error.message]
    throw error
  }
}

function report(title: string, complaints: readonly string[]): number {
  console.log(complaints.length === 0 ? `ok      ${title}` : `BROKEN  ${title}`)
  for (const complaint of complaints) console.log(`        ${complaint}`)
  return complaints.length
}

export const db: readonly Command[] = [distributeCommand, rebalanceCommand, checkCommand]
