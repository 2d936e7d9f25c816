// Invariants of the ledger and its derived tables.

import type { Invariant } from '../kernel/invariant.ts'

export const stockInvariants: readonly Invariant[] = [
  {
    name: 'levels are the sum of the ledger',
    sql: `select storage_id, item_id, sum(on_hand) as on_hand_too_much, sum(reserved) as reserved_too_much from (
            select storage_id, item_id, on_hand, reserved from stock_levels where company_id = :company_id
            union all select storage_id, item_id, -on_hand, -reserved from stock_movements where company_id = :company_id) x
          group by storage_id, item_id having sum(on_hand) <> 0 or sum(reserved) <> 0`,
  },
  {
    name: 'costs are the sum of the ledger',
    sql: `select item_id, sum(on_hand) as on_hand_too_much, sum(value) as value_too_much from (
            select item_id, on_hand, value from item_costs where company_id = :company_id
            union all select item_id, -on_hand, -value from stock_movements where company_id = :company_id) x
          group by item_id having sum(on_hand) <> 0 or sum(value) <> 0`,
  },
  {
    // Multiplied, not divided: a division in SQL is rounded itself, and rounding it again to 6 decimals may differ.
    name: 'an average is value over quantity',
    sql: `select item_id, on_hand, value, average from item_costs
          where company_id = :company_id and on_hand > 0 and abs(average * on_hand - value) > on_hand * 0.0000005`,
  },
  {
    name: 'nothing on hand is worth nothing',
    sql: `select item_id, value from item_costs where company_id = :company_id and on_hand = 0 and value <> 0`,
  },
  {
    name: 'every movement belongs to an event',
    sql: `select m.id, m.seq from stock_movements m left join events e on e.company_id = :company_id and e.seq = m.seq
          where m.company_id = :company_id and e.seq is null`,
  },
  {
    name: 'every movement has its item and storage location',
    sql: `select m.id from stock_movements m
          left join items i on i.company_id = :company_id and i.id = m.item_id
          left join storages t on t.company_id = :company_id and t.id = m.storage_id
          where m.company_id = :company_id and (i.id is null or t.id is null or i.kind = 'resource')`,
  },
]
