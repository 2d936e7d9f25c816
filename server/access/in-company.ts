// Runs statements of a company in a transaction of their own: for what is no write of the company, such as its sessions.

import type { Statement } from '../kernel/statement.ts'
import { beginAs } from '../platform/postgres/company-transaction.ts'
import type { Pool } from '../platform/postgres/database.ts'
import type { RoundTripResult } from '../platform/postgres/round-trip.ts'

/** The results of the statements begin at 1. */
export async function inCompany(
  pool: Pool,
  companyId: number,
  ...statements: readonly Statement[]
): Promise<RoundTripResult> {
  const trip = await pool.use((connection) => connection.roundTrip([beginAs(companyId), ...statements, 'commit']))
  if (trip.error !== undefined) throw trip.error
  return trip
}
