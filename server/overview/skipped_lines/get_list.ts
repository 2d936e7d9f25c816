// The skipped lines of all documents, grouped by what they name. App API only.

import { z } from 'zod'
import { codesFound } from '../../catalog/code-lookup.ts'
import { flag, textRefusals } from '../../kernel/field.ts'
import { pageSchema, searchPattern } from '../../kernel/filters.ts'
import { foldedSql } from '../../kernel/folded-text.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { pageOf, pageRefusals } from '../../kernel/page.ts'
import { statement } from '../../kernel/statement.ts'
import { day, integer, nullable, number, object, text } from '../../platform/postgres/json-sql.ts'
import { type AnySection, recordName, sections } from './sections.ts'

/** Lines of a section beyond this number are not read, so that a shop that sends nothing but unknown SKUs costs no more. */
const maxRead = 20_000
/** The newest documents of each group. */
const maxShown = 20

type Row = { readonly total: number; readonly is_complete: boolean; readonly rows: string }
type Values = {
  readonly company_id: number
  readonly is_closed: boolean
  readonly search: string | null
  readonly limit: number
  readonly offset: number
}

const newestOf = (section: AnySection): string => `(
  select '${recordName(section)}' as record, d.id, w.kind, w.named_by, w.code, w.code_key, w.connection_id, w.amount, w.total,
    d.num, d.date_placed, d.status, p.name as party
  from ${section.skippedTable} w
  join ${section.table} d on d.company_id = :company_id and d.id = w.${section.key}
  join ${section.parties.table} p on p.company_id = :company_id and p.id = d.${section.parties.key}
  where w.company_id = :company_id and (d.status in (${section.closed})) = :is_closed::boolean
    and (:search::text is null or ${foldedSql('w.code')} like :search::text)
  order by w.${section.key} desc, w.position desc limit ${maxRead + 1})`

const code = (of: string): string => `${of}.kind, ${of}.named_by, ${of}.code_key, ${of}.connection_id`
const named = (by: string): string => nullable(text(`(case p.named_by when '${by}' then p.code end)`))
const counted = ({ record }: AnySection, name: string): string =>
  `count(*) filter (where x.record = '${name}') as ${record}s`

const documentJson = object([
  ['record', text('x.record')],
  ['id', integer('x.id')],
  ['num', text('x.num')],
  ['date_placed', day('x.date_placed')],
  ['status', integer('x.status')],
  ['contact_name', text('x.party')],
  ['amount', number('x.amount')],
  ['total', number('x.total')],
])

// The documents are ranked and collected for all groups at once: reading them for each group of a page would read all of them each time.
const list = statement<Row, Values>(
  'skipped_lines.list',
  `with newest as materialized (${sections.map(newestOf).join(' union all ')}),
   documents as materialized (
     select ${code('n')}, min(n.code) as code, n.record, n.id, n.num, n.date_placed, n.status, n.party, sum(n.amount) as amount, sum(n.total) as total,
       row_number() over (partition by ${code('n')} order by n.date_placed desc, n.record, n.id desc) as place
     from newest n group by ${code('n')}, n.record, n.id, n.num, n.date_placed, n.status, n.party),
   codes as materialized (
     select ${code('x')}, min(x.code) as code, ${sections.map((one) => counted(one, recordName(one))).join(', ')},
       count(*) as documents, sum(x.amount) as amount, sum(x.total) as total,
       string_agg(${documentJson}, ',' order by x.place) filter (where x.place <= ${maxShown}) as shown
     from documents x group by ${code('x')}),
   page as materialized (
     select c.* from codes c order by c.documents desc, ${code('c')} limit :limit offset :offset)
   select (select count(*) from codes) as total,
     (select coalesce(max(r.lines), 0) <= ${maxRead} from (select count(*) as lines from newest n group by n.record) r) as is_complete, (
     select coalesce(string_agg(${object([
       ['type', text('p.kind')],
       ['sku', named('sku')],
       ['id', named('id')],
       ['external_id', named('external_id')],
       ['connection_id', nullable(integer(`(case p.named_by when 'external_id' then p.connection_id end)`))],
       ['connection_name', nullable(text('n.name'))],
       ['documents_count', integer('p.documents')],
       ...sections.map(({ record }) => [`${record}s_count`, integer(`p.${record}s`)] as const),
       ['amount', number('p.amount')],
       ['total', number('p.total')],
       ['item_id', nullable(integer('i.id'))],
       ['item_name', nullable(text('i.name'))],
       ['documents', `'[' || p.shown || ']'`],
     ])}, ',' order by p.documents desc, ${code('p')}), '')
     from page p
     left join api_connections n on n.company_id = :company_id and p.named_by = 'external_id' and n.id = p.connection_id
     left join lateral (
       select i.id, i.name from (
         select c.item_id from (${codesFound('= p.kind', '= p.code_key')}) c where p.named_by = 'sku'
         union all select x.record_id from external_ids x where x.company_id = :company_id and p.named_by = 'external_id'
           and x.connection_id = p.connection_id and x.record = p.kind and x.external_id = p.code_key) o
       join items i on i.company_id = :company_id and i.id = o.item_id order by i.id limit 1) i on true) as rows`,
)

