// Measures how much a company has stored, by reading all of its rows, and corrects the counter that its storage limit is compared with.

import pg from 'pg'
import { readCompanyTables } from './company-tables.ts'
import { inCompany } from './owner.ts'

export type TableSize = { readonly table: string; readonly rows: number; readonly bytes: number }

/** The request log has limits of its own. */
const unmeasured = ['request_log']

export async function measureCompany(client: pg.Client, companyId: number): Promise<TableSize[]> {
  const tables = (await readCompanyTables(client)).filter(({ name }) => !unmeasured.includes(name))
  const sizes: TableSize[] = []
  const before = await inCompany(
    client,
    companyId,
    async () => {
      for (const { name } of tables) {
        const { rows } = await client.query<{ rows: string; bytes: string }>(
          `select count(*) as rows, coalesce(sum(pg_column_size(t.*)), 0) as bytes from ${pg.escapeIdentifier(name)} t where t.company_id = $1`,
          [companyId],
        )
        if (rows[0] !== undefined && rows[0].rows !== '0')
          sizes.push({ table: name, rows: Number(rows[0].rows), bytes: Number(rows[0].bytes) })
      }
      const { rows } = await client.query<{ written_bytes: string }>(
        'select written_bytes from company_clock where company_id = $1',
        [companyId],
      )
      return Number(rows[0]?.written_bytes ?? 0)
    },
    'begin isolation level repeatable read read only',
  )
  const measured = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  // What was written since the snapshot is added.
  await inCompany(client, companyId, () =>
    client.query('update company_clock set written_bytes = greatest(0, written_bytes + $2) where company_id = $1', [
      companyId,
      measured - before,
    ]),
  )
  return sizes.toSorted((a, b) => b.bytes - a.bytes)
}
