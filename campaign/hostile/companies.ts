// The two companies: a hostile one with the largest data it may have, and a normal one with ordinary work.

import { methodPath, screensPrefix } from '../../server/platform/http/paths.ts'
import { query } from '../../server/test/harness/database.ts'
import { type Company, given, type User } from '../../server/test/harness/given.ts'
import { loadSales } from '../../server/test/harness/many-sales.ts'
import { add } from '../../server/test/harness/record-calls.ts'
import { makeShops } from '../overload/shops.ts'
import type { Armed } from './attacks.ts'
import { requestBytes } from './sockets.ts'

export type Hostile = { readonly company: Company; readonly armed: Omit<Armed, 'target' | 'seconds' | 'victimEmail'> }
export type Normal = { readonly company: Company; readonly owner: User; readonly requests: readonly Buffer[] }

export const ownersPassword = 'seven quiet oak tables'

const movements = 20_000
/** The maximum of each that an item may have, as declared by its method. */
const most = { alt_skus: 100, suppliers: 100, components: 1_000 }

export async function makeHostile(sales: number): Promise<Hostile> {
  const company = await loadSales({ sales, days: 365, lastDay: '2024-12-31' })
  const [owner, worker] = [await given.user(company, 'owner'), await given.user(company, 'worker')]
  const { id: movedItem } = await given.product(company, { sku: 'MOVED' })
  await given.stock(company, { item: movedItem, amount: '1', unitCost: '1', date: '2020-01-01' })
  await loadMovements(company, movedItem)
  const largestItem = await makeLargestItem(company)
  return {
    company,
    armed: { key: company.key, cookie: owner.cookie, workerCookie: worker.cookie, movedItem, largestItem },
  }
}

/** As if one unit had been moved in and out repeatedly. */
async function loadMovements(company: Company, item: number): Promise<void> {
  await query(
    company.id,
    `insert into stock_movements (company_id, id, seq, kind, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
     select k.company_id, k.last_movement_id + n.i, k.seq, 'move', 'audits', 1, ${company.productsStorageId}, ${item},
       date '2021-01-01' + (n.i / 20)::int, case when n.i % 2 = 0 then -1 else 1 end, 0, case when n.i % 2 = 0 then -1 else 1 end, now()
     from company_clock k cross join generate_series(1, ${movements}) n (i) where k.company_id = ${company.id};`,
  )
  await query(
    company.id,
    `update company_clock set last_movement_id = last_movement_id + ${movements} where company_id = $1`,
    [company.id],
  )
  await query(company.id, 'analyze stock_movements')
}

async function makeLargestItem(company: Company): Promise<number> {
  const suppliers: number[] = []
  for (let n = 0; n < most.suppliers; n++) suppliers.push(await add(company, 'suppliers', { name: `Supplier ${n}` }))
  const material = await add(company, 'materials', { sku: 'PART', price: 3 })
  return await add(company, 'products', {
    sku: 'LARGEST',
    alt_skus: Array.from({ length: most.alt_skus }, (_, n) => `LARGEST-${n}`),
    suppliers: suppliers.map((supplier_id) => ({ supplier_id, sku: 'x', price: 1 })),
    components: Array.from({ length: most.components }, () => ({ type: 'material', id: material, amount: 1 })),
  })
}

/** Reads, writes, whole lists and app API requests of an ordinary day. */
export async function makeNormal(): Promise<Normal> {
  const [shop] = await makeShops(1)
  if (shop === undefined) throw new Error('no company was created')
  const { company } = shop
  const owner = await given.user(company, 'owner', ownersPassword)
  // The owner signs in so often that the first of its sessions ends.
  const colleague = await given.user(company, 'owner')
  const screens = (path: string, body: object): Buffer =>
    requestBytes(
      screensPrefix + path,
      { Cookie: colleague.cookie, 'Sec-Fetch-Site': 'same-origin' },
      JSON.stringify(body),
    )
  const wholeList = requestBytes(methodPath('products/get_list'), { Authorization: company.key }, '{}')
  return {
    company,
    owner,
    requests: [...shop.bytes, wholeList, screens('orders/browse', { limit: 50 }), screens('dashboard/get', {})],
  }
}
