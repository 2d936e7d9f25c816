-- sale_shipments.delete
-- parameters: company_id, document_id
-- sent by: orders/delete, orders/edit, orders/ship_part, orders/undo_shipment, orders/update_status
delete from sale_shipments
where company_id = :company_id and sale_id = :document_id;

-- sale_shipments.insert
-- parameters: company_id, document_id, parts, dates, item_ids, amounts
-- sent by: orders/edit, orders/ship_part, orders/undo_shipment
insert into sale_shipments (company_id, sale_id, shipment, date, item_id, amount)
select c.company_id, :document_id, x.part, x.date, x.item_id, x.amount
from company_clock c
cross join unnest(
  :parts::int[], :dates::date[], :item_ids::bigint[], :amounts::numeric[]
) as x (part, date, item_id, amount)
where c.company_id = :company_id;
