// Search over all sections: sales and other documents by number, items by name and code, customers and suppliers by name, phone and e-mail.

import { z } from 'zod'
import { searchedItem } from '../../catalog/view.ts'
import { searchedName } from '../../contacts/contact.ts'
import { nameLength, text as textField, textRefusals } from '../../kernel/field.ts'
import { containing, searched } from '../../kernel/filters.ts'
import { foldedSql, foldedText } from '../../kernel/folded-text.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { integer, object, text } from '../../platform/postgres/json-sql.ts'

const maxHits = 20
const maxOfSection = 8

type Source = {
  readonly section: string
  readonly from: string
  readonly title: string
  readonly subtitle: string
  readonly mark: string
  readonly where: string
  /** The text compared with the search for ranking: equal, then beginning with it, then containing it. */
  readonly key: string
  readonly order: string
}

const words = (names: Readonly<Record<number, string>>): string =>
  `case d.status ${Object.entries(names)
    .map(([code, name]) => `when ${code} then '${name}'`)
    .join(' ')} else '' end`

// `:typed` is the text of the user, folded, `:pattern` the pattern made from it.
const like = (column: string): string => `${foldedSql(column)} like :pattern`

const document = (
  section: string,
  from: string,
  subtitle: string,
  mark: string,
  more: Partial<Source> = {},
): Source => ({
  section,
  from: `${section === 'orders' ? 'sales' : section} d ${from}`,
  title: 'd.num',
  subtitle,
  mark,
  where: like('d.num'),
  key: foldedSql('d.num'),
  order: 'd.listed, d.id desc',
  ...more,
})

const storage = (column: string, alias: string): string =>
  `join storages ${alias} on ${alias}.company_id = :company_id and ${alias}.id = d.${column}`

const contact = (section: string): Source => ({
  section,
  from: `${section} d`,
  title: 'd.name',
  subtitle: `concat_ws(' · ', nullif(d.phone, ''), nullif(d.email, ''))`,
  mark: `''`,
  where: `d.deleted_at is null and (${searchedName('d')} like :pattern or ${like(searched('d.phone'))} or ${like(searched('d.email'))})`,
  key: searchedName('d'),
  order: 'd.name_key, d.id',
})

/** Equally good hits are in the order of the sections. */
const sources: readonly Source[] = [
  document(
    'orders',
    'join customers u on u.company_id = :company_id and u.id = d.customer_id',
    'u.name',
    words({ 0: 'New', 1: 'Packed', 2: 'Partially shipped', 3: 'Shipped', 4: 'Canceled' }),
    {
      where: `(${like('d.num')} or d.customer_id in (select c.id from customers c where c.company_id = :company_id and ${searchedName('c')} like :pattern))`,
    },
  ),
  {
    section: `d.kind || 's'`,
    from: `items d join units n on n.company_id = :company_id and n.id = d.unit_id`,
    title: 'd.name',
    subtitle: 'd.sku',
    mark: `case when d.kind = 'resource' then '' else trim_scale(coalesce((
      select sum(v.on_hand - v.reserved) from stock_levels v where v.company_id = :company_id and v.item_id = d.id), 0)) || ' ' || n.name end`,
    where: `d.deleted_at is null and ${searchedItem('d')} like :pattern`,
    // A match of a whole code ranks like a match of a whole name.
    key: `case when strpos(${searchedItem('d')} || e'\\x1f', e'\\x1f' || :typed || e'\\x1f') > 0 then :typed else split_part(${searchedItem('d')}, e'\\x1f', 1) end`,
    order: 'd.name_key, d.id',
  },
  contact('customers'),
  contact('suppliers'),
  document(
    'purchases',
    'join suppliers u on u.company_id = :company_id and u.id = d.supplier_id',
    'u.name',
    words({ 0: 'New', 1: 'Ordered', 2: 'Partially received', 3: 'Received', 4: 'Canceled' }),
  ),
  document(
    'productions',
    '',
    `coalesce((
      select string_agg(i.name, ', ' order by l.position) from production_lines l join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.production_id = d.id), '')`,
    words({ 0: 'Planned', 1: 'In progress', 3: 'Done', 4: 'Canceled' }),
  ),
  document(
    'transfers',
    `${storage('storage_from_id', 'a')} ${storage('storage_to_id', 'b')}`,
    `a.name || ' → ' || b.name`,
    words({ 0: 'New', 1: 'In transit', 3: 'Received', 4: 'Canceled' }),
  ),
  document('writeoffs', '', 'd.notes', `''`),
  document('audits', storage('storage_id', 'a'), 'a.name', words({ 0: 'Counting', 3: 'Completed', 4: 'Canceled' })),
]

const hitsOf = ({ section, from, title, subtitle, mark, where, key, order }: Source, place: number): string => `
  select s.*, ${place} as place, row_number() over () as turn from (
    select ${section.includes(' ') ? section : `'${section}'`} as section, d.id, ${title} as title, left(${subtitle}, 200) as subtitle, ${mark} as mark,
      case when ${key} = :typed then 0 when starts_with(${key}, :typed) then 1 else 2 end as rank
    from ${from} where d.company_id = :company_id and :pattern::text is not null and ${where} order by rank, ${order} limit ${maxOfSection}) s`

type Values = { readonly company_id: number; readonly pattern: string | null; readonly typed: string }

const find = statement<{ hits: string }, Values>(
  'search.list',
  `select coalesce(string_agg(${object([
    ['section', text('h.section')],
    ['id', integer('h.id')],
    ['title', text('h.title')],
    ['subtitle', text('h.subtitle')],
    ['mark', text('h.mark')],
  ])}, ',' order by h.rank, h.place, h.turn), '') as hits
   from (select x.* from (${sources.map(hitsOf).join(' union all ')}) x order by x.rank, x.place, x.turn limit ${maxHits}) h`,
)

export const searchAll = read({
  path: 'search/get_list',
  api: 'app',
  role: 'worker',
  summary: 'Search all sections.',
  notes: [
    `At most ${maxHits} hits, at most ${maxOfSection} per section: exact matches first, then prefix matches, then the rest.`,
    'Sales are found by number and customer, items by name and any code, customers and suppliers by name, phone and e-mail, other documents by number.',
  ],
  input: {
    schema: z.object({ search: z.string().optional().describe('Text to search for; an empty text finds nothing.') }),
    read: (raw) => ({ search: textField(raw, 'search', { max: nameLength, trim: true }) ?? '' }),
  },
  output: z.object({
    hits: z
      .array(
        z.object({
          section: z.string().describe('Section of the API it belongs to.'),
          id: z.int().describe('Its id there.'),
          title: z.string().describe('Its number or name.'),
          subtitle: z.string().describe('What distinguishes it from similar records.'),
          mark: z.string().describe('Its status, or the available quantity.'),
        }),
      )
      .describe('Hits, best first.'),
  }),
  refusals: textRefusals,
  example: {
    request: { search: 'a-1007' },
    response: {
      success: true,
      hits: [{ section: 'orders', id: 1, title: 'A-1007', subtitle: 'Oak & Sons', mark: 'New' }],
    },
  },
  query: ({ search }, { companyId }) =>
    find({ company_id: companyId, pattern: search === '' ? null : containing(search), typed: foldedText(search) }),
  response: ([row]) => ({ hits: new JsonText(`[${row?.hits ?? ''}]`) }),
})
