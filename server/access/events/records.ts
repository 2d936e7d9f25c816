// The records whose changes clients may follow, the names of their events, and a row of the feed.

import { integer, object, text, time } from '../../platform/postgres/json-sql.ts'

/** Records in events, with their names in the API. Settings, users, invitations and keys are not among them. */
export const feedRecords: Readonly<Record<string, string>> = {
  sale: 'order',
  purchase: 'purchase',
  production: 'production',
  writeoff: 'writeoff',
  transfer: 'transfer',
  audit: 'audit',
  product: 'product',
  material: 'material',
  resource: 'resource',
  customer: 'customer',
  supplier: 'supplier',
  unit: 'unit',
  category: 'category',
  storage: 'storage',
}

/** The section of each record that is in the feed. */
const feedSections: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(feedRecords).map(([record, name]) => [record, name === 'category' ? 'categories' : `${name}s`]),
)

/** SQL: the text that belongs to the record of `e`; null when it has none. */
const byRecord = (texts: Readonly<Record<string, string>>): string =>
  `case e.record ${Object.entries(texts)
    .map(([record, text]) => `when '${record}' then '${text}'`)
    .join(' ')} end`

const feedActions = ['created', 'updated', 'deleted'] as const

/** Every type of an event in the feed, such as order.created. */
export const feedTypes: readonly string[] = Object.values(feedRecords).flatMap((record) =>
  feedActions.map((action) => `${record}.${action}`),
)

/** SQL: the name of the record of `e` in the API; null when its changes are not in the feed. */
export const feedRecord = byRecord(feedRecords)

/** SQL: the section of the record of `e`. */
export const feedSection = byRecord(feedSections)

/** SQL: what happened to the record of `e`. */
const feedAction = `coalesce(e.action, case split_part(e.method, '/', 2) when 'add' then 'created' when 'delete' then 'deleted' else 'updated' end)`

/** Names of fields in events that differ from those in the API. */
const renamed: Readonly<Record<string, readonly string[]>> = { sale_id: ['order_id'], uses: ['materials', 'resources'] }
/** Fields of events that no response has. */
const internal = [
  'date_deducted',
  'date_effective',
  'former_sale_id',
  'components_by_kind',
  'use_told',
  'shipments',
  'receipts',
  'skipped',
  'tax',
]

/** SQL: the JSON text of the names of the changed fields of `e`. For a record that was created or deleted it reads no values, which may be long. */
const feedChanged = `case when ${feedAction} <> 'updated' then '[]' else coalesce((
  select '[' || string_agg(to_json(n.name)::text, ',' order by n.name) || ']'
  from jsonb_object_keys(e.change) f (name)
  cross join lateral unnest(case f.name ${Object.entries(renamed)
    .map(([field, names]) => `when '${field}' then array[${names.map((name) => `'${name}'`).join(', ')}]`)
    .join(' ')} else array[f.name] end) n (name)
  where f.name not in (${internal.map((name) => `'${name}'`).join(', ')})), '[]') end`

/** SQL: the type of `e`, such as order.created. */
export const feedType = `(${feedRecord} || '.' || ${feedAction})`

/** SQL: the row of `e` in the feed, as JSON text. */
export const feedRow = object([
  ['seq', integer('e.seq')],
  ['at', time('e.at')],
  ['type', text(feedType)],
  ['record', text(`(${feedRecord})`)],
  ['id', integer('e.record_id')],
  ['changed', feedChanged],
  ['source', text('e.source')],
  ['request_id', text('e.request_id')],
])
