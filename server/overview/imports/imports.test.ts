// Imports of files: rows are checked without being written, and what is refused.

import assert from 'node:assert/strict'
import { broken, query } from '../../test/harness/database.ts'
import { given } from '../../test/harness/given.ts'
import { contents, counts, draft, imported, importer, rowsOf, run, sendRows } from '../../test/harness/imports.ts'
import { rule } from '../../test/harness/rule.ts'
import { refusal, shown } from '../../test/harness/screens.ts'

rule('imports.check', async () => {
  const { company, user } = await importer()
  const tea = await given.product(company, { sku: 'TEA', name: 'Tea', price: '3' })
  const before = await contents(company)
  const { id, states } = await draft(user, 'products', [
    { name: 'Oak table', sku: 'TABLE-1', price: '249' },
    { sku: 'tea', price: '3.50' },
    { sku: 'TEA-2', name: 'Tea 2', price: 'cheap' },
    { sku: 'NEW' },
    {},
  ])
  assert.deepEqual(states, ['create', 'change', 'refused', 'refused', 'refused'])
  const same = await draft(user, 'products', [{ sku: 'TEA', name: 'Tea', price: '3.00' }])
  assert.deepEqual(same.states, ['unchanged'])
  const rows = await rowsOf(user, id)
  assert.deepEqual(rows[1].changes, { sku: ['TEA', 'tea'], price: ['3', '3.5'] })
  assert.deepEqual(rows[2].refusal, {
    error: 'Invalid price value. Must be a number, 0 or greater',
    code: 'not_a_number',
    field: 'price',
  })
  assert.equal(rows[3].refusal.field, 'name')
  assert.deepEqual(await contents(company), before)
  const { product_id: next } = (await company.call('products/add', { name: 'Next' })).body
  assert.equal(next, tea.id + 1)
})

rule('imports.check.names', async () => {
  const { company, user } = await importer()
  await given.material(company, { sku: 'LEG' })
  await company.call('resources/add', { name: 'Carpenter', price: 20 })
  await given.material(company, { sku: 'BOTH' })
  await given.product(company, { sku: 'BOTH' })
  const { unit_id: unit } = (await company.call('units/add', { name: 'kg', full_name: 'kilogram' })).body
  const { category_id: category } = (await company.call('categories/add', { name: 'Tische', type: 'products' })).body
  const { supplier_id: supplier } = (await company.call('suppliers/add', { name: 'Holz AG' })).body
  const { id, counts: done } = await imported(user, 'products', [
    {
      sku: 'T',
      name: 'T',
      unit: 'Kilogram',
      categories: ['tische'],
      suppliers: [{ name: 'HOLZ AG', sku: 'H1', price: '2' }],
      components: [{ type: 'resource', sku: 'carpenter', amount: '0.5' }, { sku: 'leg', amount: '4' }, { sku: 'BOTH', type: 'product', amount: '1' }],
    },
    { sku: 'U', name: 'U', unit: 'ell' },
    { sku: 'V', name: 'V', categories: ['Chairs'] },
    { sku: 'W', name: 'W', suppliers: [{ name: 'Nobody' }] },
    { sku: 'X', name: 'X', components: [{ sku: 'NONE', amount: '1' }] },
    { sku: 'Y', name: 'Y', components: [{ sku: 'BOTH', amount: '1' }] },
    { sku: 'Z', name: 'Z', components: [{ type: 'resource', sku: 'Nobody', amount: '1' }] },
  ]) // biome-ignore format: rows
  assert.deepEqual(done, { created: 1, refused: 6 })
  const rows = await rowsOf(user, id)
  assert.deepEqual(
    rows.slice(1).map(({ refusal: { error, field } }) => [error, field]),
    [
      ['Unit "ell" not found', 'unit'],
      ['Category "Chairs" not found', 'categories'],
      ['Supplier "Nobody" not found', 'suppliers'],
      ['Component with SKU "NONE" not found', 'components'],
      ['SKU "BOTH" is that of a material and of a product', 'components'],
      ['Resource "Nobody" not found', 'components'],
    ],
  )
  const unknown = { unit: 'ell', categories: ['Chairs', 'Chairs', 'tische'], suppliers: [{ name: 'Nobody' }] }
  const { id: other } = await draft(user, 'products', [{ sku: 'M', name: 'M', ...unknown }])
  assert.deepEqual((await rowsOf(user, other))[0].refusal.missing, [
    { code: 'unit_not_found', value: 'ell' },
    { code: 'category_not_found', value: 'Chairs' },
    { code: 'supplier_not_found', value: 'Nobody' },
  ])
  const entry = (await company.call('products/get_entry', { product_id: rows[0].record_id })).body.product
  assert.deepEqual(
    [entry.unit_id, entry.categories.map((one: { id: number }) => one.id ?? one), entry.components.length],
    [unit, [category], 3],
  )
  assert.deepEqual(
    entry.suppliers.map((one: Record<string, unknown>) => [one['supplier_id'], one['sku'], one['price']]),
    [[supplier, 'H1', 2]],
  )
})

rule('imports.check.same', async () => {
  const { user } = await importer()
  const { id } = await draft(user, 'products', [{ sku: 'A', name: 'A' }, { name: 'B' }, { name: 'B' }])
  assert.deepEqual(
    await sendRows(
      user,
      id,
      'products',
      [
        { sku: 'a', name: 'C' },
        { sku: 'D', name: 'D' },
      ],
      3,
    ),
    ['refused', 'create'],
  )
  assert.deepEqual((await rowsOf(user, id, { state: 'refused' }))[0].refusal, {
    error: 'Line 2 has the same SKU',
    code: 'record_twice',
    field: 'sku',
    value: 2,
  })
  const customers = await draft(user, 'customers', [{ name: 'Ann' }, { name: 'ANN' }])
  assert.deepEqual(customers.states, ['create', 'refused'])
})

