// How the model reads a request: values by the rules of values, and refusals in the order of the methods' error tables.

import {
  type Money,
  maxMoney,
  maxQuantity,
  moneyPlaces,
  parseDecimal,
  type Quantity,
  quantityPlaces,
} from '../../kernel/decimal.ts'
import { type ContactField, contactFields, type Kind, Refused, refuse, undetermined } from './state.ts'

export type Body = Record<string, unknown>

/** Trims Unicode White_Space at both ends. */
export const trimmed = (text: string): string => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '')

/** `undefined` for a field that is not sent. */
export const passed = (body: Body, field: string): unknown => body[field] ?? undefined

export function decimal(value: unknown, places: number): bigint | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? parseDecimal(String(value), places) : undefined
  return typeof value === 'string' ? parseDecimal(value.trim(), places) : undefined
}

export function integer(value: unknown): number | undefined {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? Number(value) : undefined
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

/** No record has id 0. */
export const id = (value: unknown): number => Math.max(integer(value) ?? 0, 0)

export function requiredId(body: Body, field: string): number {
  const value = passed(body, field)
  if (value === undefined || value === '') refuse(`No ${field} in input`)
  return id(value)
}

const days = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()

export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number)
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days(year, month)
}

export function date(body: Body, field: string, options: { mayBeEmpty: boolean }): string | undefined {
  const value = passed(body, field)
  if (value === undefined || (options.mayBeEmpty && value === '')) return value
  return isDate(value) ? value : refuse('Date is not a valid date in format YYYY-MM-DD')
}

export function charge(body: Body, field: string): Money | undefined {
  const value = passed(body, field)
  if (value === undefined) return undefined
  const money = decimal(value, moneyPlaces)
  // The sign counts before rounding: -0.001 is below 0, though it rounds to 0.
  const isBelow = Number(value) < 0
  if (money === undefined || isBelow || money > maxMoney)
    refuse(`Invalid ${field} value. Must be a number, 0 or greater`)
  return money
}

/** Not sent is `undefined`; null, "" and 0 are empty. */
export function storage(body: Body, field: string): number | undefined {
  if (!(field in body)) return undefined
  const value = body[field]
  if (value === null || value === '' || value === 0 || value === '0') refuse('Storage ID is not set')
  return id(value)
}

export type SentLine = { kind: Kind; id: number; sku: string; label: string; amount: Quantity; total: Money }

const isNone = (value: unknown): boolean => value === undefined || value === null || value === '' || value === 0

function line(raw: unknown, kind: Kind, n: number): SentLine {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) refuse(`Line ${n} of ${kind}s must be an object`)
  const fields = raw as Body
  if (isNone(fields['id']) && isNone(fields['sku'])) refuse(`SKU or id not set for ${kind} ${n}`)
  const byId = !isNone(fields['id'])
  const sku = byId ? '' : trimmed(String(fields['sku']))
  const label = byId ? `id ${fields['id']}` : `SKU "${sku}"`
  const { amount: sentAmount, total: sentTotal } = fields
  if (sentAmount === undefined || sentAmount === null) refuse(`Amount not set for ${kind} with ${label}`)
  if (sentTotal === undefined || sentTotal === null) refuse(`Total not set for ${kind} with ${label}`)
  const [amount, total] = [decimal(sentAmount, quantityPlaces), decimal(sentTotal, moneyPlaces)]
  const isTooLarge = amount !== undefined && amount > maxQuantity
  const isTooMuch = total !== undefined && (total > maxMoney || total < -maxMoney)
  const isWrong = amount === undefined || amount <= 0n || total === undefined
  if ((isTooLarge || isTooMuch) && (isWrong || (isTooLarge && isTooMuch)))
    undetermined('which fault of a line comes first')
  if (amount === undefined || amount <= 0n) refuse(`Amount must be greater than 0 for ${kind} with ${label}`)
  if (total === undefined) refuse(`Total must be a number for ${kind} with ${label}`)
  if (isTooLarge) refuse(`Amount is too large for ${kind} with ${label}`)
  if (isTooMuch) refuse(`Total is too large for ${kind} with ${label}`)
  return { kind, id: byId ? id(fields['id']) : 0, sku, label, amount, total }
}

export type Arrays = { products: unknown[] | undefined; materials: unknown[] | undefined }

export function arrays(body: Body): Arrays {
  const read = (field: string, name: string): unknown[] | undefined => {
    const value = passed(body, field)
    return value === undefined || Array.isArray(value) ? value : refuse(`${name} is not an array`)
  }
  return { products: read('products', 'Products'), materials: read('materials', 'Materials') }
}

export const lines = ({ products = [], materials = [] }: Arrays): SentLine[] => [
  ...products.map((raw, n) => line(raw, 'product', n)),
  ...materials.map((raw, n) => line(raw, 'material', n)),
]

export type SentCustomer = { id: number } | { name: string; data: Partial<Record<ContactField, string>> }

/** Faults that the error table of a method does not list. They are reported after all listed ones. */
export class Unlisted {
  readonly #found = new Set<string>()

  /** Runs a check now and reports its failure later. */
  check<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#found.add(error.message)
      return undefined
    }
  }

  tell(): void {
    if (this.#found.size > 1) undetermined('which of several unlisted faults comes first')
    for (const text of this.#found) refuse(text)
  }
}

export function text(body: Body, field: string): string | undefined {
  const value = passed(body, field)
  if (value === undefined || typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : refuse(`Invalid ${field} value. Must be a string`)
}

export function flag(body: Body, field: string): boolean | undefined {
  const value = passed(body, field)
  if (value === undefined) return undefined
  if ([1, '1', true, 'true'].includes(value as never)) return true
  if ([0, '0', false, 'false'].includes(value as never)) return false
  return refuse(`Invalid ${field} value. Must be one of: 0, 1`)
}

export const hasCustomerId = (body: Body): boolean =>
  passed(body, 'customer_id') !== undefined && body['customer_id'] !== ''

export function contactData(body: Body, unlisted: Unlisted): Partial<Record<ContactField, string>> {
  const read = contactFields.map((field) => [field, unlisted.check(() => text(body, `customer_${field}`))] as const)
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}
