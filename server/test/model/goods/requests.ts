// The steps as requests, and what they do to the model.

import { formatDecimal } from '../../../kernel/decimal.ts'
import { countAgain, enter, onHandAt, plannedCost, remove } from './documents.ts'
import {
  type Document,
  type Item,
  itemOf,
  type Line,
  levels,
  open,
  type Planned,
  type Section,
  type State,
} from './state.ts'
import { type Act, type AddStep, type DrawnLine, dayAt } from './steps.ts'
import { modelUpsert } from './upserts.ts'

export const idFields: Readonly<Record<Section, string>> = {
  purchases: 'purchase_id',
  productions: 'production_id',
  writeoffs: 'writeoff_id',
  transfers: 'transfer_id',
  audits: 'audit_id',
  orders: 'order_id',
}
export const prefixes: Readonly<Record<Section, string>> = {
  purchases: 'P-',
  productions: 'M-',
  writeoffs: 'W-',
  transfers: 'T-',
  audits: 'I-',
  orders: '',
}

/** An element of the list, by its index modulo the length. */
function at<T>(list: readonly T[], index: number): T {
  const [one] = list.length === 0 ? [] : list.slice(index % list.length)
  return one ?? open('nothing to choose from')
}

export const quantity = (amount: bigint): number => Number(formatDecimal(amount, 3))
/** Whole cents of a shown amount. */
export const cents = (shown: number): bigint => BigInt(Math.round(shown * 100))
export const money = (cents: bigint): number => Number(formatDecimal(cents, 2))

/** `counted` for an audit. */
const goods = (state: State, lines: readonly Line[], name: 'amount' | 'counted', bySku: boolean) => {
  const of = (kind: Item['kind']): object[] =>
    lines
      .filter((line) => itemOf(state, line.item).kind === kind)
      .map(({ item, amount, total, unitCost }) => ({
        ...(bySku && itemOf(state, item).sku !== '' ? { sku: itemOf(state, item).sku } : { id: item }),
        [name]: quantity(amount),
        total: money(total),
        ...(name === 'counted' && unitCost !== undefined ? { unit_cost: formatDecimal(unitCost, 6) } : {}),
      }))
  const [products, materials] = [of('product'), of('material')]
  return { ...(products.length > 0 ? { products } : {}), ...(materials.length > 0 ? { materials } : {}) }
}

/** Product lines come first. */
function linesOf(state: State, drawn: readonly DrawnLine[], isMade: boolean): Line[] {
  const usable = state.items.filter((item) => item.id <= 6 && (!isMade || item.components.length > 0))
  const lines = drawn.map(({ item, amount, total, unitCost }) => ({
    item: at(usable, item).id,
    amount: BigInt(isMade ? Math.ceil(amount / 1_000) * 1_000 : amount),
    total: BigInt(total),
    cost: 0n,
    expected: 0n,
    unitCost: unitCost === undefined ? undefined : BigInt(unitCost),
  }))
  const different = lines.filter((line, index) => lines.findIndex((one) => one.item === line.item) === index)
  const isProduct = (line: Line): boolean => itemOf(state, line.item).kind === 'product'
  const ordered = [...different.filter(isProduct), ...different.filter((line) => !isProduct(line))]
  return isMade ? ordered.slice(0, 1) : ordered
}

export function planAdd(before: State, step: AddStep): Planned {
  const state = structuredClone(before)
  const section = step.add
  const [first, second] = [at(state.storages, step.storages[0]), at(state.storages, step.storages[1])]
  const [delivery, discount] = step.charges
  const numbers = state.numbers.get(section) ?? { last: 0, lastId: 0, given: new Set<string>() }
  const id = numbers.lastId + 1
  const document: Document = {
    section,
    id,
    num: section === 'orders' ? `A-${id}` : step.num === 0 ? '' : `${prefixes[section]}${step.num}`,
    status: 0,
    date: dayAt(step.date),
    reached: section === 'transfers' ? dayAt(step.reached) : '',
    storages: { products: first, materials: second, from: first, to: second },
    lines: linesOf(state, step.lines, section === 'productions'),
    extra: section === 'purchases' ? BigInt(delivery - discount) : 0n,
  }
  if (section === 'audits') for (const line of document.lines) line.expected = onHandAt(state, line.item, first)
  for (const line of document.lines) line.cost = plannedCost(state, section, line)
  state.documents.push(document)
  state.numbers.set(section, { ...numbers, lastId: id })
  const named = document.num === '' ? {} : { num: section === 'orders' ? `${id}` : document.num }
  const own = {
    purchases: {
      supplier_name: 'Wood',
      date_placed: document.date,
      delivery_price: money(BigInt(delivery)),
      discount: money(BigInt(discount)),
      ...(step.status === 3 ? { date_received: document.date } : {}),
    },
    productions: { date_placed: document.date, ...(step.status === 3 ? { date_done: document.date } : {}) },
    writeoffs: { date: document.date },
    transfers: { date: document.date, date_received: document.reached, storage_from_id: first, storage_to_id: second },
    audits: { date: document.date, storage_id: first },
    orders: { date_placed: document.date, customer_name: 'Ada' },
  }[section]
  const places = ['transfers', 'audits'].includes(section)
    ? {}
    : { products_storage_id: first, materials_storage_id: second }
  const isSettable = section !== 'writeoffs' && section !== 'orders'
  const body = {
    ...named,
    ...goods(state, document.lines, section === 'audits' ? 'counted' : 'amount', step.bySku),
    ...own,
    ...places,
    ...(isSettable ? { status: step.status } : {}),
  }
  // The costs of a purchase are compared before it is booked.
  if (section !== 'purchases') enter(state, document, step.status)
  return { path: `${section}/add`, body, expected: { [idFields[section]]: id }, added: document, state }
}

