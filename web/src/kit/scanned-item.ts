// The item with a scanned code.

import { call } from '../server/call.ts'
import { spellingsOf } from './codes.ts'
import type { FoundItem } from './found-item.ts'
import type { ItemKind } from './line.ts'

/** One request per storage location, because kinds may be stored at different ones. */
export type LineSource = { readonly kinds: readonly ItemKind[]; readonly storageId?: number | undefined }

/** Codes of items are no longer; a QR code may contain thousands of characters. */
export const maxCodeLength = 255

/** The code is that of the item, not only a part of it. */
export const hasCode = (item: FoundItem, code: string): boolean =>
  [item.sku, item.matched].some((one) => one?.toLowerCase() === code.trim().toLowerCase())

export async function searchItems(text: string, sources: readonly LineSource[], limit: number): Promise<FoundItem[]> {
  const answers = await Promise.all(
    sources.map(({ kinds, storageId }) =>
      call('items/search', {
        search: text,
        kinds: [...kinds],
        limit,
        ...(storageId ? { storage_id: storageId } : {}),
      }),
    ),
  )
  return answers.flatMap(({ items }) => items)
}

/** The item that has exactly this code as SKU, alternative SKU or barcode. */
export async function findByCode(code: string, sources: readonly LineSource[]): Promise<FoundItem | undefined> {
  if (code.length > maxCodeLength) return undefined
  for (const text of spellingsOf(code)) {
    const items = await searchItems(text, sources, 5)
    const item = items.find((one) => hasCode(one, text))
    if (item !== undefined) return item
  }
  return undefined
}

/** What Enter before the results arrive selects, as sent by a scanner: the item with this code, or the only result. */
export const meantBy = (typed: string, items: readonly FoundItem[] = []): FoundItem | undefined =>
  items.find((one) => hasCode(one, typed)) ?? (items.length === 1 ? items[0] : undefined)
