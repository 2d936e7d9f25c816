// Reads an archive into a database, in one transaction: all of the company, or nothing. The rows are those of the archive, under the same id or another one;
// what else is written is in settle.ts.

import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import pg from 'pg'
import { noPassword } from '../../access/passwords.ts'
import { randomCompanyId } from '../../access/pending-sign-ups.ts'
import { isDistributed } from '../../platform/postgres/plans.ts'
import { type AppliedMigration, appliedMigrations } from '../../platform/postgres/schema-version.ts'
import { type CompanyTable, readCompanyTables } from '../company-tables.ts'
import { inCompany } from '../owner.ts'
import { unpack } from './compression.ts'
import { leftOut, ownColumns, secretColumns, secretTables } from './contents.ts'
import { ArchiveError, ArchiveReader, type Header, type Part, type TableLine } from './format.ts'
import { type Replaced, RowLoader } from './load-rows.ts'
import { checkReferences, resumeChecks, suspendChecks } from './references.ts'
import { type Settled, settle } from './settle.ts'

/** Tables with more new rows than that are analyzed: the planner has to know of them before the audit. */
const analyzedRows = 10_000

/** Same: the id of the archive. New: one that no company has. */
export type TargetId = number | 'same' | 'new'

type ImportOptions = {
  /** The import makes a test company of this one. */
  readonly testOf?: number
  /** Writes as on a cluster; by default where the database is one. */
  readonly asValues?: boolean
}

export type Imported = Settled & {
  readonly company_id: number
  readonly name: string
  readonly rows: Readonly<Record<string, number>>
  readonly secrets: boolean
}

export async function importCompany(
  client: pg.Client,
  input: Readable,
  target: TargetId,
  { testOf, asValues }: ImportOptions = {},
): Promise<Imported> {
  const parts = partsOf(input, target)
  const first = await parts.next()
  if (first.done === true || first.value.part.kind !== 'header') throw new ArchiveError('The archive has no header.')
  const { companyId } = first.value
  const { header } = first.value.part
  const applied = await appliedMigrations(client)
  refuseNewer(header, applied)
  await refuseExisting(client, companyId)
  const writesValues = asValues ?? (await isDistributed(client))
  const keepsSecrets = header.secrets && companyId === header.company_id
  const loading = new Loading(client, await readCompanyTables(client), {
    keepsSecrets,
    companyId,
    former: header.company_id,
    asValues: writesValues,
  })
  const requestId = `cli_${randomBytes(12).toString('base64url')}`
  const isOlder = applied.length > header.schema.length
  const settled = await inCompany(client, companyId, async () => {
    if (!writesValues) await loading.suspendChecks()
    try {
      for await (const { part } of parts) await loading.take(part)
    } catch (error) {
      await loading.abort()
      throw error
    }
    await loading.resumeChecks()
    return await settle(client, { companyId, header, keepsSecrets, isOlder, requestId, testOf })
  })
  const rows = loading.rows
  for (const [table, count] of Object.entries(rows))
    if (count > analyzedRows) await client.query(`analyze ${pg.escapeIdentifier(table)}`)
  return { company_id: companyId, name: header.name, rows, secrets: keepsSecrets, ...settled }
}

type PartOfCompany = { readonly part: Part; readonly companyId: number }

/** The parts of the archive, the last one after the end was checked. */
async function* partsOf(input: Readable, target: TargetId): AsyncGenerator<PartOfCompany> {
  let companyId = 0
  const reader = new ArchiveReader((header) => {
    companyId = target === 'new' ? randomCompanyId() : target === 'same' ? header.company_id : target
    return companyId
  })
  for await (const chunk of unpack(input)) for (const part of reader.parts(chunk)) yield { part, companyId }
  reader.finish()
}

function refuseNewer({ schema, version }: Header, applied: readonly AppliedMigration[]): void {
  const missing = schema.filter((name) => !applied.some((one) => one.name === name))
  if (missing.length === 0) return
  throw new ArchiveError(
    `The archive was written by Kontor ${version} with a newer schema: the database lacks ${missing.join(', ')}. Upgrade Kontor and run "kontor migrate" first.`,
  )
}

