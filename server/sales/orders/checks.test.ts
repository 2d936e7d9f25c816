// Several errors at once, in add and in edit. The tables below are the error tables in their order; every two of their
// rows that one request can violate are violated together, and the earlier error must be reported.

import assert from 'node:assert/strict'
import { type Company, given } from '../../test/harness/given.ts'
import { rule } from '../../test/harness/rule.ts'

/** One row: the invalid values, and the text. `off` marks errors that occur only where ordering materials is disabled. */
type Row = { readonly error: string; readonly wrong: Readonly<Record<string, unknown>>; readonly off?: true }

const tea = { sku: 'TEA', amount: 2, total: 30.5 }
const many = Array.from({ length: 5001 }, () => 5)

const row = (error: string, wrong: Row['wrong']): Row => ({ error, wrong })

// The rows that are in both tables, by name.
const shared = {
  products: row('Products is not an array', { products: 5 }),
  materials: row('Materials is not an array', { materials: 5 }),
  noLines: row('No products or materials in input', { products: [], materials: [] }),
  manyProducts: row('Too many lines. Must be at most 5000', { products: many }),
  manyMaterials: row('Too many lines. Must be at most 5000', { materials: many }),
  disabled: { error: 'Materials in orders are disabled in company settings', wrong: { materials: [tea] }, off: true },
  noProductsStorage: row('Storage ID is not set', { products_storage_id: '' }),
  noMaterialsStorage: row('Storage ID is not set', { materials_storage_id: 0 }),
  placed: row('Date is not a valid date in format YYYY-MM-DD', { date_placed: '2024-02-30' }),
  shipped: row('Date is not a valid date in format YYYY-MM-DD', { date_shipped: 'x' }),
  delivery: row('Invalid delivery_price value. Must be a number, 0 or greater', { delivery_price: -1 }),
  discount: row('Invalid discount value. Must be a number, 0 or greater', { discount: 'x' }),
  nameEmpty: row('Customer name must not be empty', { customer_name: ' ' }),
  nameString: row('Customer name must be a string', { customer_name: 5 }),
} as const satisfies Record<string, Row>

const lines: readonly Row[] = [
  row('Line 0 of products must be an object', { products: [5] }),
  row('SKU or id not set for product 0', { products: [{ amount: 1, total: 1 }] }),
  row('Amount not set for product with SKU "TEA"', { products: [{ ...tea, amount: null }] }),
  row('Total not set for product with SKU "TEA"', { products: [{ ...tea, total: null }] }),
  row('Amount must be greater than 0 for product with SKU "TEA"', { products: [{ ...tea, amount: 0 }] }),
  row('Total must be a number for product with SKU "TEA"', { products: [{ ...tea, total: 'x' }] }),
]

const unlisted: readonly Row[] = [
  row('Invalid production value. Must be one of: 0, 1', { production: 7 }),
  row('Invalid notes value. Must be a string', { notes: [] }),
]

const noStorage = row('Storage ID not found', { products_storage_id: 987654 })
const allWrong = row('All products have wrong SKU or id', { products: [{ ...tea, sku: 'NO' }] })
const noCustomer = row('Customer not found', { customer_id: 987654 })

const { products, materials, noLines, manyProducts, manyMaterials, disabled, noProductsStorage, noMaterialsStorage } =
  shared
const { placed, shipped, delivery, discount, nameEmpty, nameString } = shared
const arrays: readonly Row[] = [products, materials, noLines, manyProducts, manyMaterials, disabled]
const values: readonly Row[] = [noProductsStorage, noMaterialsStorage, placed, shipped, delivery, discount]

const addRequest: readonly Row[] = [
  row('No num in input', { num: '' }),
  ...arrays,
  ...values,
  ...lines,
  row('No customer_name or customer_id in input', { customer_name: null }),
  nameEmpty,
  nameString,
]
const addUnlisted: readonly Row[] = [...unlisted, row('Invalid num value. Must be a string', { num: [] })]
const addData: readonly Row[] = [noStorage, allWrong, noCustomer]

const editRequest: readonly Row[] = [row('No order_id in input', { order_id: null }), ...arrays, ...values, nameEmpty]
// Errors that a table does not list have no order among themselves: each is tested against the rows of the table and against data.
const editUnlisted: readonly Row[] = [...lines, row('No num in input', { num: '' }), nameString, ...unlisted]
const editData: readonly Row[] = [
  row('Order not found or access denied', { order_id: 987654 }),
  allWrong,
  noStorage,
  noCustomer,
]

/** Both errors in one request; undefined if one request cannot contain both, or if they are the same row. */
function together(first: Row, second: Row): object | undefined {
  const clash = Object.keys(first.wrong).some((field) => Object.hasOwn(second.wrong, field))
  const oneRow = first.error === second.error || (first === products && second === materials)
  // With a customer_id the name is ignored, so it cannot be invalid.
  const both = { ...first.wrong, ...second.wrong }
  return clash || oneRow || ('customer_id' in both && 'customer_name' in both) ? undefined : both
}

