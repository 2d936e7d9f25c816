// Responses stored under a caller's key, so that the same request sent again gets the same response and changes nothing. Only successful ones are
// stored: a refused request has changed nothing, and may be corrected and sent again with its key.

import { createHash } from 'node:crypto'
import type { RequestContext } from '../../kernel/clock.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { deletionTimeOfDay, now } from '../process/now.ts'

export type Idempotency = {
  /** The key as sent, with its owner before it. */
  readonly key: string
  readonly sentKey: string
  readonly requestHash: Buffer
}

const longestKey = 255

/** Keys belong to the connection or user that sends them: two shops of one company may number their requests alike. */
export const ownerOfKey = ({ connectionId, userId }: Pick<RequestContext, 'connectionId' | 'userId'>): string =>
  connectionId === null ? `user ${userId}` : `connection ${connectionId}`

/** The key that a request was sent with. `scope` and the body identify the request: the same key with another one is refused. */
export function readIdempotency(sentKey: string, owner: string, scope: string, body: Uint8Array): Idempotency {
  if (sentKey === '' || sentKey.length > longestKey)
    refuse('Invalid Idempotency-Key', { code: 'idempotency_key_invalid' })
  const requestHash = createHash('sha256').update(scope).update('\0').update(body).digest()
  return { key: storedKey(owner, sentKey), sentKey, requestHash }
}

/** A key that does not fit into its column together with its owner is hashed. */
function storedKey(owner: string, sentKey: string): string {
  const key = `${owner}: ${sentKey}`
  return key.length <= longestKey ? key : `${owner} hashed: ${createHash('sha256').update(sentKey).digest('base64url')}`
}

export const inProgress = (): Refusal =>
  new Refusal('A request with this Idempotency-Key is in progress', { code: 'idempotency_key_in_progress' })

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

// Servers of the release before stored keys without their owner; the same request finds them.
const findStored = statement<
  StoredResponse,
  KeyValues & { readonly sent_key: string; readonly request_hash: Buffer; readonly day_before: string }
>(
  'idempotency.find',
  `select request_hash, status, answer from idempotency_keys
   where company_id = :company_id and key in (:key, :sent_key) and (key = :key or request_hash = :request_hash and status = 200)
     and created_at > :day_before::timestamptz
   order by key = :key desc limit 1`,
)

const moveKeys = statement<never, { readonly company_id: number; readonly owner: string; readonly new_owner: string }>(
  'idempotency.move',
  `update idempotency_keys k set key = :new_owner::text || substr(k.key, char_length(:owner::text) + 1)
   where k.company_id = :company_id and (starts_with(k.key, :owner || ': ') or starts_with(k.key, :owner || ' hashed: '))
     and char_length(k.key) - char_length(:owner) + char_length(:new_owner) <= ${longestKey}
     and not exists (select from idempotency_keys o where o.company_id = :company_id and o.key = :new_owner || substr(k.key, char_length(:owner) + 1))`,
)

/**
 * Gives the stored responses of a connection to another one, so that a request that was sent through the first is not done again through the second.
 * A key that the second has used itself stays as it is.
 */
export const moveStoredResponses = (companyId: number, connectionId: number, byConnectionId: number): Statement =>
  moveKeys({
    company_id: companyId,
    owner: ownerOfKey({ connectionId, userId: null }),
    new_owner: ownerOfKey({ connectionId: byConnectionId, userId: null }),
  })

export const findKept = (companyId: number, { key, sentKey, requestHash }: Idempotency): Statement<StoredResponse> =>
  findStored({
    company_id: companyId,
    key,
    sent_key: sentKey,
    request_hash: requestHash,
    day_before: deletionTimeOfDay(),
  })

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
const deleteOldKeys = statement<never, { readonly company_id: number; readonly day_before: string }>(
  'idempotency.forget',
  `delete from idempotency_keys where company_id = :company_id and key in (
     select key from idempotency_keys where company_id = :company_id and created_at < :day_before::timestamptz order by created_at limit 4)`,
)

export function storeResponse(
  companyId: number,
  idempotency: Idempotency | undefined,
  body: string,
  seq: number | null,
): Statement[] {
  if (idempotency === undefined) return []
  const dayBefore = deletionTimeOfDay()
  return [
    deleteOldKeys({ company_id: companyId, day_before: dayBefore }),
    insertIdempotent({
      company_id: companyId,
      key: idempotency.key,
      request_hash: idempotency.requestHash,
      status: 200,
      answer: body,
      seq,
      created_at: now(),
      day_before: dayBefore,
    }),
  ]
}
