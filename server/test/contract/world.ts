// A company with one of everything, created in a fixed order, and a valid value for every field that can be sent. Two such companies
// have the same ids, so one can send requests for records that only the other has. Long because it makes every kind of record.

import assert from 'node:assert/strict'
import { methods } from '../../methods.ts'
import { query } from '../harness/database.ts'
import { base64, png } from '../harness/files.ts'
import { type Company, given } from '../harness/given.ts'
import { draft, imported } from '../harness/imports.ts'
import { plainValues } from './plain-values.ts'

export type World = {
  readonly company: Company
  /** By `<section>/<method> <field>`, `<section> <field>` or `<field>`; the first match counts. */
  readonly values: ReadonlyMap<string, unknown>
}

export function liveValue(world: World, path: string, name: string): unknown {
  const [section] = path.split('/')
  // The records of an upsert have the fields of an add.
  if (path.endsWith('/upsert') && name.startsWith(`${section}.`))
    return liveValue(world, `${section}/add`, name.slice(`${section}.`.length))
  const key = [`${path} ${name}`, `${section} ${name}`, name].find((one) => world.values.has(one))
  const value = key === undefined ? undefined : world.values.get(key)
  return typeof value === 'function' ? value() : value
}

export const newCompany = (): Promise<Company> =>
  given.company({ materials_in_sales: true, daily_limit: 1_000_000_000 })

/** `mark` is part of every text that identifies a record. */
export async function makeWorld(mark = 'LIVE', company?: Company): Promise<World> {
  const own = company ?? (await newCompany())
  const add = async (section: string, body: object): Promise<number> => {
    const reply = await own.call(`${section}/add`, body)
    assert.equal(reply.status, 200, `${section}/add ${JSON.stringify(body)} → ${reply.text}`)
    const { success, ...ids } = reply.body
    assert.equal(success, true)
    return Number(Object.values(ids)[0])
  }
  const records = await makeRecords(mark, add)
  // A state change can be undone only after it was made.
  const lines = [{ id: records.get('product_id'), amount: 1, total: 1 }]
  const sale = await add('orders', { num: 'shipped', customer_id: records.get('customer_id'), products: lines })
  assert.equal((await own.call('orders/update_status', { order_id: sale, status: 3 })).status, 200)
  records.set('orders/undo_shipment order_id', sale)
  const purchase = { supplier_id: records.get('supplier_id'), products: lines, status: 3 }
  records.set('purchases/undo_receipt purchase_id', await add('purchases', purchase))
  await makeSkippedLines(mark, own, records, add)
  await makeTaxRates(own, records)
  await makeFile(own, records)
  await makeImports(mark, own, records)
  await makeQuotes(own, records)
  const [named] = await query(own.id, 'select name from companies where company_id = $1', [own.id])
  records.set('company/delete name', named?.['name'])
  return { company: own, values: new Map([...plainValues, ...records]) }
}

type Add = (section: string, body: object) => Promise<number>

