// Writing items of the catalog.

import { naturalKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'

export type NewItem = {
  readonly id: number
  readonly kind: 'product' | 'material' | 'resource'
  readonly name: string
  readonly sku: string
  readonly altSkus: readonly string[]
  readonly unitId: number
  readonly price: string
}

const insert = statement(
  'items.insert',
  `insert into items (company_id, id, kind, name, name_key, sku, unit_id, price) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const insertCodes = statement(
  'items.insert_codes',
  `insert into item_codes (company_id, space, code, item_id, role, position)
   select c.company_id, $2, x.code, $3, case when x.position = 1 then 'sku' else 'alternative' end, x.position - 1
   from company_clock c cross join unnest($4::text[]) with ordinality as x (code, position)
   where c.company_id = $1`,
)

export function insertItem(companyId: number, item: NewItem): Statement[] {
  const { id, kind, name, sku, altSkus, unitId, price } = item
  const row = insert(companyId, id, kind, name, naturalKey(name), sku, unitId, price)
  return sku === '' ? [row] : [row, insertCodes(companyId, kind, id, [sku, ...altSkus])]
}
