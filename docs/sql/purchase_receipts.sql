-- purchase_receipts.delete
-- parameters: company_id, document_id
-- sent by: purchases/delete, purchases/edit, purchases/receive_part, purchases/undo_receipt
delete from purchase_receipts
where company_id = :company_id and purchase_id = :document_id;

-- purchase_receipts.insert
-- parameters: company_id, purchase_id, receipt, date, item_id, amount
-- sent by: purchases/edit, purchases/receive_part, purchases/undo_receipt
insert into purchase_receipts (company_id, purchase_id, receipt, date, item_id, amount)
select c.company_id, :purchase_id, x.receipt, x.date, x.item_id, x.amount
from company_clock c
cross join unnest(
  :receipt::int[], :date::date[], :item_id::bigint[], :amount::numeric[]
) as x (receipt, date, item_id, amount)
where c.company_id = :company_id;

-- purchase_receipts.insert.rows_8
-- a variant of purchase_receipts.insert; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into purchase_receipts (company_id, purchase_id, receipt, date, item_id, amount)
values (:company_id, :purchase_id, :receipt_1, :date_1, :item_id_1, :amount_1),
  (:company_id, :purchase_id, :receipt_2, :date_2, :item_id_2, :amount_2),
  (:company_id, :purchase_id, :receipt_3, :date_3, :item_id_3, :amount_3),
  (:company_id, :purchase_id, :receipt_4, :date_4, :item_id_4, :amount_4),
  (:company_id, :purchase_id, :receipt_5, :date_5, :item_id_5, :amount_5),
  (:company_id, :purchase_id, :receipt_6, :date_6, :item_id_6, :amount_6),
  (:company_id, :purchase_id, :receipt_7, :date_7, :item_id_7, :amount_7),
  (:company_id, :purchase_id, :receipt_8, :date_8, :item_id_8, :amount_8);
