// Expected stock: ordered but not yet received, planned but not yet made, or in transit, by storage location and item.

import { openProductions, openPurchases, purchaseStatus, transferStatus } from '../kernel/document-statuses.ts'

/** A select of storage_id, item_id and amount for the items that `items` selects. */
export const expectedStock = (items: string): string => `
  select e.storage_id, e.item_id, sum(e.amount) as amount from (
    select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end as storage_id, l.item_id, l.amount
    from purchases d
    join purchase_lines l on l.company_id = :company_id and l.purchase_id = d.id
    join items i on i.company_id = :company_id and i.id = l.item_id
    where d.company_id = :company_id and d.status in (${openPurchases}) and l.item_id in (${items})
    union all
    select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end, r.item_id, -r.amount
    from purchases d
    join purchase_receipts r on r.company_id = :company_id and r.purchase_id = d.id
    join items i on i.company_id = :company_id and i.id = r.item_id
    where d.company_id = :company_id and d.status = ${purchaseStatus.partlyReceived} and r.item_id in (${items})
    union all
    select d.products_storage_id, l.item_id, l.amount
    from productions d join production_lines l on l.company_id = :company_id and l.production_id = d.id
    where d.company_id = :company_id and d.status in (${openProductions}) and l.item_id in (${items})
    union all
    select d.storage_to_id, l.item_id, l.amount
    from transfers d join transfer_lines l on l.company_id = :company_id and l.transfer_id = d.id
    where d.company_id = :company_id and d.status = ${transferStatus.inTransit} and l.item_id in (${items})
  ) e group by e.storage_id, e.item_id`
