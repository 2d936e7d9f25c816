// What the screen of an item shows beside its entry: where it lies, how much there was, how it sells, what it is in and what is in it.

import { z } from 'zod'
import { requiredId } from '../../kernel/field.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { array, integer, number, object, text } from '../../platform/json-sql.ts'
import { idOnWire } from '../../stock/filters.ts'
import { type TreeEdge, type TreeItem, treeOf } from './tree.ts'

const shownDays = 90
const shownWeeks = 26

const levels = array(
  object([
    ['storage_id', integer('t.id')],
    ['storage_name', text('t.name')],
    ['amount', number('v.on_hand')],
    ['reserved', number('v.reserved')],
    ['available', number('(v.on_hand - v.reserved)')],
    ['total_cost', number('round(v.on_hand * coalesce(k.average, 0), 2)')],
  ]),
  `from stock_levels v join storages t on t.company_id = $1 and t.id = v.storage_id
   left join item_costs k on k.company_id = $1 and k.item_id = v.item_id
   where v.company_id = $1 and v.item_id = i.id and (t.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0)`,
  't.name collate "C", t.id',
)

// What there was before the first day, and what came and went on each day since.
const series = array(
  object([
    ['date', text('s.day')],
    ['amount', number('s.amount')],
  ]),
  `from (
     select w.day, coalesce((
         select sum(m.on_hand) from stock_movements m
         where m.company_id = $1 and m.item_id = i.id and m.date <= (select t.today from today t) - ${shownDays}), 0)
       + sum(coalesce(c.change, 0)) over (order by w.day) as amount
     from (select t.today - g.back as day from today t cross join generate_series(0, ${shownDays - 1}) g (back)) w
     left join (
       select m.date, sum(m.on_hand) as change from stock_movements m
       where m.company_id = $1 and m.item_id = i.id and m.date > (select t.today from today t) - ${shownDays}
       group by m.date) c on c.date = w.day) s`,
  's.day',
)

const weeks = array(
  object([
    ['week', text('w.week')],
    ['amount', number('coalesce(o.amount, 0)')],
    ['total', number('coalesce(o.total, 0)')],
  ]),
  `from (
     select t.today - (extract(isodow from t.today)::int - 1) - 7 * g.back as week
     from today t cross join generate_series(0, ${shownWeeks - 1}) g (back)) w
   left join (
     select d.date_placed - (extract(isodow from d.date_placed)::int - 1) as week, sum(l.amount) as amount, sum(l.total) as total
     from sales d join sale_lines l on l.company_id = $1 and l.sale_id = d.id and l.item_id = i.id
     where d.company_id = $1 and d.status <> 4 and d.listed <= date '9999-12-31' - (select t.today - ${7 * shownWeeks} from today t)
     group by 1) o on o.week = w.week`,
  'w.week',
)

const usedIn = array(
  object([
    ['id', integer('x.id')],
    ['name', text('x.name')],
    ['amount', number('x.amount')],
  ]),
  `from (
     select p.id, p.name, p.name_key, sum(c.amount) as amount from components c
     join items p on p.company_id = $1 and p.id = c.product_id and p.deleted_at is null
     where c.company_id = $1 and c.item_id = i.id group by p.id, p.name, p.name_key) x`,
  'x.name_key, x.id',
)

type Row = {
  readonly levels: string
  readonly series: string
  readonly weeks: string
  readonly used_in: string
  readonly edges: readonly TreeEdge[]
  readonly items: readonly TreeItem[]
}

