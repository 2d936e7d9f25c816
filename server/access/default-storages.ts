// The default storage locations are settings of the company, and each storage location shows whether it is one.

import type { TransactionContext } from '../kernel/clock.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import { difference } from '../kernel/patch.ts'
import { type Statement, statement } from '../kernel/statement.ts'

export type DefaultStorages = { readonly products_storage_id: number; readonly materials_storage_id: number }

const shown = ({ products_storage_id, materials_storage_id }: DefaultStorages, storageId: number) => ({
  default_products: products_storage_id === storageId,
  default_materials: materials_storage_id === storageId,
})

/** The storage locations that become a default, and those that are replaced as one. */
export function defaultStorageEvents(before: DefaultStorages, after: DefaultStorages): RelatedEvent[] {
  const ids = [before, after].flatMap((one) => [one.products_storage_id, one.materials_storage_id])
  return [...new Set(ids)].flatMap((recordId): RelatedEvent[] => {
    const change = difference(shown(before, recordId), shown(after, recordId))
    return Object.keys(change).length === 0 ? [] : [{ record: 'storage', recordId, change, action: 'updated' }]
  })
}

const setUpdated = statement<
  never,
  { readonly company_id: number; readonly storage_ids: readonly number[]; readonly at: string }
>(
  'storages.set_updated',
  'update storages set updated_at = :at where company_id = :company_id and id = any(:storage_ids::bigint[])',
)

/** A storage location that becomes a default, or is replaced as one, has changed. */
export const touchStorages = (events: readonly RelatedEvent[], { context, at }: TransactionContext): Statement[] =>
  events.length === 0
    ? []
    : [setUpdated({ company_id: context.companyId, storage_ids: events.map(({ recordId }) => recordId), at })]
