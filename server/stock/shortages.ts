// Items below their minimum, for the daily mail: as in the stock list, less on hand than the minimum over all storage locations.

import type { Shortage } from '../access/mail-sender/shortages.ts'
import { statement } from '../kernel/statement.ts'

export const findShortages = statement<Shortage, { readonly company_id: number; readonly limit: number }>(
  'stock.shortages',
  `select i.name, i.sku, n.name as unit, trim_scale(coalesce(v.on_hand, 0))::text as on_hand, trim_scale(i.min_amount)::text as min_amount,
     count(*) over () as total
   from items i
   join units n on n.company_id = :company_id and n.id = i.unit_id
   left join (
     select l.item_id, sum(l.on_hand) as on_hand from stock_levels l where l.company_id = :company_id group by l.item_id
   ) v on v.item_id = i.id
   where i.company_id = :company_id and i.deleted_at is null and i.kind <> 'resource' and i.min_amount > 0
     and coalesce(v.on_hand, 0) < i.min_amount
   order by i.name_key, i.id limit :limit`,
)
