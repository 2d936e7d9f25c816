// The releases of the upgrade drill: the one before this version and this one, packed by "npm run release", and a later one that expands the schema.

import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

export type Release = { readonly folder: string }

export const programOf = ({ folder }: Release): string => join(folder, 'server', 'kontor.js')

export const thisCheckout: Release = { folder: root }

/**
 * Packs the previous release and this version. Takes minutes: the packages of the previous one are installed first. As long as there is no previous
 * release, this version takes its place, and a later one is what it is upgraded to.
 */
export async function packReleases(folder: string): Promise<{ readonly previous: Release; readonly current: Release }> {
  const git = async (...words: string[]) => (await run('git', words, { cwd: root })).stdout
  const current = { folder: await packed(root, join(folder, 'current')) }
  const [previousTag = ''] = (await git('tag', '--list', 'v*', '--merged', 'HEAD^', '--sort=-version:refname')).split(
    '\n',
  )
  if (previousTag === '') return { previous: current, current: makeNextRelease(current, join(folder, 'next')) }
  const source = join(folder, 'source')
  await git('worktree', 'add', '--detach', source, previousTag)
  try {
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: source, maxBuffer: 64 << 20 })
    return { previous: { folder: await packed(source, join(folder, 'previous')) }, current }
  } finally {
    await git('worktree', 'remove', '--force', source)
  }
}

async function packed(source: string, out: string): Promise<string> {
  await run(process.execPath, ['release/main.ts', '--source', source, '--out', out], { cwd: root, maxBuffer: 64 << 20 })
  const [name] = globSync('kontor-*/', { cwd: out })
  if (name === undefined) throw new Error(`there is no release in ${out}`)
  return join(out, name)
}

/** What the next version might add: a column, a table, and an index on the largest table. */
const nextMigrations: Readonly<Record<string, string>> = {
  '9997_next_column': `alter table sales add column next_note text not null default '';
create table next_notes (company_id bigint not null references companies, id bigint not null, primary key (company_id, id));
alter table next_notes enable row level security, force row level security;
create policy own_company on next_notes using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);`,
  '9998_next_index': 'create index concurrently sales_next on sales (company_id, next_note);',
}

/** A copy of a release with a higher version and more migrations. */
export function makeNextRelease(of: Release, folder: string): Release {
  for (const name of ['server', 'migrations', 'clients', 'package.json'])
    if (existsSync(join(of.folder, name))) cpSync(join(of.folder, name), join(folder, name), { recursive: true })
  symlinkSync(join(of.folder, 'node_modules'), join(folder, 'node_modules'))
  const path = join(folder, 'package.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version: '99.0.0' }))
  for (const [name, sql] of Object.entries(nextMigrations))
    writeFileSync(join(folder, 'migrations', `${name}.sql`), `${sql}\n`)
  return { folder }
}

/** Runs a command of the release; throws with its output when it fails. */
export async function kontor(release: Release, databaseUrl: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const { stdout } = await run(process.execPath, [programOf(release), ...words], { env, timeout: 300_000 })
  return stdout
}
