// Common behavior of all kinds of documents: partial edits, exact reversal, deleted items, other companies.

import assert from 'node:assert/strict'
import { broken, cost, level } from '../test/harness/database.ts'
import {
  addDocument,
  deleteDocument,
  described,
  documentOf,
  documentSections,
  editDocument,
  idOf,
  lineOf,
  missing,
  setStatus,
  standing,
  withStatus,
} from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

async function stocked() {
  const company = await given.company()
  const { id: item } = await given.product(company)
  await given.stock(company, { item, amount: '7', unitCost: '1.333333', date: '2025-01-01' })
  const state = async () => [
    await level(company, item),
    await level(company, item, company.materialsStorageId),
    await cost(company, item),
  ]
  const lines = (section: (typeof documentSections)[number]) => ({ products: [lineOf(section, { id: item }, 3, 10)] })
  return { company, item, state, lines }
}

const effective = (section: (typeof documentSections)[number]) => (section === 'writeoffs' ? {} : { status: 3 })

rule('documents.undo.status', async () => {
  const { company, state, lines } = await stocked()
  const before = await state()
  for (const section of withStatus) {
    const { statuses } = described[section]
    const id = await addDocument(company, section, { ...lines(section), status: 0 })
    assert.deepEqual(await state(), before)
    for (const back of statuses.filter((status) => status !== 3 && !(section === 'transfers' && status === 1))) {
      await setStatus(company, section, id, 3)
      assert.notDeepEqual(await state(), before, section)
      assert.notDeepEqual(await standing(company, section, id), [])
      await setStatus(company, section, id, back)
      assert.deepEqual(await state(), before, `${section} from 3 to ${back}`)
      assert.deepEqual(await standing(company, section, id), [])
    }
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('documents.undo.delete', async () => {
  const { company, state, lines } = await stocked()
  const before = await state()
  for (const section of documentSections) {
    const id = await addDocument(company, section, { ...lines(section), ...effective(section) })
    assert.notDeepEqual(await state(), before, section)
    await deleteDocument(company, section, id)
    assert.deepEqual(await state(), before, section)
    assert.deepEqual(await standing(company, section, id), [])
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('documents.undo.delete', 'in another order than that of creation', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  const made: [section: (typeof documentSections)[number], id: number][] = []
  for (const [section, amount, total] of [
    ['purchases', 7, 10],
    ['audits', 8, 0],
    ['writeoffs', 3, 0],
    ['purchases', 11, 25.55],
    ['transfers', 5, 0],
    ['audits', 1.5, 0],
    ['writeoffs', 2.345, 0],
  ] as const) {
    const products = [lineOf(section, { id: item }, amount, total)]
    made.push([section, await addDocument(company, section, { products, ...effective(section) })])
  }
  for (const at of [3, 0, 5, 1, 6, 4, 2]) {
    const [section, id] = made[at] ?? assert.fail()
    await deleteDocument(company, section, id)
    assert.deepEqual(await standing(company, section, id), [])
    assert.deepEqual(await broken(company.id), [])
  }
  for (const storage of [company.productsStorageId, company.materialsStorageId])
    assert.deepEqual(await level(company, item, storage), { on_hand: '0.000', reserved: '0.000' })
  assert.equal((await cost(company, item)).value, '0.000000')
})

rule('documents.undo.again', async () => {
  const { company, state, lines } = await stocked()
  for (const section of withStatus) {
    const id = await addDocument(company, section, { ...lines(section), status: 3 })
    const before = [await state(), await standing(company, section, id)]
    await setStatus(company, section, id, 3)
    assert.deepEqual([await state(), await standing(company, section, id)], before)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('documents.edit.partial', async () => {
  const { company, lines } = await stocked()
  const { id: shop } = await given.storage(company, 'Shop')
  const fields: Record<string, Record<string, unknown>> = {
    purchases: {
      date_placed: '2025-02-03',
      date_received: '2025-02-04',
      products_storage_id: shop,
      materials_storage_id: shop,
    },
    writeoffs: { date: '2025-02-03', products_storage_id: shop, materials_storage_id: shop },
    transfers: { date: '2025-02-03', date_received: '2025-02-04', storage_from_id: shop },
    audits: { date: '2025-02-03' },
  }
  for (const section of documentSections) {
    const id = await addDocument(company, section, lines(section))
    for (const [field, value] of Object.entries({ num: 'N 1', notes: 'Some', ...fields[section] })) {
      const before = await documentOf(company, section, id)
      await editDocument(company, section, id, { [field]: value })
      const name = field.endsWith('storage_id') || field.startsWith('storage_') ? field.replace(/_id$/, '_name') : field
      const after = await documentOf(company, section, id)
      const changed = { [field]: value, ...(name === field ? {} : { [name]: 'Shop' }), updated_at: after.updated_at }
      assert.deepEqual(after, { ...before, ...changed }, `${section} ${field}`)
    }
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('documents.edit.no-status', async () => {
  const { company, state, lines } = await stocked()
  for (const section of withStatus) {
    const id = await addDocument(company, section, { ...lines(section), status: 0 })
    const before = await state()
    await editDocument(company, section, id, { status: 3, notes: 'x' })
    assert.deepEqual([(await documentOf(company, section, id)).status, await state()], [0, before])
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('documents.record.amount', async () => {
  const company = await given.company()
  const { id: metre } = await given.unit(company, 'm')
  const [a, b, cable] = [
    await given.product(company),
    await given.material(company),
    await given.material(company, { unit_id: metre }),
  ]
  for (const section of documentSections.filter((one) => one !== 'audits')) {
    const products = [lineOf(section, { id: a.id }, 2.5)]
    const amountOf = async (materials: object[]) =>
      (await documentOf(company, section, await addDocument(company, section, { products, materials }))).amount
    assert.equal(await amountOf([lineOf(section, { id: b.id }, 1.25)]), 3.75)
    assert.equal(await amountOf([lineOf(section, { id: cable.id }, 1)]), null)
  }
})

rule('documents.record.lines', async () => {
  const company = await given.company()
  const [a, b] = [await given.product(company), await given.material(company)]
  for (const section of documentSections) {
    const products = [lineOf(section, { id: a.id })]
    const id = await addDocument(company, section, { products, materials: [lineOf(section, { id: b.id })] })
    assert.equal((await documentOf(company, section, id)).lines, 2)
    await editDocument(company, section, id, { products })
    assert.equal((await documentOf(company, section, id)).lines, 1)
  }
})

rule('documents.record.deleted-item', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const product = await given.product(company)
    const id = await addDocument(company, section, { products: [lineOf(section, { id: product.id }, 2)] })
    const before = await documentOf(company, section, id)
    assert.deepEqual([before.products[0].sku, before.products[0].name], [product.sku, product.name])
    await given.deleted(company, 'item', product.id)
    assert.deepEqual(await documentOf(company, section, id), before)
    await editDocument(company, section, id, { products: [lineOf(section, { id: product.id }, 3)] })
    assert.equal((await documentOf(company, section, id)).products[0][described[section].quantity], 3)
    if (section !== 'writeoffs') await setStatus(company, section, id, 4)
  }
  assert.deepEqual(await broken(company.id), [])
})

rule('documents.checks.request-first', async () => {
  const company = await given.company()
  for (const section of documentSections) {
    const unknown = { [idOf(section)]: 987_654 }
    await refuses(company, `${section}/edit`, { ...unknown, products: 'x' }, 'Products is not an array')
    await refuses(company, `${section}/edit`, { ...unknown, products: [7] }, 'Line 0 of products must be an object')
    const products = [lineOf(section, { sku: 'NONE' })]
    await refuses(company, `${section}/edit`, { ...unknown, products }, missing(section))
  }
})

rule('documents.tenancy.referenced', async () => {
  const [company, other] = [await given.company(), await given.company()]
  const { id: own } = await given.product(company)
  // The other company has more records, so that their ids do not exist in this company.
  let foreign = { id: 0, sku: '' }
  let storage = { id: 0 }
  for (let made = 0; made < 5; made++) {
    foreign = await given.product(other)
    storage = await given.storage(other, `Shop ${made}`)
  }
  for (const section of ['writeoffs', 'transfers', 'audits'] as const)
    for (const [item, label] of [
      [{ id: foreign.id }, `id ${foreign.id}`],
      [{ sku: foreign.sku }, `SKU "${foreign.sku}"`],
    ] as const) {
      const body = { ...described[section].needed(company), products: [lineOf(section, item)] }
      await refuses(company, `${section}/add`, body, `Product with ${label} not found`)
    }
  const fields = { purchases: 'products_storage_id', writeoffs: 'products_storage_id', transfers: 'storage_to_id', audits: 'storage_id' } // biome-ignore format: a table
  for (const section of documentSections) {
    const body = { ...described[section].needed(company), products: [lineOf(section, { id: own })] }
    await refuses(company, `${section}/add`, { ...body, [fields[section]]: storage.id }, 'Storage ID not found')
  }
  const supplier_id = (await documentOf(other, 'purchases', await addDocument(other, 'purchases'))).supplier_id
  const products = [lineOf('purchases', { id: own })]
  await refuses(company, 'purchases/add', { products, supplier_id }, 'Supplier not found')
  const all = { supplier_name: 'A', products: [lineOf('purchases', { sku: foreign.sku })] }
  await refuses(company, 'purchases/add', all, 'All products have wrong SKU or id')
})

rule('documents.tenancy.ids', async () => {
  const companies: Company[] = [await given.company(), await given.company()]
  for (const company of companies)
    for (const section of documentSections)
      assert.deepEqual([await addDocument(company, section), await addDocument(company, section)], [1, 2])
})
