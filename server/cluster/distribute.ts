// Reads the catalog for a distribution and runs its steps one by one, reporting each before it runs. Everything runs as the owner of the tables.

import { serverRole } from '../platform/postgres/connection.ts'
import { ownerClient } from '../platform/postgres/owner-client.ts'
import {
  type Catalog,
  defaultShards,
  type ForeignKey,
  NotDistributable,
  type Placement,
  planDistribution,
  type Step,
} from './distribution-plan.ts'
import { ofOurs, type Run } from './sharding-rules.ts'

/** The version of Citus in this database, if any, and whether it could be created. */
export type Extension = { readonly version: string | null; readonly isInstallable: boolean }

export async function readExtension(run: Run): Promise<Extension> {
  const rows = await run(
    `select (select extversion from pg_extension where extname = 'citus') as version,
       exists (select from pg_available_extensions where name = 'citus') as installable`,
  )
  return { version: (rows[0]?.['version'] as string | null) ?? null, isInstallable: rows[0]?.['installable'] === true }
}

export async function readCatalog(run: Run, extension: Extension): Promise<Catalog> {
  const placements = extension.version === null ? new Map<string, Placement>() : await readPlacements(run)
  const tables = await run(
    `select c.oid::regclass::text as name, c.relkind = 'p' as partitioned, c.relforcerowsecurity as forced,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped) as of_company,
       (select h.inhparent::regclass::text from pg_inherits h where h.inhrelid = c.oid) as parent,
       pg_relation_size(c.oid) > 0 as has_rows
     from pg_class c where c.relkind in ('r', 'p') and ${ofOurs('pg_class', 'c.oid', 'c.relnamespace')} order by 1`,
  )
  const keys = await run(
    `select k.conrelid::regclass::text as table, k.conname::text as name, k.confrelid::regclass::text as references,
       pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and ${ofOurs('pg_class', 'c.oid', 'c.relnamespace')} order by 1, 2`,
  )
  const [who] = await run(
    `select coalesce((select rolcanlogin from pg_roles where rolname = $1), false) as may_log_in,
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as passes`,
    [serverRole],
  )
  return {
    tables: tables.map((row) => ({
      name: String(row['name']),
      ofCompany: row['of_company'] === true,
      partitionOf: (row['parent'] as string | null) ?? null,
      isPartitioned: row['partitioned'] === true,
      isForced: row['forced'] === true,
      hasLocalRows: row['has_rows'] === true,
      placement: placements.get(String(row['name'])) ?? null,
    })),
    foreignKeys: keys as unknown as readonly ForeignKey[],
    serverMayLogIn: who?.['may_log_in'] === true,
    passesRowSecurity: who?.['passes'] === true,
  }
}

async function readPlacements(run: Run): Promise<Map<string, Placement>> {
  const rows = await run(
    `select logicalrelid::regclass::text as name, partmethod::text as method, repmodel::text as model, colocationid::int as group,
       case when partkey is not null then column_to_column_name(logicalrelid, partkey) end as column
     from pg_dist_partition`,
  )
  return new Map(
    rows.flatMap(({ name, method, model, group, column }): [string, Placement][] => {
      if (method === 'h') return [[String(name), { kind: 'distributed', column: String(column), group: Number(group) }]]
      // A local table in the metadata of Citus is still an ordinary one.
      return method === 'n' && model === 't' ? [[String(name), { kind: 'reference' }]] : []
    }),
  )
}

/** The number of open connections of server processes. The service must not run while only half of the tables are distributed. */
export async function openSessions(run: Run): Promise<number> {
  const rows = await run(
    `select count(*)::int as sessions from pg_stat_activity
     where datname = current_database() and application_name = 'kontor' and pid <> pg_backend_pid()`,
  )
  return Number(rows[0]?.['sessions'])
}

export type StepReporter = (at: number, of: number, step: Step) => void

/** Runs the remaining steps. Returns their number. */
export async function distribute(
  run: Run,
  extension: Extension,
  shards: number,
  report: StepReporter,
): Promise<number> {
  const steps = planDistribution(await readCatalog(run, extension), serverRole, shards)
  for (const [at, step] of steps.entries()) {
    report(at + 1, steps.length, step)
    await run(step.sql)
  }
  const left = planDistribution(await readCatalog(run, extension), serverRole, shards)
  if (left.length > 0) throw new NotDistributable(`after all steps this is still to do: ${left[0]?.sql}`)
  return steps.length
}

/**
 * Distributes the tables that a migration has created in a distributed database. One process at a time: the next one finds nothing to do. Returns the number of
 * steps.
 */
export const distributeNew = async (databaseUrl: string): Promise<number> =>
  await asOwner(databaseUrl, async (run) => {
    const extension = await readExtension(run)
    if (extension.version === null) return 0
    await run("select pg_advisory_lock(hashtextextended('kontor distribute', 0))")
    const { tables } = await readCatalog(run, extension)
    const isDistributed = tables.some(({ name, placement }) => name === 'companies' && placement !== null)
    return isDistributed ? await distribute(run, extension, defaultShards, () => {}) : 0
  })

/** Checks that the role of the server can read a company's row through the cluster, and cannot without setting the company. */
export async function tryCluster(run: Run): Promise<'no company' | 'seen'> {
  const [company] = await run('select company_id::text as id from companies limit 1')
  if (company === undefined) return 'no company'
  const seen = async (named: string): Promise<number> => {
    await run('begin')
    try {
      await run(`set local role ${serverRole}`)
      await run(`set local citus.propagate_set_commands = 'local'`)
      await run(`set local app.company_id = '${named}'`)
      const rows = await run(`select count(*)::int as clocks from company_clock where company_id = ${company['id']}`)
      return Number(rows[0]?.['clocks'])
    } finally {
      await run('rollback')
    }
  }
  const [own, withoutCompany] = [await seen(String(company['id'])), await seen('')]
  if (own !== 1) throw new NotDistributable(`company ${company['id']} cannot read its own row through the cluster`)
  if (withoutCompany !== 0)
    throw new NotDistributable(`the row of company ${company['id']} is visible without setting the company`)
  return 'seen'
}

/** Runs `work` on a connection of the tables' owner, without a timeout, because moving rows can take long. */
export async function asOwner<T>(databaseUrl: string, work: (run: Run) => Promise<T>): Promise<T> {
  const client = ownerClient(databaseUrl, { name: 'kontor db' })
  await client.connect()
  try {
    return await work(async (text, values = []) => (await client.query(text, [...values])).rows)
  } finally {
    await client.end()
  }
}
