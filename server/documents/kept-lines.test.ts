// Stored lines of all kinds of documents: finding items, rounding, positions, replacement by an edit.

import assert from 'node:assert/strict'
import {
  addDocument,
  described,
  documentOf,
  documentSections,
  editDocument,
  lineOf,
} from '../test/harness/document-calls.ts'
import { given } from '../test/harness/given.ts'
import { rule } from '../test/harness/rule.ts'

/** The sections whose lines have an amount. */
const amounts = documentSections.filter((section) => section !== 'audits')

rule('documents.lines.found', async () => {
  const company = await given.company()
  const product = await given.product(company, { alt_skus: ['OTHER-1'] })
  const material = await given.material(company)
  for (const section of documentSections) {
    for (const named of [
      { id: product.id },
      { id: String(product.id) },
      { sku: ` ${product.sku} ` },
      { sku: 'OTHER-1' },
    ]) {
      const id = await addDocument(company, section, { products: [lineOf(section, named)] })
      assert.equal((await documentOf(company, section, id)).products[0].id, product.id)
    }
    for (const named of [{ id: material.id }, { sku: material.sku }, { id: material.id, sku: 'NONE' }]) {
      const id = await addDocument(company, section, { materials: [lineOf(section, named)] })
      assert.equal((await documentOf(company, section, id)).materials[0].id, material.id)
    }
  }
})

rule('documents.lines.rounded', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  for (const section of documentSections)
    for (const [sent, kept] of [
      [1.0005, 1.001],
      ['2.3454', 2.345],
      [0.0005, 0.001],
      ['1e2', 100],
    ] as const) {
      // biome-ignore format: a table
      const id = await addDocument(company, section, { products: [lineOf(section, { id: item }, sent)] })
      assert.equal((await documentOf(company, section, id)).products[0][described[section].quantity], kept)
    }
})

rule('documents.lines.repeated', async () => {
  const company = await given.company()
  const { id: item } = await given.product(company)
  for (const section of amounts) {
    const products = [1, 2.5, 1].map((amount) => lineOf(section, { id: item }, amount))
    const record = await documentOf(company, section, await addDocument(company, section, { products }))
    assert.deepEqual([record.lines, record.amount, record.products.length], [3, 4.5, 3])
  }
})

rule('documents.lines.position', async () => {
  const company = await given.company()
  const [a, b] = [await given.product(company), await given.product(company)]
  const [c, d] = [await given.material(company), await given.material(company)]
  for (const section of documentSections) {
    const id = await addDocument(company, section, {
      materials: [c, d].map((one) => ({ ...lineOf(section, { id: one.id }), position: 0 })),
      products: [b, a].map((one) => ({ ...lineOf(section, { id: one.id }), position: 7 })),
    })
    const { products, materials, lines } = await documentOf(company, section, id)
    const places = [...products, ...materials].map((line) => [line.id, line.position])
    assert.deepEqual([places, lines], [[[b.id, 0], [a.id, 1], [c.id, 2], [d.id, 3]], 4]) // biome-ignore format: a table
  }
})

rule('documents.lines.replaced', async () => {
  const company = await given.company()
  const [a, b] = [await given.product(company), await given.product(company)]
  const board = await given.material(company)
  for (const section of documentSections) {
    const products = [lineOf(section, { id: a.id })]
    const materials = [lineOf(section, { id: board.id })]
    const id = await addDocument(company, section, { products, materials })
    const held = async (body: object) => {
      await editDocument(company, section, id, { ...body })
      const record = await documentOf(company, section, id)
      return [...record.products, ...record.materials].map((line) => line.id)
    }
    assert.deepEqual(await held({ notes: 'x' }), [a.id, board.id])
    assert.deepEqual(await held({ products: [lineOf(section, { id: b.id })] }), [b.id])
    assert.deepEqual(await held({ materials }), [board.id])
    assert.deepEqual(await held({ products, materials, notes: '' }), [a.id, board.id])
    assert.deepEqual(await held({ products: [], materials }), [board.id])
  }
})

rule('documents.lines.sent-back', async () => {
  const company = await given.company()
  const [a, board] = [await given.product(company), await given.material(company)]
  for (const item of [a.id, board.id]) await given.stock(company, { item, amount: '10', unitCost: '3' })
  for (const section of documentSections) {
    const id = await addDocument(company, section, {
      products: [lineOf(section, { id: a.id }, 2.5)],
      materials: [lineOf(section, { id: board.id }, 4)],
    })
    const before = await documentOf(company, section, id)
    await editDocument(company, section, id, { products: before.products, materials: before.materials })
    const after = await documentOf(company, section, id)
    assert.deepEqual({ ...after, updated_at: before.updated_at }, before)
  }
})
