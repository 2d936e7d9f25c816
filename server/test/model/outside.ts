// Events in a company other than the methods of the model: goods are received, part of a sale is shipped, a production is started or canceled, records are
// deleted, an item gets another unit of measure, settings change. Each is applied to the model here and to the company through the test harness.

import { quantityFrom, valueFrom } from '../../kernel/decimal.ts'
import { query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { nextShipment } from './shipping.ts'
import { type Sale, type State, undetermined } from './state.ts'
import { goodsOf, post, receive, shippedOf } from './stock.ts'

export type Deleted = 'customer' | 'storage' | 'item'

/** As drawn: sales, lines and productions are given as indexes into those that exist when the step runs. */
export type Outside =
  | { readonly receive: { item: number; storage: number; amount: string; unitCost: string } }
  | { readonly shipPart: { order: number; date: string; line: number; amount: string } }
  | { readonly start: number }
  | { readonly cancelProduction: number }
  | { readonly unit: string; readonly of: number }
  | { readonly delete: Deleted; readonly id: number }
  | { readonly settings: { default_sale_status: number; materials_in_sales: boolean } }

/** An element of the list, by its index modulo the length. */
export function counted<T>(list: readonly T[], at: number): T {
  const [one] = list.length === 0 ? [] : list.slice(at % list.length)
  return one ?? undetermined('nothing to choose from')
}

const inStatus = (state: State, status: 0 | 1) => state.productions.filter((production) => production.status === status)

function shippable(state: State, order: number, line: number): { sale: Sale; item: number } {
  const sale = counted(
    state.sales.filter((one) => one.status <= 2),
    order,
  )
  return { sale, item: counted(sale.lines, line).item }
}

/** The state after the event. An event that is not possible in the current state is `Undetermined`, and not run. */
export function modelOutside(before: State, step: Outside): State {
  const state = structuredClone(before)
  if ('receive' in step) {
    const { item, storage, amount, unitCost } = step.receive
    if (state.items.find((one) => one.id === item)?.deleted !== false) undetermined('a receipt of what there is not')
    if (state.storages.find((one) => one.id === storage)?.deleted !== false) undetermined('a receipt into nowhere')
    receive(state, item, storage, quantityFrom(amount), valueFrom(unitCost))
  } else if ('shipPart' in step) shipPart(state, step.shipPart)
  else if ('start' in step) {
    counted(inStatus(state, 0), step.start).status = 1
  } else if ('cancelProduction' in step) {
    counted(inStatus(state, 1), step.cancelProduction).status = 4
  } else if ('unit' in step) {
    const item = state.items.find((one) => one.id === step.of)
    if (item === undefined || item.deleted) undetermined('another unit for what there is not')
    item.unit = step.unit
  } else if ('delete' in step) {
    const list = { customer: state.customers, storage: state.storages, item: state.items }[step.delete]
    const found = list.find((one) => one.id === step.id && !one.deleted)
    if (found === undefined) undetermined('nothing to delete')
    if (step.delete === 'storage' && [state.products_storage_id, state.materials_storage_id].includes(step.id))
      undetermined('a default storage location is not deleted')
    found.deleted = true
  } else Object.assign(state, step.settings)
  return state
}

type Part = { order: number; date: string; line: number; amount: string }

function shipPart(state: State, { order, date, line, amount }: Part): void {
  const { sale, item } = shippable(state, order, line)
  const wanted = goodsOf(sale.lines).find((one) => one.item === item)?.amount ?? 0n
  if (shippedOf(sale, item) + quantityFrom(amount) >= wanted) undetermined('part of an item, not all of it')
  sale.status = 2
  sale.shipments.push({ part: nextShipment(sale), item, date, amount: quantityFrom(amount), tracking: '' })
  post(state, sale)
}

/** `before` is the model's state before it. */
export async function doOutside(company: Company, before: State, step: Outside): Promise<void> {
  if ('receive' in step) await given.stock(company, step.receive)
  else if ('shipPart' in step) {
    const { order, date, line, amount } = step.shipPart
    const { sale, item } = shippable(before, order, line)
    await given.shippedPart(company, sale.id, { date, items: [{ id: item, amount }] })
  } else if ('start' in step) await given.productionStatus(company, counted(inStatus(before, 0), step.start).num, 1)
  else if ('cancelProduction' in step)
    await given.productionStatus(company, counted(inStatus(before, 1), step.cancelProduction).num, 4)
  else if ('unit' in step) await changeUnit(company, step.of, step.unit)
  else if ('delete' in step) await given.deleted(company, step.delete, step.id)
  else {
    const { default_sale_status, materials_in_sales } = step.settings
    await query(
      company.id,
      'update companies set default_sale_status = $2, materials_in_sales = $3 where company_id = $1',
      [company.id, default_sale_status, materials_in_sales],
    )
  }
}

async function changeUnit(company: Company, item: number, unit: string): Promise<void> {
  const sql = `select n.id::int as id, i.kind from units n cross join items i
    where n.company_id = $1 and i.company_id = $1 and n.name = $2 and i.id = $3`
  const [found] = await query(company.id, sql, [company.id, unit, item])
  const reply = await company.call(`${found.kind}s/edit`, { [`${found.kind}_id`]: item, unit_id: found.id })
  if (reply.status !== 200) throw new Error(reply.text)
}
