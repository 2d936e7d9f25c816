// Values for the fields of a request: valid ones, and invalid ones of every kind. A valid value may still refer to no record.

import fc, { type Arbitrary } from 'fast-check'

/** Draws from the valid values, and in a given percentage of cases from the invalid ones. */
export type Draw = (sound: readonly unknown[], wrong: readonly unknown[]) => Arbitrary<unknown>

export const drawing =
  (wrongShare: number): Draw =>
  (sound, wrong) =>
    fc.oneof(
      { weight: 100 - wrongShare, arbitrary: fc.constantFrom(...sound) },
      { weight: wrongShare, arbitrary: fc.constantFrom(...wrong) },
    )

const absent = Symbol('absent')

export type Fields = Record<string, readonly [share: number, value: Arbitrary<unknown>]>

/** An object each of whose fields is present in a given percentage of cases. */
export function fields(spec: Fields): Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(spec).map(([name, [share, value]]) =>
    fc
      .oneof({ weight: share, arbitrary: value }, { weight: 100 - share, arbitrary: fc.constant(absent) })
      .map((drawn) => [name, drawn] as const),
  )
  return fc.tuple(...entries).map((drawn) => Object.fromEntries(drawn.filter(([, value]) => value !== absent)))
}

export const joined = (...parts: Arbitrary<Record<string, unknown>>[]): Arbitrary<Record<string, unknown>> =>
  fc.tuple(...parts).map((drawn) => Object.assign({}, ...drawn))

const soundDates = ['2024-02-29', '2024-03-01', '2024-03-02', '2025-01-31', '0001-01-01', '9999-12-31', null]
const wrongDates = ['2023-02-29', '2024-13-01', '2024-3-1', '20240301', 20240301, true, '0000-01-01', '2024-02-30']

export const date = (draw: Draw) => draw(soundDates, [...wrongDates, ''])
export const shippingDate = (draw: Draw) => draw([...soundDates, '', '', ''], wrongDates)

const amount = (draw: Draw) =>
  draw(
    [1, 2, 5, 0.5, '3', 1.0005, '2.0004', '1e1', 12.3456, 0.001, ' 4 ', 0.0005],
    [0, -1, 'x', '', 0.0004, true, [], {}, '1,5', '0x10', null, 1e10, '999999999.9995', -0.5],
  )
const total = (draw: Draw) =>
  draw(
    [10, 0, 2.675, '12.50', -3.335, 99.999, 1 / 3, '1e2', 1e3, 0.004],
    ['x', '', true, [], null, 1e15, '-1e13', 'NaN'],
  )

// Products are 1 to 4, materials 5 and 6. Product 4 may be deleted, so only its id is used.
const byId = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: '1' }, { id: 1 }, { id: 2 }]
const bySku = [
  { sku: 'P-1' },
  { sku: ' P-2 ' },
  { sku: '\u3000P-2' },
  { sku: 'alt-1' },
  { sku: 777 },
  { id: 0, sku: 'P-3' },
]
const productNames = [...byId, ...bySku, { id: '', sku: 'P-1' }, { id: 2, sku: 'P-1' }]
const productMissing = [{ id: 5 }, { id: 99 }, { sku: 'nothing' }, { sku: 'C-2' }, { id: 99, sku: 'P-1' }]
const materialNames = [{ id: 5 }, { id: 6 }, { sku: 'P-1' }, { sku: 'C-2' }, { id: null, sku: 'C-2' }]
const materialMissing = [{ id: 1 }, { id: 99 }, { sku: 'ALT-1' }, { sku: 'nothing' }]

function lines(draw: Draw, names: object[], missing: object[]): Arbitrary<unknown> {
  const name = fc.oneof(
    { weight: 9, arbitrary: draw(names, [{}, { id: 0 }, { sku: '' }, { id: null }]) },
    { weight: 1, arbitrary: fc.constantFrom(...missing) },
  ) as Arbitrary<Record<string, unknown>>
  const line = joined(name, fields({ amount: [100, amount(draw)], total: [100, total(draw)] })).map(withoutNulls)
  const array = fc.array(line, { minLength: 1, maxLength: 3 })
  return fc
    .tuple(array, draw([undefined], [null, 'x', 5, [], true]), draw([undefined], ['x', {}, 5, true, [], null]))
    .map(([drawn, odd, instead]) => {
      if (instead !== undefined) return instead
      return odd === undefined ? drawn : [...drawn, odd]
    })
}

/** A null in a line is equivalent to a missing field: half of the time the field is omitted. */
const withoutNulls = (line: Record<string, unknown>): Record<string, unknown> =>
  line['amount'] === null ? Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'amount')) : line

