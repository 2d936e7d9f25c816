-- stock.browse.by_amount_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
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
          '{"type":',
            to_json((i.kind || 's')),
            ',"id":',
            i.id,
            ',"sku":',
            to_json(i.sku),
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
            ',"storage_id":',
            coalesce(t.id::text, 'null'),
            ',"storage_name":',
            coalesce(to_json(t.name)::text, 'null'),
            ',"amount":',
            trim_scale(v.on_hand),
            ',"reserved":',
            trim_scale(v.reserved),
            ',"available":',
            trim_scale((v.on_hand - v.reserved)),
            ',"in_transit":',
            trim_scale(v.in_transit),
            ',"min_amount":',
            trim_scale(i.min_amount),
            ',"cost":',
            trim_scale(coalesce(v.cost, k.average, 0)),
            ',"total_cost":',
            trim_scale(
              round((coalesce(v.value, v.on_hand * coalesce(v.cost, k.average, 0)) + v.transit_value), 2)
            ),
            ',"is_low":',
            (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)::text,
            ',"is_deleted":',
            (i.deleted_at is not null)::text,
            ',"is_storage_deleted":',
            (t.deleted_at is not null)::text,
            '}'
        ) as json
        from (
          select array(
            select array[i.id, v.storage_id]
            from (
              select x.item_id,
                case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
                sum(x.on_hand) as on_hand,
                sum(x.reserved) as reserved,
                sum(x.in_transit) as in_transit,
                sum(x.transit_value) as transit_value,
                max(x.cost) as cost,
                sum(x.value) as value
              from (
                select l.item_id,
                  l.storage_id,
                  l.on_hand,
                  l.reserved,
                  0 as in_transit,
                  0 as transit_value,
                  null::numeric as cost,
                  null::numeric as value
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
                from (
                  select x.item_id,
                    x.storage_id,
                    x.on_hand,
                    x.reserved,
                    case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                    x.share + case
                      when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                      else 0
                      end as value
                  from (
                    select y.*,
                      case
                        when y.all_on_hand = 0 then 0
                        else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                        end as share
                    from (
                      select m.item_id,
                        m.storage_id,
                        sum(m.on_hand) as on_hand,
                        sum(m.reserved) as reserved,
                        sum(sum(m.on_hand)) over item as all_on_hand,
                        sum(sum(m.value)) over item as all_value,
                        row_number() over (partition by m.item_id order by m.storage_id) as place
                      from stock_movements m
                      where m.company_id = :company_id and m.date <= :date::date
                      group by m.item_id, m.storage_id window item as (partition by m.item_id)
                    ) y
                  ) x
                ) d
                union all
                select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
                from (
                  select d.storage_to_id as storage_id,
                    m.item_id,
                    -sum(m.on_hand) as amount,
                    -sum(m.value) as value
                  from transfers d
                  join stock_movements m on m.company_id = :company_id
                    and m.section = 'transfers'
                    and m.document_id = d.id
                    and m.kind = 'move'
                  where d.company_id = :company_id and d.status = 1 and :date::date is null
                  group by d.storage_to_id, m.item_id
                  having sum(m.on_hand) <> 0
                  union all
                  select d.storage_to_id as storage_id,
                    m.item_id,
                    -sum(m.on_hand) as amount,
                    -sum(m.value) as value
                  from transfers d
                  join stock_movements m on m.company_id = :company_id
                    and m.section = 'transfers'
                    and m.document_id = d.id
                    and m.kind = 'move'
                  where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                  group by d.storage_to_id, m.item_id
                  having sum(m.on_hand) <> 0
                ) q
                union all
                select w.id,
                  case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                  0,
                  0,
                  0,
                  0,
                  null,
                  null
                from items w
                join companies c on c.company_id = :company_id
                where w.company_id = :company_id
                  and w.kind <> 'resource'
                  and w.deleted_at is null
                  and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                  and w.id not in (
                    select a.item_id
                    from (
                      select l.item_id, l.storage_id, l.on_hand
                      from stock_levels l
                      where l.company_id = :company_id and :date::date is null
                      union all
                      select m.item_id, m.storage_id, m.on_hand
                      from stock_movements m
                      where m.company_id = :company_id and m.date <= :date::date
                    ) a
                  )
              ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by 1, 2
            ) v
            join items i on i.company_id = :company_id and i.id = v.item_id
            left join storages t on t.company_id = :company_id and t.id = v.storage_id
            left join item_costs k on k.company_id = :company_id and k.item_id = i.id
            left join (
              select x.item_id, sum(x.on_hand) as on_hand
              from (
                select l.item_id, l.storage_id, l.on_hand
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select m.item_id, m.storage_id, m.on_hand
                from stock_movements m
                where m.company_id = :company_id and m.date <= :date::date
              ) x
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by x.item_id
            ) a on a.item_id = i.id
            where i.company_id = :company_id
              and (
                v.on_hand <> 0
                  or v.reserved <> 0
                  or v.in_transit <> 0
                  or coalesce(v.value, 0) <> 0
                  or (i.deleted_at is null and t.deleted_at is null)
              )
              and case
                when :is_unfiltered::boolean then true
                when (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
              and (:ids::bigint[] is null or i.id = any(:ids))
              and true
              and true
              and (
                :only::text is null
                  or case :only
                    when 'positive' then v.on_hand > 0
                    when 'negative' then v.on_hand < 0
                    when 'low' then (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)
                    else true
                    end
              )
              and true
              and (:type::text is null or (i.kind || 's') = :type)
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
            order by v.on_hand, i.name_key, i.id, t.name collate "C", v.storage_id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(
          cut_out.found[1:][1:1], cut_out.found[1:][2:2]
        ) with ordinality as page (key_0, key_1, place)
        join (
          (
            select x.item_id,
              case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
              sum(x.on_hand) as on_hand,
              sum(x.reserved) as reserved,
              sum(x.in_transit) as in_transit,
              sum(x.transit_value) as transit_value,
              max(x.cost) as cost,
              sum(x.value) as value
            from (
              select l.item_id,
                l.storage_id,
                l.on_hand,
                l.reserved,
                0 as in_transit,
                0 as transit_value,
                null::numeric as cost,
                null::numeric as value
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
              from (
                select x.item_id,
                  x.storage_id,
                  x.on_hand,
                  x.reserved,
                  case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                  x.share + case
                    when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                    else 0
                    end as value
                from (
                  select y.*,
                    case
                      when y.all_on_hand = 0 then 0
                      else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                      end as share
                  from (
                    select m.item_id,
                      m.storage_id,
                      sum(m.on_hand) as on_hand,
                      sum(m.reserved) as reserved,
                      sum(sum(m.on_hand)) over item as all_on_hand,
                      sum(sum(m.value)) over item as all_value,
                      row_number() over (partition by m.item_id order by m.storage_id) as place
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                    group by m.item_id, m.storage_id window item as (partition by m.item_id)
                  ) y
                ) x
              ) d
              union all
              select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
              from (
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and d.status = 1 and :date::date is null
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
                union all
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
              ) q
              union all
              select w.id,
                case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                0,
                0,
                0,
                0,
                null,
                null
              from items w
              join companies c on c.company_id = :company_id
              where w.company_id = :company_id
                and w.kind <> 'resource'
                and w.deleted_at is null
                and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                and w.id not in (
                  select a.item_id
                  from (
                    select l.item_id, l.storage_id, l.on_hand
                    from stock_levels l
                    where l.company_id = :company_id and :date::date is null
                    union all
                    select m.item_id, m.storage_id, m.on_hand
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                  ) a
                )
            ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by 1, 2
          ) v join items i on i.company_id = :company_id
            and i.id = v.item_id left join storages t on t.company_id = :company_id
            and t.id = v.storage_id left join item_costs k on k.company_id = :company_id
            and k.item_id = i.id left join (
              select x.item_id, sum(x.on_hand) as on_hand
              from (
                select l.item_id, l.storage_id, l.on_hand
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select m.item_id, m.storage_id, m.on_hand
                from stock_movements m
                where m.company_id = :company_id and m.date <= :date::date
              ) x
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by x.item_id
            ) a on a.item_id = i.id
        ) on i.id = page.key_0
          and v.storage_id = page.key_1
        join units n on n.company_id = :company_id and n.id = i.unit_id
        where i.company_id = :company_id
          and (
            v.on_hand <> 0
              or v.reserved <> 0
              or v.in_transit <> 0
              or coalesce(v.value, 0) <> 0
              or (i.deleted_at is null and t.deleted_at is null)
          )
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"total_cost":',
        trim_scale(round(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0), 2)),
        '}'
    ) as sums,
    concat('{"all":', coalesce(sum(each_group.entries) filter (where true), 0)::text, '}') as counts
  from (
    select each_group.*, each_group.is_shown as is_summed
    from (
      select each_group.*, true as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select 0 as met,
            (coalesce(v.value, v.on_hand * coalesce(v.cost, k.average, 0)) + v.transit_value) as term_0
          from (
            select x.item_id,
              case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
              sum(x.on_hand) as on_hand,
              sum(x.reserved) as reserved,
              sum(x.in_transit) as in_transit,
              sum(x.transit_value) as transit_value,
              max(x.cost) as cost,
              sum(x.value) as value
            from (
              select l.item_id,
                l.storage_id,
                l.on_hand,
                l.reserved,
                0 as in_transit,
                0 as transit_value,
                null::numeric as cost,
                null::numeric as value
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
              from (
                select x.item_id,
                  x.storage_id,
                  x.on_hand,
                  x.reserved,
                  case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                  x.share + case
                    when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                    else 0
                    end as value
                from (
                  select y.*,
                    case
                      when y.all_on_hand = 0 then 0
                      else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                      end as share
                  from (
                    select m.item_id,
                      m.storage_id,
                      sum(m.on_hand) as on_hand,
                      sum(m.reserved) as reserved,
                      sum(sum(m.on_hand)) over item as all_on_hand,
                      sum(sum(m.value)) over item as all_value,
                      row_number() over (partition by m.item_id order by m.storage_id) as place
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                    group by m.item_id, m.storage_id window item as (partition by m.item_id)
                  ) y
                ) x
              ) d
              union all
              select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
              from (
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and d.status = 1 and :date::date is null
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
                union all
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
              ) q
              union all
              select w.id,
                case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                0,
                0,
                0,
                0,
                null,
                null
              from items w
              join companies c on c.company_id = :company_id
              where w.company_id = :company_id
                and w.kind <> 'resource'
                and w.deleted_at is null
                and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                and w.id not in (
                  select a.item_id
                  from (
                    select l.item_id, l.storage_id, l.on_hand
                    from stock_levels l
                    where l.company_id = :company_id and :date::date is null
                    union all
                    select m.item_id, m.storage_id, m.on_hand
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                  ) a
                )
            ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by 1, 2
          ) v
          join items i on i.company_id = :company_id and i.id = v.item_id
          left join storages t on t.company_id = :company_id and t.id = v.storage_id
          left join item_costs k on k.company_id = :company_id and k.item_id = i.id
          left join (
            select x.item_id, sum(x.on_hand) as on_hand
            from (
              select l.item_id, l.storage_id, l.on_hand
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select m.item_id, m.storage_id, m.on_hand
              from stock_movements m
              where m.company_id = :company_id and m.date <= :date::date
            ) x
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by x.item_id
          ) a on a.item_id = i.id
          where i.company_id = :company_id
            and (
              v.on_hand <> 0
                or v.reserved <> 0
                or v.in_transit <> 0
                or coalesce(v.value, 0) <> 0
                or (i.deleted_at is null and t.deleted_at is null)
            )
            and case
              when :is_unfiltered::boolean then true
              when (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
            and (:ids::bigint[] is null or i.id = any(:ids))
            and true
            and true
            and (
              :only::text is null
                or case :only
                  when 'positive' then v.on_hand > 0
                  when 'negative' then v.on_hand < 0
                  when 'low' then (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)
                  else true
                  end
            )
            and true
            and (:type::text is null or (i.kind || 's') = :type)
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

-- stock.browse.by_amount_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by v.on_hand desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_available_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by (v.on_hand - v.reserved), i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_available_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by (v.on_hand - v.reserved) desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_cost_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by coalesce(v.cost, k.average, 0), i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_cost_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by coalesce(v.cost, k.average, 0) desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_in_transit_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by v.in_transit, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_in_transit_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by v.in_transit desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_name_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by i.name_key, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_name_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by i.name_key desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_reserved_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by v.reserved, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_reserved_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by v.reserved desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_sku_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by i.sku collate "C", i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_sku_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by i.sku collate "C" desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_storage_name_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by t.name collate "C", i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_storage_name_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by t.name collate "C" desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_total_cost_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
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
          '{"type":',
            to_json((i.kind || 's')),
            ',"id":',
            i.id,
            ',"sku":',
            to_json(i.sku),
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
            ',"storage_id":',
            coalesce(t.id::text, 'null'),
            ',"storage_name":',
            coalesce(to_json(t.name)::text, 'null'),
            ',"amount":',
            trim_scale(v.on_hand),
            ',"reserved":',
            trim_scale(v.reserved),
            ',"available":',
            trim_scale((v.on_hand - v.reserved)),
            ',"in_transit":',
            trim_scale(v.in_transit),
            ',"min_amount":',
            trim_scale(i.min_amount),
            ',"cost":',
            trim_scale(coalesce(v.cost, k.average, 0)),
            ',"total_cost":',
            trim_scale(
              round((coalesce(v.value, v.on_hand * coalesce(v.cost, k.average, 0)) + v.transit_value), 2)
            ),
            ',"is_low":',
            (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)::text,
            ',"is_deleted":',
            (i.deleted_at is not null)::text,
            ',"is_storage_deleted":',
            (t.deleted_at is not null)::text,
            '}'
        ) as json
        from (
          select array(
            select array[i.id, v.storage_id]
            from (
              select x.item_id,
                case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
                sum(x.on_hand) as on_hand,
                sum(x.reserved) as reserved,
                sum(x.in_transit) as in_transit,
                sum(x.transit_value) as transit_value,
                max(x.cost) as cost,
                sum(x.value) as value
              from (
                select l.item_id,
                  l.storage_id,
                  l.on_hand,
                  l.reserved,
                  0 as in_transit,
                  0 as transit_value,
                  null::numeric as cost,
                  null::numeric as value
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
                from (
                  select x.item_id,
                    x.storage_id,
                    x.on_hand,
                    x.reserved,
                    case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                    x.share + case
                      when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                      else 0
                      end as value
                  from (
                    select y.*,
                      case
                        when y.all_on_hand = 0 then 0
                        else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                        end as share
                    from (
                      select m.item_id,
                        m.storage_id,
                        sum(m.on_hand) as on_hand,
                        sum(m.reserved) as reserved,
                        sum(sum(m.on_hand)) over item as all_on_hand,
                        sum(sum(m.value)) over item as all_value,
                        row_number() over (partition by m.item_id order by m.storage_id) as place
                      from stock_movements m
                      where m.company_id = :company_id and m.date <= :date::date
                      group by m.item_id, m.storage_id window item as (partition by m.item_id)
                    ) y
                  ) x
                ) d
                union all
                select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
                from (
                  select d.storage_to_id as storage_id,
                    m.item_id,
                    -sum(m.on_hand) as amount,
                    -sum(m.value) as value
                  from transfers d
                  join stock_movements m on m.company_id = :company_id
                    and m.section = 'transfers'
                    and m.document_id = d.id
                    and m.kind = 'move'
                  where d.company_id = :company_id and d.status = 1 and :date::date is null
                  group by d.storage_to_id, m.item_id
                  having sum(m.on_hand) <> 0
                  union all
                  select d.storage_to_id as storage_id,
                    m.item_id,
                    -sum(m.on_hand) as amount,
                    -sum(m.value) as value
                  from transfers d
                  join stock_movements m on m.company_id = :company_id
                    and m.section = 'transfers'
                    and m.document_id = d.id
                    and m.kind = 'move'
                  where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                  group by d.storage_to_id, m.item_id
                  having sum(m.on_hand) <> 0
                ) q
                union all
                select w.id,
                  case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                  0,
                  0,
                  0,
                  0,
                  null,
                  null
                from items w
                join companies c on c.company_id = :company_id
                where w.company_id = :company_id
                  and w.kind <> 'resource'
                  and w.deleted_at is null
                  and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                  and w.id not in (
                    select a.item_id
                    from (
                      select l.item_id, l.storage_id, l.on_hand
                      from stock_levels l
                      where l.company_id = :company_id and :date::date is null
                      union all
                      select m.item_id, m.storage_id, m.on_hand
                      from stock_movements m
                      where m.company_id = :company_id and m.date <= :date::date
                    ) a
                  )
              ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by 1, 2
            ) v
            join items i on i.company_id = :company_id and i.id = v.item_id
            left join storages t on t.company_id = :company_id and t.id = v.storage_id
            left join item_costs k on k.company_id = :company_id and k.item_id = i.id
            left join (
              select x.item_id, sum(x.on_hand) as on_hand
              from (
                select l.item_id, l.storage_id, l.on_hand
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select m.item_id, m.storage_id, m.on_hand
                from stock_movements m
                where m.company_id = :company_id and m.date <= :date::date
              ) x
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by x.item_id
            ) a on a.item_id = i.id
            where i.company_id = :company_id
              and (
                v.on_hand <> 0
                  or v.reserved <> 0
                  or v.in_transit <> 0
                  or coalesce(v.value, 0) <> 0
                  or (i.deleted_at is null and t.deleted_at is null)
              )
              and case
                when :is_unfiltered::boolean then true
                when (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
              and (:ids::bigint[] is null or i.id = any(:ids))
              and true
              and true
              and (
                :only::text is null
                  or case :only
                    when 'positive' then v.on_hand > 0
                    when 'negative' then v.on_hand < 0
                    when 'low' then (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)
                    else true
                    end
              )
              and true
              and (:type::text is null or (i.kind || 's') = :type)
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
            order by round(
              (coalesce(v.value, v.on_hand * coalesce(v.cost, k.average, 0)) + v.transit_value), 2
            ),
              i.name_key,
              i.id,
              t.name collate "C",
              v.storage_id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(
          cut_out.found[1:][1:1], cut_out.found[1:][2:2]
        ) with ordinality as page (key_0, key_1, place)
        join (
          (
            select x.item_id,
              case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
              sum(x.on_hand) as on_hand,
              sum(x.reserved) as reserved,
              sum(x.in_transit) as in_transit,
              sum(x.transit_value) as transit_value,
              max(x.cost) as cost,
              sum(x.value) as value
            from (
              select l.item_id,
                l.storage_id,
                l.on_hand,
                l.reserved,
                0 as in_transit,
                0 as transit_value,
                null::numeric as cost,
                null::numeric as value
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
              from (
                select x.item_id,
                  x.storage_id,
                  x.on_hand,
                  x.reserved,
                  case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                  x.share + case
                    when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                    else 0
                    end as value
                from (
                  select y.*,
                    case
                      when y.all_on_hand = 0 then 0
                      else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                      end as share
                  from (
                    select m.item_id,
                      m.storage_id,
                      sum(m.on_hand) as on_hand,
                      sum(m.reserved) as reserved,
                      sum(sum(m.on_hand)) over item as all_on_hand,
                      sum(sum(m.value)) over item as all_value,
                      row_number() over (partition by m.item_id order by m.storage_id) as place
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                    group by m.item_id, m.storage_id window item as (partition by m.item_id)
                  ) y
                ) x
              ) d
              union all
              select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
              from (
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and d.status = 1 and :date::date is null
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
                union all
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
              ) q
              union all
              select w.id,
                case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                0,
                0,
                0,
                0,
                null,
                null
              from items w
              join companies c on c.company_id = :company_id
              where w.company_id = :company_id
                and w.kind <> 'resource'
                and w.deleted_at is null
                and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                and w.id not in (
                  select a.item_id
                  from (
                    select l.item_id, l.storage_id, l.on_hand
                    from stock_levels l
                    where l.company_id = :company_id and :date::date is null
                    union all
                    select m.item_id, m.storage_id, m.on_hand
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                  ) a
                )
            ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by 1, 2
          ) v join items i on i.company_id = :company_id
            and i.id = v.item_id left join storages t on t.company_id = :company_id
            and t.id = v.storage_id left join item_costs k on k.company_id = :company_id
            and k.item_id = i.id left join (
              select x.item_id, sum(x.on_hand) as on_hand
              from (
                select l.item_id, l.storage_id, l.on_hand
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select m.item_id, m.storage_id, m.on_hand
                from stock_movements m
                where m.company_id = :company_id and m.date <= :date::date
              ) x
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by x.item_id
            ) a on a.item_id = i.id
        ) on i.id = page.key_0
          and v.storage_id = page.key_1
        join units n on n.company_id = :company_id and n.id = i.unit_id
        where i.company_id = :company_id
          and (
            v.on_hand <> 0
              or v.reserved <> 0
              or v.in_transit <> 0
              or coalesce(v.value, 0) <> 0
              or (i.deleted_at is null and t.deleted_at is null)
          )
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"total_cost":',
        trim_scale(round(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0), 2)),
        '}'
    ) as sums,
    concat('{"all":', coalesce(sum(each_group.entries) filter (where true), 0)::text, '}') as counts
  from (
    select each_group.*, each_group.is_shown as is_summed
    from (
      select each_group.*, true as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select 0 as met,
            (coalesce(v.value, v.on_hand * coalesce(v.cost, k.average, 0)) + v.transit_value) as term_0
          from (
            select x.item_id,
              case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
              sum(x.on_hand) as on_hand,
              sum(x.reserved) as reserved,
              sum(x.in_transit) as in_transit,
              sum(x.transit_value) as transit_value,
              max(x.cost) as cost,
              sum(x.value) as value
            from (
              select l.item_id,
                l.storage_id,
                l.on_hand,
                l.reserved,
                0 as in_transit,
                0 as transit_value,
                null::numeric as cost,
                null::numeric as value
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
              from (
                select x.item_id,
                  x.storage_id,
                  x.on_hand,
                  x.reserved,
                  case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                  x.share + case
                    when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                    else 0
                    end as value
                from (
                  select y.*,
                    case
                      when y.all_on_hand = 0 then 0
                      else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                      end as share
                  from (
                    select m.item_id,
                      m.storage_id,
                      sum(m.on_hand) as on_hand,
                      sum(m.reserved) as reserved,
                      sum(sum(m.on_hand)) over item as all_on_hand,
                      sum(sum(m.value)) over item as all_value,
                      row_number() over (partition by m.item_id order by m.storage_id) as place
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                    group by m.item_id, m.storage_id window item as (partition by m.item_id)
                  ) y
                ) x
              ) d
              union all
              select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
              from (
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and d.status = 1 and :date::date is null
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
                union all
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
              ) q
              union all
              select w.id,
                case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                0,
                0,
                0,
                0,
                null,
                null
              from items w
              join companies c on c.company_id = :company_id
              where w.company_id = :company_id
                and w.kind <> 'resource'
                and w.deleted_at is null
                and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                and w.id not in (
                  select a.item_id
                  from (
                    select l.item_id, l.storage_id, l.on_hand
                    from stock_levels l
                    where l.company_id = :company_id and :date::date is null
                    union all
                    select m.item_id, m.storage_id, m.on_hand
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                  ) a
                )
            ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by 1, 2
          ) v
          join items i on i.company_id = :company_id and i.id = v.item_id
          left join storages t on t.company_id = :company_id and t.id = v.storage_id
          left join item_costs k on k.company_id = :company_id and k.item_id = i.id
          left join (
            select x.item_id, sum(x.on_hand) as on_hand
            from (
              select l.item_id, l.storage_id, l.on_hand
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select m.item_id, m.storage_id, m.on_hand
              from stock_movements m
              where m.company_id = :company_id and m.date <= :date::date
            ) x
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by x.item_id
          ) a on a.item_id = i.id
          where i.company_id = :company_id
            and (
              v.on_hand <> 0
                or v.reserved <> 0
                or v.in_transit <> 0
                or coalesce(v.value, 0) <> 0
                or (i.deleted_at is null and t.deleted_at is null)
            )
            and case
              when :is_unfiltered::boolean then true
              when (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
            and (:ids::bigint[] is null or i.id = any(:ids))
            and true
            and true
            and (
              :only::text is null
                or case :only
                  when 'positive' then v.on_hand > 0
                  when 'negative' then v.on_hand < 0
                  when 'low' then (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)
                  else true
                  end
            )
            and true
            and (:type::text is null or (i.kind || 's') = :type)
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

-- stock.browse.by_total_cost_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
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
          '{"type":',
            to_json((i.kind || 's')),
            ',"id":',
            i.id,
            ',"sku":',
            to_json(i.sku),
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
            ',"storage_id":',
            coalesce(t.id::text, 'null'),
            ',"storage_name":',
            coalesce(to_json(t.name)::text, 'null'),
            ',"amount":',
            trim_scale(v.on_hand),
            ',"reserved":',
            trim_scale(v.reserved),
            ',"available":',
            trim_scale((v.on_hand - v.reserved)),
            ',"in_transit":',
            trim_scale(v.in_transit),
            ',"min_amount":',
            trim_scale(i.min_amount),
            ',"cost":',
            trim_scale(coalesce(v.cost, k.average, 0)),
            ',"total_cost":',
            trim_scale(
              round((coalesce(v.value, v.on_hand * coalesce(v.cost, k.average, 0)) + v.transit_value), 2)
            ),
            ',"is_low":',
            (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)::text,
            ',"is_deleted":',
            (i.deleted_at is not null)::text,
            ',"is_storage_deleted":',
            (t.deleted_at is not null)::text,
            '}'
        ) as json
        from (
          select array(
            select array[i.id, v.storage_id]
            from (
              select x.item_id,
                case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
                sum(x.on_hand) as on_hand,
                sum(x.reserved) as reserved,
                sum(x.in_transit) as in_transit,
                sum(x.transit_value) as transit_value,
                max(x.cost) as cost,
                sum(x.value) as value
              from (
                select l.item_id,
                  l.storage_id,
                  l.on_hand,
                  l.reserved,
                  0 as in_transit,
                  0 as transit_value,
                  null::numeric as cost,
                  null::numeric as value
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
                from (
                  select x.item_id,
                    x.storage_id,
                    x.on_hand,
                    x.reserved,
                    case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                    x.share + case
                      when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                      else 0
                      end as value
                  from (
                    select y.*,
                      case
                        when y.all_on_hand = 0 then 0
                        else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                        end as share
                    from (
                      select m.item_id,
                        m.storage_id,
                        sum(m.on_hand) as on_hand,
                        sum(m.reserved) as reserved,
                        sum(sum(m.on_hand)) over item as all_on_hand,
                        sum(sum(m.value)) over item as all_value,
                        row_number() over (partition by m.item_id order by m.storage_id) as place
                      from stock_movements m
                      where m.company_id = :company_id and m.date <= :date::date
                      group by m.item_id, m.storage_id window item as (partition by m.item_id)
                    ) y
                  ) x
                ) d
                union all
                select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
                from (
                  select d.storage_to_id as storage_id,
                    m.item_id,
                    -sum(m.on_hand) as amount,
                    -sum(m.value) as value
                  from transfers d
                  join stock_movements m on m.company_id = :company_id
                    and m.section = 'transfers'
                    and m.document_id = d.id
                    and m.kind = 'move'
                  where d.company_id = :company_id and d.status = 1 and :date::date is null
                  group by d.storage_to_id, m.item_id
                  having sum(m.on_hand) <> 0
                  union all
                  select d.storage_to_id as storage_id,
                    m.item_id,
                    -sum(m.on_hand) as amount,
                    -sum(m.value) as value
                  from transfers d
                  join stock_movements m on m.company_id = :company_id
                    and m.section = 'transfers'
                    and m.document_id = d.id
                    and m.kind = 'move'
                  where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                  group by d.storage_to_id, m.item_id
                  having sum(m.on_hand) <> 0
                ) q
                union all
                select w.id,
                  case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                  0,
                  0,
                  0,
                  0,
                  null,
                  null
                from items w
                join companies c on c.company_id = :company_id
                where w.company_id = :company_id
                  and w.kind <> 'resource'
                  and w.deleted_at is null
                  and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                  and w.id not in (
                    select a.item_id
                    from (
                      select l.item_id, l.storage_id, l.on_hand
                      from stock_levels l
                      where l.company_id = :company_id and :date::date is null
                      union all
                      select m.item_id, m.storage_id, m.on_hand
                      from stock_movements m
                      where m.company_id = :company_id and m.date <= :date::date
                    ) a
                  )
              ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by 1, 2
            ) v
            join items i on i.company_id = :company_id and i.id = v.item_id
            left join storages t on t.company_id = :company_id and t.id = v.storage_id
            left join item_costs k on k.company_id = :company_id and k.item_id = i.id
            left join (
              select x.item_id, sum(x.on_hand) as on_hand
              from (
                select l.item_id, l.storage_id, l.on_hand
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select m.item_id, m.storage_id, m.on_hand
                from stock_movements m
                where m.company_id = :company_id and m.date <= :date::date
              ) x
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by x.item_id
            ) a on a.item_id = i.id
            where i.company_id = :company_id
              and (
                v.on_hand <> 0
                  or v.reserved <> 0
                  or v.in_transit <> 0
                  or coalesce(v.value, 0) <> 0
                  or (i.deleted_at is null and t.deleted_at is null)
              )
              and case
                when :is_unfiltered::boolean then true
                when (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
              and (:ids::bigint[] is null or i.id = any(:ids))
              and true
              and true
              and (
                :only::text is null
                  or case :only
                    when 'positive' then v.on_hand > 0
                    when 'negative' then v.on_hand < 0
                    when 'low' then (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)
                    else true
                    end
              )
              and true
              and (:type::text is null or (i.kind || 's') = :type)
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
            order by round(
              (coalesce(v.value, v.on_hand * coalesce(v.cost, k.average, 0)) + v.transit_value), 2
            ) desc,
              i.name_key,
              i.id,
              t.name collate "C",
              v.storage_id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(
          cut_out.found[1:][1:1], cut_out.found[1:][2:2]
        ) with ordinality as page (key_0, key_1, place)
        join (
          (
            select x.item_id,
              case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
              sum(x.on_hand) as on_hand,
              sum(x.reserved) as reserved,
              sum(x.in_transit) as in_transit,
              sum(x.transit_value) as transit_value,
              max(x.cost) as cost,
              sum(x.value) as value
            from (
              select l.item_id,
                l.storage_id,
                l.on_hand,
                l.reserved,
                0 as in_transit,
                0 as transit_value,
                null::numeric as cost,
                null::numeric as value
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
              from (
                select x.item_id,
                  x.storage_id,
                  x.on_hand,
                  x.reserved,
                  case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                  x.share + case
                    when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                    else 0
                    end as value
                from (
                  select y.*,
                    case
                      when y.all_on_hand = 0 then 0
                      else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                      end as share
                  from (
                    select m.item_id,
                      m.storage_id,
                      sum(m.on_hand) as on_hand,
                      sum(m.reserved) as reserved,
                      sum(sum(m.on_hand)) over item as all_on_hand,
                      sum(sum(m.value)) over item as all_value,
                      row_number() over (partition by m.item_id order by m.storage_id) as place
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                    group by m.item_id, m.storage_id window item as (partition by m.item_id)
                  ) y
                ) x
              ) d
              union all
              select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
              from (
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and d.status = 1 and :date::date is null
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
                union all
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
              ) q
              union all
              select w.id,
                case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                0,
                0,
                0,
                0,
                null,
                null
              from items w
              join companies c on c.company_id = :company_id
              where w.company_id = :company_id
                and w.kind <> 'resource'
                and w.deleted_at is null
                and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                and w.id not in (
                  select a.item_id
                  from (
                    select l.item_id, l.storage_id, l.on_hand
                    from stock_levels l
                    where l.company_id = :company_id and :date::date is null
                    union all
                    select m.item_id, m.storage_id, m.on_hand
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                  ) a
                )
            ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by 1, 2
          ) v join items i on i.company_id = :company_id
            and i.id = v.item_id left join storages t on t.company_id = :company_id
            and t.id = v.storage_id left join item_costs k on k.company_id = :company_id
            and k.item_id = i.id left join (
              select x.item_id, sum(x.on_hand) as on_hand
              from (
                select l.item_id, l.storage_id, l.on_hand
                from stock_levels l
                where l.company_id = :company_id and :date::date is null
                union all
                select m.item_id, m.storage_id, m.on_hand
                from stock_movements m
                where m.company_id = :company_id and m.date <= :date::date
              ) x
              where :storage_id::bigint is null or x.storage_id = :storage_id
              group by x.item_id
            ) a on a.item_id = i.id
        ) on i.id = page.key_0
          and v.storage_id = page.key_1
        join units n on n.company_id = :company_id and n.id = i.unit_id
        where i.company_id = :company_id
          and (
            v.on_hand <> 0
              or v.reserved <> 0
              or v.in_transit <> 0
              or coalesce(v.value, 0) <> 0
              or (i.deleted_at is null and t.deleted_at is null)
          )
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"total_cost":',
        trim_scale(round(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0), 2)),
        '}'
    ) as sums,
    concat('{"all":', coalesce(sum(each_group.entries) filter (where true), 0)::text, '}') as counts
  from (
    select each_group.*, each_group.is_shown as is_summed
    from (
      select each_group.*, true as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select 0 as met,
            (coalesce(v.value, v.on_hand * coalesce(v.cost, k.average, 0)) + v.transit_value) as term_0
          from (
            select x.item_id,
              case when :by::text = 'item' then 0 else x.storage_id end as storage_id,
              sum(x.on_hand) as on_hand,
              sum(x.reserved) as reserved,
              sum(x.in_transit) as in_transit,
              sum(x.transit_value) as transit_value,
              max(x.cost) as cost,
              sum(x.value) as value
            from (
              select l.item_id,
                l.storage_id,
                l.on_hand,
                l.reserved,
                0 as in_transit,
                0 as transit_value,
                null::numeric as cost,
                null::numeric as value
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select d.item_id, d.storage_id, d.on_hand, d.reserved, 0, 0, d.cost, d.value
              from (
                select x.item_id,
                  x.storage_id,
                  x.on_hand,
                  x.reserved,
                  case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
                  x.share + case
                    when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
                    else 0
                    end as value
                from (
                  select y.*,
                    case
                      when y.all_on_hand = 0 then 0
                      else round(y.all_value * y.on_hand / y.all_on_hand, 6)
                      end as share
                  from (
                    select m.item_id,
                      m.storage_id,
                      sum(m.on_hand) as on_hand,
                      sum(m.reserved) as reserved,
                      sum(sum(m.on_hand)) over item as all_on_hand,
                      sum(sum(m.value)) over item as all_value,
                      row_number() over (partition by m.item_id order by m.storage_id) as place
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                    group by m.item_id, m.storage_id window item as (partition by m.item_id)
                  ) y
                ) x
              ) d
              union all
              select q.item_id, q.storage_id, 0, 0, q.amount, q.value, null, null
              from (
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and d.status = 1 and :date::date is null
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
                union all
                select d.storage_to_id as storage_id,
                  m.item_id,
                  -sum(m.on_hand) as amount,
                  -sum(m.value) as value
                from transfers d
                join stock_movements m on m.company_id = :company_id
                  and m.section = 'transfers'
                  and m.document_id = d.id
                  and m.kind = 'move'
                where d.company_id = :company_id and :date::date is not null and m.date <= :date::date
                group by d.storage_to_id, m.item_id
                having sum(m.on_hand) <> 0
              ) q
              union all
              select w.id,
                case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
                0,
                0,
                0,
                0,
                null,
                null
              from items w
              join companies c on c.company_id = :company_id
              where w.company_id = :company_id
                and w.kind <> 'resource'
                and w.deleted_at is null
                and (:by::text = 'item' or (:only::text = 'low' and w.min_amount > 0))
                and w.id not in (
                  select a.item_id
                  from (
                    select l.item_id, l.storage_id, l.on_hand
                    from stock_levels l
                    where l.company_id = :company_id and :date::date is null
                    union all
                    select m.item_id, m.storage_id, m.on_hand
                    from stock_movements m
                    where m.company_id = :company_id and m.date <= :date::date
                  ) a
                )
            ) x (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by 1, 2
          ) v
          join items i on i.company_id = :company_id and i.id = v.item_id
          left join storages t on t.company_id = :company_id and t.id = v.storage_id
          left join item_costs k on k.company_id = :company_id and k.item_id = i.id
          left join (
            select x.item_id, sum(x.on_hand) as on_hand
            from (
              select l.item_id, l.storage_id, l.on_hand
              from stock_levels l
              where l.company_id = :company_id and :date::date is null
              union all
              select m.item_id, m.storage_id, m.on_hand
              from stock_movements m
              where m.company_id = :company_id and m.date <= :date::date
            ) x
            where :storage_id::bigint is null or x.storage_id = :storage_id
            group by x.item_id
          ) a on a.item_id = i.id
          where i.company_id = :company_id
            and (
              v.on_hand <> 0
                or v.reserved <> 0
                or v.in_transit <> 0
                or coalesce(v.value, 0) <> 0
                or (i.deleted_at is null and t.deleted_at is null)
            )
            and case
              when :is_unfiltered::boolean then true
              when (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
            and (:ids::bigint[] is null or i.id = any(:ids))
            and true
            and true
            and (
              :only::text is null
                or case :only
                  when 'positive' then v.on_hand > 0
                  when 'negative' then v.on_hand < 0
                  when 'low' then (i.min_amount > 0 and coalesce(a.on_hand, 0) < i.min_amount)
                  else true
                  end
            )
            and true
            and (:type::text is null or (i.kind || 's') = :type)
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

-- stock.browse.by_type_asc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by i.kind, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.browse.by_type_desc
-- parameters: company_id, by, date, only, storage_id, is_unfiltered, search, ids, type, category_id, limit, offset
-- sent by: stock/browse
-- as stock.browse.by_amount_asc, but order by i.kind desc, i.name_key, i.id, t.name collate "C", v.storage_id

-- stock.change_levels
-- parameters: company_id, seq, storage_id, item_id, on_hand, reserved
-- sent by: audits/add, audits/delete, audits/edit, audits/update_status, example_data/add, example_data/delete, orders/add, orders/delete, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_status, productions/add, productions/delete, productions/edit, productions/update_status, purchases/add, purchases/delete, purchases/edit, purchases/receive_part, purchases/undo_receipt, purchases/update_status, quotes/accept, quotes/accept_shared, skipped_lines/assign, skipped_lines/undo, the runner of imports, transfers/add, transfers/delete, transfers/edit, transfers/update_status, writeoffs/add, writeoffs/delete, writeoffs/edit
insert into stock_levels (company_id, seq, storage_id, item_id, on_hand, reserved)
select c.company_id, :seq, x.storage_id, x.item_id, x.on_hand, x.reserved
from company_clock c
cross join unnest(
  :storage_id::bigint[], :item_id::bigint[], :on_hand::numeric[], :reserved::numeric[]
) as x (storage_id, item_id, on_hand, reserved)
where c.company_id = :company_id
on conflict (company_id, storage_id, item_id) do update
set on_hand = stock_levels.on_hand + excluded.on_hand,
  reserved = stock_levels.reserved + excluded.reserved,
  seq = excluded.seq;

-- stock.change_levels.rows_8
-- a variant of stock.change_levels; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into stock_levels (company_id, seq, storage_id, item_id, on_hand, reserved)
values (:company_id, :seq, :storage_id_1, :item_id_1, :on_hand_1, :reserved_1),
  (:company_id, :seq, :storage_id_2, :item_id_2, :on_hand_2, :reserved_2),
  (:company_id, :seq, :storage_id_3, :item_id_3, :on_hand_3, :reserved_3),
  (:company_id, :seq, :storage_id_4, :item_id_4, :on_hand_4, :reserved_4),
  (:company_id, :seq, :storage_id_5, :item_id_5, :on_hand_5, :reserved_5),
  (:company_id, :seq, :storage_id_6, :item_id_6, :on_hand_6, :reserved_6),
  (:company_id, :seq, :storage_id_7, :item_id_7, :on_hand_7, :reserved_7),
  (:company_id, :seq, :storage_id_8, :item_id_8, :on_hand_8, :reserved_8)
on conflict (company_id, storage_id, item_id) do update
set on_hand = stock_levels.on_hand + excluded.on_hand,
  reserved = stock_levels.reserved + excluded.reserved,
  seq = excluded.seq;

-- stock.changes
-- parameters: company_id, after, limit
-- sent by: stock/get_changes
with clock as materialized (select k.seq, k.epoch from company_clock k where k.company_id = :company_id),
  first as materialized (
    select coalesce(l.seq, l.item_id) as seq
    from stock_levels l
    where l.company_id = :company_id
      and coalesce(l.seq, l.item_id) > :after
      and :after < (select k.seq from clock k)
    order by coalesce(l.seq, l.item_id)
    limit :limit
  ),
  cut as materialized (
    select case when max(f.seq) < (select k.seq from clock k) then max(f.seq) else 9007199254740991 end as seq
    from first f
    having count(*) > 0
  ),
  page as materialized (
    select l.item_id, l.storage_id, l.on_hand, l.reserved, coalesce(l.seq, l.item_id) as seq
    from stock_levels l
    where l.company_id = :company_id
      and coalesce(l.seq, l.item_id) > :after
      and coalesce(l.seq, l.item_id) <= (select c.seq from cut c)
  ),
  rest as materialized (
    select coalesce(l.seq, l.item_id) as seq
    from stock_levels l
    where l.company_id = :company_id and coalesce(l.seq, l.item_id) > (select c.seq from cut c)
    order by coalesce(l.seq, l.item_id)
    limit 1
  ),
  shown as (
    select c.*,
      coalesce(q.amount, 0) as in_transit,
      coalesce(q.value, 0) as transit_value,
      null::numeric as cost,
      null::numeric as value
    from page c
    left join (
      select d.storage_to_id as storage_id, m.item_id, -sum(m.on_hand) as amount, -sum(m.value) as value
      from transfers d
      join stock_movements m on m.company_id = :company_id
        and m.section = 'transfers'
        and m.document_id = d.id
        and m.kind = 'move'
      where d.company_id = :company_id and d.status = 1
      group by d.storage_to_id, m.item_id
      having sum(m.on_hand) <> 0
    ) q on q.item_id = c.item_id
      and q.storage_id = c.storage_id
  )
select (
  select coalesce(
    string_agg(
      concat(
        '{"type":',
          to_json((i.kind || 's')),
          ',"id":',
          i.id,
          ',"sku":',
          to_json(i.sku),
          ',"name":',
          to_json(i.name),
          ',"unit":',
          to_json(n.name),
          ',"storage_id":',
          p.storage_id,
          ',"storage_name":',
          to_json(t.name),
          ',"amount":',
          trim_scale(p.on_hand),
          ',"reserved":',
          trim_scale(p.reserved),
          ',"available":',
          trim_scale((p.on_hand - p.reserved)),
          ',"in_transit":',
          trim_scale(p.in_transit),
          ',"min_amount":',
          trim_scale(i.min_amount),
          ',"cost":',
          trim_scale(coalesce(p.cost, k.average, 0)),
          ',"total_cost":',
          trim_scale(round(coalesce(p.value, p.on_hand * coalesce(k.average, 0)) + p.transit_value, 2)),
          '}'
      ),
        ',' order by p.seq,
        i.kind,
        i.name_key,
        i.id,
        t.id
    ),
      ''
  )
  from shown p
  join items i on i.company_id = :company_id and i.id = p.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  join storages t on t.company_id = :company_id and t.id = p.storage_id
  left join item_costs k on k.company_id = :company_id and k.item_id = i.id
) as rows,
  r.seq is not null as more,
  case when r.seq is not null then (select c.seq from cut c) else greatest(:after, k.seq) end as next,
  k.epoch::text as epoch,
  k.seq as last
from clock k
left join rest r on true;

-- stock.changes_under_way
-- parameters: company_id
-- sent by: units/add
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"item_id":',
          i.id,
          ',"type":',
          to_json(i.kind),
          ',"sku":',
          to_json(i.sku),
          ',"name":',
          to_json(i.name),
          ',"unit":',
          to_json(u.name),
          ',"storage_id":',
          s.id,
          ',"storage_name":',
          to_json(s.name),
          ',"on_hand":',
          trim_scale(x.on_hand),
          ',"reserved":',
          trim_scale(x.reserved),
          '}'
      ),
        ',' order by i.name,
        i.id,
        s.id
    )
      || ']'
    from (
      select m.item_id, m.storage_id, sum(m.on_hand) as on_hand, sum(m.reserved) as reserved
      from stock_movements m
      where m.company_id = :company_id
        and m.id > (select k.last_movement_id from company_clock k where k.company_id = :company_id)
      group by m.item_id, m.storage_id
      having sum(m.on_hand) <> 0 or sum(m.reserved) <> 0
    ) x
    join items i on i.company_id = :company_id and i.id = x.item_id
    join units u on u.company_id = :company_id and u.id = i.unit_id
    join storages s on s.company_id = :company_id and s.id = x.storage_id
  ),
    '[]'
) as effect;

-- stock.insert_movements
-- parameters: company_id, seq, section, document_id, recorded_at, id, kind, part, storage_id, item_id, date, on_hand, reserved, value
-- sent by: audits/add, audits/delete, audits/edit, audits/update_status, example_data/add, example_data/delete, orders/add, orders/delete, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_status, productions/add, productions/delete, productions/edit, productions/update_status, purchases/add, purchases/delete, purchases/edit, purchases/receive_part, purchases/undo_receipt, purchases/update_status, quotes/accept, quotes/accept_shared, skipped_lines/assign, skipped_lines/undo, the runner of imports, transfers/add, transfers/delete, transfers/edit, transfers/update_status, writeoffs/add, writeoffs/delete, writeoffs/edit
insert into stock_movements (
  company_id,
    seq,
    section,
    document_id,
    recorded_at,
    id,
    kind,
    part,
    storage_id,
    item_id,
    date,
    on_hand,
    reserved,
    value
)
select c.company_id,
  :seq,
  :section,
  :document_id,
  :recorded_at,
  x.id,
  x.kind,
  x.part,
  x.storage_id,
  x.item_id,
  x.date,
  x.on_hand,
  x.reserved,
  x.value
from company_clock c
cross join unnest(
  :id::bigint[],
    :kind::text[],
    :part::smallint[],
    :storage_id::bigint[],
    :item_id::bigint[],
    :date::date[],
    :on_hand::numeric[],
    :reserved::numeric[],
    :value::numeric[]
) as x (id, kind, part, storage_id, item_id, date, on_hand, reserved, value)
where c.company_id = :company_id;

-- stock.insert_movements.rows_8
-- a variant of stock.insert_movements; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into stock_movements (
  company_id,
    seq,
    section,
    document_id,
    recorded_at,
    id,
    kind,
    part,
    storage_id,
    item_id,
    date,
    on_hand,
    reserved,
    value
)
values (
  :company_id,
    :seq,
    :section,
    :document_id,
    :recorded_at,
    :id_1,
    :kind_1,
    :part_1,
    :storage_id_1,
    :item_id_1,
    :date_1,
    :on_hand_1,
    :reserved_1,
    :value_1
),
  (
    :company_id,
      :seq,
      :section,
      :document_id,
      :recorded_at,
      :id_2,
      :kind_2,
      :part_2,
      :storage_id_2,
      :item_id_2,
      :date_2,
      :on_hand_2,
      :reserved_2,
      :value_2
  ),
  (
    :company_id,
      :seq,
      :section,
      :document_id,
      :recorded_at,
      :id_3,
      :kind_3,
      :part_3,
      :storage_id_3,
      :item_id_3,
      :date_3,
      :on_hand_3,
      :reserved_3,
      :value_3
  ),
  (
    :company_id,
      :seq,
      :section,
      :document_id,
      :recorded_at,
      :id_4,
      :kind_4,
      :part_4,
      :storage_id_4,
      :item_id_4,
      :date_4,
      :on_hand_4,
      :reserved_4,
      :value_4
  ),
  (
    :company_id,
      :seq,
      :section,
      :document_id,
      :recorded_at,
      :id_5,
      :kind_5,
      :part_5,
      :storage_id_5,
      :item_id_5,
      :date_5,
      :on_hand_5,
      :reserved_5,
      :value_5
  ),
  (
    :company_id,
      :seq,
      :section,
      :document_id,
      :recorded_at,
      :id_6,
      :kind_6,
      :part_6,
      :storage_id_6,
      :item_id_6,
      :date_6,
      :on_hand_6,
      :reserved_6,
      :value_6
  ),
  (
    :company_id,
      :seq,
      :section,
      :document_id,
      :recorded_at,
      :id_7,
      :kind_7,
      :part_7,
      :storage_id_7,
      :item_id_7,
      :date_7,
      :on_hand_7,
      :reserved_7,
      :value_7
  ),
  (
    :company_id,
      :seq,
      :section,
      :document_id,
      :recorded_at,
      :id_8,
      :kind_8,
      :part_8,
      :storage_id_8,
      :item_id_8,
      :date_8,
      :on_hand_8,
      :reserved_8,
      :value_8
  );

-- stock.levels_under_way
-- parameters: company_id
-- sent by: units/add
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"type":',
          to_json(i.kind),
          ',"id":',
          i.id,
          ',"storage_id":',
          x.storage_id,
          ',"on_hand":',
          concat('[', trim_scale(l.on_hand - x.on_hand)::text, ',', trim_scale(l.on_hand)::text, ']'),
          ',"reserved":',
          concat('[', trim_scale(l.reserved - x.reserved)::text, ',', trim_scale(l.reserved)::text, ']'),
          '}'
      ),
        ',' order by i.id,
        x.storage_id
    )
      || ']'
    from (
      select m.item_id, m.storage_id, sum(m.on_hand) as on_hand, sum(m.reserved) as reserved
      from stock_movements m
      where m.company_id = :company_id
        and m.id > (select k.last_movement_id from company_clock k where k.company_id = :company_id)
      group by m.item_id, m.storage_id
      having sum(m.on_hand) <> 0 or sum(m.reserved) <> 0
    ) x
    join items i on i.company_id = :company_id and i.id = x.item_id
    join stock_levels l on l.company_id = :company_id
      and l.item_id = x.item_id
      and l.storage_id = x.storage_id
  ),
    '[]'
) as effect;

-- stock.list
-- parameters: company_id, day, only, type, storage_id, category_id, ids, skus, search, updated_after, limit, offset
-- sent by: stock/get_list
with matching as materialized (
  select v.item_id,
    v.storage_id,
    v.on_hand,
    v.reserved,
    v.in_transit,
    v.transit_value,
    v.cost,
    v.value,
    i.kind as key0,
    i.name_key as key1,
    i.id as key2,
    t.name collate "C" as key3,
    t.id as key4
  from (
    select coalesce(l.item_id, q.item_id),
      coalesce(l.storage_id, q.storage_id),
      coalesce(l.on_hand, 0),
      coalesce(l.reserved, 0),
      coalesce(q.amount, 0),
      coalesce(q.value, 0),
      l.cost,
      l.value
    from (
      select l.item_id, l.storage_id, l.on_hand, l.reserved, null::numeric as cost, null::numeric as value
      from stock_levels l
      where l.company_id = :company_id and :day::date is null
      union all
      select x.item_id,
        x.storage_id,
        x.on_hand,
        x.reserved,
        case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
        x.share + case
          when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id)
          else 0
          end as value
      from (
        select y.*,
          case
            when y.all_on_hand = 0 then 0
            else round(y.all_value * y.on_hand / y.all_on_hand, 6)
            end as share
        from (
          select m.item_id,
            m.storage_id,
            sum(m.on_hand) as on_hand,
            sum(m.reserved) as reserved,
            sum(sum(m.on_hand)) over item as all_on_hand,
            sum(sum(m.value)) over item as all_value,
            row_number() over (partition by m.item_id order by m.storage_id) as place
          from stock_movements m
          where m.company_id = :company_id and m.date <= :day::date
          group by m.item_id, m.storage_id window item as (partition by m.item_id)
        ) y
      ) x
    ) l full
    join (
      select d.storage_to_id as storage_id, m.item_id, -sum(m.on_hand) as amount, -sum(m.value) as value
      from transfers d
      join stock_movements m on m.company_id = :company_id
        and m.section = 'transfers'
        and m.document_id = d.id
        and m.kind = 'move'
      where d.company_id = :company_id and d.status = 1 and :day::date is null
      group by d.storage_to_id, m.item_id
      having sum(m.on_hand) <> 0
      union all
      select d.storage_to_id as storage_id, m.item_id, -sum(m.on_hand) as amount, -sum(m.value) as value
      from transfers d
      join stock_movements m on m.company_id = :company_id
        and m.section = 'transfers'
        and m.document_id = d.id
        and m.kind = 'move'
      where d.company_id = :company_id and :day::date is not null and m.date <= :day::date
      group by d.storage_to_id, m.item_id
      having sum(m.on_hand) <> 0
    ) q on q.item_id = l.item_id
      and q.storage_id = l.storage_id
    union all
    select w.id,
      case w.kind when 'product' then c.products_storage_id else c.materials_storage_id end,
      0,
      0,
      0,
      0,
      null,
      null
    from items w
    join companies c on c.company_id = :company_id
    where w.company_id = :company_id
      and :only = 'low'
      and w.kind <> 'resource'
      and w.min_amount > 0
      and w.deleted_at is null
      and not exists (
        select
        from (
          select l.company_id, l.item_id, l.storage_id, l.on_hand, l.reserved
          from stock_levels l
          where l.company_id = :company_id and :day::date is null
          union all
          select m.company_id, m.item_id, m.storage_id, sum(m.on_hand), sum(m.reserved)
          from stock_movements m
          where m.company_id = :company_id and m.date <= :day::date
          group by m.company_id, m.item_id, m.storage_id
        ) a
        where a.item_id = w.id
      )
  ) v (item_id, storage_id, on_hand, reserved, in_transit, transit_value, cost, value)
  join items i on i.company_id = :company_id and i.id = v.item_id
  join storages t on t.company_id = :company_id and t.id = v.storage_id
  where case
    when (
      (i.deleted_at is null and t.deleted_at is null)
        or v.on_hand <> 0
        or v.reserved <> 0
        or v.in_transit <> 0
        or coalesce(v.value, 0) <> 0
    )
    and (:type::text is null or (i.kind || 's') = :type)
    and (:storage_id::bigint is null or t.id = :storage_id)
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
    and (:ids::bigint[] is null or i.id = any(:ids))
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
    and (
      :only::text is null
        or :only = 'all'
        or (:only = 'positive' and v.on_hand > 0)
        or (:only = 'negative' and v.on_hand < 0)
        or (
          :only = 'low'
            and i.id in (
              select w.id
              from items w
              left join (
                select l.company_id, l.item_id, l.storage_id, l.on_hand, l.reserved
                from stock_levels l
                where l.company_id = :company_id and :day::date is null
                union all
                select m.company_id, m.item_id, m.storage_id, sum(m.on_hand), sum(m.reserved)
                from stock_movements m
                where m.company_id = :company_id and m.date <= :day::date
                group by m.company_id, m.item_id, m.storage_id
              ) a on a.item_id = w.id
                and (:storage_id::bigint is null or a.storage_id = :storage_id)
              where w.company_id = :company_id and w.min_amount > 0
              group by w.id, w.min_amount
              having coalesce(sum(a.on_hand), 0) < w.min_amount
            )
        )
    )
    and (:search::text is null or coalesce(i.search_key, i.found_by) like :search)
    and (
      :updated_after::timestamptz is null
        or (v.storage_id, v.item_id) in (
          select m.storage_id, m.item_id
          from stock_movements m
          where m.company_id = :company_id
            and m.id > coalesce(
              (
                select e.id
                from stock_movements e
                where e.company_id = :company_id and e.recorded_at <= :updated_after
                order by e.id desc
                limit 1
              ),
                0
            )
        )
    ) then true
      else false
      end
),
  page as materialized (
    select a.*
    from matching a
    order by a.key0, a.key1, a.key2, a.key3, a.key4
    limit :limit
    offset :offset
  )
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
          '{"type":',
            to_json((i.kind || 's')),
            ',"id":',
            i.id,
            ',"sku":',
            to_json(i.sku),
            ',"name":',
            to_json(i.name),
            ',"unit":',
            to_json(n.name),
            ',"storage_id":',
            p.storage_id,
            ',"storage_name":',
            to_json(t.name),
            ',"amount":',
            trim_scale(p.on_hand),
            ',"reserved":',
            trim_scale(p.reserved),
            ',"available":',
            trim_scale((p.on_hand - p.reserved)),
            ',"in_transit":',
            trim_scale(p.in_transit),
            ',"min_amount":',
            trim_scale(i.min_amount),
            ',"cost":',
            trim_scale(coalesce(p.cost, k.average, 0)),
            ',"total_cost":',
            trim_scale(round(coalesce(p.value, p.on_hand * coalesce(k.average, 0)) + p.transit_value, 2)),
            '}'
        ) as json
        from page p
        join items i on i.company_id = :company_id and i.id = p.item_id
        join units n on n.company_id = :company_id and n.id = i.unit_id
        join storages t on t.company_id = :company_id and t.id = p.storage_id
        left join item_costs k on k.company_id = :company_id and k.item_id = i.id
        order by p.key0, p.key1, p.key2, p.key3, p.key4
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- stock.movements
-- parameters: company_id, type, item_id, skus, storage_id, date_from, date_to, search, updated_after, ids, limit, offset
-- sent by: stock/get_movements
with matching as materialized (
  select m.id, m.date, m.item_id, m.storage_id
  from stock_movements m
  join items i on i.company_id = :company_id and i.id = m.item_id
  where m.company_id = :company_id
    and m.on_hand <> 0
    and (:type::text is null or (i.kind || 's') = :type)
    and (:item_id::bigint is null or m.item_id = :item_id)
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
    and (:storage_id::bigint is null or m.storage_id = :storage_id)
    and (:date_from::date is null or m.date >= :date_from)
    and (:date_to::date is null or m.date <= :date_to)
    and (
      :search::text is null
        or coalesce(i.search_key, i.found_by) like :search
        or (
          m.section = 'sales'
            and m.document_id in (
              select d.id
              from sales d
              where d.company_id = :company_id
                and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
        or (
          m.section = 'purchases'
            and m.document_id in (
              select d.id
              from purchases d
              where d.company_id = :company_id
                and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
        or (
          m.section = 'productions'
            and m.document_id in (
              select d.id
              from productions d
              where d.company_id = :company_id
                and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
        or (
          m.section = 'writeoffs'
            and m.document_id in (
              select d.id
              from writeoffs d
              where d.company_id = :company_id
                and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
        or (
          m.section = 'transfers'
            and m.document_id in (
              select d.id
              from transfers d
              where d.company_id = :company_id
                and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
        or (
          m.section = 'audits'
            and m.document_id in (
              select d.id
              from audits d
              where d.company_id = :company_id
                and replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
    )
    and (
      :updated_after::timestamptz is null
        or m.id > coalesce(
          (
            select e.id
            from stock_movements e
            where e.company_id = :company_id and e.recorded_at <= :updated_after
            order by e.id desc
            limit 1
          ),
            0
        )
    )
    and (:ids::bigint[] is null or m.item_id = any(:ids))
),
  page as materialized (
    select a.*
    from matching a
    order by a.date desc, a.id desc
    limit :limit
    offset :offset
  ),
  oldest as materialized (
    select distinct on (p.item_id, p.storage_id) p.*
    from page p
    order by p.item_id, p.storage_id, p.date, p.id
  ),
  balances as (
    select b.*,
      l.on_hand - coalesce(
        sum(b.on_hand) over (
          partition by b.item_id,
            b.storage_id order by b.date desc,
            b.id desc rows between unbounded preceding and 1 preceding
        ),
          0
      ) as balance
    from oldest o
    join stock_levels l on l.company_id = :company_id
      and l.item_id = o.item_id
      and l.storage_id = o.storage_id
    join stock_movements b on b.company_id = :company_id
      and b.item_id = o.item_id
      and b.storage_id = o.storage_id
      and (b.date, b.id) >= (o.date, o.id)
  )
select (select count(*) from matching) as total,
  (
    select coalesce(
      string_agg(
        concat(
          '{"id":',
            m.id,
            ',"date":',
            to_json(m.date),
            ',"recorded_at":',
            to_char(m.recorded_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"type":',
            to_json((i.kind || 's')),
            ',"item_id":',
            m.item_id,
            ',"sku":',
            to_json(i.sku),
            ',"storage_id":',
            m.storage_id,
            ',"change":',
            trim_scale(m.on_hand),
            ',"balance_after":',
            trim_scale(m.balance),
            ',"unit_cost":',
            trim_scale(round(m.value / m.on_hand, 6)),
            ',"document":',
            concat(
              '{"section":',
                to_json(
                  case m.section
                    when 'sales' then 'orders'
                    when 'purchases' then 'purchases'
                    when 'productions' then 'productions'
                    when 'writeoffs' then 'writeoffs'
                    when 'transfers' then 'transfers'
                    when 'audits' then 'audits'
                    else m.section
                    end
                ),
                ',"id":',
                m.document_id,
                ',"num":',
                coalesce(
                  to_json(
                    case m.section
                      when 'sales' then (
                        select d.num
                        from sales d
                        where d.company_id = :company_id and d.id = m.document_id
                      )
                      when 'purchases' then (
                        select d.num
                        from purchases d
                        where d.company_id = :company_id and d.id = m.document_id
                      )
                      when 'productions' then (
                        select d.num
                        from productions d
                        where d.company_id = :company_id and d.id = m.document_id
                      )
                      when 'writeoffs' then (
                        select d.num
                        from writeoffs d
                        where d.company_id = :company_id and d.id = m.document_id
                      )
                      when 'transfers' then (
                        select d.num
                        from transfers d
                        where d.company_id = :company_id and d.id = m.document_id
                      )
                      when 'audits' then (
                        select d.num
                        from audits d
                        where d.company_id = :company_id and d.id = m.document_id
                      )
                      end
                  )::text,
                    'null'
                ),
                '}'
            ),
            ',"request_id":',
            coalesce(
              to_json(
                (select e.request_id from events e where e.company_id = :company_id and e.seq = m.seq)
              )::text,
                'null'
            ),
            '}'
        ),
          ',' order by m.date desc,
          m.id desc
      ),
        ''
    )
    from (select b.* from balances b where (b.id in (select p.id from page p)) is true) m
    join items i on i.company_id = :company_id and i.id = m.item_id
  ) as rows;

-- stock.reserved
-- parameters: company_id, item_id, storage_id
-- sent by: stock/get_reserved
select coalesce(
  string_agg(
    concat(
      '{"order_id":',
        h.document_id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"date_placed":',
        to_json(d.date_placed),
        ',"customer_name":',
        to_json(c.name),
        ',"storage_id":',
        h.storage_id,
        ',"storage_name":',
        to_json(t.name),
        ',"amount":',
        trim_scale(h.amount),
        '}'
    ),
      ',' order by d.date_placed,
      d.num,
      d.id,
      t.name
  ) filter (where h.place <= 500),
    ''
) as rows,
  trim_scale(coalesce(sum(h.amount), 0))::text as total
from (
  select m.document_id,
    m.storage_id,
    sum(m.reserved) as amount,
    row_number() over (order by m.document_id, m.storage_id) as place
  from stock_movements m
  where m.company_id = :company_id
    and m.item_id = :item_id
    and m.section = 'sales'
    and m.reserved <> 0
    and (:storage_id::bigint is null or m.storage_id = :storage_id)
  group by m.document_id, m.storage_id
  having sum(m.reserved) <> 0
) h
join sales d on d.company_id = :company_id and d.id = h.document_id
join customers c on c.company_id = :company_id and c.id = d.customer_id
join storages t on t.company_id = :company_id and t.id = h.storage_id;

-- stock.set_costs
-- parameters: company_id, item_id, on_hand, value, average
-- sent by: audits/add, audits/delete, audits/edit, audits/update_status, example_data/add, example_data/delete, orders/add, orders/delete, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_status, productions/add, productions/delete, productions/edit, productions/update_status, purchases/add, purchases/delete, purchases/edit, purchases/receive_part, purchases/undo_receipt, purchases/update_status, the runner of imports, transfers/add, transfers/delete, transfers/edit, transfers/update_status, writeoffs/add, writeoffs/delete, writeoffs/edit
insert into item_costs (company_id, item_id, on_hand, value, average)
select c.company_id, x.item_id, x.on_hand, x.value, x.average
from company_clock c
cross join unnest(
  :item_id::bigint[], :on_hand::numeric[], :value::numeric[], :average::numeric[]
) as x (item_id, on_hand, value, average)
where c.company_id = :company_id
on conflict (company_id, item_id) do update
set on_hand = excluded.on_hand, value = excluded.value, average = excluded.average;

-- stock.set_costs.rows_8
-- a variant of stock.set_costs; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into item_costs (company_id, item_id, on_hand, value, average)
values (:company_id, :item_id_1, :on_hand_1, :value_1, :average_1),
  (:company_id, :item_id_2, :on_hand_2, :value_2, :average_2),
  (:company_id, :item_id_3, :on_hand_3, :value_3, :average_3),
  (:company_id, :item_id_4, :on_hand_4, :value_4, :average_4),
  (:company_id, :item_id_5, :on_hand_5, :value_5, :average_5),
  (:company_id, :item_id_6, :on_hand_6, :value_6, :average_6),
  (:company_id, :item_id_7, :on_hand_7, :value_7, :average_7),
  (:company_id, :item_id_8, :on_hand_8, :value_8, :average_8)
on conflict (company_id, item_id) do update
set on_hand = excluded.on_hand, value = excluded.value, average = excluded.average;

-- stock.shortages
-- parameters: company_id, limit
-- sent by: the sender of mails
select i.name,
  i.sku,
  n.name as unit,
  trim_scale(coalesce(v.on_hand, 0))::text as on_hand,
  trim_scale(i.min_amount)::text as min_amount,
  count(*) over () as total
from items i
join units n on n.company_id = :company_id and n.id = i.unit_id
left join (
  select l.item_id, sum(l.on_hand) as on_hand
  from stock_levels l
  where l.company_id = :company_id
  group by l.item_id
) v on v.item_id = i.id
where i.company_id = :company_id
  and i.deleted_at is null
  and i.kind <> 'resource'
  and i.min_amount > 0
  and coalesce(v.on_hand, 0) < i.min_amount
order by i.name_key, i.id
limit :limit;
