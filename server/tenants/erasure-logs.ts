// Copies of personal data in what is kept about requests, webhooks, imports, mails and access: no records, so they have no events.

import { eachPage, everything, portion, type Search } from './erasure-pages.ts'
import { erased, mapStrings } from './erasure-text.ts'

type LoggedRequest = {
  readonly key: string
  readonly at: string
  readonly method: string
  readonly texts: readonly (string | null)[]
}

/** Both bodies of a request are removed as a whole: they are kept for support only. */
export async function eraseRequests(search: Search): Promise<void> {
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
export async function eraseReceiverResponses(search: Search): Promise<void> {
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
export async function eraseImportedRows(search: Search): Promise<void> {
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

/** A mail that waits would still be sent to the person. */
export async function eraseMails(search: Search): Promise<void> {
  const { client, companyId, traces } = search
  await eachPage<{ key: string; texts: readonly (string | null)[] }>(
    search,
    'mails',
    (after) =>
      client.query(
        `select id as key, array[recipient, response] as texts from mails where company_id = $1 and id > $2 order by id limit ${portion}`,
        [companyId, after],
      ),
    async (rows) => {
      const found = rows.filter(({ texts }) => texts.some((text) => text !== null && traces.isIn(text)))
      await client.query(
        `update mails set recipient = $3, response = null, status = case when status = 'queued' then 'canceled' else status end
         where company_id = $1 and id = any($2)`,
        [companyId, found.map(({ key }) => key), erased],
      )
      return found.length
    },
    '',
  )
}

/** Of a user who is erased, also from where they signed in. */
export async function eraseSecurityEvents(search: Search): Promise<void> {
  const { client, companyId, traces, own } = search
  const userId = own.kind === 'user' ? own.id : null
  await eachPage<{ key: string; detail: string | null; is_own: boolean }>(
    search,
    'security_events',
    (after) =>
      client.query(
        `select id as key, detail, $3::bigint is not null and (user_id = $3 or about_user_id = $3)
           and (address is not null or browser is not null or system is not null) as is_own
         from security_events where company_id = $1 and id > $2 order by id limit ${portion}`,
        [companyId, after, userId],
      ),
    async (rows) => {
      const named = rows.filter(({ detail }) => detail !== null && traces.isIn(detail)).map(({ key }) => key)
      const own = rows.filter((row) => row.is_own).map(({ key }) => key)
      await client.query(
        `update security_events set detail = case when id = any($2) then $4 else detail end,
           address = case when id = any($3) then null else address end,
           browser = case when id = any($3) then null else browser end,
           system = case when id = any($3) then null else system end
         where company_id = $1 and (id = any($2) or id = any($3))`,
        [companyId, named, own, erased],
      )
      return new Set([...named, ...own]).size
    },
    '',
  )
}
