// The model's stock: the movements that the current state of every sale calls for, and the value of goods.

import { divide, type Quantity, type Value, valueAt } from '../../kernel/decimal.ts'
import { type Cost, type Kind, type Left, type Line, type Sale, type State, sum, undetermined } from './state.ts'

export type Level = { storage: number; item: number; on_hand: Quantity; reserved: Quantity }

const storageOf = (sale: Sale, kind: Kind): number =>
  kind === 'product' ? sale.products_storage_id : sale.materials_storage_id

type Goods = { item: number; kind: Kind; amount: Quantity }

/** The items of a sale, each once, with the total of all its lines. */
export function goodsOf(lines: readonly Line[]): Goods[] {
  return [...Map.groupBy(lines, (line) => line.item).values()].map((same) => ({
    item: same[0]?.item ?? 0,
    kind: same[0]?.kind ?? 'product',
    amount: sum(same, (line) => line.amount),
  }))
}

export const shippedOf = (sale: Sale, item: number): Quantity =>
  sum(
    sale.shipments.filter((one) => one.item === item),
    (one) => one.amount,
  )

/** Levels are sums: receipts less issues, and reservations. Zero levels are left out. */
export function levels(state: State): Level[] {
  const found = new Map<string, Level>()
  const at = (storage: number, item: number): Level => {
    const key = `${storage}/${item}`
    const level = found.get(key) ?? { storage, item, on_hand: 0n, reserved: 0n }
    found.set(key, level)
    return level
  }
  for (const { storage, item, amount } of state.received) at(storage, item).on_hand += amount
  for (const sale of state.sales) {
    for (const { storage, item, amount } of sale.left) at(storage, item).on_hand -= amount
    for (const { item, kind, amount } of goodsOf(sale.lines)) {
      const isPromised = sale.status < 2 || (sale.status === 4 && state.fault === 'a canceled sale still reserves')
      const open = isPromised ? amount : sale.status === 2 ? amount - shippedOf(sale, item) : 0n
      at(storageOf(sale, kind), item).reserved += open
    }
  }
  return [...found.values()].filter((level) => level.on_hand !== 0n || level.reserved !== 0n)
}

export const costOf = (state: State, item: number): Cost => state.costs[item] ?? { on_hand: 0n, value: 0n, average: 0n }

/** After a change of quantity: a quantity of zero has no value, and any other has the recorded value. */
function settle(state: State, item: number, on_hand: Quantity, value: Value, average: Value): void {
  if (on_hand > 0n && value < 0n) undetermined('how an average is kept from being negative')
  state.costs[item] = {
    on_hand,
    value: on_hand === 0n ? 0n : value,
    average: on_hand > 0n ? divide(value * 1_000n, on_hand) : average,
  }
}

export function receive(state: State, item: number, storage: number, amount: Quantity, unitCost: Value): void {
  const { on_hand, value, average } = costOf(state, item)
  const next = on_hand + amount
  state.received.push({ item, storage, amount })
  if (on_hand > 0n) {
    settle(state, item, next, value + valueAt(amount, unitCost), average)
    return
  }
  // Its own cost is the average, and the average is the value divided by the quantity: they may differ by a millionth, for positive and negative stock.
  const isOpen =
    divide(valueAt(amount, unitCost) * next, amount) !== valueAt(next, unitCost) ||
    (next > 0n && divide(valueAt(next, unitCost) * 1_000n, next) !== unitCost)
  if (isOpen) undetermined('which millionth to keep')
  state.costs[item] = { on_hand: next, value: valueAt(next, unitCost), average: unitCost }
}

/** The issues that the current state of the sale calls for: shipments on their dates, and the rest of a shipped sale on its deduction date. */
function leaving(sale: Sale): Omit<Left, 'value'>[] {
  if (sale.status !== 2 && sale.status !== 3) return []
  return goodsOf(sale.lines).flatMap(({ item, kind, amount }) => {
    const storage = storageOf(sale, kind)
    const parts = sale.shipments
      .filter((one) => one.item === item)
      .map(({ date, amount: shipped }) => ({ item, storage, date, amount: shipped }))
    const rest = amount - shippedOf(sale, item)
    return sale.status === 3 && rest > 0n ? [...parts, { item, storage, date: sale.deducted, amount: rest }] : parts
  })
}

