// How copies of personal data are searched: table by table, in portions, from a point in time.

import type pg from 'pg'
import type { Traces } from './erasure-text.ts'
import { inCompany } from './owner.ts'

/** Where to begin: everything, or only what was written since the first run. */
export type Since = { readonly seq: number; readonly at: string }
export const everything: Since = { seq: 0, at: '-infinity' }

export type ChangedRows = Record<string, number>

export const portion = 500

export type Search = {
  readonly client: pg.Client
  readonly companyId: number
  readonly traces: Traces
  readonly since: Since
  readonly changed: ChangedRows
  /** The record whose own events are left as they are: until the end they say what to search for. */
  readonly own: { readonly kind: string; readonly id: number }
}

/** Pages through rows by a key; `change` gets the rows of a page in a transaction and returns how many it changed. */
export async function eachPage<Row extends { readonly key: string }>(
  { client, companyId, changed }: Search,
  table: string,
  page: (after: string) => Promise<pg.QueryResult<Row>>,
  change: (rows: readonly Row[]) => Promise<number>,
  first: string,
): Promise<void> {
  for (let after = first; ; ) {
    const rows = await inCompany(client, companyId, async () => {
      const read = await page(after)
      const count = await change(read.rows)
      if (count > 0) changed[table] = (changed[table] ?? 0) + count
      return read.rows
    })
    after = rows.at(-1)?.key ?? after
    if (rows.length < portion) return
  }
}
