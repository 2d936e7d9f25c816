// A small model of one company, written only from the rules of the API: the state that is kept between two requests.
// No file of the model may import the code it is compared with.

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
  /** Whether it has components. */
  made: boolean
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
/** The cost is exact; only what is shown of it is rounded. */
export type Line = { item: number; kind: Kind; amount: Quantity; total: Money; cost: Value }

/** Goods issued for a sale: quantity of an item, date, storage location and value. */
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
  /** The lines that were sent and left out because their item was not found: part of the sale, until other lines are sent. */
  skipped: object[]
  /** Of a shipped sale: the date its goods were issued. */
  deducted: string
  /** The partial shipments of a sale that is shipped in part or completely. */
  shipments: { part: number; item: number; date: string; amount: Quantity; tracking: string }[]
  left: Left[]
}

export type Production = {
  num: string
  sale: number | null
  /** The canceled sale that may reclaim it. */
  former: number | null
  /** Planned, in progress or canceled. */
  status: 0 | 1 | 4
  lines: { item: number; amount: Quantity }[]
}

export type Cost = { on_hand: Quantity; value: Value; average: Value }

/** Faults injected into the model, to show that the comparison can fail. */
export const faults = [
  'a canceled sale still reserves',
  'a skipped line is not reported',
  'an edit forgets the number prefix',
  'an edited shipping date leaves the deduction where it was',
  'leaving Canceled creates no production',
  'leaving Canceled orders everything again',
  'a product without components is made',
  'an edit keeps a canceled production',
  'an undo has the value of the current average',
  'moved goods get a new cost',
  'what is left to ship ignores earlier shipments',
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

/** The response to a request. */
export type Reply = { status: number; body: unknown }
export type Outcome = { state: State; reply: Reply }

export class Refused extends Error {}

/** The rules allow more than one outcome: such a request is not sent. */
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
