// Goods in transit: they have left the source of a transfer and have not reached its destination. They belong to the company, with the value they
// left with, and are shown at the destination.

import { transferStatus } from '../kernel/document-statuses.ts'

const notReceived = (transfers: string): string => `
  select d.storage_to_id as storage_id, m.item_id, -sum(m.on_hand) as amount, -sum(m.value) as value
  from transfers d join stock_movements m
    on m.company_id = :company_id and m.section = 'transfers' and m.document_id = d.id and m.kind = 'move'
  where d.company_id = :company_id and ${transfers} group by d.storage_to_id, m.item_id having sum(m.on_hand) <> 0`

const isInTransit = `d.status = ${transferStatus.inTransit}`

/** A select of storage_id, item_id, amount and value. */
export const inTransit: string = notReceived(isInTransit)

/** The same at the end of a day, or now when the day is null. */
export const inTransitAt = (day: string): string => `
  ${notReceived(`${isInTransit} and ${day}::date is null`)}
  union all ${notReceived(`${day}::date is not null and m.date <= ${day}::date`)}`
