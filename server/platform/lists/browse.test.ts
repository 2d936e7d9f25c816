// Tests of every list of the screens, generated from its declaration: each column sorts, pages add up to the list, sums match the
// rows, and only declared columns can be sorted by.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { z } from 'zod'
import { methods } from '../../methods.ts'
import { type Company, given, type User } from '../../test/harness/given.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

const lists = methods.filter(({ path }) => path.endsWith('/browse'))

let company: Company
let user: User

type Row = Readonly<Record<string, unknown>>
const sectionOf = (path: string): string => path.replace('/browse', '')
const rowsOf = async (path: string, body: object = {}): Promise<Row[]> =>
  (await shown(user, path, { limit: 1000, ...body }))[sectionOf(path)]
const keyOf = (row: Row): string => `${row['id']} ${row['storage_id'] ?? ''}`

function sortable(path: string): readonly string[] {
  const method = lists.find((one) => one.path === path)
  const sort = method?.input.schema.shape['sort'] as z.ZodOptional<z.ZodEnum>
  return sort.unwrap().options.map(String)
}

/** Records of every kind, with values that differ and values that repeat. */
before(async () => {
  company = await given.company({ materials_in_sales: true })
  user = await given.user(company, 'owner')
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await company.call(`${section}/add`, body)
    assert.equal(reply.status, 200, `${section}/add ${JSON.stringify(body)} → ${reply.text}`)
    return Number(Object.values(reply.body)[1])
  }
  const storages = [company.productsStorageId, company.materialsStorageId, await add('storages', { name: 'Annex' })]
  for (let at = 0; at < 7; at++) {
    const [storage_from_id, storage_to_id] = [storages[at % 3], storages[(at + 1) % 3]]
    const amount = 1 + (at % 3) / 2
    const material = await add('materials', {
      name: `Board ${12 - at}`,
      sku: `B-${at}`,
      price: at % 2,
      min_amount: at % 2,
    })
    const components = [{ type: 'material', id: material, amount: 2 }]
    const product = await add('products', { name: `table ${at}`, sku: `T-${at}`, price: 9 - at, components })
    await add('resources', { name: `Carpenter ${at % 2}`, price: at })
    const goods = {
      products: [{ id: product, amount, total: 10 * (at % 4) }],
      materials: [{ id: material, amount: 2 * amount, total: 3 + at }],
    }
    const plain = { products: [{ id: product, amount }] }
    const day = `2025-0${1 + (at % 4)}-0${1 + (at % 2)}`
    const contact = { email: `${9 - (at % 3)}@example.com`, phone: `+${at % 2}`, manager_name: `Manager ${at % 2}` }
    const customers = await add('customers', { name: `Oak ${at}`, ...contact })
    const suppliers = await add('suppliers', { name: `Wood ${at}`, ...contact })
    const [customer_id, supplier_id] = [Math.min(customers, 5), Math.min(suppliers, 5)]
    const purchase_id = await add('purchases', {
      supplier_id,
      ...goods,
      date_placed: day,
      status: at % 2 === 0 ? 3 : 0,
    })
    const order_id = await add('orders', { num: `${(at * 5) % 7}`, customer_id, ...goods, date_placed: day })
    const status = at % 2
    const requests = [
      ['purchases/update_payment', { purchase_id, status }],
      ['purchases/edit', { purchase_id, date_received: at % 3 === 0 ? day : null }],
      ['orders/update_payment', { order_id, status }],
      ['orders/update_status', at % 3 === 0 ? { order_id, status: 3, date_shipped: day } : { order_id, status }],
      [
        'productions/add',
        {
          ...plain,
          date_placed: day,
          date_planned: at % 3 === 0 ? null : day,
          date_done: at % 2 === 0 ? null : day,
          status: status * 3,
        },
      ],
      ['writeoffs/add', { ...plain, date: day }],
      [
        'transfers/add',
        { ...plain, date: day, storage_from_id, storage_to_id, status, date_received: at % 3 === 0 ? null : day },
      ],
      [
        'audits/add',
        { storage_id: storage_to_id, products: [{ id: product, counted: at }], date: day, status: status * 3 },
      ],
    ] as const
    for (const [path, body] of requests) {
      const reply = await company.call(path, body)
      assert.equal(reply.status, 200, `${path} → ${reply.text}`)
    }
    // Not in the public API.
    const offer = { customer_id, products: goods.products, date_placed: day, valid_until: `2099-0${5 + (at % 3)}-01` }
    const { quote_id } = await shown(user, 'quotes/add', offer)
    if (status === 1) await shown(user, 'quotes/send', { quote_id })
  }
})

test('there are several lists, each with several rows', async () => {
  assert.ok(lists.length >= 5)
  for (const { path } of lists) assert.ok((await rowsOf(path)).length >= 7, path)
})

