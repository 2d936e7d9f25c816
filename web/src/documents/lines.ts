// Lines of a saved document as the grid edits them, and as the methods take them.

import { type Line, nextKey } from '../kit/line.ts'

type SavedLine = {
  readonly id: number
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly amount: number
  readonly position: number
  /** Absent where there is no money, and for workers. */
  readonly total?: number | undefined
}
type Saved = { readonly products: readonly SavedLine[]; readonly materials: readonly SavedLine[] }

/** Keys follow the positions: the same lines read again are the same lines. */
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

/** Lines of a copy are lines of their own. */
export const copied = (lines: readonly Line[]): Line[] => lines.map((line) => ({ ...line, key: nextKey() }))

const ofType = (lines: readonly Line[], type: Line['type']): Line[] => lines.filter((line) => line.type === type)
const plain = ({ id, amount }: Line) => ({ id, amount })
const priced = ({ id, amount, total }: Line) => ({ id, amount, total })

export const plainInput = (lines: readonly Line[]) => ({
  products: ofType(lines, 'product').map(plain),
  materials: ofType(lines, 'material').map(plain),
})

export const pricedInput = (lines: readonly Line[]) => ({
  products: ofType(lines, 'product').map(priced),
  materials: ofType(lines, 'material').map(priced),
})

/** A field that is empty is not sent: it was never set. */
export const sent = <T extends Readonly<Record<string, string>>>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<T>
