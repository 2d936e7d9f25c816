// What several clients do to one company at the same time, generated from a seed. The rules must determine one outcome for every possible
// order, so goods have one cost, lines contain an existing product, and shipping includes its date.

import fc, { type Arbitrary } from 'fast-check'
import { type MethodPath, methods } from '../../server/test/model/methods.ts'
import { type State, Undetermined } from '../../server/test/model/state.ts'
import * as values from '../../server/test/model/values.ts'
import { type Draw, drawing, fields, joined } from '../../server/test/model/values.ts'

export const heats = ['mixed', 'one sale', 'one item', 'one customer name'] as const
export type Heat = (typeof heats)[number]

export type Settings = { default_sale_status: number; materials_in_sales: boolean; number_prefix: string }

export type Call = { readonly call: MethodPath; readonly body: Record<string, unknown> }
/** What the company itself does at the same time as its clients. */
export type OwnStep =
  | { readonly settings: Partial<Settings> }
  | { readonly receive: { item: number; storage: number; amount: string; unitCost: string } }

export type History = {
  readonly heat: Heat
  readonly settings: Settings
  /** Sales that exist when the clients start. */
  readonly opening: readonly Call[]
  readonly clients: readonly (readonly Call[])[]
  readonly own: readonly OwnStep[]
}

const draw = drawing(4)
const sound = drawing(0)

/** The constant cost of the purchased items. */
export const unitCosts: Readonly<Record<number, string>> = { 1: '2.5', 3: '1.2', 5: '0.4' }

const products = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { sku: 'P-1' }, { sku: ' P-2 ' }, { sku: 'ALT-1' }]
const hotProducts = [{ id: 1 }, { sku: 'P-1' }, { sku: 'ALT-1' }, { id: '1' }]
const odd = [{ id: 99 }, { sku: 'nothing' }, {}, { id: 5 }]
const materials = [{ id: 5 }, { id: 6 }, { sku: 'C-2' }]

const amounts = [1, 2, 5, 0.5, '3', 1.0005, '1e1', 0.001, 12.3456]
const totals = [10, 0, 2.675, '12.50', 99.999, 1e3]

function line(of: Draw, names: readonly object[]): Arbitrary<Record<string, unknown>> {
  return joined(
    fc.constantFrom(...names) as Arbitrary<Record<string, unknown>>,
    fields({ amount: [100, of(amounts, [0, -1, 'x', null])], total: [100, of(totals, ['x', true])] }),
  )
}

/** The first line is valid and of an existing item. */
function lines(of: Draw, names: readonly object[]): Arbitrary<object[]> {
  return fc
    .tuple(line(sound, names), fc.array(line(of, [...names, ...names, ...odd]), { maxLength: 2 }))
    .map(([first, rest]) => [first, ...rest])
}

const days = ['2024-02-29', '2024-03-01', '2024-03-02', '2025-01-31']
const date = draw(days, ['2023-02-29', '2024-3-1', 20240301])

const newcomers = fields({
  customer_name: [100, fc.constantFrom('Cy', ' Cy ', 'Dora')],
  customer_email: [50, fc.constantFrom('cy@example.org', 'dora@example.org')],
})

