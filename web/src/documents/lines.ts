// The lines of a saved document as values of the grid and as input of the methods.

import { decimalText } from '../decimal.ts'
import { type Line, nextKey } from '../kit/line.ts'

type SavedLine = {
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly amount: number
  readonly position: number
  /** Absent in documents without money, and for workers. */
  readonly total?: number | undefined
}
type Saved = { readonly products: readonly SavedLine[]; readonly materials: readonly SavedLine[] }

/** Keys follow the positions, so that lines keep their keys when they are loaded again. */
export function linesOf({ products, materials }: Saved): Line[] {
  const line = (type: Line['type']) => (saved: SavedLine) => ({ at: saved.position, line: lineOf(type, saved) })
  return [...products.map(line('product')), ...materials.map(line('material'))]
    .toSorted((one, other) => one.at - other.at)
    .map(({ line: one }) => one)
}

export function lineOf(type: Line['type'], saved: Omit<SavedLine, 'position'> & { position?: number }): Line {
  const { id, sku, name, unit, amount, total = 0, position } = saved
  const key = position === undefined ? nextKey() : -1 - position
  return { key, type, id, sku, name, unit, amount, price: amount === 0 ? 0 : total / amount, total }
}

/** The lines of a copy get their own keys. */
export const copied = (lines: readonly Line[]): Line[] => lines.map((line) => ({ ...line, key: nextKey() }))

const ofType = (lines: readonly Line[], type: Line['type']): Line[] => lines.filter((line) => line.type === type)
/** Numbers are sent as digits. */
export const plain = ({ id, amount }: Pick<Line, 'id' | 'amount'>) => ({ id, amount: decimalText(amount) })
const priced = ({ id, amount, total }: Line) => ({ id, amount: decimalText(amount), total: decimalText(total) })

/** What `pricedInput` sends, to be compared after every key: with numbers, since writing their digits takes long for 500 lines. */
export const pricedEssence = (lines: readonly Line[]) =>
  (['product', 'material'] as const).map((type) =>
    ofType(lines, type).map(({ id, amount, total }) => [id, amount, total]),
  )

export const plainInput = (lines: readonly Line[]) => ({
  products: ofType(lines, 'product').map(plain),
  materials: ofType(lines, 'material').map(plain),
})

export const pricedInput = (lines: readonly Line[]) => ({
  products: ofType(lines, 'product').map(priced),
  materials: ofType(lines, 'material').map(priced),
})

/** Delivery and discount as input of the methods. */
export const chargesInput = (values: { readonly delivery_price: number; readonly discount: number }) => ({
  delivery_price: decimalText(values.delivery_price),
  discount: decimalText(values.discount),
})

/** An empty field is not sent: it was never set. */
export const sent = <T extends Readonly<Record<string, string>>>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<T>
