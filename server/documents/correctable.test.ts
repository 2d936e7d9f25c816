// Corrections of stock: goods on hand of a deleted item, or at a deleted storage location, can be written off, counted and transferred.

import assert from 'node:assert/strict'
import { broken, level } from '../test/harness/database.ts'
import { addDocument, deleteDocument, editDocument, setStatus } from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'
import { accepted, setStatus as setSale } from '../test/harness/sold.ts'

type Stranded = { readonly company: Company; readonly item: number; readonly storage: number; readonly sku: string }

/** 5 of an item are bought and shipped, the item is deleted, and the sale is canceled: 5 on hand of a deleted item. */
async function deletedWhileShipped(): Promise<Stranded> {
  const company = await given.company()
  const { id: item, sku } = await given.product(company)
  await given.stock(company, { item, amount: '5', unitCost: '3' })
  const order = await given.sale(company, { products: [{ id: item, amount: 5, total: 50 }] })
  await setSale(company, order, 3)
  await accepted(company, 'products/delete', { product_id: item })
  await setSale(company, order, 4)
  return { company, item, storage: company.productsStorageId, sku }
}

/** An item is deleted while it is on an ordered purchase, which is then received. */
async function deletedWhileOrdered(): Promise<Stranded> {
  const company = await given.company()
  const { id: item, sku } = await given.product(company)
  const purchase = await addDocument(company, 'purchases', {
    products: [{ id: item, amount: 5, total: 15 }],
    status: 1,
  })
  await accepted(company, 'products/delete', { product_id: item })
  await setStatus(company, 'purchases', purchase, 3)
  return { company, item, storage: company.productsStorageId, sku }
}

/** A storage location is deleted when it is empty, and the sale that emptied it is then canceled. */
async function storageDeleted(): Promise<Stranded> {
  const company = await given.company()
  const { id: item, sku } = await given.product(company)
  const { id: storage } = await given.storage(company, 'Old shed')
  await given.stock(company, { item, amount: '5', unitCost: '3', storage })
  const order = await given.sale(company, {
    products: [{ id: item, amount: 5, total: 50 }],
    products_storage_id: storage,
  })
  await setSale(company, order, 3)
  await accepted(company, 'storages/delete', { storage_id: storage })
  await setSale(company, order, 4)
  return { company, item, storage, sku }
}

const cases = [
  ['an item deleted while a sale of it was shipped', deletedWhileShipped],
  ['an item deleted while it was ordered', deletedWhileOrdered],
  ['a storage location deleted when it was empty', storageDeleted],
] as const

for (const [name, strand] of cases) {
  rule('documents.correctable.write-off', name, async () => {
    const { company, item, storage } = await strand()
    assert.equal((await level(company, item, storage)).on_hand, '5.000')
    const lines = { products: [{ id: item, amount: 5 }] }
    const places = { products_storage_id: storage, materials_storage_id: storage }
    const id = await addDocument(company, 'writeoffs', { ...lines, ...places })
    assert.equal((await level(company, item, storage)).on_hand, '0.000')
    // The document keeps its lines, although nothing is on hand any more.
    await editDocument(company, 'writeoffs', id, { ...lines, ...places, notes: 'Thrown away' })
    await editDocument(company, 'writeoffs', id, { products: [{ id: item, amount: 4 }] })
    assert.equal((await level(company, item, storage)).on_hand, '1.000')
    await deleteDocument(company, 'writeoffs', id)
    assert.equal((await level(company, item, storage)).on_hand, '5.000')
    assert.deepEqual(await broken(company.id), [])
  })

  rule('documents.correctable.audit', name, async () => {
    const { company, item, storage } = await strand()
    const counted = { storage_id: storage, products: [{ id: item, counted: 0 }] }
    const id = await addDocument(company, 'audits', counted)
    await editDocument(company, 'audits', id, { ...counted, products: [{ id: item, counted: 1 }] })
    await editDocument(company, 'audits', id, counted)
    await setStatus(company, 'audits', id, 3)
    assert.equal((await level(company, item, storage)).on_hand, '0.000')
    await editDocument(company, 'audits', id, { ...counted, notes: 'Gone' })
    assert.equal((await level(company, item, storage)).on_hand, '0.000')
    assert.deepEqual(await broken(company.id), [])
  })

  rule('documents.correctable.transfer', name, async () => {
    const { company, item, storage } = await strand()
    const annex = await given.storage(company, 'Annex')
    const places = { storage_from_id: storage, storage_to_id: annex.id }
    const id = await addDocument(company, 'transfers', { ...places, products: [{ id: item, amount: 5 }] })
    assert.equal((await level(company, item, storage)).on_hand, '0.000')
    assert.equal((await level(company, item, annex.id)).on_hand, '5.000')
    await editDocument(company, 'transfers', id, { ...places, products: [{ id: item, amount: 3 }] })
    assert.equal((await level(company, item, storage)).on_hand, '2.000')
    assert.deepEqual(await broken(company.id), [])
  })
}

