// The items of a count sheet: those with recorded stock at the location, counted ones, and additional ones found there.

import { useMemo } from 'react'
import type { ItemsSearchItems, StockBrowseStock } from '../methods.ts'
import type { Output } from '../server/call.ts'
import { countedLines } from './audit.ts'
import type { SheetItem } from './count-row.tsx'

export type Found = ItemsSearchItems
type Level = StockBrowseStock
type Listed = SheetItem & { readonly isListed: boolean }

/** Every item the sheet may show: with recorded stock, already counted, found here, or searched for. */
export function useSheetItems(
  levels: readonly Level[] | undefined,
  card: Output<'audits/get_card'> | undefined,
  extra: readonly Found[],
  found: readonly Found[] | undefined,
  pending: ReadonlyMap<number, { counted: number }>,
): Map<number, Listed> {
  return useMemo(() => {
    const items = new Map<number, Listed>()
    const put = (item: Omit<SheetItem, 'isWaiting'>, isListed: boolean): void => {
      const before = items.get(item.id)
      const waiting = pending.get(item.id)
      items.set(item.id, {
        ...item,
        ...(before?.counted === undefined ? {} : { counted: before.counted, books: before.books }),
        ...(waiting ? { counted: waiting.counted } : {}),
        isWaiting: waiting !== undefined,
        isListed: isListed || waiting !== undefined || (before?.isListed ?? false),
      })
    }
    const lines = new Map((card ? countedLines(card.audit) : []).map((line) => [line.id, line]))
    const counted = (id: number, now: number) => {
      const line = lines.get(id)
      return line ? { counted: line.counted, books: line.expected } : { books: now }
    }
    for (const level of levels ?? []) {
      const type = level.type === 'products' ? ('product' as const) : ('material' as const)
      const { id, name, sku, unit, amount } = level
      put({ id, type, name, sku, unit, ...counted(id, amount) }, amount !== 0 || lines.has(id))
    }
    for (const line of lines.values()) {
      const { id, type, name, sku, unit } = line
      if (!items.has(id)) put({ id, type, name, sku, unit, ...counted(id, 0) }, true)
    }
    const more = (isListed: boolean) => (hit: Found) => {
      const { id, name, sku, unit, on_hand: onHand } = hit
      const type = hit.kind as 'product' | 'material'
      put(items.get(id) ?? { id, type, name, sku, unit, ...counted(id, onHand ?? 0) }, isListed)
    }
    for (const hit of extra) more(true)(hit)
    for (const hit of found ?? []) more(false)(hit)
    return items
  }, [levels, card, extra, found, pending])
}
