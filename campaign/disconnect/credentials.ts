// Keys and sessions that no request has used yet, created many at a time by SQL: a process knows nothing about them.

import { hashOf, hintOf, newKey } from '../../server/access/keys.ts'
import { newSecret } from '../../server/platform/requests/secrets.ts'
import type { Service } from '../scratch-service.ts'

/** Each key has a connection of its own. */
export async function makeKeys({ sql }: Pick<Service, 'sql'>, companyId: number, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newKey)
  await sql(
    `with clock as (update company_clock set last_connection_id = last_connection_id + $2 where company_id = $1 returning last_connection_id - $2 as last),
     made as (
       insert into api_connections (company_id, id, name) select $1, c.last + n, 'Shop ' || n from clock c cross join generate_series(1, $2::bigint) n)
     insert into api_keys (company_id, key_hash, connection_id, hint)
     select $1, k.hash, c.last + k.n, k.hint from clock c cross join unnest($3::bytea[], $4::text[]) with ordinality as k (hash, hint, n)`,
    [companyId, count, keys.map(hashOf), keys.map(hintOf)],
  )
  return keys
}

/** The values of the cookies. */
export async function makeSessions(
  { sql }: Pick<Service, 'sql'>,
  companyId: number,
  userId: number,
  count: number,
): Promise<string[]> {
  const secrets = Array.from({ length: count }, newSecret)
  await sql(
    `insert into sessions (company_id, secret_hash, user_id, created_at, seen_at, expires_at)
     select $1, s.hash, $2, now(), now(), now() + interval '1 day' from unnest($3::bytea[]) as s (hash)`,
    [companyId, userId, secrets.map(({ hash }) => hash)],
  )
  return secrets.map(({ text }) => text(companyId))
}