rule('documents.correctable.audit', 'a negative quantity on hand of a deleted item', async () => {
  const { company, item, storage } = await deletedWhileShipped()
  await addDocument(company, 'writeoffs', { products: [{ id: item, amount: 8 }] })
  assert.equal((await level(company, item, storage)).on_hand, '-3.000')
  await addDocument(company, 'audits', { products: [{ id: item, counted: 0 }], status: 3 })
  assert.equal((await level(company, item, storage)).on_hand, '0.000')
})

rule('documents.correctable.audit', 'an existing item at a deleted storage location, by its SKU', async () => {
  const { company, item, storage, sku } = await storageDeleted()
  await addDocument(company, 'audits', { storage_id: storage, products: [{ sku, counted: 0 }], status: 3 })
  assert.equal((await level(company, item, storage)).on_hand, '0.000')
})

const named = (id: number) => `Product with id ${id} not found`

rule('documents.correctable.nothing-there', 'a deleted item that is not on hand', async () => {
  const { company, item } = await deletedWhileShipped()
  const { productsStorageId: here, materialsStorageId: elsewhere } = company
  const plain = { products: [{ id: item, amount: 1 }] }
  const counted = { products: [{ id: item, counted: 0 }] }
  await refuses(company, 'writeoffs/add', { ...plain, products_storage_id: elsewhere }, named(item))
  await refuses(company, 'audits/add', { ...counted, storage_id: elsewhere }, named(item))
  await refuses(company, 'transfers/add', { ...plain, storage_from_id: elsewhere, storage_to_id: here }, named(item))
  await addDocument(company, 'writeoffs', { products: [{ id: item, amount: 5 }] })
  await refuses(company, 'writeoffs/add', plain, named(item))
  await refuses(company, 'audits/add', { ...counted, storage_id: here }, named(item))
})

rule(
  'documents.correctable.nothing-there',
  'a deleted storage location where none of the goods is on hand',
  async () => {
    const { company, item, storage } = await storageDeleted()
    const { id: other } = await given.product(company)
    const missing = 'Storage ID not found'
    for (const ids of [[other], [item, other]]) {
      const plain = { products: ids.map((id) => ({ id, amount: 1 })) }
      const counted = { products: ids.map((id) => ({ id, counted: 0 })) }
      await refuses(company, 'writeoffs/add', { ...plain, products_storage_id: storage }, missing)
      await refuses(company, 'audits/add', { ...counted, storage_id: storage }, missing)
      const places = { storage_from_id: storage, storage_to_id: company.productsStorageId }
      await refuses(company, 'transfers/add', { ...plain, ...places }, missing)
    }
    // Moving a document with other goods there is refused, too.
    await given.stock(company, { item: other, amount: '2', unitCost: '1' })
    const id = await addDocument(company, 'writeoffs', { products: [{ id: other, amount: 1 }] })
    await refuses(company, 'writeoffs/edit', { writeoff_id: id, products_storage_id: storage }, missing)
  },
)

rule('documents.correctable.living-only', 'a SKU refers to an existing item', async () => {
  const { company, item, sku } = await deletedWhileShipped()
  const missing = `Product with SKU "${sku}" not found`
  await refuses(company, 'writeoffs/add', { products: [{ sku, amount: 1 }] }, missing)
  await refuses(
    company,
    'writeoffs/add',
    {
      products: [
        { id: item, amount: 1 },
        { sku, amount: 1 },
      ],
    },
    missing,
  )
})

rule('documents.correctable.living-only', 'goods are received only at existing storage locations', async () => {
  const { company, item, storage } = await storageDeleted()
  const places = { storage_from_id: company.productsStorageId, storage_to_id: storage }
  await refuses(company, 'transfers/add', { ...places, products: [{ id: item, amount: 1 }] }, 'Storage ID not found')
  const bought = { supplier_name: 'Ann', products: [{ id: item, amount: 1, total: 1 }], products_storage_id: storage }
  await refuses(company, 'purchases/add', bought, 'Storage ID not found')
})

rule('documents.correctable.living-only', 'sales, purchases and productions accept only existing items', async () => {
  const { company, item } = await deletedWhileShipped()
  const wrong = 'All products have wrong SKU or id'
  const products = [{ id: item, amount: 1, total: 1 }]
  await refuses(company, 'orders/add', { num: '1', customer_name: 'Ada', products }, wrong)
  await refuses(company, 'purchases/add', { supplier_name: 'Ann', products }, wrong)
  await refuses(company, 'productions/add', { products: [{ id: item, amount: 1 }] }, named(item))
})

rule('documents.correctable.shown', async () => {
  const { company, item, storage } = await storageDeleted()
  const user = await given.user(company, 'worker')
  const rows = async () => (await user.call('stock/browse', { ids: [item] })).body.stock
  const [row] = await rows()
  assert.deepEqual([row.storage_id, row.amount, row.is_deleted, row.is_storage_deleted], [storage, 5, false, true])
  const other = await deletedWhileShipped()
  const colleague = await given.user(other.company, 'worker')
  for (const by of ['storage', 'item']) {
    const [found] = (await colleague.call('stock/browse', { ids: [other.item], by })).body.stock
    assert.deepEqual([found.amount, found.is_deleted, found.is_storage_deleted], [5, true, false])
  }
  await accepts(company, 'writeoffs/add', { products: [{ id: item, amount: 5 }], products_storage_id: storage })
  assert.deepEqual(await rows(), [])
})