export const products = (draw: Draw) => lines(draw, productNames, productMissing)
export const materials = (draw: Draw) => lines(draw, materialNames, materialMissing)

const contactText = (draw: Draw) => draw(['', 'x@y.z', 'ä 😀', 12, null], [true, [], {}])

/** By id, by name with its data, or both: contact fields are sent only with a name. */
export function customer(draw: Draw): Arbitrary<Record<string, unknown>> {
  const id = draw([1, 2, '1', 1, 2], [3, 4, 99, 'x', -1, 0, 1.5, true, ''])
  const name = draw(
    ['Ada', ' Ada ', '\u00a0Ada', 'Bo\u3000', 'Cy', 'Dora', 'ada'],
    ['', '   ', '\u2003', 5, true, [], null],
  )
  const contact = {
    customer_email: [30, contactText(draw)],
    customer_phone: [20, contactText(draw)],
    customer_notes: [20, contactText(draw)],
    customer_address_real: [10, contactText(draw)],
  } as const
  return fc.oneof(
    { weight: 5, arbitrary: fields({ customer_id: [100, id] }) },
    { weight: 5, arbitrary: fields({ customer_name: [100, name], ...contact }) },
    { weight: 1, arbitrary: fields({ customer_id: [100, id], customer_name: [100, name] }) },
  )
}

export const num = (draw: Draw) =>
  draw(['1', '2', '9', '10', '007', '7', ' 8 ', '\u00a08\u0085', 12, 'B/3', 'Ä-1', '10a'], ['', '  ', null, true, {}])

/** The fields that add and edit share, in addition to lines and customer. */
export function document(draw: Draw): Fields {
  const storage = draw([1, 2, 3, '3', 1], [null, '', 0, 99, 'x', 4, -1])
  const charge = draw([0, 5, 2.675, '3.50', 1e3, null], [-1, 'x', '', true, [], '1e15', -0.5, -0.001, '-0.004'])
  return {
    date_placed: [50, date(draw)],
    date_shipped: [45, shippingDate(draw)],
    products_storage_id: [20, storage],
    materials_storage_id: [20, storage],
    production: [40, draw([0, 1, 1, 1, '1', true, false, 'true', '0', null], [2, 'yes', '', [], -1])],
    delivery_price: [30, charge],
    discount: [30, charge],
    notes: [30, draw(['', 'by noon', 'two\nlines', 12, null, ' blanks '], [true, {}, []])],
  }
}

// Sales that exist, that were deleted and that never existed; occasionally an invalid id.
export const orderId = (draw: Draw) =>
  draw([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5], ['1', '2', 9, 99, 0, -1, 1.5, 'x', '', null, true, [], 1e15])

export const status = (draw: Draw) => draw([0, 1, 3, 4, 3, 4, '3', '0'], [2, 5, -1, 'x', '', null, true, 1.5, []])
/** Goods of a shipment: most items are in the sale, and most quantities are left. */
export function shipped(draw: Draw): Arbitrary<unknown> {
  const inSale = [{ position: 0 }, { position: 0 }, { position: 0 }, { position: '1' }, { position: 2 }]
  const name = draw(
    [...inSale, { id: 1 }, { id: 2 }, { id: 5 }, { sku: 'P-1' }, { sku: ' alt-1' }, { id: 0, sku: 'C-2' }],
    [
      {},
      { id: 99 },
      { sku: '' },
      { sku: 'nothing' },
      { position: null },
      { position: 'x' },
      { position: -1 },
      { sku: [] },
    ],
  ) as Arbitrary<Record<string, unknown>>
  const quantity = draw([1, 0.5, '0.25', 0.001, 2, 5], [0, 'x', null, 1e10, -1, 0.0004])
  const array = fc.array(joined(name, fields({ amount: [99, quantity] })), { minLength: 1, maxLength: 2 })
  return fc
    .tuple(array, draw([undefined], ['x', {}, [], [5]]))
    .map(([drawn, instead]) => (instead === undefined ? drawn : instead))
}
export const tracking = (draw: Draw) => draw(['T-1', ' T-2 ', 12, '', null], [true, []])
export const payment = (draw: Draw) => draw([0, 1, 2, '1'], [3, -1, 'x', '', null, true, 0.5])
export const limit = (draw: Draw) => draw([1, 2, 3, 1000, '2', null], [0, 1001, -1, 'x', '', 1.5, true])
export const offset = (draw: Draw) => draw([0, 1, 2, 50, '1', null], [-1, 'x', '', 0.5, true])
