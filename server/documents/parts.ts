// Goods that are shipped or received in several parts: a sale's shipments, a purchase's receipts. The quantities of each part by item, what
// remains, how a part is added or undone, and the table of the parts.

import { z } from 'zod'
import { type Quantity, quantityFrom, quantityText } from '../kernel/decimal.ts'
import { id, required, requiredId, tooMany } from '../kernel/field.ts'
import { declareInsert } from '../kernel/insert-rows.ts'
import type { Input } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Entity } from '../platform/lists/record-methods.ts'
import { idField, missing, wordFor } from '../platform/lists/record-methods.ts'
import type { Item, Items } from '../stock/items.ts'
import { byItem, shownQuantity } from './document.ts'
import { idSchema } from './fields.ts'
import { labelOf } from './limits.ts'
import type { DocumentLine } from './lines.ts'

/** The quantity of one item in one part. */
export type DocumentPart = {
  readonly part: number
  readonly date: string
  readonly itemId: number
  readonly amount: Quantity
  /** Of a shipment: how it can be followed on its way. */
  readonly tracking?: Tracking
}

/** An empty string means none. */
export type Tracking = { readonly number: string; readonly carrier: string }

type PartRow = readonly [part: number, date: string, itemId: number, amount: string, ...tracking: string[]]
export type PartFacts = readonly PartRow[]

export const readParts = (rows: PartFacts): DocumentPart[] =>
  rows.map(([part, date, itemId, amount, number = '', carrier = '']) => ({
    ...{ part, date, itemId, amount: quantityFrom(amount) },
    ...(number === '' && carrier === '' ? {} : { tracking: { number, carrier } }),
  }))

/** Parts as recorded in an event. */
export const shownParts = (parts: readonly DocumentPart[]): readonly PartRow[] =>
  parts.map(({ part, date, itemId, amount, tracking }) => [
    ...([part, date, itemId, shownQuantity(amount)] as const),
    ...(tracking === undefined ? [] : [tracking.number, tracking.carrier]),
  ])

type PartsDocument = { readonly company_id: number; readonly document_id: number }

/** `number` is the column with the number of a part within its document. `isTracked` if the table has the columns of a tracking. */
export function declareParts(parts: { table: string; key: string; number: string; isTracked?: boolean }) {
  const { table, key, number, isTracked = false } = parts
  const remove = statement<never, PartsDocument>(
    `${table}.delete`,
    `delete from ${table} where company_id = :company_id and ${key} = :document_id`,
  )
  const insert = declareInsert<Record<string, number>, Readonly<Record<string, unknown>>>({
    name: `${table}.insert`,
    table,
    shared: [key],
    columns: {
      ...{ [number]: 'int', date: 'date', item_id: 'bigint', amount: 'numeric' },
      ...(isTracked ? { tracking_number: 'text', carrier: 'text' } : {}),
    },
  })
  return {
    /** A subselect for the facts of the document `:document_id`. */
    facts: `(
      select coalesce(json_agg(json_build_array(h.${number}, h.date, h.item_id, h.amount::text${isTracked ? ', h.tracking_number, h.carrier' : ''}) order by h.${number}, h.item_id), '[]'::json)
      from ${table} h where h.company_id = :company_id and h.${key} = :document_id::bigint)`,
    write(
      companyId: number,
      ownId: number,
      before: readonly DocumentPart[],
      after: readonly DocumentPart[],
    ): Statement[] {
      if (after === before || (after.length === 0 && before.length === 0)) return []
      const document = { company_id: companyId, document_id: ownId }
      const rows = after.map((one) => ({
        [number]: one.part,
        date: one.date,
        item_id: one.itemId,
        amount: quantityText(one.amount),
        ...(isTracked ? { tracking_number: one.tracking?.number ?? '', carrier: one.tracking?.carrier ?? '' } : {}),
      }))
      return [remove(document), ...insert({ company_id: companyId, [key]: ownId }, rows)]
    },
  }
}

/** Limits the moved quantity of each item to its new total quantity; the excess is removed from the latest parts. */
export function trimmedParts(parts: readonly DocumentPart[], lines: readonly DocumentLine[]): DocumentPart[] {
  const room = new Map(byItem(lines).map((line) => [line.itemId, line.amount]))
  const kept: DocumentPart[] = []
  for (const one of parts.toSorted((a, b) => a.part - b.part)) {
    const left = room.get(one.itemId) ?? 0n
    // biome-ignore lint/complexity/useMathMinMax: Math.min takes no bigint
    const amount = one.amount < left ? one.amount : left
    room.set(one.itemId, left - amount)
    if (amount > 0n) kept.push({ ...one, amount })
  }
  return kept
}

