// Challenges that a passkey signs: random, valid for five minutes, and used once. Only their hashes are stored.

import { createHash, randomBytes } from 'node:crypto'
import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { now } from '../../platform/process/now.ts'
import { numberOfNone } from '../attempts.ts'
import { inCompany } from '../in-company.ts'
import type { CompanyUser } from './store.ts'

const lastsMs = 5 * 60_000

const insert = statement<
  never,
  { company_id: number; challenge_hash: Buffer; user_id: number | null; expires_at: string }
>(
  'passkey_challenges.insert',
  `insert into passkey_challenges (company_id, challenge_hash, user_id, expires_at) values (:company_id, :challenge_hash, :user_id, :expires_at)`,
)
const take = statement<
  { company_id: number },
  { company_id: number; challenge_hash: Buffer; user_id: number | null; now: string }
>(
  'passkey_challenges.take',
  `delete from passkey_challenges where company_id = :company_id and challenge_hash = :challenge_hash
     and user_id is not distinct from :user_id::bigint and expires_at > :now::timestamptz returning company_id`,
)

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest()

/** A challenge for signing in belongs to no company: the number is derived from it, so that a cluster distributes them. */
const ownerOf = (hash: Buffer, user: CompanyUser | undefined) => ({
  company_id: user?.companyId ?? numberOfNone(hash),
  challenge_hash: hash,
  user_id: user?.userId ?? null,
})

/** Without a user it is for signing in. */
export async function newChallenge(pool: Pool, user?: CompanyUser): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const owner = ownerOf(hashOf(challenge), user)
  const expires = new Date(Date.parse(now()) + lastsMs).toISOString()
  await inCompany(pool, owner.company_id, insert({ ...owner, expires_at: expires }))
  return challenge
}

/** Uses a challenge up. False: it was never given out for this, was used, or has expired. */
export async function takeChallenge(pool: Pool, challenge: string, user?: CompanyUser): Promise<boolean> {
  const owner = ownerOf(hashOf(challenge), user)
  return (await inCompany(pool, owner.company_id, take({ ...owner, now: now() }))).rows(1).length === 1
}
