// Limits on guessing. An attempt is counted before it is judged, so that many at once get no further, and taken back when it was right.
// What is counted belongs to no company: each count lies under a number drawn from its own hash, so that a cluster spreads them.

import { createHash } from 'node:crypto'
import { Refusal } from '../kernel/refusal.ts'
import { statement } from '../kernel/statement.ts'
import type { Pool } from '../platform/database.ts'
import { now } from '../platform/now.ts'

const minuteMs = 60_000

/** Something that attempts have in common, and how many of them are let through in how long. */
export type Counted = {
  readonly hash: Buffer
  readonly most: number
  readonly minutes: number
}

const counted = (most: number, minutes: number, ...parts: readonly (string | Buffer)[]): Counted => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(String(part.length)).update(':').update(part)
  return { hash: hash.digest(), most, minutes }
}

/**
 * A stranger is held by the address, by the account, and closest by both: the guesses of one address end after five, those of a thousand
 * addresses after thirty. A browser that has signed in before is counted by itself alone, so no stranger can shut its user out.
 */
export const signInLimits = (account: Buffer, address: string, device: Buffer | undefined): readonly Counted[] =>
  device === undefined
    ? [
        counted(5, 15, 'account and address', account, network(address)),
        counted(50, 15, 'address', network(address)),
        counted(30, 15, 'account', account),
      ]
    : [counted(10, 15, 'account and device', account, device)]

export const signUpLimits = (address: string): readonly Counted[] => [counted(60, 60, 'sign-up', network(address))]

export const passwordLimits = (companyId: number, userId: number): readonly Counted[] => [
  counted(10, 15, 'password', `${companyId}.${userId}`),
]

/** Whoever has one address of the sixth version has all of its network. */
function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const middle = plain.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return [...left, ...middle, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

const count = statement<{ failures: number; until: string }>(
  'sign_in_attempts.count',
  `insert into sign_in_attempts (company_id, counted, failures, until) values ($1, $2, 1, $4)
   on conflict (company_id, counted) do update set
     failures = case when sign_in_attempts.until < $3 then 1 else least(sign_in_attempts.failures + 1, 1000000) end,
     until = case when sign_in_attempts.until < $3 then excluded.until else sign_in_attempts.until end
   returning failures, until`,
)
const takeBack = statement(
  'sign_in_attempts.take_back',
  'update sign_in_attempts set failures = greatest(failures - 1, 0) where company_id = $1 and counted = $2',
)

const place = ({ hash }: Counted): number => -1 - hash.readUIntBE(0, 5)
const enter = (one: Counted): string => `begin; set local app.company_id = '${place(one)}'`

/** Refuses when one of the limits is passed; the longest wait is told. */
export async function countAttempt(pool: Pool, limits: readonly Counted[]): Promise<void> {
  const time = now()
  const flown = await pool.use((connection) =>
    connection.flight(
      limits.flatMap((one) => {
        const until = new Date(Date.parse(time) + one.minutes * minuteMs).toISOString()
        return [enter(one), count(place(one), one.hash, time, until), 'commit']
      }),
    ),
  )
  if (flown.error !== undefined) throw flown.error
  const waits = limits.map((one, at) => {
    const row = flown.rows<{ failures: number; until: string }>(at * 3 + 1)[0]
    return row === undefined || row.failures <= one.most ? 0 : Date.parse(row.until) - Date.parse(time)
  })
  const longest = Math.max(...waits)
  if (longest <= 0) return
  const minutes = Math.max(1, Math.ceil(longest / minuteMs))
  throw new Refusal(`Too many attempts. Try again in ${minutes} minutes`, 429)
}

export const tooMany = 'Too many attempts. Try again in <n> minutes'

/** It was right after all. */
export async function takeAttemptBack(pool: Pool, limits: readonly Counted[]): Promise<void> {
  const parts = limits.flatMap((one) => [enter(one), takeBack(place(one), one.hash), 'commit'])
  const flown = await pool.use((connection) => connection.flight(parts))
  if (flown.error !== undefined) throw flown.error
}
