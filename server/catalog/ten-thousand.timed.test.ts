// A catalog of 10,000 products on this machine: how long lists, searches and an import take.

import assert from 'node:assert/strict'
import { before, type TestContext } from 'node:test'
import { Kontor } from '../../clients/typescript/src/client.ts'
import { url } from '../test/harness/app.ts'
import { broken } from '../test/harness/database.ts'
import { type Company, given } from '../test/harness/given.ts'
import { loadedProduct, loadProducts } from '../test/harness/loaded-catalog.ts'
import { accepts, list, names } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { allWithin } from '../test/harness/within.ts'

const products = 10_000
const promisedMs = 50

let company: Company
let firstId: number
let category: number
let small: Company
before(async () => {
  ;({ company: small } = await loadProducts(100))
  ;({ company, firstId, category } = await loadProducts(products))
})

const allFound = (
  t: TestContext,
  ms: number,
  path: string,
  requests: Readonly<Record<string, object>>,
): Promise<void> =>
  allWithin(
    t,
    ms,
    () => small.call(path, { limit: 50 }),
    (body) => company.call(path, body),
    requests,
  )

rule('catalog.numbers.lists', async (t) => {
  assert.deepEqual(await broken(company.id), [], 'the loaded company is as if the products had been added one by one')
  await allFound(t, promisedMs, 'products/get_list', {
    'first page of 50': { limit: 50 },
    'page of 50 in the middle': { limit: 50, offset: products / 2 },
    'last page of 50': { limit: 50, offset: products - 50 },
    'page of 50 of a category': { limit: 50, category_id: category },
    '100 by their ids': { limit: 100, ids: Array.from({ length: 100 }, (_, n) => firstId + n * 97) },
    'what changed in the last second': { limit: 50, updated_after: new Date(Date.now() - 1_000).toISOString() },
    'the one of a SKU': { limit: 50, sku: 'SKU-4711' },
  })
})

const wanted = loadedProduct(1234, products)
const searches: Readonly<Record<string, { search: string; found: number }>> = {
  'a whole name': { search: wanted.name, found: 1 },
  'a word of the name that a tenth has': { search: 'walnut', found: 1_000 },
  'a number in the name': { search: 'no. 77', found: 111 },
  'a name that does not exist': { search: 'teak', found: 0 },
  'a whole SKU': { search: wanted.sku, found: 1 },
  'the beginning of a SKU': { search: 'sku-123', found: 11 },
  'an alternative SKU': { search: wanted.alternative, found: 1 },
  'a whole barcode': { search: wanted.barcode, found: 1 },
  'the end of a barcode': { search: wanted.barcode.slice(-5), found: 1 },
}

rule('catalog.numbers.searches', async (t) => {
  for (const [what, { search, found }] of Object.entries(searches))
    assert.equal((await accepts(company, 'products/get_list', { search, limit: 1 })).total, found, what)
  await allFound(
    t,
    promisedMs,
    'products/get_list',
    Object.fromEntries(Object.entries(searches).map(([what, { search }]) => [what, { search, limit: 50 }])),
  )
})

// Levels are computed from four tables; this detects a plan that joins every level with every item.
rule('levels.numbers', async (t) => {
  await allFound(t, promisedMs * 8, 'stock/get_list', {
    'first page of levels': { limit: 50 },
    'last page of levels': { limit: 50, offset: products - 50 },
    'levels of a search': { limit: 50, search: 'walnut' },
    'the level of a SKU': { limit: 50, sku: 'SKU-4711' },
    'what is low': { limit: 50, only: 'low' },
    'what was low on a day': { limit: 50, only: 'low', date: new Date().toISOString().slice(0, 10) },
    'what moved in the last second': { limit: 50, updated_after: new Date(Date.now() - 1_000).toISOString() },
  })
})

rule('catalog.numbers.whole', async (t) => {
  const start = performance.now()
  const whole = await company.call('products/get_list')
  t.diagnostic(
    `10,000 products without limit: ${(performance.now() - start).toFixed(0)} ms, ${whole.text.length} characters`,
  )
  const shown = await list(company, 'products')
  assert.equal(shown.length, products)
  const expected = Array.from({ length: products }, (_, n) => loadedProduct(n + 1, products))
  const inOrder = expected.toSorted((a, b) => (a.words === b.words ? a.number - b.number : a.words < b.words ? -1 : 1))
  assert.deepEqual(names(shown), names(inOrder))
})

rule('catalog.numbers.import', async (t) => {
  const target = await given.company()
  const kontor = new Kontor({ baseUrl: url(), apiKey: target.key })
  const { unit_id } = await kontor.units.add({ name: 'box' })
  const { category_id } = await kontor.categories.add({ name: 'Imported', type: 'products' })
  const { material_id } = await kontor.materials.add({ name: 'Oak board', sku: 'BOARD', price: 12 })
  let addMs = 0
  let readMs = 0
  for (let n = 1; n <= 1_000; n++) {
    const start = performance.now()
    await kontor.products.add({
      name: `Table ${n}`,
      sku: `TABLE-${n}`,
      alt_skus: [`WEB-${n}`],
      barcodes: [String(4_006_381_000_000 + n)],
      unit_id,
      price: n / 4,
      min_amount: 2,
      categories: [category_id],
      components: [{ type: 'material', id: material_id, amount: 1.5 }],
      notes: 'Imported',
    })
    const added = performance.now()
    await kontor.units.get_list()
    addMs += added - start
    readMs += performance.now() - added
  }
  // Compared with the cheapest request, alternating, so that a slow machine slows both. The measured ratio was about 2.5.
  const ratio = addMs / readMs
  t.diagnostic(`1,000 products, one after the other: ${(addMs / 1_000).toFixed(1)} s, ${ratio.toFixed(1)} × reading`)
  assert.ok(ratio < 10, `adding a product took ${ratio.toFixed(1)} times as long as reading the units`)
  assert.deepEqual(
    names(await list(target, 'products')),
    Array.from({ length: 1_000 }, (_, n) => `Table ${n + 1}`),
  )
  assert.deepEqual(await broken(target.id), [])
})
