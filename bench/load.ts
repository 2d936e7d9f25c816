// Databases of the benchmark: one with the data, kept between runs while schema and data are unchanged, and for every run
// two copies of it, one for the server and one for pgbench.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { databaseUrl, withClient } from './postgres.ts'
import { longId, spreadIds, type World } from './world.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

export type Company = { readonly id: number; readonly key: string; readonly sales: number }
export type Databases = {
  readonly served: string
  readonly bare: string
  readonly companies: ReadonlyMap<number, Company>
}

export async function loadWorld(world: World, options: { fresh: boolean }, say: (line: string) => void): Promise<void> {
  const fingerprint = fingerprintOf(world)
  if (!options.fresh && (await loadedFingerprint(world.database)) === fingerprint) return
  const startedMs = performance.now()
  say(`loading ${world.database} …`)
  await withClient(undefined, (client) => client.query(`drop database if exists ${world.database} with (force)`))
  await kontor(world.database, 'migrate')
  await loadCompanies(world)
  await issueKeys(world)
  await withClient(world.database, async (client) => {
    await client.query('vacuum (analyze)')
    await client.query('insert into bench.loaded (fingerprint) values ($1)', [fingerprint])
  })
  say(`loaded ${world.database} in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
}

/** Two fresh copies; those of an earlier run are dropped. */
export async function copyWorld(world: World): Promise<Databases> {
  const copies = { served: `${world.database}_served`, bare: `${world.database}_bare` }
  await withClient(undefined, async (client) => {
    for (const name of Object.values(copies)) {
      await client.query(`drop database if exists ${name} with (force)`)
      await client.query(`create database ${name} template ${world.database} strategy file_copy`)
    }
  })
  const companies = await withClient(copies.served, async (client) => {
    const { rows } = await client.query('select company_id, sales, api_key from bench.companies')
    return rows.map((row) => ({ id: Number(row.company_id), key: String(row.api_key), sales: Number(row.sales) }))
  })
  return { ...copies, companies: new Map(companies.map((company) => [company.id, company])) }
}

export async function dropCopies(databases: Databases): Promise<void> {
  await withClient(undefined, async (client) => {
    for (const name of [databases.served, databases.bare]) {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  })
}

/** The `kontor` command on one of the databases. */
export async function kontor(database: string, ...words: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['server/cli.ts', ...words], {
    cwd: root,
    // Compiling the sources takes most of the time of a short command.
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl(database),
      NODE_COMPILE_CACHE: join(tmpdir(), 'kontor-bench-compiled'),
    },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

function fingerprintOf(world: World): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(world))
    .update(readFileSync(new URL('load.sql', import.meta.url)))
  const folder = new URL('../migrations/', import.meta.url)
  for (const name of readdirSync(folder).toSorted()) {
    if (/^\d.*\.sql$/.test(name)) hash.update(name).update(readFileSync(new URL(name, folder)))
  }
  return hash.digest('hex')
}

async function loadedFingerprint(database: string): Promise<string | undefined> {
  try {
    return await withClient(database, async (client) => {
      const { rows } = await client.query('select fingerprint from bench.loaded')
      return rows[0]?.fingerprint
    })
  } catch (error) {
    const code = (error as { code?: unknown }).code
    // No such database, or not a benchmark database, or one whose loading was interrupted.
    if (code === '3D000' || code === '42P01' || code === '3F000') return undefined
    throw error
  }
}

async function loadCompanies(world: World): Promise<void> {
  const template = JSON.parse(
    await kontor(world.database, 'company', 'create', '--name', 'Template', '--json'),
  ).company_id
  const wanted = [
    ...spreadIds(world).map((id) => ({ id, sales: world.spreadSales })),
    ...world.long.map((sales) => ({ id: longId(world, sales), sales })),
  ]
  await withClient(world.database, async (client) => {
    await client.query(readFileSync(new URL('load.sql', import.meta.url), 'utf8'))
    await client.query("set work_mem = '256MB'")
    for (const { id, sales } of wanted) {
      await client.query('begin')
      await client.query('select bench.copy_company($1, $2)', [template, id])
      await client.query('select bench.fill_company($1, $2, $3, $4, $5)', [
        id,
        world.products,
        world.customers,
        sales,
        world.days,
      ])
      await client.query('insert into bench.companies (company_id, sales) values ($1, $2)', [id, sales])
      await client.query('commit')
    }
  })
}

/** Keys are issued by the command line: only the server can create them, and they are not stored. */
async function issueKeys(world: World): Promise<void> {
  const ids = [...spreadIds(world), ...world.long.map((sales) => longId(world, sales))]
  const issue = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const output = await kontor(
        world.database,
        'key',
        'create',
        '--company',
        String(id),
        '--connection',
        '1',
        '--json',
      )
      const key = JSON.parse(output).api_key
      const company = id
      await withClient(world.database, (client) =>
        client.query('update bench.companies set api_key = $2 where company_id = $1', [company, key]),
      )
    }
  }
  await Promise.all([issue(), issue(), issue()])
}
