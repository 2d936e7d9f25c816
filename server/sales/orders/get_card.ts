// The card of one sale: its lines with their stock, its shipments, its stock movements, and the requests that changed it.

import { z } from 'zod'
import { type CardField, documentCard, partsField } from '../../documents/card.ts'
import { closedSales, productionStatusTable, saleStatus } from '../../kernel/document-statuses.ts'
import { describeStatuses } from '../../kernel/status.ts'
import { exampleOf, jsonOf, schemaOf } from '../../platform/lists/record-fields.ts'
import { array, integer, nullable, number, object, text, time } from '../../platform/postgres/json-sql.ts'
import { waitingCtes } from '../availability.ts'
import { saleKind } from '../sale.ts'
import { shownTax, taxSchema } from '../tax-view.ts'
import {
  addressFields,
  saleWithLinesExample,
  saleWithLinesJoins,
  saleWithLinesJson,
  saleWithLinesSchema,
} from '../view.ts'

// Shipments are stored by item: if an item is on several lines, they are filled in order.
const shippedFirst = `case when d.status = ${saleStatus.shipped} then l.amount else least(l.amount, greatest(0, coalesce(h.amount, 0) - l.before)) end`
const left = `case when d.status in (${closedSales}) then 0 else l.amount - ${shippedFirst} end`
const mark = `case
  when ${left} <= 0 then null
  when l.item_id in (select w.item_id from own_waiting w where w.is_missing) then 'missing'
  when l.item_id in (select w.item_id from own_waiting w) then 'expected'
  else 'in_stock' end`

const lines: CardField = {
  json: array(
    object([
      ['type', text('i.kind')],
      ['id', integer('l.item_id')],
      ['sku', text('i.sku')],
      ['name', text('i.name')],
      ['unit', text('n.name')],
      ['position', integer('l.position')],
      ['amount', number('l.amount')],
      ['price', number('round(l.total / l.amount, 2)')],
      ['total', number('l.total')],
      ['cost', number('l.cost')],
      ['shipped', number(`(${shippedFirst})`)],
      ['left', number(`(${left})`)],
      ['on_hand', number('coalesce(v.on_hand, 0)')],
      ['reserved', number('coalesce(v.reserved, 0)')],
      ['available', number('coalesce(v.on_hand - v.reserved, 0)')],
      ['expected', number('coalesce(x.amount, 0)')],
      ['mark', nullable(text(`(${mark})`))],
    ]),
    `from (
       select o.item_id, o.position, o.amount, o.total, o.cost, sum(o.amount) over (partition by o.item_id order by o.position) - o.amount as before
       from sale_lines o where o.company_id = :company_id and o.sale_id = d.id) l
     join items i on i.company_id = :company_id and i.id = l.item_id
     join units n on n.company_id = :company_id and n.id = i.unit_id
     left join (
       select s.item_id, sum(s.amount) as amount from sale_shipments s where s.company_id = :company_id and s.sale_id = d.id group by s.item_id) h
       on h.item_id = l.item_id
     left join stock_levels v on v.company_id = :company_id and v.item_id = l.item_id
       and v.storage_id = case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end
     left join expected x on x.item_id = l.item_id
       and x.storage_id = case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end`,
    'l.position',
  ),
  schema: z
    .array(
      z.object({
        type: z.enum(['product', 'material']).describe('Kind of the item.'),
        id: z.int().describe('Id of the item.'),
        sku: z.string().describe('SKU.'),
        name: z.string().describe('Name.'),
        unit: z.string().describe('Unit of measure.'),
        position: z.int().describe('Position in the sale, from 0.'),
        amount: z.number().describe('Quantity.'),
        price: z.number().describe('total / amount.'),
        total: z.number().describe('Total of the line.'),
        cost: z.number().describe('Cost of the goods of the line.'),
        shipped: z.number().describe('Shipped quantity.'),
        left: z.number().describe('Quantity still to be shipped.'),
        on_hand: z.number().describe("On hand at the sale's storage location."),
        reserved: z.number().describe('Reserved there, including this sale.'),
        available: z.number().describe('on_hand - reserved.'),
        expected: z.number().describe('Expected there: ordered but not received, or planned but not made.'),
        mark: z
          .enum(['in_stock', 'expected', 'missing'])
          .nullable()
          .describe('Whether the rest can be shipped; null when nothing remains.'),
      }),
    )
    .describe('The lines with their stock.'),
  example: [
    {
      type: 'product',
      id: 1,
      sku: 'TABLE-1',
      name: 'Oak table',
      unit: 'pcs',
      position: 0,
      amount: 2,
      price: 249,
      total: 498,
      cost: 301.4,
      shipped: 0,
      left: 2,
      on_hand: 5,
      reserved: 2,
      available: 3,
      expected: 0,
      mark: 'in_stock',
    },
  ],
}