rule('imports.check.earlier', async () => {
  const { company, user } = await importer()
  const parts = Array.from({ length: 500 }, (_, at) => ({ sku: `PART-${at}`, name: `Part ${at}` }))
  const whole = { sku: 'WHOLE', name: 'Whole', components: [{ sku: 'PART-7', amount: '2' }] }
  const { id, states } = await draft(user, 'products', [...parts, whole])
  assert.equal(states.at(-1), 'create')
  assert.deepEqual(await run(user, id), { created: 501 })
  const [made] = await rowsOf(user, id, { limit: 1, offset: 500 })
  const { components } = (await company.call('products/get_entry', { product_id: made.record_id })).body.product
  assert.deepEqual([components.length, components[0].sku, components[0].amount], [1, 'PART-7', 2])
})

rule('imports.check.replace', async () => {
  const { user } = await importer()
  const { id, states } = await draft(user, 'customers', [{ name: 'Ann' }, { email: 'x@oak.example' }])
  assert.deepEqual(states, ['create', 'refused'])
  assert.deepEqual(await sendRows(user, id, 'customers', [{ name: 'Ben', email: 'x@oak.example' }], 1), ['create'])
  assert.deepEqual(await counts(user, id), { create: 2 })
})

rule('imports.refused', async () => {
  const { company, user } = await importer()
  assert.equal(await refusal(user, 'imports/add', { name: 'x' }), 'No kind in input')
  assert.equal(
    await refusal(user, 'imports/add', { kind: 'sales', name: 'x' }),
    'Invalid kind value. Must be one of: products, materials, customers, suppliers, stock',
  )
  assert.equal(await refusal(user, 'imports/add', { kind: 'stock', name: 'x' }), 'No storage_id in input')
  assert.equal(await refusal(user, 'imports/add', { kind: 'products' }), 'No name in input')
  assert.equal(
    await refusal(user, 'imports/add', { kind: 'products', name: 'x', headings: ['x'] }),
    'Headings must be objects',
  )
  const { id } = await draft(user, 'products', [{ name: 'A' }])
  const rows = [{ line: 2, fields: { name: 'B' } }]
  const of = { import_id: id, kind: 'products', position: 1, rows }
  const add = (more: object) => refusal(user, 'imports/add_rows', { ...of, ...more })
  assert.equal(await add({ rows: undefined }), 'No rows in input')
  assert.equal(await add({ rows: {} }), 'Rows is not an array')
  assert.equal(await add({ rows: [{ line: 0, fields: {} }] }), 'Row 0 must have a line and fields')
  assert.equal(await add({ rows: [{ line: 1, fields: { suppliers: ['x'] } }] }), 'suppliers of a row must be objects')
  assert.equal(await add({ kind: 'materials' }), 'Import not found')
  assert.equal(await add({ import_id: id + 1 }), 'Import not found')
  assert.equal(await add({ position: -1 }), 'Invalid position value. Must be between 0 and 19999')
  assert.equal(await refusal(user, 'imports/undo', { import_id: id }), 'The import is not done')
  assert.deepEqual(await run(user, id), { created: 1 })
  assert.equal(await add({}), 'The import has begun')
  assert.equal(await refusal(user, 'imports/start', { import_id: id }), 'The import has begun')
  assert.equal(await refusal(user, 'imports/get_entry', { import_id: id + 1 }), 'Import not found')
  const nothing = await draft(user, 'products', [{ sku: 'B' }])
  assert.equal(await refusal(user, 'imports/start', { import_id: nothing.id }), 'The import has no rows to write')
  assert.equal(
    await refusal(user, 'imports/get_rows', { import_id: id, state: 'gone' }),
    'Invalid state value. Must be one of: create, change, unchanged, refused, created, changed, undone, left',
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('imports.bound', async () => {
  const { company, user } = await importer()
  const { id } = await draft(user, 'customers', [])
  const rows = (count: number) => Array.from({ length: count }, () => ({ line: 1, fields: {} }))
  const add = (position: number, count: number) =>
    refusal(user, 'imports/add_rows', { import_id: id, kind: 'customers', position, rows: rows(count) })
  assert.equal(await add(0, 501), 'Too many rows. Must be at most 500')
  assert.equal(await add(19_999, 2), 'Invalid position value. Must be between 0 and 19999')
  await query(
    company.id,
    `insert into imports (company_id, id, kind, name, status, created_at) select $1, n, 'products', 'x', 'draft', now() from generate_series(1000, 1098) n`,
    [company.id],
  )
  assert.equal(
    await refusal(user, 'imports/add', { kind: 'products', name: 'x' }),
    'A company has at most 100 imports. Delete some of them',
  )
})

rule('imports.roles', async () => {
  const { company } = await importer()
  const worker = await given.user(company, 'worker')
  const reply = await worker.call('imports/add', { kind: 'products', name: 'x' })
  assert.deepEqual([reply.status, reply.body.error], [403, 'Your role does not allow this'])
  assert.equal((await company.call('imports/get_list')).status, 404)
})

rule('imports.companies', async () => {
  const [one, other] = [await importer(), await importer()]
  const { id } = await draft(one.user, 'customers', [{ name: 'Ann' }])
  assert.deepEqual((await shown(other.user, 'imports/get_list')).imports, [])
  for (const path of ['get_entry', 'start', 'undo', 'delete'])
    assert.equal(await refusal(other.user, `imports/${path}`, { import_id: id }), 'Import not found')
  assert.deepEqual((await shown(other.user, 'imports/get_rows', { import_id: id })).rows, [])
})
