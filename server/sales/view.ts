// A sale in responses: JSON text that the database builds and the server passes on unchanged.

import { z } from 'zod'
import { joinAmount } from '../documents/amount.ts'
import { statement } from '../kernel/statement.ts'
import {
  array,
  day,
  flag,
  integer,
  members,
  nullable,
  number,
  object,
  type Shape,
  text,
} from '../platform/postgres/json-sql.ts'
import { saleKind } from './sale.ts'

/** The fields of a sale in their order, selected from sales d with `saleJoins` and `joinAmount`. */
const saleFields: Shape = [
  ['id', integer('d.id')],
  ['num', text('d.num')],
  ['status', integer('d.status')],
  ['payment', integer('d.payment')],
  ['date_placed', day('d.date_placed')],
  ['date_shipped', day('d.date_shipped')],
  ['subtotal', number('d.subtotal')],
  ['delivery_price', number('d.delivery_price')],
  ['discount', number('d.discount')],
  ['total', number('d.total')],
  ['cost', number('d.cost')],
  ['amount', nullable(number('shared.amount'))],
  ['lines', integer('d.lines')],
  ['production', flag('d.production')],
  ['production_num', nullable(text('p.num'))],
  ['source', text('d.source')],
  ['notes', text('d.notes')],
  ['products_storage_id', integer('d.products_storage_id')],
  ['products_storage_name', text('ps.name')],
  ['materials_storage_id', integer('d.materials_storage_id')],
  ['materials_storage_name', text('ms.name')],
  ['customer_id', integer('d.customer_id')],
  ['customer_name', text('u.name')],
  ['customer_email', text('u.email')],
  ['customer_phone', text('u.phone')],
  ['customer_address_real', text('u.address_real')],
  ['customer_address_legal', text('u.address_legal')],
  ['customer_agreement', text('u.agreement')],
  ['customer_manager_name', text('u.manager_name')],
  ['customer_manager_post', text('u.manager_post')],
  ['customer_notes', text('u.notes')],
]

const lineFields: Shape = [
  ['id', integer('l.item_id')],
  ['sku', text('i.sku')],
  ['name', text('i.name')],
  ['amount', number('l.amount')],
  ['unit', text('n.name')],
  ['total', number('l.total')],
  ['price', number('round(l.total / l.amount, 2)')],
  ['cost', number('l.cost')],
  ['position', integer('l.position')],
]

const linesJson = (kind: string): string =>
  array(
    object(lineFields),
    `from sale_lines l
     join items i on i.company_id = :company_id and i.id = l.item_id
     join units n on n.company_id = :company_id and n.id = i.unit_id
     where l.company_id = :company_id and l.sale_id = d.id and i.kind = '${kind}'`,
    'l.position',
  )

export const saleJoins = `
  join customers u on u.company_id = :company_id and u.id = d.customer_id
  join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
  join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
  left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id`

export const saleJson = object(saleFields)

export const saleWithLinesJson = `'{' || ${members(saleFields)}
  || ',"products":' || ${linesJson('product')} || ',"materials":' || ${linesJson('material')} || '}'`

export const saleSchema = z
  .object({
    id: z.int().describe('Id of the sale.'),
    num: z.string().describe('Number, with the prefix.'),
    status: z.int().describe('0 New, 1 Packed, 2 Partially shipped, 3 Shipped, 4 Canceled.'),
    payment: z.int().describe('0 Unpaid, 1 Partially paid, 2 Paid.'),
    date_placed: z.string().describe('Day of the sale, `YYYY-MM-DD`.'),
    date_shipped: z.string().describe('Day of shipping; empty when unset.'),
    subtotal: z.number().describe('Sum of the lines.'),
    delivery_price: z.number().describe('Price of delivery.'),
    discount: z.number().describe('Discount.'),
    total: z.number().describe('subtotal + delivery_price - discount.'),
    cost: z.number().describe('Cost of the goods.'),
    amount: z.number().nullable().describe('Total quantity when all lines share one unit of measure, else null.'),
    lines: z.int().describe('Number of lines.'),
    production: z.int().describe('1 when fulfilled by made-to-order production, else 0.'),
    production_num: z.string().nullable().describe('Number of the linked production; null without one.'),
    source: z.string().describe('Source of the sale: `manual`, `api` or the name of an online-store integration.'),
    notes: z.string().describe('Notes.'),
    products_storage_id: z.int().describe('Storage location of the products.'),
    products_storage_name: z.string().describe('Its name.'),
    materials_storage_id: z.int().describe('Storage location of the materials.'),
    materials_storage_name: z.string().describe('Its name.'),
    customer_id: z.int().describe('Id of the customer.'),
    customer_name: z.string().describe('Current name of the customer (the fields below are current, too).'),
    customer_email: z.string().describe('E-mail.'),
    customer_phone: z.string().describe('Phone.'),
    customer_address_real: z.string().describe('Delivery address.'),
    customer_address_legal: z.string().describe('Legal address.'),
    customer_agreement: z.string().describe('Agreement.'),
    customer_manager_name: z.string().describe('Manager.'),
    customer_manager_post: z.string().describe("Manager's position."),
    customer_notes: z.string().describe('Notes on the customer.'),
  })
  .meta({ id: 'Sale' })

const lineSchema = z
  .object({
    id: z.int().describe('Id of the product or material.'),
    sku: z.string().describe('SKU.'),
    name: z.string().describe('Name.'),
    amount: z.number().describe('Quantity.'),
    unit: z.string().describe('Unit of measure.'),
    total: z.number().describe('Total of the line.'),
    price: z.number().describe('total / amount.'),
    cost: z.number().describe('Cost of the goods of the line.'),
    position: z.int().describe('Position in the sale, from 0, counted over products and materials.'),
  })
  .meta({ id: 'SaleLine' })

export const saleWithLinesSchema = saleSchema
  .extend({
    products: z.array(lineSchema).describe('Product lines.'),
    materials: z.array(lineSchema).describe('Material lines.'),
  })
  .meta({ id: 'SaleWithLines' })

export const findSale = statement<{ record: string }, { readonly company_id: number; readonly id: number }>(
  'sales.find',
  `select ${saleWithLinesJson} as record from sales d ${saleJoins} ${joinAmount(saleKind)} where d.company_id = :company_id and d.id = :id`,
)

export const saleExample = {
  id: 1,
  num: 'A-1007',
  status: 0,
  payment: 0,
  date_placed: '2026-03-12',
  date_shipped: '',
  subtotal: 498,
  delivery_price: 25,
  discount: 0,
  total: 523,
  cost: 301.4,
  amount: 2,
  lines: 1,
  production: 0,
  production_num: null,
  source: 'api',
  notes: '',
  products_storage_id: 1,
  products_storage_name: 'Finished goods',
  materials_storage_id: 2,
  materials_storage_name: 'Materials',
  customer_id: 1,
  customer_name: 'Oak & Sons',
  customer_email: 'orders@oak.example',
  customer_phone: '',
  customer_address_real: '',
  customer_address_legal: '',
  customer_agreement: '',
  customer_manager_name: '',
  customer_manager_post: '',
  customer_notes: '',
}

export const saleWithLinesExample = {
  ...saleExample,
  products: [
    {
      id: 1,
      sku: 'TABLE-1',
      name: 'Oak table',
      amount: 2,
      unit: 'pcs',
      total: 498,
      price: 249,
      cost: 301.4,
      position: 0,
    },
  ],
  materials: [],
}
