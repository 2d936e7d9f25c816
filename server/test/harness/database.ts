// Queries on the database behind the server, as its owner and as one company.

import pg from 'pg'
import { auditCompany, type Broken } from '../../audit.ts'
import { beginCompany } from '../../platform/postgres/company-transaction.ts'

export function databaseUrl(): string {
  const address = process.env['DATABASE_URL']
  if (address === undefined) throw new Error('no database under test: run the tests with "npm test -- <files>"')
  return address
}

let pool: { readonly url: string; readonly of: pg.Pool } | undefined

function owners(): pg.Pool {
  const url = databaseUrl()
  if (pool?.url !== url) {
    void closeOwners()
    // Only a cluster reads this setting.
    const options = '-c citus.propagate_set_commands=local'
    const of = new pg.Pool({ connectionString: url, options, max: 2, idleTimeoutMillis: 500, allowExitOnIdle: true })
    // An idle connection that is lost is replaced on the next query.
    of.on('error', () => {})
    pool = { url, of }
  }
  return pool.of
}

/** Whether a PostgreSQL accepts connections at this address. */
export async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  // A stopping server may close the connection after accepting it.
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** For tests that drop the database they queried. */
export async function closeOwners(): Promise<void> {
  const open = pool
  pool = undefined
  await open?.of.end()
}

/** Runs SQL with `app.company_id` set, in its own transaction. */
// biome-ignore lint/suspicious/noExplicitAny: tests read rows of every shape
export async function query(companyId: number, sql: string, values: readonly unknown[] = []): Promise<any[]> {
  const client = await owners().connect()
  try {
    await beginCompany(client, companyId)
    const { rows } = await client.query(sql, [...values])
    await client.query('commit')
    return rows
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

type Of = { readonly id: number; readonly productsStorageId: number }

export async function level(
  company: Of,
  itemId: number,
  storageId = company.productsStorageId,
): Promise<{ on_hand: string; reserved: string }> {
  const rows = await query(
    company.id,
    'select on_hand, reserved from stock_levels where company_id = $1 and item_id = $2 and storage_id = $3',
    [company.id, itemId, storageId],
  )
  return rows[0] ?? { on_hand: '0.000', reserved: '0.000' }
}

export type MovementRow = {
  readonly id: number
  readonly seq: number
  readonly kind: string
  readonly section: string
  readonly document_id: number
  readonly storage_id: number
  readonly item_id: number
  readonly date: string
  readonly on_hand: string
  readonly reserved: string
  readonly value: string
  readonly recorded_at: Date
}

export async function movements(
  company: { readonly id: number },
  where: { section?: string; documentId?: number; item?: number } = {},
): Promise<MovementRow[]> {
  return await query(
    company.id,
    `select id::int, seq::int, kind, section, document_id::int, storage_id::int, item_id::int, date::text, on_hand, reserved, value, recorded_at
     from stock_movements
     where company_id = $1 and section = coalesce($2, section) and document_id = coalesce($3, document_id) and item_id = coalesce($4, item_id)
     order by id`,
    [company.id, where.section ?? null, where.documentId ?? null, where.item ?? null],
  )
}

export async function cost(
  company: { readonly id: number },
  itemId: number,
): Promise<{ on_hand: string; value: string; average: string }> {
  const rows = await query(
    company.id,
    'select on_hand, value, average from item_costs where company_id = $1 and item_id = $2',
    [company.id, itemId],
  )
  return rows[0] ?? { on_hand: '0.000', value: '0.000000', average: '0.000000' }
}

/** The findings of `kontor audit`: empty when everything is consistent. */
export const broken = async (companyId: number): Promise<Broken[]> => await auditCompany(databaseUrl(), companyId)
