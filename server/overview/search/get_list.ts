// One search over everything: sales and other documents by number, items by name and code, customers and suppliers by name, phone and e-mail.

import { z } from 'zod'
import { nameLength, text as textField, textRefusals } from '../../kernel/field.ts'
import { literally } from '../../kernel/filters.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'
import { integer, object, text } from '../../platform/json-sql.ts'

const mostHits = 20
const mostOfSection = 8

type Source = {
  readonly section: string
  readonly from: string
  readonly title: string
  readonly subtitle: string
  readonly mark: string
  readonly where: string
  /** What is compared with what was typed: equal comes before beginning with it, that before holding it. */
  readonly key: string
  readonly order: string
}

const words = (names: Readonly<Record<number, string>>): string =>
  `case d.status ${Object.entries(names)
    .map(([code, name]) => `when ${code} then '${name}'`)
    .join(' ')} else '' end`

// $2 is the pattern, $3 what was typed.
const like = (column: string): string => `lower(${column}) like lower($2)`

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
  key: 'lower(d.num)',
  order: 'd.listed, d.id desc',
  ...more,
})

const storage = (column: string, alias: string): string =>
  `join storages ${alias} on ${alias}.company_id = $1 and ${alias}.id = d.${column}`

const contact = (section: string): Source => ({
  section,
  from: `${section} d`,
  title: 'd.name',
  subtitle: `concat_ws(' · ', nullif(d.phone, ''), nullif(d.email, ''))`,
  mark: `''`,
  where: `d.deleted_at is null and (${like('d.name')} or ${like('d.phone')} or ${like('d.email')})`,
  key: 'lower(d.name)',
  order: 'd.name_key, d.id',
})

/** The order of the sections is that of equally good hits. */
const sources: readonly Source[] = [
  document(
    'orders',
    'join customers u on u.company_id = $1 and u.id = d.customer_id',
    'u.name',
    words({ 0: 'New', 1: 'Packed', 2: 'Partially shipped', 3: 'Shipped', 4: 'Canceled' }),
    {
      where: `(${like('d.num')} or d.customer_id in (select c.id from customers c where c.company_id = $1 and ${like('c.name')}))`,
    },
  ),
  {
    section: `d.kind || 's'`,
    from: `items d join units n on n.company_id = $1 and n.id = d.unit_id`,
    title: 'd.name',
    subtitle: 'd.sku',
    mark: `case when d.kind = 'resource' then '' else trim_scale(coalesce((
      select sum(v.on_hand - v.reserved) from stock_levels v where v.company_id = $1 and v.item_id = d.id), 0)) || ' ' || n.name end`,
    where: 'd.deleted_at is null and d.found_by like lower($2)',
    // A whole code is as good as a whole name.
    key: `case when strpos(d.found_by || e'\\x1f', e'\\x1f' || lower($3) || e'\\x1f') > 0 then lower($3) else lower(d.name) end`,
    order: 'd.name_key, d.id',
  },
  contact('customers'),
  contact('suppliers'),
  document(
    'purchases',
    'join suppliers u on u.company_id = $1 and u.id = d.supplier_id',
    'u.name',
    words({ 0: 'New', 1: 'Ordered', 2: 'Partially received', 3: 'Received', 4: 'Canceled' }),
  ),
  document(
    'productions',
    '',
    `coalesce((
      select string_agg(i.name, ', ' order by l.position) from production_lines l join items i on i.company_id = $1 and i.id = l.item_id
      where l.company_id = $1 and l.production_id = d.id), '')`,
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
      case when ${key} = lower($3) then 0 when starts_with(${key}, lower($3)) then 1 else 2 end as rank
    from ${from} where d.company_id = $1 and $2::text is not null and ${where} order by rank, ${order} limit ${mostOfSection}) s`

const find = statement<{ hits: string }>(
  'search.list',
  `select coalesce(string_agg(${object([
    ['section', text('h.section')],
    ['id', integer('h.id')],
    ['title', text('h.title')],
    ['subtitle', text('h.subtitle')],
    ['mark', text('h.mark')],
  ])}, ',' order by h.rank, h.place, h.turn), '') as hits
   from (select x.* from (${sources.map(hitsOf).join(' union all ')}) x order by x.rank, x.place, x.turn limit ${mostHits}) h`,
)

export const searchAll = read({
  path: 'search/get_list',
  door: 'screens',
  role: 'worker',
  summary: 'Search everything.',
  notes: [
    `At most ${mostHits} hits, at most ${mostOfSection} of a section: first what equals the search, then what begins with it, then what holds it.`,
    'Sales are found by number and customer, items by name and any code, customers and suppliers by name, phone and e-mail, other documents by number.',
  ],
  input: {
    wire: z.object({ search: z.string().optional().describe('What was typed; nothing finds nothing.') }),
    read: (raw) => ({ search: textField(raw, 'search', { max: nameLength, trim: true }) ?? '' }),
  },
  output: z.object({
    hits: z
      .array(
        z.object({
          section: z.string().describe('Section of the interface that it belongs to.'),
          id: z.int().describe('Its id there.'),
          title: z.string().describe('Its number or name.'),
          subtitle: z.string().describe('What tells it from others like it.'),
          mark: z.string().describe('Its state, or what is available of it.'),
        }),
      )
      .describe('What was found, the best first.'),
  }),
  refusals: textRefusals,
  example: {
    request: { search: 'a-1007' },
    response: {
      success: true,
      hits: [{ section: 'orders', id: 1, title: 'A-1007', subtitle: 'Oak & Sons', mark: 'New' }],
    },
  },
  query: ({ search }, { companyId }) => find(companyId, search === '' ? null : `%${literally(search)}%`, search),
  answer: ([row]) => ({ hits: new JsonText(`[${row?.hits ?? ''}]`) }),
})
