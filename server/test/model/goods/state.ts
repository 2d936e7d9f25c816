// A model of a company's goods over all documents, written only from the rules of the API: items, documents, the ledger, external ids.
// Amounts are thousandths, money is cents, values are millionths, as in the rules.

import { divide, type Quantity, type Value, valueAt } from '../../../kernel/decimal.ts'

export const sections = ['purchases', 'productions', 'writeoffs', 'transfers', 'audits', 'orders'] as const
export type Section = (typeof sections)[number]

export type Item = {
  readonly id: number
  readonly kind: 'product' | 'material'
  sku: string
  name: string
  components: readonly { readonly item: number; readonly amount: Quantity }[]
  /** Of the resources for one of it. */
  readonly labour: Value
  /** Of a material: its purchase price. */
  readonly price: Value
}

export type Line = {
  readonly item: number
  /** Of an audit: what was counted. */
  amount: Quantity
  readonly total: bigint
  /** Exact. */
  cost: Value
  /** Of an audit: what should have been there when it was counted. */
  expected: Quantity
  /** Of an audit: what one unit of a surplus costs. */
  readonly unitCost: Value | undefined
}

export type Document = {
  readonly section: Section
  readonly id: number
  num: string
  status: number
  /** The day of its effect, and of the second part of a transfer. */
  date: string
  reached: string
  readonly storages: {
    readonly products: number
    readonly materials: number
    readonly from: number
    readonly to: number
  }
  lines: Line[]
  /** Of a purchase: delivery minus discount. */
  readonly extra: bigint
}

/** One row of the ledger. `isValue` marks a change of value without goods. */
export type Row = {
  readonly section: Section
  readonly document: number
  /** The second part of a document is booked after the first: what a transfer or production receives. */
  readonly part: 0 | 1
  readonly item: number
  readonly storage: number
  readonly date: string
  readonly amount: Quantity
  readonly value: Value
  readonly isValue: boolean
}

export type Cost = { readonly onHand: Quantity; readonly value: Value; readonly average: Value }

/** Faults injected into the model, to show that the comparison can fail. */
export const faults = [
  'a negative line takes a share of delivery and discount',
  'goods in transit are nowhere',
  'counting again keeps what was expected',
  'the lines of a sale are rounded one by one',
  'an undo has the value of the current average',
  'a past day has the current average',
  'connections share their external ids',
  'an upsert does not free the old SKU',
  'an automatic number may exist',
  'a dry run is real',
  'a surplus without an average is worth nothing',
] as const
export type Fault = (typeof faults)[number]

export type State = {
  fault: Fault | undefined
  readonly storages: readonly number[]
  items: Item[]
  documents: Document[]
  rows: Row[]
  costs: Map<number, Cost>
  /** By connection and kind: external id → id. */
  external: Map<string, number>
  /** By section: the last id, the last automatic number, and every number that a document ever had. */
  numbers: Map<Section, Numbers>
}

type Numbers = { readonly lastId: number; readonly last: number; readonly given: ReadonlySet<string> }

/** A request, the part of its response that the model predicts, and the state after it. */
export type Planned = {
  readonly path: string
  readonly body: object
  readonly isDryOnly?: boolean
  readonly expected: object
  /** The new document, whose number and costs are still to be compared. */
  readonly added?: Document
  readonly state: State
}

/** The rules leave open what such a request does: it is not sent. */
export class Open extends Error {}
export function open(why: string): never {
  throw new Open(why)
}

export const sum = <T>(list: readonly T[], of: (one: T) => bigint): bigint =>
  list.reduce((total, one) => total + of(one), 0n)

export function itemOf(state: State, id: number): Item {
  const item = state.items.find((one) => one.id === id)
  if (item === undefined) throw new Error(`the model has no item ${id}`)
  return item
}

export const costOf = (state: State, item: number): Cost =>
  state.costs.get(item) ?? { onHand: 0n, value: 0n, average: 0n }
export const worth = (state: State, item: number, amount: Quantity): Value =>
  valueAt(amount, costOf(state, item).average)