const dateFields: Partial<Record<Section, string>> = {
  purchases: 'date_received',
  productions: 'date_done',
  transfers: 'date_received',
  orders: 'date_shipped',
}

function planStatus(before: State, wanted: number, of: number, date: string): Planned {
  const state = structuredClone(before)
  const document = at(
    state.documents.filter(({ section }) => section !== 'writeoffs'),
    of,
  )
  const { section, id } = document
  const status = wanted === 1 && section === 'audits' ? 0 : wanted
  if (status === document.status) open('a status that it has')
  const field = dateFields[section]
  const dated = status === 3 && field !== undefined ? { [field]: date } : {}
  if (status === 3 && section === 'transfers') document.reached = date
  else if (status === 3 && section !== 'audits') document.date = date
  enter(state, document, status)
  return { path: `${section}/update_status`, body: { [idFields[section]]: id, status, ...dated }, expected: {}, state }
}

function planRecount(before: State, of: number, counts: readonly number[]): Planned {
  const state = structuredClone(before)
  const audit = at(
    state.documents.filter(({ section, status }) => section === 'audits' && status !== 3),
    of,
  )
  countAgain(state, audit, (line) => {
    const count = counts[audit.lines.indexOf(line)] ?? -1
    return count < 0 ? line.amount : BigInt(count)
  })
  // The lines keep their unit costs although they are not sent.
  const sent = audit.lines.map((line) => ({ ...line, unitCost: undefined }))
  const body = { audit_id: audit.id, ...goods(state, sent, 'counted', false) }
  return { path: 'audits/edit', body, expected: {}, state }
}

function planDeletable(state: State, of: number): Planned {
  const item = at(state.items, of)
  const hasStock = levels(state).some(
    (level) => level.item === item.id && (level.onHand !== 0n || level.reserved !== 0n || level.transit !== 0n),
  )
  const isUsed = state.items.some(({ components }) => components.some((component) => component.item === item.id))
  const name = item.kind === 'product' ? 'Product' : 'Material'
  const error = hasStock
    ? `${name} has stock and cannot be deleted`
    : isUsed
      ? `${name} is used in products and cannot be deleted`
      : undefined
  const body = { [`${item.kind}_id`]: item.id }
  const expected = error === undefined ? {} : { success: false, error }
  return { path: `${item.kind}s/delete`, body, isDryOnly: true, expected, state }
}

export function plan(state: State, act: Act, by: 0 | 1): Planned {
  if ('add' in act) return planAdd(state, act)
  if ('status' in act) return planStatus(state, act.status, act.of, dayAt(act.date))
  if ('recount' in act) return planRecount(state, act.recount, act.counts)
  if ('deletable' in act) return planDeletable(state, act.deletable)
  if ('upsert' in act) return modelUpsert(state, act, by)
  const next = structuredClone(state)
  const document = at(next.documents, act.remove)
  remove(next, document)
  return {
    path: `${document.section}/delete`,
    body: { [idFields[document.section]]: document.id },
    expected: {},
    state: next,
  }
}

/** `undefined` if the step takes more than there is at the storage location. */
export function affordable(state: State, step: AddStep): AddStep | undefined {
  if (step.add === 'purchases') return step
  const [first, second] = [at(state.storages, step.storages[0]), at(state.storages, step.storages[1])]
  const available = (item: number): bigint => {
    const place = itemOf(state, item).kind === 'product' ? first : second
    // Of a company that never sold what it did not have, no other storage location is below zero.
    return onHandAt(state, item, place)
  }
  const lines = linesOf(state, step.lines, step.add === 'productions')
  const isThere =
    step.add === 'productions'
      ? lines.every(({ item, amount }) =>
          itemOf(state, item).components.every((one) => available(one.item) >= (one.amount * amount) / 1_000n),
        )
      : lines.every(({ item, amount }) => available(item) >= amount)
  return isThere ? step : undefined
}
