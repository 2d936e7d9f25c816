// Goods that leave or come in several parts: a sale's shipments, a purchase's receipts. What each part held by item, what is left, how a
// new part is read and added, and the table of the parts.

import { z } from 'zod'
import { maxQuantity, type Quantity, quantityFrom, quantityPlaces, quantityText } from '../kernel/decimal.ts'
import { array, date, decimal, id, isObject, isPassed, passed, requiredId } from '../kernel/field.ts'
import type { Raw } from '../kernel/json.ts'
import type { Input } from '../kernel/method.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Entity } from '../platform/records.ts'
import { idField, missing } from '../platform/records.ts'
import type { Item, Items } from '../stock/items.ts'
import { byItem, shownQuantity } from './document.ts'
import { amountOnWire, dateRefusal, idOnWire } from './fields.ts'
import type { DocumentLine } from './lines.ts'

/** What went with one part, of one item. */
export type Part = { readonly part: number; readonly date: string; readonly itemId: number; readonly amount: Quantity }

type PartRow = readonly [part: number, date: string, itemId: number, amount: string]
export type PartFacts = readonly PartRow[]

export const readParts = (rows: PartFacts): Part[] =>
  rows.map(([part, day, itemId, amount]) => ({ part, date: day, itemId, amount: quantityFrom(amount) }))

/** How an event shows parts. */
export const shownParts = (parts: readonly Part[]): readonly PartRow[] =>
  parts.map((one) => [one.part, one.date, one.itemId, shownQuantity(one.amount)])

/** `number` is the column that counts the parts of one document. */
export function declareParts({ table, key, number }: { table: string; key: string; number: string }) {
  const remove = statement(`${table}.delete`, `delete from ${table} where company_id = $1 and ${key} = $2`)
  const insert = statement(
    `${table}.insert`,
    `insert into ${table} (company_id, ${key}, ${number}, date, item_id, amount)
     select c.company_id, $2, x.part, x.date, x.item_id, x.amount
     from company_clock c cross join unnest($3::int[], $4::date[], $5::bigint[], $6::numeric[]) as x (part, date, item_id, amount)
     where c.company_id = $1`,
  )
  return {
    /** A subselect for the facts of a document: company $1, document $9. */
    facts: `(
      select coalesce(json_agg(json_build_array(h.${number}, h.date, h.item_id, h.amount::text) order by h.${number}, h.item_id), '[]'::json)
      from ${table} h where h.company_id = $1 and h.${key} = $9::bigint)`,
    write(companyId: number, ownId: number, before: readonly Part[], after: readonly Part[]): Statement[] {
      if (after === before || (after.length === 0 && before.length === 0)) return []
      const rows = insert(
        companyId,
        ownId,
        after.map((one) => one.part),
        after.map((one) => one.date),
        after.map((one) => one.itemId),
        after.map((one) => quantityText(one.amount)),
      )
      return [remove(companyId, ownId), ...(after.length === 0 ? [] : [rows])]
    },
  }
}

/** What has gone of an item stays gone up to its new quantity; what is too much comes off the latest parts. */
export function trimmedParts(parts: readonly Part[], lines: readonly DocumentLine[]): Part[] {
  const room = new Map(byItem(lines).map((line) => [line.itemId, line.amount]))
  const kept: Part[] = []
  for (const one of parts.toSorted((a, b) => a.part - b.part)) {
    const left = room.get(one.itemId) ?? 0n
    // biome-ignore lint/complexity/useMathMinMax: Math.min takes no bigint
    const amount = one.amount < left ? one.amount : left
    room.set(one.itemId, left - amount)
    if (amount > 0n) kept.push({ ...one, amount })
  }
  return kept
}

/** What is left of each item; an item of which nothing is left is not there. */
export function leftOf(lines: readonly DocumentLine[], parts: readonly Part[]): ReadonlyMap<number, Quantity> {
  const left = new Map(byItem(lines).map((line) => [line.itemId, line.amount]))
  for (const { itemId, amount } of parts) left.set(itemId, (left.get(itemId) ?? 0n) - amount)
  return new Map([...left].filter(([, amount]) => amount > 0n))
}