/** References to records. Each section has a spare record that nothing depends on and that may be deleted. */
async function makeRecords(mark: string, add: Add): Promise<Map<string, unknown>> {
  const unit = await add('units', { name: `${mark} unit` })
  const spareUnit = await add('units', { name: `${mark} spare unit` })
  const categories: Record<string, number> = {}
  for (const type of ['products', 'materials', 'resources'])
    categories[type] = await add('categories', { name: `${mark} ${type}`, type })
  const spareCategory = await add('categories', { name: `${mark} spare category`, type: 'products' })
  const storage = await add('storages', { name: `${mark} storage` })
  const secondStorage = await add('storages', { name: `${mark} second storage` })
  const spareStorage = await add('storages', { name: `${mark} spare storage` })
  const [customer, supplier] = [
    await add('customers', { name: `${mark} customer` }),
    await add('suppliers', { name: `${mark} supplier` }),
  ]
  // Other contacts than those of the documents, so that a document can change to them.
  await add('customers', { name: `${mark} customer of a shop`, external_id: `${mark}-C` })
  await add('suppliers', { name: `${mark} supplier of a shop`, external_id: `${mark}-S` })
  const material = await add('materials', { name: `${mark} material`, sku: `${mark}-M`, external_id: `${mark}-M` })
  const components = [{ type: 'material', id: material, amount: 2 }]
  const goods = { sku: `${mark}-P`, external_id: `${mark}-P`, components }
  const product = await add('products', { name: `${mark} product`, ...goods })
  const resource = await add('resources', { name: `${mark} resource` })
  const spare: Record<string, number> = {}
  for (const section of ['products', 'materials', 'resources', 'customers', 'suppliers'])
    spare[section] = await add(section, { name: `${mark} spare of ${section}`, external_id: `${mark}-SPARE` })
  const lines = {
    products: [{ id: product, amount: 2, total: 20 }],
    materials: [{ id: material, amount: 1, total: 3 }],
  }
  const sale = await add('orders', { num: 'live', external_id: `${mark}-O`, customer_id: customer, ...lines })
  const documents: Record<string, number> = {}
  for (const [section, id, body] of [
    ['purchases', 'purchase_id', { external_id: `${mark}-O`, supplier_id: supplier, products: lines.products }],
    [
      'productions',
      'production_id',
      { products: [{ id: product, amount: 1 }], materials: [{ id: material, amount: 1 }] },
    ],
    ['writeoffs', 'writeoff_id', { products: [{ id: product, amount: 1 }] }],
    [
      'transfers',
      'transfer_id',
      { storage_from_id: storage, storage_to_id: secondStorage, products: [{ id: product, amount: 1 }] },
    ],
    ['audits', 'audit_id', { storage_id: storage, products: [{ id: product, counted: 1 }] }],
  ] as const) {
    if (methods.some(({ path }) => path === `${section}/add`)) documents[id] = await add(section, body)
  }
  const records = new Map<string, unknown>([
    ...Object.entries(documents),
    ['audits storage_id', storage],
    ['imports storage_id', storage],
    ['storage_from_id', storage],
    ['storage_to_id', secondStorage],
    ['order_id', sale],
    ['record_id', sale],
    ['documents id', sale],
    ['customer_id', customer],
    ['supplier_id', supplier],
    ['unit_id', unit],
    ['units/edit unit_id', spareUnit],
    ['units/delete unit_id', spareUnit],
    ['categories category_id', spareCategory],
    ['parent_id', categories['products']],
    ['storage_id', spareStorage],
    ['products_storage_id', storage],
    ['materials_storage_id', storage],
    ['product_id', product],
    ['material_id', material],
    ['resource_id', resource],
    ['products.id', product],
    ['products.sku', `${mark}-P`],
    ['products.external_id', `${mark}-P`],
    ['customer_external_id', `${mark}-C`],
    ['supplier_external_id', `${mark}-S`],
    ['materials.id', material],
    ['materials.sku', `${mark}-M`],
    ['materials.external_id', `${mark}-M`],
    ['resources.id', resource],
    ['resources.sku', `${mark}-R`],
    ['components.id', material],
    ['components.sku', `${mark}-M`],
    ['suppliers.supplier_id', supplier],
    ['lines.id', product],
    ['lines.sku', `${mark}-P`],
    ['lines.external_id', `${mark}-P`],
    ['item_id', product],
    ['orders ids', [sale]],
    ['orders/browse customer_id', customer],
    ['purchases/browse supplier_id', supplier],
    ['items storage_id', storage],
    ...['writeoffs', 'transfers', 'audits'].map((section) => [`${section}/browse storage_id`, storage] as const),
    ['products/get_list sku', `${mark}-P`],
    ['materials/get_list sku', `${mark}-M`],
    ['resources/get_list sku', `${mark}-P`],
    ['stock sku', `${mark}-P`],
    ['stock id', product],
    ['stock ids', [product]],
    ['items ids', [product]],
    ['stock storage_id', storage],
    ['stock category_id', categories['products']],
    ['products ids', [product]],
    ['materials ids', [material]],
    ['resources ids', [resource]],
    ['customers ids', [customer]],
    ['suppliers ids', [supplier]],
    ['units ids', [unit]],
    ['storages ids', [storage]],
    ['categories ids', [spareCategory]],
  ])
  for (const [name, id] of Object.entries(documents)) records.set(`${name.replace(/_id$/, 's')} ids`, [id])
  for (const [section, id] of Object.entries(spare)) {
    records.set(`${section}/delete ${section.slice(0, -1)}_id`, id)
    records.set(`${section}/delete external_id`, `${mark}-SPARE`)
  }
  // These name a document by its external id; an addition or an edit gives it one.
  for (const section of ['orders', 'purchases'])
    for (const method of ['delete', 'update_status', 'update_payment', 'ship'])
      records.set(`${section}/${method} external_id`, `${mark}-O`)
  for (const [section, id] of Object.entries(categories)) {
    records.set(`${section} categories`, [id])
    records.set(`${section} category_id`, id)
  }
  return records
}

