// Errors of an item other than those of codes and components, and which of several errors is returned.
// The tables below list the fields in the order of their checks.

import assert from 'node:assert/strict'
import { type Company, given } from '../test/harness/given.ts'
import {
  add,
  entry,
  leastOf,
  noMoney,
  noRecords,
  noTexts,
  refuses,
  refusesEdit,
  remove,
  type Section,
} from '../test/harness/record-calls.ts'
import { rule } from '../test/harness/rule.ts'

const kinds = ['materials', 'products', 'resources'] as const
const goods = ['materials', 'products'] as const

/** Adding and editing with these fields are refused, and the edited item is unchanged. */
async function refusesFields(company: Company, section: Section, fields: object, error: string): Promise<void> {
  const id = await add(company, section)
  const before = await entry(company, section, id)
  await refuses(company, `${section}/add`, { ...leastOf(section), ...fields }, error)
  await refusesEdit(company, section, id, { notes: 'changed', ...fields }, error)
  assert.deepEqual(await entry(company, section, id), before)
}

rule('catalog.error.price', async () => {
  const company = await given.company()
  for (const section of kinds)
    for (const price of noMoney)
      await refusesFields(company, section, { price }, 'Invalid price value. Must be a number, 0 or greater')
})

rule('catalog.error.min-amount', async () => {
  const company = await given.company()
  for (const section of goods) {
    const id = await add(company, section, { min_amount: 3 })
    for (const min_amount of [-1, '-0.001', 'x', '', true, [], {}, 1e9])
      for (const reply of [
        await company.call(`${section}/add`, { ...leastOf(section), min_amount }),
        await company.call(`${section}/edit`, { [`${section.slice(0, -1)}_id`]: id, min_amount }),
      ]) {
        assert.equal(reply.status, 400, JSON.stringify(min_amount))
        assert.match(reply.body.error, /^Invalid min_amount value\. /)
      }
    assert.equal((await entry(company, section, id)).min_amount, 3)
  }
})

rule('catalog.error.not-an-array', async () => {
  const company = await given.company()
  const arrays = {
    resources: ['categories'],
    materials: ['barcodes', 'categories', 'suppliers'],
    products: ['alt_skus', 'barcodes', 'categories', 'suppliers', 'components'],
  }
  for (const section of kinds)
    for (const field of arrays[section])
      for (const value of [5, 'x', '', {}, true]) {
        const text = `${field.charAt(0).toUpperCase()}${field.slice(1)} is not an array`
        await refusesFields(company, section, { [field]: value }, text)
      }
})

rule('catalog.error.code-not-a-string', async () => {
  const company = await given.company()
  for (const [section, field] of [
    ['products', 'alt_skus'],
    ['products', 'barcodes'],
    ['materials', 'barcodes'],
  ] as const)
    for (const value of [null, ...noTexts])
      await refusesFields(company, section, { [field]: ['A', value] }, `Invalid ${field} value. Must be a string`)
})

rule('catalog.error.unit', async () => {
  const company = await given.company()
  const gone = await add(company, 'units')
  await remove(company, 'units', gone)
  for (const section of kinds)
    for (const unit_id of [gone, ...noRecords]) await refusesFields(company, section, { unit_id }, 'Unit not found')
})

rule('catalog.error.category', async () => {
  const company = await given.company()
  for (const section of kinds) {
    const kept = await add(company, 'categories', { type: section })
    const gone = await add(company, 'categories', { type: section })
    await remove(company, 'categories', gone)
    for (const one of [gone, null, '', ...noRecords])
      await refusesFields(company, section, { categories: [kept, one] }, 'Category not found')
  }
})

rule('catalog.error.supplier', async () => {
  const company = await given.company()
  const [kept, gone] = [await add(company, 'suppliers'), await add(company, 'suppliers')]
  await remove(company, 'suppliers', gone)
  for (const section of goods)
    for (const supplier_id of [gone, ...noRecords]) {
      const suppliers = [{ supplier_id: kept }, { supplier_id }]
      await refusesFields(company, section, { suppliers }, 'Supplier not found')
    }
})

rule('catalog.error.no-supplier-id', async () => {
  const company = await given.company()
  for (const section of goods)
    for (const supplier of [{}, { supplier_id: null }, { supplier_id: '' }])
      await refusesFields(company, section, { suppliers: [supplier] }, 'No supplier_id in input')
})

rule('catalog.error.supplier-price', async () => {
  const company = await given.company()
  const supplier_id = await add(company, 'suppliers')
  for (const section of goods)
    for (const price of noMoney)
      await refusesFields(company, section, { suppliers: [{ supplier_id, price }] }, noMoneyText)
})

rule('catalog.error.unit', 'records of another company are not found', async () => {
  const [own, other] = [await given.company(), await given.company()]
  const theirs = {
    unit_id: await add(other, 'units'),
    supplier_id: await add(other, 'suppliers'),
    category: await add(other, 'categories', { type: 'products' }),
  }
  await refusesFields(own, 'products', { unit_id: theirs.unit_id }, 'Unit not found')
  await refusesFields(own, 'products', { categories: [theirs.category] }, 'Category not found')
  await refusesFields(own, 'products', { suppliers: [{ supplier_id: theirs.supplier_id }] }, 'Supplier not found')
})

