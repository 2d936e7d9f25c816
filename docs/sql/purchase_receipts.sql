-- purchase_receipts.delete
-- parameters: company_id, document_id
-- sent by: purchases/delete, purchases/edit, purchases/receive_part, purchases/undo_receipt
delete from purchase_receipts
where company_id = :company_id and purchase_id = :document_id;

-- purchase_receipts.insert
-- parameters: company_id, document_id, parts, dates, item_ids, amounts
-- sent by: purchases/edit, purchases/receive_part, purchases/undo_receipt
insert into purchase_receipts (company_id, purchase_id, receipt, date, item_id, amount)
select c.company_id, :document_id, x.part, x.date, x.item_id, x.amount
from company_clock c
cross join unnest(
  :parts::int[], :dates::date[], :item_ids::bigint[], :amounts::numeric[]
) as x (part, date, item_id, amount)
where c.company_id = :company_id;
