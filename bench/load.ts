// Databases of the benchmark: one with the data, kept between runs while schema and data are unchanged, and for every run
// two copies of it, one for the server and one for pgbench.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hashOf, hintOf, newKey } from '../server/access/keys.ts'
import { databaseUrl, withClient } from './postgres.ts'
import { type Source, thisSource } from './source.ts'
import { longId, spreadIds, type World } from './world.ts'

const run = promisify(execFile)

export type Company = { readonly id: number; readonly key: string; readonly sales: number }
export type Databases = {
  readonly served: string
  readonly bare: string
  readonly companies: ReadonlyMap<number, Company>
}

/** Loads the data with the migrations and the formulas of the source. */
export async function loadWorld(
  world: World,
  options: { fresh: boolean; source?: Source },
  say: (line: string) => void,
): Promise<void> {
  const source = options.source ?? thisSource()
  const fingerprint = fingerprintOf(world, source)
  if (!options.fresh && (await loadedFingerprint(world.database)) === fingerprint) return
  const startedMs = performance.now()
  say(`loading ${world.database} …`)
  await withClient(undefined, async (client) => {
    await client.query(`drop database if exists ${world.database} with (force)`)
    await client.query(`create database ${world.database}`)
  })
  await kontor(source, world.database, 'migrate')
  await loadCompanies(world, source)
  // Backfills add what the formulas do not create, such as events. Earlier versions had none.
  if (existsSync(join(source.root, 'server/cli/maintain.ts'))) await kontor(source, world.database, 'maintain')
  await withClient(world.database, async (client) => {
    await client.query('vacuum (analyze)')
    await client.query('insert into bench.loaded (fingerprint) values ($1)', [fingerprint])
  })
  say(`loaded ${world.database} in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
}

/** Two fresh copies; those of an earlier run are dropped. */
export async function copyWorld(world: World): Promise<Databases> {
  const copies = { served: `${world.database}_served`, bare: `${world.database}_bare` }
  for (const name of Object.values(copies)) await copyDatabase(world.database, name)
  return { ...copies, companies: await companiesOf(copies.served) }
}

/** A fresh copy; one of an earlier run is dropped. */
export async function copyDatabase(database: string, copy: string): Promise<void> {
  await withClient(undefined, async (client) => {
    await client.query(`drop database if exists ${copy} with (force)`)
    await client.query(`create database ${copy} template ${database} strategy file_copy`)
  })
}

export async function companiesOf(database: string): Promise<Map<number, Company>> {
  return await withClient(database, async (client) => {
    const { rows } = await client.query('select company_id, sales, api_key from bench.companies')
    return new Map(
      rows.map((row) => [
        Number(row.company_id),
        { id: Number(row.company_id), key: String(row.api_key), sales: Number(row.sales) },
      ]),
    )
  })
}

export async function dropDatabases(names: readonly string[]): Promise<void> {
  await withClient(undefined, async (client) => {
    for (const name of names) await client.query(`drop database if exists ${name} with (force)`)
  })
}

/** The `kontor` command of a source on one of the databases. */
export async function kontor(source: Source, database: string, ...words: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['server/cli.ts', ...words], {
    cwd: source.root,
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

const loadSql = (source: Source): string => readFileSync(join(source.root, 'bench/load.sql'), 'utf8')

function fingerprintOf(world: World, source: Source): string {
  const hash = createHash('sha256').update(JSON.stringify(world)).update(loadSql(source))
  const folder = join(source.root, 'migrations')
  for (const name of readdirSync(folder).toSorted()) {
    if (/^\d.*\.sql$/.test(name)) hash.update(name).update(readFileSync(join(folder, name)))
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

async function loadCompanies(world: World, source: Source): Promise<void> {
  const created = await kontor(source, world.database, 'company', 'create', '--name', 'Template', '--json')
  const template = JSON.parse(created).company_id
  const wanted = [
    ...spreadIds(world).map((id) => ({ id, sales: world.spreadSales })),
    ...world.long.map((sales) => ({ id: longId(world, sales), sales })),
  ]
  await withClient(world.database, async (client) => {
    await client.query(loadSql(source))
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
      const key = newKey()
      await client.query('insert into api_keys (company_id, key_hash, connection_id, hint) values ($1, $2, 1, $3)', [
        id,
        hashOf(key),
        hintOf(key),
      ])
      await client.query('insert into bench.companies (company_id, sales, api_key) values ($1, $2, $3)', [
        id,
        sales,
        key,
      ])
      await client.query('commit')
    }
  })
}
