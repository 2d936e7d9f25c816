// The backfill of events of records. Three statements, because a cluster changes one table at a time.

import type { Scan } from './folded-texts.ts'

const findRecords = `
  select r.kind, r.id from (
    select 'unit' as kind, id from units where company_id = $1
    union all select 'category', id from categories where company_id = $1
    union all select 'storage', id from storages where company_id = $1 and deleted_at is null
    union all select kind, id from items where company_id = $1 and deleted_at is null
    union all select 'customer', id from customers where company_id = $1 and deleted_at is null
    union all select 'supplier', id from suppliers where company_id = $1 and deleted_at is null
    union all select 'production', id from productions where company_id = $1
  ) r
  where not exists (
    select from events e where e.company_id = $1 and e.record = r.kind and e.record_id = r.id
      and (e.action = 'created' or (e.action is null and e.method like '%/add')))
  limit $2`

const advanceClock = 'update company_clock set seq = seq + $2 where company_id = $1'

const addEvents = `
  insert into events (company_id, seq, at, method, source, request_id, record, record_id, action, change)
  select k.company_id, k.seq - cardinality($2::text[]) + m.place, k.at, 'kontor/migrate', 'system', 'backfill', m.kind, m.id, 'created', '{}'
  from company_clock k cross join unnest($2::text[], $3::bigint[], $4::int[]) m (kind, id, place) where k.company_id = $1`

/** For the test of the rules of a cluster. */
export const statementsOfEvents = [findRecords, advanceClock, addEvents]

/** Records that version 0.1 created together with a company, a sale or a purchase have no event of their creation. Each gets one after the company's last event. */
export const addEventsOfRecords: Scan = async (client, companyId, _after, limit) => {
  const { rows } = await client.query<{ kind: string; id: string }>(findRecords, [companyId, limit])
  if (rows.length === 0) return { changed: 0, next: undefined }
  await client.query(advanceClock, [companyId, rows.length])
  const [kinds, ids, places] = [rows.map(({ kind }) => kind), rows.map(({ id }) => id), rows.map((_, at) => at + 1)]
  await client.query(addEvents, [companyId, kinds, ids, places])
  return { changed: rows.length, next: rows.length < limit ? undefined : 'more' }
}
