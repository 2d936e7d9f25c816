// Creating or changing many records with one request: products, materials, customers and suppliers.

import assert from 'node:assert/strict'
import { broken, query } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

type Result = { readonly result: string; readonly id?: number; readonly error?: string }

const upsert = async (company: Company, section: string, records: readonly unknown[]): Promise<Result[]> =>
  (await accepts(company, `${section}/upsert`, { [section]: records }))[section]
const words = (results: readonly Result[]): string[] => results.map(({ result, error }) => error ?? result)
const sections = ['products', 'materials', 'customers', 'suppliers']
const isItem = (section: string): boolean => section === 'products' || section === 'materials'

const events = async (company: Company) =>
  await query(
    company.id,
    `select record, record_id::int as id, action from events where company_id = $1 and method like '%/upsert' order by seq`,
    [company.id],
  )

rule('upsert.results', async () => {
  for (const section of sections) {
    const company = await given.company()
    const noun = section.slice(0, -1)
    const code = isItem(section) ? { sku: 'S-1' } : {}
    const first = await upsert(company, section, [
      { name: 'One', ...code },
      { name: 'Two', external_id: 'two' },
    ])
    assert.deepEqual(words(first), ['created', 'created'])
    const [one, two] = first.map(({ id }) => id)
    const again = await upsert(company, section, [
      { name: 'One', notes: 'New', ...code, external_id: 'one' },
      { name: 'Two', external_id: 'two' },
      { name: '', external_id: 'three' },
      { notes: 'Without a name' },
      7,
    ])
    assert.deepEqual(again, [
      { result: 'updated', id: one },
      { result: 'unchanged', id: two },
      { result: 'refused', error: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} name must not be empty` },
      { result: 'refused', error: 'No name in input' },
      { result: 'refused', error: 'Record 4 must be an object' },
    ])
    const { [noun]: record } = await accepts(company, `${section}/get_entry`, { external_id: 'one' })
    assert.deepEqual([record.id, record.notes], [one, 'New'])
    assert.deepEqual(await events(company), [
      { record: noun, id: one, action: 'created' },
      { record: noun, id: two, action: 'created' },
      { record: noun, id: one, action: 'updated' },
    ])
    assert.deepEqual(await broken(company.id), [])
  }
})

rule('upsert.same', async () => {
  const company = await given.company()
  const results = await upsert(company, 'customers', [
    { name: 'Ann', external_id: 'a' },
    { name: 'Ann' },
    { name: 'Another', external_id: 'a' },
    { name: 'Bob' },
  ])
  assert.deepEqual(words(results), [
    'created',
    'Record 1 is the same customer as record 0',
    'Record 2 is the same customer as record 0',
    'created',
  ])
  const moved = await upsert(company, 'customers', [
    { name: 'Cleo', external_id: 'a' },
    { name: 'Ann' },
    { name: 'Cleo' },
  ])
  assert.deepEqual(words(moved), ['updated', 'created', 'Record 2 is the same customer as record 0'])
  assert.deepEqual(await broken(company.id), [])
})

rule('upsert.rules', async () => {
  const company = await given.company()
  const before = await upsert(company, 'products', [
    { name: 'A', sku: 'A', barcodes: ['1'] },
    { name: 'B', sku: 'B' },
  ])
  assert.deepEqual(words(before), ['created', 'created'])
  const results = await upsert(company, 'products', [
    { name: 'C', sku: 'C', barcodes: ['1'] },
    { name: 'D', sku: 'D', alt_skus: ['D2'], barcodes: ['2'] },
    { name: 'E', sku: 'D2' },
    { name: 'F', sku: 'F', barcodes: ['2'] },
    { sku: 'A', barcodes: [], components: [{ type: 'product', sku: 'B', amount: 1 }] },
    { sku: 'B', components: [{ type: 'product', sku: 'A', amount: 1 }] },
    { name: 'G', sku: 'G', barcodes: ['1'], unit_id: 999 },
    { name: 'H', sku: 'H', barcodes: ['1'] },
  ])
  assert.deepEqual(words(results), [
    'Barcode "1" is already used',
    'created',
    'SKU "D2" is already used',
    'Barcode "2" is already used',
    'updated',
    'Product cannot contain itself',
    'Unit not found',
    'created',
  ])
  assert.deepEqual(await broken(company.id), [])
})

rule('upsert.components', async () => {
  const company = await given.company()
  const [old] = await upsert(company, 'products', [{ name: 'Old', sku: 'X', external_id: 'a' }])
  const [renamed, created, made, ofNew] = await upsert(company, 'products', [
    { external_id: 'a', sku: 'X-OLD' },
    { external_id: 'b', name: 'New', sku: 'X' },
    { external_id: 'c', name: 'Made of X', sku: 'M', components: [{ type: 'product', sku: 'X', amount: 2 }] },
    { external_id: 'd', name: 'Made of M', sku: 'N', components: [{ type: 'product', sku: 'M', amount: 1 }] },
  ])
  assert.deepEqual([renamed?.id, renamed?.result, created?.result], [old?.id, 'updated', 'created'])
  const componentsOf = async (id: number | undefined) =>
    (await accepts(company, 'products/get_entry', { product_id: id })).product.components.map(
      (one: { id: number; amount: number }) => [one.id, one.amount],
    )
  assert.deepEqual(await componentsOf(made?.id), [[created?.id, 2]])
  assert.deepEqual(await componentsOf(ofNew?.id), [[made?.id, 1]])
  const givenUp = await upsert(company, 'products', [
    { external_id: 'b', sku: 'Y' },
    { external_id: 'c', components: [{ type: 'product', sku: 'X', amount: 1 }] },
  ])
  assert.deepEqual(
    givenUp.map(({ result }) => result),
    ['updated', 'refused'],
  )
  const loop = await upsert(company, 'products', [
    { external_id: 'e', name: 'E', sku: 'E', components: [{ type: 'product', sku: 'N', amount: 1 }] },
    { external_id: 'b', components: [{ type: 'product', sku: 'E', amount: 1 }] },
  ])
  assert.deepEqual(
    loop.map(({ result }) => result),
    ['created', 'refused'],
  )
  assert.deepEqual(await broken(company.id), [])
})

rule('upsert.other-external-id', async () => {
  const company = await given.company()
  await upsert(company, 'products', [
    { name: 'One', sku: 'S-1', external_id: 'one' },
    { name: 'Two', sku: 'S-2' },
  ])
  const results = await upsert(company, 'products', [
    { name: 'Another', sku: 'S-1', external_id: 'other' },
    { name: 'Two', sku: 'S-2', external_id: 'two' },
    { name: 'One', sku: 'S-1' },
    { external_id: 'one', sku: 'S-3' },
  ])
  assert.deepEqual(words(results), [
    'SKU belongs to external id "one"',
    'updated',
    'unchanged',
    'Record 3 is the same product as record 2',
  ])
  const freed = await upsert(company, 'products', [
    { external_id: 'one', sku: 'S-3' },
    { name: 'Another', sku: 'S-1', external_id: 'other' },
  ])
  assert.deepEqual(words(freed), ['updated', 'created'])
  assert.deepEqual(await broken(company.id), [])
})

rule('upsert.limit', async () => {
  const company = await given.company()
  const many = Array.from({ length: 501 }, (_, at) => ({ name: `Customer ${at}`, external_id: `c-${at}` }))
  await refuses(company, 'customers/upsert', { customers: many }, 'Too many records. Must be at most 500')
  const results = await upsert(company, 'customers', many.slice(1))
  assert.ok(results.every(({ result }) => result === 'created'))
  assert.deepEqual(new Set(words(await upsert(company, 'customers', many.slice(1)))), new Set(['unchanged']))
  await refuses(company, 'customers/upsert', {}, 'No customers in input')
  await refuses(company, 'customers/upsert', { customers: {} }, 'Customers is not an array')
  assert.deepEqual(await upsert(company, 'customers', []), [])
})

rule('upsert.repeated', async () => {
  const company = await given.company()
  const body = { products: [{ name: 'Without a code' }] }
  const [first, second] = [
    await company.call('products/upsert', body, { 'idempotency-key': 'k' }),
    await company.call('products/upsert', body, { 'idempotency-key': 'k' }),
  ]
  assert.deepEqual([first.status, second.text], [200, first.text])
  assert.equal((await accepts(company, 'products/get_list', { limit: 1 })).total, 1)
})
