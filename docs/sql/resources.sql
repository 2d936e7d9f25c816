-- resources.browse.by_name_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, limit, offset
-- sent by: resources/browse
select summary.total,
  summary.sums,
  summary.counts,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{"id":',
            i.id,
            ',"name":',
            to_json(i.name),
            ',"picture":',
            coalesce(
              to_json(
                (
                  select concat(f.id, '-', f.tag)
                  from files f
                  where f.company_id = :company_id and f.item_id = i.id and f.is_picture
                )
              )::text,
                'null'
            ),
            ',"unit":',
            to_json(n.name),
            ',"price":',
            trim_scale(i.price),
            ',"categories":',
            coalesce(
              (
                select '[' || string_agg(to_json(g.name)::text, ',' order by g.name, g.id) || ']'
                from item_categories t
                join categories g on g.company_id = :company_id and g.id = t.category_id
                where t.company_id = :company_id and t.item_id = i.id
              ),
                '[]'
            ),
            '}'
        ) as json
        from (
          select array(
            select i.id
            from items i
            where i.company_id = :company_id
              and i.kind = 'resource'
              and i.deleted_at is null
              and case
                when :is_unfiltered::boolean then true
                when (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
              and (:ids::bigint[] is null or i.id = any(:ids))
              and (
                :category_id::bigint is null
                  or i.id in (
                    with recursive wanted as (
                      select g.id
                      from categories g
                      where g.company_id = :company_id and g.id = :category_id
                      union
                      select g.id
                      from wanted w
                      join categories g on g.company_id = :company_id and g.parent_id = w.id
                    )
                    select t.item_id
                    from item_categories t
                    where t.company_id = :company_id and t.category_id in (select w.id from wanted w)
                  )
              ) then true
                else false
                end
              and true
            order by i.name_key, i.name_key, i.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join items i on i.id = page.key_0
        join units n on n.company_id = :company_id and n.id = i.unit_id
        where i.company_id = :company_id and i.kind = 'resource' and i.deleted_at is null
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    '{}' as sums,
    concat('{"all":', coalesce(sum(each_group.entries) filter (where true), 0)::text, '}') as counts
  from (
    select each_group.*, each_group.is_shown as is_summed
    from (
      select each_group.*, true as is_shown
      from (
        select each_row.met, count(*) as entries
        from (
          select 0 as met
          from items i
          where i.company_id = :company_id
            and i.kind = 'resource'
            and i.deleted_at is null
            and case
              when :is_unfiltered::boolean then true
              when (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
            and (:ids::bigint[] is null or i.id = any(:ids))
            and (
              :category_id::bigint is null
                or i.id in (
                  with recursive wanted as (
                    select g.id
                    from categories g
                    where g.company_id = :company_id and g.id = :category_id
                    union
                    select g.id
                    from wanted w
                    join categories g on g.company_id = :company_id and g.parent_id = w.id
                  )
                  select t.item_id
                  from item_categories t
                  where t.company_id = :company_id and t.category_id in (select w.id from wanted w)
                )
            ) then true
              else false
              end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- resources.browse.by_name_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, limit, offset
-- sent by: resources/browse
-- as resources.browse.by_name_asc, but order by i.name_key desc, i.name_key, i.id

-- resources.browse.by_price_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, limit, offset
-- sent by: resources/browse
-- as resources.browse.by_name_asc, but order by i.price, i.name_key, i.id

-- resources.browse.by_price_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, limit, offset
-- sent by: resources/browse
-- as resources.browse.by_name_asc, but order by i.price desc, i.name_key, i.id

-- resources.find
-- parameters: company_id, id
-- sent by: resources/get_entry
select concat(
  '{"id":',
    i.id,
    ',"name":',
    to_json(i.name),
    ',"unit_id":',
    i.unit_id,
    ',"unit":',
    to_json(n.name),
    ',"price":',
    trim_scale(i.price),
    ',"categories":',
    coalesce(
      (
        select '[' || string_agg(concat('{"id":', g.id, ',"name":', to_json(g.name), '}'), ',' order by g.id)
          || ']'
        from item_categories t
        join categories g on g.company_id = :company_id and g.id = t.category_id
        where t.company_id = :company_id and t.item_id = i.id
      ),
        '[]'
    ),
    ',"notes":',
    to_json(i.notes),
    ',"created_at":',
    to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    ',"updated_at":',
    to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    '}'
) as record
from items i
join units n on n.company_id = :company_id and n.id = i.unit_id
where i.company_id = :company_id and i.kind = 'resource' and i.deleted_at is null and i.id = :id;

-- resources.list
-- parameters: company_id, search, category_id, skus, ids, updated_after, limit, offset, with_meta
-- sent by: resources/get_list
with matching as materialized (
  select i.id, i.name_key as key0, i.id as key1
  from items i
  where i.company_id = :company_id
    and i.kind = 'resource'
    and i.deleted_at is null
    and (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
    and (
      :category_id::bigint is null
        or i.id in (
          with recursive wanted as (
            select g.id
            from categories g
            where g.company_id = :company_id and g.id = :category_id
            union
            select g.id
            from wanted w
            join categories g on g.company_id = :company_id and g.parent_id = w.id
          )
          select t.item_id
          from item_categories t
          where t.company_id = :company_id and t.category_id in (select w.id from wanted w)
        )
    )
    and (
      :skus::text[] is null
        or (i.kind, i.id) in (
          select c.space, c.item_id
          from (
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space in ('product', 'material')
              and c.code_key = any(:skus)
            union all
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space in ('product', 'material')
              and c.code = any(:skus)
              and c.code_key is null
          ) c
        )
    )
    and (:ids::bigint[] is null or i.id = any(:ids::bigint[]))
    and (:updated_after::timestamptz is null or i.updated_at > :updated_after::timestamptz)
),
  page as materialized (select a.* from matching a order by a.key0, a.key1 limit :limit offset :offset)
select (select count(*) from matching) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{',
            concat(
              '"id":',
                i.id,
                ',"name":',
                to_json(i.name),
                ',"unit_id":',
                i.unit_id,
                ',"unit":',
                to_json(n.name),
                ',"price":',
                trim_scale(i.price),
                ',"categories":',
                coalesce(
                  (
                    select '[' || string_agg(
                      concat('{"id":', g.id, ',"name":', to_json(g.name), '}'), ',' order by g.id
                    )
                      || ']'
                    from item_categories t
                    join categories g on g.company_id = :company_id and g.id = t.category_id
                    where t.company_id = :company_id and t.item_id = i.id
                  ),
                    '[]'
                ),
                ',"notes":',
                to_json(i.notes),
                ',"created_at":',
                to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
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
                          where v.company_id = :company_id and v.record = 'resource' and v.record_id = i.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from page p
        join items i on i.company_id = :company_id and i.id = p.id
        join units n on n.company_id = :company_id and n.id = i.unit_id
        order by p.key0, p.key1
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- resources.list_by_ids
-- parameters: company_id, search, category_id, skus, ids, updated_after, limit, offset, with_meta
-- sent by: resources/get_list
with matching as materialized (
  select i.id, i.name_key as key0, i.id as key1
  from items i
  where i.company_id = :company_id
    and i.kind = 'resource'
    and i.deleted_at is null
    and (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
    and (
      :category_id::bigint is null
        or i.id in (
          with recursive wanted as (
            select g.id
            from categories g
            where g.company_id = :company_id and g.id = :category_id
            union
            select g.id
            from wanted w
            join categories g on g.company_id = :company_id and g.parent_id = w.id
          )
          select t.item_id
          from item_categories t
          where t.company_id = :company_id and t.category_id in (select w.id from wanted w)
        )
    )
    and (
      :skus::text[] is null
        or (i.kind, i.id) in (
          select c.space, c.item_id
          from (
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space in ('product', 'material')
              and c.code_key = any(:skus)
            union all
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space in ('product', 'material')
              and c.code = any(:skus)
              and c.code_key is null
          ) c
        )
    )
    and i.id = any(:ids::bigint[])
    and (:updated_after::timestamptz is null or i.updated_at > :updated_after::timestamptz)
),
  page as materialized (select a.* from matching a order by a.key0, a.key1 limit :limit offset :offset)
select (select count(*) from matching) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{',
            concat(
              '"id":',
                i.id,
                ',"name":',
                to_json(i.name),
                ',"unit_id":',
                i.unit_id,
                ',"unit":',
                to_json(n.name),
                ',"price":',
                trim_scale(i.price),
                ',"categories":',
                coalesce(
                  (
                    select '[' || string_agg(
                      concat('{"id":', g.id, ',"name":', to_json(g.name), '}'), ',' order by g.id
                    )
                      || ']'
                    from item_categories t
                    join categories g on g.company_id = :company_id and g.id = t.category_id
                    where t.company_id = :company_id and t.item_id = i.id
                  ),
                    '[]'
                ),
                ',"notes":',
                to_json(i.notes),
                ',"created_at":',
                to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
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
                          where v.company_id = :company_id and v.record = 'resource' and v.record_id = i.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from page p
        join items i on i.company_id = :company_id and i.id = p.id
        join units n on n.company_id = :company_id and n.id = i.unit_id
        order by p.key0, p.key1
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- resources.list_by_updated_after
-- parameters: company_id, search, category_id, skus, ids, updated_after, limit, offset, with_meta
-- sent by: resources/get_list
with matching as materialized (
  select i.id, i.name_key as key0, i.id as key1
  from items i
  where i.company_id = :company_id
    and i.kind = 'resource'
    and i.deleted_at is null
    and (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
    and (
      :category_id::bigint is null
        or i.id in (
          with recursive wanted as (
            select g.id
            from categories g
            where g.company_id = :company_id and g.id = :category_id
            union
            select g.id
            from wanted w
            join categories g on g.company_id = :company_id and g.parent_id = w.id
          )
          select t.item_id
          from item_categories t
          where t.company_id = :company_id and t.category_id in (select w.id from wanted w)
        )
    )
    and (
      :skus::text[] is null
        or (i.kind, i.id) in (
          select c.space, c.item_id
          from (
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space in ('product', 'material')
              and c.code_key = any(:skus)
            union all
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space in ('product', 'material')
              and c.code = any(:skus)
              and c.code_key is null
          ) c
        )
    )
    and (:ids::bigint[] is null or i.id = any(:ids::bigint[]))
    and i.updated_at > :updated_after::timestamptz
),
  page as materialized (select a.* from matching a order by a.key0, a.key1 limit :limit offset :offset)
select (select count(*) from matching) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{',
            concat(
              '"id":',
                i.id,
                ',"name":',
                to_json(i.name),
                ',"unit_id":',
                i.unit_id,
                ',"unit":',
                to_json(n.name),
                ',"price":',
                trim_scale(i.price),
                ',"categories":',
                coalesce(
                  (
                    select '[' || string_agg(
                      concat('{"id":', g.id, ',"name":', to_json(g.name), '}'), ',' order by g.id
                    )
                      || ']'
                    from item_categories t
                    join categories g on g.company_id = :company_id and g.id = t.category_id
                    where t.company_id = :company_id and t.item_id = i.id
                  ),
                    '[]'
                ),
                ',"notes":',
                to_json(i.notes),
                ',"created_at":',
                to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
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
                          where v.company_id = :company_id and v.record = 'resource' and v.record_id = i.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from page p
        join items i on i.company_id = :company_id and i.id = p.id
        join units n on n.company_id = :company_id and n.id = i.unit_id
        order by p.key0, p.key1
        limit :limit
      ) each_row
    ) each_row
  ) as rows;
