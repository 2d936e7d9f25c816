// What `include: ["shipments"]` adds to a sale in responses: its shipments, and the shipped quantity of each line.

import { z } from 'zod'
import { type LineArrays, shownItemFields } from '../documents/view.ts'
import { saleStatus } from '../kernel/document-statuses.ts'
import { named } from '../kernel/method.ts'
import {
  dateField,
  exampleOf,
  type Field,
  type Fields,
  integerField,
  jsonOf,
  membersOf,
  numberField,
  schemaOf,
  textField,
} from '../platform/lists/record-fields.ts'

const linesOfSale = 'from sale_lines o where o.company_id = :company_id and o.sale_id = d.id'
const shipmentsOfSale = 'from sale_shipments s where s.company_id = :company_id and s.sale_id = d.id'

/** Shipments are stored by item: if an item is on several lines, they are filled in order. */
const shippedField = numberField(
  `(case when d.status = ${saleStatus.shipped} then l.amount else least(l.amount, greatest(0, l.shipped - l.before)) end)`,
  'Shipped quantity. Of several lines of one item the first are filled first.',
  1,
)

/** The line fields with the shipped quantity after the quantity. */
const withShipped = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, Field][] =>
      name === 'amount'
        ? [
            [name, field],
            ['shipped', shippedField],
          ]
        : [[name, field]],
    ),
  )

/** The lines with their shipped quantities, read only if a request includes both. Lines and shipments are united rather than joined: a join of
 * thousands of both may be planned as a loop over the product. */
export const shippedLines = ({ arrays }: LineArrays): LineArrays => ({
  alias: 'shipped_lines',
  from: `(
      select w.*, sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before, sum(w.left_stock) over (partition by w.item_id) as shipped
      from (
        select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock ${linesOfSale} and :with_lines::boolean and :with_shipments::boolean
        union all
        select s.item_id, null, null, null, null, s.amount ${shipmentsOfSale} and :with_lines::boolean and :with_shipments::boolean) w) l
    join items i on i.company_id = :company_id and i.id = l.item_id
    join units n on n.company_id = :company_id and n.id = i.unit_id
    where l.position is not null`,
  arrays: Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, { ...array, fields: withShipped(array.fields) }]),
  ),
})

export const shippedLineSchema = { shipped: shippedField.schema.optional() }

const { sku, name, unit } = shownItemFields(['product', 'material'])
const goodsFields: Fields = {
  id: integerField('i.id', 'Id of the product or material.'),
  sku,
  name,
  amount: numberField('g.amount', 'Quantity.', 1),
  unit,
}

const shipmentFields: Fields = {
  shipment: integerField('p.shipment', 'Number of the shipment in the sale, from 1.'),
  date: dateField('p.date', 'Day on which the goods left, `YYYY-MM-DD`.', '2026-03-14'),
  tracking_number: textField('p.tracking_number', 'Tracking number; empty when unknown.', '00340434161094042557'),
  carrier: textField('p.carrier', 'Carrier; empty when unknown.', 'DHL'),
}

const goodsSchema = named('ShippedGoods', schemaOf(goodsFields))
const shipmentSchema = named(
  'Shipment',
  schemaOf(shipmentFields).extend({ lines: z.array(goodsSchema).describe('Its goods, by item.') }),
)

export const shipmentsSchema = { shipments: z.array(shipmentSchema).describe('Shipments, oldest first.').optional() }
export const shipmentsExample = [{ ...exampleOf(shipmentFields), lines: [exampleOf(goodsFields)] }]

// What left with the status Shipped, without a shipment of its own, is shown as one more: it has the number that orders/undo_shipment takes.
const rest = `
        select 1 + coalesce((select max(s.shipment) ${shipmentsOfSale}), 0), d.date_deducted, '', '', w.item_id, sum(w.amount)
        from (select o.item_id, o.amount ${linesOfSale} union all select s.item_id, -s.amount ${shipmentsOfSale}) w
        where d.status = ${saleStatus.shipped} and :with_shipments::boolean group by w.item_id having sum(w.amount) > 0`

/** SQL that joins the shipments as JSON text, without the brackets. */
export const joinShipments = `cross join lateral (
    select string_agg(concat('{', ${membersOf(shipmentFields)}, ',"lines":[', p.lines, ']}'), ',' order by p.shipment) as shipments from (
      select g.shipment, g.date, g.tracking_number, g.carrier, string_agg(${jsonOf(goodsFields)}, ',' order by i.name_key, i.id) as lines
      from (
        select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount ${shipmentsOfSale} and :with_shipments::boolean
        union all ${rest}) g (shipment, date, tracking_number, carrier, item_id, amount)
      join items i on i.company_id = :company_id and i.id = g.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      group by g.shipment, g.date, g.tracking_number, g.carrier) p) own_shipments`
