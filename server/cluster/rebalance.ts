// Moves shards between the workers of a cluster until each has its share, while the service runs. The moves are made by logical replication, whose login may
// not write to tables with forced row level security. So row level security does not apply to the owner of the tables meanwhile. It does apply to requests:
// their role owns nothing.

import { setTimeout as sleep } from 'node:timers/promises'
import { rebalanceLock } from '../platform/postgres/rebalance-lock.ts'
import { readCatalog, readExtension } from './distribute.ts'
import { NotDistributable, type Table } from './distribution-plan.ts'
import type { Run } from './sharding-rules.ts'

const pollMs = 1_000

export type Rebalanced = 'nothing to move' | 'finished'

/** Ends with row level security forced again, whatever happened. After a lost connection, run it again. */
export async function rebalance(run: Run, report: (text: string) => void): Promise<Rebalanced> {
  const extension = await readExtension(run)
  const { tables } = await readCatalog(run, extension)
  const distributed = tables.filter(({ ofCompany, placement }) => ofCompany && placement?.kind === 'distributed')
  if (distributed.length === 0)
    throw new NotDistributable('the database is not distributed: see "kontor db distribute"')
  const [locked] = await run(`select pg_try_advisory_lock(${rebalanceLock}) as locked`)
  if (locked?.['locked'] !== true) throw new NotDistributable('another "kontor db rebalance" is running')
  try {
    await force(run, distributed, false)
    return await moveShards(run, report)
  } finally {
    await force(run, distributed, true)
    await run(`select pg_advisory_unlock(${rebalanceLock})`)
  }
}

async function force(run: Run, tables: readonly Table[], isForced: boolean): Promise<void> {
  for (const { name } of tables) await run(`alter table ${name} ${isForced ? 'force' : 'no force'} row level security`)
}

async function moveShards(run: Run, report: (text: string) => void): Promise<Rebalanced> {
  const [started] = await run('select citus_rebalance_start() as job')
  const job = started?.['job'] ?? null
  if (job === null) return 'nothing to move'
  let done = ''
  for (;;) {
    const [state] = await run(
      `select j.state::text as state, count(*) filter (where t.status = 'done') || ' of ' || count(*) as done,
         max(t.message) filter (where t.status in ('error', 'runnable')) as message
       from pg_dist_background_job j left join pg_dist_background_task t on t.job_id = j.job_id where j.job_id = $1 group by j.state`,
      [job],
    )
    const text = `Moves: ${state?.['done']}${state?.['message'] == null ? '' : `; last error: ${state['message']}`}`
    if (text !== done) report(text)
    done = text
    if (state?.['state'] === 'finished') return 'finished'
    if (['failed', 'cancelled'].includes(String(state?.['state'])))
      throw new NotDistributable(`the rebalance ended: ${state?.['state']}. ${text}`)
    await sleep(pollMs)
  }
}
