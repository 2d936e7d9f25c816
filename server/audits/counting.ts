// Counting: the expected quantity of each line is fixed when the line is counted. Pure.

import { findLines, type LineInput, refuseUnknown } from '../documents/lines.ts'
import { quantityFrom, toMoney, valueAt } from '../kernel/decimal.ts'
import { capitalized } from '../kernel/field.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Item, Items } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import type { Audit, CountedLine } from './audit.ts'
import type { Facts } from './store.ts'

// A time of the API or of the database, in UTC, up to the microsecond.
const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00(?::00)?)$/

const isSameTime = (sent: unknown, stored: string): boolean => {
  const microseconds = (text: string): string | undefined => {
    const [, day, clock, fraction = ''] = time.exec(text) ?? []
    return day === undefined ? undefined : `${day} ${clock}.${fraction.padEnd(6, '0')}`
  }
  return typeof sent === 'string' && sent.length <= 40 && microseconds(sent) === microseconds(stored)
}

/** A line that is sent back as it was read, with its quantity and the time of its count, is not counted again; every other line is counted now. */
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
      const isSentBack = old !== undefined && old.amount === line.amount && isSameTime(line.countedAt, old.countedAt)
      if (isSentBack) return { ...old, label: line.label }
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