type Wanted = { readonly itemId: number; readonly amount: Quantity }
export type PartInput = { readonly id: number; readonly date: string | undefined; readonly goods: readonly Wanted[] }

/** The words of a kind of document: `ship` for what is done to a part, `shipped` for what is then all gone. */
export type PartWords = { readonly of: Entity; readonly verb: string; readonly done: string }

const nothingTo = ({ verb }: PartWords): string => `Nothing to ${verb} in input`
const isDone = ({ of, done }: PartWords): string => `${of.entity} is already ${done}`
const isCanceled = ({ of }: PartWords): string => `${of.entity} is canceled`

export const partInput = (words: PartWords): Input<PartInput> => ({
  wire: z.object({
    [idField(words.of)]: idOnWire.describe(`Id of the ${words.of.noun}.`),
    date: z.string().optional().describe('Day of this part, `YYYY-MM-DD`. Default: today.'),
    lines: z
      .array(z.object({ id: idOnWire.describe('Id of the item.'), amount: amountOnWire.describe('How much of it.') }))
      .describe('What goes now, by item.'),
  }),
  read: (raw) => {
    const ownId = requiredId(raw, idField(words.of))
    const day = date(raw, 'date')
    const lines = array(raw, 'lines') ?? []
    if (lines.length === 0) refuse(nothingTo(words))
    return { id: ownId, date: day, goods: lines.map(readLine) }
  },
})

function readLine(value: unknown, at: number): Wanted {
  if (!isObject(value)) refuse(`Line ${at} must be an object`)
  const raw: Raw = value
  if (!isPassed(raw, 'id')) refuse(`Id not set for line ${at}`)
  if (!isPassed(raw, 'amount')) refuse(`Amount not set for line ${at}`)
  const amount = decimal(passed(raw, 'amount'), quantityPlaces)
  if (amount === undefined || amount <= 0n) refuse(`Amount must be greater than 0 for line ${at}`)
  if (amount > maxQuantity) refuse(`Amount is too large for line ${at}`)
  return { itemId: id(passed(raw, 'id')), amount }
}

export const partRefusals = (words: PartWords): readonly string[] => [
  `No ${idField(words.of)} in input`,
  dateRefusal,
  'Lines is not an array',
  nothingTo(words),
  'Line <n> must be an object',
  'Id not set for line <n>',
  'Amount not set for line <n>',
  'Amount must be greater than 0 for line <n>',
  'Amount is too large for line <n>',
  missing(words.of),
  isCanceled(words),
  isDone(words),
  `Line <n> names an item that is not in the ${words.of.noun}`,
  `Only <n> left to ${words.verb} of product with SKU "<sku>"`,
]

/** The parts with one more, or a refusal in the words of the document. Statuses are those of sales and purchases: 3 done, 4 canceled. */
export function withPart(
  words: PartWords,
  document: { readonly status: number; readonly lines: readonly DocumentLine[] },
  parts: readonly Part[],
  goods: readonly Wanted[],
  day: string,
  items: Items,
): Part[] {
  if (document.status === 4) refuse(isCanceled(words))
  if (document.status === 3) refuse(isDone(words))
  const left = new Map(leftOf(document.lines, parts))
  const part = 1 + parts.reduce((last, one) => Math.max(last, one.part), 0)
  const added = new Map<number, Part>()
  for (const [at, { itemId, amount }] of goods.entries()) {
    if (!document.lines.some((line) => line.itemId === itemId))
      refuse(`Line ${at} names an item that is not in the ${words.of.noun}`)
    const there = left.get(itemId) ?? 0n
    if (amount > there) refuse(`Only ${shownQuantity(there)} left to ${words.verb} of ${toldItem(items.load(itemId))}`)
    left.set(itemId, there - amount)
    added.set(itemId, { part, date: day, itemId, amount: (added.get(itemId)?.amount ?? 0n) + amount })
  }
  return [...parts, ...added.values()]
}

const toldItem = ({ kind, sku, id: itemId }: Item): string =>
  `${kind} with ${sku === '' ? `id ${itemId}` : `SKU "${sku}"`}`
