// The number that the screens propose for a new sale.

import { z } from 'zod'
import { nameLength } from '../../kernel/field.ts'
import { read } from '../../kernel/method.ts'
import { statement } from '../../kernel/statement.ts'

/** How many of the latest sales are searched for the series. */
const maxLatest = 100
/** How many numbers with text after their digits (`2026-17`, `17b`) are skipped in the search for the highest. */
const maxPassed = 100
/** How many consecutive numbers may already exist on sales from other sources before none is proposed. */
const maxTaken = 100

/** The key of digits without leading zeros, as `naturalKey` writes it. */
const digitsKey = (digits: string): string =>
  `case when length(${digits}) < 9 then length(${digits})::text else '9' || lpad(length(${digits})::text, 3, '0') end || ${digits}`
const withoutZeros = (digits: string): string => `coalesce(nullif(ltrim(${digits}, '0'), ''), '0')`

/** The highest key of the series up to `limit`, a condition on d.num_key. */
const highestOf = (series: string, limit: string): string => `
  select d.num, d.num_key, case when substr(d.num_key, length(${series}.key) + 1, 1) = '9'
      then left(d.num_key, length(${series}.key) + 4 + substr(d.num_key, length(${series}.key) + 2, 3)::int)
      else left(d.num_key, length(${series}.key) + 1 + substr(d.num_key, length(${series}.key) + 1, 1)::int) end as stem
  from sales d where d.company_id = :company_id and d.source = 'manual' and d.num_key >= ${series}.from_key and ${limit}
  order by d.num_key desc limit 1`

// The bounds of a series are computed before the comparison: row level security prevents index conditions with an expression that could leak
// rows. Its numbers are between `0` and `:`, the character after 9.
// Every step reads one index entry, however many sales there are. `chosen`: the first number of the series that the company has set. `latest`: that number;
// without one, of the latest sales (sales_by_hand), the first whose series is that of
// the sale before it, so that one odd number does not start a series. `series`: the text before its digits, as text and as key. `walk`: the highest number of the series (sales_by_hand_number); if a number has text after its digits, all numbers with the
// same digits are skipped at once. `proposed`: the following numbers, of which the first unused one is returned (sales_by_number; a
// subselect, because `not exists` may be planned as a scan of all sales).
export const proposedNumber = `with recursive chosen as materialized (
     select c.first_sale_number as num, c.first_sale_number_key as num_key, substring(c.first_sale_number from '[0-9]+$') as digits
     from companies c where c.company_id = :company_id and c.first_sale_number <> ''),
   latest as materialized (
     select c.num, c.num_key, c.digits from chosen c
     union all (select n.num, n.num_key, n.digits from (
       select o.id, o.num, o.num_key, x.digits, x.prefix = lead(x.prefix) over (order by o.id desc) as is_continued from (
         select d.id, d.num, d.num_key from sales d where d.company_id = :company_id and d.source = 'manual' order by d.id desc limit ${maxLatest}) o
       cross join lateral (select substring(o.num from '[0-9]+$') as digits, regexp_replace(o.num, '[0-9]+$', '') as prefix) x
       where o.num ~ '[0-9]$' and not exists (select from chosen)) n
     order by n.is_continued is true desc, n.id desc limit 1)),
   series as materialized (
     select k.prefix, k.key, k.key || '0' as from_key, k.key || ':' as to_key from (
       select left(l.num, length(l.num) - length(l.digits)) as prefix,
         left(l.num_key, length(l.num_key) - length(${digitsKey(withoutZeros('l.digits'))})) as key from latest l
       union all select '', '' collate "C" where not exists (select from latest)) k),
   walk (num, num_key, stem, step) as (
     select h.num, h.num_key, h.stem, 1 from series s cross join lateral (${highestOf('s', 'd.num_key < s.to_key')}) h
     union all
     select h.num, h.num_key, h.stem, w.step + 1 from walk w cross join series s cross join lateral (${highestOf('s', 'd.num_key <= w.stem')}) h
     where w.num_key <> w.stem and w.step < ${maxPassed}),
   highest as materialized (
     select coalesce(greatest(u.digits::numeric, c.digits::numeric - 1), 0) as number, coalesce(greatest(length(u.digits), length(c.digits)), 1) as width
     from (select max(substr(w.num, length(s.prefix) + 1)) as digits from series s join walk w on w.num_key = w.stem) u left join chosen c on true),
   proposed as materialized (
     select n.place, s.prefix || lpad(x.digits, greatest(h.width, length(x.digits)), '0') as num,
       s.key || ${digitsKey('x.digits')} as num_key
     from series s cross join highest h cross join generate_series(1, ${maxTaken}) n (place)
     cross join lateral (select (h.number + n.place)::text as digits) x)
   select p.num from proposed p
   where length(p.num) <= ${nameLength} and (
     select d.id from sales d where d.company_id = :company_id and d.num_key = p.num_key collate "C" and d.num = p.num limit 1) is null
   order by p.place limit 1`

const find = statement<{ num: string }, { readonly company_id: number }>('sales.next_number', proposedNumber)

export const nextNumber = read({
  path: 'orders/next_number',
  api: 'app',
  summary: 'Propose the number of a new sale.',
  notes: [
    'The series is the text before the digits at the end of a number. The company may set its first number (first_sale_number in settings/edit). Otherwise it is that of the latest two successive sales entered in the screens that have the same; if there are none, that of the latest sale. The proposed number follows the highest of the series, regardless of dates; numbers already used are skipped.',
  ],
  input: { schema: z.object({}), read: () => ({}) },
  output: z.object({ num: z.string().describe('The number; empty when none could be found.') }),
  refusals: [],
  example: { request: {}, response: { success: true, num: 'A-1008' } },
  query: (_input, { companyId }) => find({ company_id: companyId }),
  response: ([row]) => ({ num: row?.num ?? '' }),
})
