// The restore drill: a backup under load, more load, a recorded point in time, more load; then the database is destroyed and restored to that
// point in time. What was acknowledged before it is present, what was sent after it is not.

import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasProgram, newFolder, ownedFolder, postgresUser } from '../../server/test/harness/postgres-programs.ts'
import { type Campaign, type Outcome, randomOf } from '../campaign.ts'
import { Callers } from './callers.ts'
import type { Op } from './journal.ts'
import { judge, type Verdict } from './oracle.ts'
import { Postgres } from './postgres.ts'
import { Service } from './service.ts'
import { makeCompanies } from './stage.ts'

const stanza = 'kontor'

export const restore: Campaign = {
  name: 'restore',
  about:
    'The database is backed up by pgBackRest under load, destroyed, and restored to a point in time between two requests of the load.',
  short: { runs: 1 },
  long: { runs: 10 },
  run: async ({ runs, seed, say }): Promise<Outcome> => {
    if (!hasProgram('pgbackrest')) return { counts: {}, found: [], skipped: 'there is no pgbackrest' }
    const counts: Record<string, number> = { restores: 0 }
    const found: string[] = []
    for (let run = 1; run <= runs && found.length === 0; run++) {
      const verdict = await drill(seed + run)
      for (const [name, count] of Object.entries(verdict.counts)) counts[name] = (counts[name] ?? 0) + count
      counts['restores'] = run
      found.push(...verdict.found)
      say(`${run} restores, ${counts['acknowledged']} acknowledged before the moment, ${found.length} found`)
    }
    return { counts, found }
  },
}

async function drill(seed: number): Promise<Verdict> {
  const random = randomOf(seed)
  await using undo = new AsyncDisposableStack()
  const folder = newFolder('restore')
  undo.defer(() => rmSync(folder, { recursive: true, force: true }))
  const dataFolder = `${folder}/data`
  const backrest = (...words: string[]): string =>
    `pgbackrest --config=${folder}/pgbackrest.conf --stanza=${stanza} ${words.join(' ')}`
  const postgres = await Postgres.make(folder, {
    dataFolder,
    settings: { wal_level: 'replica', archive_mode: 'on', archive_command: `'${backrest('archive-push', '%p')}'` },
  })
  undo.defer(() => postgres.killAll())
  configure(folder, postgres)
  const keep = (...words: string[]): void =>
    void execFileSync('sh', ['-c', backrest(...words)], { ...postgresUser(), cwd: folder, stdio: 'pipe' })
  await postgres.start()
  keep('stanza-create')

  const companies = await makeCompanies(postgres.url(), 3)
  const service = await Service.start(postgres.url())
  undo.defer(() => service.stop())
  const callers = new Callers({ url: service.url, journal: `${folder}/journal`, companies, lanes: 6, seed })
  undo.defer(() => callers.end())
  await sleep(500 + random() * 1_000)
  keep('backup', '--type=full', '--start-fast')
  await sleep(500 + random() * 1_500)
  const [{ moment }] = (await postgres.query('select clock_timestamp()::text as moment')) as [{ moment: string }]
  const momentMs = Date.parse(moment.replace(' ', 'T').replace(/\+00$/, 'Z'))
  await sleep(500 + random() * 1_000)
  await callers.end()
  await archived(postgres)

  await postgres.killAll()
  rmSync(dataFolder, { recursive: true, force: true })
  ownedFolder(dataFolder)
  keep('restore', '--type=time', `"--target=${moment}"`, '--target-action=promote')
  await postgres.start()
  await recovered(postgres)
  const verdict = await judge(postgres.url(), asOf(callers.journal(), momentMs))
  return { ...verdict, counts: { ...verdict.counts, 'sent after the moment': after(callers.journal(), momentMs) } }
}

function configure(folder: string, postgres: Postgres): void {
  const repository = ownedFolder(`${folder}/backups`)
  for (const name of ['log', 'spool', 'lock']) ownedFolder(`${folder}/${name}`)
  writeFileSync(
    `${folder}/pgbackrest.conf`,
    `[global]
repo1-path=${repository}
log-path=${folder}/log
spool-path=${folder}/spool
lock-path=${folder}/lock
log-level-console=warn
log-level-file=off
repo1-retention-full=2
compress-type=none
[${stanza}]
pg1-path=${postgres.dataFolder}
pg1-port=${postgres.port}
pg1-socket-path=${folder}
pg1-user=postgres
`,
    { mode: 0o644 },
  )
}

/** Everything written so far is in the archive. */
async function archived(postgres: Postgres): Promise<void> {
  const [{ segment }] = (await postgres.query('select pg_walfile_name(pg_switch_wal()) as segment')) as [
    { segment: string },
  ]
  const last = 'select last_archived_wal as last from pg_stat_archiver'
  for (let waited = 0; waited < 600; waited++) {
    const [{ last: name }] = (await postgres.query(last)) as [{ last: string | null }]
    if (name !== null && name >= segment) return
    await sleep(50)
  }
  throw new Error('the write-ahead log was not archived')
}

async function recovered(postgres: Postgres): Promise<void> {
  for (let waited = 0; waited < 600; waited++) {
    const [{ follows }] = (await postgres.query('select pg_is_in_recovery() as follows')) as [{ follows: boolean }]
    if (!follows) return
    await sleep(50)
  }
  throw new Error('the restore did not end')
}

/** The journal as of a point in time: requests in progress then may be present or not, later ones are not. */
function asOf(ops: readonly Op[], momentMs: number): Op[] {
  return ops.map((op) => {
    if (op.sentMs > momentMs) return { ...op, outcome: 'not done' }
    if (op.outcome === 'done' && op.endedMs >= momentMs) return { ...op, outcome: 'unknown' }
    return op
  })
}

const after = (ops: readonly Op[], momentMs: number): number => ops.filter((op) => op.sentMs > momentMs).length
