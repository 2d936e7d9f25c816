-- categories.delete
-- parameters: company_id, category_id
-- sent by: categories/delete
delete from categories
where company_id = :company_id and id = :category_id;

-- categories.delete_links
-- parameters: company_id, category_id
-- sent by: categories/delete
delete from item_categories
where company_id = :company_id and category_id = :category_id;

-- categories.facts
-- parameters: company_id, parent_id, category_id
-- sent by: categories/add, categories/delete, categories/edit
with recursive above as (
  select c.id, c.parent_id
  from categories c
  where c.company_id = :company_id and c.id = :parent_id::bigint
  union
  select c.id, c.parent_id
  from categories c
  join above a on c.id = a.parent_id
  where c.company_id = :company_id
)
select (
  select json_build_object('name', c.name, 'type', c.type, 'parent_id', c.parent_id, 'position', c.position)
  from categories c
  where c.company_id = :company_id and c.id = :category_id::bigint
) as record,
  exists (select from categories c where c.company_id = :company_id and c.parent_id = :category_id::bigint)
    or exists (
      select
      from item_categories t
      join items i on i.company_id = :company_id and i.id = t.item_id
      where t.company_id = :company_id and t.category_id = :category_id::bigint and i.deleted_at is null
    ) as in_use,
  (select c.type from categories c where c.company_id = :company_id and c.id = :parent_id::bigint) as parent,
  (select coalesce(json_agg(a.id), '[]'::json) from above a) as above;

-- categories.insert
-- parameters: company_id, category_id, name, type, parent_id, position, at
-- sent by: categories/add
insert into categories (company_id, id, name, type, parent_id, position, created_at, updated_at)
values (:company_id, :category_id, :name, :type, :parent_id, :position, :at, :at);

-- categories.list
-- parameters: company_id, with_meta, ids, updated_after
-- sent by: categories/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{',
          concat(
            '"id":',
              c.id,
              ',"name":',
              to_json(c.name),
              ',"type":',
              to_json(c.type),
              ',"parent_id":',
              coalesce(c.parent_id::text, 'null'),
              ',"position":',
              c.position,
              ',"created_at":',
              to_char(c.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
              ',"updated_at":',
              to_char(c.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
          ),
          case
            when :with_meta::boolean then concat(
              ',',
                concat(
                  '"version":',
                    coalesce(
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'category' and v.record_id = c.id
                      ),
                        0
                    )::text
                )
            )
            end,
          '}'
      ),
        ',' order by c.type,
        c.position,
        c.id
    )
      || ']'
    from categories c
    where c.company_id = :company_id
      and (:ids::bigint[] is null or c.id = any(:ids::bigint[]))
      and (:updated_after::timestamptz is null or c.updated_at > :updated_after::timestamptz)
  ),
    '[]'
) as rows;

-- categories.update
-- parameters: company_id, name, type, parent_id, position, at, category_id
-- sent by: categories/edit
update categories
set name = :name, type = :type, parent_id = :parent_id, position = :position, updated_at = :at
where company_id = :company_id and id = :category_id;
