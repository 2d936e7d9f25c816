// Random requests to every section. A step refers to a record by an index into those that exist when it runs, so most
// requests are meaningful; a share of the requests is made invalid on purpose.
// Long because every method that writes a document has an entry here.

import fc, { type Arbitrary } from 'fast-check'

/** `{ pick, at, … }` anywhere in a body is replaced by the record at that index: see `resolved` in world.ts. */
export type Step = { readonly call: string; readonly document?: number; readonly body: Body }
export type Body = Record<string, unknown>

/** How one document is undone at the end: its position in the order, and the method. */
export type Undoing = { readonly order: readonly number[]; readonly ways: readonly Way[] }
export const ways = ['cancel', 'cancel and delete', 'reopen and delete', 'delete'] as const
export type Way = (typeof ways)[number]

export type Sequence = {
  readonly settings: { readonly default_sale_status: number }
  readonly steps: readonly Step[]
  readonly undoing: Undoing | null
}

export const days = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-05', '2024-12-31', '2025-01-01', '2025-06-15']

const place = fc.nat({ max: 11 })
const day = fc.constantFrom(...days)
const clearableDay = fc.constantFrom(...days, ...days, '')
const amount = fc.constantFrom<unknown>(1, 2, 3, 5, 10, 40, 0.5, '1.25', 0.001, 2.3456, 7, 12.125)
const total = fc.constantFrom<unknown>(10, 33.33, 100, 0.01, '12.345', 0, 250, 7.77, 1000, 99.99, -12.5, -99.99)
const charge = fc.constantFrom<unknown>(0, 5, 0.01, '7.505', 33, 500)
const storage = fc.nat({ max: 3 }).map((at) => ({ pick: 'storage', at }))

/** Every field of `required`, and each of `optional` in half of the cases. */
const some = (optional: Record<string, Arbitrary<unknown>>, required: Record<string, Arbitrary<unknown>> = {}) =>
  fc
    .tuple(fc.record(required), fc.record(optional, { requiredKeys: [] }))
    .map(([always, now]): Body => ({ ...always, ...now }))

const line = (pick: string, said: Record<string, Arbitrary<unknown>>): Arbitrary<Body> =>
  fc.record({ pick: fc.constant(pick), at: place, bySku: fc.boolean(), ...said })

/** Product lines, material lines, or both. */
const lines = (said: Record<string, Arbitrary<unknown>>, most = 3): Arbitrary<Body> => {
  const of = (pick: string) => fc.array(line(pick, said), { minLength: 1, maxLength: most })
  return fc.oneof(
    fc.record({ products: of('product') }),
    fc.record({ materials: of('material') }),
    fc.record({ products: of('product'), materials: of('material') }),
  )
}
const priced = lines({ amount, total })
const plain = lines({ amount })
// An item is counted once: no two lines have the same item.
const counted = lines({ counted: fc.constantFrom<unknown>(0, 1, 3, 10, '2.5', 0.001, 50) }, 1)

const both = (a: Arbitrary<Body>, b: Arbitrary<Body>): Arbitrary<Body> =>
  fc.tuple(a, b).map(([one, other]) => ({ ...one, ...other }))
const sometimes = (body: Arbitrary<Body>): Arbitrary<Body> =>
  fc.oneof({ weight: 2, arbitrary: body }, { weight: 3, arbitrary: fc.constant({}) })

const storages = { products_storage_id: storage, materials_storage_id: storage }
const notes = fc.constantFrom('', 'by noon', 'two\nlines')

const sale = { date_placed: day, ...storages, delivery_price: charge, discount: charge, notes }
const made = { production: fc.constantFrom(0, 1) }
const purchase = {
  date_placed: day,
  date_received: clearableDay,
  ...storages,
  delivery_price: charge,
  discount: charge,
}
const production = {
  date_placed: day,
  date_planned: clearableDay,
  date_done: clearableDay,
  ...storages,
  materials: fc.array(line('material', { amount }), { maxLength: 2 }),
  resources: fc.array(line('resource', { amount }), { maxLength: 1 }),
  order_id: fc.oneof(
    { weight: 3, arbitrary: place.map((at) => ({ pick: 'order', at })) },
    { weight: 1, arbitrary: fc.constant(0) },
  ),
  notes,
}
const makes = fc.record({ products: fc.array(line('product', { amount }), { minLength: 1, maxLength: 2 }) })
const status = (...codes: number[]) => ({ status: fc.constantFrom(...codes) })

