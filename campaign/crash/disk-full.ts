// A disk becomes full under load: the one with the data, or the one with the write-ahead log. Then there is space again, and
// the service is not restarted. PostgreSQL is restarted when it ends, as an init system would.

import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { newFolder, ownedFolder } from '../../server/test/harness/postgres-programs.ts'
import { type Campaign, type Outcome, randomOf } from '../campaign.ts'
import { LoopDisk, whyNoLoopDisk } from './loop-disk.ts'
import type { Verdict } from './oracle.ts'
import { Postgres } from './postgres.ts'
import { Stage } from './stage.ts'

const servingWithinMs = 1_000
/** How long a disk stays full after the first refused write. */
const fullMs = 2_000

type Full = { turnedAway: number; reads: number; readsFailed: string[]; servingMs: number }

export const diskFull: Campaign = {
  name: 'disk-full',
  about:
    'The disk of the data (odd runs) or of the write-ahead log (even runs) becomes full under load, and then has space again.',
  short: { runs: 2 },
  long: { runs: 10 },
  run: async ({ runs, seed, say }): Promise<Outcome> => {
    const skipped = whyNoLoopDisk()
    if (skipped !== undefined) return { counts: {}, found: [], skipped }
    const random = randomOf(seed)
    await using undo = new AsyncDisposableStack()
    const folder = newFolder('disk-full')
    undo.defer(() => rmSync(folder, { recursive: true, force: true }))
    const data = LoopDisk.make(folder, 'data-disk', 400)
    undo.defer(() => data.remove())
    const log = LoopDisk.make(folder, 'log-disk', 100)
    undo.defer(() => log.remove())
    // Few small segments: the log needs space soon.
    const postgres = await Postgres.make(folder, {
      dataFolder: ownedFolder(`${data.mountPoint}/data`),
      initdb: ['--waldir', ownedFolder(`${log.mountPoint}/log`), '--wal-segsize', '1'],
      settings: { min_wal_size: '2MB', max_wal_size: '16MB', wal_recycle: 'off', wal_init_zero: 'on' },
    })
    undo.defer(() => postgres.killAll())
    await postgres.start()
    const stage = await Stage.open({ databaseUrl: postgres.url(), folder, seed })
    undo.defer(() => stage.close())

    const counts = { data: 0, log: 0, turnedAway: 0, reads: 0, readsWhileLogFull: 0, slowestMs: 0 }
    const found: string[] = []
    let verdict: Verdict | undefined
    for (let run = 1; run <= runs; run++) {
      await sleep(300 + random() * 1_000)
      const which = run % 2 === 1 ? 'data' : 'log'
      const full = await runFull(stage, postgres, which === 'data' ? data : log)
      counts[which]++
      counts.turnedAway += full.turnedAway
      counts.slowestMs = Math.max(counts.slowestMs, full.servingMs)
      // A full log disk stops PostgreSQL, and reads with it, until there is space; a full data disk must not affect reads.
      if (which === 'data') {
        counts.reads += full.reads
        found.push(...full.readsFailed.map((text) => `run ${run}: a read was answered ${text}`))
      } else counts.readsWhileLogFull += full.reads
      if (full.servingMs > servingWithinMs)
        found.push(`run ${run}: the first write succeeded ${Math.round(full.servingMs)} ms after the database had room`)
      verdict = await stage.judge()
      say(`${run} times full (${which}), ${verdict.counts['acknowledged']} acknowledged, ${verdict.found.length} found`)
      if (verdict.found.length > 0) break
    }
    return {
      counts: {
        'times the data had no room': counts.data,
        'times the log had no room': counts.log,
        'writes of the probe turned away': counts.turnedAway,
        'reads answered while the data had no room': counts.reads,
        'reads answered while the log had no room': counts.readsWhileLogFull,
        'ms at most from room to the first write': Math.round(counts.slowestMs),
        ...verdict?.counts,
      },
      found: [...found, ...(verdict?.found ?? ['nothing was judged'])],
    }
  },
}

/** Fills the disk, waits until a write is refused, reads in the meantime, and frees the space again. */
async function runFull(stage: Stage, postgres: Postgres, disk: LoopDisk): Promise<Full> {
  const full: Full = { turnedAway: 0, reads: 0, readsFailed: [], servingMs: 0 }
  disk.fill()
  const giveUpAt = Date.now() + 60_000
  let endsAt = giveUpAt
  while (Date.now() < endsAt) {
    // Space that PostgreSQL frees in the meantime (old segments, a truncated table) is filled again at once.
    disk.fill()
    // Adding a unit writes a row, an event and a counter: it fails whichever table has no space.
    const { status } = await stage.write('customers/add', { name: `Full ${Math.random()}`, notes: 'x'.repeat(5_000) })
    if (status !== 200) {
      full.turnedAway++
      endsAt = Math.min(endsAt, Date.now() + fullMs)
    }
    const read = await stage.read()
    if (read.status === 200) full.reads++
    else full.readsFailed.push(`${read.status} ${read.text}`)
    if (!postgres.running) postgres.launch()
    await sleep(20)
  }
  disk.drain()
  if (full.turnedAway === 0) throw new Error('the disk did not become full')
  await postgres.start()
  full.servingMs = await stage.servingAfterMs()
  return full
}
