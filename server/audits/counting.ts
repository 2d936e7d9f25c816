// Counting: the expected quantity of each line is fixed when the line is counted. Pure.

import { findLines, type LineInput, refuseUnknown } from '../documents/lines.ts'
import { quantityFrom, toMoney, valueAt } from '../kernel/decimal.ts'
import { capitalized } from '../kernel/field.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Item, Items } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import type { Audit, CountedLine } from './audit.ts'
import type { Facts } from './store.ts'

/** A line whose quantity is unchanged keeps its count time; every other line is counted now. */
export function countedLines(
  given: readonly LineInput[],
  before: Audit | undefined,
  storage: number,
  facts: Facts,
  items: Items,
  at: string,
  allowsDeleted: (item: Item) => boolean,
): CountedLine[] {
  const known = new Map(before?.storageId === storage ? before.lines.map((line) => [line.itemId, line]) : [])
  const levels = new Map(facts.levels.map(([itemId, onHand]) => [itemId, quantityFrom(onHand)]))
  // The expected quantities exclude what this audit has booked itself.
  for (const one of readPosted(facts.posted ?? [])) {
    if (one.storageId === storage) levels.set(one.itemId, (levels.get(one.itemId) ?? 0n) - one.onHand)
  }
  const seen = new Set<number>()
  return findLines(given, items, new Set(before?.lines.map((line) => line.itemId)), allowsDeleted).map(
    ({ line, item }) => {
      if (item === undefined) refuseUnknown(line)
      if (seen.has(item.id)) {
        const place = { field: `${line.kind}s`, line: line.at ?? 0 }
        refuse(`${capitalized(line.kind)} with ${line.label} is counted twice`, { code: 'counted_twice', ...place })
      }
      seen.add(item.id)
      const old = known.get(item.id)
      if (old !== undefined && old.amount === line.amount) return { ...old, label: line.label }
      const expected = levels.get(item.id) ?? 0n
      const cost = toMoney(valueAt(line.amount - expected, item.cost.average))
      return {
        itemId: item.id,
        kind: line.kind,
        unitId: item.unitId,
        label: line.label,
        amount: line.amount,
        expected,
        countedAt: at,
        total: 0n,
        cost,
      }
    },
  )
}
