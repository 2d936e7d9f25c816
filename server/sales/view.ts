// A sale in responses: JSON text that the database builds and the server passes on unchanged.

import { z } from 'zod'
import { joinAmount } from '../documents/amount.ts'
import {
  amountField,
  ifLinesIncluded,
  joinLineArrays,
  jsonWithLines,
  linesByKind,
  shownItemFields,
} from '../documents/view.ts'
import { paymentStatusTable, saleStatusTable } from '../kernel/document-statuses.ts'
import type { Included } from '../kernel/include.ts'
import { statement } from '../kernel/statement.ts'
import { externalIdOf, recordWithExternalId, versionOf } from '../platform/lists/external-ids.ts'
import {
  allShownOf,
  dateField,
  exampleOf,
  flagField,
  integerField,
  jsonOf,
  membersOf,
  nullableText,
  numberField,
  schemaOf,
  shownOf,
  statusField,
  textField,
  timeFields,
} from '../platform/lists/record-fields.ts'
import { saleKind } from './sale.ts'
import { joinShipments, shipmentsSchema, shippedLineSchema, shippedLines } from './shipments-view.ts'

/** Selected from sales d with `saleJoins` and `joinAmount`. */
const saleFields = {
  id: integerField('d.id', 'Id of the sale.'),
  num: textField('d.num', 'Number, with the prefix.', 'A-1007'),
  status: statusField('d.status', saleStatusTable),
  payment: statusField('d.payment', paymentStatusTable),
  date_placed: dateField('d.date_placed', 'Day of the sale, `YYYY-MM-DD`.', '2026-03-12'),
  date_shipped: dateField('d.date_shipped', 'Day of shipping; empty when unset.', ''),
  subtotal: numberField('d.subtotal', 'Sum of the lines.', 498),
  delivery_price: numberField('d.delivery_price', 'Price of delivery.', 25),
  discount: numberField('d.discount', 'Discount.', 0),
  total: numberField('d.total', 'subtotal + delivery_price - discount.', 523),
  cost: numberField('d.cost', 'Cost of the goods.', 301.4),
  amount: amountField,
  lines: integerField('d.lines', 'Number of lines.'),
  production: flagField('d.production', '1 when fulfilled by made-to-order production, else 0.', 0),
  production_num: nullableText('p.num', 'Number of the linked production; null without one.'),
  source: textField(
    'd.source',
    'Source of the sale: `manual`, `api` or the name of an online-store integration.',
    'api',
  ),
  notes: textField('d.notes', 'Notes.'),
  products_storage_id: integerField('d.products_storage_id', 'Storage location of the products.'),
  products_storage_name: shownOf(['storage'], textField('ps.name', 'Its name.', 'Finished goods')),
  materials_storage_id: integerField('d.materials_storage_id', 'Storage location of the materials.', 2),
  materials_storage_name: shownOf(['storage'], textField('ms.name', 'Its name.', 'Materials')),
  customer_id: integerField('d.customer_id', 'Id of the customer.'),
  ...allShownOf(['customer'], {
    customer_name: textField(
      'u.name',
      'Current name of the customer (the fields below are current, too).',
      'Oak & Sons',
    ),
    customer_email: textField('u.email', 'E-mail.', 'orders@oak.example'),
    customer_phone: textField('u.phone', 'Phone.'),
    customer_address_real: textField('u.address_real', 'Delivery address.'),
    customer_address_legal: textField('u.address_legal', 'Legal address.'),
    customer_agreement: textField('u.agreement', 'Agreement.'),
    customer_manager_name: textField('u.manager_name', 'Manager.'),
    customer_manager_post: textField('u.manager_post', "Manager's position."),
    customer_notes: textField('u.notes', 'Notes on the customer.'),
  }),
}

const { sku, name, unit } = shownItemFields(['product', 'material'])

const lineFields = {
  id: integerField('l.item_id', 'Id of the product or material.'),
  sku,
  name,
  amount: numberField('l.amount', 'Quantity.', 2),
  unit,
  total: numberField('l.total', 'Total of the line.', 498),
  price: numberField('round(l.total / l.amount, 2)', 'total / amount.', 249),
  cost: numberField('l.cost', 'Cost of the goods of the line.', 301.4),
  position: integerField('l.position', 'Position in the sale, from 0, counted over products and materials.', 0),
}

const saleLines = linesByKind(saleKind, lineFields)

export const saleJoins = `
  join customers u on u.company_id = :company_id and u.id = d.customer_id
  join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
  join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
  left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id`

