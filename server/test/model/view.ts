// The model's view of a sale.

import { divide, formatDecimal, moneyPlaces, quantityPlaces, toMoney } from '../../kernel/decimal.ts'
import { type Customer, contactFields, itemOf, type Kind, type Sale, type State, sum } from './state.ts'

const money = (cents: bigint): number => Number(formatDecimal(cents, moneyPlaces))
const quantity = (thousandths: bigint): number => Number(formatDecimal(thousandths, quantityPlaces))

function shownCustomer({ id, name, ...customer }: Customer): object {
  const data = Object.fromEntries(contactFields.map((field) => [`customer_${field}`, customer[field]]))
  return { customer_id: id, customer_name: name, ...data }
}

export function saleView(state: State, sale: Sale): object {
  const customer = state.customers.find((one) => one.id === sale.customer_id)
  if (customer === undefined) throw new Error(`the model has no customer ${sale.customer_id}`)
  const storageName = (id: number) => state.storages.find((one) => one.id === id)?.name
  const subtotal = sum(sale.lines, (line) => line.total)
  const units = new Set(sale.lines.map((line) => itemOf(state, line.item).unit))
  return {
    id: sale.id,
    num: sale.num,
    status: sale.status,
    payment: sale.payment,
    date_placed: sale.date_placed,
    date_shipped: sale.date_shipped,
    subtotal: money(subtotal),
    delivery_price: money(sale.delivery_price),
    discount: money(sale.discount),
    total: money(subtotal + sale.delivery_price - sale.discount),
    cost: money(toMoney(sum(sale.lines, (line) => line.cost))),
    amount: units.size === 1 ? quantity(sum(sale.lines, (line) => line.amount)) : null,
    lines: sale.lines.length,
    production: sale.production ? 1 : 0,
    production_num: state.productions.find((one) => one.sale === sale.id)?.num ?? null,
    source: 'api',
    notes: sale.notes,
    products_storage_id: sale.products_storage_id,
    products_storage_name: storageName(sale.products_storage_id),
    materials_storage_id: sale.materials_storage_id,
    materials_storage_name: storageName(sale.materials_storage_id),
    ...shownCustomer(customer),
  }
}

export function entryView(state: State, sale: Sale): object {
  const shown = sale.lines.map((line, position) => {
    const { sku, name, unit } = itemOf(state, line.item)
    return {
      kind: line.kind,
      line: {
        id: line.item,
        sku,
        name,
        amount: quantity(line.amount),
        unit,
        total: money(line.total),
        // cents per thousandth, times a thousand: cents per unit
        price: money(divide(line.total * 1_000n, line.amount)),
        cost: money(toMoney(line.cost)),
        position,
      },
    }
  })
  const of = (kind: Kind) => shown.filter((one) => one.kind === kind).map((one) => one.line)
  return { ...saleView(state, sale), products: of('product'), materials: of('material') }
}