const productions: CardField = {
  json: array(
    object([
      ['id', integer('q.id')],
      ['num', text('q.num')],
      ['status', integer('q.status')],
    ]),
    'from productions q where q.company_id = :company_id and q.sale_id = d.id',
    'q.id',
  ),
  schema: z
    .array(
      z.object({
        id: z.int().describe('Id of the production.'),
        num: z.string().describe('Its number.'),
        status: z.int().describe(describeStatuses(productionStatusTable)),
      }),
    )
    .describe('Productions made for the sale.'),
  example: [],
}

const addresses: CardField = {
  json: jsonOf(addressFields),
  schema: schemaOf(addressFields).describe('The addresses of the sale.'),
  example: exampleOf(addressFields),
}

const tax: CardField = {
  json: nullable(`(${shownTax})::text`),
  schema: taxSchema.nullable().describe('The tax of the sale; null when the company charged none.'),
  example: null,
}

const skipped: CardField = {
  json: nullable(
    text(`(
      select string_agg(o.line, e'\\n' order by o.place) from regexp_split_to_table(d.notes, '\\n') with ordinality as o (line, place)
      where o.line like 'Product not found: %' or o.line like 'Material not found: %')`),
  ),
  schema: z
    .string()
    .nullable()
    .describe('The sentences of the notes about lines that were left out because their item was not found, or null.'),
  example: null,
}

// The request log is written asynchronously and kept for a limited time; if it has no entry, the event shows that the request succeeded.
const requests: CardField = {
  json: array(
    object([
      ['request_id', text('e.request_id')],
      ['at', time('e.at')],
      ['method', text('e.method')],
      ['status', integer('coalesce(r.status, 200)')],
    ]),
    `from events e
     left join lateral (
       select o.status from request_log o where o.company_id = :company_id and o.request_id = e.request_id
         and o.at between e.at - interval '1 minute' and e.at + interval '1 minute' limit 1) r on true
     where e.company_id = :company_id and e.record = 'sale' and e.record_id = d.id`,
    'e.seq desc',
  ),
  schema: z
    .array(
      z.object({
        request_id: z.string().describe('Id of the request.'),
        at: z.string().describe('Time of the request, ISO 8601 in UTC.'),
        method: z.string().describe('Method.'),
        status: z.int().describe('HTTP status of the response.'),
      }),
    )
    .describe('Requests that changed the sale, newest first.'),
  example: [
    { request_id: 'req_Y1RqJQJTGo0zUjfC', at: '2026-03-12T09:30:00.000000Z', method: 'orders/add', status: 200 },
  ],
}

export const getCard = documentCard({
  kind: saleKind,
  record: 'sale',
  json: saleWithLinesJson,
  joins: saleWithLinesJoins,
  schema: saleWithLinesSchema,
  example: saleWithLinesExample,
  ctes: [
    ...waitingCtes('select l.item_id from sale_lines l where l.company_id = :company_id and l.sale_id = :document_id'),
    'own_waiting as materialized (select w.item_id, w.is_missing from waiting w where w.sale_id = :document_id)',
  ],
  fields: {
    lines,
    shipments: partsField('sale_shipments', 'sale_id', 'shipment', 'Shipped goods by shipment.'),
    productions,
    addresses,
    tax,
    skipped,
    requests,
  },
})
