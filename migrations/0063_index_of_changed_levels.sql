-- stock/get_changes: without it every request read all levels of the company. A change of a level writes one more index entry.
create index concurrently stock_levels_by_change on stock_levels (company_id, (coalesce(seq, item_id)));
comment on index stock_levels_by_change is 'Pages of stock/get_changes. Levels whose last change is not known are found by the id of their item.';
