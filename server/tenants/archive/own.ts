// The archive that an owner downloads: on a connection of the server, without secrets, with the request log.

import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { CompanyName } from '../companies.ts'
import { inCompany } from '../owner.ts'
import { exportCompany } from './export.ts'

const find = 'select company_id, name, created_at from companies where company_id = $1'
type Row = { readonly name: string; readonly created_at: string | Date }

/** With the rights of requests, which see one company at a time. */
export async function findOwnCompany(client: pg.Client, companyId: number): Promise<CompanyName> {
  const company = await inCompany(client, companyId, async () => (await client.query<Row>(find, [companyId])).rows[0])
  if (company === undefined) throw new Error(`company ${companyId} does not exist`)
  const { name, created_at: createdAt } = company
  return { company_id: companyId, name, created_at: new Date(createdAt).toISOString() }
}

export async function writeOwnArchive(client: pg.Client, companyId: number, out: Writable): Promise<void> {
  const company = await findOwnCompany(client, companyId)
  await exportCompany(client, company, out, { withSecrets: false, withLog: true })
}
