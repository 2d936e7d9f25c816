// Archives of companies: written to memory and read from it, and the rows of a company for a comparison.

import { Readable, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { auditCompany } from '../../audit.ts'
import { migrate } from '../../platform/postgres/migrate.ts'
import { Trailer, trailerBytes } from '../../tenants/archive/compression.ts'
import type { ArchiveOptions } from '../../tenants/archive/contents.ts'
import { exportCompany } from '../../tenants/archive/export.ts'
import { type Imported, importCompany, type TargetId } from '../../tenants/archive/import.ts'
import { findCompany } from '../../tenants/companies.ts'
import { readCompanyTables } from '../../tenants/company-tables.ts'
import { asOwner, inCompany } from '../../tenants/owner.ts'

export async function archiveOf(
  url: string,
  companyId: number,
  options: Partial<ArchiveOptions> = {},
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const out = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  await asOwner(url, async (client) => {
    const company = await findCompany(client, companyId)
    if (company === undefined) throw new Error(`there is no company ${companyId}`)
    await exportCompany(client, company, out, { withSecrets: false, withLog: true, ...options })
  })
  return Buffer.concat(chunks)
}

/** In pieces of a size at which rows and lines are split. */
export const importArchive = (url: string, archive: Buffer, target: TargetId = 'same'): Promise<Imported> =>
  asOwner(url, (client) => importCompany(client, Readable.from(piecesOf(archive, 10_007)), target))

function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const textOf = (archive: Buffer): string => zstdDecompressSync(archive.subarray(0, -trailerBytes)).toString()

/** A text as an archive, whatever it says. */
export function packed(text: string): Buffer {
  const frame = zstdCompressSync(text)
  return Buffer.concat([frame, new Trailer().add(frame).end()])
}

/** An empty database with the schema, owned like the database of the test. */
export async function scratchDatabase(
  context: TestContext,
  { url, superuserUrl }: { readonly url: string; readonly superuserUrl: string },
): Promise<string> {
  const name = `kontor_scratch_${process.pid}_${++scratches}`
  const onServer = (sql: string) => asOwner(superuserUrl, (client) => client.query(sql))
  await onServer(`create database ${name} owner ${new URL(url).username}`)
  context.after(() => onServer(`drop database ${name} with (force)`))
  const created = Object.assign(new URL(url), { pathname: `/${name}` }).href
  await migrate(created)
  return created
}
let scratches = 0

export type Rows = ReadonlyMap<string, Record<string, unknown>[]>

/** The running server writes these a few seconds after a request. */
const writtenLate = ['last_used_on', 'last_used_from', 'session_requests', 'log_bytes']

/** By table, the rows without the company, in a fixed order. */
export async function rowsOf(url: string, companyId: number): Promise<Rows> {
  return await asOwner(url, async (client) => {
    const found = new Map<string, Record<string, unknown>[]>()
    for (const { name } of await readCompanyTables(client)) {
      const { rows } = await inCompany(client, companyId, () =>
        client.query<{ row: Record<string, unknown> }>(
          `select row from (select to_jsonb(t) - 'company_id' - $2::text[] as row from "${name}" t where company_id = $1) r order by row::text`,
          [companyId, writtenLate],
        ),
      )
      found.set(
        name,
        rows.map(({ row }) => row),
      )
    }
    return found
  })
}

export const brokenAt = (url: string, companyId: number) => auditCompany(url, companyId)
