// Creates a company with everything its first sale needs: two storage locations, units of measure, an API connection.

import { randomBytes } from 'node:crypto'
import { declareInsert } from '../kernel/insert-rows.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { sqlState } from '../platform/process/faults.ts'
import { now } from '../platform/process/now.ts'
import { eventsOf } from '../platform/requests/company-clock.ts'
import { type CompanyLanguage, type FirstRecords, type FirstUnit, firstRecords, plainRecords } from './first-records.ts'
import { hashOf, hintOf, newKey } from './keys.ts'
import { linkGone } from './mail/links.ts'
import { endPendingSignUp, randomCompanyId } from './pending-sign-ups.ts'
import { type Scope, wholeScope } from './scope.ts'
import { insertUsage } from './usage.ts'
import { emailHash, insertSignIns, insertUser, setLanguage } from './users.ts'
import { refuseTooManyCompanies } from './users-of-email.ts'

export type NewCompany = {
  readonly company_id: number
  /** Empty when the company has an owner, who creates the first key in the screens. */
  readonly api_key: string
  readonly products_storage_id: number
  readonly materials_storage_id: number
}

const insertCompany = statement<
  never,
  { company_id: number; name: string; timezone: string; shows_first_steps: boolean }
>(
  'companies.insert',
  `insert into companies (company_id, name, timezone, products_storage_id, materials_storage_id, shows_first_steps)
   values (:company_id, :name, :timezone, 1, 2, :shows_first_steps)`,
)
const insertClock = statement<
  never,
  { company_id: number; at: string; seq: number; last_unit_id: number; last_user_id: number }
>(
  'companies.insert_clock',
  `insert into company_clock (company_id, seq, at, last_connection_id, last_unit_id, last_storage_id, last_user_id) values (:company_id, :seq, :at, 1, :last_unit_id, 2, :last_user_id)`,
)
const insertQuota = statement<never, { company_id: number; timezone: string }>(
  'companies.insert_quota',
  `insert into quotas (company_id, day) values (:company_id, (now() at time zone :timezone)::date)`,
)
const insertStorages = statement<never, { company_id: number; products_storage: string; materials_storage: string }>(
  'companies.insert_storages',
  `insert into storages (company_id, id, name) values (:company_id, 1, :products_storage), (:company_id, 2, :materials_storage)`,
)
const insertUnits = declareInsert<object, FirstUnit & { id: number }>({
  name: 'companies.insert_units',
  table: 'units',
  columns: { id: 'bigint', name: 'text', full_name: 'text' },
})

/** The first events of the company, so that a client that reads its events learns of these records too. */
function firstEvents(companyId: number, at: string, records: FirstRecords): Statement[] {
  const requestId = `company_${randomBytes(12).toString('base64url')}`
  const created = (record: string, recordId: number, change: object): RelatedEvent => ({
    record,
    recordId,
    change,
    action: 'created',
  })
  const storages = [
    created('storage', 1, { name: records.products_storage, default_products: true, default_materials: false }),
    created('storage', 2, { name: records.materials_storage, default_products: false, default_materials: true }),
  ]
  const units = records.units.map((unit, index) => created('unit', index + 1, unit))
  const [event, ...others] = units.toReversed()
  if (event === undefined) return []
  const context = { companyId, connectionId: null, userId: null, requestId, source: 'system' as const }
  const written = { event, related: [...storages, ...others.toReversed()] }
  return eventsOf({ context, seq: 1, at }, { path: 'companies/add' }, written)
}

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
  ...insertSignIns({ company_id: companyId, email_hash: emailHash(owner.email), user_id: 1 }),
]

type CompanyOptions = {
  readonly owner?: NewOwner
  /** The start of the company's clock; none of its events is earlier. */
  readonly since?: string
  /** Names the first records, and adds the usual units of measure. */
  readonly language?: CompanyLanguage | undefined
  /** Whether Home leads through the first steps. */
  readonly showsFirstSteps?: boolean
  /** The id of the pending sign-up that the company completes. */
  readonly pendingId?: number
}

export async function createCompany(
  pool: Pool,
  name: string,
  timezone: string,
  { owner, since = now(), language, showsFirstSteps = false, pendingId }: CompanyOptions = {},
): Promise<NewCompany> {
  const records = language === undefined ? plainRecords : firstRecords[language]
  const { products_storage, materials_storage, units } = records
  if (owner !== undefined) await refuseTooManyCompanies(pool, owner.email)
  for (let attempt = 1; ; attempt++) {
    const companyId = pendingId ?? randomCompanyId()
    const key = newKey()
    const trip = await pool.use((connection) =>
      connection.roundTrip([
        `begin; set local app.company_id = '${companyId}'`,
        ...(pendingId === undefined ? [] : endPendingSignUp({ company_id: pendingId })),
        insertCompany({ company_id: companyId, name, timezone, shows_first_steps: showsFirstSteps }),
        insertClock({
          company_id: companyId,
          at: since,
          seq: 2 + units.length,
          last_unit_id: units.length,
          last_user_id: owner === undefined ? 0 : 1,
        }),
        insertQuota({ company_id: companyId, timezone }),
        insertUsage({ company_id: companyId, timezone }),
        insertStorages({ company_id: companyId, products_storage, materials_storage }),
        ...insertUnits(
          { company_id: companyId },
          units.map((unit, at) => ({ id: at + 1, ...unit })),
        ),
        ...firstEvents(companyId, since, records),
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
        ...(owner === undefined || language === undefined
          ? []
          : [setLanguage({ company_id: companyId, user_id: 1, language })]),
        'commit',
      ]),
    )
    if (trip.error === undefined) {
      const apiKey = owner === undefined ? key : ''
      return { company_id: companyId, api_key: apiKey, products_storage_id: 1, materials_storage_id: 2 }
    }
    const taken = sqlState(trip.error) === '23505'
    if (taken && pendingId !== undefined) throw linkGone()
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
