-- How a shipment can be followed on its way, the same in all rows of a shipment.
alter table sale_shipments add column tracking_number text not null default '';
alter table sale_shipments add column carrier text not null default '';
comment on column sale_shipments.tracking_number is 'Number under which the carrier shows where the shipment is. Empty when unknown.';
comment on column sale_shipments.carrier is 'Name of the carrier. Empty when unknown.';
