// Copies of personal data outside of the person's own record: notes and external ids of other records, events, stored responses, the request log, the
// logs of webhooks and the rows of imports. Read in portions; only rows that contain something are changed, so that a second run changes nothing. Long because there is a way to page through each kind of row.

import pg from 'pg'
import type { RelatedEvent } from '../kernel/method.ts'
import { readCompanyTables } from './company-tables.ts'
import { erased, mapStrings, type Traces } from './erasure-text.ts'
import { inCompany } from './owner.ts'
import { writeWithEvents } from './write-with-events.ts'

/** Where to begin: everything, or only what was written since the first run. */
export type Since = { readonly seq: number; readonly at: string }
export const everything: Since = { seq: 0, at: '-infinity' }

export type ChangedRows = Record<string, number>

const portion = 500

type Search = {
  readonly client: pg.Client
  readonly companyId: number
  readonly traces: Traces
  readonly since: Since
  readonly changed: ChangedRows
  /** The record whose own events are left as they are: until the end they say what to search for. */
  readonly own: { readonly kind: string; readonly id: number }
}

export async function eraseCopies(search: Search): Promise<void> {
  if (search.traces.texts.length === 0) return
  const tables = await readCompanyTables(search.client)
  for (const { name } of tables.filter(({ columns }) => columns.some((column) => column.name === 'notes')))
    await eraseNotes(search, name)
  await eraseExternalIds(search)
  await eraseEvents(search)
  await eraseResponses(search)
  await eraseRequests(search)
  await eraseReceiverResponses(search)
  await eraseImportedRows(search)
}

/** Pages through rows by a key; `change` gets the rows of a page in a transaction and returns how many it changed. */
async function eachPage<Row extends { readonly key: string }>(
  { client, companyId, changed }: Search,
  table: string,
  page: (after: string) => Promise<pg.QueryResult<Row>>,
  change: (rows: readonly Row[]) => Promise<number>,
  first: string,
): Promise<void> {
  for (let after = first; ; ) {
    const rows = await inCompany(client, companyId, async () => {
      const read = await page(after)
      const count = await change(read.rows)
      if (count > 0) changed[table] = (changed[table] ?? 0) + count
      return read.rows
    })
    after = rows.at(-1)?.key ?? after
    if (rows.length < portion) return
  }
}

/** The type of the records of a table in events; items have their kind. */
const recordOf = (table: string): string => table.replace(/s$/, '')

type Noted = {
  readonly key: string
  readonly notes: string
  readonly kind: string | null
  readonly is_deleted: boolean
}

/** Each changed record has an event and thereby a new version: nobody writes back what they read before. */
async function eraseNotes(search: Search, table: string): Promise<void> {
  const { client, companyId, traces, since, own } = search
  const name = pg.escapeIdentifier(table)
  // The record of the person is overwritten as a whole at the end.
  const isOwn = (key: string): boolean => recordOf(table) === own.kind && key === String(own.id)
  await eachPage<{ key: string; notes: string }>(
    search,
    table,
    (after) =>
      client.query(
        `select id::text as key, notes from ${name} where company_id = $1 and id > $2 and notes <> '' and updated_at >= $3 order by id limit ${portion}`,
        [companyId, after, since.at],
      ),
    async (rows) => {
      const found = rows.filter(({ key, notes }) => !isOwn(key) && traces.without(notes) !== notes)
      if (found.length === 0) return 0
      await writeWithEvents(client, companyId, `${own.kind}s/erase`, async ({ at }) => {
        const current = await client.query<Noted>(
          `select r.id::text as key, r.notes, to_jsonb(r) ->> 'kind' as kind, to_jsonb(r) ->> 'deleted_at' is not null as is_deleted
           from ${name} r where r.company_id = $1 and r.id = any($2) order by r.id`,
          [companyId, found.map(({ key }) => key)],
        )
        for (const { key, notes } of current.rows)
          await client.query(`update ${name} set notes = $3, updated_at = $4 where company_id = $1 and id = $2`, [
            companyId,
            key,
            traces.without(notes),
            at,
          ])
        return current.rows
          .filter(({ is_deleted: isDeleted }) => !isDeleted)
          .map(({ key, notes, kind }) =>
            changedEvent(kind ?? recordOf(table), key, { notes: [traces.without(notes), traces.without(notes)] }),
          )
      })
      return found.length
    },
    '0',
  )
}

