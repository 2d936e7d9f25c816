// Backfills: changes of existing rows, such as the values of a new column, that are too many for a migration. They are made in small portions while
// the service runs, one company after the other. The progress is stored in the transaction of each portion, so that they can be interrupted at any time.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { asCompany } from './company-transaction.ts'
import { addEventsOfRecords } from './events-of-records.ts'
import { foldTexts, type Scan } from './folded-texts.ts'
import { ownerClient } from './owner-client.ts'

export type Backfill = { readonly name: string } & (
  | {
      /** Changes at most $2 rows of the company $1 that still need it, and none that do not. */
      readonly portion: string
    }
  | { readonly scan: Scan }
)

/** Version 0.1 does not count the sales that it adds, changes or deletes. */
const countsOfSales: Backfill = {
  name: 'counts_of_sales',
  portion: `with counted as (
      select listed, status, payment, count(*) as entries from sales where company_id = $1 group by listed, status, payment
    ), wrong as (
      select listed, status, payment, coalesce(n.entries, 0) as entries
      from counted n full join (select * from sale_counts where company_id = $1) c using (listed, status, payment)
      where coalesce(n.entries, 0) <> coalesce(c.entries, 0)
      limit $2
    )
    insert into sale_counts (company_id, listed, status, payment, entries)
    select $1, listed, status, payment, entries from wrong
    on conflict (company_id, listed, status, payment) do update set entries = excluded.entries`,
}

/** Version 0.1 does not record whether the cost of a sale is known. */
const knownCostsOfSales: Backfill = {
  name: 'known_costs_of_sales',
  portion: `with known as (
      select sale_id as id, bool_and(coalesce(exact_cost, cost) <> 0) as is_known from sale_lines where company_id = $1 group by sale_id
    ), wrong as (
      select id, coalesce(k.is_known, false) as is_known
      from (select id, cost_known from sales where company_id = $1) s left join known k using (id)
      where s.cost_known is distinct from coalesce(k.is_known, false)
      limit $2
    )
    update sales s set cost_known = w.is_known from wrong w where s.company_id = $1 and s.id = w.id`,
}

/**
 * Backfills of this version. One stays here as long as there is a migration that requires it: the contracting migration that removes what it
 * replaces.
 */
export const backfills: readonly Backfill[] = [
  { name: 'events_of_records', scan: addEventsOfRecords },
  countsOfSales,
  knownCostsOfSales,
  { name: 'folded_texts', scan: foldTexts },
]

export type BackfillProgress = {
  readonly name: string
  readonly is_finished: boolean
  readonly companies_left: string
  readonly changed_rows: string
}

export const findProgress = `
  select name, finished_at is not null as is_finished, companies_left::text, changed_rows::text from backfills order by name`

/** For the metric. The role of the server may read this table, but not the list of companies. */
export const sumOfCompaniesLeft = 'select coalesce(sum(companies_left), 0)::float8 as companies from backfills'

/**
 * Starts each of them again from the first company. Until an upgrade is complete, and after a rollback, servers of an older version write rows
 * that a finished backfill has not seen.
 */
export async function reopenBackfills(client: pg.Client, declared: readonly Backfill[]): Promise<void> {
  const companies = await companiesAfter(client, '0')
  for (const { name } of declared) {
    await client.query(
      `insert into backfills (name, companies_left) values ($1, $2)
       on conflict (name) do update set finished_at = null, last_company_id = 0, companies_left = excluded.companies_left`,
      [name, companies],
    )
  }
}

/** Those that have not reached the company. */
export async function openBackfillsOf(client: pg.Client, companyId: number): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from backfills where finished_at is null and last_company_id < $1 order by name',
    [companyId],
  )
  return rows.map(({ name }) => name)
}

/** Has one company visited again, whose rows come from another database. Companies with later ids are visited too, which changes nothing there. */
export async function reopenBackfillsFor(
  client: pg.Client,
  companyId: number,
  names: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `update backfills set finished_at = null, last_company_id = least(last_company_id, $1::bigint - 1)
     where name = any($2) returning name, last_company_id as last`,
    [companyId, names],
  )
  for (const { name, last } of rows)
    await client.query('update backfills set companies_left = $2 where name = $1', [
      name,
      await companiesAfter(client, last),
    ])
}

