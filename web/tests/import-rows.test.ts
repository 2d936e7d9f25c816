// Columns are recognised by their headings, and rows become the fields that the server reads.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellText, withCell } from '../src/import/cells.ts'
import { choices, fieldsOf, headingsOf, suggestMapping } from '../src/import/fields.ts'
import { labelOf } from '../src/import/labels.ts'
import { componentsText, readComponents, rowsFrom } from '../src/import/rows.ts'
import { messages as german } from '../src/messages/de.ts'
import { messages as english } from '../src/messages/en.ts'
import { messages as russian } from '../src/messages/ru.ts'

test('headings of four languages are recognised, the best word first, each field once', () => {
  const cases = [
    ['products', ['Name', 'SKU', 'Barcode', 'Unit', 'Price', 'Code', 'Colour'], ['name', 'sku', 'barcodes', 'unit', 'price']],
    ['products', ['Code', 'SKU'], [undefined, 'sku']],
    ['products', ['Artikelbezeichnung', 'Artikel-Nr.', 'EAN', 'Einheit', 'VK-Preis (€)', 'Warengruppe', 'Stückliste'], ['name', 'sku', 'barcodes', 'unit', 'price', 'categories', 'components']],
    ['materials', ['Désignation', 'Référence', 'Unité', "Prix d'achat", 'Fournisseur'], ['name', 'sku', 'unit', 'price', 'suppliers']],
    ['products', ['Наименование', 'Артикул', 'Ед. изм.', 'Цена', 'Группа'], ['name', 'sku', 'unit', 'price', 'categories']],
    ['customers', ['Firma', 'E-Mail', 'Telefon', 'Lieferadresse'], ['name', 'email', 'phone', 'address_real']],
    ['stock', ['Артикул', 'Остаток'], ['sku', 'counted']],
    ['components', ['Product SKU', 'Component SKU', 'Quantity'], ['sku', 'component_sku', 'component_amount']],
  ] as const // biome-ignore format: one case per line
  for (const [choice, headings, expected] of cases) {
    const found = suggestMapping(choice, headings)
    assert.deepEqual(
      found,
      headings.map((_, at) => expected[at]),
      headings.join(),
    )
  }
})

test('the headings of templates and complete exports are recognised in every language', () => {
  for (const [language, catalog] of Object.entries({ english, german, russian }))
    for (const choice of choices) {
      const names = fieldsOf[choice].map(({ name }) => name)
      const headings = names.map((name) => labelOf(choice, name, catalog))
      assert.deepEqual(suggestMapping(choice, headings), names, `${language} ${choice}: ${headings.join()}`)
    }
})

test('what the lists export is recognised in every language', () => {
  for (const { catalog, stock, contacts } of [english, german, russian]) {
    const ofStock = [catalog.column.name, catalog.column.sku, stock.column.amount, stock.column.available]
    assert.deepEqual(suggestMapping('stock', ofStock), [undefined, 'sku', 'counted', undefined])
    const ofProducts = [catalog.column.name, catalog.column.sku, catalog.column.categories, catalog.kinds.product.price]
    assert.deepEqual(suggestMapping('products', ofProducts), ['name', 'sku', 'categories', 'price'])
    const ofCustomers = [contacts.field.name, contacts.field.email, contacts.field.phone]
    assert.deepEqual(suggestMapping('customers', ofCustomers), ['name', 'email', 'phone'])
  }
})

test('what was chosen for a heading is proposed again', () => {
  const headings = ['Nr', 'Was']
  const chosen = headingsOf(headings, ['sku', 'name'])
  assert.deepEqual(chosen, [
    { heading: 'nr', field: 'sku' },
    { heading: 'was', field: 'name' },
  ])
  const remembered = new Map(chosen.map(({ heading, field }) => [heading, field]))
  assert.deepEqual(suggestMapping('products', ['Was', 'NR.', 'Name'], remembered), ['name', 'sku', undefined])
})