function requests(heat: Heat): Arbitrary<Call> {
  const names = heat === 'one item' ? hotProducts : products
  const customer = heat === 'one customer name' ? newcomers : values.customer(draw)
  const order = fields({ order_id: [99, heat === 'one sale' ? fc.constant(1) : values.orderId(draw)] })
  const call = (path: MethodPath, ...parts: Arbitrary<Record<string, unknown>>[]): Arbitrary<Call> =>
    joined(...parts).map((body) => ({ call: path, body }))
  const withMaterials = fc.oneof(
    { weight: 4, arbitrary: fields({ products: [100, lines(draw, names)] }) },
    { weight: 1, arbitrary: fields({ products: [100, lines(draw, names)], materials: [100, lines(draw, materials)] }) },
  )
  const maybe = (arbitrary: Arbitrary<Record<string, unknown>>, share: number) =>
    fc.oneof({ weight: share, arbitrary }, { weight: 100 - share, arbitrary: fc.constant({}) })
  const document = fields({ ...values.document(draw), date_placed: [50, date], date_shipped: [30, date] })
  const add = call('orders/add', fields({ num: [98, values.num(draw)] }), withMaterials, document, customer)
  const edit = call(
    'orders/edit',
    order,
    fields({ num: [20, values.num(draw)] }),
    maybe(withMaterials, 50),
    document,
    maybe(customer, 40),
  )
  const toStatus = fc.oneof(
    { weight: 3, arbitrary: fields({ status: [98, draw([0, 1, 4, '0'], [2, 'x', null])] }) },
    { weight: 2, arbitrary: fields({ status: [100, fc.constantFrom(3, '3')], date_shipped: [100, date] }) },
  )
  return fc.oneof(
    { weight: heat === 'one sale' ? 1 : 6, arbitrary: add },
    { weight: 6, arbitrary: edit },
    { weight: 6, arbitrary: call('orders/update_status', order, toStatus) },
    { weight: 2, arbitrary: call('orders/update_payment', order, fields({ status: [99, values.payment(draw)] })) },
    { weight: heat === 'one sale' ? 1 : 2, arbitrary: call('orders/delete', order) },
    { weight: 4, arbitrary: call('orders/get_entry', order) },
    {
      weight: 3,
      arbitrary: call(
        'orders/get_list',
        fields({ date_from: [20, date], date_to: [20, date], limit: [60, values.limit(draw)] }),
      ),
    },
  )
}

const ownStep: Arbitrary<OwnStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record(
        {
          default_sale_status: fc.constantFrom(0, 1, 3, 4),
          materials_in_sales: fc.boolean(),
          number_prefix: fc.constantFrom('A-', 'B-', ''),
        },
        { requiredKeys: [] },
      )
      .map((settings) => ({ settings })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        item: fc.constantFrom(1, 3, 5),
        storage: fc.constantFrom(1, 2, 3),
        amount: fc.constantFrom('1', '2.5', '10', '0.003'),
      })
      .map((receipt) => ({ receive: { ...receipt, unitCost: unitCosts[receipt.item] ?? '0' } })),
  },
)

const opening: Arbitrary<Call> = joined(
  fields({ num: [100, values.num(sound)], products: [100, lines(sound, products)] }),
  fields({ date_placed: [50, fc.constantFrom(...days)], production: [40, fc.constantFrom(0, 1)] }),
  fields({ customer_name: [100, fc.constantFrom('Ada', 'Bo')] }),
).map((body) => ({ call: 'orders/add' as const, body }))

const whole = (heat: Heat): Arbitrary<History> =>
  fc.record({
    heat: fc.constant(heat),
    settings: fc.record({
      default_sale_status: fc.constantFrom(0, 0, 1, 3, 4),
      materials_in_sales: fc.constantFrom(true, true, false),
      number_prefix: fc.constantFrom('A-', '', '№ 1'),
    }),
    opening: fc.array(opening, { minLength: 2, maxLength: 3 }),
    clients: fc.array(fc.array(requests(heat), { minLength: 5, maxLength: 9, size: 'max' }), {
      minLength: 4,
      maxLength: 8,
      size: 'max',
    }),
    own: fc.array(ownStep, { minLength: 2, maxLength: 6 }),
  })

const histories = new Map(heats.map((heat) => [heat, whole(heat)]))

export function drawHistory(heat: Heat, seed: number): History {
  const arbitrary = histories.get(heat) as Arbitrary<History>
  const [history] = fc.sample(arbitrary, { seed, numRuns: 1 })
  if (history === undefined) throw new Error('nothing was generated')
  return history
}

/** Without requests whose outcome the rules leave open in every state: faults of the request itself. */
export function determined(calls: readonly Call[], state: State): Call[] {
  return calls.filter(({ call, body }) => {
    try {
      methods[call]({ ...state, materials_in_sales: true }, body)
      return true
    } catch (error) {
      if (error instanceof Undetermined) return false
      throw error
    }
  })
}