/** A statement of its own: a cluster does not join its tables with those of the coordinator, such as that of the backfills. */
async function companiesAfter(client: pg.Client, companyId: string): Promise<string> {
  const { rows } = await client.query<{ count: string }>('select count(*) from companies where company_id > $1', [
    companyId,
  ])
  return rows[0]?.count ?? '0'
}

export type BackfillOptions = {
  readonly declared?: readonly Backfill[]
  readonly rowsAtOnce?: number
  readonly signal?: AbortSignal
}

const defaultRowsAtOnce = 500

/** Runs all unfinished backfills to their end. Returns at once while another process does it. */
export async function runBackfills(databaseUrl: string, options: BackfillOptions = {}): Promise<void> {
  const { declared = backfills, rowsAtOnce = defaultRowsAtOnce, signal } = options
  if (declared.length === 0) return
  const client = ownerClient(databaseUrl, { name: 'kontor backfill', statementMs: 30_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('kontor backfills', 0)) as locked",
    )
    if (rows[0]?.locked !== true) return
    for (const backfill of declared) await finish(client, backfill, { rowsAtOnce, ...(signal ? { signal } : {}) })
  } finally {
    await client.end()
  }
}

/** Runs one backfill to its end, also if it was finished before: older servers may have written rows since. */
export async function finishBackfill(client: pg.Client, backfill: Backfill): Promise<void> {
  await reopenBackfills(client, [backfill])
  await finish(client, backfill, { rowsAtOnce: defaultRowsAtOnce })
}

async function finish(
  client: pg.Client,
  backfill: Backfill,
  { rowsAtOnce, signal }: { readonly rowsAtOnce: number; readonly signal?: AbortSignal },
): Promise<void> {
  const { name } = backfill
  // Kept in memory: a scan that was interrupted begins again with the company.
  let place: string | undefined
  while (signal?.aborted !== true) {
    const open = await client.query<{ last: string }>(
      'select last_company_id as last from backfills where name = $1 and finished_at is null',
      [name],
    )
    const last = open.rows[0]?.last
    if (last === undefined) return
    const { rows } = await client.query<{ company_id: string | null }>(
      'select min(company_id) as company_id from companies where company_id > $1',
      [last],
    )
    const companyId = rows[0]?.company_id ?? null
    if (companyId === null) {
      await client.query('update backfills set finished_at = now(), companies_left = 0 where name = $1', [name])
      return
    }
    const began = performance.now()
    place = await runPortion(client, backfill, companyId, rowsAtOnce, place)
    // At most half of the time, so that requests go on as usual.
    await sleep(performance.now() - began)
  }
}

/** Takes the lock of the company's writers first: a portion and a request never wait for each other's rows in opposite order. */
async function runPortion(
  client: pg.Client,
  backfill: Backfill,
  companyId: string,
  rowsAtOnce: number,
  place: string | undefined,
): Promise<string | undefined> {
  const { name } = backfill
  await client.query('begin')
  try {
    await client.query(asCompany(Number(companyId)))
    await client.query('select from company_clock where company_id = $1 for no key update', [companyId])
    const { changed, next, isDone } = await changeRows(client, backfill, companyId, rowsAtOnce, place)
    await client.query(
      `update backfills set changed_rows = changed_rows + $2, last_company_id = case when $3 then $4 else last_company_id end,
         companies_left = greatest(0, companies_left - case when $3 then 1 else 0 end)
       where name = $1`,
      [name, changed, isDone, companyId],
    )
    await client.query('commit')
    return next
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

type Portion = { readonly changed: number; readonly next?: string | undefined; readonly isDone: boolean }

async function changeRows(
  client: pg.Client,
  backfill: Backfill,
  companyId: string,
  rowsAtOnce: number,
  place: string | undefined,
): Promise<Portion> {
  if ('scan' in backfill) {
    const { changed, next } = await backfill.scan(client, companyId, place, rowsAtOnce)
    return { changed, next, isDone: next === undefined }
  }
  const { rowCount } = await client.query(backfill.portion, [companyId, rowsAtOnce])
  return { changed: rowCount ?? 0, isDone: (rowCount ?? 0) < rowsAtOnce }
}
