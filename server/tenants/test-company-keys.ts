// The keys of a test company move to its next copy.

import pg from 'pg'
import { asCompany } from '../platform/postgres/company-transaction.ts'
import { insertValues } from './insert-values.ts'

type Connection = { readonly connection_id: string; readonly row: object; readonly keys: readonly object[] }

/** A connection that was copied along is still the same; one that was created in the former copy moves with its keys. */
export async function moveKeys(client: pg.Client, former: number, copyId: number): Promise<void> {
  await client.query(asCompany(former))
  const { rows: connections } = await client.query<Connection>(
    `select n.id as connection_id, to_jsonb(n) as row,
       (select jsonb_agg(to_jsonb(k)) from api_keys k where k.company_id = $1 and k.connection_id = n.id) as keys
     from api_connections n
     where n.company_id = $1 and exists (select from api_keys k where k.company_id = $1 and k.connection_id = n.id) order by n.id`,
    [former],
  )
  await client.query('delete from api_keys where company_id = $1', [former])
  await client.query(asCompany(copyId))
  for (const { row, keys } of connections) {
    const connectionId = await connectionIn(client, copyId, row)
    const owned = { company_id: copyId, connection_id: connectionId }
    await insertRows(
      client,
      'api_keys',
      keys.map((key) => ({ ...key, ...owned })),
    )
  }
}

async function connectionIn(client: pg.Client, copyId: number, row: object): Promise<string> {
  const { rows: same } = await client.query<{ id: string }>(
    `select n.id from api_connections n, jsonb_populate_record(null::api_connections, $2) f
     where n.company_id = $1 and n.id = f.id and n.created_at = f.created_at`,
    [copyId, JSON.stringify(row)],
  )
  const [found] = same
  if (found !== undefined) return found.id
  const { rows } = await client.query<{ id: string }>(
    'update company_clock set last_connection_id = last_connection_id + 1 where company_id = $1 returning last_connection_id as id',
    [copyId],
  )
  const id = rows[0]?.id ?? ''
  await insertRows(client, 'api_connections', [{ ...row, company_id: copyId, id }])
  return id
}

/** Rows as `to_jsonb` has written them. */
async function insertRows(client: pg.Client, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((column) => [column, pg.escapeIdentifier(column)] as const)
  const from = `jsonb_populate_recordset(null::${pg.escapeIdentifier(table)}, $1)`
  await insertValues(client, { table, columns, from, parameters: [JSON.stringify(rows)] })
}