export const saleJson = jsonOf(saleFields)
export const saleSchema = schemaOf(saleFields).meta({ id: 'Sale' })
export const saleExample = exampleOf(saleFields)

export const saleWithLinesJson = jsonWithLines(saleFields, [saleLines])
export const saleWithLinesJoins = `${saleJoins} ${joinLineArrays(saleLines)}`

const lineSchema = schemaOf(lineFields).extend(shippedLineSchema).meta({ id: 'SaleLine' })

export const saleWithLinesSchema = saleSchema
  .extend({
    products: z.array(lineSchema).describe('Product lines.'),
    materials: z.array(lineSchema).describe('Material lines.'),
  })
  .meta({ id: 'SaleWithLines' })

export const saleWithLinesExample = { ...saleExample, products: [exampleOf(lineFields)], materials: [] }

/** What `include: ["meta"]` adds to a sale. */
const metaFields = {
  external_id: nullableText(
    externalIdOf('sale', 'd.id'),
    'The id that your API connection gave to the sale, else null.',
  ),
  ...timeFields('d'),
  version: integerField(
    versionOf('sale', 'd.id'),
    'Changes with every change of the sale. May be sent with an edit.',
    17,
  ),
}

/** What `include: ["addresses"]` adds to a sale. */
export const addressFields = {
  billing_address: textField('coalesce(d.billing_address, u.address_legal)', 'Billing address of this sale.'),
  delivery_address: textField('coalesce(d.delivery_address, u.address_real)', 'Delivery address of this sale.'),
}

/** Which parts of a sale are shown in addition to its fields: parameters of the statements below, null for not. */
export const shownMeanings = {
  lines: 'the lines (get_entry always has them).',
  meta: 'external id, times and version.',
  shipments: 'the shipments, and `shipped` in each line that is returned.',
  addresses: 'the billing and delivery address of the sale, which it keeps when the customer changes.',
}
export type Shown = Included<keyof typeof shownMeanings>

/** The lines come from one of two joins, of which the other has none. */
const linesOfBoth = ifLinesIncluded(saleLines)
const plainLines = {
  ...linesOfBoth,
  from: `${linesOfBoth.from} and :with_shipments::boolean is null`,
}
const linesWithShipped = shippedLines(saleLines)
const shownArrays = Object.keys(saleLines.arrays)
  .map((name) => `',"${name}":[', ${plainLines.alias}.${name}, ${linesWithShipped.alias}.${name}, ']'`)
  .join(', ')

/** The JSON text and the joins of a sale with the parts that a request includes. */
export const shownSaleJson = `concat('{', ${membersOf(saleFields)},
    case when :with_lines::boolean then concat(${shownArrays}) end,
    case when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']') end,
    case when :with_addresses::boolean then concat(',', ${membersOf(addressFields)}) end,
    case when :with_meta::boolean then concat(',', ${membersOf(metaFields)}) end, '}')`
export const shownSaleJoins = `${saleJoins} ${joinLineArrays(plainLines)} ${joinLineArrays(linesWithShipped)} ${joinShipments}`

const includedSchema = {
  ...schemaOf(metaFields).partial().shape,
  ...schemaOf(addressFields).partial().shape,
  ...shipmentsSchema,
}
const lineArraysSchema = {
  products: z.array(lineSchema).describe('Product lines.'),
  materials: z.array(lineSchema).describe('Material lines.'),
}
export const listedSaleSchema = saleSchema
  .extend(z.object(lineArraysSchema).partial().shape)
  .extend(includedSchema)
  .meta({ id: 'ListedSale' })
export const shownSaleSchema = saleWithLinesSchema.extend(includedSchema).meta({ id: 'ShownSale' })

/** A sale by its id or, when that is null, by its external id, with its lines and, if wanted, the rest. */
export const findShownSale = statement<
  { record: string },
  Shown & {
    readonly company_id: number
    readonly connection_id: number
    readonly id: number | null
    readonly external_id: string | null
  }
>(
  'sales.find_shown',
  `select ${shownSaleJson} as record from sales d ${shownSaleJoins} ${joinAmount(saleKind)}
   where d.company_id = :company_id and d.id = coalesce(:id::bigint, ${recordWithExternalId('sale', ':external_id::text')})`,
)

export const findSale = statement<{ record: string }, { readonly company_id: number; readonly id: number }>(
  'sales.find',
  `select ${saleWithLinesJson} as record from sales d ${saleWithLinesJoins} ${joinAmount(saleKind)} where d.company_id = :company_id and d.id = :id`,
)
