// A purchase as form values, and as input of the methods.

import { rounded } from '../decimal.ts'
import { chargesInput, copied, linesOf, pricedInput, sent } from '../documents/lines.ts'
import type { Line } from '../kit/line.ts'
import type { Output } from '../server/call.ts'
import type { Session } from '../session.tsx'
import { purchaseStatus } from '../statuses.ts'

export type PurchaseCard = Output<'purchases/get_card'>
type Saved = PurchaseCard['purchase']

export type PurchaseValues = {
  num: string
  supplier_id: number | null
  date_placed: string
  date_received: string
  products_storage_id: number | null
  materials_storage_id: number | null
  delivery_price: number
  discount: number
  notes: string
  lines: Line[]
}

export const valuesOf = (purchase: Saved): PurchaseValues => ({
  num: purchase.num,
  supplier_id: purchase.supplier_id,
  date_placed: purchase.date_placed,
  date_received: purchase.date_received,
  products_storage_id: purchase.products_storage_id,
  materials_storage_id: purchase.materials_storage_id,
  delivery_price: purchase.delivery_price ?? 0,
  discount: purchase.discount ?? 0,
  notes: purchase.notes,
  lines: linesOf(purchase),
})

export const newValues = ({ settings, today }: Session, lines: Line[]): PurchaseValues => ({
  num: '',
  supplier_id: null,
  date_placed: today,
  date_received: '',
  products_storage_id: settings.products_storage_id,
  materials_storage_id: settings.materials_storage_id,
  delivery_price: 0,
  discount: 0,
  notes: '',
  lines,
})

/** A copy is a new order: dated today, with the next number. */
export const copyOf = (purchase: Saved, session: Session): PurchaseValues => {
  const { num: _num, date_placed: _placed, date_received: _received, ...same } = valuesOf(purchase)
  return { ...newValues(session, []), ...same, lines: copied(same.lines) }
}

export function inputOf(values: PurchaseValues) {
  const { num, supplier_id: supplier, date_placed: placed, date_received: received, ...rest } = values
  const { products_storage_id: products, materials_storage_id: materials, lines, ...same } = rest
  return {
    ...same,
    ...chargesInput(values),
    ...sent({ num: num.trim(), date_placed: placed, date_received: received }),
    ...(supplier === null ? {} : { supplier_id: supplier }),
    ...(products === null ? {} : { products_storage_id: products }),
    ...(materials === null ? {} : { materials_storage_id: materials }),
    ...pricedInput(lines),
  }
}

/** The received and outstanding quantity of each item; lines of one item share it. */
export function receivedOf({ purchase, receipts }: PurchaseCard): Map<number, { received: number; left: number }> {
  const known = new Map<number, { received: number; left: number }>()
  const isDone = purchase.status === purchaseStatus.received
  for (const { id, amount } of [...purchase.products, ...purchase.materials]) {
    const one = known.get(id) ?? { received: 0, left: 0 }
    known.set(id, isDone ? { received: one.received + amount, left: 0 } : { ...one, left: one.left + amount })
  }
  if (!isDone)
    for (const { id, amount } of receipts.flatMap(({ lines }) => lines)) {
      const one = known.get(id)
      if (one) known.set(id, { received: round(one.received + amount), left: round(one.left - amount) })
    }
  return known
}

const round = (value: number): number => rounded(value, 3)
