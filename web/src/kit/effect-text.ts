// The effect of an action on stock as one sentence with figures.

import { sum as total } from '../decimal.ts'
import { quantity } from '../format.ts'
import { messages } from '../messages.ts'
import type { Effect } from '../server/call.ts'

/** Incoming goods are "returned" when an action is undone, otherwise "added". */
export type IncomingVerb = 'gives' | 'adds'

type Change = { readonly effect: Effect; readonly amount: number }

/** `Deletes sale A-1007` plus its effect → `Deletes sale A-1007 and returns 3 pcs of Oak table to Main warehouse.` */
export function effectSentence(lead: string, effect: readonly Effect[], incoming: IncomingVerb = 'gives'): string {
  const parts = effectParts(effect, incoming)
  return parts.length === 0 ? `${lead}. ${messages.kit.effect.none}` : messages.kit.effect.join(lead, parts)
}

/** The same without the beginning, one phrase per kind of movement. */
export function effectParts(effect: readonly Effect[], incoming: IncomingVerb = 'gives'): string[] {
  const texts = messages.kit.effect
  const ways = [
    { phrase: texts[incoming], of: (one: Effect) => one.on_hand },
    { phrase: texts.takes, of: (one: Effect) => -one.on_hand },
    { phrase: texts.reserves, of: (one: Effect) => one.reserved },
    // Goods that are issued are not also listed as released: their reservation is implied.
    { phrase: texts.frees, of: (one: Effect) => -one.reserved - Math.max(0, -one.on_hand) },
  ]
  return ways.flatMap(({ phrase, of }) => {
    const changes = effect.map((one) => ({ effect: one, amount: of(one) })).filter(({ amount }) => amount > 0)
    const places = Map.groupBy(changes, ({ effect: one }) => one.storage_name)
    return [...places].map(([place, there]) => phrase(amountOf(there), place))
  })
}

/** Combines the effects of several actions: each item once per storage location. */
export function addedUp(effects: readonly Effect[]): Effect[] {
  const places = Map.groupBy(effects, ({ item_id, storage_id }) => `${item_id} ${storage_id}`)
  const sum = (of: readonly Effect[], field: 'on_hand' | 'reserved'): number =>
    total(
      of.map((one) => one[field]),
      3,
    )
  return [...places.values()].flatMap((of) => {
    const [first] = of
    return first === undefined ? [] : [{ ...first, on_hand: sum(of, 'on_hand'), reserved: sum(of, 'reserved') }]
  })
}

/** More than these are counted instead of named. */
const maxNamed = 3

function amountOf(changes: readonly Change[]): string {
  const texts = messages.kit.effect
  const named = changes.length <= maxNamed ? changes : changes.slice(0, maxNamed - 1)
  return texts.list(
    named.map(({ effect, amount }) => texts.of(quantity(amount, effect.unit), effect.name)),
    changes.length - named.length,
  )
}
