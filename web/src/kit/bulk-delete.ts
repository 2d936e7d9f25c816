// Deleting the selected records of a list, after a confirmation.

import type { Input } from '../server/call.ts'
import { mutate } from '../server/query.ts'
import { confirmAction } from './confirm-action.tsx'
import type { Bulk } from './list-parts.tsx'
import { runEach } from './notify.tsx'

type DeletePath = 'customers/delete' | 'materials/delete' | 'products/delete' | 'resources/delete' | 'suppliers/delete'

type Texts = {
  readonly delete: string
  readonly deleteManyTitle: (n: number) => string
  readonly deleteMany: (n: number) => string
}

export const bulkDelete = <P extends DeletePath>(
  texts: Texts,
  path: P,
  inputOf: (id: number) => Input<P>,
): Bulk<{ readonly id: number }> => ({
  label: texts.delete,
  danger: true,
  run: async (rows) => {
    const isConfirmed = await confirmAction({
      title: texts.deleteManyTitle(rows.length),
      text: texts.deleteMany(rows.length),
      label: texts.delete,
    })
    if (!isConfirmed) return false
    await runEach(rows, ({ id }) => mutate(path, inputOf(id)))
    return true
  },
})
