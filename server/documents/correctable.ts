// Corrections of stock: a document that issues goods may name a deleted item, or a deleted storage location, while goods are on hand there.
// Reserved quantities are corrected in the sale that reserves them. Pure.

import { refuse } from '../kernel/refusal.ts'
import type { Item, LineKind, StrandedRows } from '../stock/items.ts'
import type { DocumentLine } from './lines.ts'

export const correctableNote = 'Goods on hand can be issued by id even if the item or the storage location is deleted.'

type Facts = { readonly storages: readonly number[]; readonly stranded?: StrandedRows }

type Places = {
  /** Storage locations that the request names as the source of goods. */
  readonly named: readonly (number | undefined)[]
  /** The current ones of the document, which it may keep. */
  readonly own: readonly number[]
  /** The storage location that goods of a kind will be issued from. */
  readonly storageOf: (kind: LineKind) => number
  /** The request fields of the named ones. */
  readonly fields?: readonly string[]
}

/** What a document that corrects stock may name, in addition to what is not deleted and what it already contains. */
export function correctable({ storages: existing, stranded = [] }: Facts, places: Places) {
  const { named, own, storageOf, fields = ['products_storage_id', 'materials_storage_id'] } = places
  const onHand = new Set(stranded.map(([storageId, itemId]) => `${storageId} ${itemId}`))
  const isOnHand = (kind: LineKind, itemId: number): boolean => onHand.has(`${storageOf(kind)} ${itemId}`)
  const deleted = named.filter((id) => id !== undefined && !existing.includes(id) && !own.includes(id))
  const refuseStorage = (id: number): never =>
    refuse('Storage ID not found', { code: 'storage_not_found', field: fields[named.indexOf(id)] ?? 'storage_id' })
  return {
    /** Whether a deleted item may be named: some of it is on hand where it will be issued from. */
    allowsDeleted: ({ kind, id }: Item): boolean => isOnHand(kind, id),
    /** Refuses a deleted storage location where none of the named goods is on hand. */
    refuseStorages(): void {
      const gone = deleted.find((id) => !stranded.some(([storageId]) => storageId === id))
      if (gone !== undefined) refuseStorage(gone)
    },
    /** Refuses to issue goods from a deleted storage location where they are not on hand. */
    refuseLines(lines: readonly DocumentLine[]): void {
      if (deleted.length === 0) return
      const nowhere = lines.find(({ kind, itemId }) => deleted.includes(storageOf(kind)) && !isOnHand(kind, itemId))
      if (nowhere !== undefined) refuseStorage(storageOf(nowhere.kind))
    },
  }
}