test('a row has the fields of its cells; empty cells are left out', () => {
  const mapping = [
    'sku',
    'price',
    'categories',
    'suppliers',
    'supplier_skus',
    'supplier_prices',
    'barcodes',
    undefined,
  ] as const
  const lines = [
    { line: 2, cells: ['A', '1.234,50 €', 'Tables; Oak', 'Holz AG; Timber', ';T-7', '2,5', '1,2', 'x'] },
    { line: 3, cells: ['B', 'cheap', ''] },
    { line: 4, cells: ['', '', '', '', '', '', '', 'x'] },
  ]
  assert.deepEqual(rowsFrom('products', lines, mapping, ','), [
    {
      line: 2,
      fields: {
        sku: 'A',
        barcodes: ['1', '2'],
        price: '1234.50',
        categories: ['Tables', 'Oak'],
        suppliers: [{ name: 'Holz AG', price: '2.5' }, { name: 'Timber', sku: 'T-7' }],
      },
    },
    { line: 3, fields: { sku: 'B', price: 'cheap' } },
  ]) // biome-ignore format: rows
})

test('components are read from one cell, and written so that they are read again', () => {
  const cases = [
    ['LEG x 4; TOP × 1', [{ sku: 'LEG', amount: '4' }, { sku: 'TOP', amount: '1' }]],
    ['product: A-1 * 1,5', [{ type: 'product', sku: 'A-1', amount: '1.5' }]],
    ['Материал: ВИНТ × 0.25\nBOX', [{ type: 'material', sku: 'ВИНТ', amount: '0.25' }, { sku: 'BOX', amount: '1' }]],
    ['M4x20 x 8', [{ sku: 'M4x20', amount: '8' }]],
    ['A:B × 2', [{ sku: 'A:B', amount: '2' }]],
  ] as const // biome-ignore format: one case per line
  for (const [cell, components] of cases) {
    assert.deepEqual(readComponents(cell, ','), components, cell)
    assert.deepEqual(readComponents(componentsText(components), '.'), components, cell)
  }
})

test('products come after those that they are made of, and lines of components are one row for each product', () => {
  const order = (rows: readonly (readonly [string, string])[]) =>
    rowsFrom(
      'products',
      rows.map(([sku, components], at) => ({ line: at + 2, cells: [sku, components] })),
      ['sku', 'components'],
      '.',
    ).map(({ fields }) => fields['sku'])
  assert.deepEqual(order([['A', 'b; C'], ['B', 'C'], ['C', '']]), ['C', 'B', 'A']) // biome-ignore format: rows
  assert.deepEqual(order([['A', 'B'], ['B', 'A'], ['C', 'C']]), ['B', 'A', 'C']) // biome-ignore format: rows
  const long = Array.from({ length: 20_000 }, (_, at) => [`P${at}`, at === 19_999 ? '' : `P${at + 1}`] as const)
  assert.equal(order(long)[0], 'P19999')
  const lines = [['T', 'LEG', '4'], ['U', 'LEG', '1'], ['t', 'TOP', '1']].map((cells, at) => ({ line: at + 2, cells })) // biome-ignore format: rows
  assert.deepEqual(rowsFrom('components', lines, ['sku', 'component_sku', 'component_amount'], '.'), [
    { line: 2, fields: { sku: 'T', components: [{ sku: 'LEG', amount: '4' }, { sku: 'TOP', amount: '1' }] } },
    { line: 3, fields: { sku: 'U', components: [{ sku: 'LEG', amount: '1' }] } },
  ]) // biome-ignore format: rows
})

test('a cell is corrected, and the others stay', () => {
  const fields = {
    sku: 'A',
    price: 'cheap',
    suppliers: [{ name: 'Hols AG', sku: 'H.1', price: '2.5' }, { name: 'Timber', price: '1' }],
  } // biome-ignore format: fields
  assert.deepEqual(withCell('products', fields, 'price', ' 1.234,50 ', ','), { ...fields, price: '1234.50' })
  const corrected = withCell('products', fields, 'suppliers', 'Holz AG; Timber', ',')
  assert.deepEqual(corrected, {
    ...fields,
    suppliers: [{ name: 'Holz AG', sku: 'H.1', price: '2.5' }, { name: 'Timber', price: '1' }],
  }) // biome-ignore format: fields
  assert.equal(cellText(corrected, 'supplier_prices'), '2.5; 1')
  assert.deepEqual(withCell('stock', { sku: 'A', counted: '-' }, 'counted', '', '.'), { sku: 'A' })
})
