// Refusals of production methods, with the exact texts.

import assert from 'node:assert/strict'
import { broken } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, add, noRecords, refuses, remove } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { make, production, workshop } from '../test/harness/workshop.ts'

const missing = 'Production not found or access denied'
const products = [{ sku: 'TABLE', amount: 1 }]

/** Adding and editing are refused alike, and nothing changes. */
async function refusesBoth(company: Company, body: object, error: string): Promise<void> {
  const id = await make(company)
  const before = await production(company, id)
  const { total } = await accepts(company, 'productions/get_list')
  await refuses(company, 'productions/add', { products, ...body }, error)
  await refuses(company, 'productions/edit', { production_id: id, ...body }, error)
  assert.deepEqual(await production(company, id), before)
  assert.equal((await accepts(company, 'productions/get_list')).total, total)
}

const arrays = [
  ['products', 'product'],
  ['materials', 'material'],
  ['resources', 'resource'],
] as const

rule('productions.error.id', async () => {
  const { company } = await workshop()
  for (const method of ['edit', 'delete', 'update_status', 'get_entry'])
    for (const body of [{}, { production_id: null }, { production_id: '' }])
      await refuses(company, `productions/${method}`, { status: 3, ...body }, 'No production_id in input')
})

rule('productions.error.not-found', async () => {
  const [{ company }, other] = [await workshop(), await workshop()]
  const foreign = await make(other.company)
  const before = await production(other.company, foreign)
  for (const production_id of [...noRecords, foreign]) {
    for (const method of ['edit', 'delete', 'get_entry'])
      await refuses(company, `productions/${method}`, { production_id }, missing)
    await refuses(company, 'productions/update_status', { production_id, status: 3 }, missing)
  }
  assert.deepEqual(await production(other.company, foreign), before)
})

rule('productions.error.arrays', async () => {
  const { company } = await workshop()
  for (const [field] of arrays)
    for (const value of [{}, 'x', 1, true, ''])
      await refusesBoth(
        company,
        { [field]: value },
        `${field.charAt(0).toUpperCase()}${field.slice(1)} is not an array`,
      )
})

rule('productions.error.no-products', async () => {
  const { company } = await workshop()
  for (const body of [{}, { products: null }, { products: [] }, { materials: [{ sku: 'BOARD', amount: 1 }] }])
    await refuses(company, 'productions/add', body, 'No products in input')
})

rule('productions.error.storage-not-set', async () => {
  const { company } = await workshop()
  for (const field of ['products_storage_id', 'materials_storage_id'])
    for (const value of [null, '', 0, '0']) await refusesBoth(company, { [field]: value }, 'Storage ID is not set')
})

rule('productions.error.storage-not-found', async () => {
  const { company } = await workshop()
  const deleted = await add(company, 'storages')
  await remove(company, 'storages', deleted)
  for (const field of ['products_storage_id', 'materials_storage_id'])
    for (const value of [deleted, 987_654, -1, 'x', 1.5, {}])
      await refusesBoth(company, { [field]: value }, 'Storage ID not found')
})

rule('productions.error.date', async () => {
  const { company } = await workshop()
  const id = await make(company)
  const error = 'Date is not a valid date in format YYYY-MM-DD'
  const wrong = [
    '',
    '2026-02-30',
    '2026-3-1',
    '01.03.2026',
    'x',
    20_260_301,
    true,
    '0000-01-01',
    '2026-03-01T00:00:00Z',
  ]
  for (const field of ['date_placed', 'date_planned', 'date_done'])
    for (const value of wrong) await refusesBoth(company, { [field]: value }, error)
  for (const date_done of wrong)
    await refuses(company, 'productions/update_status', { production_id: id, status: 3, date_done }, error)
  for (const date_from of wrong) await refuses(company, 'productions/get_list', { date_from }, error)
  for (const date_to of wrong) await refuses(company, 'productions/get_list', { date_to }, error)
})

rule('productions.error.status', async () => {
  const { company } = await workshop()
  const id = await make(company)
  const error = 'Invalid status value. Must be one of: 0, 1, 3, 4'
  for (const status of [2, 5, -1, 1.5, 'x', '2', true, [], {}]) {
    await refuses(company, 'productions/update_status', { production_id: id, status }, error)
    await refuses(company, 'productions/add', { products, status }, error)
  }
})

rule('productions.error.no-status', async () => {
  const { company } = await workshop()
  const id = await make(company)
  for (const body of [{}, { status: null }, { status: '' }])
    await refuses(company, 'productions/update_status', { production_id: id, ...body }, 'No status in input')
})

rule('productions.error.line', async () => {
  const { company } = await workshop()
  for (const [field] of arrays)
    for (const line of [null, 'x', 1, true, []])
      await refusesBoth(company, { [field]: [line] }, `Line 0 of ${field} must be an object`)
  await refusesBoth(company, { products: [...products, 'x'] }, 'Line 1 of products must be an object')
})

