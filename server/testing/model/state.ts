// A small model of one company, written from the rules of the interface and from nothing else: what must be remembered between
// two requests. No file of the model may import what it is compared with.

import type { Money, Quantity, Value } from '../../kernel/decimal.ts'

export type Kind = 'product' | 'material'

export type Item = {
  id: number
  kind: Kind
  sku: string
  alternatives: string[]
  name: string
  unit: string
  deleted: boolean
}

export const contactFields = [
  'email',
  'phone',
  'address_real',
  'address_legal',
  'agreement',
  'manager_name',
  'manager_post',
  'notes',
] as const
export type ContactField = (typeof contactFields)[number]

export type Customer = { id: number; name: string; deleted: boolean } & Record<ContactField, string>
export type Storage = { id: number; name: string; deleted: boolean }
export type Line = { item: number; kind: Kind; amount: Quantity; total: Money; cost: Money }

/** What has left for a sale: how much of an item, on which day, from where, and what it was worth. */
export type Left = { item: number; storage: number; date: string; amount: Quantity; value: Value }

export type Sale = {
  id: number
  num: string
  status: number
  payment: number
  date_placed: string
  /** Empty when unset. */
  date_shipped: string
  delivery_price: Money
  discount: Money
  production: boolean
  notes: string
  products_storage_id: number
  materials_storage_id: number
  customer_id: number
  lines: Line[]
  /** Of a shipped sale: the day its goods left. */
  deducted: string
  /** Shipped whole after parts of it had been: on which days the goods of such a sale left, the rules leave open. */
  inParts: boolean
  /** Of a partly shipped sale. */
  shipments: { item: number; date: string; amount: Quantity }[]
  left: Left[]
}

export type Production = {
  num: string
  sale: number | null
  started: boolean
  lines: { item: number; amount: Quantity }[]
}

export type Cost = { on_hand: Quantity; value: Value; average: Value }

/** A model that is wrong on purpose, to show that the comparison can fail. */
export const faults = [
  'a canceled sale still reserves',
  'a skipped line is not told',
  'an edit forgets the number prefix',
  'an edited shipping date leaves the deduction where it was',
  'leaving Canceled makes no production',
  'an undo is worth the average of its moment',
] as const
export type Fault = (typeof faults)[number]

export type State = {
  fault: Fault | undefined
  today: string
  number_prefix: string
  default_sale_status: number
  materials_in_sales: boolean
  products_storage_id: number
  materials_storage_id: number
  items: Item[]
  customers: Customer[]
  storages: Storage[]
  sales: Sale[]
  productions: Production[]
  received: { item: number; storage: number; amount: Quantity }[]
  costs: Record<number, Cost>
  lastSaleId: number
  lastProduction: number
}

/** What a request is answered with. */
export type Reply = { status: number; body: unknown }
export type Outcome = { state: State; reply: Reply }

export class Refused extends Error {}

/** The rules leave more than one outcome: such a request is not sent. */
export class Undetermined extends Error {}

export function refuse(text: string): never {
  throw new Refused(text)
}

export function undetermined(why: string): never {
  throw new Undetermined(why)
}

export function findSale(state: State, id: number): Sale {
  return state.sales.find((sale) => sale.id === id) ?? refuse('Order not found or access denied')
}

export function itemOf(state: State, id: number): Item {
  const item = state.items.find((one) => one.id === id)
  if (item === undefined) throw new Error(`the model has no item ${id}`)
  return item
}

export const sum = <T>(list: readonly T[], of: (one: T) => bigint): bigint =>
  list.reduce((total, one) => total + of(one), 0n)
