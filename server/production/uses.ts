// What a production consumes: specified in the request, or by the components of its products. Pure.

import { allLines, type LineInput, readLines } from '../documents/lines.ts'
import { sameLines } from '../fulfilment/made-to-order.ts'
import { type Production, type Use, use, usesByComposition } from '../fulfilment/production.ts'
import { passed } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Items, LineKind } from '../stock/items.ts'

const usedTypes = ['material', 'product'] as const
export const typeRefusal = `Invalid type for material <n>. Must be one of: ${usedTypes.join(', ')}`

/** The consumption specified in the request, or `undefined` if there is none. A consumed product is marked by its type. */
export function readUsed(
  materials: readonly unknown[] | undefined,
  resources: readonly unknown[] | undefined,
): LineInput[] | undefined {
  if (materials === undefined && resources === undefined) return undefined
  const typeOf = (line: Raw, at: number): LineKind => {
    const type = passed(line, 'type') ?? 'material'
    return (
      usedTypes.find((one) => one === type) ??
      refuse(typeRefusal.replace('<n>', String(at)), { code: 'not_a_choice', field: 'materials', line: at })
    )
  }
  return [
    ...readLines('material', materials ?? [], 'plain', typeOf),
    ...readLines('resource', resources ?? [], 'plain'),
  ]
}

/** The consumption: specified, or by the components; it is kept until the lines of the production change. */
export function usesOf(
  used: readonly LineInput[] | undefined,
  before: Production | undefined,
  lines: Production['lines'],
  items: Items,
  impossible: 'refused' | 'left out',
): Pick<Production, 'uses' | 'usesSpecified'> {
  if (used !== undefined && used.length > 0) {
    const specified = specifiedUses(used, before, items)
    // Values sent back unchanged keep their assignment to lines.
    const known = before !== undefined && sameLines(lines, before.lines) && sameUses(specified, before.uses)
    return known ? { uses: before.uses, usesSpecified: before.usesSpecified } : { uses: specified, usesSpecified: true }
  }
  // Two empty arrays remove the specified consumption.
  const keepsSpecified = before?.usesSpecified === true && used === undefined
  if (before !== undefined && (keepsSpecified || (lines === before.lines && !before.usesSpecified))) {
    return { uses: before.uses, usesSpecified: before.usesSpecified }
  }
  return { uses: usesByComposition(lines, items, impossible), usesSpecified: false }
}

function specifiedUses(used: readonly LineInput[], before: Production | undefined, items: Items): Use[] {
  const own = new Set(before?.uses.map((one) => one.itemId))
  const named = used.map((line) => {
    // A consumed product is shown in `materials`, so it can be sent back there.
    const isOwnProduct =
      line.kind === 'material' &&
      'id' in line.named &&
      own.has(line.named.id) &&
      items.load(line.named.id).kind === 'product'
    return isOwnProduct ? { ...line, kind: 'product' as const } : line
  })
  const arrayOf = ({ kind }: LineInput): string => (kind === 'resource' ? 'resources' : 'materials')
  return allLines(named, items, own, undefined, arrayOf).map((line) => use(items.load(line.itemId), line.amount, null))
}

function sameUses(one: readonly Use[], two: readonly Use[]): boolean {
  const [left, right] = [one, two].map((uses) => {
    const sums = new Map<number, bigint>()
    for (const { itemId, amount } of uses) sums.set(itemId, (sums.get(itemId) ?? 0n) + amount)
    return sums
  })
  return left?.size === right?.size && [...(left ?? [])].every(([itemId, amount]) => right?.get(itemId) === amount)
}

/** Finishing a production consumes its current components, unless the consumption was specified. */
export const withCurrentUses = (production: Production, items: Items): readonly Use[] =>
  production.usesSpecified ? production.uses : usesByComposition(production.lines, items)
