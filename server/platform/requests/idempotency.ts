// Responses stored under a caller's key, so that the same request sent again gets the same response and changes nothing.

import { createHash } from 'node:crypto'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { dayBefore, now } from '../process/now.ts'

export type Idempotency = { readonly key: string; readonly requestHash: Buffer }

const longestKey = 255

/** The key that a request was sent with. `scope` and the body identify the request: the same key with another one is refused. */
export function readIdempotency(key: string, scope: string, body: Uint8Array): Idempotency {
  if (key === '' || key.length > longestKey) refuse('Invalid Idempotency-Key')
  return { key, requestHash: createHash('sha256').update(scope).update('\0').update(body).digest() }
}

export const inProgress = (): Refusal => new Refusal('A request with this Idempotency-Key is in progress', 409)

/** The keys of requests that this process is working on. A second request with such a key is refused at once. */
export class KeysInProgress {
  readonly #names = new Set<string>()

  /** `beforeRefusal` runs before a request is refused. */
  async run<T>(
    companyId: number,
    idempotency: Idempotency | undefined,
    work: () => Promise<T>,
    beforeRefusal: () => Promise<unknown> = async () => {},
  ): Promise<T> {
    if (idempotency === undefined) return await work()
    const name = `${companyId} ${idempotency.key}`
    if (this.#names.has(name)) {
      await beforeRefusal()
      throw inProgress()
    }
    this.#names.add(name)
    try {
      return await work()
    } finally {
      this.#names.delete(name)
    }
  }
}

export type StoredResponse = { readonly request_hash: Buffer; readonly status: number; readonly answer: string }

type KeyValues = { readonly company_id: number; readonly key: string }
type KeptValues = KeyValues &
  StoredResponse & { readonly seq: number | null; readonly created_at: string; readonly day_before: string }

// The advisory lock only detects that the first request is still running; the lock on the clock row prevents duplicate execution.
export const tryIdempotencyLock = statement<{ free: boolean }, KeyValues>(
  'idempotency.lock',
  'select pg_try_advisory_xact_lock(hashtextextended(:key, :company_id::bigint)) as free',
)

export const findIdempotent = statement<StoredResponse, KeyValues>(
  'idempotency.find',
  `select request_hash, status, answer from idempotency_keys
   where company_id = :company_id and key = :key and created_at > now() - interval '24 hours'`,
)

// Another process may have stored a response for the same key meanwhile; then that one is kept.
const insertIdempotent = statement<never, KeptValues>(
  'idempotency.insert',
  `insert into idempotency_keys (company_id, key, request_hash, status, answer, seq, created_at)
   values (:company_id, :key, :request_hash, :status, :answer, :seq, :created_at)
   on conflict (company_id, key) do update
     set request_hash = excluded.request_hash, status = excluded.status, answer = excluded.answer, seq = excluded.seq,
         created_at = excluded.created_at
     where idempotency_keys.created_at <= :day_before`,
)

// Each write deletes a few old keys of its company, so that maintenance has little to delete.
const deleteOldKeys = statement<never, { readonly company_id: number }>(
  'idempotency.forget',
  `delete from idempotency_keys where company_id = :company_id and key in (
     select key from idempotency_keys where company_id = :company_id and created_at < now() - interval '24 hours' order by created_at limit 4)`,
)

export function storeResponse(
  companyId: number,
  idempotency: Idempotency | undefined,
  status: number,
  body: string,
  seq: number | null,
): Statement[] {
  if (idempotency === undefined) return []
  const time = now()
  return [
    deleteOldKeys({ company_id: companyId }),
    insertIdempotent({
      company_id: companyId,
      key: idempotency.key,
      request_hash: idempotency.requestHash,
      status,
      answer: body,
      seq,
      created_at: time,
      day_before: dayBefore(time),
    }),
  ]
}
