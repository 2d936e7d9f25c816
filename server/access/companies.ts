// Making a company, with what it needs to take its first sale: two storage locations, a unit of measure, an API connection.

import { randomInt } from 'node:crypto'
import { refuse } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/database.ts'
import { sqlState } from '../platform/faults.ts'
import { now } from '../platform/now.ts'
import { hashOf, hintOf, newKey } from './keys.ts'
import { emailHash, emailTaken, insertSignIn, insertUser, isEmailTaken } from './users.ts'

export type NewCompany = {
  readonly company_id: number
  /** Empty when the company has an owner, who makes the first key in the screens. */
  readonly api_key: string
  readonly products_storage_id: number
  readonly materials_storage_id: number
}

const insertCompany = statement(
  'companies.insert',
  `insert into companies (company_id, name, timezone, products_storage_id, materials_storage_id) values ($1, $2, $3, 1, 2)`,
)
const insertClock = statement(
  'companies.insert_clock',
  `insert into company_clock (company_id, at, last_connection_id, last_unit_id, last_storage_id, last_user_id) values ($1, $2, 1, 1, 2, $3)`,
)
const insertQuota = statement(
  'companies.insert_quota',
  `insert into quotas (company_id, day) values ($1, (now() at time zone $2)::date)`,
)
const insertStorages = statement(
  'companies.insert_storages',
  `insert into storages (company_id, id, name) values ($1, 1, 'Finished goods'), ($1, 2, 'Materials')`,
)
const insertUnit = statement(
  'companies.insert_unit',
  `insert into units (company_id, id, name, full_name) values ($1, 1, 'pcs', 'pieces')`,
)
export const insertConnection = statement(
  'connections.insert',
  `insert into api_connections (company_id, id, name, number_prefix) values ($1, $2, $3, $4)`,
)
export const insertKey = statement(
  'keys.insert',
  `insert into api_keys (company_id, key_hash, connection_id, hint) values ($1, $2, $3, $4)`,
)

export const defaultPrefix = 'A-'

/** The first user of a company, who owns it. */
export type NewOwner = { readonly name: string; readonly email: string; readonly passwordHash: string }

const insertOwner = (companyId: number, owner: NewOwner, since: string): Statement[] => [
  insertUser(companyId, 1, owner.name, owner.email, 'owner', owner.passwordHash, since),
  insertSignIn(companyId, emailHash(owner.email), 1),
]

/**
 * Ids of companies are drawn at random: they tell nothing about how many there are, and no counter has to be shared.
 * `since` is when its clock begins; nothing of it happens earlier.
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
    const flown = await pool.use((connection) =>
      connection.flight([
        `begin; set local app.company_id = '${companyId}'`,
        insertCompany(companyId, name, timezone),
        insertClock(companyId, since, owner === undefined ? 0 : 1),
        insertQuota(companyId, timezone),
        insertStorages(companyId),
        insertUnit(companyId),
        insertConnection(companyId, 1, 'General API connection', defaultPrefix),
        ...(owner === undefined
          ? [insertKey(companyId, hashOf(key), 1, hintOf(key))]
          : insertOwner(companyId, owner, since)),
        'commit',
      ]),
    )
    if (flown.error === undefined) {
      const apiKey = owner === undefined ? key : ''
      return { company_id: companyId, api_key: apiKey, products_storage_id: 1, materials_storage_id: 2 }
    }
    if (isEmailTaken(flown.error)) refuse(emailTaken)
    const taken = sqlState(flown.error) === '23505'
    if (!taken || attempt === 5) throw flown.error
  }
}

/** Whether PostgreSQL knows a time zone by this name. */
export async function isTimezone(pool: Pool, name: string): Promise<boolean> {
  const flown = await pool.use((connection) => connection.flight([findTimezone(name)]))
  return flown.rows(0).length > 0
}

const findTimezone = statement('companies.find_timezone', 'select name from pg_timezone_names where name = $1')