const placesOf = (left: readonly Omit<Left, 'value'>[]): string =>
  [...Map.groupBy(left, ({ storage, date }) => `${storage} ${date}`)]
    .map(([place, here]) => `${place} ${sum(here, (one) => one.amount)}`)
    .sort()
    .join()

/** Issues and returns the goods of a sale as its state now calls for. Lines whose goods are issued get a new cost. */
export function post(state: State, sale: Sale): void {
  const called = leaving(sale)
  const items = new Set([...sale.left, ...called].map((one) => one.item))
  const next: Left[] = []
  for (const item of items) {
    const before = sale.left.filter((one) => one.item === item)
    const after = called.filter((one) => one.item === item)
    if (placesOf(before) === placesOf(after)) next.push(...before)
    else if (after.length === 0) undo(state, item, before)
    else if (amountOf(before) === amountOf(after)) next.push(...move(state, item, before, after))
    else next.push(...issue(state, sale, item, before, after))
  }
  sale.left = next
}

const amountOf = (left: readonly Omit<Left, 'value'>[]): Quantity => sum(left, (one) => one.amount)

/** The same goods on another date or from another storage location keep the value they were issued with, and so does the cost of their item. */
function move(state: State, item: number, before: readonly Left[], after: readonly Omit<Left, 'value'>[]): Left[] {
  const moved = after.map((one) => {
    const from = before.filter((old) => before.length === 1 || old.date === one.date)
    const same = after.filter((other) => after.length === 1 || other.date === one.date)
    if (from.length !== 1 || same.length !== 1 || from[0]?.amount !== one.amount)
      undetermined('which of several shipments has moved where')
    return { ...one, value: from[0].value }
  })
  if (state.fault !== 'moved goods get a new cost') return moved
  const { on_hand, value, average } = costOf(state, item)
  const anew = moved.map((one) => ({ ...one, value: valueAt(one.amount, average) }))
  settle(state, item, on_hand, value + sum(moved, (one) => one.value) - sum(anew, (one) => one.value), average)
  return anew
}

function undo(state: State, item: number, before: readonly Left[]): void {
  // Rows of several days are returned one by one, and the quantity may pass zero in between.
  if (before.length > 1) requireSteady(state, item, before)
  const { on_hand, value, average } = costOf(state, item)
  const amount = sum(before, (one) => one.amount)
  const back =
    state.fault === 'an undo has the value of the current average'
      ? valueAt(amount, average)
      : sum(before, (one) => one.value)
  settle(state, item, on_hand + amount, value + back, average)
}

function issue(state: State, sale: Sale, item: number, before: readonly Left[], after: Omit<Left, 'value'>[]): Left[] {
  // Part or all of the goods already issued are issued differently. Whether this undoes all and issues again or only posts the
  // difference affects only the value, and only if the average has changed since.
  const lines = sale.lines.filter((line) => line.item === item)
  if (before.length > 0 || sale.status === 2) requireSteady(state, item, before, lines)
  const { on_hand, value, average } = costOf(state, item)
  const left = after.map((one) => ({ ...one, value: valueAt(one.amount, average) }))
  const byLine = sum(lines, (line) => valueAt(line.amount, average))
  const byItem = sum(left, (one) => one.value)
  if (sale.status === 3 && byLine !== byItem) undetermined('whether an item is issued line by line')
  for (const line of lines) line.cost = lineCost(state, item, line.amount)
  const amount = sum(after, (one) => one.amount) - sum(before, (one) => one.amount)
  const gone = byItem - sum(before, (one) => one.value)
  settle(state, item, on_hand - amount, value - gone, average)
  return left
}

/** The average is exact and equals the cost of the issued goods and of the lines: then every way of posting gives the same result. */
export function requireSteady(state: State, item: number, left: readonly Left[], lines: readonly Line[] = []): void {
  const { on_hand, value, average } = costOf(state, item)
  const isExact = (amount: Quantity, of: Value): boolean => amount * average === of * 1_000n
  const isSteady =
    average % 1_000n === 0n &&
    isExact(on_hand, value) &&
    left.every((one) => isExact(one.amount, one.value)) &&
    lines.every((line) => line.cost === lineCost(state, item, line.amount))
  if (!isSteady) undetermined('the value of goods that leave otherwise than before')
}

export const lineCost = (state: State, item: number, amount: Quantity): Value =>
  valueAt(amount, costOf(state, item).average)
