// A power failure: the disk of the database accepts no more writes, every process of PostgreSQL is killed, and everything that was only in
// memory is lost. kill -9 alone cannot test this: the operating system keeps what a killed process had written.

import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder, ownedFolder } from '../../server/test/harness/postgres-programs.ts'
import { type Campaign, type Outcome, randomOf } from '../campaign.ts'
import { LoopDisk, whyNoLoopDisk } from './loop-disk.ts'
import type { Verdict } from './oracle.ts'
import { Postgres, type Settings } from './postgres.ts'
import { inRounds } from './rounds.ts'
import { Stage } from './stage.ts'

export const powerCut: Campaign = {
  name: 'power-cut',
  about: 'The disk under PostgreSQL stops taking anything, as when the power goes, under load.',
  short: { runs: 2 },
  long: { runs: 30 },
  run: async (options) => await inRounds(options, 10, (runs, seed) => cutPower(runs, seed, options.say, {})),
}

export async function cutPower(
  runs: number,
  seed: number,
  say: (line: string) => void,
  settings: Settings,
): Promise<Outcome> {
  const skipped = whyNoLoopDisk()
  if (skipped !== undefined) return { counts: {}, found: [], skipped }
  const random = randomOf(seed)
  await using undo = new AsyncDisposableStack()
  const folder = newFolder('power-cut')
  undo.defer(() => rmSync(folder, { recursive: true, force: true }))
  const disk = LoopDisk.make(folder, 'disk', 1_024)
  undo.defer(() => disk.remove())
  const dataFolder = ownedFolder(`${disk.mountPoint}/data`)
  const postgres = await Postgres.make(folder, { dataFolder, settings })
  undo.defer(() => postgres.killAll())
  await postgres.start()
  const stage = await Stage.open({ databaseUrl: postgres.url(), folder, seed })
  undo.defer(() => stage.close())
  // initdb does not flush its files; creating the cluster is not part of the test.
  disk.sync()

  let verdict: Verdict | undefined
  let cuts = 0
  for (let run = 1; run <= runs; run++) {
    await sleep(500 + random() * 2_000)
    disk.cutPower()
    await postgres.killAll()
    await disk.unmount()
    disk.mount()
    cuts++
    try {
      await postgres.start(20_000)
    } catch (error) {
      return { counts: { 'power cuts': cuts }, found: [`the database does not come back: ${error}`] }
    }
    await stage.servingAfterMs()
    verdict = await stage.judge()
    say(`${run} cuts, ${verdict.counts['acknowledged']} acknowledged, ${verdict.found.length} found`)
    if (verdict.found.length > 0) break
  }
  return { counts: { 'power cuts': cuts, ...verdict?.counts }, found: verdict?.found ?? ['nothing was judged'] }
}
