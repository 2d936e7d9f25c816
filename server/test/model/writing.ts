// The model's add and edit: reading the request, finding its records, and changing the sale.

import { isDeepStrictEqual } from 'node:util'
import { formatDecimal, moneyPlaces, quantityPlaces } from '../../kernel/decimal.ts'
import * as input from './input.ts'
import { arrange } from './production.ts'
import { contactFields, findSale, type Item, type Line, refuse, type Sale, type State, undetermined } from './state.ts'
import { goodsOf, lineCost, post, requireSteady } from './stock.ts'

/** Checks that add and edit share, in the order of both error tables. */
function readDocument(body: input.Body, state: State, isAdd: boolean) {
  const arrays = input.arrays(body)
  const isNone = (arrays.products?.length ?? 0) + (arrays.materials?.length ?? 0) === 0
  const isReplaced = arrays.products !== undefined || arrays.materials !== undefined
  if (isNone && (isAdd || isReplaced)) refuse('No products or materials in input')
  if ((arrays.materials?.length ?? 0) > 0 && !state.materials_in_sales)
    refuse('Materials in orders are disabled in company settings')
  const storages = {
    products: input.storage(body, 'products_storage_id'),
    materials: input.storage(body, 'materials_storage_id'),
  }
  const dates = {
    placed: input.date(body, 'date_placed', { mayBeEmpty: false }),
    shipped: input.date(body, 'date_shipped', { mayBeEmpty: true }),
  }
  const charges = { delivery: input.charge(body, 'delivery_price'), discount: input.charge(body, 'discount') }
  return { arrays, isReplaced, storages, dates, charges }
}

/** `undefined` when no customer is given. */
function readCustomer(body: input.Body, unlisted: input.Unlisted, isAdd: boolean): input.SentCustomer | undefined {
  if (input.hasCustomerId(body)) return { id: input.id(body['customer_id']) }
  const name = input.passed(body, 'customer_name')
  if (name === undefined) return isAdd ? refuse('No customer_name or customer_id in input') : undefined
  const readName = (): string =>
    typeof name === 'string' ? input.trimmed(name) : refuse('Customer name must be a string')
  if (typeof name === 'string' && input.trimmed(name) === '') refuse('Customer name must not be empty')
  // The table of add lists both faults of a name, the table of edit only the empty one.
  return { name: (isAdd ? readName() : unlisted.check(readName)) ?? '', data: input.contactData(body, unlisted) }
}

function readExtras(body: input.Body, unlisted: input.Unlisted) {
  return {
    production: unlisted.check(() => input.flag(body, 'production')),
    notes: unlisted.check(() => input.text(body, 'notes')),
  }
}

const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && input.trimmed(value) === '')

export function add(state: State, body: input.Body): object {
  const unlisted = new input.Unlisted()
  if (isBlank(input.passed(body, 'num'))) refuse('No num in input')
  const num = unlisted.check(() => input.text(body, 'num'))
  const { arrays, storages, dates, charges } = readDocument(body, state, true)
  const sent = input.lines(arrays)
  const customer = readCustomer(body, unlisted, true)
  const { production, notes } = readExtras(body, unlisted)
  unlisted.tell()

  requireStorages(state, storages)
  const { lines, skippedNotes, skipped } = findLines(state, sent, [])
  const customer_id = settleCustomer(state, customer)
  state.lastSaleId += 1
  const date_placed = dates.placed ?? state.today
  const sale: Sale = {
    id: state.lastSaleId,
    num: state.number_prefix + input.trimmed(num ?? ''),
    status: state.default_sale_status,
    payment: 0,
    date_placed,
    date_shipped: dates.shipped ?? '',
    delivery_price: charges.delivery ?? 0n,
    discount: charges.discount ?? 0n,
    production: production ?? false,
    notes: append(notes ?? '', skippedNotes, []),
    products_storage_id: storages.products ?? state.products_storage_id,
    materials_storage_id: storages.materials ?? state.materials_storage_id,
    customer_id,
    lines,
    skipped,
    deducted: dates.shipped || date_placed,
    shipments: [],
    left: [],
  }
  state.sales.push(sale)
  post(state, sale)
  arrange(state, sale)
  return { order_id: sale.id, customer_id, ...skippedField(skipped) }
}

export function edit(state: State, body: input.Body): object {
  const unlisted = new input.Unlisted()
  const orderId = input.requiredId(body, 'order_id')
  const { arrays, isReplaced, storages, dates, charges } = readDocument(body, state, false)
  const customer = readCustomer(body, unlisted, false)
  const isUnnumbered = input.passed(body, 'num') !== undefined && isBlank(body['num'])
  const num = unlisted.check(() => (isUnnumbered ? refuse('No num in input') : input.text(body, 'num')))
  const sent = unlisted.check(() => input.lines(arrays)) ?? []
  const { production, notes } = readExtras(body, unlisted)
  unlisted.tell()

  const sale = findSale(state, orderId)
  const before = structuredClone(sale)
  const found = isReplaced
    ? findLines(
        state,
        sent,
        sale.lines.map((line) => line.item),
      )
    : undefined
  requireStorages(state, storages)
  if (customer !== undefined) sale.customer_id = settleCustomer(state, customer)
  const prefix = state.fault === 'an edit forgets the number prefix' ? '' : state.number_prefix
  if (num !== undefined && input.trimmed(num) !== sale.num) sale.num = prefix + input.trimmed(num)
  sale.date_placed = dates.placed ?? sale.date_placed
  if (dates.shipped !== undefined) {
    sale.date_shipped = dates.shipped
    const isMoved = sale.status === 3 && state.fault !== 'an edited shipping date leaves the deduction where it was'
    // Clearing the shipping date keeps the date on which the goods were issued.
    if (isMoved) sale.deducted = dates.shipped || sale.deducted
  }
  sale.delivery_price = charges.delivery ?? sale.delivery_price
  sale.discount = charges.discount ?? sale.discount
  sale.production = production ?? sale.production
  sale.products_storage_id = storages.products ?? sale.products_storage_id
  sale.materials_storage_id = storages.materials ?? sale.materials_storage_id
  const standing = notes ?? sale.notes
  sale.notes = append(standing, found?.skippedNotes ?? [], standing.split('\n'))
  if (found !== undefined) {
    sale.skipped = found.skipped
    replaceLines(state, sale, found.lines)
  }
  post(state, sale)
  arrange(state, sale, { isEdited: !isDeepStrictEqual(before, sale) })
  return skippedField(found?.skipped ?? [])
}