async function refuseExisting(client: pg.Client, companyId: number): Promise<void> {
  const { rowCount } = await client.query('select from companies where company_id = $1', [companyId])
  if (rowCount !== 0)
    throw new ArchiveError(
      `There is a company ${companyId} already. Delete it first, or import under another id with --company new.`,
    )
}

type LoadingTarget = {
  readonly keepsSecrets: boolean
  readonly companyId: number
  /** The id of the company in the archive. */
  readonly former: number
  readonly asValues: boolean
}

/** Takes the parts after the header. */
class Loading {
  readonly #client: pg.Client
  readonly #tables: readonly CompanyTable[]
  readonly #target: LoadingTarget
  #loader: RowLoader | undefined
  #table = ''
  #isUnchecked = false
  readonly rows: Record<string, number> = {}

  constructor(client: pg.Client, tables: readonly CompanyTable[], target: LoadingTarget) {
    this.#client = client
    this.#tables = tables
    this.#target = target
  }

  /** For a role that may. */
  async suspendChecks(): Promise<void> {
    this.#isUnchecked = await suspendChecks(this.#client)
  }

  async resumeChecks(): Promise<void> {
    if (!this.#isUnchecked) return
    await resumeChecks(this.#client)
    const filled = this.#tables.filter(({ name }) => this.rows[name] !== undefined)
    await checkReferences(this.#client, this.#target.companyId, filled)
  }

  async take(part: Part): Promise<void> {
    if (part.kind === 'rows') {
      if (this.#loader === undefined) return
      this.rows[this.#table] = (this.rows[this.#table] ?? 0) + part.rows
      await this.#loader.add(part.bytes, part.rows, part.endsRow)
      return
    }
    await this.#loader?.end()
    this.#loader = undefined
    if (part.kind === 'table') await this.#begin(part.table)
  }

  async abort(): Promise<void> {
    await this.#loader?.abort()
  }

  async #begin({ table: name, columns }: TableLine): Promise<void> {
    const table = this.#tables.find((one) => one.name === name)
    if (table === undefined || leftOut[name] !== undefined)
      throw new ArchiveError(`The archive has a table ${JSON.stringify(name)}, which this version does not import.`)
    const unknown = columns.filter(
      (column) => column === 'company_id' || !table.columns.some((one) => one.name === column && !one.isGenerated),
    )
    if (unknown.length > 0 || new Set(columns).size < columns.length)
      throw new ArchiveError(
        `The archive has columns of ${name} that this version does not import: ${JSON.stringify(unknown)}.`,
      )
    // The rows are read and not stored.
    if (secretTables[name] !== undefined && !this.#target.keepsSecrets) return
    this.#table = name
    const { asValues } = this.#target
    const replaced = this.#replacedIn(table)
    const isUnchecked = this.#isUnchecked
    this.#loader = new RowLoader(this.#client, { table, columns, replaced, asValues, isUnchecked })
    await this.#loader.begin()
  }

  #replacedIn({ name, columns }: CompanyTable): Replaced {
    const { keepsSecrets, companyId, former } = this.#target
    const left = [...ownColumns, ...(keepsSecrets ? [] : Object.keys(secretColumns))]
    const names = columns.map((column) => column.name).filter((column) => left.includes(`${name}.${column}`))
    const values = names.map((column) => [column, withoutSecret(`${name}.${column}`)])
    if (name !== 'events' || companyId === former) return Object.fromEntries(values)
    // The company is a record of its own events.
    const recordId = `case when record = 'company' and record_id = ${former} then ${companyId} else record_id end`
    return { ...Object.fromEntries(values), record_id: recordId }
  }
}

/** A password that nobody knows; settle.ts gives every webhook its own secret. */
function withoutSecret(column: string): string {
  if (column === 'users.password_hash') return pg.escapeLiteral(noPassword)
  return column === 'webhook_endpoints.secret' ? "''" : 'null'
}
