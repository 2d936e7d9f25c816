// Everything a company has, apart from its history: what must be the same after a change and its undoing.

import assert from 'node:assert/strict'
import { readCompanyTables } from '../../tenants/company-tables.ts'
import { asOwner } from '../../tenants/owner.ts'
import { databaseUrl, query } from './database.ts'

/** The history, and what every request writes. Movements are only ever added: their sums are compared. */
const history = [
  'api_connections',
  'company_clock',
  'daily_usage',
  'events',
  'idempotency_keys',
  'quotas',
  'sessions',
  'stock_movements',
]

/** The rows of all tables by table, without the columns that hold versions. */
export async function companyState(companyId: number): Promise<Readonly<Record<string, unknown>>> {
  const tables = (await asOwner(databaseUrl(), readCompanyTables))
    .map(({ name }) => name)
    .filter((name) => !history.includes(name) && !name.startsWith('request_log'))
  const state: Record<string, unknown> = {}
  for (const table of tables) {
    // A level of nothing is the same as none.
    const shown = table === 'stock_levels' ? 'and (on_hand <> 0 or reserved <> 0)' : ''
    state[table] = await query(
      companyId,
      `select (to_jsonb(t) - 'updated_at' - 'seq')::text as row from ${table} t where company_id = $1 ${shown} order by 1`,
      [companyId],
    )
  }
  state['stock_movements'] = await query(
    companyId,
    `select section, document_id::int, item_id::int, storage_id::int, date::text, sum(on_hand)::text as on_hand,
       sum(reserved)::text as reserved, sum(value)::text as value
     from stock_movements where company_id = $1 group by 1, 2, 3, 4, 5
     having sum(on_hand) <> 0 or sum(reserved) <> 0 or sum(value) <> 0 order by 1, 2, 3, 4, 5`,
    [companyId],
  )
  return state
}

/** Fails with the name of the first table that differs. */
export async function assertState(companyId: number, expected: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [table, rows] of Object.entries(await companyState(companyId)))
    assert.deepEqual(rows, expected[table], table)
}
