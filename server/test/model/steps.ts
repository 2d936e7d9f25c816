// Random sequences: first a few sales, then every method and other events in any order. Requests are mostly valid
// and mostly refer to existing records.

import fc, { type Arbitrary } from 'fast-check'
import type { MethodPath } from './methods.ts'
import type { Outside } from './outside.ts'
import * as values from './values.ts'
import { type Draw, drawing, fields, joined } from './values.ts'

export type Step =
  | { readonly call: MethodPath; readonly body: Record<string, unknown> }
  /** An edit that sends back the lines as returned by get_entry. */
  | { readonly sendBack: number }
  | { readonly outside: Outside }

export type Sequence = {
  readonly settings: { default_sale_status: number; materials_in_sales: boolean; number_prefix: string }
  readonly steps: readonly Step[]
}

const weighted = <T>(...choices: [weight: number, arbitrary: Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const call = (path: MethodPath, ...parts: Arbitrary<Record<string, unknown>>[]): Arbitrary<Step> =>
  joined(...parts).map((body) => ({ call: path, body }))

const addWith = (draw: Draw, materialsShare: number, sure: number): Arbitrary<Step> =>
  call(
    'orders/add',
    fields({
      num: [sure, values.num(draw)],
      products: [sure, values.products(draw)],
      materials: [materialsShare, values.materials(draw)],
    }),
    fields(values.document(draw)),
    weighted([sure, values.customer(draw)], [100 - sure, fc.constant({})]),
  )

/** Without materials, which the settings may forbid. */
const opening = addWith(drawing(0), 0, 100)

const draw = drawing(3)
const order = fields({ order_id: [99, values.orderId(draw)] })

const edit = call(
  'orders/edit',
  order,
  fields({
    num: [20, values.num(draw)],
    products: [40, values.products(draw)],
    materials: [15, values.materials(draw)],
  }),
  fields(values.document(draw)),
  weighted([1, values.customer(draw)], [2, fc.constant({})]),
)

const list = call(
  'orders/get_list',
  fields({
    date_from: [30, values.date(draw)],
    date_to: [30, values.date(draw)],
    limit: [40, values.limit(draw)],
    offset: [30, values.offset(draw)],
  }),
)

const receipt = fc.record({
  item: fc.integer({ min: 1, max: 6 }),
  storage: fc.integer({ min: 1, max: 3 }),
  amount: fc.constantFrom('1', '2.5', '10', '0.003'),
  unitCost: fc.constantFrom('2.5', '1', '0.4', '3.333333', '7'),
})
const partShipped = fc.record({
  order: fc.nat({ max: 5 }),
  date: fc.constantFrom('2024-03-03', '2024-03-04'),
  line: fc.nat({ max: 5 }),
  amount: fc.constantFrom('1', '0.5', '0.25', '0.001'),
})
const settings = fc.record({
  default_sale_status: fc.constantFrom(0, 1, 3, 4),
  materials_in_sales: fc.boolean(),
})
const deletion = fc.constantFrom<Outside>(
  { delete: 'customer', id: 1 },
  { delete: 'customer', id: 4 },
  { delete: 'storage', id: 3 },
  { delete: 'item', id: 4 },
)

const outside = weighted<Outside>(
  [4, fc.record({ receive: receipt })],
  [8, fc.record({ shipPart: partShipped })],
  [5, fc.record({ start: fc.nat({ max: 5 }) })],
  [1, fc.record({ cancelProduction: fc.nat({ max: 5 }) })],
  [1, deletion],
  [2, fc.record({ unit: fc.constantFrom('pcs', 'kg'), of: fc.integer({ min: 1, max: 6 }) })],
  [1, fc.record({ settings })],
).map((drawn): Step => ({ outside: drawn }))

const step = weighted<Step>(
  [4, addWith(draw, 30, 98)],
  [8, edit],
  [
    8,
    call(
      'orders/update_status',
      order,
      fields({ status: [99, values.status(draw)], date_shipped: [40, values.date(draw)] }),
    ),
  ],
  [2, call('orders/update_payment', order, fields({ status: [99, values.payment(draw)] }))],
  [
    5,
    call(
      'orders/ship',
      order,
      fields({
        date: [40, values.date(draw)],
        lines: [60, values.shipped(draw)],
        tracking_number: [30, values.tracking(draw)],
      }),
    ),
  ],
  [2, call('orders/delete', order)],
  [2, list],
  [2, call('orders/get_entry', order)],
  [2, fc.nat({ max: 5 }).map((at) => ({ sendBack: at }))],
  [7, outside],
)

/** A sale that is made to order, started, canceled and reopened: single steps rarely produce this. */
const reopened = fc
  .record({ order_id: fc.integer({ min: 1, max: 3 }), start: fc.nat({ max: 2 }), status: fc.constantFrom(0, 1, 3) })
  .map(({ order_id, start, status }): Step[] => [
    { call: 'orders/edit', body: { order_id, production: 1 } },
    { outside: { start } },
    { call: 'orders/update_status', body: { order_id, status: 4 } },
    { call: 'orders/update_status', body: { order_id, status } },
  ])
/** A sale whose production is started and canceled, and that is edited then. */
const replaced = fc
  .record({ order_id: fc.integer({ min: 1, max: 3 }), start: fc.nat({ max: 2 }), notes: fc.constantFrom('Again', '') })
  .map(({ order_id, start, notes }): Step[] => [
    { call: 'orders/edit', body: { order_id, production: 1 } },
    { outside: { start } },
    { outside: { cancelProduction: start } },
    { call: 'orders/edit', body: { order_id, notes } },
  ])
const stretch = weighted<Step[]>([1, reopened], [1, replaced], [40, step.map((one) => [one])])

export const sequence: Arbitrary<Sequence> = fc.record({
  settings: fc.record({
    default_sale_status: fc.constantFrom(0, 0, 1, 3, 3, 4),
    materials_in_sales: fc.constantFrom(true, true, false),
    number_prefix: fc.constantFrom('A-', 'A-', '', '№ 1'),
  }),
  steps: fc
    .tuple(
      fc.array(opening, { minLength: 2, maxLength: 3 }),
      fc.array(stretch, { minLength: 4, maxLength: 22, size: 'max' }),
    )
    .map(([first, then]) => [...first, ...then.flat()]),
})
