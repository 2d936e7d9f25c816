// The methods of the model: a state and a request give the next state and the response. Nothing here waits or reads a clock.

import { naturalKey } from '../../kernel/natural.ts'
import { type Body, date, integer, passed, requiredId } from './input.ts'
import { arrange, unlink } from './production.ts'
import { ship } from './shipping.ts'
import { findSale, type Outcome, Refused, refuse, type Sale, type State, undetermined } from './state.ts'
import { post } from './stock.ts'
import { entryView, saleView } from './view.ts'
import { add, edit } from './writing.ts'

/** What a method does to a copy of the state. */
type Rules = (state: State, body: Body) => object

/** A refused request leaves the state unchanged. */
function pure(rules: Rules): (state: State, body: Body) => Outcome {
  return (state, body) => {
    const next = structuredClone(state)
    try {
      return { reply: { status: 200, body: { success: true, ...rules(next, body) } }, state: next }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { reply: { status: 400, body: { success: false, error: error.message } }, state }
    }
  }
}

function requiredCode(body: Body, allowed: readonly number[], refusal: string): number {
  const value = passed(body, 'status')
  if (value === undefined || value === '') refuse('No status in input')
  const code = integer(value)
  return code !== undefined && allowed.includes(code) ? code : refuse(refusal)
}

function updateStatus(state: State, body: Body): object {
  const orderId = requiredId(body, 'order_id')
  const status = requiredCode(body, [0, 1, 3, 4], 'Invalid status value. Must be one of: 0, 1, 3, 4')
  const given = status === 3 ? date(body, 'date_shipped', { mayBeEmpty: true }) : undefined
  const sale = findSale(state, orderId)
  if (given === '') undetermined('what an empty date_shipped means to update_status')
  if (given !== undefined) sale.date_shipped = given
  if (status === 3) {
    const day = sale.date_shipped || state.today
    if (sale.status === 3 && sale.date_shipped === '' && sale.deducted !== day)
      undetermined('shipped again without a date')
    sale.deducted = day
  }
  const wasCanceled = sale.status === 4
  sale.status = status
  // Partial shipments keep their dates; issued goods are returned with any status but Shipped.
  if (status !== 3) sale.shipments = []
  post(state, sale)
  arrange(state, sale, { wasCanceled })
  return {}
}

function updatePayment(state: State, body: Body): object {
  const orderId = requiredId(body, 'order_id')
  const payment = requiredCode(body, [0, 1, 2], 'Invalid payment status value. Must be one of: 0, 1, 2')
  findSale(state, orderId).payment = payment
  return {}
}

function deleteSale(state: State, body: Body): object {
  const sale = findSale(state, requiredId(body, 'order_id'))
  sale.lines = []
  sale.status = 4
  post(state, sale)
  unlink(state, sale.id, false)
  state.sales = state.sales.filter((one) => one !== sale)
  return {}
}

function bounded(body: Body, field: string, least: number, most: number, refusal: string): number | undefined {
  const value = passed(body, field)
  if (value === undefined) return undefined
  const number = integer(value)
  return number === undefined || number < least || number > most ? refuse(refusal) : number
}

const byPlace = (a: Sale, b: Sale): number => {
  if (a.date_placed !== b.date_placed) return a.date_placed > b.date_placed ? -1 : 1
  return Buffer.compare(Buffer.from(naturalKey(a.num)), Buffer.from(naturalKey(b.num))) || a.id - b.id
}

function getList(state: State, body: Body): object {
  const from = date(body, 'date_from', { mayBeEmpty: false }) ?? '0000-00-00'
  const to = date(body, 'date_to', { mayBeEmpty: false }) ?? '9999-99-99'
  const limit = bounded(body, 'limit', 1, 1000, 'Invalid limit value. Must be between 1 and 1000')
  const offset = bounded(body, 'offset', 0, Number.MAX_SAFE_INTEGER, 'Invalid offset value. Must be 0 or greater')
  if (limit === undefined && offset !== undefined) refuse('Offset requires limit')
  const matching = state.sales.filter((sale) => sale.date_placed >= from && sale.date_placed <= to).sort(byPlace)
  const page = limit === undefined ? matching : matching.slice(offset ?? 0, (offset ?? 0) + limit)
  return { orders: page.map((sale) => saleView(state, sale)), total: matching.length }
}

export const methods = {
  'orders/add': pure(add),
  'orders/edit': pure(edit),
  'orders/delete': pure(deleteSale),
  'orders/update_status': pure(updateStatus),
  'orders/update_payment': pure(updatePayment),
  'orders/ship': pure(ship),
  'orders/get_list': pure(getList),
  'orders/get_entry': pure((state, body) => ({
    order: entryView(state, findSale(state, requiredId(body, 'order_id'))),
  })),
}

export type MethodPath = keyof typeof methods
