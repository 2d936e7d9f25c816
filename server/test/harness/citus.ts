// A Citus cluster for tests, named from outside, because Citus is in no package registry. The database of a run and those of `ownedDatabase` are then distributed;
// databases that a test creates for itself are ordinary ones on the coordinator.

import pg from 'pg'
import { asOwner, distribute, readExtension } from '../../cluster/distribute.ts'
import { migrate } from '../../platform/postgres/migrate.ts'

/** The URL of a database of the coordinator that has the extension and knows the workers, as a superuser. Nothing is written to it. */
export const citusVariable = 'KONTOR_TEST_CITUS_URL'

export const citusUrl = (): string | undefined => process.env[citusVariable]

/** For tests that need a cluster. */
export const withoutCluster: string | false =
  citusUrl() === undefined && `needs a Citus cluster: name one of its databases in ${citusVariable}`

/** For tests that a cluster cannot run, with the reason. */
export const notOnCluster = (reason: string): string | false => citusUrl() !== undefined && reason

/** Few, because creating them takes most of the time of a test that distributes a database. */
export const testShards = 8

/** A server of the cluster. */
type Node = { readonly host: string; readonly port: number; readonly isCoordinator: boolean }

async function clusterNodes(): Promise<readonly Node[]> {
  const rows = await at(
    citusUrl() ?? '',
    'select nodename as host, nodeport as port, groupid = 0 as coordinator from pg_dist_node where isactive order by groupid',
  )
  return rows.map(({ host, port, coordinator }) => ({
    host: String(host),
    port: Number(port),
    isCoordinator: coordinator === true,
  }))
}

export const clusterWorkers = async (): Promise<readonly Node[]> =>
  (await clusterNodes()).filter(({ isCoordinator }) => !isCoordinator)

/** The URL of a database of the coordinator. */
export const clusterDatabaseUrl = (name: string): string =>
  Object.assign(new URL(citusUrl() ?? ''), { pathname: `/${name}` }).href

/** The last worker can be left out, to be added later. */
export type ClusterOptions = { readonly owner?: string; readonly workers?: number }

/** Creates an empty database with the extension on every node. Roles reach the workers with the first of their databases. */
export async function createClusterDatabase(name: string, { owner, workers }: ClusterOptions = {}): Promise<void> {
  const nodes = await clusterNodes()
  for (const node of nodes) {
    await at(nodeUrl(node, 'postgres'), `create database ${name}`)
    await at(nodeUrl(node, name), 'create extension citus')
  }
  const coordinator = nodes.find(({ isCoordinator }) => isCoordinator)
  if (coordinator === undefined) throw new Error(`${citusVariable} names no database of the coordinator`)
  const url = clusterDatabaseUrl(name)
  await at(url, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`)
  for (const worker of (await clusterWorkers()).slice(0, workers)) await addWorker(url, worker)
  if (owner !== undefined)
    await at(url, `alter database ${name} owner to ${owner}; grant usage, create on schema public to ${owner}`)
}

export async function addWorker(databaseUrl: string, { host, port }: Node): Promise<void> {
  await at(databaseUrl, `select citus_add_node('${host}', ${port})`)
}

export async function distributeAll(databaseUrl: string): Promise<void> {
  await asOwner(databaseUrl, async (run) => {
    await distribute(run, await readExtension(run), testShards, () => {})
  })
}

/** A migrated and distributed database. */
export async function createDistributedDatabase(name: string, options: ClusterOptions = {}): Promise<string> {
  await createClusterDatabase(name, options)
  const url = clusterDatabaseUrl(name)
  const ownerUrl = options.owner === undefined ? url : Object.assign(new URL(url), { username: options.owner }).href
  await migrate(ownerUrl)
  await distributeAll(ownerUrl)
  return url
}

export async function dropClusterDatabase(name: string): Promise<void> {
  // The coordinator first: it keeps connections to the workers open.
  for (const node of await clusterNodes())
    await at(nodeUrl(node, 'postgres'), `drop database if exists ${name} with (force)`)
}

/** Roles belong to a server. */
export async function dropClusterRole(name: string): Promise<void> {
  for (const node of await clusterNodes())
    await at(nodeUrl(node, 'postgres'), `set citus.enable_create_role_propagation = off; drop role if exists ${name}`)
}

const nodeUrl = ({ host, port }: Node, database: string): string =>
  Object.assign(new URL(citusUrl() ?? ''), { hostname: host, port: String(port), pathname: `/${database}` }).href

async function at(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const result: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
    return Array.isArray(result) ? [] : result.rows
  } finally {
    await client.end()
  }
}
