// Failover of a synchronous pair under load: the primary is killed and its disk lost, the standby is promoted, and a new standby
// joins. The service is not restarted.

import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasProgram, newFolder } from '../../server/test/harness/postgres-programs.ts'
import { type Campaign, type Outcome, randomOf } from '../campaign.ts'
import type { Verdict } from './oracle.ts'
import { Pair } from './pair.ts'
import { inRounds } from './rounds.ts'
import { Stage } from './stage.ts'

export const failover: Campaign = {
  name: 'failover',
  about:
    'Of two PostgreSQL servers with synchronous replication behind haproxy the primary is lost under load, and the standby is promoted.',
  short: { runs: 1 },
  long: { runs: 12 },
  run: async (options) => await inRounds(options, 6, (runs, seed) => round(runs, seed, options.say)),
}

async function round(runs: number, seed: number, say: (line: string) => void): Promise<Outcome> {
  if (!hasProgram('haproxy')) return { counts: {}, found: [], skipped: 'there is no haproxy' }
  const random = randomOf(seed)
  await using undo = new AsyncDisposableStack()
  const folder = newFolder('failover')
  undo.defer(() => rmSync(folder, { recursive: true, force: true }))
  const pair = await Pair.open(folder)
  undo.defer(() => pair.close())
  const directUrl = () => pair.primary.url()
  const stage = await Stage.open({ databaseUrl: pair.url(), directUrl, folder, seed })
  undo.defer(() => stage.close())

  const servingMs: number[] = []
  let verdict: Verdict | undefined
  for (let run = 1; run <= runs; run++) {
    await sleep(1_500 + random() * 3_000)
    const began = performance.now()
    await pair.failOver()
    // Until it has joined, nothing is acknowledged: a commit waits for two disks.
    await pair.rejoin()
    await stage.servingAfterMs()
    servingMs.push(performance.now() - began)
    verdict = await stage.judge()
    say(`${run} failovers, ${verdict.counts['acknowledged']} acknowledged, ${verdict.found.length} found`)
    if (verdict.found.length > 0) break
  }
  return {
    counts: {
      failovers: servingMs.length,
      'ms at most from the loss to the first write on the new pair': Math.round(Math.max(...servingMs)),
      ...verdict?.counts,
    },
    found: verdict?.found ?? ['nothing was judged'],
  }
}
