// Answers kept under a caller's key, so that the same request sent again gives the same answer and changes nothing.

import { createHash } from 'node:crypto'
import { type Statement, statement } from '../kernel/statement.ts'
import { dayBefore, now } from './now.ts'

export type Idempotency = { readonly key: string; readonly requestHash: Buffer }

export const longestIdempotencyKey = 255

export const requestHash = (path: string, body: Uint8Array): Buffer =>
  createHash('sha256').update(path).update('\0').update(body).digest()

export type KeptAnswer = { readonly request_hash: Buffer; readonly status: number; readonly answer: string }

// The advisory lock only tells a second caller that the first still runs; that nothing happens twice is the clock's doing.
export const tryIdempotencyLock = statement<{ free: boolean }>(
  'idempotency.lock',
  'select pg_try_advisory_xact_lock(hashtextextended($2, $1::bigint)) as free',
)

export const findIdempotent = statement<KeptAnswer>(
  'idempotency.find',
  `select request_hash, status, answer from idempotency_keys
   where company_id = $1 and key = $2 and created_at > now() - interval '24 hours'`,
)

// Another process may have answered the same key meanwhile, with a refusal too; then its answer stands.
const insertIdempotent = statement(
  'idempotency.insert',
  `insert into idempotency_keys (company_id, key, request_hash, status, answer, seq, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (company_id, key) do update
     set request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer, seq = excluded.seq,
         created_at = excluded.created_at
     where idempotency_keys.created_at <= $8`,
)

// Old keys leave as new ones come, a few at a time, so that nothing has to sweep over all companies.
const forgetIdempotent = statement(
  'idempotency.forget',
  `delete from idempotency_keys where company_id = $1 and key in (
     select key from idempotency_keys where company_id = $1 and created_at < now() - interval '24 hours' order by created_at limit 4)`,
)

export function keepAnswer(
  companyId: number,
  idempotency: Idempotency | undefined,
  status: number,
  body: string,
  seq: number | null,
): Statement[] {
  if (idempotency === undefined) return []
  const time = now()
  return [
    forgetIdempotent(companyId),
    insertIdempotent(companyId, idempotency.key, idempotency.requestHash, status, body, seq, time, dayBefore(time)),
  ]
}
