-- sale_shipments.delete
-- parameters: company_id, document_id
-- sent by: orders/delete, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_status
delete from sale_shipments
where company_id = :company_id and sale_id = :document_id;

-- sale_shipments.insert
-- parameters: company_id, sale_id, shipment, date, item_id, amount, tracking_number, carrier
-- sent by: orders/edit, orders/ship, orders/ship_part, orders/undo_shipment
insert into sale_shipments (company_id, sale_id, shipment, date, item_id, amount, tracking_number, carrier)
select c.company_id, :sale_id, x.shipment, x.date, x.item_id, x.amount, x.tracking_number, x.carrier
from company_clock c
cross join unnest(
  :shipment::int[],
    :date::date[],
    :item_id::bigint[],
    :amount::numeric[],
    :tracking_number::text[],
    :carrier::text[]
) as x (shipment, date, item_id, amount, tracking_number, carrier)
where c.company_id = :company_id;

-- sale_shipments.insert.rows_8
-- a variant of sale_shipments.insert; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into sale_shipments (company_id, sale_id, shipment, date, item_id, amount, tracking_number, carrier)
values (:company_id, :sale_id, :shipment_1, :date_1, :item_id_1, :amount_1, :tracking_number_1, :carrier_1),
  (:company_id, :sale_id, :shipment_2, :date_2, :item_id_2, :amount_2, :tracking_number_2, :carrier_2),
  (:company_id, :sale_id, :shipment_3, :date_3, :item_id_3, :amount_3, :tracking_number_3, :carrier_3),
  (:company_id, :sale_id, :shipment_4, :date_4, :item_id_4, :amount_4, :tracking_number_4, :carrier_4),
  (:company_id, :sale_id, :shipment_5, :date_5, :item_id_5, :amount_5, :tracking_number_5, :carrier_5),
  (:company_id, :sale_id, :shipment_6, :date_6, :item_id_6, :amount_6, :tracking_number_6, :carrier_6),
  (:company_id, :sale_id, :shipment_7, :date_7, :item_id_7, :amount_7, :tracking_number_7, :carrier_7),
  (:company_id, :sale_id, :shipment_8, :date_8, :item_id_8, :amount_8, :tracking_number_8, :carrier_8);
