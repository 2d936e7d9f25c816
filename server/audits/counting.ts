// Counting: what the books say is fixed for each line at the moment it is counted. Pure.

import { findLines, type LineInput } from '../documents/lines.ts'
import { quantityFrom, toMoney, worth } from '../kernel/decimal.ts'
import { capitalized } from '../kernel/field.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Items } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import type { Audit, CountedLine } from './audit.ts'
import type { Facts } from './store.ts'

/** A line that says what it said before keeps its moment; every other is counted now. */
export function countedLines(
  given: readonly LineInput[],
  before: Audit | undefined,
  storage: number,
  facts: Facts,
  items: Items,
  at: string,
): CountedLine[] {
  const known = new Map(before?.storageId === storage ? before.lines.map((line) => [line.itemId, line]) : [])
  const levels = new Map(facts.levels.map(([itemId, onHand]) => [itemId, quantityFrom(onHand)]))
  // The books are compared as they would be without this audit: what it has booked itself is not part of them.
  for (const one of readPosted(facts.posted ?? [])) {
    if (one.storageId === storage) levels.set(one.itemId, (levels.get(one.itemId) ?? 0n) - one.onHand)
  }
  const seen = new Set<number>()
  return findLines(given, items, new Set(before?.lines.map((line) => line.itemId))).map(({ line, item }) => {
    if (item === undefined) refuse(`${capitalized(line.kind)} with ${line.label} not found`)
    if (seen.has(item.id)) refuse(`${capitalized(line.kind)} with ${line.label} is counted twice`)
    seen.add(item.id)
    const old = known.get(item.id)
    if (old !== undefined && old.amount === line.amount) return old
    const expected = levels.get(item.id) ?? 0n
    const cost = toMoney(worth(line.amount - expected, item.cost.average))
    return {
      itemId: item.id,
      kind: line.kind,
      unitId: item.unitId,
      amount: line.amount,
      expected,
      countedAt: at,
      total: 0n,
      cost,
    }
  })
}
