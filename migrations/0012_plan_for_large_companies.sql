-- Statements are planned once for all companies, and by true statistics the average company has next to nothing: a plan then reads a company's
-- whole table where it should look up one row, or meets each of its rows with each (10,000 items: a page took 500 ms, the low ones never ended).
-- So every table is planned as if a company had 2,000 rows in it, whatever is there: too careful for a small company, which costs nothing, and
-- right for a large one. The ids of a company count from 1, so 2,000 of them keep a look-up by id at one row.
-- schema.test.ts asks it of every table that has a company.
do $$
declare
  one record;
begin
  for one in
    select a.attrelid::regclass as of_table, a.attname, case a.attname when 'company_id' then -0.0005 else 2000 end as n_distinct
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not c.relispartition
    where not a.attisdropped and (a.attname = 'company_id' or a.attname = 'id' and exists (
      select from pg_attribute k where k.attrelid = a.attrelid and k.attname = 'company_id' and not k.attisdropped))
    order by a.attrelid, a.attname desc
  loop
    execute format('alter table %s alter column %I set (n_distinct = %s)', one.of_table, one.attname, one.n_distinct);
    -- It counts from the next ANALYZE on.
    if one.attname = 'company_id' then execute format('analyze %s', one.of_table); end if;
  end loop;
end $$;
