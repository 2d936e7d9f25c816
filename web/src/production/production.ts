// A production as form values, and as input of the methods.

import { copied, lineOf, plain, sent } from '../documents/lines.ts'
import type { Line } from '../kit/line.ts'
import type { Output } from '../server/call.ts'
import type { Session } from '../session.tsx'

export type ProductionCard = Output<'productions/get_card'>

export type ProductionValues = {
  num: string
  order_id: number | null
  date_placed: string
  date_planned: string
  date_done: string
  products_storage_id: number | null
  materials_storage_id: number | null
  notes: string
  lines: Line[]
  uses: Line[]
}

/** The materials used have no kind in the response; it is taken from other data on the card where possible. */
const kindsOf = ({ missing, effect }: ProductionCard): Map<number, string> =>
  new Map([...missing, ...effect].map(({ item_id: id, type }) => [id, type]))

/** Keys of resources continue after those of materials. */
const afterMaterials = 10_000

export function valuesOf(card: ProductionCard): ProductionValues {
  const { production } = card
  const kinds = kindsOf(card)
  return {
    num: production.num,
    order_id: production.order_id,
    date_placed: production.date_placed,
    date_planned: production.date_planned,
    date_done: production.date_done,
    products_storage_id: production.products_storage_id,
    materials_storage_id: production.materials_storage_id,
    notes: production.notes,
    lines: production.products.map((line) => lineOf('product', line)),
    uses: [
      ...production.materials.map((line) => lineOf(kinds.get(line.id) === 'product' ? 'product' : 'material', line)),
      ...production.resources.map((line) =>
        lineOf('resource', { ...line, sku: '', position: line.position + afterMaterials }),
      ),
    ],
  }
}

export const newValues = ({ settings, today }: Session, lines: Line[]): ProductionValues => ({
  num: '',
  order_id: null,
  date_placed: today,
  date_planned: '',
  date_done: '',
  products_storage_id: settings.products_storage_id,
  materials_storage_id: settings.materials_storage_id,
  notes: '',
  lines: lines.filter(({ type }) => type === 'product'),
  uses: [],
})

/** A copy is planned anew, from the current components. */
export const copyOf = (card: ProductionCard, session: Session): ProductionValues => ({
  ...newValues(session, copied(valuesOf(card).lines)),
  products_storage_id: card.production.products_storage_id,
  materials_storage_id: card.production.materials_storage_id,
  notes: card.production.notes,
})

export const essenceOf = (lines: readonly Line[]) => lines.map(({ id, amount }) => [id, amount])
const isSame = (one: readonly Line[], other: readonly Line[]): boolean =>
  JSON.stringify(essenceOf(one)) === JSON.stringify(essenceOf(other))

/** Lines and use are sent only when changed: otherwise they follow the sale and the components. */
export function inputOf(values: ProductionValues, saved: ProductionValues) {
  const { num, order_id: saleId, products_storage_id: products, materials_storage_id: materials, notes } = values
  const { date_placed, date_planned, date_done, lines, uses } = values
  return {
    notes,
    ...sent({ num: num.trim(), date_placed, date_planned, date_done }),
    ...(products === null ? {} : { products_storage_id: products }),
    ...(materials === null ? {} : { materials_storage_id: materials }),
    ...(saleId === saved.order_id ? {} : { order_id: saleId ?? 0 }),
    ...(isSame(lines, saved.lines) ? {} : { products: lines.map(plain) }),
    ...(isSame(uses, saved.uses) ? {} : usedInput(uses)),
  }
}

const usedInput = (uses: readonly Line[]) => ({
  materials: uses
    .filter(({ type }) => type !== 'resource')
    .map((line) => ({ ...plain(line), type: line.type as 'material' | 'product' })),
  resources: uses.filter(({ type }) => type === 'resource').map(plain),
})

/** Whether a used line is sent in this array: products are sent among the materials. */
export const isUsedIn = ({ type }: { readonly type: string }, array: string): boolean =>
  array === (type === 'resource' ? 'resources' : 'materials')

/** The cost of each line, by its key; nothing for lines just added. */
export function costsOf({ production }: ProductionCard): Map<number, number> {
  const of = (lines: readonly { position: number; cost: number }[], from: number) =>
    lines.map(({ position, cost }) => [-1 - position - from, cost] as const)
  return new Map([...of(production.materials, 0), ...of(production.resources, afterMaterials)])
}