/** Books goods. Without a value they are worth the average. Only goods with a cost of their own set the average of an item without stock. */
export function book(
  state: State,
  row: Omit<Row, 'value' | 'isValue'>,
  given: Value | undefined,
  hasOwnCost: boolean,
): Value {
  const { item, amount } = row
  const cost = costOf(state, item)
  const value = given ?? worth(state, item, amount)
  const onHand = cost.onHand + amount
  let after = cost.value + value
  let average = cost.average
  if (hasOwnCost && cost.onHand <= 0n) {
    const own = value < 0n ? 0n : value
    average = divide(own * 1_000n, amount)
    after = divide(own * onHand, amount)
  } else if (onHand > 0n && after < 0n) after = amount > 0n && value < 0n ? 0n : valueAt(onHand, average)
  if (onHand === 0n) after = 0n
  state.rows.push({ ...row, value, isValue: false })
  const revalued = after - cost.value - value
  if (revalued !== 0n) state.rows.push({ ...row, amount: 0n, value: revalued, isValue: true })
  state.costs.set(item, { onHand, value: after, average: onHand > 0n ? divide(after * 1_000n, onHand) : average })
  return value
}

const isOf =
  ({ section, id }: Document) =>
  (row: Row) =>
    row.section === section && row.document === id

/** What a document has booked, by part, item, storage location and day. */
export function booked(state: State, document: Document): Row[] {
  const rows = state.rows.filter((row) => !row.isValue && isOf(document)(row))
  const groups = Map.groupBy(rows, (row) => `${row.part} ${row.item} ${row.storage} ${row.date}`)
  return [...groups.values()].flatMap((same) => {
    const [first] = same
    const amount = sum(same, (row) => row.amount)
    return first === undefined || amount === 0n ? [] : [{ ...first, amount, value: sum(same, (row) => row.value) }]
  })
}

/** Books the exact opposite, part by part. */
export function undo(state: State, document: Document, parts: readonly (0 | 1)[] = [0, 1]): void {
  const revalued = state.rows.some((row) => row.isValue && isOf(document)(row))
  for (const part of parts)
    for (const { amount, value, ...row } of booked(state, document).filter((one) => one.part === part)) {
      if (revalued && value < 0n && amount > 0n) open('how a value that was kept from falling below zero comes back')
      const back =
        state.fault === 'an undo has the value of the current average' ? worth(state, row.item, -amount) : -value
      book(state, { ...row, amount: -amount }, back, false)
    }
}

export type Level = {
  item: number
  storage: number
  onHand: Quantity
  reserved: Quantity
  transit: Quantity
  transitValue: Value
}

/** The levels, now or at the end of a day. Reservations of past days are not compared. */
export function levels(state: State, day?: string): Level[] {
  const found = new Map<string, Level>()
  const at = (item: number, storage: number): Level => {
    const key = `${item} ${storage}`
    const level = found.get(key) ?? { item, storage, onHand: 0n, reserved: 0n, transit: 0n, transitValue: 0n }
    found.set(key, level)
    return level
  }
  const rows = state.rows.filter((row) => day === undefined || row.date <= day)
  for (const row of rows) at(row.item, row.storage).onHand += row.amount
  for (const document of state.documents) {
    if (document.section === 'orders' && document.status < 3)
      for (const line of document.lines)
        at(line.item, storageOf(state, document, line.item)).reserved += day === undefined ? line.amount : 0n
    if (document.section !== 'transfers' || state.fault === 'goods in transit are nowhere') continue
    for (const row of rows.filter((one) => !one.isValue && isOf(document)(one))) {
      const level = at(row.item, document.storages.to)
      level.transit -= row.amount
      level.transitValue -= row.value
    }
  }
  return [...found.values()].map((level) => (level.transit === 0n ? { ...level, transitValue: 0n } : level))
}

export const storageOf = (state: State, { storages }: Document, item: number): number =>
  itemOf(state, item).kind === 'product' ? storages.products : storages.materials

/** What an item is worth at the end of a day, goods in transit included. */
export function valueOn(state: State, item: number, day: string): Value {
  const rows = state.rows.filter((row) => row.item === item && row.date <= day)
  const transit = sum(
    levels(state, day).filter((level) => level.item === item),
    (level) => level.transitValue,
  )
  if (state.fault === 'a past day has the current average')
    return (
      worth(
        state,
        item,
        sum(rows, (row) => row.amount),
      ) + transit
    )
  return sum(rows, (row) => row.value) + transit
}
