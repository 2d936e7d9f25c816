// The commands of the restore guide for pgBackRest, exactly as written but for the name and the version of the cluster, on a cluster of Debian's layout: its
// configuration is in /etc/postgresql and not in the data directory.

import assert from 'node:assert/strict'
import { appendFileSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { hasProgram, newFolder, postgresUser } from '../harness/postgres-programs.ts'
import { commandsOf, serveFirstSale, shell, worksAt, writeBackupConfig } from './restore-guide.ts'

const version = globSync('/usr/lib/postgresql/*/bin/initdb').map((path) => path.split('/')[4] ?? '')[0] ?? ''
const name = `kontor_restore_${process.pid}`
const missing = ['pg_createcluster', 'pg_ctlcluster', 'pgbackrest'].find((program) => !hasProgram(program))
const skip =
  missing !== undefined
    ? `there is no ${missing}`
    : version === ''
      ? 'Debian has no PostgreSQL here'
      : process.getuid?.() !== 0
        ? 'needs root'
        : false

test('pgBackRest restores a moment into a new cluster of pg_createcluster, and the service works at once', {
  skip,
}, async () => {
  const blocks = commandsOf('pgBackRest: any point in time', 9).map((block) =>
    block.replaceAll(' 15 main', ` ${version} ${name}`),
  )
  const [archive = '', restart = '', , backup = '', create = '', restore = '', start = '', , finish = ''] = blocks
  assert.equal(create, `pg_createcluster ${version} ${name}\n`)
  const folder = newFolder('restore-guide-debian')
  const configuration = join('/etc/postgresql', version, name)
  const asPostgres = (block: string, env: Readonly<Record<string, string>> = {}): Promise<string> =>
    shell(block, { PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'), ...env }, { ...postgresUser(), cwd: folder })
  /** A machine with the changes of its configuration; the second one gets the port of the first. */
  const newMachine = async (port?: number): Promise<number> => {
    await asPostgres(create)
    const listed = await asPostgres('pg_lsclusters --no-header')
    const given =
      port ??
      Number(
        listed
          .split('\n')
          .find((line) => line.split(/\s+/)[1] === name)
          ?.split(/\s+/)[2],
      )
    appendFileSync(join(configuration, 'environment'), `PGBACKREST_CONFIG = '${join(folder, 'pgbackrest.conf')}'\n`)
    appendFileSync(join(configuration, 'postgresql.conf'), `port = ${given}\nfsync = off\n`)
    // For the test only, which is not run by the system user of PostgreSQL.
    const hba = join(configuration, 'pg_hba.conf')
    await asPostgres(`sed -i '1i host all postgres 127.0.0.1/32 trust' ${hba}`)
    return given
  }
  try {
    const port = await newMachine()
    const admin = `postgresql:///postgres?host=/var/run/postgresql&port=${port}`
    const url = `postgres://kontor_owner:secret@127.0.0.1:${port}/kontor`
    writeBackupConfig(folder, {
      dataFolder: `/var/lib/postgresql/${version}/${name}`,
      port,
      sockets: '/var/run/postgresql',
    })
    await asPostgres(start)
    await asPostgres(`psql --quiet "${admin}" --command "create role kontor_owner login createrole password 'secret'"`)
    await asPostgres(`psql --quiet "${admin}" --command "create database kontor owner kontor_owner"`)
    await serveFirstSale(url)
    for (const block of [archive, restart, backup]) await asPostgres(block, { ADMIN_URL: admin })
    // pgBackRest knows the end of a backup to the second.
    await sleep(1_100)
    const moment = await loseSales(port)
    // The machine is gone.
    await asPostgres(`pg_dropcluster --stop ${version} ${name}`)
    await newMachine(port)
    for (const block of [restore, start, finish]) await asPostgres(block, { ADMIN_URL: admin, MOMENT: moment })
    await worksAt(url, 1, true)
  } finally {
    await asPostgres(`pg_dropcluster --stop ${version} ${name}`).catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A mistake; returns the moment before it. */
async function loseSales(port: number): Promise<string> {
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/kontor`)
  await client.connect()
  try {
    const { rows } = await client.query<{ moment: string }>('select clock_timestamp()::text as moment')
    await client.query('truncate sales cascade')
    await client.query('select pg_switch_wal()')
    return rows[0]?.moment ?? ''
  } finally {
    await client.end()
  }
}
