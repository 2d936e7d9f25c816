// Companies as the operator sees them: the list of all, and the figures of one. All figures come from rows that hold counters, so that a large
// company is shown as fast as a small one.

import type pg from 'pg'
import { counters } from '../kernel/clock.ts'
import { inCompany } from './owner.ts'

export type CompanyName = { readonly company_id: number; readonly name: string; readonly created_at: string }

/** Ids in order; `after` is the last id of the previous page. */
export async function listCompanies(
  client: pg.Client,
  { search, after, limit }: { search: string | undefined; after: number; limit: number },
): Promise<CompanyName[]> {
  const { rows } = await client.query<{ company_id: string; name: string; created_at: Date }>(
    `select company_id, name, created_at from companies
     where company_id > $1 and ($2::text is null or strpos(lower(name), lower($2)) > 0) order by company_id limit $3`,
    [after, search ?? null, limit],
  )
  return rows.map(({ company_id: id, name, created_at: createdAt }) => ({
    company_id: Number(id),
    name,
    created_at: createdAt.toISOString(),
  }))
}

export async function findCompany(client: pg.Client, companyId: number): Promise<CompanyName | undefined> {
  const [company] = await listCompanies(client, { search: undefined, after: companyId - 1, limit: 1 })
  return company?.company_id === companyId ? company : undefined
}

/** Ids issued so far, which is the number of records created; deleted ones are included. */
const issued = counters.filter((counter) => counter.endsWith('_id'))

export type CompanyFigures = {
  readonly events: number
  readonly last_change_at: string
  readonly created: Readonly<Record<string, number>>
  readonly written_bytes: number
  /** Null: the limit of the installation. */
  readonly storage_limit_mib: number | null
}

type ClockRow = {
  seq: string
  at: Date
  raised_by: string
  written_bytes: string
  storage_limit_mib: number | null
} & Record<string, unknown>

/** `undefined` for a company whose deletion was interrupted. */
export async function readFigures(client: pg.Client, companyId: number): Promise<CompanyFigures | undefined> {
  return await inCompany(client, companyId, async () => {
    const { rows } = await client.query<ClockRow>(
      `select seq, at, raised_by, written_bytes, storage_limit_mib, ${issued.map((counter) => `last_${counter}`).join(', ')} from company_clock where company_id = $1`,
      [companyId],
    )
    const [clock] = rows
    if (clock === undefined) return undefined
    // Numbers and ids that were skipped after a restore.
    const raised = Number(clock.raised_by)
    return {
      events: Number(clock.seq) - raised,
      last_change_at: clock.at.toISOString(),
      written_bytes: Number(clock.written_bytes),
      storage_limit_mib: clock.storage_limit_mib,
      created: Object.fromEntries(
        issued.map((counter) => [counter.replace(/_id$/, ''), Number(clock[`last_${counter}`]) - raised]),
      ),
    }
  })
}

export type CompanyState = {
  readonly settings: Readonly<Record<string, unknown>>
  readonly users: number
  readonly sessions: number
  readonly live_keys: number
  readonly requests_today: number
  readonly session_requests_today: number
  readonly log_bytes_today: number
}

/** Counts of a day are those of the last day on which the company sent a request, unless that is today. */
export async function readState(client: pg.Client, companyId: number): Promise<CompanyState> {
  return await inCompany(client, companyId, async () => {
    const { rows } = await client.query<CompanyState>(
      `select to_jsonb(c) - 'company_id' - 'name' - 'created_at' as settings,
         (select count(*)::int from users u where u.company_id = $1 and u.deleted_at is null) as users,
         (select count(*)::int from sessions s where s.company_id = $1 and s.expires_at > now()) as sessions,
         (select count(*)::int from api_keys k where k.company_id = $1 and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > now())) as live_keys,
         coalesce((select q.used from quotas q where q.company_id = $1 and q.day = (now() at time zone c.timezone)::date), 0)::float8 as requests_today,
         coalesce(u.session_requests, 0)::float8 as session_requests_today, coalesce(u.log_bytes, 0)::float8 as log_bytes_today
       from companies c left join daily_usage u on u.company_id = $1 and u.day = (now() at time zone c.timezone)::date
       where c.company_id = $1`,
      [companyId],
    )
    const [state] = rows
    if (state === undefined) throw new Error(`company ${companyId} does not exist`)
    return state
  })
}
