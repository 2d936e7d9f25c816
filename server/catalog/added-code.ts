// Giving an existing item a code that other systems use for it, and taking it away again.

import type { TransactionContext } from '../kernel/clock.ts'
import { tooMany } from '../kernel/field.ts'
import { foldedText } from '../kernel/folded-text.ts'
import type { RelatedEvent } from '../kernel/method.ts'
import { difference } from '../kernel/patch.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Statement } from '../kernel/statement.ts'
import { missing } from '../platform/lists/record-methods.ts'
import { factsFor, type ItemFacts, settleItem } from './facts.ts'
import { type Item, type ItemInput, type ItemKind, kinds, maxOf } from './item.ts'
import { updateItem } from './store.ts'

export type ItemChange = {
  readonly id: number
  readonly kind: ItemKind
  readonly before: Item
  readonly after: Item
}

/** `code` is absent when the item keeps its codes. */
export const factsOfCode = (companyId: number, kind: ItemKind, id: number, code: string | undefined) =>
  factsFor(kinds[kind], companyId, id, code === undefined ? undefined : { alt_skus: [code] })

/** A product gets the code as an alternative SKU. A material has none: it gets the code as its SKU, if it has no other. */
export function planAddedCode(
  kind: ItemKind,
  id: number,
  code: string | undefined,
  facts: ItemFacts,
): ItemChange | undefined {
  const rules = kinds[kind]
  const before = facts.record ?? refuse(missing(rules), { code: 'record_not_found', field: 'item_id' })
  if (code === undefined || hasCode(before, code)) return undefined
  const input = withCode(kind, before, code)
  if (input === undefined) return undefined
  if ((input.alt_skus?.length ?? 0) > maxOf.alt_skus)
    refuse(tooMany('alt_skus', maxOf.alt_skus), { code: 'too_many', field: 'alt_skus', value: maxOf.alt_skus })
  return { id, kind, before, after: settleItem(rules, input, before, facts, id) }
}

/** SKUs are compared in folded form. */
const hasCode = ({ sku, alt_skus }: Item, code: string): boolean =>
  [sku, ...alt_skus].some((one) => foldedText(one) === foldedText(code))

function withCode(kind: ItemKind, { sku, alt_skus }: Item, code: string): ItemInput | undefined {
  if (kinds[kind].hasComponents) return { alt_skus: [...alt_skus, code] }
  return sku === '' ? { sku: code } : undefined
}

/** Takes away the codes that a change has added, as far as the item still has them; `undefined` when it has none of them. */
export function planRemovedCodes(
  kind: ItemKind,
  id: number,
  before: Item,
  added: { readonly alt_skus?: readonly [string[], string[]]; readonly sku?: readonly [string, string] },
): ItemChange | undefined {
  const [earlier, later] = added.alt_skus ?? [[], []]
  const gone = new Set(later.filter((code) => !earlier.includes(code)))
  const alt_skus = before.alt_skus.filter((code) => !gone.has(code))
  const sku = added.sku !== undefined && before.sku === added.sku[1] ? added.sku[0] : before.sku
  if (alt_skus.length === before.alt_skus.length && sku === before.sku) return undefined
  return { id, kind, before, after: { ...before, alt_skus, sku } }
}

export const writtenItem = (
  { id, kind, before, after }: ItemChange,
  transaction: TransactionContext,
): { readonly statements: readonly Statement[]; readonly event: RelatedEvent } => ({
  statements: updateItem(id, kind, after, before, transaction),
  event: { record: kinds[kind].noun, recordId: id, change: difference(before, after), action: 'updated' },
})
