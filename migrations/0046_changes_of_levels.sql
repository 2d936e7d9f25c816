-- What changed in stock since an event: stock/get_changes. Without an index, which every movement would have to update; a company has few levels.

alter table stock_levels add column seq bigint;
comment on column stock_levels.seq is 'The first event of the write that changed the level last. Null when it has not changed since the column exists.';
