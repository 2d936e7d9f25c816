// Sign-ins that have been sent to an identity provider. The token is known only to the browser that began, so that nobody can be made to complete the sign-in of somebody else.

import { createHash, randomBytes } from 'node:crypto'
import { statement } from '../../kernel/statement.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { now } from '../../platform/process/now.ts'
import { newSecret, type Secret } from '../../platform/requests/secrets.ts'
import { inCompany } from '../in-company.ts'

const lastsMs = 10 * 60_000
const maxOfCompany = 1_000

/** What the provider's answer is checked against. */
export type Expected = { readonly nonce: string; readonly verifier: string; readonly state: string }

type Key = { readonly company_id: number; readonly token_hash: Buffer }

const insert = statement<never, Key & { nonce: string; verifier: string; expires_at: string }>(
  'pending_single_sign_ons.insert',
  'insert into pending_single_sign_ons (company_id, token_hash, nonce, verifier, expires_at) values (:company_id, :token_hash, :nonce, :verifier, :expires_at)',
)
const deleteOld = statement<never, { company_id: number; now: string }>(
  'pending_single_sign_ons.delete_old',
  `delete from pending_single_sign_ons where company_id = :company_id and (expires_at < :now or token_hash not in (
     select p.token_hash from pending_single_sign_ons p where p.company_id = :company_id order by p.expires_at desc limit ${maxOfCompany}))`,
)
const take = statement<{ nonce: string; verifier: string }, Key & { now: string }>(
  'pending_single_sign_ons.take',
  `delete from pending_single_sign_ons where company_id = :company_id and token_hash = :token_hash and expires_at > :now::timestamptz
   returning nonce, verifier`,
)

/** Follows from the token, and shows nothing of it: it is part of addresses. */
const stateOf = (hash: Buffer): string => createHash('sha256').update('state').update(hash).digest('base64url')
const random = (): string => randomBytes(32).toString('base64url')

export async function beginSingleSignOn(pool: Pool, companyId: number): Promise<Expected & { token: string }> {
  const secret = newSecret()
  const time = now()
  const [nonce, verifier] = [random(), random()]
  await inCompany(
    pool,
    companyId,
    insert({
      company_id: companyId,
      token_hash: secret.hash,
      nonce,
      verifier,
      expires_at: new Date(Date.parse(time) + lastsMs).toISOString(),
    }),
    deleteOld({ company_id: companyId, now: time }),
  )
  return { nonce, verifier, state: stateOf(secret.hash), token: secret.text(companyId) }
}

/** Uses it up. Undefined: it was completed before, or has expired. */
export async function takeSingleSignOn(pool: Pool, { companyId, hash }: Secret): Promise<Expected | undefined> {
  const trip = await inCompany(pool, companyId, take({ company_id: companyId, token_hash: hash, now: now() }))
  const [row] = trip.rows<{ nonce: string; verifier: string }>(1)
  return row === undefined ? undefined : { ...row, state: stateOf(hash) }
}