function replaceLines(state: State, sale: Sale, lines: Line[]): void {
  for (const item of new Set(lines.map((line) => line.item))) {
    const left = sale.left.filter((one) => one.item === item)
    // Lines whose goods were issued are written again, or keep the cost they had when issued.
    if (left.length > 0) requireSteady(state, item, left)
  }
  sale.lines = lines
  const goods = goodsOf(lines)
  for (const item of new Set(sale.shipments.map((one) => one.item))) {
    const shipped = sale.shipments.filter((one) => one.item === item)
    const wanted = goods.find((one) => one.item === item)?.amount ?? 0n
    if (wanted === 0n) sale.shipments = sale.shipments.filter((one) => one.item !== item)
    else if (shipped.length === 1 && shipped[0] !== undefined && shipped[0].amount > wanted) shipped[0].amount = wanted
    else if (shipped.reduce((total, one) => total + one.amount, 0n) > wanted) undetermined('which shipment gives way')
  }
}

function requireStorages(
  state: State,
  { products, materials }: { products?: number | undefined; materials?: number | undefined },
) {
  for (const id of [products, materials]) {
    const isFound = id === undefined || state.storages.some((one) => one.id === id && !one.deleted)
    if (!isFound) refuse('Storage ID not found')
  }
}

/** The lines that are found, and the note for those that are not. */
function findLines(
  state: State,
  sent: readonly input.SentLine[],
  own: readonly number[],
): { lines: Line[]; skippedNotes: string[]; skipped: object[] } {
  const isMeant = (item: Item, line: input.SentLine): boolean => {
    if (item.kind !== line.kind) return false
    if (line.id !== 0) return item.id === line.id && (!item.deleted || own.includes(item.id))
    return !item.deleted && [item.sku, ...item.alternatives].some((sku) => sku.toLowerCase() === line.sku.toLowerCase())
  }
  const lines: Line[] = []
  const skippedNotes: string[] = []
  const skipped: object[] = []
  for (const [position, line] of sent.entries()) {
    const item = state.items.find((one) => isMeant(one, line))
    const { kind, amount, total } = line
    if (item !== undefined) lines.push({ item: item.id, kind, amount, total, cost: lineCost(state, item.id, amount) })
    else {
      const name = kind === 'product' ? 'Product' : 'Material'
      const figures = `amount ${formatDecimal(amount, quantityPlaces)}, total ${formatDecimal(total, moneyPlaces)}`
      const named = line.label.startsWith('id ') ? { id: line.id } : { sku: line.sku }
      const numbers = {
        amount: Number(formatDecimal(amount, quantityPlaces)),
        total: Number(formatDecimal(total, moneyPlaces)),
      }
      skipped.push({ position, type: kind, ...named, ...numbers })
      if (state.fault !== 'a skipped line is not reported')
        skippedNotes.push(`${name} not found: ${line.label}, ${figures}`)
    }
  }
  const withMaterials = sent.some((line) => line.kind === 'material')
  if (lines.length === 0) refuse(`All products ${withMaterials ? 'and materials ' : ''}have wrong SKU or id`)
  return { lines, skippedNotes, skipped }
}

/** Sentences that are already in the notes are not repeated; the sequences are too short to fill the notes. */
const append = (notes: string, skippedNotes: readonly string[], standing: readonly string[]): string =>
  [...(notes === '' ? [] : [notes]), ...skippedNotes.filter((sentence) => !standing.includes(sentence))].join('\n')

const skippedField = (skipped: readonly object[]): object => (skipped.length === 0 ? {} : { skipped })

function settleCustomer(state: State, sent: input.SentCustomer | undefined): number {
  if (sent === undefined) throw new Error('a sale has a customer')
  const living = state.customers.filter((customer) => !customer.deleted)
  if ('id' in sent) return living.find((one) => one.id === sent.id)?.id ?? refuse('Customer not found')
  const known =
    living.find((one) => one.name === sent.name) ??
    living.find((one) => one.name.toLowerCase() === sent.name.toLowerCase())
  if (known !== undefined) return known.id
  const id = state.customers.length + 1
  const blank = Object.fromEntries(contactFields.map((field) => [field, '']))
  state.customers.push({ ...blank, ...sent.data, id, name: sent.name, deleted: false } as State['customers'][number])
  return id
}
