// Counting: the expected quantity of each line is fixed when the line is counted. Each line knows what its item costs. Pure.

import { findLines, type LineInput, refuseUnknown } from '../documents/lines.ts'
import { quantityFrom, toMoney, type Value, valueFrom } from '../kernel/decimal.ts'
import { capitalized } from '../kernel/field.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Item, Items } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import {
  type Audit,
  type CostSource,
  type CountedLine,
  completed,
  differenceValue,
  type Estimate,
  noEstimate,
  sourceOf,
} from './audit.ts'
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

/** The cost of an item without an average: a material has its purchase price, a product the planned cost of its components. */
export function estimatesOf(facts: Pick<Facts, 'plan_costs'>, items: Items): (itemId: number) => Estimate {
  const plans = new Map(facts.plan_costs)
  return (itemId) => {
    const { kind, price } = items.load(itemId)
    const plan = plans.get(itemId)
    if (kind === 'material' && price > 0n) return { unitCost: price * 10_000n, source: 'price' }
    return plan === undefined ? noEstimate : { unitCost: valueFrom(plan), source: 'components' }
  }
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
  const estimate = estimatesOf(facts, items)
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
      const count = isSentBack
        ? old
        : { ...newCount(line, item), expected: levels.get(item.id) ?? 0n, countedAt: at, unitCost: old?.unitCost }
      const counted = {
        ...count,
        label: line.label,
        ...(line.unitCost === undefined ? {} : { unitCost: line.unitCost ?? undefined }),
        estimate: estimate(item.id),
      }
      if (isSentBack && counted.unitCost === old.unitCost) return { ...old, label: line.label }
      const { average } = item.cost
      return {
        ...counted,
        cost: toMoney(differenceValue(counted, average)),
        source: sourceIn(before, old, counted, average),
      }
    },
  )
}

const newCount = (line: LineInput, item: Item) => ({
  itemId: item.id,
  kind: line.kind,
  unitId: item.unitId,
  amount: line.amount,
  total: 0n,
})

/** In a completed audit the average may follow from what the line was valued at. */
function sourceIn(
  before: Audit | undefined,
  old: CountedLine | undefined,
  counted: Omit<CountedLine, 'cost' | 'source'>,
  average: Value,
): CostSource {
  const source = sourceOf(counted, average)
  const isEstimated = old?.source === 'price' || old?.source === 'components'
  return before?.status === completed && isEstimated && source === 'average' && counted.amount > counted.expected
    ? old.source
    : source
}
