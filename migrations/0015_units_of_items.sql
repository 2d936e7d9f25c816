-- A document shows its total quantity if all its lines have the same unit of measure when it is read. The stored total was calculated
-- when the document was written; it can differ only if the unit of measure of an item was changed since. Those items are marked.
alter table items add column unit_changed boolean not null default false;
comment on column items.unit_changed is 'Whether the item ever got another unit of measure: documents that hold it are then summed up anew when they are read.';
create index items_unit_changed on items (company_id, id) where unit_changed;

-- Row level security applies to the owner too, so each company is updated separately.
do $$
declare
  one record;
begin
  for one in select company_id from companies loop
    perform set_config('app.company_id', one.company_id::text, true);
    update items set unit_changed = true
    where company_id = one.company_id and id in (
      select e.record_id from events e
      where e.company_id = one.company_id and e.record in ('product', 'material', 'resource') and e.method like '%/edit' and e.change ? 'unit_id');
  end loop;
end $$;
