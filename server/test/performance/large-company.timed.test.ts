// One large company among many small ones: work on one item or one document takes as long in it as in a small one. Statements are planned
// once for all companies, so a plan that suits the small ones may read a whole table of the large one.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { lineOf } from '../harness/document-calls.ts'
import { type LoadedCatalog, loadProducts } from '../harness/loaded-catalog.ts'
import { measured } from '../harness/measured.ts'
import { accepts } from '../harness/record-calls.ts'
import { medianMs } from '../harness/within.ts'

// Scanning 10,000 items, or the rows that depend on them, takes more than five times as long as any of these.
const maxTimes = 2.5

let large: LoadedCatalog
let small: LoadedCatalog
let made = 0
before(async () => {
  small = await loadProducts(100)
  large = await loadProducts(10_000)
})

type Ask = (catalog: LoadedCatalog) => Promise<readonly [path: string, body: object]>
const asks: Readonly<Record<string, Ask>> = {
  'a product': async ({ firstId }) => ['products/get_entry', { product_id: firstId + 50 }],
  'a new product': async ({ firstId }) => [
    'products/add',
    {
      name: `New ${++made}`,
      sku: `NEW-${made}`,
      barcodes: [`${made}`],
      components: [{ type: 'product', id: firstId + 7, amount: 1 }],
    },
  ],
  'a changed product': async ({ firstId }) => ['products/edit', { product_id: firstId + 50, notes: `${++made}` }],
  'a sale by SKU': async () => [
    'orders/add',
    { num: `L-${++made}`, customer_name: 'Oak & Sons', products: [{ sku: 'SKU-42', amount: 1, total: 10 }] },
  ],
  'a purchase': async ({ firstId }) => [
    'purchases/add',
    { supplier_name: 'Elm & Sons', products: [lineOf('purchases', { id: firstId + 3 })] },
  ],
  'a write-off': async ({ firstId }) => [
    'writeoffs/add',
    { products: [lineOf('writeoffs', { id: firstId + 4 }, 0.001)] },
  ],
  'an audit': async ({ company }) => [
    'audits/add',
    { storage_id: company.productsStorageId, products: [lineOf('audits', { sku: 'SKU-43' }, 5)] },
  ],
  'a production': async ({ firstId }) => ['productions/add', { products: [{ id: firstId + 5, amount: 1 }] }],
  'a changed production': async (catalog) => {
    const { production_id } = await accepts(catalog.company, 'productions/add', {
      products: [{ id: catalog.firstId + 5, amount: 1 }],
    })
    return ['productions/edit', { production_id, notes: `${++made}` }]
  },
}

for (const [what, ask] of Object.entries(asks)) {
  test(`${what} takes as long with 10,000 items as with 100`, async (t) => {
    const measure = async (catalog: LoadedCatalog): Promise<number> => {
      const prepared = [...Array(9).keys()].map(() => ask(catalog))
      const calls = await Promise.all(prepared)
      return await medianMs(() => {
        const [path, body] = calls.pop() ?? ['', {}]
        return catalog.company.call(path, body)
      })
    }
    await measured(t, async () => {
      const ratio = (await measure(large)) / (await measure(small))
      t.diagnostic(`${ratio.toFixed(2)} times`)
      assert.ok(ratio <= maxTimes, `${ratio} times as long`)
    })
  })
}
