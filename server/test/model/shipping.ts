// The model's orders/ship: reading the request, finding the items of its lines in the sale, and the shipments of a sale as they are shown.

import { formatDecimal, maxQuantity, type Quantity, quantityPlaces } from '../../kernel/decimal.ts'
import * as input from './input.ts'
import { arrange } from './production.ts'
import { findSale, itemOf, refuse, type Sale, type State } from './state.ts'
import { goodsOf, post, shippedOf } from './stock.ts'

type Named = { readonly id: number } | { readonly sku: string } | { readonly position: number }
type SentLine = { readonly named: Named; readonly amount: Quantity }

const isUnset = (value: unknown): boolean => value === undefined || value === '' || input.integer(value) === 0

function readNamed(fields: input.Body, n: number): Named {
  const id = input.passed(fields, 'id')
  if (!isUnset(id)) return { id: input.id(id) }
  const sku = input.trimmed(input.text(fields, 'sku') ?? '')
  if (sku !== '') return { sku }
  const position = input.passed(fields, 'position')
  return position === undefined
    ? refuse(`Id, sku, external_id or position not set for line ${n}`)
    : { position: input.integer(position) ?? -1 }
}

function readLine(raw: unknown, n: number): SentLine {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) refuse(`Line ${n} must be an object`)
  const fields = raw as input.Body
  const named = readNamed(fields, n)
  const sent = input.passed(fields, 'amount')
  if (sent === undefined) refuse(`Amount not set for line ${n}`)
  const amount = input.decimal(sent, quantityPlaces)
  if (amount === undefined || amount <= 0n) refuse(`Amount must be greater than 0 for line ${n}`)
  if (amount > maxQuantity) refuse(`Amount is too large for line ${n}`)
  return { named, amount }
}

/** `undefined` when no lines are sent: then everything that is left is shipped. */
function readLines(body: input.Body): SentLine[] | undefined {
  const sent = input.passed(body, 'lines')
  if (sent === undefined) return undefined
  if (!Array.isArray(sent)) refuse('Lines is not an array')
  if (sent.length === 0) refuse('Nothing to ship in input')
  return sent.map(readLine)
}

/** The item of the sale that a line names. A code may be that of a product and that of a material. */
function findItem(state: State, sale: Sale, named: Named): number | undefined {
  if ('position' in named) return sale.lines[named.position]?.item
  const own = state.items.filter(({ id }) => sale.lines.some((line) => line.item === id))
  if ('id' in named) return own.find(({ id }) => id === named.id)?.id
  const isMeant = (sku: string): boolean => sku.toLowerCase() === named.sku.toLowerCase()
  return own.find(({ sku, alternatives }) => [sku, ...alternatives].some(isMeant))?.id
}

function leftOf(state: State, sale: Sale): Map<number, Quantity> {
  const isForgetful = state.fault === 'what is left to ship ignores earlier shipments'
  const left = goodsOf(sale.lines).map(
    ({ item, amount }) => [item, isForgetful ? amount : amount - shippedOf(sale, item)] as const,
  )
  return new Map(left.filter(([, amount]) => amount > 0n))
}

/** The goods of the shipment by item, or a refusal. */
function goodsToShip(state: State, sale: Sale, lines: readonly SentLine[] | undefined): Map<number, Quantity> {
  const left = leftOf(state, sale)
  if (lines === undefined) return left
  const goods = new Map<number, Quantity>()
  for (const [n, { named, amount }] of lines.entries()) {
    const item = findItem(state, sale, named) ?? refuse(`Line ${n} names an item that is not in the order`)
    const taken = goods.get(item) ?? 0n
    const open = (left.get(item) ?? 0n) - taken
    const { kind, sku } = itemOf(state, item)
    if (amount > open) refuse(`Only ${formatDecimal(open, quantityPlaces)} left to ship of ${kind} with SKU "${sku}"`)
    goods.set(item, taken + amount)
  }
  return goods
}

export const nextShipment = ({ shipments }: Sale): number => 1 + Math.max(0, ...shipments.map(({ part }) => part))

export function ship(state: State, body: input.Body): object {
  const orderId = input.requiredId(body, 'order_id')
  const given = input.date(body, 'date', { mayBeEmpty: false })
  const lines = readLines(body)
  const tracking = input.trimmed(input.text(body, 'tracking_number') ?? '')
  const sale = findSale(state, orderId)
  if (sale.status === 4) refuse('Order is canceled')
  if (sale.status === 3) refuse('Order is already shipped')
  const goods = goodsToShip(state, sale, lines)
  if (goods.size === 0) refuse('Order is already shipped')
  const [part, date] = [nextShipment(sale), given ?? state.today]
  for (const [item, amount] of goods) sale.shipments.push({ part, item, date, amount, tracking })
  const isAll = goodsOf(sale.lines).every(({ item, amount }) => shippedOf(sale, item) >= amount)
  sale.status = isAll ? 3 : 2
  if (isAll) {
    sale.date_shipped = given ?? sale.date_shipped
    sale.deducted = date
  }
  post(state, sale)
  arrange(state, sale)
  return { shipment: part, status: sale.status }
}

type Shown = { shipment: number; date: string; tracking_number: string; lines: { id: number; amount: number }[] }

/** What left with the status Shipped, without a shipment of its own, is shown as one more. */
export function shownShipments(sale: Sale): Shown[] {
  const last = nextShipment(sale)
  const rest = goodsOf(sale.lines)
    .map(({ item, amount }) => ({ item, amount: amount - shippedOf(sale, item) }))
    .filter(({ amount }) => sale.status === 3 && amount > 0n)
    .map((one) => ({ ...one, part: last, date: sale.deducted, tracking: '' }))
  const parts = Map.groupBy([...sale.shipments, ...rest], ({ part }) => part)
  return [...parts]
    .toSorted(([a], [b]) => a - b)
    .map(([shipment, goods]) => ({
      shipment,
      date: goods[0]?.date ?? '',
      tracking_number: goods[0]?.tracking ?? '',
      lines: goods
        .map(({ item, amount }) => ({ id: item, amount: Number(formatDecimal(amount, quantityPlaces)) }))
        .toSorted((a, b) => a.id - b.id),
    }))
}
