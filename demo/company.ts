// Creates the demo's company: its users, and its history through the methods themselves.

import { randomBytes } from 'node:crypto'
import { createCompany } from '../server/access/companies.ts'
import { hashPassword } from '../server/access/passwords.ts'
import { emailHash, findSignIns } from '../server/access/users.ts'
import { closeDatabase, openDatabase, type Pool } from '../server/platform/postgres/database.ts'
import { createLogger } from '../server/platform/process/logger.ts'
import type { Kept } from './kept.ts'
import { Dice } from './random.ts'
import { Books } from './workshop/books.ts'
import { addDays, todayIn } from './workshop/calendar.ts'
import type { Person } from './workshop/opening.ts'
import { live } from './workshop/year.ts'

const timezone = 'Europe/Berlin'
const seed = 20_260_301
/** The service deletes its request log after 30 days. */
const loggedDays = 29

const people = [
  { name: 'Anna Eichholz', as: 'anna', role: 'owner' },
  { name: 'Ben Krüger', as: 'ben', role: 'manager' },
  { name: 'Clara Sommer', as: 'clara', role: 'worker' },
] as const

export async function makeCompany(databaseUrl: string, days: number, tell: (share: number) => void): Promise<Kept> {
  const database = openDatabase(databaseUrl, { connections: 3, streams: 1 })
  try {
    const { pool } = database
    const today = todayIn(timezone)
    const now = new Date().toISOString()
    const domain = await freeDomain(pool)
    const password = randomBytes(9).toString('base64url')
    const staff: Person[] = []
    for (const { name, as, role } of people)
      staff.push({ name, email: `${as}@${domain}`, role, passwordHash: await hashPassword(password) })
    const [owner, ...others] = staff
    if (owner === undefined) throw new Error('a company needs an owner')
    const since = `${addDays(today, -days)}T04:00:00.000Z`
    const company = await createCompany(pool, 'Eichholz Möbelwerkstatt', timezone, { owner, since })
    const dice = new Dice(seed)
    const loggedSince = addDays(today, -loggedDays)
    const books = new Books(pool, company.company_id, createLogger('warn'), loggedSince, dice)
    const { apiKey, sales } = await live(books, dice, others, { today, now, days, tell })
    await books.close()
    const logins = staff.map(({ email, role }) => ({ email, role }))
    return { companyId: company.company_id, made: today, sales, logins, password, apiKey }
  } finally {
    await closeDatabase(database)
  }
}

/** Whether the users of a kept demo can still sign in to this database. */
export async function isThere(databaseUrl: string, { logins, companyId }: Kept): Promise<boolean> {
  const database = openDatabase(databaseUrl, { connections: 1, streams: 1 })
  try {
    const [first] = logins
    return first !== undefined && (await companyOf(database.pool, first.email)) === companyId
  } finally {
    await closeDatabase(database)
  }
}

/** The second demo in a database uses different addresses, so that each signs in to one of them. */
async function freeDomain(pool: Pool): Promise<string> {
  for (let n = 1; ; n++) {
    const domain = n === 1 ? 'eichholz.example' : `eichholz-${n}.example`
    if ((await companyOf(pool, `anna@${domain}`)) === undefined) return domain
  }
}

async function companyOf(pool: Pool, email: string): Promise<number | undefined> {
  const trip = await pool.use((connection) => connection.roundTrip([findSignIns({ email_hash: emailHash(email) })]))
  if (trip.error !== undefined) throw trip.error
  return trip.rows<{ company_id: number }>(0)[0]?.company_id
}
