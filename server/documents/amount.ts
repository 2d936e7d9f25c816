// The total quantity of a document in responses: the sum when all its lines currently share one unit of measure, else null.
// The stored sum (or null) is computed with the units at the time of writing and is valid until the unit of an item of the company changes.
// Only then are units compared again. Comparing them for each document in every list took five times as long as the list itself.

import type { DocumentKind } from './document.ts'

type Kind = Pick<DocumentKind, 'table' | 'linesTable' | 'key' | 'quantity'>

const anyChanged = 'exists (select from items c where c.company_id = :company_id and c.unit_changed)'

const linesOf = ({ linesTable, key }: Kind, document: string): string =>
  `${linesTable} l join items i on i.company_id = :company_id and i.id = l.item_id where l.company_id = :company_id and l.${key} = ${document}`

const summedUp = (kind: Kind): string =>
  `(select case when min(i.unit_id) = max(i.unit_id) then sum(l.${kind.quantity ?? 'amount'}) end from ${linesOf(kind, 'd.id')})`

/** The lines of the documents that meet a condition on `x`, or of all. One pass over all lines is faster than a lookup per document. */
const linesAmong = ({ table, linesTable, key }: Kind, among: string | undefined): string =>
  among === undefined
    ? `${linesTable} l join items i on i.company_id = :company_id and i.id = l.item_id where l.company_id = :company_id`
    : `${table} x join ${linesTable} l on l.company_id = :company_id and l.${key} = x.id join items i on i.company_id = :company_id and i.id = l.item_id
        where ${among} and x.lines > 1`

/**
 * SQL of the quantity of d when many documents are read: all of the company, or those that meet `among`, a condition on `x`. Documents with
 * several units are collected once, as a multirange: a lookup in it takes the same time whatever the planner estimates, and it is
 * built only when needed.
 */
export const amountInList = (kind: Kind, among?: string): string => `case when d.lines > 1 and ${anyChanged} then
    case when (
      select range_agg(int8range(m.id, m.id, '[]')) from (
        select l.${kind.key} as id from ${linesAmong(kind, among)} group by l.${kind.key} having min(i.unit_id) <> max(i.unit_id)) m) @> d.id
    then null else coalesce(d.amount, ${summedUp(kind)}) end
  else d.amount end`

/** A join that provides `shared.amount`, used by the views of documents, for reading one document or one page. */
export const joinAmount = (kind: Kind): string =>
  `cross join lateral (select case when d.lines > 1 and ${anyChanged} then ${summedUp(kind)} else d.amount end) shared (amount)`

/** The same for reading a whole list. */
export const joinAmountInList = (kind: Kind, among?: string): string =>
  `cross join lateral (select ${amountInList(kind, among)}) shared (amount)`
