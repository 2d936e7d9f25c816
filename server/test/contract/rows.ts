// All rows of a company in the database, as text: compared by the tests that a request has no effect.

import assert from 'node:assert/strict'
import { query } from '../harness/database.ts'
import type { Company } from '../harness/given.ts'

// Every request is counted and logged, whatever its outcome.
const keptOfEveryRequest = ['daily_usage', 'quotas', 'request_log', 'request_log_gaps']

/** The last use of a connection is written late. */
const keptColumns = "- 'last_used_on' - 'last_used_from'"

export type Rows = Readonly<Record<string, readonly string[]>>

/** No row was added, removed or changed. */
export function assertSameRows(is: Rows, was: Rows, message: string): void {
  const changes = Object.keys({ ...was, ...is }).flatMap((table) => {
    const [before, after] = [new Set(was[table]), new Set(is[table])]
    const gone = [...before].filter((row) => !after.has(row)).map((row) => `- ${table} ${row}`)
    const come = [...after].filter((row) => !before.has(row)).map((row) => `+ ${table} ${row}`)
    return [...gone, ...come]
  })
  assert.deepEqual(changes, [], message)
}

/** The rows of every table that has a company_id, by table. */
export async function allRows(company: Company): Promise<Rows> {
  const tables = (await query(
    company.id,
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'company_id' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = current_schema()::regnamespace
     order by 1`,
  )) as { name: string }[]
  const names = tables.map(({ name }) => name).filter((name) => !keptOfEveryRequest.includes(name))
  assert.ok(names.includes('sales') && names.includes('company_clock') && names.length > 20, 'the tables of a company')
  const parts = names.map(
    (name) =>
      `select '${name}' as name, (to_jsonb(t) ${keptColumns})::text as row from ${name} t where t.company_id = $1`,
  )
  const rows = (await query(company.id, `${parts.join(' union all ')} order by 1, 2`, [company.id])) as {
    name: string
    row: string
  }[]
  return Object.fromEntries(names.map((name) => [name, rows.filter((one) => one.name === name).map(({ row }) => row)]))
}