for (const { path } of lists) {
  const section = sectionOf(path)

  test(`${path}: every sortable column orders the same rows, both ways`, async () => {
    const all = (await rowsOf(path)).map(keyOf).toSorted()
    assert.equal(new Set(all).size, all.length, 'no row appears twice')
    for (const sort of sortable(path)) {
      for (const direction of ['asc', 'desc'] as const) {
        const rows = await rowsOf(path, { sort, direction })
        assert.deepEqual(rows.map(keyOf).toSorted(), all, sort)
        const values = rows.map((row) => row[sort])
        assert.ok(new Set(values).size > 1 || sort === 'source', `${sort} has different values`)
        assertOrdered(values, direction, `${path} ${sort} ${direction}`)
      }
    }
  })

  test(`${path}: pages add up to the list, in its order`, async () => {
    for (const sort of sortable(path)) {
      const whole = (await rowsOf(path, { sort })).map(keyOf)
      const paged: string[] = []
      for (let offset = 0; offset < whole.length; offset += 2) {
        const page = await shown(user, path, { sort, limit: 2, offset })
        assert.equal(page.total, whole.length)
        paged.push(...page[section].map(keyOf))
      }
      assert.deepEqual(paged, whole, sort)
    }
    assert.deepEqual(await rowsOf(path, { offset: 1_000 }), [])
  })

  test(`${path}: the sums match the rows, also with a filter`, async () => {
    const rows = await rowsOf(path)
    const { totals, total } = await shown(user, path)
    assert.equal(total, rows.length)
    const some = rows.slice(0, 2).map((row) => row['id'])
    const narrowed = await shown(user, path, { ids: some, limit: 1000 })
    for (const name of Object.keys(totals)) {
      const expected = counted.get(name) ?? ((of: readonly Row[]) => sumOf(of, name))
      assert.equal(totals[name], expected(rows), name)
      assert.equal(narrowed.totals[name], expected(narrowed[section]), `${name} of some`)
    }
    assert.equal(narrowed.total, rows.filter((row) => some.includes(row['id'])).length)
  })

  test(`${path}: only declared columns can be sorted by, and the input is checked strictly`, async () => {
    const columns = sortable(path)
    for (const sort of ['id', `${columns[0]} desc`, `${columns[0]};`, 'toString', '']) {
      assert.equal(await refusal(user, path, { sort }), `Invalid sort value. Must be one of: ${columns.join(', ')}`)
    }
    assert.equal(await refusal(user, path, { direction: 'ASC' }), 'Invalid direction value. Must be one of: asc, desc')
    assert.equal(await refusal(user, path, { limit: 1001 }), 'Invalid limit value. Must be between 1 and 1000')
    assert.equal(await refusal(user, path, { offset: 'x' }), 'Invalid offset value. Must be 0 or greater')
    assert.equal(await refusal(user, path, { ids: {} }), 'Ids is not an array')
    assert.equal(await refusal(user, path, { search: true }), 'Invalid search value. Must be a string')
    assert.deepEqual(await rowsOf(path, { search: 'no such name' }), [])
    assert.deepEqual(await rowsOf(path, { ids: [0, 'x'] }), [])
    const { limit } = { limit: 50, ...(await shown(user, path, {})) }
    assert.equal(limit, 50)
  })

  test(`${path}: another company sees nothing of it`, async () => {
    const otherUser = await given.user(await given.company(), 'owner')
    const answer = await shown(otherUser, path, {})
    assert.deepEqual([answer[section], answer.total], [[], 0])
  })
}

/** Totals that count rows. */
const counted = new Map<string, (rows: readonly Row[]) => number>([
  ['sales', (rows) => rows.length],
  ['without_cost', (rows) => rows.filter((row) => row['cost'] === null).length],
])

const sumOf = (rows: readonly Row[], name: string): number =>
  Math.round(rows.reduce((sum, row) => sum + Math.round(Number(row[name] ?? 0) * 1e6), 0)) / 1e6

/** Numbers and days in their order, missing values last, names in natural order. */
function assertOrdered(values: readonly unknown[], direction: 'asc' | 'desc', label: string): void {
  const isNone = (value: unknown): boolean => value === null || value === ''
  const firstNone = values.findIndex(isNone)
  const present = values.filter((value) => !isNone(value))
  // An empty text is a value; an empty day is not.
  if (present.some((value) => typeof value === 'string' && /^\d{4}-/.test(value)) && firstNone !== -1)
    assert.ok(values.slice(firstNone).every(isNone), `${label}: missing values come last`)
  for (const [at, value] of present.entries()) {
    const next = present[at + 1]
    if (next === undefined) continue
    const compared = compare(value, next)
    assert.ok(direction === 'asc' ? compared <= 0 : compared >= 0, `${label}: ${value} before ${next}`)
  }
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const parts = (text: unknown): string =>
    String(text)
      .toLowerCase()
      .replace(/\d+/g, (run) => run.padStart(12, '0'))
  return parts(a) < parts(b) ? -1 : parts(a) > parts(b) ? 1 : 0
}
