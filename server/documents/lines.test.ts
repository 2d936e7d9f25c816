// Refused lines of all kinds of documents, with the exact error texts.

import assert from 'node:assert/strict'
import {
  addDocument,
  type DocumentSection,
  described,
  documentOf,
  documentSections,
  idOf,
  lineOf,
} from '../test/harness/document-calls.ts'
import { type Company, given } from '../test/harness/given.ts'
import { accepts, refuses } from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

/** The sections whose lines have an amount. */
const amounts = documentSections.filter((section) => section !== 'audits')

const present = new WeakMap<Company, Map<DocumentSection, number>>()

/** A document of the company for edits, the same one each time. */
async function documentToEdit(company: Company, section: DocumentSection): Promise<number> {
  const known = present.get(company) ?? new Map<DocumentSection, number>()
  present.set(company, known)
  const id = known.get(section) ?? (await addDocument(company, section))
  known.set(section, id)
  return id
}

/** Refused by add and edit alike, and nothing is written. */
async function refusesLines(company: Company, section: DocumentSection, lines: object, error: string): Promise<void> {
  const id = await documentToEdit(company, section)
  const before = await documentOf(company, section, id)
  await refuses(company, `${section}/add`, { ...described[section].needed(company), ...lines }, error)
  await refuses(company, `${section}/edit`, { [idOf(section)]: id, ...lines }, error)
  assert.deepEqual(await documentOf(company, section, id), before)
  assert.equal((await accepts(company, `${section}/get_list`, { limit: 1 })).total, 1)
}

rule('documents.lines.not-array', async () => {
  const company = await given.company()
  for (const section of documentSections)
    for (const bad of ['x', 7, true, {}]) {
      await refusesLines(company, section, { products: bad }, 'Products is not an array')
      await refusesLines(company, section, { materials: bad }, 'Materials is not an array')
    }
})

rule('documents.lines.none', async () => {
  const company = await given.company()
  const error = 'No products or materials in input'
  for (const section of documentSections) {
    await refuses(company, `${section}/add`, described[section].needed(company), error)
    await refuses(company, `${section}/add`, { ...described[section].needed(company), products: null }, error)
    for (const lines of [{ products: [] }, { materials: [] }, { products: [], materials: [] }])
      await refusesLines(company, section, lines, error)
  }
})

rule('documents.lines.too-many', async () => {
  const company = await given.company()
  const { id } = await given.product(company)
  for (const section of documentSections) {
    const products = Array.from({ length: 5_001 }, () => lineOf(section, { id }))
    await refusesLines(company, section, { products }, 'Too many lines. Must be at most 5000')
  }
})

rule('documents.lines.not-object', async () => {
  const company = await given.company()
  const { id } = await given.product(company)
  for (const section of documentSections)
    for (const bad of ['x', 7, null, true, []]) {
      const products = [lineOf(section, { id }), bad]
      await refusesLines(company, section, { products }, 'Line 1 of products must be an object')
      await refusesLines(company, section, { materials: [bad] }, 'Line 0 of materials must be an object')
    }
})

rule('documents.lines.no-item', async () => {
  const company = await given.company()
  const { id } = await given.product(company)
  for (const section of documentSections)
    for (const none of [{}, { id: null }, { id: 0 }, { id: '' }, { id: 0, sku: null }]) {
      const products = [lineOf(section, { id }), lineOf(section, none)]
      await refusesLines(company, section, { products }, 'SKU or id not set for product 1')
      const materials = [lineOf(section, none)]
      await refusesLines(company, section, { materials }, 'SKU or id not set for material 0')
    }
})

rule('documents.lines.no-amount', async () => {
  const company = await given.company()
  for (const section of amounts)
    for (const amount of [undefined, null]) {
      const products = [lineOf(section, { sku: 'A' }, amount ?? null)]
      await refusesLines(company, section, { products }, 'Amount not set for product with SKU "A"')
      const materials = [{ id: 7, total: 1 }]
      await refusesLines(company, section, { materials }, 'Amount not set for material with id 7')
    }
})

rule('documents.lines.bad-amount', async () => {
  const company = await given.company()
  for (const section of amounts)
    for (const amount of [0, -1, 0.0004, '0', 'x', '', '1,5', true, [], {}]) {
      const products = [lineOf(section, { sku: 'A' }, amount)]
      await refusesLines(company, section, { products }, 'Amount must be greater than 0 for product with SKU "A"')
      const materials = [lineOf(section, { id: 7 }, amount)]
      await refusesLines(company, section, { materials }, 'Amount must be greater than 0 for material with id 7')
    }
})

rule('documents.lines.large-amount', async () => {
  const company = await given.company()
  for (const section of amounts) {
    const products = [lineOf(section, { sku: 'A' }, '999999999.9995')]
    await refusesLines(company, section, { products }, 'Amount is too large for product with SKU "A"')
  }
})

rule('documents.lines.unknown', async () => {
  const company = await given.company()
  const [product, material, gone] = [
    await given.product(company),
    await given.material(company),
    await given.product(company),
  ]
  await given.deleted(company, 'item', gone.id)
  for (const section of ['writeoffs', 'transfers', 'audits'] as const) {
    const known = lineOf(section, { id: product.id })
    for (const [item, label] of [
      [{ sku: 'NONE' }, 'SKU "NONE"'],
      [{ id: 987_654 }, 'id 987654'],
      [{ id: material.id }, `id ${material.id}`],
      [{ sku: material.sku }, `SKU "${material.sku}"`],
      [{ id: gone.id }, `id ${gone.id}`],
      [{ sku: gone.sku }, `SKU "${gone.sku}"`],
    ] as const) {
      const products = [known, lineOf(section, item)]
      await refusesLines(company, section, { products }, `Product with ${label} not found`)
    }
    for (const [item, label] of [
      [{ sku: 'NONE' }, 'SKU "NONE"'],
      [{ id: product.id }, `id ${product.id}`],
    ] as const)
      await refusesLines(
        company,
        section,
        { products: [known], materials: [lineOf(section, item)] },
        `Material with ${label} not found`,
      )
  }
})