rule('productions.error.unnamed', async () => {
  const { company } = await workshop()
  for (const [field, kind] of arrays)
    for (const line of [{}, { sku: '' }, { sku: '  ', id: 0 }, { id: null }, { id: '' }])
      await refusesBoth(company, { [field]: [{ ...line, amount: 1 }] }, `SKU or id not set for ${kind} 0`)
  await refusesBoth(company, { products: [...products, { amount: 1 }] }, 'SKU or id not set for product 1')
})

rule('productions.error.amount-not-set', async () => {
  const { company } = await workshop()
  for (const [field, kind] of arrays) {
    await refusesBoth(company, { [field]: [{ sku: 'X' }] }, `Amount not set for ${kind} with SKU "X"`)
    await refusesBoth(company, { [field]: [{ id: 7, amount: null }] }, `Amount not set for ${kind} with id 7`)
  }
})

rule('productions.error.amount', async () => {
  const { company } = await workshop()
  for (const [field, kind] of arrays)
    for (const amount of [0, -1, 0.0004, 'x', '', '1,5', true, {}])
      await refusesBoth(
        company,
        { [field]: [{ sku: 'TABLE', amount }] },
        `Amount must be greater than 0 for ${kind} with SKU "TABLE"`,
      )
})

rule('productions.error.amount-too-large', async () => {
  const { company } = await workshop()
  for (const [field, kind] of arrays)
    for (const amount of [1_000_000_000, '999999999.9995', 1e30])
      await refusesBoth(company, { [field]: [{ id: 3, amount }] }, `Amount is too large for ${kind} with id 3`)
})

rule('productions.error.unknown', async () => {
  const { company, board, hour, table } = await workshop()
  const other = await workshop()
  const foreign = await given.product(other.company, { sku: 'FOREIGN' })
  const unknown: readonly (readonly [string, object, string])[] = [
    ['products', { sku: 'NONE' }, 'Product with SKU "NONE" not found'],
    ['products', { sku: 'BOARD' }, 'Product with SKU "BOARD" not found'],
    ['products', { sku: foreign.sku }, 'Product with SKU "FOREIGN" not found'],
    ['products', { id: 987 }, 'Product with id 987 not found'],
    ['products', { id: board }, `Product with id ${board} not found`],
    ['materials', { sku: 'NONE' }, 'Material with SKU "NONE" not found'],
    ['materials', { sku: 'TABLE' }, 'Material with SKU "TABLE" not found'],
    ['materials', { id: table }, `Material with id ${table} not found`],
    ['resources', { id: 987 }, 'Resource with id 987 not found'],
    ['resources', { id: board }, `Resource with id ${board} not found`],
    ['materials', { id: hour }, `Material with id ${hour} not found`],
  ]
  // an additional known item does not help
  for (const [field, named, error] of unknown) {
    const known = field === 'products' ? products : []
    await refusesBoth(company, { [field]: [...known, { ...named, amount: 1 }] }, error)
  }
})

rule('productions.error.order', async () => {
  const { company, table } = await workshop()
  const other = await workshop()
  const foreign = await given.sale(other.company, { products: [{ id: other.table, amount: 1, total: 9 }] })
  const deleted = await given.sale(company, { products: [{ id: table, amount: 1, total: 9 }] })
  await accepts(company, 'orders/delete', { order_id: deleted })
  for (const order_id of [987_654, deleted, foreign, -1, 'x', 1.5])
    await refusesBoth(company, { order_id }, 'Order not found')
})

rule('productions.error.num', async () => {
  const { company } = await workshop()
  for (const num of ['', '   ']) await refusesBoth(company, { num }, 'No num in input')
})

rule('productions.error.precedence', async () => {
  const { company } = await workshop()
  const unknown = { products: [{ sku: 'NONE', amount: 1 }], products_storage_id: 987, order_id: 987 }
  const several = { ...unknown, date_done: 'x' }
  await refuses(company, 'productions/add', several, 'Date is not a valid date in format YYYY-MM-DD')
  const of = { production_id: 987 }
  await refuses(company, 'productions/edit', { ...of, ...several }, 'Date is not a valid date in format YYYY-MM-DD')
  await refuses(company, 'productions/edit', { ...of, ...unknown }, missing)
  await refuses(
    company,
    'productions/update_status',
    { ...of, status: 2 },
    'Invalid status value. Must be one of: 0, 1, 3, 4',
  )
  const lines = { products: [{ sku: 'NONE', amount: 0 }], materials: ['x'] }
  await refuses(company, 'productions/add', lines, 'Amount must be greater than 0 for product with SKU "NONE"')
  assert.deepEqual(await broken(company.id), [])
})
