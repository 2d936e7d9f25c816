// What an import writes besides the rows of the archive, in the same transaction: what follows from them, what must not go on as it was, and a new epoch.

import type pg from 'pg'
import { emailHash, maxCompanies } from '../../access/users.ts'
import { newSecret } from '../../access/webhooks/endpoint.ts'
import { backfills, reopenBackfillsFor } from '../../platform/postgres/backfills.ts'
import { beginEpoch } from '../new-epoch.ts'
import { ArchiveError, type Header } from './format.ts'

export type Settled = {
  readonly epoch: string
  /** Emails that sign in to as many other companies as an address can belong to; these users are removed. */
  readonly taken_emails: readonly string[]
  /** Webhooks that were turned off. */
  readonly webhooks_turned_off: number
}

export type Target = {
  readonly companyId: number
  readonly header: Header
  /** Keys, passwords, links and webhooks go on as they were. */
  readonly keepsSecrets: boolean
  /** The database has migrations that the archive lacks. */
  readonly isOlder: boolean
  readonly requestId: string
  /** The company of which this is a test company. */
  readonly testOf: number | undefined
}

export async function settle(client: pg.Client, target: Target): Promise<Settled> {
  const { companyId, header, keepsSecrets } = target
  await requireOneRow(client, companyId)
  await client.query('update companies set delete_at = null where company_id = $1 and delete_at is not null', [
    companyId,
  ])
  if (target.testOf !== undefined) await settleTest(client, companyId, target.testOf)
  const takenEmails = target.testOf === undefined ? await addSignIns(client, companyId) : []
  await settleImports(client, companyId)
  await settleMails(client, companyId)
  const epoch = await beginEpoch(client, companyId, target.requestId)
  if (epoch === undefined) throw new ArchiveError('The archive has no clock of the company.')
  const turnedOff = await settleWebhooks(client, companyId, keepsSecrets)
  const declared = backfills.map(({ name }) => name)
  const open = target.isOlder ? declared : declared.filter((name) => header.open_backfills.includes(name))
  // Last, because a running backfill would wait for this row.
  if (open.length > 0) await reopenBackfillsFor(client, companyId, open)
  return { epoch, taken_emails: takenEmails, webhooks_turned_off: turnedOff }
}

/** Without them no request of the company works. */
async function requireOneRow(client: pg.Client, companyId: number): Promise<void> {
  for (const table of ['companies', 'company_clock', 'quotas']) {
    const { rowCount } = await client.query(`select from ${table} where company_id = $1`, [companyId])
    if (rowCount !== 1) throw new ArchiveError(`The archive has ${rowCount} rows of ${table} instead of one.`)
  }
}

/** Maintenance deletes a copy that was not taken into use. */
const unusedMs = 3_600_000

/** Nobody signs in to a test company: sessions begin in the original. It sends no mails of its own accord, and its requests are counted anew. */
async function settleTest(client: pg.Client, companyId: number, testOf: number): Promise<void> {
  await client.query(
    'update companies set test_of = $2, requires_second_factor = false, delete_at = $3 where company_id = $1',
    [companyId, testOf, new Date(Date.now() + unusedMs)],
  )
  await client.query('update users set shortages_daily = false where company_id = $1', [companyId])
  await client.query(`update quotas set used = 0, used_by = '{}' where company_id = $1`, [companyId])
}

/** A user whose email signs in to as many other companies as it can is removed. */
async function addSignIns(client: pg.Client, companyId: number): Promise<string[]> {
  const { rows: users } = await client.query<{ id: string; email: string }>(
    'select id, email from users where company_id = $1 and deleted_at is null order by id',
    [companyId],
  )
  const taken: string[] = []
  for (const { id, email } of users) {
    const values = [companyId, emailHash(email), id]
    const { rows } = await client.query<{ companies: string }>(
      `select (select count(*) from sign_ins where email_hash = $1) + (select count(*) from further_sign_ins where email_hash = $1) as companies`,
      [emailHash(email)],
    )
    if (Number(rows[0]?.companies) < maxCompanies) {
      const first = await client.query(
        'insert into sign_ins (company_id, email_hash, user_id) values ($1, $2, $3) on conflict do nothing',
        values,
      )
      if (first.rowCount === 1) continue
      const further = await client.query(
        `insert into further_sign_ins (company_id, email_hash, user_id)
         select $1, $2, $3 where not exists (select from sign_ins where company_id = $1 and email_hash = $2) on conflict do nothing`,
        values,
      )
      if (further.rowCount === 1) continue
    }
    taken.push(email)
    await client.query('update users set deleted_at = now() where company_id = $1 and id = $2', [companyId, id])
  }
  return taken
}

/** Read and written by two statements: on a cluster these tables are in different places. */
async function settleImports(client: pg.Client, companyId: number): Promise<void> {
  const { rows } = await client.query<{ is_working: boolean | null }>(
    `select bool_or(status in ('running', 'undoing')) as is_working from imports where company_id = $1`,
    [companyId],
  )
  const isWorking = rows[0]?.is_working ?? null
  if (isWorking === null) return
  await client.query('insert into import_companies (company_id, is_working) values ($1, $2)', [companyId, isWorking])
}

/** What waited may have been sent by the original meanwhile. */
async function settleMails(client: pg.Client, companyId: number): Promise<void> {
  await client.query(
    `update mails set status = 'canceled', ended_at = now(), next_at = null where company_id = $1 and status = 'queued'`,
    [companyId],
  )
  const { rowCount: daily } = await client.query(
    'select from users where company_id = $1 and shortages_daily limit 1',
    [companyId],
  )
  const { rowCount: mails } = await client.query('select from mails where company_id = $1 limit 1', [companyId])
  if (daily === 0 && mails === 0) return
  await client.query('insert into mail_companies (company_id, has_queued, has_shortage_mails) values ($1, false, $2)', [
    companyId,
    daily !== 0,
  ])
}

/** Nothing that happened before the import is sent. Without its secret a webhook gets a new one, and is turned off: the original may still be at work. */
async function settleWebhooks(client: pg.Client, companyId: number, keepsSecrets: boolean): Promise<number> {
  const { rows: endpoints } = await client.query<{ id: string; enabled: boolean }>(
    `update webhook_endpoints w set position = k.seq, attempts = 0, next_at = null, failing_since = null
     from company_clock k where k.company_id = $1 and w.company_id = $1 returning w.id, w.enabled`,
    [companyId],
  )
  if (endpoints.length === 0) return 0
  await client.query('insert into webhook_companies (company_id) values ($1)', [companyId])
  if (keepsSecrets) return 0
  await client.query(
    `update webhook_endpoints set enabled = false, disabled_at = now(), disabled_reason = 'user' where company_id = $1 and enabled`,
    [companyId],
  )
  for (const { id } of endpoints)
    await client.query(
      'update webhook_endpoints set secret = $3, former_secret = null, former_secret_until = null where company_id = $1 and id = $2',
      [companyId, id, newSecret()],
    )
  await client.query('update company_clock set has_webhooks = false where company_id = $1', [companyId])
  return endpoints.filter(({ enabled }) => enabled).length
}
