// The example data: a small workshop as the requests that create it, in order. A request may use the ids that earlier ones returned. Pure.
// Long because the workshop is one list of requests.

import type { ExampleTexts } from './texts.ts'

/** The ids of the records created so far, by the name of their step. */
export type Made = Readonly<Record<string, number>>
export type Step = {
  readonly name: string
  readonly path: string
  readonly body: (made: Made, days: Days) => object
}
export type Days = {
  /** A day before the one on which the example data was asked for. */
  readonly ago: (days: number) => string
}

const id = (made: Made, name: string): number => made[name] ?? 0
const part = (made: Made, type: 'material' | 'product' | 'resource', name: string, amount: number) => ({
  type,
  id: id(made, name),
  amount,
})

const bought = (texts: ExampleTexts): Step[] => [
  { name: 'sawmill', path: 'suppliers/add', body: () => ({ name: texts.sawmill, email: 'order@greenwood.example' }) },
  { name: 'hardware', path: 'suppliers/add', body: () => ({ name: texts.hardware, email: 'sales@miller.example' }) },
  ...(
    [
      ['board', 'EX-BOARD', 18.5, 20, 'sawmill'],
      ['legs', 'EX-LEGS', 34, 4, 'hardware'],
      ['screw', 'EX-SCREW', 0.06, 200, 'hardware'],
      ['oil', 'EX-OIL', 21, 2, 'hardware'],
      ['glue', 'EX-GLUE', 7.9, 2, 'hardware'],
      ['felt', 'EX-FELT', 0.15, 50, 'hardware'],
    ] as const
  ).map(
    ([name, sku, price, min_amount, supplier]): Step => ({
      name,
      path: 'materials/add',
      body: (made) => ({
        ...{ name: texts[name], sku, price, min_amount },
        suppliers: [{ supplier_id: id(made, supplier), price }],
      }),
    }),
  ),
  { name: 'joiner', path: 'resources/add', body: () => ({ name: texts.joiner, price: 38 }) },
]

const made = (texts: ExampleTexts): Step[] => [
  {
    name: 'top',
    path: 'products/add',
    body: (so) => ({
      ...{ name: texts.top, sku: 'EX-TOP', price: 290 },
      components: [
        part(so, 'material', 'board', 5),
        part(so, 'material', 'glue', 0.2),
        part(so, 'resource', 'joiner', 1.5),
      ],
    }),
  },
  {
    name: 'table',
    path: 'products/add',
    body: (so) => ({
      ...{ name: texts.table, sku: 'EX-TABLE', price: 690, min_amount: 1 },
      components: [
        part(so, 'product', 'top', 1),
        part(so, 'material', 'legs', 1),
        part(so, 'material', 'screw', 16),
        part(so, 'material', 'oil', 0.25),
        part(so, 'material', 'felt', 4),
        part(so, 'resource', 'joiner', 1),
      ],
    }),
  },
  {
    name: 'bench',
    path: 'products/add',
    body: (so) => ({
      ...{ name: texts.bench, sku: 'EX-BENCH', price: 340, min_amount: 2 },
      components: [
        part(so, 'material', 'board', 3),
        part(so, 'material', 'screw', 12),
        part(so, 'material', 'oil', 0.1),
        part(so, 'resource', 'joiner', 2),
      ],
    }),
  },
  {
    name: 'shelf',
    path: 'products/add',
    body: (so) => ({
      ...{ name: texts.shelf, sku: 'EX-SHELF', price: 85, min_amount: 3 },
      components: [
        part(so, 'material', 'board', 1),
        part(so, 'material', 'screw', 4),
        part(so, 'resource', 'joiner', 0.5),
      ],
    }),
  },
  {
    name: 'cutting',
    path: 'products/add',
    body: (so) => ({
      ...{ name: texts.cutting, sku: 'EX-CUTTING', price: 49 },
      components: [
        part(so, 'material', 'board', 0.5),
        part(so, 'material', 'oil', 0.05),
        part(so, 'resource', 'joiner', 0.4),
      ],
    }),
  },
  { name: 'cushion', path: 'products/add', body: () => ({ name: texts.cushion, sku: 'EX-CUSHION', price: 45 }) },
]

const contacts = (texts: ExampleTexts): Step[] => [
  { name: 'shop', path: 'customers/add', body: () => ({ name: texts.shop, email: 'hello@store.example' }) },
  { name: 'private', path: 'customers/add', body: () => ({ name: texts.private, email: 'anna@mail.example' }) },
  {
    name: 'restaurant',
    path: 'customers/add',
    body: () => ({ name: texts.restaurant, email: 'table@oldoak.example' }),
  },
]

