// What a production uses: told, or by the components of what it makes. Pure.

import { allLines, type LineInput } from '../documents/lines.ts'
import type { Items } from '../stock/items.ts'
import { type Production, readComposition, type Use, use, usesByComposition } from './production.ts'
import type { ProductionFacts } from './store.ts'

type Given = { readonly lines: readonly LineInput[] | undefined; readonly used: readonly LineInput[] | undefined }

/** What is used: told, or by the components; a production that is done keeps what it has used until its lines change. */
export function usesOf(
  given: Given,
  before: Production | undefined,
  lines: Production['lines'],
  facts: ProductionFacts,
  items: Items,
): Pick<Production, 'uses' | 'useTold'> {
  if (given.used !== undefined && given.used.length > 0) {
    const own = new Set(before?.uses.map((one) => one.itemId))
    const told = allLines(given.used, items, own).map((line) => use(items.load(line.itemId), line.amount, null))
    return { uses: told, useTold: true }
  }
  // Two empty arrays tell no use: what was told before is forgotten.
  const keepsTold = before?.useTold === true && given.used === undefined
  if (before !== undefined && (keepsTold || (given.lines === undefined && !before.useTold))) {
    return { uses: before.uses, useTold: before.useTold }
  }
  return { uses: usesByComposition(lines, readComposition(facts.composition), items), useTold: false }
}

/** Finishing uses what the components say at that moment, unless the use was told. */
export function withCurrentUses(production: Production, facts: ProductionFacts, items: Items): readonly Use[] {
  return production.useTold
    ? production.uses
    : usesByComposition(production.lines, readComposition(facts.composition), items)
}
