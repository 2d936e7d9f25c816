// `kontor db`: whether the database can be spread over a cluster, and spreading it.

// Every statement the server can send is declared by importing what sends it.
import '../app.ts'
import { declaredStatements } from '../kernel/statement.ts'
import { readConfig } from '../platform/config.ts'
import { serverRole } from '../platform/database.ts'
import {
  asOwner,
  distribute,
  type Extension,
  openSessions,
  readCatalog,
  readExtension,
  tryCluster,
} from '../platform/distribute.ts'
import { defaultShards, NotDistributable, planDistribution } from '../platform/distribution-plan.ts'
import { catalogChecks, catalogComplaints, type Run, statementComplaints } from '../platform/sharding-rules.ts'
import { treeComplaints } from '../platform/sharding-statements.ts'
import { type Command, options, UsageError } from './command.ts'

const mostShards = 4096

const distributeCommand: Command = {
  words: ['db', 'distribute'],
  usage: 'db distribute [--shards N] [--dry-run]',
  summary: 'Spread the database over a Citus cluster, by company',
  help: `Turns a migrated database that has the Citus extension into a distributed one: keys on every worker, everything else of a company
in the shard of that company. Rows that are there are moved. Says each step before it does it; what is done already is skipped, so it can
be run again, also after it was interrupted. Stop the service first.
  --shards N  shards the companies are spread over, which is the most workers there can ever be; default ${defaultShards}
  --dry-run   print the SQL and change nothing (works without Citus too)`,
  run: async (rest) => {
    const { values } = options(rest, {
      shards: { type: 'string', default: String(defaultShards) },
      'dry-run': { type: 'boolean', default: false },
    })
    const shards = Number(values.shards)
    if (!Number.isInteger(shards) || shards < 1 || shards > mostShards)
      throw new UsageError(`--shards must be a number from 1 to ${mostShards}`)
    return await asOwner(readConfig(process.env).DATABASE_URL, async (run) => {
      const extension = await readExtension(run)
      if (values['dry-run']) return await showPlan(run, extension, shards)
      if (extension.version === null) throw new NotDistributable(withoutExtension(extension))
      const sessions = await openSessions(run)
      if (sessions > 0)
        throw new NotDistributable(
          `${sessions} connections of running servers are open: stop the service first, half a distributed database is nothing to serve from`,
        )
      console.log(`Citus ${extension.version}.`)
      const done = await distribute(run, extension, shards, (at, of, { why, sql }) =>
        console.log(`${at}/${of}  ${why}\n      ${sql}`),
      )
      const seen = await tryCluster(run)
      console.log(done === 0 ? 'Everything is distributed already.' : `Distributed, in ${done} steps.`)
      console.log(
        seen === 'seen'
          ? `Tried as ${serverRole}: a company sees its own row, and nothing is seen without a company.`
          : 'There is no company yet to try it with.',
      )
      return 0
    })
  },
}

async function showPlan(run: Run, extension: Extension, shards: number): Promise<number> {
  const steps = planDistribution(await readCatalog(run, extension), serverRole, shards)
  if (extension.version === null)
    console.log('-- Citus is not in this database. This is what would run on a database that has it.\n')
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
   (https://docs.citusdata.com, "Installation"; managed services have it switched on).
2. On each of them: add citus to shared_preload_libraries in postgresql.conf and restart PostgreSQL.
`
}${isInstallable ? 1 : 3}. In this database, on the coordinator and on every worker: create extension citus
${isInstallable ? 2 : 4}. On the coordinator: select citus_set_coordinator_host('<its address>'), then for every worker select citus_add_node('<address>', 5432)
${isInstallable ? 3 : 5}. Run "kontor db distribute" again.
"kontor db distribute --dry-run" shows what it will do. One PostgreSQL without Citus serves thousands of companies: see docs/scale.md.`

const checkCommand: Command = {
  words: ['db', 'check'],
  usage: 'db check',
  summary: 'Whether schema and statements could be spread over a cluster',
  help: `Asks the catalog and PostgreSQL's own parser whether every table, key and statement keeps the rules of sharding by company: exit 1
and what breaks them. Needs no Citus. In a database that has it, also tells what is not distributed yet.`,
  run: async (rest) => {
    options(rest, {})
    return await asOwner(readConfig(process.env).DATABASE_URL, async (run) => {
      const schema: string[] = []
      for (const check of catalogChecks) schema.push(...(await catalogComplaints(run, check)))
      const statements = declaredStatements()
      const { refused, scattered } = await treeComplaints(run, statements)
      const undistributed = await leftToDo(run)
      const broken =
        tell(`Schema: ${catalogChecks.length} checks`, schema) +
        tell(`Statements: ${statements.size}, by their letters`, statementComplaints(statements)) +
        tell('Statements: what Citus refuses', refused) +
        tell('Statements: what would go to every shard', scattered) +
        tell('Distribution', undistributed)
      console.log(broken === 0 ? 'The rules of sharding are kept.' : `Broken rules: ${broken}.`)
      return broken === 0 ? 0 : 1
    })
  },
}

/** In a database without Citus only what could never be distributed; in one that has it also what is not yet. */
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

function tell(about: string, complaints: readonly string[]): number {
  console.log(complaints.length === 0 ? `ok      ${about}` : `BROKEN  ${about}`)
  for (const complaint of complaints) console.log(`        ${complaint}`)
  return complaints.length
}

export const db: readonly Command[] = [distributeCommand, checkCommand]
