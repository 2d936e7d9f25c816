// Invariants of items.

import type { Invariant } from '../kernel/invariant.ts'

export const catalogInvariants: readonly Invariant[] = [
  {
    name: 'an item is searched by the codes that it has',
    sql: `select i.id, i.codes, c.codes as has from items i
          left join (
            select item_id, string_agg(e'\\x1f' || code, '' order by position) as codes from item_codes where company_id = :company_id group by item_id
          ) c on c.item_id = i.id
          where i.company_id = :company_id and i.deleted_at is null and i.codes <> coalesce(c.codes, '')`,
  },
]
