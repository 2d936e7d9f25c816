// Which sessions wait for the locks of another one. On a cluster the locks of rows are on the workers, and the coordinator knows who waits for whom.

import type pg from 'pg'
import { hasCitus } from '../../platform/postgres/plans.ts'

const waitsHere = 'select pid as waiting, unnest(pg_blocking_pids(pid)) as blocking from pg_stat_activity'

/** Those of statements that run on workers, by the sessions on the coordinator that sent them. */
const waitsOnCluster = `${waitsHere} union all
  select citus_pid_for_gpid(waiting_gpid), citus_pid_for_gpid(blocking_gpid) from citus_lock_waits`

/** How many sessions wait for this one, or for one another behind it. */
export async function waitersBehind(client: pg.Client, holder: number): Promise<number> {
  const waits = (await hasCitus(client)) ? waitsOnCluster : waitsHere
  const { rows } = await client.query<{ waiting: number; blocking: number }>(
    `select distinct waiting, blocking from (${waits}) w`,
  )
  const behind = new Set([holder])
  for (let before = 0; before < behind.size; ) {
    before = behind.size
    for (const { waiting, blocking } of rows) if (behind.has(blocking)) behind.add(waiting)
  }
  return behind.size - 1
}
