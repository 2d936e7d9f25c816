// The effect on stock of a write that is not committed yet: the movements after the last one in the company's clock.

import { statement } from '../kernel/statement.ts'
import { array, integer, number, object, text } from '../platform/postgres/json-sql.ts'

type Company = { readonly company_id: number }

const changes = `(
  select m.item_id, m.storage_id, sum(m.on_hand) as on_hand, sum(m.reserved) as reserved from stock_movements m
  where m.company_id = :company_id and m.id > (select k.last_movement_id from company_clock k where k.company_id = :company_id)
  group by m.item_id, m.storage_id having sum(m.on_hand) <> 0 or sum(m.reserved) <> 0) x
  join items i on i.company_id = :company_id and i.id = x.item_id`

/** For the screens: each change with the names they show. */
export const changesUnderWay = statement<{ effect: string }, Company>(
  'stock.changes_under_way',
  `select ${array(
    object([
      ['item_id', integer('i.id')],
      ['type', text('i.kind')],
      ['sku', text('i.sku')],
      ['name', text('i.name')],
      ['unit', text('u.name')],
      ['storage_id', integer('s.id')],
      ['storage_name', text('s.name')],
      ['on_hand', number('x.on_hand')],
      ['reserved', number('x.reserved')],
    ]),
    `from ${changes}
     join units u on u.company_id = :company_id and u.id = i.unit_id
     join storages s on s.company_id = :company_id and s.id = x.storage_id`,
    'i.name, i.id, s.id',
  )} as effect`,
)

const beforeAndAfter = (column: 'on_hand' | 'reserved'): string =>
  `concat('[', ${number(`l.${column} - x.${column}`)}, ',', ${number(`l.${column}`)}, ']')`

/** For the public API: the levels before and after the write. */
export const levelsUnderWay = statement<{ effect: string }, Company>(
  'stock.levels_under_way',
  `select ${array(
    object([
      ['type', text('i.kind')],
      ['id', integer('i.id')],
      ['storage_id', integer('x.storage_id')],
      ['on_hand', beforeAndAfter('on_hand')],
      ['reserved', beforeAndAfter('reserved')],
    ]),
    `from ${changes}
     join stock_levels l on l.company_id = :company_id and l.item_id = x.item_id and l.storage_id = x.storage_id`,
    'i.id, x.storage_id',
  )} as effect`,
)
