// What one event changed, field by field in readable form: labels for codes, names for ids, old and new value.

import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { day, empty, money, quantity, text } from '../format.ts'
import { messages } from '../messages.ts'
import classes from './history-change.module.css'
import { type RecordKind, RecordName } from './record-select.tsx'
import { paymentLabel, stateLabel } from './state-badge.tsx'

const texts = messages.history

/** `[before, after]` for a changed field; the plain value when the record was created or deleted. */
type Change = Readonly<Record<string, unknown>>
type Line = { readonly item_id: number; readonly amount: string; readonly total?: string }
/** Number of the shipment or receipt, day, item, quantity. */
type PartEntry = readonly [part: number, date: string, itemId: number, amount: string]
/** Index in the request, kind of the item, how it was named, its code, connection, quantity, total. */
type SkippedEntry = readonly [number, string, string, code: string, number, amount: string, total: string]
type NameOf = (itemId: number) => string | undefined

const moneyFields = new Set(['price', 'total', 'cost', 'delivery_price', 'discount', 'unit_cost'])
const names: Readonly<Record<string, RecordKind>> = {
  customer_id: 'customers',
  supplier_id: 'suppliers',
  unit_id: 'units',
  products_storage_id: 'storages',
  materials_storage_id: 'storages',
  storage_id: 'storages',
  storage_from_id: 'storages',
  storage_to_id: 'storages',
}
const stated = ['sale', 'quote', 'purchase', 'production', 'transfer', 'audit'] as const
const labels: Readonly<Record<string, string>> = texts.field

const isPair = (value: unknown): value is [unknown, unknown] => Array.isArray(value) && value.length === 2

export function HistoryChange({ record, change, nameOf }: { record: string; change: Change; nameOf: NameOf }) {
  const isWhole = !Object.values(change).every(isPair)
  const rows = Object.entries(labels).flatMap(([field, label]) => {
    if (!(field in change)) return []
    const value = change[field]
    const [before, after] = isWhole ? [undefined, value] : (value as [unknown, unknown])
    const shown = shownChange(record, field, before, after, isWhole, nameOf)
    return shown === undefined ? [] : [{ field, label, shown }]
  })
  if (rows.length === 0)
    return (
      <Text fz="sm" c="dimmed">
        {texts.nothing}
      </Text>
    )
  return (
    <dl className={classes['change']}>
      {rows.map(({ field, label, shown }) => (
        <Fragment key={field}>
          <dt>{label}</dt>
          <dd>{shown}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function shownChange(
  record: string,
  field: string,
  before: unknown,
  after: unknown,
  isWhole: boolean,
  nameOf: NameOf,
): ReactNode {
  if (field === 'lines') return <LinesChange before={arrayOf(before)} after={arrayOf(after)} nameOf={nameOf} />
  if (field === 'shipments' || field === 'receipts')
    return partsChange(arrayOf<PartEntry>(before), arrayOf<PartEntry>(after), nameOf)
  const now = shownValue(record, field, after)
  if (isWhole) return isBlank(after) ? undefined : now
  return (
    <>
      <span className={classes['was']}>{shownValue(record, field, before)}</span> → {now}
    </>
  )
}

const arrayOf = <T,>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : [])
const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === false || Number(value) === 0

function shownValue(record: string, field: string, value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return empty
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (field === 'skipped') return skippedText(arrayOf<SkippedEntry>(value))
  if (field === 'tax') return money((value as { readonly tax: string }).tax)
  if (Array.isArray(value)) return value.length === 0 ? empty : value.join(', ')
  const of = stated.find((kind) => kind === record)
  if (field === 'status' && of !== undefined) return stateLabel(of, Number(value))
  if (field === 'payment') return paymentLabel(Number(value))
  if (moneyFields.has(field)) return money(value as string)
  const kind = names[field]
  if (kind !== undefined) return <RecordName of={kind} id={Number(value)} />
  if (field.startsWith('date') || field === 'valid_until') return day(String(value))
  return text(value as string | number)
}

function ItemName({ id, nameOf }: { id: number; nameOf: NameOf }) {
  return nameOf(id) ?? <RecordName of="items" id={id} />
}

const maxLines = 8

/** The skipped lines, each with the code that was sent. */
function skippedText(lines: readonly SkippedEntry[]): string {
  const shown = lines.slice(0, maxLines).map(([, , , code, , amount]) => `${quantity(amount)} × ${code}`)
  return [...shown, ...(lines.length > maxLines ? [texts.and(lines.length - maxLines)] : [])].join(', ')
}

function LinesChange({ before, after, nameOf }: { before: Line[]; after: Line[]; nameOf: NameOf }) {
  const was = sums(before)
  const is = sums(after)
  const ids = [...new Set([...was.keys(), ...is.keys()])].filter((id) => was.get(id)?.key !== is.get(id)?.key)
  return (
    <ul className={classes['lines']}>
      {ids.slice(0, maxLines).map((id) => (
        <li key={id}>
          <Was of={was.get(id)} is={is.get(id)} show={({ amount }) => quantity(amount)} /> ×{' '}
          <ItemName id={id} nameOf={nameOf} />
          {(is.get(id) ?? was.get(id))?.total !== undefined && (
            <span className={classes['money']}>
              <Was of={was.get(id)} is={is.get(id)} show={({ total }) => money(total)} />
            </span>
          )}
        </li>
      ))}
      {ids.length > maxLines && <li>{texts.and(ids.length - maxLines)}</li>}
    </ul>
  )
}

type Sum = { readonly amount: number; readonly total: number | undefined; readonly key: string }

/** Old and new value, or a single value when they are equal. */
function Was({ of, is, show }: { of: Sum | undefined; is: Sum | undefined; show: (sum: Sum) => string }) {
  const [before, after] = [of && show(of), is && show(is)]
  if (before === after || before === undefined) return after
  return (
    <>
      <span className={classes['was']}>{before}</span>
      {after !== undefined && ` → ${after}`}
    </>
  )
}

/** An item may occur on several lines: their quantities are added up. */
function sums(lines: readonly Line[]): Map<number, Sum> {
  const all = Map.groupBy(lines, ({ item_id }) => item_id)
  return new Map(
    [...all].map(([id, of]) => {
      const amount = of.reduce((sum, line) => sum + Number(line.amount), 0)
      const isPriced = of.every(({ total }) => total !== undefined)
      const total = isPriced ? of.reduce((sum, line) => sum + Number(line.total), 0) : undefined
      return [id, { amount, total, key: `${amount} ${total}` }]
    }),
  )
}

/** The shipments or receipts added by the change, or those reversed. */
function partsChange(before: readonly PartEntry[], after: readonly PartEntry[], nameOf: NameOf): ReactNode {
  const known = new Set(before.map((part) => JSON.stringify(part)))
  const come = after.filter((part) => !known.has(JSON.stringify(part)))
  if (come.length === 0) return before.length > after.length ? `${before.length} → ${after.length}` : undefined
  return (
    <ul className={classes['lines']}>
      {come.slice(0, maxLines).map(([part, date, id, amount]) => (
        <li key={`${part} ${id}`}>
          {quantity(amount)} × <ItemName id={id} nameOf={nameOf} />, {day(date)}
        </li>
      ))}
      {come.length > maxLines && <li>{texts.and(come.length - maxLines)}</li>}
    </ul>
  )
}