// Every product that is in the tree once, however often it is used. What is made of nothing costs its average; a material that was never
// received its reference price, a resource its price.
const find = statement<Row>(
  'items.card',
  `with recursive today as materialized (select (now() at time zone c.timezone)::date as today from companies c where c.company_id = $1),
   made (id) as (
     select $2::bigint
     union
     select c.item_id from made m join components c on c.company_id = $1 and c.product_id = m.id),
   edges as materialized (
     select c.product_id, c.item_id, c.amount, c.position from components c where c.company_id = $1 and c.product_id in (select m.id from made m))
   select ${levels} as levels, ${series} as series, ${weeks} as weeks, ${usedIn} as used_in, (
       select coalesce(json_agg(json_build_array(e.product_id, e.item_id, e.amount::text) order by e.product_id, e.position), '[]'::json) from edges e
     ) as edges, (
       select coalesce(json_agg(json_build_object('id', x.id, 'kind', x.kind, 'sku', x.sku, 'name', x.name, 'unit', n.name, 'cost',
         (case when x.kind = 'resource' then x.price when coalesce(k.average, 0) > 0 or x.kind = 'product' then coalesce(k.average, 0) else x.price end)::text)), '[]'::json)
       from items x join units n on n.company_id = $1 and n.id = x.unit_id
       left join item_costs k on k.company_id = $1 and k.item_id = x.id
       where x.company_id = $1 and x.id in (select m.id from made m)
     ) as items
   from items i where i.company_id = $1 and i.id = $2 and i.deleted_at is null`,
)

const node = z
  .object({
    type: z.string().describe('product, material or resource.'),
    id: z.int().describe('Id of the item.'),
    sku: z.string().describe('SKU.'),
    name: z.string().describe('Name.'),
    unit: z.string().describe('Unit of measure.'),
    amount: z.number().describe('How much of it is in one of the item of the card.'),
    cost: z.number().describe('Planned cost of one of it.'),
    total: z.number().describe('amount × cost.'),
    get components() {
      return z.array(node).describe('What it is made of itself.')
    },
  })
  .meta({ id: 'ItemTreeNode' })

const missing = 'Item not found or access denied'

export const getItemCard = read({
  path: 'items/get_card',
  door: 'screens',
  role: 'worker',
  summary: 'Read what the screen of an item shows beside its entry.',
  notes: ['A tree of very many branches is cut off; costs count all of it.'],
  input: {
    wire: z.object({ item_id: idOnWire.unwrap().describe('Id of the product, material or resource.') }),
    read: (raw) => ({ id: requiredId(raw, 'item_id') }),
  },
  output: z.object({
    levels: z
      .array(
        z.object({
          storage_id: z.int().describe('Id of the storage location.'),
          storage_name: z.string().describe('Its name.'),
          amount: z.number().describe('On hand.'),
          reserved: z.number().describe('Reserved.'),
          available: z.number().describe('On hand less reserved.'),
          total_cost: z.number().describe('amount × average cost.'),
        }),
      )
      .describe('Levels by storage location.'),
    series: z
      .array(z.object({ date: z.string().describe('Day.'), amount: z.number().describe('On hand at its end.') }))
      .describe(`On hand over all storage locations, the last ${shownDays} days.`),
    weeks: z
      .array(
        z.object({
          week: z.string().describe('Monday of the week.'),
          amount: z.number().describe('How much was sold.'),
          total: z.number().describe('For how much.'),
        }),
      )
      .describe(`Sold by week, the last ${shownWeeks}; canceled sales left out.`),
    used_in: z
      .array(
        z.object({
          id: z.int().describe('Id of the product.'),
          name: z.string().describe('Its name.'),
          amount: z.number().describe('How much of the item is in one of it.'),
        }),
      )
      .describe('Products that it is a component of.'),
    tree: z.array(node).describe('What it is made of.'),
  }),
  refusals: ['No item_id in input', missing],
  example: {
    request: { item_id: 1 },
    response: {
      success: true,
      levels: [
        { storage_id: 1, storage_name: 'Finished goods', amount: 5, reserved: 2, available: 3, total_cost: 753.5 },
      ],
      series: [{ date: '2026-03-12', amount: 5 }],
      weeks: [{ week: '2026-03-09', amount: 2, total: 498 }],
      used_in: [],
      tree: [
        {
          type: 'material',
          id: 2,
          sku: 'BOARD-1',
          name: 'Oak board',
          unit: 'pcs',
          amount: 4,
          cost: 18.5,
          total: 74,
          components: [],
        },
      ],
    },
  },
  query: ({ id }, { companyId }) => find(companyId, id),
  answer: ([row], { id }) => {
    if (row === undefined) refuse(missing)
    return {
      levels: new JsonText(row.levels),
      series: new JsonText(row.series),
      weeks: new JsonText(row.weeks),
      used_in: new JsonText(row.used_in),
      tree: treeOf(id, row.items, row.edges),
    }
  },
})