const documentSchema = z.object({
  record: z.enum(['order', 'purchase']).describe('Type of the document.'),
  id: z.int().describe('Its id.'),
  num: z.string().describe('Its number.'),
  date_placed: z.string().describe('Its day, `YYYY-MM-DD`.'),
  status: z.int().describe('Its status.'),
  contact_name: z.string().describe('Name of its customer or supplier.'),
  amount: z.number().describe('Quantity of its lines.'),
  total: z.number().describe('Total of its lines.'),
})

export const listSkipped = read({
  path: 'skipped_lines/get_list',
  api: 'app',
  summary: 'List the skipped lines of all documents, grouped by what they name, those with most documents first.',
  notes: [
    `The sums are over all documents of a group; its newest ${maxShown} documents are shown. At most the newest ${maxRead} lines of sales and of purchases are read, else \`is_complete\` is false.`,
    'SKUs that differ only in case are one group. External ids are those of one API connection.',
    'Lines of shipped, received and canceled documents are listed separately: assigning does not change those documents.',
  ],
  input: {
    schema: z.object({
      closed: z
        .union([z.literal(0), z.literal(1)])
        .optional()
        .describe('1: those of shipped, received and canceled documents. Default: 0, those of all others.'),
      search: z.string().optional().describe('Part of the SKU, id or external id; upper and lower case are the same.'),
      ...pageSchema,
    }),
    read: (raw) => ({
      isClosed: flag(raw, 'closed') ?? false,
      search: searchPattern(raw),
      page: pageOf(raw, 50),
    }),
  },
  output: z.object({
    skipped_lines: z
      .array(
        z.object({
          type: z.enum(['product', 'material']).describe('Kind of the item in the request that sent the lines.'),
          sku: z.string().nullable().describe('The SKU that was sent, or null.'),
          id: z.string().nullable().describe('The id that was sent, or null.'),
          external_id: z.string().nullable().describe('The external id that was sent, or null.'),
          connection_id: z.int().nullable().describe('The API connection that sent the external id, or null.'),
          connection_name: z.string().nullable().describe('Its name, or null.'),
          documents_count: z.int().describe('Number of documents.'),
          ...Object.fromEntries(
            sections.map(({ record }) => [`${record}s_count`, z.int().describe(`Number of ${record}s among them.`)]),
          ),
          amount: z.number().describe('Quantity of all lines.'),
          total: z.number().describe('Total of all lines.'),
          item_id: z.int().nullable().describe('Id of the item that has this SKU or external id now, or null.'),
          item_name: z.string().nullable().describe('Its name, or null.'),
          documents: z.array(documentSchema).describe('The newest documents.'),
        }),
      )
      .describe('One entry for each type and SKU, id or external id.'),
    total: z.int().describe('Number of entries.'),
    is_complete: z.boolean().describe('Whether all lines were read.'),
  }),
  refusals: ['Invalid closed value. Must be one of: 0, 1', ...textRefusals, ...pageRefusals],
  example: {
    request: {},
    response: { success: true, skipped_lines: [], total: 0, is_complete: true },
  },
  query: ({ isClosed, search, page }, context) =>
    list({ company_id: context.companyId, is_closed: isClosed, search, limit: page.limit, offset: page.offset }),
  response: ([row]) => ({
    skipped_lines: new JsonText(`[${row?.rows ?? ''}]`),
    total: row?.total ?? 0,
    is_complete: row?.is_complete ?? true,
  }),
})
