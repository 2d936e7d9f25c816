// Writes everything that a company has stored as JSON lines: a header, the rows table by table, and a last line with counts and a checksum. All of it is
// one snapshot, read as a stream, so that memory does not grow with the company. Tables and columns come from the catalog.

import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { appliedMigrations } from '../platform/postgres/schema-version.ts'
import { version } from '../platform/process/version.ts'
import type { CompanyName } from './companies.ts'
import { type Column, type CompanyTable, readCompanyTables } from './company-tables.ts'
import { inCompany } from './owner.ts'

const formatVersion = 1

/** Hashes of keys, passwords, links, sessions and emails. With one of them, a stolen export could be used to guess what was hashed. */
const isSecret = ({ name, type }: Column): boolean =>
  (type === 'bytea' && !contents.includes(name)) || /hash|secret|password|token/.test(name)
/** Bytes that users have stored. */
const contents = ['content', 'thumbnail']

export const exportedColumns = ({ columns }: CompanyTable): string[] =>
  columns.filter((column) => !column.isGenerated && !isSecret(column)).map(({ name }) => name)

export type ExportSummary = { readonly rows: Readonly<Record<string, number>>; readonly sha256: string }

/** Writes to `out` and ends it. */
export async function exportCompany(
  client: pg.Client,
  company: CompanyName,
  out: Writable,
  { withLog }: { readonly withLog: boolean },
): Promise<ExportSummary> {
  const tables = (await readCompanyTables(client)).filter(({ name }) => withLog || name !== 'request_log')
  const header = {
    export: 'kontor company',
    format: formatVersion,
    version,
    schema: (await appliedMigrations(client)).at(-1)?.name,
    ...company,
    exported_at: new Date().toISOString(),
  }
  const sha256 = createHash('sha256')
  const rows: Record<string, number> = {}
  let summary: ExportSummary = { rows, sha256: '' }
  async function* lines(): AsyncGenerator<string | Buffer> {
    const first = `${JSON.stringify(header)}\n`
    sha256.update(first)
    yield first
    // Tables that others refer to come first, so that the rows can be inserted in this order.
    for (const table of tables.toReversed()) {
      for await (const chunk of client.query(copyTo(copyOf(table, company.company_id))) as AsyncIterable<Buffer>) {
        sha256.update(chunk)
        rows[table.name] = (rows[table.name] ?? 0) + linesIn(chunk)
        yield chunk
      }
    }
    summary = { rows, sha256: sha256.digest('hex') }
    yield `${JSON.stringify({ end: summary })}\n`
  }
  const begin = 'begin isolation level repeatable read read only'
  await inCompany(client, company.company_id, () => pipeline(lines, out), begin)
  return summary
}

function linesIn(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
  return count
}

// JSON contains no control characters, so with these two as quote and delimiter every line of the output is a row as it is.
function copyOf(table: CompanyTable, companyId: number): string {
  const columns = exportedColumns(table).map((name) => `t.${pg.escapeIdentifier(name)}`)
  const order = table.key.map((name) => `t.${pg.escapeIdentifier(name)}`)
  const start = pg.escapeLiteral(`{"table":${JSON.stringify(table.name)},"row":`)
  return `copy (
    select ${start} || row_to_json(r)::text || '}' from (
      select ${columns.join(', ')} from ${pg.escapeIdentifier(table.name)} t where t.company_id = ${Math.trunc(companyId)} order by ${order.join(', ')}) r
  ) to stdout with (format csv, quote e'\\x01', delimiter e'\\x02')`
}
