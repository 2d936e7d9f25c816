// Deletes the companies whose owners asked for it some days ago.

import type pg from 'pg'
import { findClock } from '../platform/postgres/trusted-clock.ts'
import { deleteCompany } from './company-delete.ts'
import { asOwner } from './owner.ts'

const lock = "hashtextextended('kontor due deletions', 0)"

/** Nothing while the clock is in doubt, or while another process does it. Returns the ids of the companies that were deleted. */
export async function deleteDueCompanies(databaseUrl: string, signal?: AbortSignal): Promise<number[]> {
  return await asOwner(databaseUrl, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${lock}) as mine`)
    if (rows[0]?.mine !== true || (await findClock(client)).in_doubt) return []
    const { rows: due } = await client.query<{ company_id: string }>(
      'select company_id from companies where delete_at <= now() order by company_id',
    )
    const deleted: number[] = []
    for (const { company_id: id } of due) {
      if (signal?.aborted === true) break
      if ((await deleteCompany(client, Number(id), isDue)) !== undefined) deleted.push(Number(id))
    }
    return deleted
  })
}

/** Read under the lock of the company's writes, so that it cannot be kept meanwhile. */
async function isDue(client: pg.Client, companyId: number): Promise<boolean> {
  const { rows } = await client.query('select from companies where company_id = $1 and delete_at <= now()', [companyId])
  return rows.length > 0
}
