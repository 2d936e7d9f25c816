// A company with thousands of items, loaded by SQL in the same state as if they had been added one by one: codes, categories,
// suppliers, components, stock with its ledger, costs, events and clock.

import { nameKey } from '../../kernel/natural.ts'
import { query } from './database.ts'
import { type Company, given } from './given.ts'
import { add } from './record-calls.ts'

const woods = ['Oak', 'Pine', 'Elm', 'Ash', 'Birch', 'Cherry', 'Maple', 'Walnut', 'Beech', 'Larch']
const things = ['table', 'chair', 'shelf', 'bench', 'stool', 'desk', 'bed', 'chest', 'frame', 'door']

/** The n-th product, from 1. The numbers are not in order, so that the list's order differs from that of the ids. */
export function loadedProduct(n: number, products: number) {
  const number = (n * 7919) % products
  const words = `${woods[number % 10]} ${things[Math.floor(number / 10) % 10]}`
  return {
    words,
    number,
    name: `${words} no. ${number}`,
    sku: `SKU-${number}`,
    alternative: `WEB/${number}`,
    barcode: String(4_006_381_000_000 + number),
  }
}

export type LoadedCatalog = { readonly company: Company; readonly firstId: number; readonly category: number }

/** Each product has three codes, a category, a supplier, three components, and stock on hand. */
export async function loadProducts(products: number): Promise<LoadedCatalog> {
  if (products % 7919 === 0) throw new Error('the numbers would repeat')
  const company = await given.company({ daily_limit: 1_000_000_000 })
  const supplier = await add(company, 'suppliers')
  const categories = []
  for (let n = 0; n < 10; n++) categories.push(await add(company, 'categories', { type: 'products' }))
  const hour = await add(company, 'resources', { price: 40 })
  const boards: number[] = []
  for (let n = 0; n < 20; n++) {
    const item = await add(company, 'materials', { sku: `BOARD-${n}`, price: 3 })
    await given.stock(company, { item, amount: '10', unitCost: '4', storage: company.materialsStorageId })
    boards.push(item)
  }

  const all = Array.from({ length: products }, (_, at) => loadedProduct(at + 1, products))
  const [first] = await query(
    company.id,
    `with given as materialized (
       select x.n, x.name, x.key, x.sku, x.alternative, x.barcode,
         k.last_item_id + x.n as id, k.last_movement_id + x.n as movement_id, k.seq + x.n as seq
       from company_clock k
       cross join unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality as x (name, key, sku, alternative, barcode, n)
       where k.company_id = $1),
     items_made as (
       insert into items (company_id, id, kind, name, name_key, sku, codes, unit_id, price, min_amount, notes)
       select $1, g.id, 'product', g.name, g.key, g.sku, e'\\x1f' || g.sku || e'\\x1f' || g.alternative || e'\\x1f' || g.barcode, 1, g.n % 1000, 2, 'Made of solid wood' from given g),
     codes_made as (
       insert into item_codes (company_id, space, code, item_id, role, position)
       select $1, c.space, c.code, g.id, c.role, c.position from given g cross join lateral (values
         ('product', g.sku, 'sku', 0), ('product', g.alternative, 'alternative', 1), ('barcode', g.barcode, 'barcode', 2)
       ) as c (space, code, role, position)),
     categories_made as (
       insert into item_categories (company_id, item_id, category_id) select $1, g.id, ($7::bigint[])[1 + g.n % 10] from given g),
     suppliers_made as (
       insert into item_suppliers (company_id, item_id, position, supplier_id, sku, price) select $1, g.id, 0, $8::bigint, g.sku, 5 from given g),
     components_made as (
       insert into components (company_id, product_id, position, item_id, amount)
       select $1, g.id, c.position, c.item_id, c.amount from given g cross join lateral (values
         (0, ($9::bigint[])[1 + g.n % 20], 2), (1, ($9::bigint[])[1 + (g.n + 7) % 20], 0.5), (2, $10::bigint, 1.5)
       ) as c (position, item_id, amount)),
     moved as (
       insert into stock_movements
         (company_id, id, seq, kind, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
       select $1, g.movement_id, g.seq, 'move', 'given', g.seq, $11::bigint, g.id, current_date, 5, 0, 400, now() from given g),
     kept as (
       insert into stock_levels (company_id, storage_id, item_id, on_hand, reserved) select $1, $11::bigint, g.id, 5, 0 from given g),
     valued as (
       insert into item_costs (company_id, item_id, on_hand, value, average) select $1, g.id, 5, 400, 80 from given g),
     recorded as (
       insert into events (company_id, seq, at, method, source, request_id, record, record_id, change)
       select $1, g.seq, now(), 'products/add', 'api', 'loaded_' || g.seq, 'product', g.id, jsonb_build_object('name', g.name) from given g),
     clock as (
       update company_clock set seq = seq + ${products}, at = now(), last_item_id = last_item_id + ${products},
         last_movement_id = last_movement_id + ${products} where company_id = $1)
     select min(g.id)::int as id from given g`,
    [
      company.id,
      all.map((one) => one.name),
      all.map((one) => nameKey(one.name)),
      all.map((one) => one.sku),
      all.map((one) => one.alternative),
      all.map((one) => one.barcode),
      categories,
      supplier,
      boards,
      hour,
      company.productsStorageId,
    ],
  )
  // Tables that grow over months are analyzed by autovacuum; these were just loaded.
  for (const table of [
    'items',
    'item_codes',
    'item_categories',
    'item_suppliers',
    'components',
    'stock_levels',
    'item_costs',
  ])
    await query(company.id, `analyze ${table}`)
  return { company, firstId: first.id, category: categories[0] ?? 0 }
}
