// The model's documents: what each of them books in each status, and what changing it does.

import { divide, type Quantity, toMoney, type Value, valueAt } from '../../../kernel/decimal.ts'
import {
  book,
  booked,
  costOf,
  type Document,
  itemOf,
  type Line,
  open,
  type Section,
  type State,
  storageOf,
  sum,
  undo,
  worth,
} from './state.ts'

const received = 3

/** Goods that come at their own cost, or that only go. */
function bookLines(state: State, document: Document, lines: readonly Line[], sign: 1n | -1n): void {
  for (const line of lines) {
    const { item, amount, cost } = line
    const row = { ...rowOf(document), item, storage: storageOf(state, document, item), amount: sign * amount }
    if (sign === 1n) book(state, row, cost, true)
    else line.cost = -book(state, row, undefined, false)
  }
}

const rowOf = ({ section, id, date }: Document) => ({ section, document: id, part: 0 as const, date })

/** Components leave, and the products come at the value of what was used. */
function produce(state: State, document: Document): void {
  for (const { item, amount } of document.lines) {
    const { components, labour } = itemOf(state, item)
    const used = components.map((component) => {
      const storage = storageOf(state, document, component.item)
      const taken = divide(component.amount * amount, 1_000n)
      return -book(state, { ...rowOf(document), item: component.item, storage, amount: -taken }, undefined, false)
    })
    const value = sum(used, (one) => one) + valueAt(amount, labour)
    book(state, { ...rowOf(document), part: 1, item, storage: document.storages.products, amount }, value, true)
  }
}

function send(state: State, document: Document): void {
  for (const line of document.lines) {
    const { item, amount } = line
    line.cost = -book(
      state,
      { ...rowOf(document), item, storage: document.storages.from, amount: -amount },
      undefined,
      false,
    )
  }
}

/** Goods reach their destination with the value they left with. */
function reach(state: State, document: Document): void {
  for (const row of booked(state, document).filter(({ part }) => part === 0)) {
    const place = { part: 1 as const, storage: document.storages.to, date: document.reached, amount: -row.amount }
    book(state, { ...rowOf(document), item: row.item, ...place }, -row.value, false)
  }
}

/** A surplus comes at the cost that was entered, or that is known while there is no average; all else is worth the average. */
function correct(state: State, document: Document): void {
  const ownCosts = new Map(document.lines.map((line) => [line, surplusCost(state, line)]))
  for (const line of document.lines) {
    const { item, amount, expected } = line
    if (amount === expected) continue
    const row = { ...rowOf(document), item, storage: document.storages.products, amount: amount - expected }
    const own = ownCosts.get(line)
    line.cost = book(state, row, own === undefined ? undefined : valueAt(row.amount, own), own !== undefined)
  }
}

/** The cost of one unit of a surplus that is not its average. */
function surplusCost(state: State, { item, amount, expected, unitCost }: Line): Value | undefined {
  if (amount <= expected) return undefined
  if (unitCost !== undefined) return unitCost
  if (costOf(state, item).average !== 0n || state.fault === 'a surplus without an average is worth nothing')
    return undefined
  const { kind, price, components } = itemOf(state, item)
  const cost = kind === 'material' ? price : components.length === 0 ? 0n : planned(state, item)
  // A planned cost is in whole cents.
  return cost === undefined || cost === 0n ? undefined : kind === 'material' ? cost : toMoney(cost) * 10_000n
}

/** What one of it costs by its components; unknown if one of them has no cost. */
function planned(state: State, id: number): Value | undefined {
  const { kind, components, labour, price } = itemOf(state, id)
  const { average } = costOf(state, id)
  if (components.length === 0) return (average !== 0n ? average : kind === 'material' ? price : 0n) || undefined
  const costs = components.map(({ item, amount }) => {
    const one = planned(state, item)
    return one === undefined ? undefined : valueAt(amount, one)
  })
  return costs.includes(undefined) ? undefined : labour + sum(costs, (cost) => cost ?? 0n)
}

/** Books what the new status calls for, and takes back what it no longer calls for. */
export function enter(state: State, document: Document, status: number): void {
  const before = document.status
  document.status = status
  if (document.section === 'transfers') {
    const stage = (one: number): number => (one === received ? 2 : one === 1 ? 1 : 0)
    if (stage(status) < 1 && stage(before) > 0) undo(state, document)
    else if (stage(status) === 1 && stage(before) === 2) undo(state, document, [1])
    if (stage(status) > 0 && stage(before) === 0) send(state, document)
    if (stage(status) === 2 && stage(before) < 2) reach(state, document)
    return
  }
  if (before === received && status !== received) undo(state, document)
  if (status !== received || before === received) return
  if (document.section === 'purchases') bookLines(state, document, document.lines, 1n)
  else if (document.section === 'productions') produce(state, document)
  else if (document.section === 'audits') correct(state, document)
  else bookLines(state, document, document.lines, -1n)
}

/** The cost of a line before its goods have moved. */
export function plannedCost(state: State, section: Section, line: Line): Value {
  const { item, amount, expected } = line
  const own = section === 'audits' ? surplusCost(state, line) : undefined
  return own === undefined ? worth(state, item, amount - expected) : valueAt(amount - expected, own)
}

/** What is on hand at a storage location. */
export const onHandAt = (state: State, item: number, storage: number): Quantity =>
  sum(
    state.rows.filter((row) => row.item === item && row.storage === storage),
    (row) => row.amount,
  )

/** Every line of an open audit is counted again, with the same figures or others. */
export function countAgain(state: State, audit: Document, counted: (line: Line) => Quantity): void {
  if (audit.status === received) open('counting again what was booked already')
  for (const line of audit.lines) {
    line.amount = counted(line)
    if (state.fault !== 'counting again keeps what was expected')
      line.expected = onHandAt(state, line.item, audit.storages.products)
    line.cost = plannedCost(state, 'audits', line)
  }
}

export function remove(state: State, document: Document): void {
  undo(state, document)
  state.documents = state.documents.filter((one) => one !== document)
}

/**
 * What a purchase must say about the costs of its lines, in cents: delivery and discount are spread over the positive lines in proportion to
 * their totals, to the cent in some order, and the costs add up to the total. The differences in words.
 */
export function wrongCosts(state: State, purchase: Document, costs: readonly bigint[], adjustment: bigint): string[] {
  const isNegativeToo = state.fault === 'a negative line takes a share of delivery and discount'
  const takes = ({ total }: Line): boolean => total > 0n || isNegativeToo
  const all = sum(purchase.lines.filter(takes), (line) => line.total)
  const wrong: string[] = []
  for (const [at, line] of purchase.lines.entries()) {
    const share = (costs[at] ?? 0n) - line.total
    const exact = takes(line) && all !== 0n ? divide(purchase.extra * line.total * 100n, all) : 0n
    const difference = share * 100n - exact
    if (difference > 100n || difference < -100n || (exact === 0n && share !== 0n && !takes(line)))
      wrong.push(`line ${at} takes ${share} cents and should take ${exact} hundredths of a cent`)
  }
  const left = purchase.lines.some(takes) ? 0n : purchase.extra
  if (adjustment !== left) wrong.push(`an adjustment of ${adjustment} cents, not ${left}`)
  const total = sum(purchase.lines, (line) => line.total) + purchase.extra
  if (sum(costs, (cost) => cost) + adjustment !== total) wrong.push(`costs that do not add up to ${total} cents`)
  return wrong
}