/** Small documents: each can be removed by itself. */
const documents = (texts: ExampleTexts): Step[] => [
  ...(
    [
      ['board', 60, 1080],
      ['legs', 10, 335],
      ['screw', 800, 44],
      ['oil', 5, 102.5],
      ['glue', 4, 30.8],
      ['felt', 120, 16.8],
    ] as const
  ).map(
    ([name, amount, total]): Step => ({
      name: `received ${name}`,
      path: 'purchases/add',
      body: (so, { ago }) => ({
        supplier_id: id(so, name === 'board' ? 'sawmill' : 'hardware'),
        ...{ date_placed: ago(24), date_received: ago(20), status: 3, notes: texts.notes },
        materials: [{ id: id(so, name), amount, total }],
      }),
    }),
  ),
  {
    name: 'ordered',
    path: 'purchases/add',
    body: (so, { ago }) => ({
      supplier_id: id(so, 'sawmill'),
      ...{ date_placed: ago(2), status: 1, notes: texts.notes },
      materials: [{ id: id(so, 'board'), amount: 40, total: 740 }],
    }),
  },
  {
    name: 'counted',
    path: 'audits/add',
    body: (so, { ago }) => ({
      storage_id: id(so, 'storage'),
      ...{ date: ago(20), status: 3, notes: texts.notes },
      products: [{ id: id(so, 'cushion'), counted: 12, unit_cost: 19.5 }],
    }),
  },
  ...(
    [
      ['top', 3, 16],
      ['table', 2, 15],
      ['bench', 4, 14],
      ['shelf', 6, 12],
    ] as const
  ).map(
    ([name, amount, days]): Step => ({
      name: `finished ${name}`,
      path: 'productions/add',
      body: (so, { ago }) => ({
        ...{ date_placed: ago(days + 1), date_done: ago(days), status: 3, notes: texts.notes },
        products: [{ id: id(so, name), amount }],
      }),
    }),
  ),
  {
    name: 'planned',
    path: 'productions/add',
    body: (so, { ago }) => ({
      date_placed: ago(1),
      notes: texts.notes,
      products: [{ id: id(so, 'cutting'), amount: 10 }],
    }),
  },
]

const sold = (texts: ExampleTexts): Step[] => [
  {
    name: 'shipped',
    path: 'orders/add',
    body: (so, { ago }) => ({
      ...{ num: 'EX-1', customer_id: id(so, 'private'), date_placed: ago(9), notes: texts.notes },
      products: [{ id: id(so, 'table'), amount: 1, total: 690 }],
    }),
  },
  {
    name: 'payment',
    path: 'orders/update_payment',
    body: (so) => ({ order_id: id(so, 'shipped'), status: 2 }),
  },
  {
    name: 'shipment',
    path: 'orders/update_status',
    body: (so, { ago }) => ({ order_id: id(so, 'shipped'), status: 3, date_shipped: ago(7) }),
  },
  {
    name: 'cushions',
    path: 'orders/add',
    body: (so, { ago }) => ({
      ...{ num: 'EX-2', customer_id: id(so, 'private'), date_placed: ago(6), notes: texts.notes },
      products: [{ id: id(so, 'cushion'), amount: 4, total: 180 }],
    }),
  },
  {
    name: 'cushions shipped',
    path: 'orders/update_status',
    body: (so, { ago }) => ({ order_id: id(so, 'cushions'), status: 3, date_shipped: ago(5) }),
  },
  {
    name: 'ready',
    path: 'orders/add',
    body: (so, { ago }) => ({
      ...{ num: 'EX-3', customer_id: id(so, 'restaurant'), date_placed: ago(3), notes: texts.notes },
      products: [{ id: id(so, 'bench'), amount: 3, total: 990 }],
    }),
  },
  {
    name: 'to order',
    path: 'orders/add',
    body: (so, { ago }) => ({
      ...{ num: 'EX-4', customer_id: id(so, 'shop'), date_placed: ago(1), notes: texts.notes, production: 1 },
      products: [{ id: id(so, 'cutting'), amount: 15, total: 660 }],
    }),
  },
]

export const workshopSteps = (texts: ExampleTexts): readonly Step[] => [
  ...bought(texts),
  ...made(texts),
  ...contacts(texts),
  ...documents(texts),
  ...sold(texts),
]
