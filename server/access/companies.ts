// Creates a company with everything its first sale needs: two storage locations, a unit of measure, an API connection.

import { randomBytes, randomInt } from 'node:crypto'
import { refuse } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { sqlState } from '../platform/process/faults.ts'
import { now } from '../platform/process/now.ts'
import { hashOf, hintOf, newKey } from './keys.ts'
import { type Scope, wholeScope } from './scope.ts'
import { insertUsage } from './usage.ts'
import { emailHash, emailTaken, insertSignIn, insertUser, isEmailTaken } from './users.ts'

export type NewCompany = {
  readonly company_id: number
  /** Empty when the company has an owner, who creates the first key in the screens. */
  readonly api_key: string
  readonly products_storage_id: number
  readonly materials_storage_id: number
}

const insertCompany = statement<never, { company_id: number; name: string; timezone: string }>(
  'companies.insert',
  `insert into companies (company_id, name, timezone, products_storage_id, materials_storage_id) values (:company_id, :name, :timezone, 1, 2)`,
)
const insertClock = statement<never, { company_id: number; at: string; last_user_id: number }>(
  'companies.insert_clock',
  `insert into company_clock (company_id, seq, at, last_connection_id, last_unit_id, last_storage_id, last_user_id) values (:company_id, 3, :at, 1, 1, 2, :last_user_id)`,
)
const insertQuota = statement<never, { company_id: number; timezone: string }>(
  'companies.insert_quota',
  `insert into quotas (company_id, day) values (:company_id, (now() at time zone :timezone)::date)`,
)
const insertStorages = statement<never, { company_id: number }>(
  'companies.insert_storages',
  `insert into storages (company_id, id, name) values (:company_id, 1, 'Finished goods'), (:company_id, 2, 'Materials')`,
)
const insertUnit = statement<never, { company_id: number }>(
  'companies.insert_unit',
  `insert into units (company_id, id, name, full_name) values (:company_id, 1, 'pcs', 'pieces')`,
)
/** The first three events of the company, so that a client that reads its events learns of these records too. */
const insertFirstEvents = statement<never, { company_id: number; at: string; request_id: string }>(
  'companies.insert_events',
  `insert into events (company_id, seq, at, method, source, request_id, record, record_id, change) values
     (:company_id, 1, :at, 'companies/add', 'system', :request_id, 'storage', 1, '{"name": "Finished goods", "default_products": true, "default_materials": false}'),
     (:company_id, 2, :at, 'companies/add', 'system', :request_id, 'storage', 2, '{"name": "Materials", "default_products": false, "default_materials": true}'),
     (:company_id, 3, :at, 'companies/add', 'system', :request_id, 'unit', 1, '{"name": "pcs", "full_name": "pieces"}')`,
)
export const insertConnection = statement<
  never,
  Scope & { company_id: number; connection_id: number; name: string; number_prefix: string }
>(
  'connections.insert',
  `insert into api_connections (company_id, id, name, number_prefix, read_only, sections, expires_on, networks, hides_costs, daily_limit)
   values (:company_id, :connection_id, :name, :number_prefix, :read_only, :sections, :expires_on, :networks, :hides_costs, :daily_limit)`,
)
export const insertKey = statement<
  never,
  { company_id: number; key_hash: Buffer; connection_id: number; hint: string }
>(
  'keys.insert',
  `insert into api_keys (company_id, key_hash, connection_id, hint) values (:company_id, :key_hash, :connection_id, :hint)`,
)

export const defaultPrefix = 'A-'

/** The first user of a company, who owns it. */
export type NewOwner = { readonly name: string; readonly email: string; readonly passwordHash: string }

const insertOwner = (companyId: number, owner: NewOwner, since: string): Statement[] => [
  insertUser({
    company_id: companyId,
    user_id: 1,
    name: owner.name,
    email: owner.email,
    role: 'owner',
    password_hash: owner.passwordHash,
    created_at: since,
  }),
  insertSignIn({ company_id: companyId, email_hash: emailHash(owner.email), user_id: 1 }),
]

/**
 * Company ids are random: they do not reveal the number of companies, and no shared counter is needed.
 * `since` is the start of the company's clock; none of its events is earlier.
 */
export async function createCompany(
  pool: Pool,
  name: string,
  timezone: string,
  owner?: NewOwner,
  since = now(),
): Promise<NewCompany> {
  for (let attempt = 1; ; attempt++) {
    const companyId = randomInt(1_000_000_000, 2 ** 40)
    const key = newKey()
    const trip = await pool.use((connection) =>
      connection.roundTrip([
        `begin; set local app.company_id = '${companyId}'`,
        insertCompany({ company_id: companyId, name, timezone }),
        insertClock({ company_id: companyId, at: since, last_user_id: owner === undefined ? 0 : 1 }),
        insertQuota({ company_id: companyId, timezone }),
        insertUsage({ company_id: companyId, timezone }),
        insertStorages({ company_id: companyId }),
        insertUnit({ company_id: companyId }),
        insertFirstEvents({
          company_id: companyId,
          at: since,
          request_id: `company_${randomBytes(12).toString('base64url')}`,
        }),
        insertConnection({
          company_id: companyId,
          connection_id: 1,
          name: 'General API connection',
          number_prefix: defaultPrefix,
          ...wholeScope,
        }),
        ...(owner === undefined
          ? [insertKey({ company_id: companyId, key_hash: hashOf(key), connection_id: 1, hint: hintOf(key) })]
          : insertOwner(companyId, owner, since)),
        'commit',
      ]),
    )
    if (trip.error === undefined) {
      const apiKey = owner === undefined ? key : ''
      return { company_id: companyId, api_key: apiKey, products_storage_id: 1, materials_storage_id: 2 }
    }
    if (isEmailTaken(trip.error)) refuse(emailTaken, { code: 'email_taken', field: 'email' })
    const taken = sqlState(trip.error) === '23505'
    if (!taken || attempt === 5) throw trip.error
  }
}

/** Whether PostgreSQL has a time zone of this name. */
export async function isTimezone(pool: Pool, name: string): Promise<boolean> {
  const trip = await pool.use((connection) => connection.roundTrip([findTimezone({ timezone: name })]))
  return trip.rows(0).length > 0
}

const findTimezone = statement<never, { timezone: string }>(
  'companies.find_timezone',
  'select name from pg_timezone_names where name = :timezone',
)