type Row = readonly [field: string, wrong: unknown, error: string]

const noMoneyText = 'Invalid price value. Must be a number, 0 or greater'
const requestRows: readonly Row[] = [
  ['name', 5, 'name must be a string'],
  ['sku', [], 'Invalid sku value. Must be a string'],
  ['alt_skus', 5, 'Alt_skus is not an array'],
  ['barcodes', 5, 'Barcodes is not an array'],
  ['price', 'x', noMoneyText],
  ['min_amount', -1, 'Invalid min_amount value. Must be a number, 0 or greater'],
  ['categories', 5, 'Categories is not an array'],
  ['suppliers', 5, 'Suppliers is not an array'],
  ['components', 5, 'Components is not an array'],
  ['notes', [], 'Invalid notes value. Must be a string'],
]
const own: Readonly<Record<(typeof kinds)[number], (row: Row) => boolean>> = {
  products: () => true,
  materials: ([field]) => !['alt_skus', 'components'].includes(field),
  resources: ([field]) => ['name', 'price', 'categories', 'notes', 'unit_id'].includes(field),
}

rule('catalog.checks.request-order', async () => {
  const company = await given.company()
  for (const section of kinds) {
    const entity = section.charAt(0).toUpperCase() + section.slice(1, -1)
    const rows = requestRows.filter(own[section])
    const id = await add(company, section)
    for (const [at, [field, , text]] of rows.entries()) {
      const error = field === 'name' ? `${entity} ${text}` : text
      // All following fields are invalid too, and so are the referenced data.
      const wrong = { ...Object.fromEntries(rows.slice(at).map(([name, value]) => [name, value])), unit_id: 987654 }
      await refuses(company, `${section}/add`, { ...leastOf(section), ...wrong }, error)
      await refusesEdit(company, section, id, wrong, error)
      await refusesEdit(company, section, 987654, wrong, error)
      await refusesEdit(company, section, null, wrong, `No ${section.slice(0, -1)}_id in input`)
    }
  }
})

rule('catalog.checks.component-order', async () => {
  const company = await given.company()
  const material = await add(company, 'materials', { sku: 'BOARD' })
  const first = (components: unknown[], error: string) => refusesFields(company, 'products', { components }, error)
  const right = { type: 'material', id: material, amount: 1 }
  await first(
    [{ type: 'x', amount: 0 }, 5],
    'Invalid type for component 0. Must be one of: material, product, resource',
  )
  await first([{ type: 'material', amount: 0 }, 5], 'SKU or id not set for component 0')
  await first([{ ...right, amount: 0 }, 5], `Amount must be greater than 0 for component with id ${material}`)
  await first([{ type: 'material', sku: 'NO', amount: 1 }, 5], 'Component 1 must be an object')
  await first(
    [{ type: 'material', sku: 'NO', amount: 1 }, right, { ...right, id: 987654 }],
    'Component with SKU "NO" not found',
  )
})

rule('catalog.checks.supplier-order', async () => {
  const company = await given.company()
  const supplier_id = await add(company, 'suppliers')
  const wrong = { sku: [], price: 'x' }
  for (const section of goods) {
    const first = (supplier: object, error: string) =>
      refusesFields(company, section, { suppliers: [supplier, {}], notes: [] }, error)
    await first(wrong, 'No supplier_id in input')
    await first({ ...wrong, supplier_id: '' }, 'No supplier_id in input')
    await first({ ...wrong, supplier_id }, 'Invalid sku value. Must be a string')
    await first({ ...wrong, supplier_id, sku: 'A' }, noMoneyText)
    await first({ supplier_id }, 'No supplier_id in input')
  }
})

rule('catalog.checks.data-order', async () => {
  const company = await given.company()
  await add(company, 'products', { sku: 'USED', barcodes: ['USED'] })
  await add(company, 'materials', { sku: 'USED' })
  const dataRows: readonly Row[] = [
    ['sku', 'USED', 'SKU "USED" is already used'],
    ['alt_skus', ['OTHER', 'USED'], 'SKU "USED" is already used'],
    ['barcodes', ['USED'], 'Barcode "USED" is already used'],
    ['unit_id', 987654, 'Unit not found'],
    ['categories', [987654], 'Category not found'],
    ['suppliers', [{ supplier_id: 987654 }], 'Supplier not found'],
    ['components', [{ type: 'material', sku: 'NO', amount: 1 }], 'Component with SKU "NO" not found'],
  ]
  for (const section of kinds) {
    const rows = dataRows.filter(own[section])
    const id = await add(company, section)
    for (const [at, [, , error]] of rows.entries()) {
      const wrong = Object.fromEntries(rows.slice(at).map(([name, value]) => [name, value]))
      await refusesFields(company, section, wrong, error)
      await refusesEdit(company, section, id, { ...wrong, notes: [] }, 'Invalid notes value. Must be a string')
      const entity = section.charAt(0).toUpperCase() + section.slice(1, -1)
      await refusesEdit(company, section, 987654, wrong, `${entity} not found or access denied`)
    }
  }
})
