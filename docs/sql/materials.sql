-- materials.browse.by_amount_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
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
            ',"sku":',
            to_json(i.sku),
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
            ',"cost":',
            trim_scale(coalesce(k.average, 0)),
            ',"amount":',
            trim_scale(coalesce(v.on_hand, 0)),
            ',"reserved":',
            trim_scale(coalesce(v.reserved, 0)),
            ',"available":',
            trim_scale((coalesce(v.on_hand, 0) - coalesce(v.reserved, 0))),
            ',"min_amount":',
            trim_scale(i.min_amount),
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
            ',"barcodes":',
            coalesce(
              (
                select '[' || string_agg(to_json(c.code)::text, ',' order by c.position) || ']'
                from item_codes c
                where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'
              ),
                '[]'
            ),
            ',"is_low":',
            (i.min_amount > 0 and coalesce(v.on_hand, 0) < i.min_amount)::text,
            '}'
        ) as json
        from (
          select array(
            select i.id
            from items i
            left join item_costs k on k.company_id = :company_id and k.item_id = i.id
            left join (
              select l.item_id, sum(l.on_hand) as on_hand, sum(l.reserved) as reserved
              from stock_levels l
              where l.company_id = :company_id
              group by l.item_id
            ) v on v.item_id = i.id
            where i.company_id = :company_id
              and i.kind = 'material'
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
              )
              and (
                :only::text is null
                  or case :only
                    when 'low' then (i.min_amount > 0 and coalesce(v.on_hand, 0) < i.min_amount)
                    when 'negative' then coalesce(v.on_hand, 0) < 0
                    else true
                    end
              ) then true
                else false
                end
              and true
            order by coalesce(v.on_hand, 0), i.name_key, i.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join (
          items i left join item_costs k on k.company_id = :company_id
            and k.item_id = i.id left join (
              select l.item_id, sum(l.on_hand) as on_hand, sum(l.reserved) as reserved
              from stock_levels l
              where l.company_id = :company_id
              group by l.item_id
            ) v on v.item_id = i.id
        ) on i.id = page.key_0
        join units n on n.company_id = :company_id and n.id = i.unit_id
        where i.company_id = :company_id and i.kind = 'material' and i.deleted_at is null
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
          left join item_costs k on k.company_id = :company_id and k.item_id = i.id
          left join (
            select l.item_id, sum(l.on_hand) as on_hand, sum(l.reserved) as reserved
            from stock_levels l
            where l.company_id = :company_id
            group by l.item_id
          ) v on v.item_id = i.id
          where i.company_id = :company_id
            and i.kind = 'material'
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
            )
            and (
              :only::text is null
                or case :only
                  when 'low' then (i.min_amount > 0 and coalesce(v.on_hand, 0) < i.min_amount)
                  when 'negative' then coalesce(v.on_hand, 0) < 0
                  else true
                  end
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

-- materials.browse.by_amount_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by coalesce(v.on_hand, 0) desc, i.name_key, i.id

-- materials.browse.by_available_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by (coalesce(v.on_hand, 0) - coalesce(v.reserved, 0)), i.name_key, i.id

-- materials.browse.by_available_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by (coalesce(v.on_hand, 0) - coalesce(v.reserved, 0)) desc, i.name_key, i.id

-- materials.browse.by_cost_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by coalesce(k.average, 0), i.name_key, i.id

-- materials.browse.by_cost_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by coalesce(k.average, 0) desc, i.name_key, i.id

-- materials.browse.by_name_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by i.name_key, i.name_key, i.id

-- materials.browse.by_name_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by i.name_key desc, i.name_key, i.id

-- materials.browse.by_price_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by i.price, i.name_key, i.id

-- materials.browse.by_price_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by i.price desc, i.name_key, i.id

-- materials.browse.by_reserved_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by coalesce(v.reserved, 0), i.name_key, i.id

-- materials.browse.by_reserved_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by coalesce(v.reserved, 0) desc, i.name_key, i.id

-- materials.browse.by_sku_asc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by i.sku collate "C", i.name_key, i.id

-- materials.browse.by_sku_desc
-- parameters: company_id, is_unfiltered, search, ids, category_id, only, limit, offset
-- sent by: materials/browse
-- as materials.browse.by_amount_asc, but order by i.sku collate "C" desc, i.name_key, i.id

-- materials.find
-- parameters: company_id, id
-- sent by: materials/get_entry
select concat(
  '{"id":',
    i.id,
    ',"name":',
    to_json(i.name),
    ',"sku":',
    to_json(i.sku),
    ',"barcodes":',
    coalesce(
      (
        select '[' || string_agg(to_json(c.code)::text, ',' order by c.position) || ']'
        from item_codes c
        where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'
      ),
        '[]'
    ),
    ',"unit_id":',
    i.unit_id,
    ',"unit":',
    to_json(n.name),
    ',"price":',
    trim_scale(i.price),
    ',"tax_rate_id":',
    coalesce(i.tax_rate_id::text, 'null'),
    ',"min_amount":',
    trim_scale(i.min_amount),
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
    ',"suppliers":',
    coalesce(
      (
        select '[' || string_agg(
          concat(
            '{"supplier_id":', s.supplier_id, ',"sku":', to_json(s.sku), ',"price":', trim_scale(s.price), '}'
          ),
            ',' order by s.position
        )
          || ']'
        from item_suppliers s
        where s.company_id = :company_id and s.item_id = i.id
      ),
        '[]'
    ),
    ',"notes":',
    to_json(i.notes),
    ',"cost":',
    trim_scale(
      coalesce((select k.average from item_costs k where k.company_id = :company_id and k.item_id = i.id), 0)
    ),
    ',"amount":',
    trim_scale(
      coalesce(
        (select sum(l.on_hand) from stock_levels l where l.company_id = :company_id and l.item_id = i.id), 0
      )
    ),
    ',"reserved":',
    trim_scale(
      coalesce(
        (select sum(l.reserved) from stock_levels l where l.company_id = :company_id and l.item_id = i.id), 0
      )
    ),
    ',"available":',
    trim_scale(
      coalesce(
        (
          select sum(l.on_hand - l.reserved)
          from stock_levels l
          where l.company_id = :company_id and l.item_id = i.id
        ),
          0
      )
    ),
    ',"created_at":',
    to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    ',"updated_at":',
    to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    '}'
) as record
from items i
join units n on n.company_id = :company_id and n.id = i.unit_id
where i.company_id = :company_id and i.kind = 'material' and i.deleted_at is null and i.id = :id;

-- materials.find_by_external_id
-- parameters: company_id, connection_id, external_id
-- sent by: materials/get_entry
select concat(
  '{"id":',
    i.id,
    ',"name":',
    to_json(i.name),
    ',"sku":',
    to_json(i.sku),
    ',"barcodes":',
    coalesce(
      (
        select '[' || string_agg(to_json(c.code)::text, ',' order by c.position) || ']'
        from item_codes c
        where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'
      ),
        '[]'
    ),
    ',"unit_id":',
    i.unit_id,
    ',"unit":',
    to_json(n.name),
    ',"price":',
    trim_scale(i.price),
    ',"tax_rate_id":',
    coalesce(i.tax_rate_id::text, 'null'),
    ',"min_amount":',
    trim_scale(i.min_amount),
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
    ',"suppliers":',
    coalesce(
      (
        select '[' || string_agg(
          concat(
            '{"supplier_id":', s.supplier_id, ',"sku":', to_json(s.sku), ',"price":', trim_scale(s.price), '}'
          ),
            ',' order by s.position
        )
          || ']'
        from item_suppliers s
        where s.company_id = :company_id and s.item_id = i.id
      ),
        '[]'
    ),
    ',"notes":',
    to_json(i.notes),
    ',"cost":',
    trim_scale(
      coalesce((select k.average from item_costs k where k.company_id = :company_id and k.item_id = i.id), 0)
    ),
    ',"amount":',
    trim_scale(
      coalesce(
        (select sum(l.on_hand) from stock_levels l where l.company_id = :company_id and l.item_id = i.id), 0
      )
    ),
    ',"reserved":',
    trim_scale(
      coalesce(
        (select sum(l.reserved) from stock_levels l where l.company_id = :company_id and l.item_id = i.id), 0
      )
    ),
    ',"available":',
    trim_scale(
      coalesce(
        (
          select sum(l.on_hand - l.reserved)
          from stock_levels l
          where l.company_id = :company_id and l.item_id = i.id
        ),
          0
      )
    ),
    ',"created_at":',
    to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    ',"updated_at":',
    to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    '}'
) as record
from items i
join units n on n.company_id = :company_id and n.id = i.unit_id
where i.company_id = :company_id
  and i.kind = 'material'
  and i.deleted_at is null
  and i.id = (
    select x.record_id
    from external_ids x
    where x.company_id = :company_id
      and x.connection_id = :connection_id::bigint
      and x.record = 'material'
      and x.external_id = :external_id
  );

-- materials.list
-- parameters: company_id, search, category_id, skus, ids, external_ids, connection_id, updated_after, limit, offset, with_meta, with_suppliers
-- sent by: materials/get_list
with matching as materialized (
  select i.id, i.name_key as key0, i.id as key1
  from items i
  where i.company_id = :company_id
    and i.kind = 'material'
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
    and (
      :external_ids::text[] is null
        or i.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'material'
            and x.external_id = any(:external_ids::text[])
        )
    )
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
                ',"sku":',
                to_json(i.sku),
                ',"barcodes":',
                coalesce(
                  (
                    select '[' || string_agg(to_json(c.code)::text, ',' order by c.position) || ']'
                    from item_codes c
                    where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'
                  ),
                    '[]'
                ),
                ',"unit_id":',
                i.unit_id,
                ',"unit":',
                to_json(n.name),
                ',"price":',
                trim_scale(i.price),
                ',"tax_rate_id":',
                coalesce(i.tax_rate_id::text, 'null'),
                ',"min_amount":',
                trim_scale(i.min_amount),
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
                ',"cost":',
                trim_scale(
                  coalesce(
                    (
                      select k.average
                      from item_costs k
                      where k.company_id = :company_id and k.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"amount":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.on_hand)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"reserved":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.reserved)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"available":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.on_hand - l.reserved)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"created_at":',
                to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"external_id":',
                      coalesce(
                        to_json(
                          (
                            select x.external_id
                            from external_ids x
                            where x.company_id = :company_id
                              and x.record = 'material'
                              and x.record_id = i.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'material' and v.record_id = i.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            case
              when :with_suppliers::boolean then concat(
                ',',
                  concat(
                    '"suppliers":',
                      coalesce(
                        (
                          select '[' || string_agg(
                            concat(
                              '{"supplier_id":',
                                s.supplier_id,
                                ',"sku":',
                                to_json(s.sku),
                                ',"price":',
                                trim_scale(s.price),
                                '}'
                            ),
                              ',' order by s.position
                          )
                            || ']'
                          from item_suppliers s
                          where s.company_id = :company_id and s.item_id = i.id
                        ),
                          '[]'
                      )
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

-- materials.list_by_external_ids
-- parameters: company_id, search, category_id, skus, ids, connection_id, external_ids, updated_after, limit, offset, with_meta, with_suppliers
-- sent by: materials/get_list
with matching as materialized (
  select i.id, i.name_key as key0, i.id as key1
  from items i
  where i.company_id = :company_id
    and i.kind = 'material'
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
    and i.id in (
      select x.record_id
      from external_ids x
      where x.company_id = :company_id
        and x.connection_id = :connection_id::bigint
        and x.record = 'material'
        and x.external_id = any(:external_ids::text[])
    )
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
                ',"sku":',
                to_json(i.sku),
                ',"barcodes":',
                coalesce(
                  (
                    select '[' || string_agg(to_json(c.code)::text, ',' order by c.position) || ']'
                    from item_codes c
                    where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'
                  ),
                    '[]'
                ),
                ',"unit_id":',
                i.unit_id,
                ',"unit":',
                to_json(n.name),
                ',"price":',
                trim_scale(i.price),
                ',"tax_rate_id":',
                coalesce(i.tax_rate_id::text, 'null'),
                ',"min_amount":',
                trim_scale(i.min_amount),
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
                ',"cost":',
                trim_scale(
                  coalesce(
                    (
                      select k.average
                      from item_costs k
                      where k.company_id = :company_id and k.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"amount":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.on_hand)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"reserved":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.reserved)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"available":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.on_hand - l.reserved)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"created_at":',
                to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"external_id":',
                      coalesce(
                        to_json(
                          (
                            select x.external_id
                            from external_ids x
                            where x.company_id = :company_id
                              and x.record = 'material'
                              and x.record_id = i.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'material' and v.record_id = i.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            case
              when :with_suppliers::boolean then concat(
                ',',
                  concat(
                    '"suppliers":',
                      coalesce(
                        (
                          select '[' || string_agg(
                            concat(
                              '{"supplier_id":',
                                s.supplier_id,
                                ',"sku":',
                                to_json(s.sku),
                                ',"price":',
                                trim_scale(s.price),
                                '}'
                            ),
                              ',' order by s.position
                          )
                            || ']'
                          from item_suppliers s
                          where s.company_id = :company_id and s.item_id = i.id
                        ),
                          '[]'
                      )
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

-- materials.list_by_ids
-- parameters: company_id, search, category_id, skus, ids, external_ids, connection_id, updated_after, limit, offset, with_meta, with_suppliers
-- sent by: materials/get_list
with matching as materialized (
  select i.id, i.name_key as key0, i.id as key1
  from items i
  where i.company_id = :company_id
    and i.kind = 'material'
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
    and (
      :external_ids::text[] is null
        or i.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'material'
            and x.external_id = any(:external_ids::text[])
        )
    )
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
                ',"sku":',
                to_json(i.sku),
                ',"barcodes":',
                coalesce(
                  (
                    select '[' || string_agg(to_json(c.code)::text, ',' order by c.position) || ']'
                    from item_codes c
                    where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'
                  ),
                    '[]'
                ),
                ',"unit_id":',
                i.unit_id,
                ',"unit":',
                to_json(n.name),
                ',"price":',
                trim_scale(i.price),
                ',"tax_rate_id":',
                coalesce(i.tax_rate_id::text, 'null'),
                ',"min_amount":',
                trim_scale(i.min_amount),
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
                ',"cost":',
                trim_scale(
                  coalesce(
                    (
                      select k.average
                      from item_costs k
                      where k.company_id = :company_id and k.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"amount":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.on_hand)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"reserved":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.reserved)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"available":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.on_hand - l.reserved)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"created_at":',
                to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"external_id":',
                      coalesce(
                        to_json(
                          (
                            select x.external_id
                            from external_ids x
                            where x.company_id = :company_id
                              and x.record = 'material'
                              and x.record_id = i.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'material' and v.record_id = i.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            case
              when :with_suppliers::boolean then concat(
                ',',
                  concat(
                    '"suppliers":',
                      coalesce(
                        (
                          select '[' || string_agg(
                            concat(
                              '{"supplier_id":',
                                s.supplier_id,
                                ',"sku":',
                                to_json(s.sku),
                                ',"price":',
                                trim_scale(s.price),
                                '}'
                            ),
                              ',' order by s.position
                          )
                            || ']'
                          from item_suppliers s
                          where s.company_id = :company_id and s.item_id = i.id
                        ),
                          '[]'
                      )
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

-- materials.list_by_updated_after
-- parameters: company_id, search, category_id, skus, ids, external_ids, connection_id, updated_after, limit, offset, with_meta, with_suppliers
-- sent by: materials/get_list
with matching as materialized (
  select i.id, i.name_key as key0, i.id as key1
  from items i
  where i.company_id = :company_id
    and i.kind = 'material'
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
    and (
      :external_ids::text[] is null
        or i.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'material'
            and x.external_id = any(:external_ids::text[])
        )
    )
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
                ',"sku":',
                to_json(i.sku),
                ',"barcodes":',
                coalesce(
                  (
                    select '[' || string_agg(to_json(c.code)::text, ',' order by c.position) || ']'
                    from item_codes c
                    where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'
                  ),
                    '[]'
                ),
                ',"unit_id":',
                i.unit_id,
                ',"unit":',
                to_json(n.name),
                ',"price":',
                trim_scale(i.price),
                ',"tax_rate_id":',
                coalesce(i.tax_rate_id::text, 'null'),
                ',"min_amount":',
                trim_scale(i.min_amount),
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
                ',"cost":',
                trim_scale(
                  coalesce(
                    (
                      select k.average
                      from item_costs k
                      where k.company_id = :company_id and k.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"amount":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.on_hand)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"reserved":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.reserved)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"available":',
                trim_scale(
                  coalesce(
                    (
                      select sum(l.on_hand - l.reserved)
                      from stock_levels l
                      where l.company_id = :company_id and l.item_id = i.id
                    ),
                      0
                  )
                ),
                ',"created_at":',
                to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(i.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"external_id":',
                      coalesce(
                        to_json(
                          (
                            select x.external_id
                            from external_ids x
                            where x.company_id = :company_id
                              and x.record = 'material'
                              and x.record_id = i.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'material' and v.record_id = i.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            case
              when :with_suppliers::boolean then concat(
                ',',
                  concat(
                    '"suppliers":',
                      coalesce(
                        (
                          select '[' || string_agg(
                            concat(
                              '{"supplier_id":',
                                s.supplier_id,
                                ',"sku":',
                                to_json(s.sku),
                                ',"price":',
                                trim_scale(s.price),
                                '}'
                            ),
                              ',' order by s.position
                          )
                            || ']'
                          from item_suppliers s
                          where s.company_id = :company_id and s.item_id = i.id
                        ),
                          '[]'
                      )
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

-- materials.upsert_facts
-- parameters: company_id, component_ids, component_spaces, component_codes, spaces, codes, connection_id, external_ids, unit_ids, category_ids, supplier_ids
-- sent by: imports/add_rows, materials/upsert, the runner of imports
with recursive named as (
  select x.id
  from unnest(:component_ids::bigint[]) as x (id)
  union
  select c.item_id
  from unnest(:component_spaces::text[], :component_codes::text[]) as x (space, code)
  cross join lateral (
    select c.space, c.code, c.item_id, c.role
    from item_codes c
    where c.company_id = :company_id and c.space = x.space and c.code_key = x.code
    union all
    select c.space, c.code, c.item_id, c.role
    from item_codes c
    where c.company_id = :company_id and c.space = x.space and c.code = x.code and c.code_key is null
  ) c
),
  below as (
    select n.id
    from named n
    union
    select c.item_id
    from below b
    cross join lateral (
      select c.item_id
      from components c
      where c.company_id = :company_id and c.product_id = b.id
      offset 0
    ) c
  ),
  coded as materialized (
    select c.space, c.code, c.item_id, c.role
    from unnest(:spaces::text[], :codes::text[]) as x (space, code)
    cross join lateral (
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = x.space and c.code_key = x.code
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = x.space and c.code = x.code and c.code_key is null
    ) c
  ),
  external as materialized (
    select x.external_id, x.record_id
    from external_ids x
    where x.company_id = :company_id
      and x.connection_id = :connection_id::bigint
      and x.record = 'material'
      and x.external_id = any(:external_ids::text[])
  ),
  found as materialized (
    select e.record_id as id
    from external e
    union
    select c.item_id
    from coded c
    where c.space = 'material' and c.role = 'sku'
  )
select case
  when (select coalesce(sum(octet_length(i.notes) + 40 * (select count(*) from components c where c.company_id = :company_id and c.product_id = i.id)), 0) from found f join items i on i.company_id = :company_id and i.id = f.id where i.kind = 'material' and i.deleted_at is null) <= 8388608 then (
    select coalesce(
      json_agg(
        json_build_array(
          i.id,
            json_build_object(
              'name',
                i.name,
                'sku',
                i.sku,
                'unit_id',
                i.unit_id,
                'price',
                trim_scale(i.price)::text,
                'tax_rate_id',
                i.tax_rate_id,
                'min_amount',
                trim_scale(i.min_amount)::text,
                'notes',
                i.notes,
                'alt_skus',
                (
                  select coalesce(json_agg(c.code order by c.position), '[]'::json)
                  from item_codes c
                  where c.company_id = :company_id and c.item_id = i.id and c.role = 'alternative'
                ),
                'barcodes',
                (
                  select coalesce(json_agg(c.code order by c.position), '[]'::json)
                  from item_codes c
                  where c.company_id = :company_id and c.item_id = i.id and c.role = 'barcode'
                ),
                'categories',
                (
                  select coalesce(json_agg(t.category_id order by t.category_id), '[]'::json)
                  from item_categories t
                  where t.company_id = :company_id and t.item_id = i.id
                ),
                'suppliers',
                (
                  select coalesce(
                    json_agg(
                      json_build_object(
                        'supplier_id', s.supplier_id, 'sku', s.sku, 'price', trim_scale(s.price)::text
                      ) order by s.position
                    ),
                      '[]'::json
                  )
                  from item_suppliers s
                  where s.company_id = :company_id and s.item_id = i.id
                ),
                'components',
                (
                  select coalesce(
                    json_agg(
                      json_build_object(
                        'item_id', c.item_id, 'amount', trim_scale(c.amount)::text
                      ) order by c.position
                    ),
                      '[]'::json
                  )
                  from components c
                  where c.company_id = :company_id and c.product_id = i.id
                )
            )
        )
      ),
        '[]'::json
    )
    from found f
    join items i on i.company_id = :company_id and i.id = f.id
    where i.kind = 'material' and i.deleted_at is null
  )
  end as records,
  (
    select coalesce(json_agg(json_build_array(e.external_id, e.record_id)), '[]'::json)
    from external e
  ) as external,
  (
    select coalesce(json_agg(json_build_array(x.record_id, x.external_id)), '[]'::json)
    from found f
    join external_ids x on x.company_id = :company_id
      and x.record = 'material'
      and x.record_id = f.id
      and x.connection_id = :connection_id::bigint
  ) as own_external,
  (select min(u.id) from units u where u.company_id = :company_id) as first_unit,
  (
    select coalesce(json_agg(u.id), '[]'::json)
    from units u
    where u.company_id = :company_id and u.id = any(:unit_ids::bigint[])
  ) as units,
  (
    select coalesce(json_agg(c.id), '[]'::json)
    from categories c
    where c.company_id = :company_id and c.id = any(:category_ids::bigint[]) and c.type = 'materials'
  ) as categories,
  (
    select coalesce(json_agg(s.id), '[]'::json)
    from suppliers s
    where s.company_id = :company_id and s.id = any(:supplier_ids::bigint[]) and s.deleted_at is null
  ) as suppliers,
  (
    select coalesce(json_agg(t.id), '[]'::json)
    from tax_rates t
    where t.company_id = :company_id and not t.is_archived
  ) as tax_rates,
  (
    select coalesce(json_agg(json_build_array(c.space, c.code, c.item_id, c.role)), '[]'::json)
    from coded c
  ) as codes,
  (
    select coalesce(json_agg(json_build_array(i.id, i.kind)), '[]'::json)
    from named n
    join items i on i.company_id = :company_id and i.id = n.id and i.deleted_at is null
  ) as components,
  (
    select coalesce(json_agg(json_build_array(c.space, c.code, c.item_id)), '[]'::json)
    from unnest(:component_spaces::text[], :component_codes::text[]) as x (space, code)
    cross join lateral (
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = x.space and c.code_key = x.code
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = x.space and c.code = x.code and c.code_key is null
    ) c
  ) as component_codes,
  (
    select coalesce(json_agg(json_build_array(c.product_id, c.item_id)), '[]'::json)
    from below b
    join components c on c.company_id = :company_id and c.product_id = b.id
    where exists (select from components d where d.company_id = :company_id and d.product_id = c.item_id)
      or c.item_id in (select f.id from found f)
  ) as made_of;
