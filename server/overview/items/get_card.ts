// Figures on the screen of an item in addition to its entry: levels, past stock, sales, products that contain it, and its components.

import { z } from 'zod'
import { canceled } from '../../kernel/document-statuses.ts'
import { requiredId } from '../../kernel/field.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { array, integer, number, object, text } from '../../platform/postgres/json-sql.ts'
import { idSchema } from '../../stock/filters.ts'
import { inTransit } from '../../stock/in-transit.ts'
import { type TreeEdge, type TreeItem, treeOf } from './tree.ts'

const shownDays = 90
const shownWeeks = 26
/** Maximum number of components for the tree and its costs; beyond it the tree is incomplete. */
const maxEdges = 10_000

const levels = array(
  object([
    ['storage_id', integer('t.id')],
    ['storage_name', text('t.name')],
    ['amount', number('v.on_hand')],
    ['reserved', number('v.reserved')],
    ['available', number('(v.on_hand - v.reserved)')],
    ['in_transit', number('v.in_transit')],
    ['total_cost', number('round(v.value, 2)')],
  ]),
  `from (
     select x.storage_id, sum(x.on_hand) as on_hand, sum(x.reserved) as reserved, sum(x.in_transit) as in_transit, sum(x.value) as value from (
       select l.storage_id, l.on_hand, l.reserved, 0 as in_transit, l.on_hand * coalesce(k.average, 0) as value
       from stock_levels l left join item_costs k on k.company_id = :company_id and k.item_id = l.item_id
       where l.company_id = :company_id and l.item_id = i.id
       union all select q.storage_id, 0, 0, q.amount, q.value from (${inTransit}) q where q.item_id = i.id) x
     group by x.storage_id) v
   join storages t on t.company_id = :company_id and t.id = v.storage_id
   where t.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0 or v.in_transit <> 0`,
  't.name collate "C", t.id',
)

// The stock before the first day, and the change on each day since.
const series = array(
  object([
    ['date', text('s.day')],
    ['amount', number('s.amount')],
  ]),
  `from (
     select w.day, coalesce((
         select sum(m.on_hand) from stock_movements m
         where m.company_id = :company_id and m.item_id = i.id and m.date <= (select t.today from today t) - ${shownDays}), 0)
       + sum(coalesce(c.change, 0)) over (order by w.day) as amount
     from (select t.today - g.back as day from today t cross join generate_series(0, ${shownDays - 1}) g (back)) w
     left join (
       select m.date, sum(m.on_hand) as change from stock_movements m
       where m.company_id = :company_id and m.item_id = i.id and m.date > (select t.today from today t) - ${shownDays}
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
     from sales d join sale_lines l on l.company_id = :company_id and l.sale_id = d.id and l.item_id = i.id
     where d.company_id = :company_id and d.status <> ${canceled} and d.listed <= date '9999-12-31' - (select t.today - ${7 * shownWeeks} from today t)
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
     join items p on p.company_id = :company_id and p.id = c.product_id and p.deleted_at is null
     where c.company_id = :company_id and c.item_id = i.id group by p.id, p.name, p.name_key) x`,
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

// Every item of the tree once, however often it is used. A product without components costs its average, a material that was never
// received its reference price, a resource its price.
const find = statement<Row, { readonly company_id: number; readonly item_id: number }>(
  'items.card',
  `with recursive today as materialized (select (now() at time zone c.timezone)::date as today from companies c where c.company_id = :company_id),
   made (id) as (
     select :item_id::bigint
     union
     select c.item_id from made m join components c on c.company_id = :company_id and c.product_id = m.id),
   edges as materialized (
     select c.product_id, c.item_id, c.amount, c.position from components c where c.company_id = :company_id and c.product_id in (select m.id from made m)
     limit ${maxEdges})
   select ${levels} as levels, ${series} as series, ${weeks} as weeks, ${usedIn} as used_in, (
       select coalesce(json_agg(json_build_array(e.product_id, e.item_id, e.amount::text) order by e.product_id, e.position), '[]'::json) from edges e
     ) as edges, (
       select coalesce(json_agg(json_build_object('id', x.id, 'kind', x.kind, 'sku', x.sku, 'name', x.name, 'unit', n.name, 'cost',
         (case when x.kind = 'resource' then x.price when coalesce(k.average, 0) > 0 or x.kind = 'product' then coalesce(k.average, 0) else x.price end)::text)), '[]'::json)
       from items x join units n on n.company_id = :company_id and n.id = x.unit_id
       left join item_costs k on k.company_id = :company_id and k.item_id = x.id
       where x.company_id = :company_id and (x.id = :item_id or x.id in (select e.item_id from edges e))
     ) as items
   from items i where i.company_id = :company_id and i.id = :item_id and i.deleted_at is null`,
)

const node = z
  .object({
    type: z.string().describe('product, material or resource.'),
    id: z.int().describe('Id of the item.'),
    sku: z.string().describe('SKU.'),
    name: z.string().describe('Name.'),
    unit: z.string().describe('Unit of measure.'),
    amount: z.number().describe('Quantity in one unit of the item of the card.'),
    cost: z.number().nullable().describe('Planned cost of one unit; null when that of a component is unknown.'),
    total: z.number().nullable().describe('amount × cost.'),
    get components() {
      return z.array(node).describe('Its own components.')
    },
  })
  .meta({ id: 'ItemTreeNode' })

const missing = 'Item not found or access denied'

export const getItemCard = read({
  path: 'items/get_card',
  api: 'app',
  role: 'worker',
  summary: 'Read what the screen of an item shows in addition to its entry.',
  notes: ['A tree with very many branches is truncated; its costs are complete.'],
  input: {
    schema: z.object({ item_id: idSchema.unwrap().describe('Id of the product, material or resource.') }),
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
          available: z.number().describe('On hand minus reserved.'),
          in_transit: z.number().describe('On its way here from another storage location; not on hand yet.'),
          total_cost: z.number().describe('amount × average cost, and the value of what is in transit.'),
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
          amount: z.number().describe('Quantity sold.'),
          total: z.number().describe('Revenue.'),
        }),
      )
      .describe(`Sold by week, the last ${shownWeeks}; without canceled sales.`),
    used_in: z
      .array(
        z.object({
          id: z.int().describe('Id of the product.'),
          name: z.string().describe('Its name.'),
          amount: z.number().describe('Quantity of the item in one unit of the product.'),
        }),
      )
      .describe('Products that contain it.'),
    tree: z.array(node).describe('Its components.'),
  }),
  refusals: ['No item_id in input', missing],
  example: {
    request: { item_id: 1 },
    response: {
      success: true,
      levels: [
        {
          storage_id: 1,
          storage_name: 'Finished goods',
          amount: 5,
          reserved: 2,
          available: 3,
          in_transit: 0,
          total_cost: 753.5,
        },
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
  query: ({ id }, { companyId }) => find({ company_id: companyId, item_id: id }),
  response: ([row], { id }) => {
    if (row === undefined) refuse(missing, { code: 'record_not_found' })
    return {
      levels: new JsonText(row.levels),
      series: new JsonText(row.series),
      weeks: new JsonText(row.weeks),
      used_in: new JsonText(row.used_in),
      tree: treeOf(id, row.items, row.edges),
    }
  },
})
