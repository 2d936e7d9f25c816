// The initial lines of a new document: items given in the address, such as those selected in the stock list.

import { useSearchParams } from 'react-router'
import { product } from '../decimal.ts'
import { type Line, nextKey, roundAmount } from '../kit/line.ts'
import type { StockBrowseStock } from '../methods.ts'
import { useMethod } from '../server/query.ts'
import { useMay } from '../session.tsx'

type Level = StockBrowseStock

export type NamedItem = { readonly id: number; readonly amount?: number }

const maxNamed = 200

/** The items in `?items=`: `7` or, with a quantity, `7:2.5`. */
export function useNamedItems(): readonly NamedItem[] {
  const [params] = useSearchParams()
  return (params.get('items') ?? '')
    .split(',')
    .map((one): NamedItem => {
      const [id, amount] = one.split(':').map(Number)
      return { id: id ?? 0, ...(amount !== undefined && amount > 0 ? { amount: roundAmount(amount) } : {}) }
    })
    .filter(({ id }) => Number.isInteger(id) && id > 0)
    .slice(0, maxNamed)
}

/** The inverse: the query parameter for the items with a quantity. */
export const namedAddress = (items: readonly { readonly id: number; readonly wanted: number }[]): string =>
  items
    .filter(({ wanted }) => wanted > 0)
    .map(({ id, wanted }) => `${id}:${wanted}`)
    .join(',')

/** Lines for these items; undefined while they load. */
export function useStartingLines(amountOf: (level: Level) => number = () => 1): Line[] | undefined {
  const named = useNamedItems()
  const ids = named.map(({ id }) => id)
  const levels = useMethod('stock/browse', { ids, by: 'item', limit: 200 }, { enabled: ids.length > 0 })
  if (ids.length === 0) return []
  return levels.data?.stock.map((level) => {
    const amount = named.find(({ id }) => id === level.id)?.amount ?? amountOf(level)
    const price = level.cost ?? 0
    return {
      key: nextKey(),
      type: level.type === 'products' ? 'product' : 'material',
      id: level.id,
      sku: level.sku,
      name: level.name,
      unit: level.unit,
      amount,
      price,
      total: product(price, amount, 2),
    }
  })
}

/** Lines that sell these items, at their sale price; undefined while they load. */
export function useSellingLines(): Line[] | undefined {
  const named = useNamedItems()
  const ids = named.map(({ id }) => id)
  const wanted = { enabled: ids.length > 0 }
  const products = useMethod('products/browse', { ids, limit: maxNamed }, wanted)
  const materials = useMethod('materials/browse', { ids, limit: maxNamed }, wanted)
  if (ids.length === 0) return []
  if (products.data === undefined || materials.data === undefined) return undefined
  const found = [
    ...products.data.products.map((row) => ({ ...row, type: 'product' as const })),
    ...materials.data.materials.map((row) => ({ ...row, type: 'material' as const })),
  ]
  return found.map(({ type, id, sku, name, unit, price }) => {
    const amount = named.find((one) => one.id === id)?.amount ?? 1
    return { key: nextKey(), type, id, sku, name, unit, amount, price, total: product(price, amount, 2) }
  })
}

/** Lines that buy these items, as many as are short, at the price of their supplier; undefined while they load. */
export function useBuyingLines(): { readonly lines: Line[]; readonly supplierId: number | null } | undefined {
  const named = useNamedItems()
  const ids = named.map(({ id }) => id)
  const mayBuy = useMay('manager')
  const found = useMethod('items/reorder', { ids }, { enabled: mayBuy && ids.length > 0 })
  if (ids.length === 0 || !mayBuy) return { lines: [], supplierId: null }
  if (found.data === undefined) return undefined
  const { items } = found.data
  const suppliers = new Set(items.map(({ supplier_id: id }) => id))
  return {
    lines: items.map(({ type, id, sku, name, unit, short, price }) => {
      const amount = named.find((one) => one.id === id)?.amount ?? (short > 0 ? roundAmount(short) : 1)
      return { key: nextKey(), type, id, sku, name, unit, amount, price, total: product(price, amount, 2) }
    }),
    // Only when all of them come from the same one.
    supplierId: suppliers.size === 1 ? (items[0]?.supplier_id ?? null) : null,
  }
}

/** The shortage of the available quantity against the minimum; 1 when there is none. */
export const shortOf = ({ available, min_amount: min }: Level): number => {
  const short = roundAmount((min ?? 0) - available)
  return short > 0 ? short : 1
}
