// An item with very many movements, loaded by SQL in the same state as if they had been posted one by one: ledger, level, cost, clock.

import { query } from './database.ts'
import { type Company, given } from './given.ts'

/** Movements of one product at one storage location, with days in no order: two of three are receipts of one, every third is an issue of one. */
export async function loadMovements(company: Company, movements: number): Promise<{ readonly item: number }> {
  const { id: item } = await given.product(company, { sku: `MOVED-${movements}` })
  await given.stock(company, { item, amount: '1', unitCost: '2', date: '2020-01-01' })
  await query(
    company.id,
    `insert into stock_movements
       (company_id, id, seq, kind, section, document_id, storage_id, item_id, date, on_hand, reserved, value, recorded_at)
     select k.company_id, k.last_movement_id + n.i, k.seq, 'move', 'given', k.seq, $2, $3, date '2020-01-01' + ((n.i * 7919) % 1000)::int,
       x.one, 0, 2 * x.one, now()
     from company_clock k cross join generate_series(1, $4::bigint) n (i)
     cross join lateral (select case when n.i % 3 = 0 then -1 else 1 end as one) x
     where k.company_id = $1`,
    [company.id, company.productsStorageId, item, movements],
  )
  const sums = `(select sum(m.on_hand) as on_hand, sum(m.value) as value from stock_movements m where m.company_id = $1 and m.item_id = $2)`
  for (const sql of [
    `update stock_levels v set on_hand = m.on_hand from ${sums} m where v.company_id = $1 and v.item_id = $2`,
    `update item_costs c set on_hand = m.on_hand, value = m.value from ${sums} m where c.company_id = $1 and c.item_id = $2`,
  ])
    await query(company.id, sql, [company.id, item])
  await query(company.id, 'update company_clock set last_movement_id = last_movement_id + $2 where company_id = $1', [
    company.id,
    movements,
  ])
  await query(company.id, 'analyze stock_movements')
  return { item }
}