const add = (section: string, body: Arbitrary<Body>): Arbitrary<Step> =>
  body.map((drawn) => ({ call: `${section}/add`, body: drawn }))
const on = (call: string, body: Arbitrary<Body>): Arbitrary<Step> =>
  fc.record({ call: fc.constant(call), document: place, body })
const weighted = <T>(...choices: [weight: number, arbitrary: Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Some of the goods in a document, or others; whether that quantity is left depends on chance. */
const partAmount = fc.constantFrom<unknown>(1, 1, 0.5, 2, 0.001, '0.75')
const partPick = fc.constantFrom('held', 'held', 'held', 'held', 'product')
const part = some(
  { date: day },
  { lines: fc.array(fc.record({ pick: partPick, at: place, amount: partAmount }), { minLength: 1, maxLength: 2 }) },
)
/** The same over the public API; without lines, everything that is left. */
const namedPart = fc.record({ pick: partPick, at: place, bySku: fc.boolean(), amount: partAmount })
const shipment = some({
  date: day,
  tracking_number: fc.constantFrom('', 'T-1'),
  lines: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: namedPart },
      { weight: 1, arbitrary: fc.record({ position: fc.nat({ max: 3 }), amount: partAmount }) },
    ),
    { minLength: 1, maxLength: 3 },
  ),
})

const partNumber = fc.constantFrom(1, 1, 2, 2, 3)

const newPurchase = add(
  'purchases',
  both(priced, some(purchase, { supplier_name: fc.constantFrom('Wood', 'Iron'), ...status(3, 3, 0) })),
)
const purchases = weighted<Step>(
  [6, newPurchase],
  [3, on('purchases/edit', both(sometimes(priced), some({ ...purchase, notes })))],
  [4, on('purchases/update_status', some({ date_received: day }, status(0, 1, 3, 3, 4)))],
  [4, on('purchases/receive_part', part)],
  [2, on('purchases/undo_receipt', some({}, { receipt: partNumber }))],
  [1, on('purchases/update_payment', some({}, status(0, 1, 2)))],
  [1, on('purchases/delete', fc.constant({}))],
)
const newProduction = add('productions', both(makes, some({ ...production, ...status(0, 1, 3, 3) })))
const productions = weighted<Step>(
  [4, newProduction],
  [3, on('productions/edit', both(sometimes(makes), some(production)))],
  [6, on('productions/update_status', some({ date_done: day }, status(0, 1, 3, 3, 4)))],
  [1, on('productions/delete', fc.constant({}))],
)
const newWriteOff = add('writeoffs', both(plain, some({ date: day, ...storages, notes })))
const writeOffs = weighted<Step>(
  [3, newWriteOff],
  [2, on('writeoffs/edit', both(sometimes(plain), some({ date: day, ...storages, notes })))],
  [1, on('writeoffs/delete', fc.constant({}))],
)
const between = { storage_from_id: storage, storage_to_id: storage }
const newTransfer = add(
  'transfers',
  both(plain, some({ date: day, date_received: clearableDay, ...status(0, 1, 3), notes }, between)),
)
const transfers = weighted<Step>(
  [4, newTransfer],
  [2, on('transfers/edit', both(sometimes(plain), some({ date: day, date_received: clearableDay, ...between })))],
  [3, on('transfers/update_status', some({ date_received: day }, status(0, 1, 3, 4)))],
  [1, on('transfers/delete', fc.constant({}))],
)
const newAudit = add('audits', both(counted, some({ date: day, ...status(0, 0, 3), notes }, { storage_id: storage })))
const audits = weighted<Step>(
  [3, newAudit],
  [2, on('audits/edit', both(sometimes(counted), some({ date: day, storage_id: storage })))],
  [3, on('audits/update_status', some({}, status(0, 3, 3, 4)))],
  [1, on('audits/delete', fc.constant({}))],
)
const newSale = add(
  'orders',
  both(
    priced,
    some(
      { ...sale, ...made, date_shipped: day },
      { num: fc.constant('1'), customer_name: fc.constantFrom('Ada', 'Bo') },
    ),
  ),
)
const sales = weighted<Step>(
  [5, newSale],
  [4, on('orders/edit', both(sometimes(priced), some({ ...sale, ...made, date_shipped: clearableDay })))],
  [6, on('orders/update_status', some({ date_shipped: day }, status(0, 1, 3, 3, 4)))],
  [2, on('orders/ship_part', part)],
  [3, on('orders/ship', shipment)],
  [2, on('orders/undo_shipment', some({}, { shipment: partNumber }))],
  [1, on('orders/delete', fc.constant({}))],
)

