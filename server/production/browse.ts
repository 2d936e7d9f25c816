// Browsing productions.

import { z } from 'zod'
import { itemMatches } from '../catalog/view.ts'
import { costTotal, documentBrowse, notCanceled } from '../documents/browse.ts'
import { productionKind, productionStatuses } from '../fulfilment/production.ts'
import { openProductions, productionStatus } from '../kernel/document-statuses.ts'
import { foldedSql } from '../kernel/folded-text.ts'
import { by, column } from '../platform/lists/browse.ts'
import { codesFilter, idFilter } from '../platform/lists/browse-filters.ts'
import { nullable, text } from '../platform/postgres/json-sql.ts'
import { lackingCte } from './missing.ts'
import { productionView } from './view.ts'

const products = `(
  select string_agg(i.name, ', ' order by l.position) from production_lines l join items i on i.company_id = :company_id and i.id = l.item_id
  where l.company_id = :company_id and l.production_id = d.id)`
const missing = `case when d.status in (${openProductions}) then (select count(*) from lacking k where k.production_id = d.id)::text end`

export const browseProductions = documentBrowse({
  kind: productionKind,
  notes: [
    '`missing` is the number of components that an open production lacks when available stock is allocated to productions in progress first, then by the planned day.',
  ],
  fields: productionView.fields,
  show: [
    'id',
    'num',
    'status',
    'date_placed',
    'date_planned',
    'date_done',
    'order_id',
    'order_num',
    'amount',
    'cost',
    'notes',
  ],
  sorts: { date_planned: by('d.date_planned'), date_done: by('d.date_done') },
  more: {
    products: column(`coalesce(${text(products)}, '""')`, z.string().describe('Names of its products.'), 'Oak table'),
    missing: column(
      nullable(missing),
      z.int().nullable().describe('Number of components that it lacks; null when it is not open.'),
      0,
    ),
  },
  ctes: [lackingCte],
  joins: 'left join sales o on o.company_id = :company_id and o.id = d.sale_id',
  search: `d.sale_id in (select q.id from sales q where q.company_id = :company_id and ${foldedSql('q.num')} like :search)
    or d.id in (
      select l.production_id from production_lines l join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and ${itemMatches(':search')})`,
  filters: [
    codesFilter('status', 'Only these statuses.', 'd.status', productionStatuses),
    idFilter('order_id', 'Only the production of this sale.', 'd.sale_id = :order_id'),
  ],
  cuts: {
    open: `d.status in (${openProductions})`,
    done: `d.status = ${productionStatus.done}`,
    canceled: `d.status = ${productionStatus.canceled}`,
  },
  totals: costTotal,
  summedWhere: notCanceled,
})
