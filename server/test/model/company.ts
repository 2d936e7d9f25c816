// The company in which a sequence runs, and the corresponding state of the model.

import assert from 'node:assert/strict'
import { query } from '../harness/database.ts'
import { type Company, given } from '../harness/given.ts'
import { doOutside, modelOutside } from './outside.ts'
import { contactFields, type Fault, type Item, type State } from './state.ts'
import type { Sequence } from './steps.ts'

const stocked = [
  { item: 1, amount: '100', unitCost: '2.5' },
  { item: 3, amount: '5', unitCost: '1.2' },
  { item: 5, amount: '50', unitCost: '0.4' },
]

/** A company with products 1 to 4, materials 5 and 6, customers 1 to 3 and storage locations up to 4, the last of each deleted. */
export async function found(
  { settings }: Sequence,
  fault: Fault | undefined,
): Promise<{ company: Company; state: State }> {
  const company = await given.company({ ...settings, timezone: 'UTC' })
  const kilos = await given.unit(company, 'kg')
  await given.product(company, { sku: 'P-1', name: 'Chair', alt_skus: ['ALT-1', '777'] })
  await given.product(company, { sku: 'P-2', name: 'Table' })
  await given.product(company, { sku: 'P-3', name: 'Soap', unit_id: kilos.id })
  await given.product(company, { sku: 'P-4', name: 'Lamp' })
  await given.material(company, { sku: 'P-1', name: 'Board' }) // materials have their own namespace of codes
  await given.material(company, { sku: 'C-2', name: 'Lye', unit_id: kilos.id })
  // Lamps are bought.
  for (const product_id of [1, 2, 3]) {
    const components = [{ type: 'material', id: 6, amount: 0.5 }]
    const { status, text } = await company.call('products/edit', { product_id, components })
    assert.equal(status, 200, text)
  }
  for (const name of ['Ada', 'Bo', 'Gone']) await given.customer(company, { name, email: `${name}@example.org` })
  const storages = await query(company.id, 'select id from storages where company_id = $1', [company.id])
  for (let id = storages.length + 1; id <= 4; id++) await given.storage(company, `Storage ${id}`)
  await given.deleted(company, 'customer', 3)
  await given.deleted(company, 'storage', 4)
  const state = await initialState(company, settings, fault)
  for (const { item, amount, unitCost } of stocked) {
    const step = { receive: { item, storage: company.productsStorageId, amount, unitCost } }
    await doOutside(company, state, step)
    Object.assign(state, modelOutside(state, step))
  }
  return { company, state }
}

/** The state before the first step is read once; from then on the model computes its own. */
async function initialState(
  company: Company,
  settings: Sequence['settings'],
  fault: Fault | undefined,
): Promise<State> {
  const read = (sql: string) => query(company.id, sql, [company.id])
  const items = await read(
    `select i.id::int as id, i.kind, i.sku, i.name, u.name as unit, false as deleted, i.id <= 3 as made, coalesce((
        select json_agg(c.code) from item_codes c
        where c.company_id = i.company_id and c.item_id = i.id and c.role = 'alternative'), '[]') as alternatives
      from items i join units u on u.company_id = i.company_id and u.id = i.unit_id where i.company_id = $1 order by i.id`,
  )
  assert.deepEqual(
    items.map((item: Item) => [item.id, item.kind]),
    [1, 2, 3, 4, 5, 6].map((id) => [id, id <= 4 ? 'product' : 'material']),
  )
  return {
    ...settings,
    fault,
    today: new Date().toISOString().slice(0, 10),
    products_storage_id: company.productsStorageId,
    materials_storage_id: company.materialsStorageId,
    items,
    customers: await read(
      `select id::int as id, name, deleted_at is not null as deleted, ${contactFields.join()} from customers
        where company_id = $1 order by id`,
    ),
    storages: await read(
      'select id::int as id, name, deleted_at is not null as deleted from storages where company_id = $1 order by id',
    ),
    sales: [],
    productions: [],
    received: [],
    costs: {},
    lastSaleId: 0,
    lastProduction: 0,
  }
}
