// The test company still has the person: the server replaces it by a new copy, also one that it is making now.

import type pg from 'pg'
import type { ChangedRows } from './erasure-pages.ts'
import { inCompany } from './owner.ts'

export async function eraseTestCompany(client: pg.Client, companyId: number, changed: ChangedRows): Promise<void> {
  const { rowCount } = await inCompany(client, companyId, () =>
    client.query(
      'update test_companies set requested_at = now() where company_id = $1 and (test_company_id is not null or requested_at is not null)',
      [companyId],
    ),
  )
  if (rowCount === 1) changed['test_companies'] = 1
}
