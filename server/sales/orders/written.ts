// What a changed sale writes and tells, or nothing at all when nothing changed.

import type { Written } from '../../kernel/method.ts'
import type { Statement } from '../../kernel/statement.ts'
import type { SaleChange } from '../plan.ts'

export function writtenSale(change: SaleChange, statements: readonly Statement[]): Written | undefined {
  if (Object.keys(change.told).length === 0) return undefined
  const recordId = (change.after ?? change.before)?.id ?? 0
  return { statements, event: { record: 'sale', recordId, change: change.told } }
}