/** The remaining quantity of each item; items with none remaining are left out. */
export function leftOf(lines: readonly DocumentLine[], parts: readonly DocumentPart[]): ReadonlyMap<number, Quantity> {
  const left = new Map(byItem(lines).map((line) => [line.itemId, line.amount]))
  for (const { itemId, amount } of parts) left.set(itemId, (left.get(itemId) ?? 0n) - amount)
  return new Map([...left].filter(([, amount]) => amount > 0n))
}

/** Rows of all parts of a document together: every change of the document reads them. */
export const maxPartRows = 10_000
export const tooManyParts = tooMany('lines in all parts', maxPartRows)

export type Wanted = { readonly itemId: number; readonly amount: Quantity }

/** The terms of a kind of document in error texts: `ship` for moving a part, `shipped` for a completed document. */
export type PartTerms = { readonly of: Entity; readonly verb: string; readonly done: string }

export const nothingTo = ({ verb }: PartTerms): string => `Nothing to ${verb} in input`
export const isDone = ({ of, done }: PartTerms): string => `${of.entity} is already ${done}`
export const isCanceled = ({ of }: PartTerms): string => `${of.entity} is canceled`

/** The parts with one added, or a refusal. Statuses are those of sales and purchases: 3 done, 4 canceled. */
export function withPart(
  terms: PartTerms,
  document: { readonly status: number; readonly lines: readonly DocumentLine[] },
  parts: readonly DocumentPart[],
  goods: readonly Wanted[],
  made: Pick<DocumentPart, 'date' | 'tracking'>,
  items: Items,
): DocumentPart[] {
  if (document.status === 4) refuse(isCanceled(terms), { code: 'document_canceled' })
  if (document.status === 3) refuse(isDone(terms), { code: 'document_done' })
  const left = new Map(leftOf(document.lines, parts))
  const ordered = new Set(document.lines.map((line) => line.itemId))
  const part = 1 + parts.reduce((last, one) => Math.max(last, one.part), 0)
  const added = new Map<number, DocumentPart>()
  for (const [at, { itemId, amount }] of goods.entries()) {
    if (!ordered.has(itemId))
      refuse(`Line ${at} names an item that is not in the ${terms.of.noun}`, {
        code: 'not_in_document',
        field: 'lines',
        line: at,
      })
    const remaining = left.get(itemId) ?? 0n
    if (amount > remaining) {
      const left = shownQuantity(remaining)
      const text = `Only ${left} left to ${terms.verb} of ${itemLabel(items.load(itemId))}`
      refuse(text, { code: 'more_than_left', field: 'lines', line: at, value: left })
    }
    left.set(itemId, remaining - amount)
    added.set(itemId, { part, ...made, itemId, amount: (added.get(itemId)?.amount ?? 0n) + amount })
  }
  if (parts.length + added.size > maxPartRows)
    refuse(tooManyParts, { code: 'too_many', field: 'lines', value: maxPartRows })
  return [...parts, ...added.values()]
}

const itemLabel = (item: Item): string => `${item.kind} with ${labelOf(item)}`

export type UndoInput = { readonly id: number; readonly part: number }

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const partMissing = (number: string): string => `${capitalized(number)} not found`

/** Which part is undone: `number` is its request field, `shipment` or `receipt`. */
export const undoInput = (of: Entity, number: string): Input<UndoInput> => ({
  schema: z.object({
    [idField(of)]: idSchema.describe(`Id of the ${wordFor(of)}.`),
    [number]: z
      .int()
      .describe(
        `Number of the ${number}; what moved when the document was completed has the number after the last part.`,
      ),
  }),
  read: (raw) => ({ id: requiredId(raw, idField(of)), part: id(required(raw, number)) }),
})

export const undoRefusals = (of: Entity, number: string): readonly string[] => [
  `No ${idField(of)} in input`,
  `No ${number} in input`,
  missing(of),
  partMissing(number),
]

/**
 * The parts without one of them, or a refusal. If the document is done, the rest that moved with that status counts as one more part, on the
 * day `lastDay`: it can be undone like any other, and is kept when another part is undone.
 */
export function withoutPart(
  number: string,
  document: { readonly lines: readonly DocumentLine[] },
  parts: readonly DocumentPart[],
  lastDay: string | null,
  undone: number,
): DocumentPart[] {
  const last = 1 + parts.reduce((most, { part }) => Math.max(most, part), 0)
  const rest = lastDay === null ? new Map<number, Quantity>() : leftOf(document.lines, parts)
  const all = [
    ...parts,
    ...[...rest].map(([itemId, amount]): DocumentPart => ({ part: last, date: lastDay ?? '', itemId, amount })),
  ]
  const kept = all.filter(({ part }) => part !== undone)
  if (kept.length === all.length) refuse(partMissing(number), { code: 'record_not_found', field: number })
  return kept
}
