// Reading one sale with its lines.

import { z } from 'zod'
import { requiredId } from '../../kernel/field.ts'
import { JsonText, read } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { orderIdOnWire } from '../input.ts'
import { findSale } from '../reads.ts'
import { saleWithLinesOnWire } from '../view.ts'

export const getEntry = read({
  path: 'orders/get_entry',
  summary: 'Read one sale with its lines.',
  notes: ['The lines can be sent back to `orders/edit` as they are; fields that it does not know are ignored.'],
  input: {
    wire: z.object({ order_id: orderIdOnWire }),
    read: (raw) => ({ orderId: requiredId(raw, 'order_id') }),
  },
  output: z.object({ order: saleWithLinesOnWire.describe('The sale with its lines.') }),
  refusals: ['No order_id in input', 'Order not found or access denied'],
  example: {
    request: { order_id: 1 },
    response: {
      success: true,
      order: {
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
      },
    },
  },
  query: (input, { companyId }) => findSale(companyId, input.orderId),
  answer: ([row]) => ({ order: new JsonText(row?.sale ?? refuse('Order not found or access denied')) }),
})
