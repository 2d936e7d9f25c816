// What a production uses: told, or by the components of what it makes. Pure.

import { allLines, type LineInput, readLines } from '../documents/lines.ts'
import { sameLines } from '../fulfilment/made-to-order.ts'
import { type Production, type Use, use, usesByComposition } from '../fulfilment/production.ts'
import { passed } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Items, LineKind } from '../stock/items.ts'

const usedTypes = ['material', 'product'] as const
export const typeRefusal = `Invalid type for material <n>. Must be one of: ${usedTypes.join(', ')}`

/** What was told as used; `undefined` when nothing was said about it. A product that is used says so by its type. */
export function readUsed(
  materials: readonly unknown[] | undefined,
  resources: readonly unknown[] | undefined,
): LineInput[] | undefined {
  if (materials === undefined && resources === undefined) return undefined
  const typeOf = (line: Raw, at: number): LineKind => {
    const type = passed(line, 'type') ?? 'material'
    return usedTypes.find((one) => one === type) ?? refuse(typeRefusal.replace('<n>', String(at)))
  }
  return [
    ...readLines('material', materials ?? [], 'plain', typeOf),
    ...readLines('resource', resources ?? [], 'plain'),
  ]
}

/** What is used: told, or by the components; a production keeps what it has used until its lines change. */
export function usesOf(
  used: readonly LineInput[] | undefined,
  before: Production | undefined,
  lines: Production['lines'],
  items: Items,
  impossible: 'refused' | 'left out',
): Pick<Production, 'uses' | 'useTold'> {
  if (used !== undefined && used.length > 0) {
    const told = toldUses(used, before, items)
    // What was shown and is sent back tells nothing new: it stays with the lines it was used for.
    const known = before !== undefined && sameLines(lines, before.lines) && sameUses(told, before.uses)
    return known ? { uses: before.uses, useTold: before.useTold } : { uses: told, useTold: true }
  }
  // Two empty arrays tell no use: what was told before is forgotten.
  const keepsTold = before?.useTold === true && used === undefined
  if (before !== undefined && (keepsTold || (lines === before.lines && !before.useTold))) {
    return { uses: before.uses, useTold: before.useTold }
  }
  return { uses: usesByComposition(lines, items, impossible), useTold: false }
}

function toldUses(used: readonly LineInput[], before: Production | undefined, items: Items): Use[] {
  const own = new Set(before?.uses.map((one) => one.itemId))
  const named = used.map((line) => {
    // Shown among the materials, a product is sent back among them.
    const isOwnProduct =
      line.kind === 'material' &&
      'id' in line.named &&
      own.has(line.named.id) &&
      items.load(line.named.id).kind === 'product'
    return isOwnProduct ? { ...line, kind: 'product' as const } : line
  })
  return allLines(named, items, own).map((line) => use(items.load(line.itemId), line.amount, null))
}

function sameUses(one: readonly Use[], two: readonly Use[]): boolean {
  const [left, right] = [one, two].map((uses) => {
    const sums = new Map<number, bigint>()
    for (const { itemId, amount } of uses) sums.set(itemId, (sums.get(itemId) ?? 0n) + amount)
    return sums
  })
  return left?.size === right?.size && [...(left ?? [])].every(([itemId, amount]) => right?.get(itemId) === amount)
}

/** Finishing uses what the components say at that moment, unless the use was told. */
export const withCurrentUses = (production: Production, items: Items): readonly Use[] =>
  production.useTold ? production.uses : usesByComposition(production.lines, items)
