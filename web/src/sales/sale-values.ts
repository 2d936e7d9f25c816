// A sale being edited: the form values, and the input derived from them.

import { sum } from '../decimal.ts'
import { chargesInput, lineOf, pricedEssence, pricedInput } from '../documents/lines.ts'
import type { Line } from '../kit/line.ts'
import { subtotalOf } from '../kit/line.ts'
import type { Input, Output } from '../server/call.ts'

export type SaleCard = Output<'orders/get_card'>

export type SaleValues = {
  num: string
  customer_id: number | null
  date_placed: string
  date_shipped: string
  products_storage_id: number | null
  materials_storage_id: number | null
  production: boolean
  delivery_price: number
  discount: number
  notes: string
  billing_address: string
  delivery_address: string
  lines: readonly Line[]
}

/** Money is absent from responses to workers. */
export function valuesOf({ order: sale, addresses, lines }: SaleCard): SaleValues {
  return {
    num: sale.num,
    customer_id: sale.customer_id,
    date_placed: sale.date_placed,
    date_shipped: sale.date_shipped,
    products_storage_id: sale.products_storage_id,
    materials_storage_id: sale.materials_storage_id,
    production: sale.production === 1,
    delivery_price: sale.delivery_price ?? 0,
    discount: sale.discount ?? 0,
    notes: sale.notes,
    ...addresses,
    lines: lines.map((line) => ({ ...lineOf(line.type, line), unitCost: line.cost / line.amount })),
  }
}

export function newValues({ today, settings }: Output<'session/get'>): SaleValues {
  return {
    num: '',
    customer_id: null,
    date_placed: today,
    date_shipped: '',
    products_storage_id: settings.products_storage_id,
    materials_storage_id: settings.materials_storage_id,
    production: settings.default_fulfillment === 'production',
    delivery_price: 0,
    discount: 0,
    notes: '',
    // Taken from the customer.
    billing_address: '',
    delivery_address: '',
    lines: [],
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type Edit = Omit<Input<'orders/edit'>, 'order_id'>

/** Only the differences: untouched fields keep what another user may have set in the meantime. */
export function changesOf(values: SaleValues, saved: SaleValues): Edit {
  const { lines, production, ...fields } = values
  const changed = Object.entries({ ...fields, ...chargesInput(values) }).filter(
    ([name]) => !isSame(values[name as keyof SaleValues], saved[name as keyof SaleValues]),
  )
  return {
    ...(Object.fromEntries(changed) as Edit),
    ...(production === saved.production ? {} : { production: production ? 1 : 0 }),
    ...(isSame(pricedEssence(lines), pricedEssence(saved.lines)) ? {} : pricedInput(lines)),
  }
}

/** Whether a saved change moves goods that were already shipped. */
export const movesGoods = (changes: Edit): boolean =>
  ['products', 'materials', 'products_storage_id', 'materials_storage_id', 'date_shipped'].some(
    (field) => field in changes,
  )

export function sumsOf({ lines, delivery_price, discount }: SaleValues): {
  subtotal: number
  total: number
} {
  const subtotal = subtotalOf(lines)
  return { subtotal, total: sum([subtotal, delivery_price, -discount], 2) }
}
