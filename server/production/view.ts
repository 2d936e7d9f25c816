// A production in responses: the products, and what is consumed for them.

import {
  bothStorageJoins,
  bothStorages,
  codeField,
  commonFields,
  dayField,
  documentView,
  idAndNumber,
  type LineArrays,
  lineEnd,
  lineFields,
  linesByKind,
  shownItemFields,
} from '../documents/view.ts'
import { productionKind } from '../fulfilment/production.ts'
import { productionStatusTable } from '../kernel/document-statuses.ts'
import {
  type Fields,
  integerField,
  nullableInteger,
  nullableText,
  numberField,
  shownOf,
} from '../platform/lists/record-fields.ts'

const { sku, name, unit } = shownItemFields(['product', 'material', 'resource'])

const usedFields = (code: Fields): Fields => ({
  id: integerField('i.id', 'Id of the item.', 2),
  ...code,
  name,
  unit,
  amount: numberField('l.amount', 'Quantity.', 8),
  cost: numberField('round(l.cost, 2)', 'Cost.', 148),
  position: integerField('l.position', 'Position, from 0.', 0),
})

/** The consumption by item. */
const used: LineArrays = {
  alias: 'used_items',
  from: `(
      select u.company_id, u.item_id, sum(u.amount) as amount, sum(u.cost) as cost, min(u.position) as position
      from production_uses u where u.company_id = :company_id and u.production_id = d.id group by u.company_id, u.item_id) l
    join items i on i.company_id = :company_id and i.id = l.item_id
    join units n on n.company_id = :company_id and n.id = i.unit_id`,
  arrays: {
    materials: { condition: "i.kind <> 'resource'", fields: usedFields({ sku }) },
    resources: { condition: "i.kind = 'resource'", fields: usedFields({}) },
  },
}

export const productionView = documentView(
  productionKind,
  {
    ...idAndNumber,
    status: codeField('status', productionStatusTable),
    date_placed: dayField('date_placed', 'Day it was placed,'),
    date_planned: dayField('date_planned', 'Day it is planned for,', ''),
    date_done: dayField('date_done', 'Day it was done,', ''),
    order_id: nullableInteger('d.sale_id', 'The sale it is made for, or null.'),
    order_num: shownOf(['order'], nullableText('o.num', 'Its number, or null.')),
    ...bothStorages,
    ...commonFields,
  },
  `${bothStorageJoins} left join sales o on o.company_id = :company_id and o.id = d.sale_id`,
  [linesByKind(productionKind, { ...lineFields, ...lineEnd }, ['product']), used],
)
