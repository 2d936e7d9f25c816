// Lines of a document as they are sent: reading them by the one rule, with the exact texts of every check.

import {
  formatDecimal,
  type Money,
  maxMoney,
  maxQuantity,
  moneyPlaces,
  type Quantity,
  quantityPlaces,
} from '../kernel/decimal.ts'
import {
  capitalized,
  decimal,
  id,
  integer,
  isObject,
  isPassed,
  nameLength,
  passed,
  textValue,
} from '../kernel/field.ts'
import { NumberText, type Raw } from '../kernel/json.ts'
import { refuse } from '../kernel/refusal.ts'
import type { LineKind } from './items.ts'

export const mostLines = 5_000

export type Named = { readonly id: number } | { readonly sku: string }

export type LineInput = {
  readonly kind: LineKind
  readonly named: Named
  /** How texts name the line's item: `SKU "A-1"` or `id 7`. */
  readonly label: string
  readonly amount: Quantity
  readonly total: Money
}

export function readLines(kind: LineKind, lines: readonly unknown[]): LineInput[] {
  return lines.map((line, at) => {
    if (!isObject(line)) refuse(`Line ${at} of ${kind}s must be an object`)
    const { named, label } = whichItem(kind, line, at)
    const of = `for ${kind} with ${label}`
    if (!isPassed(line, 'amount')) refuse(`Amount not set ${of}`)
    if (!isPassed(line, 'total')) refuse(`Total not set ${of}`)
    const amount = decimal(line['amount'], quantityPlaces)
    if (amount === undefined || amount <= 0n) refuse(`Amount must be greater than 0 ${of}`)
    if (amount > maxQuantity) refuse(`Amount is too large ${of}`)
    const total = decimal(line['total'], moneyPlaces)
    if (total === undefined) refuse(`Total must be a number ${of}`)
    if (total > maxMoney || total < -maxMoney) refuse(`Total is too large ${of}`)
    return { kind, named, label, amount, total }
  })
}

function whichItem(kind: LineKind, line: Raw, at: number): { named: Named; label: string } {
  const given = passed(line, 'id')
  if (given !== undefined && given !== '' && integer(given) !== 0) {
    return { named: { id: id(given) }, label: `id ${shownId(given)}` }
  }
  const value = passed(line, 'sku')
  const sku = value === undefined ? '' : textValue(value, 'sku', { max: nameLength, trim: true })
  if (sku === '') refuse(`SKU or id not set for ${kind} ${at}`)
  return { named: { sku }, label: `SKU "${sku}"` }
}

/** An id that names nothing is shown as it was sent, as far as it can be stored. */
function shownId(value: unknown): string {
  const text =
    value instanceof NumberText ? value.text : typeof value === 'string' ? value.trim() : JSON.stringify(value)
  return text.slice(0, nameLength).toWellFormed().replaceAll('\0', '\ufffd')
}

/** What is told in the notes about a line whose item is not there. */
export function skippedNote(line: LineInput): string {
  const amount = formatDecimal(line.amount, quantityPlaces)
  const total = formatDecimal(line.total, moneyPlaces)
  return `${capitalized(line.kind)} not found: ${line.label}, amount ${amount}, total ${total}`
}

/** What the facts must be asked for so that every line can be found. */
export function lookedUp(lines: readonly LineInput[]): {
  ids: number[]
  productSkus: string[]
  materialSkus: string[]
} {
  const skus = (kind: LineKind): string[] =>
    lines.flatMap((line) => (line.kind === kind && 'sku' in line.named ? [line.named.sku] : []))
  return {
    ids: lines.flatMap((line) => ('id' in line.named ? [line.named.id] : [])),
    productSkus: skus('product'),
    materialSkus: skus('material'),
  }
}