/** A sale and a purchase that wait for the same items, and another sale whose skipped line was dismissed. */
async function makeSkippedLines(
  mark: string,
  company: Company,
  records: Map<string, unknown>,
  add: Add,
): Promise<void> {
  const product = Number(records.get('product_id'))
  const code = { id: product + 100_000, sku: `${mark}-SKIPPED`, external_id: `${mark}-SKIPPED` }
  const lineOf = (named: object) => ({ ...named, amount: 1, total: 1 })
  const waiting = Object.entries(code).map(([name, value]) => lineOf({ [name]: value }))
  const products = [lineOf({ id: product }), ...waiting]
  const sale = { num: 'waiting', customer_id: records.get('customer_id'), products }
  for (const [name, value] of Object.entries(code)) records.set(`skipped_lines ${name}`, value)
  records.set('skipped_lines order_id', await add('orders', sale))
  const supplier_id = records.get('supplier_id')
  records.set('skipped_lines purchase_id', await add('purchases', { supplier_id, products }))
  const dismissed = { sku: `${mark}-DISMISSED` }
  await add('orders', { ...sale, num: 'dismissed', products: [lineOf({ id: product }), lineOf(dismissed)] })
  const user = await given.user(company, 'manager')
  const { status, text, body } = await user.call('skipped_lines/dismiss', { type: 'product', ...dismissed })
  assert.equal(status, 200, text)
  records.set('skipped_lines step', body.step)
}

/** The default, one that items may be given, and one that may be deleted. */
async function makeTaxRates(company: Company, records: Map<string, unknown>): Promise<void> {
  const user = await given.user(company, 'owner')
  const add = async (percent: number): Promise<number> => {
    const { status, text, body } = await user.call('tax_rates/add', { name: 'VAT', percent })
    assert.equal(status, 200, text)
    return body.tax_rate_id
  }
  await add(19)
  const reduced = await add(7)
  records.set('tax_rate_id', reduced)
  records.set('tax_rates/delete tax_rate_id', await add(0))
}

async function makeFile(company: Company, records: Map<string, unknown>): Promise<void> {
  const item = { record: 'item', record_id: records.get('product_id') }
  const user = await given.user(company, 'manager')
  const file = { ...item, name: 'photo', content: base64(png(2, 2)), thumbnail: base64(png(1, 1)) }
  const { status, text, body } = await user.call('files/add', file)
  assert.equal(status, 200, text)
  for (const [name, value] of Object.entries(item)) records.set(`files ${name}`, value)
  records.set('file_id', body.file_id)
}

async function makeImports(mark: string, company: Company, records: Map<string, unknown>): Promise<void> {
  const user = await given.user(company, 'manager')
  const stock = { storage_id: records.get('imports storage_id') }
  const counted = await draft(user, 'stock', [{ sku: records.get('products.sku'), counted: '4' }], stock)
  records.set('import_id', counted.id)
  const done = await imported(user, 'customers', [{ name: `${mark} imported` }])
  records.set('imports/undo import_id', done.id)
}

/** A draft, and a quote of its own for each method that leads to another status. */
async function makeQuotes(company: Company, records: Map<string, unknown>): Promise<void> {
  const user = await given.user(company, 'manager')
  const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const { status, text, body: made } = await user.call(path, body)
    assert.equal(status, 200, text)
    return made
  }
  const products = [{ id: records.get('product_id'), amount: 2, total: 20 }]
  const add = async (): Promise<unknown> =>
    (await call('quotes/add', { customer_id: records.get('customer_id'), products, valid_until: '9999-12-31' }))[
      'quote_id'
    ]
  records.set('quote_id', await add())
  records.set('quotes/delete quote_id', await add())
  records.set('quotes/send quote_id', await add())
  for (const method of ['accept', 'decline', 'revoke', 'reopen']) {
    const id = await add()
    records.set(`quotes/${method} quote_id`, id)
    await call('quotes/send', { quote_id: id })
  }
  records.set('quotes ids', [records.get('quote_id')])
}
