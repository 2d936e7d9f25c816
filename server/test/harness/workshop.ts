// A workshop that makes tables: the starting point of the tests of productions, stock levels and costs.

import assert from 'node:assert/strict'
import type { Reply } from './app.ts'
import { level, query } from './database.ts'
import { type Company, given, type SettingsGiven } from './given.ts'
import { accepts, add } from './record-calls.ts'

export type Workshop = {
  readonly company: Company
  readonly board: number
  readonly screw: number
  readonly hour: number
  readonly table: number
}

/** A table takes 4 boards at 18.50, 16 screws at 0.25 and 1.5 hours at 30: 74 + 4 + 45 = 123. Stocked: 100 boards, 1000 screws. */
export async function workshop(settings: SettingsGiven = {}): Promise<Workshop> {
  const company = await given.company(settings)
  const metres = await add(company, 'units', { name: 'm' })
  const board = await add(company, 'materials', { name: 'Oak board', sku: 'BOARD', unit_id: metres })
  const screw = await add(company, 'materials', { name: 'Screw', sku: 'SCREW' })
  const hour = await add(company, 'resources', { name: 'Carpenter', price: 30 })
  const table = await add(company, 'products', {
    name: 'Oak table',
    sku: 'TABLE',
    alt_skus: ['T-OLD'],
    components: [
      { type: 'material', id: board, amount: 4 },
      { type: 'material', id: screw, amount: 16 },
      { type: 'resource', id: hour, amount: 1.5 },
    ],
  })
  const storage = company.materialsStorageId
  await given.stock(company, { item: board, amount: '100', unitCost: '18.5', storage, date: '2024-01-01' })
  await given.stock(company, { item: screw, amount: '1000', unitCost: '0.25', storage, date: '2024-01-01' })
  return { company, board, screw, hour, table }
}

/** Adds a production, of one table unless overridden, and returns its id. */
export async function make(company: Company, body: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const fields = await accepts(company, 'productions/add', { products: [{ sku: 'TABLE', amount: 1 }], ...body })
  assert.deepEqual(Object.keys(fields), ['production_id'])
  return fields.production_id
}

export async function production(company: Company, id: number): Promise<Reply['body']> {
  return (await accepts(company, 'productions/get_entry', { production_id: id })).production
}

export async function editProduction(company: Company, id: number, body: object): Promise<void> {
  assert.deepEqual(await accepts(company, 'productions/edit', { production_id: id, ...body }), {})
}

export async function setProduction(company: Company, id: number, status: number, more: object = {}): Promise<void> {
  assert.deepEqual(await accepts(company, 'productions/update_status', { production_id: id, status, ...more }), {})
}

/** Stock on hand of boards, screws and tables at the storage locations of the settings. */
export async function onHand({ company, board, screw, table }: Workshop): Promise<number[]> {
  const materials = company.materialsStorageId
  const levels = [await level(company, board, materials), await level(company, screw, materials)]
  return [...levels, await level(company, table)].map((one) => Number(one.on_hand))
}

/** The production's net movements: storage location, item, day, quantity and value. */
export const moved = (company: Company, id: number) =>
  query(
    company.id,
    `select storage_id::int as storage, item_id::int as item, date::text as date, sum(on_hand)::float as moved, sum(value)::float as value
     from stock_movements where company_id = $1 and section = 'productions' and document_id = $2 and kind = 'move'
     group by storage_id, item_id, date having sum(on_hand) <> 0 or sum(value) <> 0 order by item_id, date`,
    [company.id, id],
  )
