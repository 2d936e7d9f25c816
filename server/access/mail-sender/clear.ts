// Takes a company off the list of those with mails to send, when it has none. The list and the mails are in different places of a cluster, where one statement
// cannot read the one and change the other.

import type { Statement } from '../../kernel/statement.ts'
import { beginAs } from '../../platform/postgres/company-transaction.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { lockCompany } from './statements.ts'

/** While the row of the company is locked: what is written meanwhile waits, and writes the row afterwards. */
export async function clearUnless<Found>(
  pool: Pool,
  companyId: number,
  find: Statement<Found>,
  isWanted: (found: Found | undefined) => boolean,
  clear: Statement,
): Promise<void> {
  await pool.useForFollowUp(async (connection) => {
    const trip = await connection.roundTrip([beginAs(companyId), lockCompany({ company_id: companyId }), find])
    if (trip.error !== undefined) {
      if (connection.usable) await connection.roundTrip(['rollback'])
      throw trip.error
    }
    const written = await connection.roundTrip([...(isWanted(trip.rows<Found>(2)[0]) ? [] : [clear]), 'commit'])
    if (written.error !== undefined) throw written.error
  })
}
