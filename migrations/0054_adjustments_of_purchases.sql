-- What of a purchase's delivery and discount could not be spread over its lines.

alter table purchases
  add column adjustment numeric(30,2),
  add constraint purchases_adjustment_check check (adjustment between -1000000000000000000000000000 and 1000000000000000000000000000) not valid;
comment on column purchases.adjustment is 'total - cost: the part of the total that is in the cost of no line. Null in rows that were written before this column existed.';