const changedEvent = (record: string, id: string, change: object): RelatedEvent => ({
  record,
  recordId: Number(id),
  change,
  action: 'updated',
})

type ExternalId = {
  readonly key: string
  readonly connection_id: string
  readonly record: string
  readonly record_id: string
}

/** External ids of other records, such as a sale whose id in the shop contains the email. They are removed, and the other system can set new ones. */
async function eraseExternalIds(search: Search): Promise<void> {
  const { client, companyId, traces, own } = search
  let last = ['0', '']
  await eachPage<ExternalId>(
    search,
    'external_ids',
    (after) =>
      client.query(
        `select external_id as key, connection_id::text, record, record_id::text from external_ids
         where company_id = $1 and (connection_id, record, external_id) > ($2, $3, $4) and not (record = $5 and record_id = $6)
         order by connection_id, record, external_id limit ${portion}`,
        [companyId, ...last, after, own.kind, own.id],
      ),
    async (rows) => {
      const end = rows.at(-1)
      if (end !== undefined) last = [end.connection_id, end.record]
      const found = rows.filter(({ key }) => traces.without(key) !== key)
      if (found.length === 0) return 0
      await writeWithEvents(client, companyId, `${own.kind}s/erase`, async () => {
        for (const { key, connection_id: connectionId, record } of found)
          await client.query(
            'delete from external_ids where company_id = $1 and connection_id = $2 and record = $3 and external_id = $4',
            [companyId, connectionId, record, key],
          )
        const records = new Map(found.map((one) => [`${one.record} ${one.record_id}`, one]))
        return [...records.values()].map((one) =>
          changedEvent(one.record, one.record_id, { external_id: [erased, ''] }),
        )
      })
      return found.length
    },
    '',
  )
}

/** Fields of events that may be about another person than their record. */
const freeText = ['notes', 'external_id']
const invitationFields = ['email']

async function eraseEvents(search: Search): Promise<void> {
  const { client, companyId, traces, since, own } = search
  await eachPage<{ key: string; record: string; change: object }>(
    search,
    'events',
    (after) =>
      client.query(
        `select seq::text as key, record, change from events where company_id = $1 and seq > $2
           and (concat(change ->> 'notes', change ->> 'external_id') <> '' or record = 'invitation') and not (record = $3 and record_id = $4)
         order by seq limit ${portion}`,
        [companyId, after, own.kind, own.id],
      ),
    async (rows) => {
      let count = 0
      for (const { key, record, change } of rows) {
        const fields = record === 'invitation' ? invitationFields : freeText
        const [before, after] = [change, mapStrings(change, fields, (text) => traces.without(text))].map((one) =>
          JSON.stringify(one),
        )
        if (before === after) continue
        await client.query('update events set change = $3 where company_id = $1 and seq = $2', [companyId, key, after])
        count++
      }
      return count
    },
    String(since.seq),
  )
}

async function eraseResponses(search: Search): Promise<void> {
  const { client, companyId, traces, since } = search
  await eachPage<{ key: string; answer: string }>(
    search,
    'idempotency_keys',
    (after) =>
      client.query(
        `select key, answer from idempotency_keys where company_id = $1 and key > $2 and created_at >= $3 order by key limit ${portion}`,
        [companyId, after, since.at],
      ),
    async (rows) => {
      let count = 0
      for (const { key, answer } of rows) {
        const isNamed = traces.isIn(key)
        if (!isNamed && !traces.isIn(answer)) continue
        // Without its row a key is unknown: the same request sent again within a day would be carried out again.
        if (isNamed)
          await client.query('delete from idempotency_keys where company_id = $1 and key = $2', [companyId, key])
        else
          await client.query('update idempotency_keys set answer = $3 where company_id = $1 and key = $2', [
            companyId,
            key,
            JSON.stringify(mapStrings(JSON.parse(answer), [], (text) => traces.without(text), true)),
          ])
        count++
      }
      return count
    },
    '',
  )
}

