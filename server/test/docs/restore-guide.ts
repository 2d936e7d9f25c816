// What the tests of the restore guide share: its commands, and what must work after every restore.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '../../platform/postgres/migrate.ts'
import { startServer } from '../harness/app.ts'
import { post } from '../harness/concurrent-calls.ts'
import { ownedFolder } from '../harness/postgres-programs.ts'
import { blocksOf } from './newcomer/blocks.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const guide = readFileSync(join(root, 'docs', 'guides', 'restore.md'), 'utf8')

/** The shell blocks below a heading. */
export function commandsOf(heading: string, count: number): string[] {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? assert.fail(heading)
  const blocks = blocksOf(section).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
  assert.equal(blocks.length, count, heading)
  return blocks
}

const [check = '', newEpoch = ''] = commandsOf('After every restore', 2)

export type Env = Readonly<Record<string, string>>

/** Runs a block and returns what it printed; fails when one of its commands fails. */
export const shell = (
  script: string,
  env: Env,
  user: { uid?: number; gid?: number; cwd?: string } = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: root, ...user, env: { ...process.env, ...env }, timeout: 120_000 }
    execFile('bash', ['-e', '-c', script], options, (error, out, errors) =>
      error === null ? resolve(out + errors) : reject(new Error(`${script}\n${out}${errors}`)),
    )
  })

export const bodyOf = (num: string) => ({ num, customer_name: 'Ada', products: [{ sku: 'P', amount: 1, total: 1 }] })

/** `migrate` and `audit` of the guide, and for a backup the new epoch of the feed; then the company of the only sale adds another. */
export async function worksAt(restoredUrl: string, companies: number, isBackup: boolean): Promise<void> {
  const checked = await shell(check, { RESTORED_URL: restoredUrl })
  assert.match(checked, new RegExp(`All invariants hold \\(companies: ${companies}\\)`))
  if (isBackup) {
    await shell(newEpoch, { DATABASE_URL: restoredUrl })
    await shell(check, { RESTORED_URL: restoredUrl })
  }
  const server = await startServer({ DATABASE_URL: restoredUrl })
  try {
    const key = await createKey(restoredUrl)
    const added = await post(server.url, key, 'orders/add', bodyOf('2'))
    assert.deepEqual(
      [added.status, added.body.order_id, added.body.customer_id],
      [200, isBackup ? 1_000_002 : 2, 1],
      added.text,
    )
  } finally {
    await server.stop()
  }
}

async function createKey(databaseUrl: string): Promise<string> {
  const find = `select company_id from sales limit 1`
  const admin = Object.assign(new URL(databaseUrl), { username: 'postgres' }).href
  const company = (await shell(`psql "${admin}" --tuples-only --no-align --command "${find}"`, {})).trim()
  const command = `npm run -s kontor -- key create --company ${company} --name Restored --json`
  return /kontor_live_\w+/.exec(await shell(command, { DATABASE_URL: databaseUrl }))?.[0] ?? ''
}

export async function serveFirstSale(url: string): Promise<void> {
  await createDatabase(url)
  const server = await startServer({ DATABASE_URL: url })
  try {
    const made = await shell('npm run -s kontor -- company create --name Restore --json', { DATABASE_URL: url })
    const { api_key: key } = JSON.parse(made.split('\n').find((line) => line.startsWith('{')) ?? '{}')
    assert.equal((await post(server.url, key, 'products/add', { name: 'P', sku: 'P' })).status, 200)
    assert.equal((await post(server.url, key, 'orders/add', bodyOf('1'))).status, 200)
  } finally {
    await server.stop()
  }
}

/** The configuration of the guide, with the paths of the test. */
export function writeBackupConfig(
  folder: string,
  cluster: { readonly dataFolder: string; readonly port: number; readonly sockets: string },
): void {
  const shown = blocksOf(guide).find(({ text }) => text.startsWith('[global]\n'))?.text ?? assert.fail()
  const paths = ['log', 'spool', 'lock'].map((name) => `${name}-path=${ownedFolder(join(folder, name))}\n`)
  const config = shown
    .replace('/var/lib/pgbackrest', ownedFolder(join(folder, 'repository')))
    .replace('/var/lib/postgresql/15/main', cluster.dataFolder)
    .replace('[global]\n', `[global]\n${paths.join('')}`)
  assert.ok(config.includes(cluster.dataFolder))
  writeFileSync(
    join(folder, 'pgbackrest.conf'),
    `${config}pg1-port=${cluster.port}\npg1-socket-path=${cluster.sockets}\n`,
    {
      mode: 0o644,
    },
  )
}
