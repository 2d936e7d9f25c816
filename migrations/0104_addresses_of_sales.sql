-- The addresses of a sale: those of its customer when it was made, or others for this sale.
alter table sales add column billing_address text, add column delivery_address text;
comment on column sales.billing_address is 'That of the customer when the sale was made, or another for this sale. Null in sales of older servers, which show that of the customer.';
comment on column sales.delivery_address is 'The same for the delivery.';