type LoggedRequest = {
  readonly key: string
  readonly at: string
  readonly method: string
  readonly texts: readonly (string | null)[]
}

/** Both bodies of a request are removed as a whole: they are kept for support only. */
async function eraseRequests(search: Search): Promise<void> {
  const { client, companyId, traces, since } = search
  // Rows are written after the response, and several processes write: some of them are late.
  const from = since.at === everything.at ? since.at : new Date(Date.parse(since.at) - 60_000).toISOString()
  let at = from
  await eachPage<LoggedRequest>(
    search,
    'request_log',
    (after) =>
      client.query(
        `select request_id as key, at::text as at, method, array[request, answer, error] || ignored_fields as texts from request_log
         where company_id = $1 and (at, request_id) > ($2, $3) order by at, request_id limit ${portion}`,
        [companyId, at, after],
      ),
    async (rows) => {
      at = rows.at(-1)?.at ?? at
      const found = rows.filter(({ method, texts }) =>
        [method, ...texts].some((text) => text !== null && traces.isIn(text)),
      )
      for (const { key, at: time, method } of found)
        await client.query(
          `update request_log set request = $4, answer = $4, error = case when error is not null then $4 end, method = $5,
             ignored_fields = case when ignored_fields is not null then array[$4] end
           where company_id = $1 and at = $2 and request_id = $3`,
          [companyId, time, key, erased, traces.isIn(method) ? erased : method],
        )
      return found.length
    },
    '',
  )
}

/** Messages contain no values, but a receiver may have read the record and answered with them. */
async function eraseReceiverResponses(search: Search): Promise<void> {
  const { client, companyId, traces, since } = search
  let webhook = '0'
  await eachPage<{ key: string; webhook: string; response: string }>(
    search,
    'webhook_deliveries',
    (after) =>
      client.query(
        `select number::text as key, webhook_id::text as webhook, response from webhook_deliveries
         where company_id = $1 and (webhook_id, number) > ($2, $3) and at >= $4 order by webhook_id, number limit ${portion}`,
        [companyId, webhook, after, since.at],
      ),
    async (rows) => {
      webhook = rows.at(-1)?.webhook ?? webhook
      const found = rows.filter(({ response }) => traces.isIn(response))
      for (const one of found)
        await client.query(
          'update webhook_deliveries set response = $4 where company_id = $1 and webhook_id = $2 and number = $3',
          [companyId, one.webhook, one.key, erased],
        )
      return found.length
    },
    '0',
  )
}

type ImportedRow = { readonly key: string; readonly import_id: string; readonly texts: readonly (string | null)[] }

/** Rows of files that were imported. */
async function eraseImportedRows(search: Search): Promise<void> {
  const { client, companyId, traces } = search
  let last = '0'
  const without = (text: string | null): string | null =>
    text === null ? null : JSON.stringify(mapStrings(JSON.parse(text), [], (one) => traces.without(one), true))
  await eachPage<ImportedRow>(
    search,
    'import_rows',
    (after) =>
      client.query(
        `select position::text as key, import_id::text, array[fields::text, changes::text, refusal::text] as texts from import_rows
         where company_id = $1 and (import_id, position) > ($2, $3) order by import_id, position limit ${portion}`,
        [companyId, last, after],
      ),
    async (rows) => {
      last = rows.at(-1)?.import_id ?? last
      const found = rows.filter(({ texts }) => texts.some((text) => text !== null && traces.isIn(text)))
      for (const { key, import_id: importId, texts } of found)
        await client.query(
          `update import_rows set key = '', fields = $4::jsonb, changes = $5::jsonb, refusal = $6::jsonb
           where company_id = $1 and import_id = $2 and position = $3`,
          [companyId, importId, key, ...texts.map(without)],
        )
      return found.length
    },
    '-1',
  )
}