const components = fc.array(
  fc.record({
    pick: fc.constantFrom('material', 'material', 'product', 'resource'),
    at: place,
    component: fc.constant(true),
    amount: fc.constantFrom(1, 2, 0.5, 0.333333, 0.000001, 3),
  }),
  { maxLength: 2 },
)
const catalog = weighted<Step>(
  [3, add('products', some({ components }, { name: fc.constant('Another product') }))],
  [2, add('materials', fc.constant({ name: 'Another material' }))],
  [2, add('storages', fc.constant({ name: 'Another place' }))],
  [2, on('products/edit', fc.record({ components }))],
  [1, on('resources/edit', fc.record({ price: fc.constantFrom(0, 4, 12.5) }))],
  [1, on('products/delete', fc.constant({}))],
  [2, on('materials/delete', fc.constant({}))],
  [3, on('storages/delete', fc.constant({}))],
)

/** Fields that make a request invalid, or refer to missing records. A method ignores fields it does not declare. */
const spoiling = fc.constantFrom<Body>(
  { products: [{ id: 9_999, amount: 1, total: 1, counted: 1 }] },
  { materials: [{ sku: 'nothing', amount: 1, total: 1, counted: 1 }] },
  { products: [{ id: 4, amount: 0, total: 1, counted: -1 }] },
  { products: 'x' },
  { products: [], materials: [] },
  { products_storage_id: 99, storage_id: 99, storage_from_id: 99 },
  { materials_storage_id: '', storage_id: null, storage_to_id: 0 },
  { date: '2024-02-30', date_placed: '2024-13-01', date_received: 'x', date_done: 5, date_shipped: '2024-2-1' },
  { delivery_price: -1, discount: 'x' },
  { status: 2 },
  { status: 'x' },
  { order_id: 9_999, purchase_id: 9_999, production_id: 9_999, writeoff_id: -1, transfer_id: 'x', audit_id: '' },
  { products: [{ id: 4, amount: 999_999_999.999, total: 999_999_999_999.99, counted: 999_999_999.999 }] },
)
const spoiled = (step: Arbitrary<Step>): Arbitrary<Step> =>
  fc.tuple(step, spoiling).map(([drawn, wrong]) => ({ ...drawn, body: { ...drawn.body, ...wrong } }))

const sound = weighted<Step>(
  [5, purchases],
  [5, productions],
  [2, writeOffs],
  [3, transfers],
  [3, audits],
  [6, sales],
  [3, catalog],
)
const step = weighted<Step>([12, sound], [1, spoiled(sound)])
/** Documents of every section, so that most of the following steps have something to act on. */
const opening = weighted<Step>(
  [4, newPurchase],
  [2, newProduction],
  [1, newWriteOff],
  [2, newTransfer],
  [2, newAudit],
  [3, newSale],
)

const undoing: Arbitrary<Undoing> = fc.record({
  order: fc.array(fc.nat({ max: 999 }), { minLength: 40, maxLength: 40, size: 'max' }),
  ways: fc.array(fc.constantFrom(...ways), { minLength: 7, maxLength: 7 }),
})

const maxOpening = 10

/** Sequences of up to this many steps. */
export const sequenceOf = (most: number): Arbitrary<Sequence> =>
  fc.record({
    settings: fc.record({ default_sale_status: fc.constantFrom(0, 0, 1, 3) }),
    steps: fc
      .tuple(
        fc.array(opening, { maxLength: maxOpening, size: 'max' }),
        fc.array(step, { minLength: 1, maxLength: most - maxOpening, size: 'max' }),
      )
      .map((drawn) => drawn.flat()),
    undoing: fc.option(undoing, { freq: 2 }),
  })
