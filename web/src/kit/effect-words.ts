// What an act does to stock, in one sentence with the numbers.

import { quantity } from '../format.ts'
import type { Effect } from '../server/call.ts'
import { words } from '../words.ts'

/** What comes returns when an act is undone, and is added by what stands. */
export type Comes = 'gives' | 'adds'

type Change = { readonly effect: Effect; readonly amount: number }

/** `Deletes sale A-1007`, with what it moves, → `Deletes sale A-1007 and returns 3 pcs of Oak table to Main warehouse.` */
export function effectSentence(lead: string, effect: readonly Effect[], comes: Comes = 'gives'): string {
  const parts = effectParts(effect, comes)
  return parts.length === 0 ? `${lead}. ${words.kit.effect.none}` : words.kit.effect.join(lead, parts)
}

/** The same without its beginning, way by way. */
export function effectParts(effect: readonly Effect[], comes: Comes = 'gives'): string[] {
  const said = words.kit.effect
  const ways = [
    { say: said[comes], of: (one: Effect) => one.on_hand },
    { say: said.takes, of: (one: Effect) => -one.on_hand },
    { say: said.reserves, of: (one: Effect) => one.reserved },
    // What is taken need not be freed as well: that it was reserved goes without saying.
    { say: said.frees, of: (one: Effect) => -one.reserved - Math.max(0, -one.on_hand) },
  ]
  return ways.flatMap(({ say, of }) => {
    const changes = effect.map((one) => ({ effect: one, amount: of(one) })).filter(({ amount }) => amount > 0)
    const places = Map.groupBy(changes, ({ effect: one }) => one.storage_name)
    return [...places].map(([place, there]) => say(amountOf(there), place))
  })
}

/** Effects of several acts as one: each item once per storage location. */
export function addedUp(effects: readonly Effect[]): Effect[] {
  const places = Map.groupBy(effects, ({ item_id, storage_id }) => `${item_id} ${storage_id}`)
  const sum = (of: readonly Effect[], field: 'on_hand' | 'reserved'): number =>
    Math.round(of.reduce((all, one) => all + one[field], 0) * 1000) / 1000
  return [...places.values()].flatMap((of) => {
    const [first] = of
    return first === undefined ? [] : [{ ...first, on_hand: sum(of, 'on_hand'), reserved: sum(of, 'reserved') }]
  })
}

function amountOf(changes: readonly Change[]): string {
  const said = words.kit.effect
  const [first] = changes
  if (first !== undefined && changes.length === 1)
    return said.of(quantity(first.amount, first.effect.unit), first.effect.name)
  const units = new Set(changes.map(({ effect }) => effect.unit))
  const sum = changes.reduce((all, { amount }) => all + amount, 0)
  return said.items(units.size === 1 ? quantity(sum) : String(changes.length), changes.length)
}
