// PostgreSQL is killed under load: one of its backends, or the postmaster, or it is stopped immediately. The service is not restarted.

import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newFolder } from '../../server/test/harness/postgres-programs.ts'
import { killQuietly } from '../../server/test/harness/processes.ts'
import { type Campaign, type Options, type Outcome, randomOf } from '../campaign.ts'
import { Postgres } from './postgres.ts'
import { inRounds } from './rounds.ts'
import { Stage } from './stage.ts'

/** From the time that the database accepts connections to the first successful write. */
const servingWithinMs = 1_000

const ways = ['kill -9 of a backend', 'kill -9 of the postmaster', 'immediate stop'] as const

export const crashPostgres: Campaign = {
  name: 'crash-postgres',
  about: 'PostgreSQL is killed under load and started again; the service is left alone.',
  short: { runs: 3 },
  long: { runs: 102 },
  run: async (options) => await inRounds(options, 17, (runs, seed) => round(runs, seed, options)),
}

async function round(runs: number, seed: number, { say, judgesTime }: Options): Promise<Outcome> {
  const random = randomOf(seed)
  await using undo = new AsyncDisposableStack()
  const folder = newFolder('crash-postgres')
  undo.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await Postgres.make(folder)
  undo.defer(() => postgres.stop())
  await postgres.start()
  const stage = await Stage.open({ databaseUrl: postgres.url(), folder, seed })
  undo.defer(() => stage.close())

  const counts: Record<string, number> = {}
  const found: string[] = []
  const servingMs: number[] = []
  for (let run = 1; run <= runs; run++) {
    await sleep(300 + random() * 1_500)
    const way = ways[run % ways.length] ?? 'immediate stop'
    counts[way] = (counts[way] ?? 0) + 1
    await crash(postgres, way, random)
    const serving = await stage.servingAfterMs()
    servingMs.push(serving)
    if (judgesTime && serving > servingWithinMs)
      found.push(`${way} (${run}): serving ${Math.round(serving)} ms after the database`)
  }
  const verdict = await stage.judge()
  say(`${runs} crashes, ${verdict.counts['acknowledged']} acknowledged, ${verdict.found.length + found.length} found`)
  const slowest = Math.round(Math.max(...servingMs))
  return {
    counts: { ...counts, 'ms at most from the database to the first write': slowest, ...verdict.counts },
    found: [...found, ...verdict.found],
  }
}

/** Resolves when the database accepts connections again. */
async function crash(postgres: Postgres, way: (typeof ways)[number], random: () => number): Promise<void> {
  if (way === 'kill -9 of the postmaster') await postgres.killPostmaster()
  if (way === 'immediate stop') await postgres.stop('immediate')
  if (way === 'kill -9 of a backend') {
    // Our own connection shows when the postmaster has reacted and terminated all of them.
    const witness = new pg.Client({ connectionString: postgres.url() })
    const out = new Promise((resolve) => witness.on('error', resolve))
    await witness.connect()
    const sql = `select pid from pg_stat_activity where application_name = 'kontor' order by state <> 'active', pid`
    const { rows } = await witness.query<{ pid: number }>(sql)
    killQuietly(rows[Math.floor(random() * Math.min(rows.length, 3))]?.pid ?? postgres.pid, 'SIGKILL')
    await out
  }
  await postgres.start()
}
