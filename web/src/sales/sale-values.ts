// A sale while it is edited: what the form holds, and what of it is sent.

import { lineOf, pricedInput } from '../documents/lines.ts'
import type { Line } from '../kit/line.ts'
import { roundMoney, subtotalOf } from '../kit/line.ts'
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
  lines: readonly Line[]
}

/** Money is absent from what a worker is sent. */
export function valuesOf({ order, lines }: SaleCard): SaleValues {
  return {
    num: order.num,
    customer_id: order.customer_id,
    date_placed: order.date_placed,
    date_shipped: order.date_shipped,
    products_storage_id: order.products_storage_id,
    materials_storage_id: order.materials_storage_id,
    production: order.production === 1,
    delivery_price: order.delivery_price ?? 0,
    discount: order.discount ?? 0,
    notes: order.notes,
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
    lines: [],
  }
}

/** What of the lines is saved; their keys and what is known about their stock are not. */
export const linesEssence = (lines: readonly Line[]): unknown => pricedInput(lines)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type Edit = Omit<Input<'orders/edit'>, 'order_id'>

/** Only what differs: fields that nobody touched stay as somebody else may have set them meanwhile. */
export function changesOf(values: SaleValues, saved: SaleValues): Edit {
  const { lines, production, ...fields } = values
  const changed = Object.entries(fields).filter(([name, value]) => !isSame(value, saved[name as keyof SaleValues]))
  return {
    ...(Object.fromEntries(changed) as Edit),
    ...(production === saved.production ? {} : { production: production ? 1 : 0 }),
    ...(isSame(linesEssence(lines), linesEssence(saved.lines)) ? {} : pricedInput(lines)),
  }
}

/** Whether a saved change moves goods that have left already. */
export const movesGoods = (changes: Edit): boolean =>
  ['products', 'materials', 'products_storage_id', 'materials_storage_id', 'date_shipped'].some(
    (field) => field in changes,
  )

export function sumsOf({ lines, delivery_price, discount }: SaleValues): {
  subtotal: number
  total: number
  cost: number
} {
  const subtotal = subtotalOf(lines)
  const cost = lines.reduce((sum, line) => sum + roundMoney((line.unitCost ?? 0) * line.amount), 0)
  return { subtotal, total: roundMoney(subtotal + delivery_price - discount), cost: roundMoney(cost) }
}

/** The number after the last one: its digits at the end count on, with as many zeros as they had. */
export function numberAfter(last: string | undefined): string {
  const digits = /\d+$/.exec(last ?? '')?.[0]
  if (last === undefined || digits === undefined) return last ? `${last}-2` : '1'
  return last.slice(0, -digits.length) + String(BigInt(digits) + 1n).padStart(digits.length, '0')
}
