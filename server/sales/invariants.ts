// Invariants of sales: their sums, their effect on stock, their position in lists and their history.

import { listInvariants, skippedInvariants } from '../documents/invariants.ts'
import { openSales, productionStatus, saleStatus, salesWithShipments } from '../kernel/document-statuses.ts'
import type { Invariant } from '../kernel/invariant.ts'

const sold = `
  select s.id, s.status, s.date_deducted, l.item_id,
    case i.kind when 'product' then s.products_storage_id else s.materials_storage_id end as storage_id, sum(l.amount) as amount
  from sales s
  join sale_lines l on l.company_id = :company_id and l.sale_id = s.id
  join items i on i.company_id = :company_id and i.id = l.item_id
  where s.company_id = :company_id
  group by s.id, s.status, s.date_deducted, l.item_id, i.kind, s.products_storage_id, s.materials_storage_id`

const left = `
  select h.sale_id, h.item_id, sum(h.amount) as amount from sale_shipments h where h.company_id = :company_id group by h.sale_id, h.item_id`

export const salesInvariants: readonly Invariant[] = [
  {
    // The cost was the sum of the rounded costs of the lines before they were stored exactly.
    // Whether the lines share a unit of measure is stored when they are written, and is valid until the unit of one of their items changes.
    name: 'sums of a sale are those of its lines',
    sql: `select s.id, s.subtotal, s.cost, s.lines, s.amount, s.total from sales s
          left join (
            select l.sale_id, sum(l.total) as subtotal, count(*) as lines,
              round(sum(coalesce(l.exact_cost, l.cost)), 2) as cost, sum(l.cost) as cost_of_rounded,
              sum(l.amount) as amount, count(distinct i.unit_id) as units, bool_or(i.unit_changed) as unit_changed,
              min(l.position) as first, max(l.position) as last
            from sale_lines l join items i on i.company_id = :company_id and i.id = l.item_id
            where l.company_id = :company_id group by l.sale_id) x on x.sale_id = s.id
          where s.company_id = :company_id and (x.sale_id is null or s.subtotal <> x.subtotal or s.cost not in (x.cost, x.cost_of_rounded) or s.lines <> x.lines
            or s.amount <> x.amount or not x.unit_changed and (s.amount is null) <> (x.units > 1) or x.first <> 0 or x.last <> x.lines - 1
            or s.total <> s.subtotal + s.delivery_price - s.discount)`,
  },
  {
    name: 'the cost of a sale is known if every line has one',
    filledInBy: 'known_costs_of_sales',
    sql: `select s.id, s.cost_known from sales s
          left join (
            select l.sale_id, bool_and(coalesce(l.exact_cost, l.cost) <> 0) as is_known from sale_lines l
            where l.company_id = :company_id group by l.sale_id) x on x.sale_id = s.id
          where s.company_id = :company_id and s.cost_known <> coalesce(x.is_known, false)`,
  },
  {
    name: 'a sale has deducted exactly what its state demands',
    sql: `select document_id, storage_id, item_id, date, sum(on_hand) as wrong_by from (
            select m.document_id, m.storage_id, m.item_id, m.date, m.on_hand from stock_movements m
            where m.company_id = :company_id and m.section = 'sales'
            union all
            select d.id, d.storage_id, d.item_id, h.date, h.amount from (${sold}) d
            join sale_shipments h on h.company_id = :company_id and h.sale_id = d.id and h.item_id = d.item_id
            where d.status in (${salesWithShipments})
            union all
            select d.id, d.storage_id, d.item_id, d.date_deducted, d.amount - coalesce(w.amount, 0) from (${sold}) d
            left join (${left}) w on w.sale_id = d.id and w.item_id = d.item_id
            where d.status = ${saleStatus.shipped}) x
          group by document_id, storage_id, item_id, date having sum(on_hand) <> 0`,
  },
  {
    name: 'a sale reserves exactly what its state demands',
    sql: `select document_id, storage_id, item_id, sum(reserved) as wrong_by from (
            select m.document_id, m.storage_id, m.item_id, m.reserved from stock_movements m
            where m.company_id = :company_id and m.section = 'sales'
            union all
            select d.id, d.storage_id, d.item_id, -(d.amount - case when d.status = ${saleStatus.partlyShipped} then coalesce(w.amount, 0) else 0 end) from (${sold}) d
            left join (${left}) w on w.sale_id = d.id and w.item_id = d.item_id
            where d.status in (${openSales})) x
          group by document_id, storage_id, item_id having sum(reserved) <> 0`,
  },
  {
    name: 'what is reserved is what open sales still have to ship',
    sql: `select storage_id, item_id, sum(reserved) as wrong_by from (
            select storage_id, item_id, reserved from stock_levels where company_id = :company_id
            union all
            select d.storage_id, d.item_id, -(d.amount - case when d.status = ${saleStatus.partlyShipped} then coalesce(w.amount, 0) else 0 end) from (${sold}) d
            left join (${left}) w on w.sale_id = d.id and w.item_id = d.item_id
            where d.status in (${openSales})) x
          group by storage_id, item_id having sum(reserved) <> 0`,
  },
  {
    name: 'a sale has a date of deduction exactly while it is shipped',
    sql: `select id, status, date_deducted from sales where company_id = :company_id and (status = ${saleStatus.shipped}) <> (date_deducted is not null)`,
  },
  {
    name: 'only what is sold has been shipped',
    sql: `select h.sale_id, h.item_id from (${left}) h join sales s on s.company_id = :company_id and s.id = h.sale_id
          left join (${sold}) d on d.id = h.sale_id and d.item_id = h.item_id
          where s.status not in (${salesWithShipments}) or d.amount is null or d.amount < h.amount`,
  },
  {
    name: 'every sale has an event of its creation, and none of its deletion',
    sql: `select s.id from sales s where s.company_id = :company_id and (
            not exists (select from events e where e.company_id = :company_id and e.record = 'sale' and e.record_id = s.id and (e.method = 'orders/add' or e.action = 'created'))
            or exists (select from events e where e.company_id = :company_id and e.record = 'sale' and e.record_id = s.id and e.method = 'orders/delete'))`,
  },
  {
    name: 'names of customers that are not deleted and have no external id are unique',
    sql: `select r.name, count(*) from customers r where r.company_id = :company_id and r.deleted_at is null
            and not exists (select from external_ids x where x.company_id = :company_id and x.record = 'customer' and x.record_id = r.id)
          group by r.name having count(*) > 1`,
  },
  ...listInvariants('sales', 'sales'),
  ...skippedInvariants({
    record: 'sale',
    table: 'sales',
    skippedTable: 'sale_skipped_lines',
    key: 'sale_id',
    add: 'orders/add',
  }),
  {
    name: 'sales are counted by day, status and payment',
    filledInBy: 'counts_of_sales',
    sql: `select listed, status, payment, sum(entries) as wrong_by from (
            select listed, status, payment, entries from sale_counts where company_id = :company_id
            union all
            select listed, status, payment, -count(*) from sales where company_id = :company_id group by listed, status, payment) x
          group by listed, status, payment having sum(entries) <> 0`,
  },
  {
    name: 'every external id belongs to a record that is not deleted',
    sql: `select x.record, x.record_id, x.external_id from external_ids x where x.company_id = :company_id and not case x.record
            when 'sale' then exists (select from sales s where s.company_id = :company_id and s.id = x.record_id)
            when 'purchase' then exists (select from purchases p where p.company_id = :company_id and p.id = x.record_id)
            when 'customer' then exists (select from customers c where c.company_id = :company_id and c.id = x.record_id and c.deleted_at is null)
            when 'supplier' then exists (select from suppliers c where c.company_id = :company_id and c.id = x.record_id and c.deleted_at is null)
            else exists (select from items i where i.company_id = :company_id and i.id = x.record_id and i.kind = x.record and i.deleted_at is null) end`,
  },
  {
    // Not every one of them has a production: its products may have had no components, or it was shipped at once.
    name: 'only sales made to order that are not canceled have a production',
    sql: `select s.id, s.production, s.status, p.id as production_id from sales s
          join productions p on p.company_id = :company_id and p.sale_id = s.id
          where s.company_id = :company_id and not (s.production and s.status <> ${saleStatus.canceled})`,
  },
  {
    name: 'only canceled sales are former sales of productions',
    sql: `select p.id, p.former_sale_id, s.status from productions p join sales s on s.company_id = :company_id and s.id = p.former_sale_id
          where p.company_id = :company_id and s.status <> ${saleStatus.canceled}`,
  },
  {
    // Which lines are made depends on whether their products had components at that time.
    name: 'a planned production makes only what its sale orders',
    sql: `select x.production_id, x.item_id, x.amount, sum(x.made) as made_too_often from (
            select p.id as production_id, l.item_id, l.amount, 1 as made
            from productions p join production_lines l on l.company_id = :company_id and l.production_id = p.id
            where p.company_id = :company_id and p.sale_id is not null and p.status = ${productionStatus.planned}
            union all
            select p.id, l.item_id, l.amount, -1
            from productions p join sale_lines l on l.company_id = :company_id and l.sale_id = p.sale_id
            join items i on i.company_id = :company_id and i.id = l.item_id and i.kind = 'product'
            where p.company_id = :company_id and p.status = ${productionStatus.planned}) x
          group by x.production_id, x.item_id, x.amount having sum(x.made) > 0`,
  },
]
