// kill -9 of server processes under load: a worker, which its parent replaces, or the parent with all its workers.

import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder } from '../../server/test/harness/postgres-programs.ts'
import { killQuietly } from '../../server/test/harness/processes.ts'
import { type Campaign, type Outcome, randomOf } from '../campaign.ts'
import { Postgres } from './postgres.ts'
import { inRounds } from './rounds.ts'
import { Stage } from './stage.ts'

export const crashService: Campaign = {
  name: 'crash-service',
  about: 'Server processes are killed with kill -9 under load and started again.',
  short: { runs: 4 },
  long: { runs: 200 },
  run: async (options) => await inRounds(options, 25, (runs, seed) => round(runs, seed, options.say)),
}

async function round(runs: number, seed: number, say: (line: string) => void): Promise<Outcome> {
  const random = randomOf(seed)
  await using undo = new AsyncDisposableStack()
  const folder = newFolder('crash-service')
  undo.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await Postgres.make(folder)
  undo.defer(() => postgres.stop())
  await postgres.start()
  const stage = await Stage.open({ databaseUrl: postgres.url(), folder, seed, env: { WORKERS: '2' } })
  undo.defer(() => stage.close())

  let [ofWorkers, ofMinders, slowestMs] = [0, 0, 0]
  const found: string[] = []
  for (let run = 1; run <= runs; run++) {
    await sleep(200 + random() * 1_000)
    const workers = stage.service.workers()
    if (random() < 0.6 && workers.length > 1) {
      killQuietly(workers[Math.floor(random() * workers.length)] ?? 0, 'SIGKILL')
      ofWorkers++
      // The other worker continues in the meantime; sometimes it is killed before the first one is replaced.
      if (random() < 0.7) await untilWorkers(stage, 2)
    } else {
      const { orphans } = await stage.service.kill()
      ofMinders++
      if (orphans > 0) found.push(`kill ${run}: ${orphans} workers outlived their minder by 10 s`)
      await stage.service.start()
    }
    slowestMs = Math.max(slowestMs, await stage.servingAfterMs())
  }
  const verdict = await stage.judge()
  say(`${runs} kills, ${verdict.counts['acknowledged']} acknowledged, ${verdict.found.length} found`)
  return {
    counts: {
      'kills of one worker': ofWorkers,
      'kills of the whole service': ofMinders,
      'ms at most from the restart to the first write': Math.round(slowestMs),
      ...verdict.counts,
    },
    found: [...found, ...verdict.found],
  }
}

async function untilWorkers(stage: Stage, count: number): Promise<void> {
  for (let waited = 0; waited < 1_000 && stage.service.workers().length < count; waited++) await sleep(10)
}
