-- search.list
-- parameters: company_id, typed, pattern
-- sent by: search/get_list
select coalesce(
  string_agg(
    concat(
      '{"section":',
        to_json(h.section),
        ',"id":',
        h.id,
        ',"title":',
        to_json(h.title),
        ',"subtitle":',
        to_json(h.subtitle),
        ',"mark":',
        to_json(h.mark),
        '}'
    ),
      ',' order by h.rank,
      h.place,
      h.turn
  ),
    ''
) as hits
from (
  select x.*
  from (
    select s.*, 0 as place, row_number() over () as turn
    from (
      select 'orders' as section,
        d.id,
        d.num as title,
        left(u.name, 200) as subtitle,
        case d.status
          when 0 then 'New'
          when 1 then 'Packed'
          when 2 then 'Partially shipped'
          when 3 then 'Shipped'
          when 4 then 'Canceled'
          else ''
          end as mark,
        case
          when replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') = :typed then 0
          when starts_with(
            replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'), :typed
          ) then 1
          else 2
          end as rank
      from sales d
      join customers u on u.company_id = :company_id and u.id = d.customer_id
      where d.company_id = :company_id
        and :pattern::text is not null
        and (
          replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :pattern
            or d.customer_id in (
              select c.id
              from customers c
              where c.company_id = :company_id
                and coalesce(
                  c.folded_name, replace(replace(replace(lower(c.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                ) like :pattern
            )
        )
      order by rank, d.listed, d.id desc
      limit 8
    ) s
    union all
    select s.*, 1 as place, row_number() over () as turn
    from (
      select d.kind || 's' as section,
        d.id,
        d.name as title,
        left(d.sku, 200) as subtitle,
        case
          when d.kind = 'resource' then ''
          else trim_scale(
            coalesce(
              (
                select sum(v.on_hand - v.reserved)
                from stock_levels v
                where v.company_id = :company_id and v.item_id = d.id
              ),
                0
            )
          ) || ' ' || n.name
          end as mark,
        case
          when case
          when strpos(
            coalesce(d.search_key, d.found_by) || e'\x1f', e'\x1f' || :typed || e'\x1f'
          ) > 0 then :typed
          else split_part(coalesce(d.search_key, d.found_by), e'\x1f', 1)
          end = :typed then 0
          when starts_with(
            case
              when strpos(
                coalesce(d.search_key, d.found_by) || e'\x1f', e'\x1f' || :typed || e'\x1f'
              ) > 0 then :typed
              else split_part(coalesce(d.search_key, d.found_by), e'\x1f', 1)
              end,
              :typed
          ) then 1
          else 2
          end as rank
      from items d
      join units n on n.company_id = :company_id and n.id = d.unit_id
      where d.company_id = :company_id
        and :pattern::text is not null
        and d.deleted_at is null
        and coalesce(d.search_key, d.found_by) like :pattern
      order by rank, d.name_key, d.id
      limit 8
    ) s
    union all
    select s.*, 2 as place, row_number() over () as turn
    from (
      select 'customers' as section,
        d.id,
        d.name as title,
        left(concat_ws(' · ', nullif(d.phone, ''), nullif(d.email, '')), 200) as subtitle,
        '' as mark,
        case
          when coalesce(
            d.folded_name, replace(replace(replace(lower(d.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
          ) = :typed then 0
          when starts_with(
            coalesce(d.folded_name, replace(replace(replace(lower(d.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')),
              :typed
          ) then 1
          else 2
          end as rank
      from customers d
      where d.company_id = :company_id
        and :pattern::text is not null
        and d.deleted_at is null
        and (
          coalesce(
            d.folded_name, replace(replace(replace(lower(d.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
          ) like :pattern
            or replace(
              replace(
                replace(
                  lower(case when octet_length(d.phone) <= 2000 then d.phone else left(d.phone, 2000) end),
                    'ß',
                    'ss'
                ),
                  'ς',
                  'σ'
              ),
                'i̇',
                'i'
            ) like :pattern
            or replace(
              replace(
                replace(
                  lower(case when octet_length(d.email) <= 2000 then d.email else left(d.email, 2000) end),
                    'ß',
                    'ss'
                ),
                  'ς',
                  'σ'
              ),
                'i̇',
                'i'
            ) like :pattern
        )
      order by rank, d.name_key, d.id
      limit 8
    ) s
    union all
    select s.*, 3 as place, row_number() over () as turn
    from (
      select 'suppliers' as section,
        d.id,
        d.name as title,
        left(concat_ws(' · ', nullif(d.phone, ''), nullif(d.email, '')), 200) as subtitle,
        '' as mark,
        case
          when coalesce(
            d.folded_name, replace(replace(replace(lower(d.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
          ) = :typed then 0
          when starts_with(
            coalesce(d.folded_name, replace(replace(replace(lower(d.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')),
              :typed
          ) then 1
          else 2
          end as rank
      from suppliers d
      where d.company_id = :company_id
        and :pattern::text is not null
        and d.deleted_at is null
        and (
          coalesce(
            d.folded_name, replace(replace(replace(lower(d.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
          ) like :pattern
            or replace(
              replace(
                replace(
                  lower(case when octet_length(d.phone) <= 2000 then d.phone else left(d.phone, 2000) end),
                    'ß',
                    'ss'
                ),
                  'ς',
                  'σ'
              ),
                'i̇',
                'i'
            ) like :pattern
            or replace(
              replace(
                replace(
                  lower(case when octet_length(d.email) <= 2000 then d.email else left(d.email, 2000) end),
                    'ß',
                    'ss'
                ),
                  'ς',
                  'σ'
              ),
                'i̇',
                'i'
            ) like :pattern
        )
      order by rank, d.name_key, d.id
      limit 8
    ) s
    union all
    select s.*, 4 as place, row_number() over () as turn
    from (
      select 'purchases' as section,
        d.id,
        d.num as title,
        left(u.name, 200) as subtitle,
        case d.status
          when 0 then 'New'
          when 1 then 'Ordered'
          when 2 then 'Partially received'
          when 3 then 'Received'
          when 4 then 'Canceled'
          else ''
          end as mark,
        case
          when replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') = :typed then 0
          when starts_with(
            replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'), :typed
          ) then 1
          else 2
          end as rank
      from purchases d
      join suppliers u on u.company_id = :company_id and u.id = d.supplier_id
      where d.company_id = :company_id
        and :pattern::text is not null
        and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :pattern
      order by rank, d.listed, d.id desc
      limit 8
    ) s
    union all
    select s.*, 5 as place, row_number() over () as turn
    from (
      select 'productions' as section,
        d.id,
        d.num as title,
        left(
          coalesce(
            (
              select string_agg(i.name, ', ' order by l.position)
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            ),
              ''
          ),
            200
        ) as subtitle,
        case d.status
          when 0 then 'Planned'
          when 1 then 'In progress'
          when 3 then 'Done'
          when 4 then 'Canceled'
          else ''
          end as mark,
        case
          when replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') = :typed then 0
          when starts_with(
            replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'), :typed
          ) then 1
          else 2
          end as rank
      from productions d
      where d.company_id = :company_id
        and :pattern::text is not null
        and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :pattern
      order by rank, d.listed, d.id desc
      limit 8
    ) s
    union all
    select s.*, 6 as place, row_number() over () as turn
    from (
      select 'transfers' as section,
        d.id,
        d.num as title,
        left(a.name || ' → ' || b.name, 200) as subtitle,
        case d.status
          when 0 then 'New'
          when 1 then 'In transit'
          when 3 then 'Received'
          when 4 then 'Canceled'
          else ''
          end as mark,
        case
          when replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') = :typed then 0
          when starts_with(
            replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'), :typed
          ) then 1
          else 2
          end as rank
      from transfers d
      join storages a on a.company_id = :company_id and a.id = d.storage_from_id
      join storages b on b.company_id = :company_id and b.id = d.storage_to_id
      where d.company_id = :company_id
        and :pattern::text is not null
        and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :pattern
      order by rank, d.listed, d.id desc
      limit 8
    ) s
    union all
    select s.*, 7 as place, row_number() over () as turn
    from (
      select 'writeoffs' as section,
        d.id,
        d.num as title,
        left(d.notes, 200) as subtitle,
        '' as mark,
        case
          when replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') = :typed then 0
          when starts_with(
            replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'), :typed
          ) then 1
          else 2
          end as rank
      from writeoffs d
      where d.company_id = :company_id
        and :pattern::text is not null
        and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :pattern
      order by rank, d.listed, d.id desc
      limit 8
    ) s
    union all
    select s.*, 8 as place, row_number() over () as turn
    from (
      select 'audits' as section,
        d.id,
        d.num as title,
        left(a.name, 200) as subtitle,
        case d.status
          when 0 then 'Counting'
          when 3 then 'Completed'
          when 4 then 'Canceled'
          else ''
          end as mark,
        case
          when replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') = :typed then 0
          when starts_with(
            replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'), :typed
          ) then 1
          else 2
          end as rank
      from audits d
      join storages a on a.company_id = :company_id and a.id = d.storage_id
      where d.company_id = :company_id
        and :pattern::text is not null
        and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :pattern
      order by rank, d.listed, d.id desc
      limit 8
    ) s
  ) x
  order by x.rank, x.place, x.turn
  limit 20
) h;
