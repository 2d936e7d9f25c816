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
import { capitalized, decimal, isObject, isPassed } from '../kernel/field.ts'
import { idsOf, type Named, readNamed, skusOf } from '../kernel/named.ts'
import { refuse } from '../kernel/refusal.ts'
import type { LineKind } from './items.ts'

export const mostLines = 5_000

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
    const { named, label } = readNamed(line) ?? refuse(`SKU or id not set for ${kind} ${at}`)
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
  const named = (kind: LineKind): Named[] => lines.filter((line) => line.kind === kind).map((line) => line.named)
  return {
    ids: idsOf(lines.map((line) => line.named)),
    productSkus: skusOf(named('product')),
    materialSkus: skusOf(named('material')),
  }
}
