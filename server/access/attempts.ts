// Limits on password guessing. An attempt is counted before it is checked, so that concurrent attempts cannot exceed the limit, and uncounted when it was right. The
// narrowest limit is checked first; an attempt that one limit refuses does not count against the following ones.
// The counts belong to no company: each is stored under a company id derived from its own hash, so that a cluster distributes them.

import { createHash } from 'node:crypto'
import { Refusal } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import { beginAs } from '../platform/postgres/company-transaction.ts'
import type { Pool } from '../platform/postgres/database.ts'
import { networkOf } from '../platform/process/network.ts'
import { now } from '../platform/process/now.ts'

const minuteMs = 60_000

/** A property that attempts have in common, and how many of them are allowed in which period. */
export type Counted = {
  readonly hash: Buffer
  readonly max: number
  readonly minutes: number
}

const counted = (max: number, minutes: number, ...parts: readonly (string | Buffer)[]): Counted => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(String(part.length)).update(':').update(part)
  return { hash: hash.digest(), max, minutes }
}

/**
 * An anonymous client is limited by address, by account and, most strictly, by both: one address gets five guesses, a thousand
 * addresses together get thirty. The account is checked last: an address that continues after its five guesses cannot use up the guesses of others. A
 * browser that has signed in before has only its own count, so an anonymous client cannot lock its user out.
 */
export const signInLimits = (account: Buffer, address: string, device: Buffer | undefined): readonly Counted[] =>
  device === undefined
    ? [
        counted(5, 15, 'account and address', account, networkOf(address)),
        counted(50, 15, 'address', networkOf(address)),
        counted(30, 15, 'account', account),
      ]
    : [counted(10, 15, 'account and device', account, device)]

/** Failed sign-ups count too: their time is spent. */
export const signUpAttemptLimits = (address: string): readonly Counted[] => [
  counted(30, 60, 'sign-up attempt', networkOf(address)),
]

/** Companies created from one address. */
export const signUpLimits = (address: string, perHour: number, perDay: number): readonly Counted[] => [
  counted(perHour, 60, 'sign-up', networkOf(address)),
  counted(perDay, 24 * 60, 'sign-up in a day', networkOf(address)),
]

export const passwordLimits = (companyId: number, userId: number): readonly Counted[] => [
  counted(10, 15, 'password', `${companyId}.${userId}`),
]

/**
 * Codes of a second factor. A client that guesses them knows the password already. `own` identifies a browser that the user has signed in from before, or a session: it
 * has its own count, so that others cannot lock it out.
 */
export const secondFactorLimits = (companyId: number, userId: number, own: Buffer | undefined): readonly Counted[] => {
  const parts = own === undefined ? [`${companyId}.${userId}`] : [`${companyId}.${userId}`, own]
  return [counted(5, 15, 'second factor', ...parts), counted(20, 24 * 60, 'second factor in a day', ...parts)]
}

/** Refused passkeys share the count of their address with wrong passwords. */
export const passkeyLimits = (address: string): readonly Counted[] => [counted(50, 15, 'address', networkOf(address))]

/** Each attempt is stored, and asks the identity provider of a company. */
export const singleSignOnLimits = (address: string): readonly Counted[] => [
  counted(60, 15, 'single sign-on', networkOf(address)),
]

/** Challenges are stored, so an address gets only so many. */
export const challengeLimits = (address: string): readonly Counted[] => [
  counted(100, 15, 'passkey challenge', networkOf(address)),
]

/**
 * Mails that anybody can have sent: from one address, and to one address. The second limit locks nobody out: when it is used up, the mails have been
 * sent to their recipient.
 */
export const requestedMailLimits = (
  kind: 'password reset' | 'sign-up mail',
  account: Buffer,
  address: string,
): readonly Counted[] => [
  counted(20, 60, `${kind} from address`, networkOf(address)),
  counted(3, 15, `${kind} of account`, account),
  counted(10, 24 * 60, `${kind} of account in a day`, account),
]

/** Guesses of the tokens of links cannot succeed; the limit is for the time that they take. */
export const linkLimits = (address: string): readonly Counted[] => [counted(60, 60, 'link', networkOf(address))]

const count = statement<
  { failures: number; until: string },
  { company_id: number; counted: Buffer; now: string; until: string }
>(
  'sign_in_attempts.count',
  `insert into sign_in_attempts (company_id, counted, failures, until) values (:company_id, :counted, 1, :until)
   on conflict (company_id, counted) do update set
     failures = case when sign_in_attempts.until < :now then 1 else least(sign_in_attempts.failures + 1, 1000000) end,
     until = case when sign_in_attempts.until < :now then excluded.until else sign_in_attempts.until end
   returning failures, until`,
)
const takeBack = statement<never, { company_id: number; counted: Buffer }>(
  'sign_in_attempts.take_back',
  'update sign_in_attempts set failures = greatest(failures - 1, 0) where company_id = :company_id and counted = :counted',
)

/** The number below zero under which something is stored that belongs to no company. */
export const numberOfNone = (hash: Buffer): number => -1 - hash.readUIntBE(0, 5)

const countersId = ({ hash }: Counted): number => numberOfNone(hash)
const enter = (one: Counted): string => beginAs(countersId(one))

/** Refuses when a limit is exceeded. Limits are counted in order; the first refusal stops the counting. */
export async function countAttempt(pool: Pool, limits: readonly Counted[]): Promise<void> {
  const time = now()
  for (const one of limits) {
    const until = new Date(Date.parse(time) + one.minutes * minuteMs).toISOString()
    const trip = await pool.use((connection) =>
      connection.roundTrip([
        enter(one),
        count({ company_id: countersId(one), counted: one.hash, now: time, until }),
        'commit',
      ]),
    )
    if (trip.error !== undefined) throw trip.error
    const row = trip.rows<{ failures: number; until: string }>(1)[0]
    if (row === undefined || row.failures <= one.max) continue
    const waitMs = Math.max(1, Date.parse(row.until) - Date.parse(time))
    const minutes = Math.ceil(waitMs / minuteMs)
    const wait = minutes > 2 * 60 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} minutes`
    throw new Refusal(
      `Too many attempts. Try again in ${wait}`,
      { code: 'too_many_attempts' },
      Math.ceil(waitMs / 1000),
    )
  }
}

export const tooMany = 'Too many attempts. Try again in <n> minutes'
export const tooManyInDay = 'Too many attempts. Try again in <n> hours'

/** Uncounts an attempt that turned out to be right. */
export async function uncountAttempt(pool: Pool, limits: readonly Counted[]): Promise<void> {
  const parts = limits.flatMap((one) => [
    enter(one),
    takeBack({ company_id: countersId(one), counted: one.hash }),
    'commit',
  ])
  const trip = await pool.use((connection) => connection.roundTrip(parts))
  if (trip.error !== undefined) throw trip.error
}
