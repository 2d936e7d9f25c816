// Copies of personal data outside of the person's own record: notes, addresses and external ids of other records, events, stored responses, the request log, the
// logs of webhooks, the rows of imports, and mails. Read in portions; only rows that contain something are changed, so that a second run changes nothing. Long because there is a way to page through each kind of row.

import pg from 'pg'
import type { RelatedEvent } from '../kernel/method.ts'
import { readCompanyTables } from './company-tables.ts'
import {
  eraseImportedRows,
  eraseMails,
  eraseReceiverResponses,
  eraseRequests,
  eraseSecurityEvents,
} from './erasure-logs.ts'
import { eachPage, portion, type Search } from './erasure-pages.ts'
import { erased, mapStrings } from './erasure-text.ts'
import { writeWithEvents } from './write-with-events.ts'

/** Columns of sales, and fields of their events. */
const saleAddresses = ['billing_address', 'delivery_address'] as const

export async function eraseCopies(search: Search): Promise<void> {
  const tables = await readCompanyTables(search.client)
  for (const { name } of tables.filter(({ columns }) => columns.some((column) => column.name === 'notes')))
    await eraseNotes(search, name)
  await eraseExternalIds(search)
  await eraseEvents(search)
  await eraseResponses(search)
  await eraseRequests(search)
  await eraseReceiverResponses(search)
  await eraseImportedRows(search)
  await eraseMails(search)
  await eraseSecurityEvents(search)
  await eraseQuoteLinks(search)
  // Last, because they are what the copies of them are found by.
  await eraseAddresses(search)
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
const freeText = ['notes', 'external_id', ...saleAddresses]
const invitationFields = ['email']

async function eraseEvents(search: Search): Promise<void> {
  const { client, companyId, traces, since, own } = search
  await eachPage<{ key: string; record: string; change: object; is_own: boolean }>(
    search,
    'events',
    (after) =>
      client.query(
        `select seq::text as key, record, change, $3 = 'customer' and record = 'sale' and (change::jsonb -> 'customer_id' @> to_jsonb($4::bigint)
             or exists (select from sales s where s.company_id = $1 and s.id = record_id and s.customer_id = $4)) as is_own
         from events where company_id = $1 and seq > $2
           and (concat(${freeText.map((field) => `change ->> '${field}'`).join(', ')}) <> '' or record = 'invitation') and not (record = $3 and record_id = $4)
         order by seq limit ${portion}`,
        [companyId, after, own.kind, own.id],
      ),
    async (rows) => {
      let count = 0
      for (const { key, record, change, is_own: isOwn } of rows) {
        const fields = record === 'invitation' ? invitationFields : freeText
        // An address that identifies nobody, such as a city, is not searched for, but belongs to the person here.
        const kept = isOwn ? mapStrings(change, saleAddresses, (text) => (text === '' ? '' : erased)) : change
        const [before, after] = [change, mapStrings(kept, fields, (text) => traces.without(text))].map((one) =>
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

type Addressed = {
  readonly key: string
  readonly is_own: boolean
  readonly billing_address: string | null
  readonly delivery_address: string | null
}

/** The addresses of the person's own sales are removed, whatever they are; those of other sales lose what is found in them. */
async function eraseAddresses(search: Search): Promise<void> {
  const { client, companyId, traces, since, own } = search
  const left = (row: Addressed): (string | null)[] =>
    saleAddresses.map((name) => (row.is_own ? row[name] && '' : row[name] && traces.without(row[name])))
  const isChanged = (row: Addressed): boolean => saleAddresses.some((name, at) => row[name] !== left(row)[at])
  await eachPage<Addressed>(
    search,
    'sales',
    (after) =>
      client.query(
        `select id::text as key, $3 = 'customer' and customer_id = $4 as is_own, billing_address, delivery_address from sales
         where company_id = $1 and id > $2 and concat(billing_address, delivery_address) <> '' and updated_at >= $5 order by id limit ${portion}`,
        [companyId, after, own.kind, own.id, since.at],
      ),
    async (rows) => {
      const found = rows.filter(isChanged)
      if (found.length === 0) return 0
      await writeWithEvents(client, companyId, `${own.kind}s/erase`, async ({ at }) => {
        for (const row of found)
          await client.query(
            'update sales set billing_address = $3, delivery_address = $4, updated_at = $5 where company_id = $1 and id = $2',
            [companyId, row.key, ...left(row), at],
          )
        return found.map((row) => {
          const [billing, delivery] = left(row)
          return changedEvent('sale', row.key, {
            billing_address: [billing, billing],
            delivery_address: [delivery, delivery],
          })
        })
      })
      return found.length
    },
    '0',
  )
}

type Decided = { readonly key: string; readonly is_own: boolean; readonly decided_by: string | null }

/** Who opened the links of the customer's own quotes and decided, and from where; a name that is found elsewhere is removed from it. */
async function eraseQuoteLinks(search: Search): Promise<void> {
  const { client, companyId, traces, own } = search
  const whole = ['decided_from', 'first_opened_from', 'last_opened_from']
  await eachPage<Decided>(
    search,
    'quote_links',
    (after) =>
      client.query(
        `select q.id::text as key, bool_or($3 = 'customer' and q.customer_id = $4) as is_own, string_agg(l.decided_by, ' ') as decided_by
         from quotes q join quote_links l on l.company_id = $1 and l.quote_id = q.id
         where q.company_id = $1 and q.id > $2 and concat(l.decided_by, ${whole.map((name) => `l.${name}`).join(', ')}) <> ''
         group by q.id order by q.id limit ${portion}`,
        [companyId, after, own.kind, own.id],
      ),
    async (rows) => {
      const found = rows.filter(
        ({ is_own: isOwn, decided_by: name }) => isOwn || (name !== null && traces.without(name) !== name),
      )
      for (const { key, is_own: isOwn } of found)
        await client.query(
          isOwn
            ? `update quote_links set decided_by = null, ${whole.map((name) => `${name} = null`).join(', ')} where company_id = $1 and quote_id = $2`
            : 'update quote_links set decided_by = null where company_id = $1 and quote_id = $2',
          [companyId, key],
        )
      return found.length
    },
    '0',
  )
}
