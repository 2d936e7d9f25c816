// Writes everything that a company has stored as an archive. All of it is one snapshot, read as a stream, so that memory does not grow with the company.

import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { openBackfillsOf } from '../../platform/postgres/backfills.ts'
import { appliedMigrations } from '../../platform/postgres/schema-version.ts'
import { version } from '../../platform/process/version.ts'
import type { CompanyName } from '../companies.ts'
import { type CompanyTable, readCompanyTables } from '../company-tables.ts'
import { inCompany } from '../owner.ts'
import { createCompression, withTrailer } from './compression.ts'
import { type ArchiveOptions, archivedColumns, archivedTables, reasonsOf } from './contents.ts'
import { formatName, formatVersion, type Header, type Summary } from './format.ts'

/** Writes to `out`, and ends it unless it is the standard output. */
export async function exportCompany(
  client: pg.Client,
  company: CompanyName,
  out: Writable,
  options: ArchiveOptions,
): Promise<Summary> {
  const tables = await readCompanyTables(client)
  const archived = archivedTables(tables, options)
  let summary: Summary = { rows: {}, sha256: '' }
  async function* text(): AsyncGenerator<Buffer> {
    const sha256 = createHash('sha256')
    const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
    const counted: Record<string, number> = {}
    const first = line(await headerOf(client, company, reasonsOf(tables, options), options))
    sha256.update(first)
    yield first
    for (const table of archived) {
      const columns = archivedColumns(table, options).map(({ name }) => name)
      const heading = line({ table: table.name, columns })
      sha256.update(heading)
      yield heading
      let rows = 0
      for await (const chunk of client.query(
        copyTo(copyOf(table, columns, company.company_id)),
      ) as AsyncIterable<Buffer>) {
        sha256.update(chunk)
        rows += linesIn(chunk)
        yield chunk
      }
      counted[table.name] = rows
    }
    summary = { rows: counted, sha256: sha256.digest('hex') }
    yield line({ end: summary })
  }
  const begin = 'begin isolation level repeatable read read only'
  const end = out !== process.stdout
  await inCompany(
    client,
    company.company_id,
    () => pipeline(text, createCompression(), withTrailer, out, { end }),
    begin,
  )
  return summary
}

async function headerOf(
  client: pg.Client,
  company: CompanyName,
  reasons: Readonly<Record<string, string>>,
  { withSecrets }: ArchiveOptions,
): Promise<Header> {
  return {
    archive: formatName,
    format: formatVersion,
    version,
    schema: (await appliedMigrations(client)).map(({ name }) => name),
    ...company,
    exported_at: new Date().toISOString(),
    secrets: withSecrets,
    left_out: reasons,
    open_backfills: await openBackfillsOf(client, company.company_id),
  }
}

const newline = 10

function linesIn(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count++
  return count
}

/** COPY writes line breaks within values as \n, so every line is a row. It begins with the delimiter after the empty column of the company. */
function copyOf({ name }: CompanyTable, columns: readonly string[], companyId: number): string {
  const selected = columns.map((column) => `, t.${pg.escapeIdentifier(column)}`).join('')
  return `copy (select ''::text${selected} from ${pg.escapeIdentifier(name)} t where t.company_id = ${Math.trunc(companyId)}) to stdout`
}
