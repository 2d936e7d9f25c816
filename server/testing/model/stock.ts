// The model's stock: what the present state of every sale calls for, and what goods are worth.

import { divide, type Quantity, toMoney, type Value, worth } from '../../kernel/decimal.ts'
import { type Cost, type Kind, type Left, type Line, type Sale, type State, sum, undetermined } from './state.ts'

export type Level = { storage: number; item: number; on_hand: Quantity; reserved: Quantity }

const storageOf = (sale: Sale, kind: Kind): number =>
  kind === 'product' ? sale.products_storage_id : sale.materials_storage_id

type Goods = { item: number; kind: Kind; amount: Quantity }

/** The items of a sale, each once, with what all its lines come to. */
export function goodsOf(lines: readonly Line[]): Goods[] {
  return [...Map.groupBy(lines, (line) => line.item).values()].map((same) => ({
    item: same[0]?.item ?? 0,
    kind: same[0]?.kind ?? 'product',
    amount: sum(same, (line) => line.amount),
  }))
}

const shippedOf = (sale: Sale, item: number): Quantity =>
  sum(
    sale.shipments.filter((one) => one.item === item),
    (one) => one.amount,
  )

/** Levels are sums: of what was received, less what has left, and of what is promised. Those of nothing are left out. */
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

/** After a change of quantity: nothing is worth nothing, something is worth its value. */
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
    settle(state, item, next, value + worth(amount, unitCost), average)
    return
  }
  // Its own cost is the average, and the average is the value over the quantity: a millionth may lie between, of what is there and of what is owed.
  const isOpen =
    divide(worth(amount, unitCost) * next, amount) !== worth(next, unitCost) ||
    (next > 0n && divide(worth(next, unitCost) * 1_000n, next) !== unitCost)
  if (isOpen) undetermined('which millionth to keep')
  state.costs[item] = { on_hand: next, value: worth(next, unitCost), average: unitCost }
}

/** What leaves, by the present state of the sale. */
function leaving(sale: Sale): Omit<Left, 'value'>[] {
  const goods = goodsOf(sale.lines)
  if (sale.status === 3)
    return goods.map(({ item, kind, amount }) => ({
      item,
      storage: storageOf(sale, kind),
      date: sale.deducted,
      amount,
    }))
  if (sale.status !== 2) return []
  return sale.shipments.map(({ item, date, amount }) => {
    const kind = goods.find((one) => one.item === item)?.kind ?? 'product'
    return { item, storage: storageOf(sale, kind), date, amount }
  })
}

const placesOf = (left: readonly Omit<Left, 'value'>[]): string =>
  [...Map.groupBy(left, ({ storage, date }) => `${storage} ${date}`)]
    .map(([place, here]) => `${place} ${sum(here, (one) => one.amount)}`)
    .sort()
    .join()

/** Makes the goods of a sale leave and come back as its state now calls for. Lines whose goods leave get their cost anew. */
export function post(state: State, sale: Sale): void {
  const called = leaving(sale)
  const items = new Set([...sale.left, ...called].map((one) => one.item))
  const next: Left[] = []
  for (const item of items) {
    const before = sale.left.filter((one) => one.item === item)
    const after = called.filter((one) => one.item === item)
    if (placesOf(before) === placesOf(after)) next.push(...before)
    else if (after.length === 0) undo(state, sale, item, before)
    else next.push(...issue(state, sale, item, before, after))
  }
  sale.left = next
}

function undo(state: State, sale: Sale, item: number, before: readonly Left[]): void {
  // Rows of several days come back one by one, and on the way the quantity may pass zero.
  if (before.length > 1 || sale.inParts) requireSteady(state, item, before)
  const { on_hand, value, average } = costOf(state, item)
  const amount = sum(before, (one) => one.amount)
  const back =
    state.fault === 'an undo is worth the average of its moment'
      ? worth(amount, average)
      : sum(before, (one) => one.value)
  settle(state, item, on_hand + amount, value + back, average)
}

function issue(state: State, sale: Sale, item: number, before: readonly Left[], after: Omit<Left, 'value'>[]): Left[] {
  // Of goods that already left, some or all leave otherwise. Whether that undoes all and issues anew or only posts what
  // differs shows in the value alone, and only where the average has moved since.
  const lines = sale.lines.filter((line) => line.item === item)
  if (before.length > 0 || sale.status === 2) requireSteady(state, item, before, lines)
  const { on_hand, value, average } = costOf(state, item)
  const left = after.map((one) => ({ ...one, value: worth(one.amount, average) }))
  const byLine = sum(lines, (line) => worth(line.amount, average))
  const byItem = sum(left, (one) => one.value)
  if (sale.status === 3 && byLine !== byItem) undetermined('whether an item is issued line by line')
  for (const line of lines) line.cost = lineCost(state, item, line.amount)
  const amount = sum(after, (one) => one.amount) - sum(before, (one) => one.amount)
  const gone = byItem - sum(before, (one) => one.value)
  settle(state, item, on_hand - amount, value - gone, average)
  return left
}

/** The average is exact, and what has left and the lines cost just that: then every way of posting comes to the same. */
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

export const lineCost = (state: State, item: number, amount: Quantity): bigint =>
  toMoney(worth(amount, costOf(state, item).average))