async function shop(materials_in_sales: boolean) {
  const company = await given.company({ materials_in_sales })
  await given.product(company, { sku: 'TEA' })
  const order_id = await given.sale(company, { products: [tea] })
  return { company, order_id }
}

/** Combines the first row with every later row, and expects the first error each time. */
async function reportedBefore(method: string, first: Row, later: readonly Row[], least: number): Promise<void> {
  const [on, off] = [await shop(true), await shop(false)]
  let sent = 0
  for (const second of later) {
    const wrong = together(first, second)
    if (wrong === undefined) continue
    const { company, order_id } = (first.off ?? second.off) ? off : on
    const base = method === 'orders/add' ? { num: '1', products: [tea], customer_name: 'Ann' } : { order_id }
    await refuses(company, method, { ...base, ...wrong }, first.error, second.error)
    sent++
  }
  assert.ok(sent >= least, `${first.error}: only ${sent} requests`)
}

async function refuses(company: Company, method: string, body: object, error: string, other: string): Promise<void> {
  const reply = await company.call(method, body)
  assert.deepEqual([reply.status, reply.body], [400, { success: false, error }], `together with "${other}"`)
}

type Method = 'orders/add' | 'orders/edit'

function inOrder(method: Method, about: string, body: () => Promise<void>): void {
  if (method === 'orders/add') {
    rule('orders/add.order-of-checks', about, body)
  } else {
    rule('orders/edit.order-of-checks', about, body)
  }
}

for (const [method, request, after, data] of [
  ['orders/add', addRequest, addUnlisted, addData],
  ['orders/edit', editRequest, editUnlisted, editData],
] as const) {
  for (const [at, first] of request.entries()) {
    const about = `"${first.error}" (${Object.keys(first.wrong).join(', ')}) is reported before every later row`
    inOrder(method, about, () => reportedBefore(method, first, [...request.slice(at + 1), ...after, ...data], 2))
  }
  for (const first of after) {
    inOrder(method, `"${first.error}" is reported before errors that need data`, () =>
      reportedBefore(method, first, data, 2),
    )
  }
  for (const [at, first] of data.slice(0, -1).entries()) {
    const about = `"${first.error}" is reported before the later data rows`
    inOrder(method, about, () => reportedBefore(method, first, data.slice(at + 1), 1))
  }
}

// Rows about the same field: their values are written out.
for (const method of ['orders/add', 'orders/edit'] as const) {
  const expectsError =
    (about: string, wrong: object, error: string, materials = true) =>
    async () => {
      const { company, order_id } = await shop(materials)
      const base = method === 'orders/add' ? { num: '1', customer_name: 'Ann' } : { order_id }
      await refuses(company, method, { ...base, ...wrong }, error, about)
    }

  const notFound = [{ ...tea, sku: 'NO' }]
  for (const [about, wrong, error, materialsAllowed] of [
    ['not an array, and no line passed', { products: 5, materials: [] }, products.error, true],
    ['not an array, and too many lines', { products: many, materials: 5 }, materials.error, true],
    ['not an array, and materials disabled', { products: 5, materials: [tea] }, products.error, false],
    ['too many lines, and materials disabled', { materials: many }, manyMaterials.error, false],
    ['too many lines, and lines that are no objects', { products: many }, manyProducts.error, true],
    ['materials disabled, and a line that is no object', { materials: [5] }, disabled.error, false],
    ['materials disabled, and no line found', { materials: notFound }, disabled.error, false],
    [
      'storage not set, and storage not found',
      { products: [tea], products_storage_id: 987654, materials_storage_id: '' },
      noMaterialsStorage.error,
      true,
    ],
  ] as const) {
    inOrder(method, about, expectsError(about, wrong, error, materialsAllowed))
  }

  const [notObject, noItem, noAmount, noTotal, badAmount, badTotal] = lines.map((one) => one.error)
  const tooLarge = 'Amount is too large for product with SKU "TEA"'
  for (const [about, wrong, error] of [
    ['no object before no item', { products: [5, {}] }, notObject],
    ['no item before no amount', { products: [{ total: 1 }] }, noItem],
    ['no item before no total', { products: [{ amount: 1 }] }, noItem],
    ['no amount before no total', { products: [{ sku: 'TEA' }] }, noAmount],
    ['no amount before a bad total', { products: [{ sku: 'TEA', total: 'x' }] }, noAmount],
    ['no total before a bad amount', { products: [{ sku: 'TEA', amount: 0 }] }, noTotal],
    ['a bad amount before a bad total', { products: [{ sku: 'TEA', amount: 0, total: 'x' }] }, badAmount],
    ['a line before the next', { products: [{ ...tea, total: 'x' }, 5] }, badTotal],
    ['a line’s further checks before the next line', { products: [{ ...tea, amount: 1e9 }, 5] }, tooLarge],
    ['products before materials', { products: [tea, { ...tea, total: 'x' }], materials: [5] }, badTotal],
    ['a wrong line before lines not found', { products: [...notFound, { sku: 'TEA' }] }, noAmount],
  ] as const) {
    rule('orders/add.order-in-lines', `${method}: ${about}`, expectsError(about, wrong, String(error)))
  }
}
