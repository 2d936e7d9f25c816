-- productions.board
-- parameters: company_id
-- sent by: productions/board
with lacking as materialized (
  select w.production_id, w.item_id, w.needed, w.there as available, w.needed - w.there as short
  from (
    select n.production_id,
      n.item_id,
      n.needed,
      greatest(
        coalesce(v.on_hand - v.reserved, 0) - (
          sum(n.needed) over (
            partition by n.storage_id,
              n.item_id order by n.comes_later,
              n.date_planned nulls last,
              n.date_placed,
              n.production_id
          ) - n.needed
        ),
          0
      ) as there
    from (
      select p.id as production_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end as storage_id,
        u.item_id,
        sum(u.amount) as needed,
        p.status = 0 as comes_later,
        p.date_planned,
        p.date_placed
      from productions p
      join production_uses u on u.company_id = :company_id and u.production_id = p.id
      join items i on i.company_id = :company_id and i.id = u.item_id and i.kind <> 'resource'
      where p.company_id = :company_id and p.status in (0, 1)
      group by p.id,
        u.item_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end,
        p.status,
        p.date_planned,
        p.date_placed
    ) n
    left join stock_levels v on v.company_id = :company_id
      and v.storage_id = n.storage_id
      and v.item_id = n.item_id
  ) w
  where w.needed > w.there
)
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          d.id,
          ',"num":',
          to_json(d.num),
          ',"order_id":',
          coalesce(d.sale_id::text, 'null'),
          ',"order_num":',
          coalesce(to_json(o.num)::text, 'null'),
          ',"customer_name":',
          coalesce(to_json(u.name)::text, 'null'),
          ',"date_planned":',
          coalesce(to_json(d.date_planned)::text, '""'),
          ',"date_done":',
          coalesce(to_json(coalesce(d.date_done, d.date_effective))::text, '""'),
          ',"products":',
          coalesce(
            (
              select '[' || string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(l.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by l.position
              )
                || ']'
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              join units n on n.company_id = :company_id and n.id = i.unit_id
              where l.company_id = :company_id and l.production_id = d.id
            ),
              '[]'
          ),
          ',"missing":',
          coalesce(
            (
              select '[' || string_agg(
                concat(
                  '{"item_id":',
                    k.item_id,
                    ',"name":',
                    to_json(i.name),
                    ',"unit":',
                    to_json(n.name),
                    ',"short":',
                    trim_scale(k.short),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              )
                || ']'
              from lacking k
              join items i on i.company_id = :company_id and i.id = k.item_id
              join units n on n.company_id = :company_id and n.id = i.unit_id
              where k.production_id = d.id
            ),
              '[]'
          ),
          '}'
      ),
        ',' order by d.date_planned nulls last,
        d.date_placed,
        d.id
    )
      || ']'
    from productions d
    left join sales o on o.company_id = :company_id and o.id = d.sale_id
    left join customers u on u.company_id = :company_id and u.id = o.customer_id
    where d.company_id = :company_id and d.status = 0
  ),
    '[]'
) as planned,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"id":',
            d.id,
            ',"num":',
            to_json(d.num),
            ',"order_id":',
            coalesce(d.sale_id::text, 'null'),
            ',"order_num":',
            coalesce(to_json(o.num)::text, 'null'),
            ',"customer_name":',
            coalesce(to_json(u.name)::text, 'null'),
            ',"date_planned":',
            coalesce(to_json(d.date_planned)::text, '""'),
            ',"date_done":',
            coalesce(to_json(coalesce(d.date_done, d.date_effective))::text, '""'),
            ',"products":',
            coalesce(
              (
                select '[' || string_agg(
                  concat(
                    '{"id":',
                      i.id,
                      ',"name":',
                      to_json(i.name),
                      ',"amount":',
                      trim_scale(l.amount),
                      ',"unit":',
                      to_json(n.name),
                      '}'
                  ),
                    ',' order by l.position
                )
                  || ']'
                from production_lines l
                join items i on i.company_id = :company_id and i.id = l.item_id
                join units n on n.company_id = :company_id and n.id = i.unit_id
                where l.company_id = :company_id and l.production_id = d.id
              ),
                '[]'
            ),
            ',"missing":',
            coalesce(
              (
                select '[' || string_agg(
                  concat(
                    '{"item_id":',
                      k.item_id,
                      ',"name":',
                      to_json(i.name),
                      ',"unit":',
                      to_json(n.name),
                      ',"short":',
                      trim_scale(k.short),
                      '}'
                  ),
                    ',' order by i.name_key,
                    i.id
                )
                  || ']'
                from lacking k
                join items i on i.company_id = :company_id and i.id = k.item_id
                join units n on n.company_id = :company_id and n.id = i.unit_id
                where k.production_id = d.id
              ),
                '[]'
            ),
            '}'
        ),
          ',' order by d.date_planned nulls last,
          d.date_placed,
          d.id
      )
        || ']'
      from productions d
      left join sales o on o.company_id = :company_id and o.id = d.sale_id
      left join customers u on u.company_id = :company_id and u.id = o.customer_id
      where d.company_id = :company_id and d.status = 1
    ),
      '[]'
  ) as in_progress,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"id":',
            d.id,
            ',"num":',
            to_json(d.num),
            ',"order_id":',
            coalesce(d.sale_id::text, 'null'),
            ',"order_num":',
            coalesce(to_json(o.num)::text, 'null'),
            ',"customer_name":',
            coalesce(to_json(u.name)::text, 'null'),
            ',"date_planned":',
            coalesce(to_json(d.date_planned)::text, '""'),
            ',"date_done":',
            coalesce(to_json(coalesce(d.date_done, d.date_effective))::text, '""'),
            ',"products":',
            coalesce(
              (
                select '[' || string_agg(
                  concat(
                    '{"id":',
                      i.id,
                      ',"name":',
                      to_json(i.name),
                      ',"amount":',
                      trim_scale(l.amount),
                      ',"unit":',
                      to_json(n.name),
                      '}'
                  ),
                    ',' order by l.position
                )
                  || ']'
                from production_lines l
                join items i on i.company_id = :company_id and i.id = l.item_id
                join units n on n.company_id = :company_id and n.id = i.unit_id
                where l.company_id = :company_id and l.production_id = d.id
              ),
                '[]'
            ),
            ',"missing":',
            coalesce(
              (
                select '[' || string_agg(
                  concat(
                    '{"item_id":',
                      k.item_id,
                      ',"name":',
                      to_json(i.name),
                      ',"unit":',
                      to_json(n.name),
                      ',"short":',
                      trim_scale(k.short),
                      '}'
                  ),
                    ',' order by i.name_key,
                    i.id
                )
                  || ']'
                from lacking k
                join items i on i.company_id = :company_id and i.id = k.item_id
                join units n on n.company_id = :company_id and n.id = i.unit_id
                where k.production_id = d.id
              ),
                '[]'
            ),
            '}'
        ),
          ',' order by d.date_effective desc,
          d.id desc
      )
        || ']'
      from productions d
      left join sales o on o.company_id = :company_id and o.id = d.sale_id
      left join customers u on u.company_id = :company_id and u.id = o.customer_id
      where d.company_id = :company_id
        and d.status = 3
        and d.date_effective >= (
          select (now() at time zone c.timezone)::date - 14
          from companies c
          where c.company_id = :company_id
        )
    ),
      '[]'
  ) as done;

-- productions.browse.by_amount_asc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
with lacking as materialized (
  select w.production_id, w.item_id, w.needed, w.there as available, w.needed - w.there as short
  from (
    select n.production_id,
      n.item_id,
      n.needed,
      greatest(
        coalesce(v.on_hand - v.reserved, 0) - (
          sum(n.needed) over (
            partition by n.storage_id,
              n.item_id order by n.comes_later,
              n.date_planned nulls last,
              n.date_placed,
              n.production_id
          ) - n.needed
        ),
          0
      ) as there
    from (
      select p.id as production_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end as storage_id,
        u.item_id,
        sum(u.amount) as needed,
        p.status = 0 as comes_later,
        p.date_planned,
        p.date_placed
      from productions p
      join production_uses u on u.company_id = :company_id and u.production_id = p.id
      join items i on i.company_id = :company_id and i.id = u.item_id and i.kind <> 'resource'
      where p.company_id = :company_id and p.status in (0, 1)
      group by p.id,
        u.item_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end,
        p.status,
        p.date_planned,
        p.date_placed
    ) n
    left join stock_levels v on v.company_id = :company_id
      and v.storage_id = n.storage_id
      and v.item_id = n.item_id
  ) w
  where w.needed > w.there
)
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
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_planned":',
            concat('"', d.date_planned, '"'),
            ',"date_done":',
            concat('"', d.date_done, '"'),
            ',"order_id":',
            coalesce(d.sale_id::text, 'null'),
            ',"order_num":',
            coalesce(to_json(o.num)::text, 'null'),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"cost":',
            trim_scale(d.cost),
            ',"notes":',
            to_json(d.notes),
            ',"products":',
            coalesce(
              to_json(
                (
                  select string_agg(i.name, ', ' order by l.position)
                  from production_lines l
                  join items i on i.company_id = :company_id and i.id = l.item_id
                  where l.company_id = :company_id and l.production_id = d.id
                )
              )::text,
                '""'
            ),
            ',"missing":',
            coalesce(
              case
                when d.status in (0, 1) then (
                  select count(*)
                  from lacking k
                  where k.production_id = d.id
                )::text
                end,
                'null'
            ),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from productions d
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or (
                      d.notes <> ''
                        and replace(
                          replace(
                            replace(
                              lower(
                                case
                                  when octet_length(d.notes) <= 2000 then d.notes
                                  else left(d.notes, 2000)
                                  end
                              ),
                                'ß',
                                'ss'
                            ),
                              'ς',
                              'σ'
                          ),
                            'i̇',
                            'i'
                        ) like :search
                        and (
                          strpos(d.notes, ' not found: ') = 0
                            or :search !~ '[0-9.-]'
                            or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                            or replace(
                              replace(
                                replace(
                                  lower(
                                    '' || regexp_replace(
                                      d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                    )
                                  ),
                                    'ß',
                                    'ss'
                                ),
                                  'ς',
                                  'σ'
                              ),
                                'i̇',
                                'i'
                            ) like :search
                        )
                    )
                    or d.sale_id in (
                      select q.id
                      from sales q
                      where q.company_id = :company_id
                        and replace(
                          replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'
                        ) like :search
                    )
                    or d.id in (
                      select l.production_id
                      from production_lines l
                      join items i on i.company_id = :company_id and i.id = l.item_id
                      where l.company_id = :company_id and coalesce(i.search_key, i.found_by) like :search
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:order_id::bigint is null or d.sale_id = :order_id)
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.production_id
                    from production_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and case :cut::text
                when 'all' then true
                when 'open' then d.status in (0, 1)
                when 'done' then d.status = 3
                when 'canceled' then d.status = 4
                end
            order by case when d.lines > 1
              and exists (select from items c where c.company_id = :company_id and c.unit_changed) then case
                when (
                  select range_agg(int8range(m.id, m.id, '[]'))
                  from (
                    select l.production_id as id
                    from production_lines l
                    join items i on i.company_id = :company_id and i.id = l.item_id
                    where l.company_id = :company_id
                    group by l.production_id
                    having min(i.unit_id) <> max(i.unit_id)
                  ) m
                ) @> d.id then null
                else coalesce(
                  d.amount,
                    (
                      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
                      from production_lines l
                      join items i on i.company_id = :company_id and i.id = l.item_id
                      where l.company_id = :company_id and l.production_id = d.id
                    )
                )
                end
                else d.amount
                end nulls last,
              d.listed,
              d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join productions d on d.id = page.key_0
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        where d.company_id = :company_id
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"cost":', trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)), '}'
    ) as sums,
    concat(
      '{"open":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 1 <> 0)), 0)::text,
        ',"done":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 2 <> 0)), 0)::text,
        ',"canceled":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 4 <> 0)), 0)::text,
        ',"all":',
        coalesce(sum(each_group.entries) filter (where true), 0)::text,
        '}'
    ) as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 8 <> 0) or not bool_or(each_group.is_shown and (each_group.met & 8 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*,
        case :cut::text
          when 'all' then true
          when 'open' then (each_group.met & 1 <> 0)
          when 'done' then (each_group.met & 2 <> 0)
          when 'canceled' then (each_group.met & 4 <> 0)
          end as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select case
            when d.status in (0, 1) then 1
            else 0
            end + case
            when d.status = 3 then 2
            else 0
            end + case
            when d.status = 4 then 4
            else 0
            end + case
            when d.status <> 4 then 8
            else 0
            end as met,
            d.cost as term_0
          from productions d
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  or (
                    d.notes <> ''
                      and replace(
                        replace(
                          replace(
                            lower(
                              case
                                when octet_length(d.notes) <= 2000 then d.notes
                                else left(d.notes, 2000)
                                end
                            ),
                              'ß',
                              'ss'
                          ),
                            'ς',
                            'σ'
                        ),
                          'i̇',
                          'i'
                      ) like :search
                      and (
                        strpos(d.notes, ' not found: ') = 0
                          or :search !~ '[0-9.-]'
                          or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                          or replace(
                            replace(
                              replace(
                                lower(
                                  '' || regexp_replace(
                                    d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                  )
                                ),
                                  'ß',
                                  'ss'
                              ),
                                'ς',
                                'σ'
                            ),
                              'i̇',
                              'i'
                          ) like :search
                      )
                  )
                  or d.sale_id in (
                    select q.id
                    from sales q
                    where q.company_id = :company_id
                      and replace(replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  )
                  or d.id in (
                    select l.production_id
                    from production_lines l
                    join items i on i.company_id = :company_id and i.id = l.item_id
                    where l.company_id = :company_id and coalesce(i.search_key, i.found_by) like :search
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:order_id::bigint is null or d.sale_id = :order_id)
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.production_id
                  from production_lines l
                  where l.company_id = :company_id and l.item_id = :item_id
                )
            )
            and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
            and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true else false end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- productions.browse.by_amount_desc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
with lacking as materialized (
  select w.production_id, w.item_id, w.needed, w.there as available, w.needed - w.there as short
  from (
    select n.production_id,
      n.item_id,
      n.needed,
      greatest(
        coalesce(v.on_hand - v.reserved, 0) - (
          sum(n.needed) over (
            partition by n.storage_id,
              n.item_id order by n.comes_later,
              n.date_planned nulls last,
              n.date_placed,
              n.production_id
          ) - n.needed
        ),
          0
      ) as there
    from (
      select p.id as production_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end as storage_id,
        u.item_id,
        sum(u.amount) as needed,
        p.status = 0 as comes_later,
        p.date_planned,
        p.date_placed
      from productions p
      join production_uses u on u.company_id = :company_id and u.production_id = p.id
      join items i on i.company_id = :company_id and i.id = u.item_id and i.kind <> 'resource'
      where p.company_id = :company_id and p.status in (0, 1)
      group by p.id,
        u.item_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end,
        p.status,
        p.date_planned,
        p.date_placed
    ) n
    left join stock_levels v on v.company_id = :company_id
      and v.storage_id = n.storage_id
      and v.item_id = n.item_id
  ) w
  where w.needed > w.there
)
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
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_planned":',
            concat('"', d.date_planned, '"'),
            ',"date_done":',
            concat('"', d.date_done, '"'),
            ',"order_id":',
            coalesce(d.sale_id::text, 'null'),
            ',"order_num":',
            coalesce(to_json(o.num)::text, 'null'),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"cost":',
            trim_scale(d.cost),
            ',"notes":',
            to_json(d.notes),
            ',"products":',
            coalesce(
              to_json(
                (
                  select string_agg(i.name, ', ' order by l.position)
                  from production_lines l
                  join items i on i.company_id = :company_id and i.id = l.item_id
                  where l.company_id = :company_id and l.production_id = d.id
                )
              )::text,
                '""'
            ),
            ',"missing":',
            coalesce(
              case
                when d.status in (0, 1) then (
                  select count(*)
                  from lacking k
                  where k.production_id = d.id
                )::text
                end,
                'null'
            ),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from productions d
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or (
                      d.notes <> ''
                        and replace(
                          replace(
                            replace(
                              lower(
                                case
                                  when octet_length(d.notes) <= 2000 then d.notes
                                  else left(d.notes, 2000)
                                  end
                              ),
                                'ß',
                                'ss'
                            ),
                              'ς',
                              'σ'
                          ),
                            'i̇',
                            'i'
                        ) like :search
                        and (
                          strpos(d.notes, ' not found: ') = 0
                            or :search !~ '[0-9.-]'
                            or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                            or replace(
                              replace(
                                replace(
                                  lower(
                                    '' || regexp_replace(
                                      d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                    )
                                  ),
                                    'ß',
                                    'ss'
                                ),
                                  'ς',
                                  'σ'
                              ),
                                'i̇',
                                'i'
                            ) like :search
                        )
                    )
                    or d.sale_id in (
                      select q.id
                      from sales q
                      where q.company_id = :company_id
                        and replace(
                          replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'
                        ) like :search
                    )
                    or d.id in (
                      select l.production_id
                      from production_lines l
                      join items i on i.company_id = :company_id and i.id = l.item_id
                      where l.company_id = :company_id and coalesce(i.search_key, i.found_by) like :search
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:order_id::bigint is null or d.sale_id = :order_id)
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.production_id
                    from production_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and case :cut::text
                when 'all' then true
                when 'open' then d.status in (0, 1)
                when 'done' then d.status = 3
                when 'canceled' then d.status = 4
                end
            order by case when d.lines > 1
              and exists (select from items c where c.company_id = :company_id and c.unit_changed) then case
                when (
                  select range_agg(int8range(m.id, m.id, '[]'))
                  from (
                    select l.production_id as id
                    from production_lines l
                    join items i on i.company_id = :company_id and i.id = l.item_id
                    where l.company_id = :company_id
                    group by l.production_id
                    having min(i.unit_id) <> max(i.unit_id)
                  ) m
                ) @> d.id then null
                else coalesce(
                  d.amount,
                    (
                      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
                      from production_lines l
                      join items i on i.company_id = :company_id and i.id = l.item_id
                      where l.company_id = :company_id and l.production_id = d.id
                    )
                )
                end
                else d.amount
                end desc nulls last,
              d.listed,
              d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join productions d on d.id = page.key_0
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        where d.company_id = :company_id
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"cost":', trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)), '}'
    ) as sums,
    concat(
      '{"open":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 1 <> 0)), 0)::text,
        ',"done":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 2 <> 0)), 0)::text,
        ',"canceled":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 4 <> 0)), 0)::text,
        ',"all":',
        coalesce(sum(each_group.entries) filter (where true), 0)::text,
        '}'
    ) as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 8 <> 0) or not bool_or(each_group.is_shown and (each_group.met & 8 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*,
        case :cut::text
          when 'all' then true
          when 'open' then (each_group.met & 1 <> 0)
          when 'done' then (each_group.met & 2 <> 0)
          when 'canceled' then (each_group.met & 4 <> 0)
          end as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select case
            when d.status in (0, 1) then 1
            else 0
            end + case
            when d.status = 3 then 2
            else 0
            end + case
            when d.status = 4 then 4
            else 0
            end + case
            when d.status <> 4 then 8
            else 0
            end as met,
            d.cost as term_0
          from productions d
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  or (
                    d.notes <> ''
                      and replace(
                        replace(
                          replace(
                            lower(
                              case
                                when octet_length(d.notes) <= 2000 then d.notes
                                else left(d.notes, 2000)
                                end
                            ),
                              'ß',
                              'ss'
                          ),
                            'ς',
                            'σ'
                        ),
                          'i̇',
                          'i'
                      ) like :search
                      and (
                        strpos(d.notes, ' not found: ') = 0
                          or :search !~ '[0-9.-]'
                          or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                          or replace(
                            replace(
                              replace(
                                lower(
                                  '' || regexp_replace(
                                    d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                  )
                                ),
                                  'ß',
                                  'ss'
                              ),
                                'ς',
                                'σ'
                            ),
                              'i̇',
                              'i'
                          ) like :search
                      )
                  )
                  or d.sale_id in (
                    select q.id
                    from sales q
                    where q.company_id = :company_id
                      and replace(replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  )
                  or d.id in (
                    select l.production_id
                    from production_lines l
                    join items i on i.company_id = :company_id and i.id = l.item_id
                    where l.company_id = :company_id and coalesce(i.search_key, i.found_by) like :search
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:order_id::bigint is null or d.sale_id = :order_id)
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.production_id
                  from production_lines l
                  where l.company_id = :company_id and l.item_id = :item_id
                )
            )
            and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
            and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true else false end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- productions.browse.by_cost_asc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
with lacking as materialized (
  select w.production_id, w.item_id, w.needed, w.there as available, w.needed - w.there as short
  from (
    select n.production_id,
      n.item_id,
      n.needed,
      greatest(
        coalesce(v.on_hand - v.reserved, 0) - (
          sum(n.needed) over (
            partition by n.storage_id,
              n.item_id order by n.comes_later,
              n.date_planned nulls last,
              n.date_placed,
              n.production_id
          ) - n.needed
        ),
          0
      ) as there
    from (
      select p.id as production_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end as storage_id,
        u.item_id,
        sum(u.amount) as needed,
        p.status = 0 as comes_later,
        p.date_planned,
        p.date_placed
      from productions p
      join production_uses u on u.company_id = :company_id and u.production_id = p.id
      join items i on i.company_id = :company_id and i.id = u.item_id and i.kind <> 'resource'
      where p.company_id = :company_id and p.status in (0, 1)
      group by p.id,
        u.item_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end,
        p.status,
        p.date_planned,
        p.date_placed
    ) n
    left join stock_levels v on v.company_id = :company_id
      and v.storage_id = n.storage_id
      and v.item_id = n.item_id
  ) w
  where w.needed > w.there
)
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
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_planned":',
            concat('"', d.date_planned, '"'),
            ',"date_done":',
            concat('"', d.date_done, '"'),
            ',"order_id":',
            coalesce(d.sale_id::text, 'null'),
            ',"order_num":',
            coalesce(to_json(o.num)::text, 'null'),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"cost":',
            trim_scale(d.cost),
            ',"notes":',
            to_json(d.notes),
            ',"products":',
            coalesce(
              to_json(
                (
                  select string_agg(i.name, ', ' order by l.position)
                  from production_lines l
                  join items i on i.company_id = :company_id and i.id = l.item_id
                  where l.company_id = :company_id and l.production_id = d.id
                )
              )::text,
                '""'
            ),
            ',"missing":',
            coalesce(
              case
                when d.status in (0, 1) then (
                  select count(*)
                  from lacking k
                  where k.production_id = d.id
                )::text
                end,
                'null'
            ),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from productions d
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or (
                      d.notes <> ''
                        and replace(
                          replace(
                            replace(
                              lower(
                                case
                                  when octet_length(d.notes) <= 2000 then d.notes
                                  else left(d.notes, 2000)
                                  end
                              ),
                                'ß',
                                'ss'
                            ),
                              'ς',
                              'σ'
                          ),
                            'i̇',
                            'i'
                        ) like :search
                        and (
                          strpos(d.notes, ' not found: ') = 0
                            or :search !~ '[0-9.-]'
                            or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                            or replace(
                              replace(
                                replace(
                                  lower(
                                    '' || regexp_replace(
                                      d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                    )
                                  ),
                                    'ß',
                                    'ss'
                                ),
                                  'ς',
                                  'σ'
                              ),
                                'i̇',
                                'i'
                            ) like :search
                        )
                    )
                    or d.sale_id in (
                      select q.id
                      from sales q
                      where q.company_id = :company_id
                        and replace(
                          replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'
                        ) like :search
                    )
                    or d.id in (
                      select l.production_id
                      from production_lines l
                      join items i on i.company_id = :company_id and i.id = l.item_id
                      where l.company_id = :company_id and coalesce(i.search_key, i.found_by) like :search
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:order_id::bigint is null or d.sale_id = :order_id)
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.production_id
                    from production_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and case :cut::text
                when 'all' then true
                when 'open' then d.status in (0, 1)
                when 'done' then d.status = 3
                when 'canceled' then d.status = 4
                end
            order by d.cost, d.listed, d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join productions d on d.id = page.key_0
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        where d.company_id = :company_id
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"cost":', trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)), '}'
    ) as sums,
    concat(
      '{"open":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 1 <> 0)), 0)::text,
        ',"done":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 2 <> 0)), 0)::text,
        ',"canceled":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 4 <> 0)), 0)::text,
        ',"all":',
        coalesce(sum(each_group.entries) filter (where true), 0)::text,
        '}'
    ) as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 8 <> 0) or not bool_or(each_group.is_shown and (each_group.met & 8 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*,
        case :cut::text
          when 'all' then true
          when 'open' then (each_group.met & 1 <> 0)
          when 'done' then (each_group.met & 2 <> 0)
          when 'canceled' then (each_group.met & 4 <> 0)
          end as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select case
            when d.status in (0, 1) then 1
            else 0
            end + case
            when d.status = 3 then 2
            else 0
            end + case
            when d.status = 4 then 4
            else 0
            end + case
            when d.status <> 4 then 8
            else 0
            end as met,
            d.cost as term_0
          from productions d
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  or (
                    d.notes <> ''
                      and replace(
                        replace(
                          replace(
                            lower(
                              case
                                when octet_length(d.notes) <= 2000 then d.notes
                                else left(d.notes, 2000)
                                end
                            ),
                              'ß',
                              'ss'
                          ),
                            'ς',
                            'σ'
                        ),
                          'i̇',
                          'i'
                      ) like :search
                      and (
                        strpos(d.notes, ' not found: ') = 0
                          or :search !~ '[0-9.-]'
                          or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                          or replace(
                            replace(
                              replace(
                                lower(
                                  '' || regexp_replace(
                                    d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                  )
                                ),
                                  'ß',
                                  'ss'
                              ),
                                'ς',
                                'σ'
                            ),
                              'i̇',
                              'i'
                          ) like :search
                      )
                  )
                  or d.sale_id in (
                    select q.id
                    from sales q
                    where q.company_id = :company_id
                      and replace(replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  )
                  or d.id in (
                    select l.production_id
                    from production_lines l
                    join items i on i.company_id = :company_id and i.id = l.item_id
                    where l.company_id = :company_id and coalesce(i.search_key, i.found_by) like :search
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:order_id::bigint is null or d.sale_id = :order_id)
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.production_id
                  from production_lines l
                  where l.company_id = :company_id and l.item_id = :item_id
                )
            )
            and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
            and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true else false end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- productions.browse.by_cost_desc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.cost desc, d.listed, d.id

-- productions.browse.by_date_done_asc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.date_done nulls last, d.listed, d.id

-- productions.browse.by_date_done_desc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.date_done desc nulls last, d.listed, d.id

-- productions.browse.by_date_placed_asc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.listed desc, d.num_key, d.listed, d.id

-- productions.browse.by_date_placed_desc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.listed, d.num_key, d.listed, d.id

-- productions.browse.by_date_planned_asc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.date_planned nulls last, d.listed, d.id

-- productions.browse.by_date_planned_desc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.date_planned desc nulls last, d.listed, d.id

-- productions.browse.by_num_asc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.num_key, d.listed, d.id

-- productions.browse.by_num_desc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.num_key desc, d.listed, d.id

-- productions.browse.by_status_asc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.status, d.listed, d.id

-- productions.browse.by_status_desc
-- parameters: company_id, is_unfiltered, search, ids, status, order_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: productions/browse
-- as productions.browse.by_cost_asc, but order by d.status desc, d.listed, d.id

-- productions.card
-- parameters: company_id, document_id
-- sent by: productions/get_card
with lacking as materialized (
  select w.production_id, w.item_id, w.needed, w.there as available, w.needed - w.there as short
  from (
    select n.production_id,
      n.item_id,
      n.needed,
      greatest(
        coalesce(v.on_hand - v.reserved, 0) - (
          sum(n.needed) over (
            partition by n.storage_id,
              n.item_id order by n.comes_later,
              n.date_planned nulls last,
              n.date_placed,
              n.production_id
          ) - n.needed
        ),
          0
      ) as there
    from (
      select p.id as production_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end as storage_id,
        u.item_id,
        sum(u.amount) as needed,
        p.status = 0 as comes_later,
        p.date_planned,
        p.date_placed
      from productions p
      join production_uses u on u.company_id = :company_id and u.production_id = p.id
      join items i on i.company_id = :company_id and i.id = u.item_id and i.kind <> 'resource'
      where p.company_id = :company_id and p.status in (0, 1)
      group by p.id,
        u.item_id,
        case i.kind when 'product' then p.products_storage_id else p.materials_storage_id end,
        p.status,
        p.date_planned,
        p.date_placed
    ) n
    left join stock_levels v on v.company_id = :company_id
      and v.storage_id = n.storage_id
      and v.item_id = n.item_id
  ) w
  where w.needed > w.there
)
select concat(
  '{',
    concat(
      '"id":',
        d.id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"date_placed":',
        concat('"', d.date_placed, '"'),
        ',"date_planned":',
        concat('"', d.date_planned, '"'),
        ',"date_done":',
        concat('"', d.date_done, '"'),
        ',"order_id":',
        coalesce(d.sale_id::text, 'null'),
        ',"order_num":',
        coalesce(to_json(o.num)::text, 'null'),
        ',"products_storage_id":',
        d.products_storage_id,
        ',"products_storage_name":',
        to_json(ps.name),
        ',"materials_storage_id":',
        d.materials_storage_id,
        ',"materials_storage_name":',
        to_json(ms.name),
        ',"amount":',
        coalesce(trim_scale(shared.amount)::text, 'null'),
        ',"lines":',
        d.lines,
        ',"cost":',
        trim_scale(d.cost),
        ',"source":',
        to_json(d.source),
        ',"notes":',
        to_json(d.notes),
        ',"created_at":',
        to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
        ',"updated_at":',
        to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
    ),
    ',"products":[',
    own_lines.products,
    ']',
    ',"materials":[',
    used_items.materials,
    ']',
    ',"resources":[',
    used_items.resources,
    ']',
    '}'
) as entry,
  (
    select coalesce(max(e.seq), 0)
    from events e
    where e.company_id = :company_id and e.record = 'production' and e.record_id = d.id
  ) as seq,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"item_id":',
            k.item_id,
            ',"type":',
            to_json(i.kind),
            ',"name":',
            to_json(i.name),
            ',"sku":',
            to_json(i.sku),
            ',"unit":',
            to_json(n.name),
            ',"needed":',
            trim_scale(k.needed),
            ',"available":',
            trim_scale(k.available),
            ',"short":',
            trim_scale(k.short),
            ',"is_made":',
            (
              exists (select from components c where c.company_id = :company_id and c.product_id = k.item_id)
            )::text,
            '}'
        ),
          ',' order by i.name_key,
          i.id
      )
        || ']'
      from lacking k
      join items i on i.company_id = :company_id and i.id = k.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where k.production_id = d.id
    ),
      '[]'
  ) as missing,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"date":',
            to_json(m.date),
            ',"type":',
            to_json(i.kind),
            ',"item_id":',
            m.item_id,
            ',"sku":',
            to_json(i.sku),
            ',"name":',
            to_json(i.name),
            ',"unit":',
            to_json(n.name),
            ',"storage_id":',
            m.storage_id,
            ',"storage_name":',
            to_json(t.name),
            ',"on_hand":',
            trim_scale(m.on_hand),
            ',"reserved":',
            trim_scale(m.reserved),
            ',"recorded_at":',
            to_char(m.recorded_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"request_id":',
            coalesce(to_json(e.request_id)::text, 'null'),
            '}'
        ),
          ',' order by m.id
      )
        || ']'
      from stock_movements m
      join items i on i.company_id = :company_id and i.id = m.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      join storages t on t.company_id = :company_id and t.id = m.storage_id
      left join events e on e.company_id = :company_id and e.seq = m.seq
      where m.company_id = :company_id
        and m.section = 'productions'
        and m.document_id = d.id
        and (m.on_hand <> 0 or m.reserved <> 0)
    ),
      '[]'
  ) as effect
from productions d
join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
left join sales o on o.company_id = :company_id and o.id = d.sale_id
cross join lateral (
  select string_agg(
    concat(
      '{"id":',
        l.item_id,
        ',"sku":',
        to_json(i.sku),
        ',"name":',
        to_json(i.name),
        ',"amount":',
        trim_scale(l.amount),
        ',"unit":',
        to_json(n.name),
        ',"cost":',
        trim_scale(l.cost),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind = 'product') as products
  from production_lines l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.company_id = :company_id and l.production_id = d.id
) own_lines
cross join lateral (
  select string_agg(
    concat(
      '{"id":',
        i.id,
        ',"sku":',
        to_json(i.sku),
        ',"name":',
        to_json(i.name),
        ',"unit":',
        to_json(n.name),
        ',"amount":',
        trim_scale(l.amount),
        ',"cost":',
        trim_scale(round(l.cost, 2)),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind <> 'resource') as materials,
    string_agg(
      concat(
        '{"id":',
          i.id,
          ',"name":',
          to_json(i.name),
          ',"unit":',
          to_json(n.name),
          ',"amount":',
          trim_scale(l.amount),
          ',"cost":',
          trim_scale(round(l.cost, 2)),
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'resource') as resources
  from (
    select u.company_id, u.item_id, sum(u.amount) as amount, sum(u.cost) as cost, min(u.position) as position
    from production_uses u
    where u.company_id = :company_id and u.production_id = d.id
    group by u.company_id, u.item_id
  ) l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
) used_items
cross join lateral (
  select case when d.lines > 1
    and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
      from production_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.production_id = d.id
    )
      else d.amount
      end
) shared (amount)
where d.company_id = :company_id and d.id = :document_id;

-- productions.delete
-- parameters: company_id, document_id
-- sent by: example_data/delete, orders/delete, orders/edit, orders/update_status, productions/delete
delete from productions
where company_id = :company_id and id = :document_id;

-- productions.delete_lines
-- parameters: company_id, document_id
-- sent by: example_data/delete, orders/delete, orders/edit, orders/update_status, productions/delete, productions/edit, productions/update_status
delete from production_lines
where company_id = :company_id and production_id = :document_id;

-- productions.delete_uses
-- parameters: company_id, production_id
-- sent by: example_data/delete, orders/delete, orders/edit, orders/update_status, productions/delete, productions/edit, productions/update_status
delete from production_uses
where company_id = :company_id and production_id = :production_id;

-- productions.facts
-- parameters: company_id, connection_id, document_id, moves_in_list, day, item_ids, product_skus, sale_id
-- sent by: example_data/delete, productions/delete, productions/edit, productions/update_status
select (
  select json_build_object(
    'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'today',
      to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
      'number_prefix',
      coalesce(
        (
          select k.number_prefix
          from api_connections k
          where k.company_id = :company_id and k.id = :connection_id::bigint
        ),
          ''
      ),
      'tax',
      case
        when c.default_tax_rate_id is not null then json_build_object(
          'included',
            c.prices_include_tax,
            'default_id',
            c.default_tax_rate_id,
            'rates',
            (
              select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text))
              from tax_rates t
              where t.company_id = :company_id
            )
        )
        end
  )
  from companies c
  where c.company_id = :company_id
) as company,
  '[]'::json as storages,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select l.item_id
        from production_lines l
        where l.company_id = :company_id and l.production_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id
          and m.section = 'productions'
          and m.document_id = :document_id::bigint
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as items,
  '[]'::json as codes,
  (
    select json_build_object(
      'id',
        d.id,
        'source',
        d.source,
        'num',
        d.num,
        'num_key',
        d.num_key,
        'status',
        d.status,
        'sale_id',
        d.sale_id,
        'former_sale_id',
        d.former_sale_id,
        'date_placed',
        d.date_placed,
        'date_planned',
        d.date_planned,
        'date_done',
        d.date_done,
        'date_effective',
        d.date_effective,
        'products_storage_id',
        d.products_storage_id,
        'materials_storage_id',
        d.materials_storage_id,
        'components_by_kind',
        d.components_by_kind,
        'cost',
        d.cost::text,
        'amount',
        d.amount::text,
        'lines',
        d.lines,
        'use_told',
        d.use_told,
        'notes',
        d.notes,
        'line_rows',
        (
          select coalesce(
            json_agg(
              json_build_object(
                'kind',
                  i.kind,
                  'unit_id',
                  i.unit_id,
                  'item_id',
                  l.item_id,
                  'amount',
                  l.amount::text,
                  'cost',
                  l.cost::text
              ) order by l.position
            ),
              '[]'::json
          )
          from production_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.production_id = d.id
        )
    )
    from productions d
    where d.company_id = :company_id and d.id = :document_id::bigint
  ) as document,
  (
    select coalesce(
      json_agg(
        json_build_array(p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued)
      ),
        '[]'::json
    )
    from (
      select m.part,
        m.storage_id,
        m.item_id,
        m.date,
        sum(m.on_hand)::text as on_hand,
        sum(m.reserved)::text as reserved,
        coalesce(sum(m.value) filter (where m.kind = 'move'), 0)::text as value,
        coalesce(sum(m.value) filter (where m.kind = 'revaluation'), 0)::text as revalued
      from stock_movements m
      where m.company_id = :company_id and m.section = 'productions' and m.document_id = :document_id::bigint
      group by m.part, m.storage_id, m.item_id, m.date
      having sum(m.on_hand) <> 0
        or sum(m.reserved) <> 0
        or sum(m.value) <> 0
        or sum(m.value) filter (where m.kind = 'move') <> 0
    ) p
  ) as posted,
  case
    when :moves_in_list::boolean then (
      select json_build_array(
        r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ()
      )
      from list_runs r
      where r.company_id = :company_id
        and r.list = 'productions'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            :day::date,
              (
                select d.date_placed
                from productions d
                where d.company_id = :company_id and d.id = :document_id::bigint
              )
          )
        )
      order by r.entries desc
      limit 1
    )
    end as longest_run,
  (
    select coalesce(
      json_agg(json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position),
        '[]'::json
    )
    from (
      select k.*
      from components k
      where k.company_id = :company_id
        and k.product_id in (
          select unnest(:item_ids::bigint[])
          union all
          select c.item_id
          from (
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space = 'product'
              and c.code_key = any(:product_skus::text[])
            union all
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space = 'product'
              and c.code = any(:product_skus::text[])
              and c.code_key is null
          ) c
          union all
          select l.item_id
          from production_lines l
          where l.company_id = :company_id and l.production_id = :document_id::bigint
          union all
          select l.item_id
          from sale_lines l
          where l.company_id = :company_id
            and l.sale_id = (
              select coalesce(
                :sale_id::bigint,
                  (
                    select p.sale_id
                    from productions p
                    where p.company_id = :company_id and p.id = :document_id::bigint
                  )
              )
            )
        )
      limit 10001
    ) k
  ) as composition,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select k.item_id
        from (
          select k.*
          from components k
          where k.company_id = :company_id
            and k.product_id in (
              select unnest(:item_ids::bigint[])
              union all
              select c.item_id
              from (
                select c.space, c.code, c.item_id, c.role
                from item_codes c
                where c.company_id = :company_id
                  and c.space = 'product'
                  and c.code_key = any(:product_skus::text[])
                union all
                select c.space, c.code, c.item_id, c.role
                from item_codes c
                where c.company_id = :company_id
                  and c.space = 'product'
                  and c.code = any(:product_skus::text[])
                  and c.code_key is null
              ) c
              union all
              select l.item_id
              from production_lines l
              where l.company_id = :company_id and l.production_id = :document_id::bigint
              union all
              select l.item_id
              from sale_lines l
              where l.company_id = :company_id
                and l.sale_id = (
                  select coalesce(
                    :sale_id::bigint,
                      (
                        select p.sale_id
                        from productions p
                        where p.company_id = :company_id and p.id = :document_id::bigint
                      )
                  )
                )
            )
          limit 10001
        ) k
        union all
        select u.item_id
        from production_uses u
        where u.company_id = :company_id and u.production_id = :document_id::bigint
        union all
        select l.item_id
        from sale_lines l
        where l.company_id = :company_id
          and l.sale_id = (
            select coalesce(
              :sale_id::bigint,
                (
                  select p.sale_id
                  from productions p
                  where p.company_id = :company_id and p.id = :document_id::bigint
                )
            )
          )
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as parts,
  (
    select coalesce(
      json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position),
        '[]'::json
    )
    from production_uses u
    join items i on i.company_id = :company_id and i.id = u.item_id
    where u.company_id = :company_id and u.production_id = :document_id::bigint
  ) as uses,
  (
    select json_build_object(
      'id',
        s.id,
        'canceled',
        s.status = 4,
        'production_id',
        (select p.id from productions p where p.company_id = :company_id and p.sale_id = s.id),
        'lines',
        (
          select coalesce(
            json_agg(json_build_array(l.item_id, l.amount::text) order by l.position), '[]'::json
          )
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id and i.kind = 'product'
          where l.company_id = :company_id and l.sale_id = s.id
        )
    )
    from sales s
    where s.company_id = :company_id
      and s.id = (
        select coalesce(
          :sale_id::bigint,
            (
              select p.sale_id
              from productions p
              where p.company_id = :company_id and p.id = :document_id::bigint
            )
        )
      )
  ) as
order;

-- productions.facts.external
-- a variant of productions.facts; the others between the two: .items, .all
with external_items as materialized (
  select x.record, x.external_id, x.record_id as item_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = coalesce(:connection_id::bigint, 0)
    and x.record = 'product'
    and x.external_id = any(:product_external_ids::text[])
  union all
  select x.record, x.external_id, x.record_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = coalesce(:connection_id::bigint, 0)
    and x.record = 'material'
    and x.external_id = any(:material_external_ids::text[])
),
  named as materialized (select :item_ids::bigint[] || array(select x.item_id from external_items x) as ids)
select (
  select json_build_object(
    'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'today',
      to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
      'number_prefix',
      coalesce(
        (
          select k.number_prefix
          from api_connections k
          where k.company_id = :company_id and k.id = :connection_id::bigint
        ),
          ''
      ),
      'tax',
      case
        when c.default_tax_rate_id is not null then json_build_object(
          'included',
            c.prices_include_tax,
            'default_id',
            c.default_tax_rate_id,
            'rates',
            (
              select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text))
              from tax_rates t
              where t.company_id = :company_id
            )
        )
        end
  )
  from companies c
  where c.company_id = :company_id
) as company,
  (
    select coalesce(json_agg(t.id), '[]'::json)
    from storages t
    where t.company_id = :company_id and t.id = any(:storage_ids::bigint[]) and t.deleted_at is null
  ) as storages,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select unnest((select n.ids from named n)::bigint[])
        union all
        select w.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'product'
            and c.code = any(:product_skus::text[])
            and c.code_key is null
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code_key = any(:material_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code = any(:material_skus::text[])
            and c.code_key is null
        ) w
        union all
        select l.item_id
        from production_lines l
        where l.company_id = :company_id and l.production_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id
          and m.section = 'productions'
          and m.document_id = :document_id::bigint
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as items,
  (
    select coalesce(json_agg(json_build_array(w.space, w.code, w.item_id)), '[]'::json)
    from (
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id
        and c.space = 'product'
        and c.code = any(:product_skus::text[])
        and c.code_key is null
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = 'material' and c.code_key = any(:material_skus::text[])
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id
        and c.space = 'material'
        and c.code = any(:material_skus::text[])
        and c.code_key is null
    ) w
  ) as codes,
  (
    select coalesce(json_agg(json_build_array(x.record, x.external_id, x.item_id)), '[]'::json)
    from external_items x
  ) as external_items,
  (
    select json_build_object(
      'id',
        d.id,
        'source',
        d.source,
        'num',
        d.num,
        'num_key',
        d.num_key,
        'status',
        d.status,
        'sale_id',
        d.sale_id,
        'former_sale_id',
        d.former_sale_id,
        'date_placed',
        d.date_placed,
        'date_planned',
        d.date_planned,
        'date_done',
        d.date_done,
        'date_effective',
        d.date_effective,
        'products_storage_id',
        d.products_storage_id,
        'materials_storage_id',
        d.materials_storage_id,
        'components_by_kind',
        d.components_by_kind,
        'cost',
        d.cost::text,
        'amount',
        d.amount::text,
        'lines',
        d.lines,
        'use_told',
        d.use_told,
        'notes',
        d.notes,
        'line_rows',
        (
          select coalesce(
            json_agg(
              json_build_object(
                'kind',
                  i.kind,
                  'unit_id',
                  i.unit_id,
                  'item_id',
                  l.item_id,
                  'amount',
                  l.amount::text,
                  'cost',
                  l.cost::text
              ) order by l.position
            ),
              '[]'::json
          )
          from production_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.production_id = d.id
        )
    )
    from productions d
    where d.company_id = :company_id and d.id = :document_id::bigint
  ) as document,
  (
    select coalesce(
      json_agg(
        json_build_array(p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued)
      ),
        '[]'::json
    )
    from (
      select m.part,
        m.storage_id,
        m.item_id,
        m.date,
        sum(m.on_hand)::text as on_hand,
        sum(m.reserved)::text as reserved,
        coalesce(sum(m.value) filter (where m.kind = 'move'), 0)::text as value,
        coalesce(sum(m.value) filter (where m.kind = 'revaluation'), 0)::text as revalued
      from stock_movements m
      where m.company_id = :company_id and m.section = 'productions' and m.document_id = :document_id::bigint
      group by m.part, m.storage_id, m.item_id, m.date
      having sum(m.on_hand) <> 0
        or sum(m.reserved) <> 0
        or sum(m.value) <> 0
        or sum(m.value) filter (where m.kind = 'move') <> 0
    ) p
  ) as posted,
  case
    when :moves_in_list::boolean then (
      select json_build_array(
        r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ()
      )
      from list_runs r
      where r.company_id = :company_id
        and r.list = 'productions'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            :day::date,
              (
                select d.date_placed
                from productions d
                where d.company_id = :company_id and d.id = :document_id::bigint
              )
          )
        )
      order by r.entries desc
      limit 1
    )
    end as longest_run,
  (
    select coalesce(
      json_agg(json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position),
        '[]'::json
    )
    from (
      select k.*
      from components k
      where k.company_id = :company_id
        and k.product_id in (
          select unnest((select n.ids from named n)::bigint[])
          union all
          select c.item_id
          from (
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space = 'product'
              and c.code_key = any(:product_skus::text[])
            union all
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space = 'product'
              and c.code = any(:product_skus::text[])
              and c.code_key is null
          ) c
          union all
          select l.item_id
          from production_lines l
          where l.company_id = :company_id and l.production_id = :document_id::bigint
          union all
          select l.item_id
          from sale_lines l
          where l.company_id = :company_id
            and l.sale_id = (
              select coalesce(
                :sale_id::bigint,
                  (
                    select p.sale_id
                    from productions p
                    where p.company_id = :company_id and p.id = :document_id::bigint
                  )
              )
            )
        )
      limit 10001
    ) k
  ) as composition,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select k.item_id
        from (
          select k.*
          from components k
          where k.company_id = :company_id
            and k.product_id in (
              select unnest((select n.ids from named n)::bigint[])
              union all
              select c.item_id
              from (
                select c.space, c.code, c.item_id, c.role
                from item_codes c
                where c.company_id = :company_id
                  and c.space = 'product'
                  and c.code_key = any(:product_skus::text[])
                union all
                select c.space, c.code, c.item_id, c.role
                from item_codes c
                where c.company_id = :company_id
                  and c.space = 'product'
                  and c.code = any(:product_skus::text[])
                  and c.code_key is null
              ) c
              union all
              select l.item_id
              from production_lines l
              where l.company_id = :company_id and l.production_id = :document_id::bigint
              union all
              select l.item_id
              from sale_lines l
              where l.company_id = :company_id
                and l.sale_id = (
                  select coalesce(
                    :sale_id::bigint,
                      (
                        select p.sale_id
                        from productions p
                        where p.company_id = :company_id and p.id = :document_id::bigint
                      )
                  )
                )
            )
          limit 10001
        ) k
        union all
        select u.item_id
        from production_uses u
        where u.company_id = :company_id and u.production_id = :document_id::bigint
        union all
        select l.item_id
        from sale_lines l
        where l.company_id = :company_id
          and l.sale_id = (
            select coalesce(
              :sale_id::bigint,
                (
                  select p.sale_id
                  from productions p
                  where p.company_id = :company_id and p.id = :document_id::bigint
                )
            )
          )
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as parts,
  (
    select coalesce(
      json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position),
        '[]'::json
    )
    from production_uses u
    join items i on i.company_id = :company_id and i.id = u.item_id
    where u.company_id = :company_id and u.production_id = :document_id::bigint
  ) as uses,
  (
    select json_build_object(
      'id',
        s.id,
        'canceled',
        s.status = 4,
        'production_id',
        (select p.id from productions p where p.company_id = :company_id and p.sale_id = s.id),
        'lines',
        (
          select coalesce(
            json_agg(json_build_array(l.item_id, l.amount::text) order by l.position), '[]'::json
          )
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id and i.kind = 'product'
          where l.company_id = :company_id and l.sale_id = s.id
        )
    )
    from sales s
    where s.company_id = :company_id
      and s.id = (
        select coalesce(
          :sale_id::bigint,
            (
              select p.sale_id
              from productions p
              where p.company_id = :company_id and p.id = :document_id::bigint
            )
        )
      )
  ) as
order;

-- productions.filtered_page
-- parameters: company_id, date_to, date_from, search, status, ids, updated_after, with_lines, with_meta, offset, limit
-- sent by: productions/get_list
select (
  select count(*)
  from productions o
  where o.company_id = :company_id
    and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (
      :search::text is null
        or (
          replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            or exists (
              select
              from sales q
              where q.company_id = :company_id
                and q.id = o.sale_id
                and replace(replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
    )
    and (:status::int is null or o.status = :status)
    and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
    and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
) as total,
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
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_planned":',
                concat('"', d.date_planned, '"'),
                ',"date_done":',
                concat('"', d.date_done, '"'),
                ',"order_id":',
                coalesce(d.sale_id::text, 'null'),
                ',"order_num":',
                coalesce(to_json(o.num)::text, 'null'),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  ']',
                  ',"materials":[',
                  used_items.materials,
                  ']',
                  ',"resources":[',
                  used_items.resources,
                  ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'production' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from productions o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
            and (
              :search::text is null
                or (
                  replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or exists (
                      select
                      from sales q
                      where q.company_id = :company_id
                        and q.id = o.sale_id
                        and replace(
                          replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'
                        ) like :search
                    )
                )
            )
            and (:status::int is null or o.status = :status)
            and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
            and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
          order by o.listed, o.num_key, o.id
          offset :offset
          limit :limit
        ) d
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products
          from production_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.production_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                i.id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"unit":',
                to_json(n.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"cost":',
                trim_scale(round(l.cost, 2)),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind <> 'resource') as materials,
            string_agg(
              concat(
                '{"id":',
                  i.id,
                  ',"name":',
                  to_json(i.name),
                  ',"unit":',
                  to_json(n.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"cost":',
                  trim_scale(round(l.cost, 2)),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'resource') as resources
          from (
            select u.company_id,
              u.item_id,
              sum(u.amount) as amount,
              sum(u.cost) as cost,
              min(u.position) as position
            from production_uses u
            where u.company_id = :company_id and u.production_id = d.id
            group by u.company_id, u.item_id
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id and :with_lines::boolean
        ) used_items
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- productions.find
-- parameters: company_id, id
-- sent by: productions/get_entry
select concat(
  '{',
    concat(
      '"id":',
        d.id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"date_placed":',
        concat('"', d.date_placed, '"'),
        ',"date_planned":',
        concat('"', d.date_planned, '"'),
        ',"date_done":',
        concat('"', d.date_done, '"'),
        ',"order_id":',
        coalesce(d.sale_id::text, 'null'),
        ',"order_num":',
        coalesce(to_json(o.num)::text, 'null'),
        ',"products_storage_id":',
        d.products_storage_id,
        ',"products_storage_name":',
        to_json(ps.name),
        ',"materials_storage_id":',
        d.materials_storage_id,
        ',"materials_storage_name":',
        to_json(ms.name),
        ',"amount":',
        coalesce(trim_scale(shared.amount)::text, 'null'),
        ',"lines":',
        d.lines,
        ',"cost":',
        trim_scale(d.cost),
        ',"source":',
        to_json(d.source),
        ',"notes":',
        to_json(d.notes),
        ',"created_at":',
        to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
        ',"updated_at":',
        to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
    ),
    ',"products":[',
    own_lines.products,
    ']',
    ',"materials":[',
    used_items.materials,
    ']',
    ',"resources":[',
    used_items.resources,
    ']',
    '}'
) as record
from productions d
join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
left join sales o on o.company_id = :company_id and o.id = d.sale_id
cross join lateral (
  select string_agg(
    concat(
      '{"id":',
        l.item_id,
        ',"sku":',
        to_json(i.sku),
        ',"name":',
        to_json(i.name),
        ',"amount":',
        trim_scale(l.amount),
        ',"unit":',
        to_json(n.name),
        ',"cost":',
        trim_scale(l.cost),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind = 'product') as products
  from production_lines l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.company_id = :company_id and l.production_id = d.id
) own_lines
cross join lateral (
  select string_agg(
    concat(
      '{"id":',
        i.id,
        ',"sku":',
        to_json(i.sku),
        ',"name":',
        to_json(i.name),
        ',"unit":',
        to_json(n.name),
        ',"amount":',
        trim_scale(l.amount),
        ',"cost":',
        trim_scale(round(l.cost, 2)),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind <> 'resource') as materials,
    string_agg(
      concat(
        '{"id":',
          i.id,
          ',"name":',
          to_json(i.name),
          ',"unit":',
          to_json(n.name),
          ',"amount":',
          trim_scale(l.amount),
          ',"cost":',
          trim_scale(round(l.cost, 2)),
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'resource') as resources
  from (
    select u.company_id, u.item_id, sum(u.amount) as amount, sum(u.cost) as cost, min(u.position) as position
    from production_uses u
    where u.company_id = :company_id and u.production_id = d.id
    group by u.company_id, u.item_id
  ) l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
) used_items
cross join lateral (
  select case when d.lines > 1
    and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
      from production_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.production_id = d.id
    )
      else d.amount
      end
) shared (amount)
where d.company_id = :company_id and d.id = :id;

-- productions.first_page
-- parameters: company_id, date_to, date_from, limit
-- sent by: productions/get_list
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'productions'
    and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
) as total,
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
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_planned":',
            concat('"', d.date_planned, '"'),
            ',"date_done":',
            concat('"', d.date_done, '"'),
            ',"order_id":',
            coalesce(d.sale_id::text, 'null'),
            ',"order_num":',
            coalesce(to_json(o.num)::text, 'null'),
            ',"products_storage_id":',
            d.products_storage_id,
            ',"products_storage_name":',
            to_json(ps.name),
            ',"materials_storage_id":',
            d.materials_storage_id,
            ',"materials_storage_name":',
            to_json(ms.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"cost":',
            trim_scale(d.cost),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"created_at":',
            to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"updated_at":',
            to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            '}'
        ) as json
        from (
          select o.*
          from productions o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
          order by o.listed, o.num_key, o.id
          limit :limit
        ) d
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- productions.forget_sale
-- parameters: company_id, sale_id
-- sent by: orders/delete, orders/update_status
update productions
set former_sale_id = null
where company_id = :company_id and former_sale_id = :sale_id;

-- productions.insert
-- parameters: company_id, document_id, num, num_key, status, sale_id, former_sale_id, date_placed, date_planned, date_done, date_effective, products_storage_id, materials_storage_id, components_by_kind, cost, amount, lines, use_told, notes, at, source
-- sent by: example_data/add, orders/add, orders/edit, orders/update_status, productions/add
insert into productions (
  company_id,
    id,
    num,
    num_key,
    status,
    sale_id,
    former_sale_id,
    date_placed,
    date_planned,
    date_done,
    date_effective,
    products_storage_id,
    materials_storage_id,
    components_by_kind,
    cost,
    amount,
    lines,
    use_told,
    notes,
    updated_at,
    created_at,
    source
)
values (
  :company_id,
    :document_id,
    :num,
    :num_key,
    :status,
    :sale_id,
    :former_sale_id,
    :date_placed,
    :date_planned,
    :date_done,
    :date_effective,
    :products_storage_id,
    :materials_storage_id,
    :components_by_kind,
    :cost,
    :amount,
    :lines,
    :use_told,
    :notes,
    :at,
    :at,
    :source
);

-- productions.insert_lines
-- parameters: company_id, production_id, item_id, amount, cost
-- sent by: example_data/add, orders/add, orders/edit, orders/update_status, productions/add, productions/edit, productions/update_status
insert into production_lines (company_id, production_id, position, item_id, amount, cost)
select c.company_id, :production_id, x.place - 1, x.item_id, x.amount, x.cost
from company_clock c
cross join unnest(
  :item_id::bigint[], :amount::numeric[], :cost::numeric[]
) with ordinality as x (item_id, amount, cost, place)
where c.company_id = :company_id;

-- productions.insert_lines.rows_8
-- a variant of productions.insert_lines; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into production_lines (company_id, production_id, position, item_id, amount, cost)
values (:company_id, :production_id, 0, :item_id_1, :amount_1, :cost_1),
  (:company_id, :production_id, 1, :item_id_2, :amount_2, :cost_2),
  (:company_id, :production_id, 2, :item_id_3, :amount_3, :cost_3),
  (:company_id, :production_id, 3, :item_id_4, :amount_4, :cost_4),
  (:company_id, :production_id, 4, :item_id_5, :amount_5, :cost_5),
  (:company_id, :production_id, 5, :item_id_6, :amount_6, :cost_6),
  (:company_id, :production_id, 6, :item_id_7, :amount_7, :cost_7),
  (:company_id, :production_id, 7, :item_id_8, :amount_8, :cost_8);

-- productions.insert_uses
-- parameters: company_id, production_id, line, item_id, amount, cost
-- sent by: example_data/add, orders/add, orders/edit, orders/update_status, productions/add, productions/edit, productions/update_status
insert into production_uses (company_id, production_id, position, line, item_id, amount, cost)
select c.company_id, :production_id, x.place - 1, x.line, x.item_id, x.amount, x.cost
from company_clock c
cross join unnest(
  :line::int[], :item_id::bigint[], :amount::numeric[], :cost::numeric[]
) with ordinality as x (line, item_id, amount, cost, place)
where c.company_id = :company_id;

-- productions.insert_uses.rows_8
-- a variant of productions.insert_uses; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into production_uses (company_id, production_id, position, line, item_id, amount, cost)
values (:company_id, :production_id, 0, :line_1, :item_id_1, :amount_1, :cost_1),
  (:company_id, :production_id, 1, :line_2, :item_id_2, :amount_2, :cost_2),
  (:company_id, :production_id, 2, :line_3, :item_id_3, :amount_3, :cost_3),
  (:company_id, :production_id, 3, :line_4, :item_id_4, :amount_4, :cost_4),
  (:company_id, :production_id, 4, :line_5, :item_id_5, :amount_5, :cost_5),
  (:company_id, :production_id, 5, :line_6, :item_id_6, :amount_6, :cost_6),
  (:company_id, :production_id, 6, :line_7, :item_id_7, :amount_7, :cost_7),
  (:company_id, :production_id, 7, :line_8, :item_id_8, :amount_8, :cost_8);

-- productions.link_again
-- parameters: company_id, sale_id, at, production_id
-- sent by: orders/update_status
update productions
set sale_id = :sale_id, former_sale_id = null, updated_at = :at
where company_id = :company_id and id = :production_id;

-- productions.mark_order
-- parameters: company_id, production, at, sale_id
-- sent by: productions/add, productions/delete, productions/edit
update sales
set production = :production, updated_at = :at
where company_id = :company_id and id = :sale_id;

-- productions.new_facts
-- parameters: company_id, connection_id, item_ids, day, product_skus, document_id, sale_id
-- sent by: example_data/add, productions/add
select (
  select json_build_object(
    'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'today',
      to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
      'number_prefix',
      coalesce(
        (
          select k.number_prefix
          from api_connections k
          where k.company_id = :company_id and k.id = :connection_id::bigint
        ),
          ''
      ),
      'tax',
      case
        when c.default_tax_rate_id is not null then json_build_object(
          'included',
            c.prices_include_tax,
            'default_id',
            c.default_tax_rate_id,
            'rates',
            (
              select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text))
              from tax_rates t
              where t.company_id = :company_id
            )
        )
        end
  )
  from companies c
  where c.company_id = :company_id
) as company,
  '[]'::json as storages,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from items i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
    where i.company_id = :company_id and i.id = any(:item_ids::bigint[])
  ) as items,
  '[]'::json as codes,
  (
    select json_build_array(r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ())
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'productions'
      and r.listed = (
        select date '9999-12-31' - coalesce(
          :day::date,
            (now() at time zone (select c.timezone from companies c where c.company_id = :company_id))::date
        )
      )
    order by r.entries desc
    limit 1
  ) as longest_run,
  (
    with recursive tried (number, step, tries) as (
      select k.last_production_number + 1, 1::bigint, 1
      from company_clock k
      where k.company_id = :company_id
      union all
      select t.number + t.step, case when t.tries < 1000 then 1 else t.step * 2 end, t.tries + 1
      from tried t
      where t.tries < 1030
        and exists (
          select
          from productions d
          where d.company_id = :company_id and d.num = 'M-' || t.number
          offset 0
        )
    )
    select max(t.number)
    from tried t
  ) as free_number,
  (
    select coalesce(
      json_agg(json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position),
        '[]'::json
    )
    from (
      select k.*
      from components k
      where k.company_id = :company_id
        and k.product_id in (
          select unnest(:item_ids::bigint[])
          union all
          select c.item_id
          from (
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space = 'product'
              and c.code_key = any(:product_skus::text[])
            union all
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space = 'product'
              and c.code = any(:product_skus::text[])
              and c.code_key is null
          ) c
          union all
          select l.item_id
          from production_lines l
          where l.company_id = :company_id and l.production_id = :document_id::bigint
          union all
          select l.item_id
          from sale_lines l
          where l.company_id = :company_id
            and l.sale_id = (
              select coalesce(
                :sale_id::bigint,
                  (
                    select p.sale_id
                    from productions p
                    where p.company_id = :company_id and p.id = :document_id::bigint
                  )
              )
            )
        )
      limit 10001
    ) k
  ) as composition,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select k.item_id
        from (
          select k.*
          from components k
          where k.company_id = :company_id
            and k.product_id in (
              select unnest(:item_ids::bigint[])
              union all
              select c.item_id
              from (
                select c.space, c.code, c.item_id, c.role
                from item_codes c
                where c.company_id = :company_id
                  and c.space = 'product'
                  and c.code_key = any(:product_skus::text[])
                union all
                select c.space, c.code, c.item_id, c.role
                from item_codes c
                where c.company_id = :company_id
                  and c.space = 'product'
                  and c.code = any(:product_skus::text[])
                  and c.code_key is null
              ) c
              union all
              select l.item_id
              from production_lines l
              where l.company_id = :company_id and l.production_id = :document_id::bigint
              union all
              select l.item_id
              from sale_lines l
              where l.company_id = :company_id
                and l.sale_id = (
                  select coalesce(
                    :sale_id::bigint,
                      (
                        select p.sale_id
                        from productions p
                        where p.company_id = :company_id and p.id = :document_id::bigint
                      )
                  )
                )
            )
          limit 10001
        ) k
        union all
        select u.item_id
        from production_uses u
        where u.company_id = :company_id and u.production_id = :document_id::bigint
        union all
        select l.item_id
        from sale_lines l
        where l.company_id = :company_id
          and l.sale_id = (
            select coalesce(
              :sale_id::bigint,
                (
                  select p.sale_id
                  from productions p
                  where p.company_id = :company_id and p.id = :document_id::bigint
                )
            )
          )
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as parts,
  (
    select coalesce(
      json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position),
        '[]'::json
    )
    from production_uses u
    join items i on i.company_id = :company_id and i.id = u.item_id
    where u.company_id = :company_id and u.production_id = :document_id::bigint
  ) as uses,
  (
    select json_build_object(
      'id',
        s.id,
        'canceled',
        s.status = 4,
        'production_id',
        (select p.id from productions p where p.company_id = :company_id and p.sale_id = s.id),
        'lines',
        (
          select coalesce(
            json_agg(json_build_array(l.item_id, l.amount::text) order by l.position), '[]'::json
          )
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id and i.kind = 'product'
          where l.company_id = :company_id and l.sale_id = s.id
        )
    )
    from sales s
    where s.company_id = :company_id
      and s.id = (
        select coalesce(
          :sale_id::bigint,
            (
              select p.sale_id
              from productions p
              where p.company_id = :company_id and p.id = :document_id::bigint
            )
        )
      )
  ) as
order;

-- productions.new_facts.external
-- a variant of productions.new_facts; the others between the two: .storages, .codes, .codes.storages
with external_items as materialized (
  select x.record, x.external_id, x.record_id as item_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = coalesce(:connection_id::bigint, 0)
    and x.record = 'product'
    and x.external_id = any(:product_external_ids::text[])
  union all
  select x.record, x.external_id, x.record_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = coalesce(:connection_id::bigint, 0)
    and x.record = 'material'
    and x.external_id = any(:material_external_ids::text[])
),
  named as materialized (select :item_ids::bigint[] || array(select x.item_id from external_items x) as ids)
select (
  select json_build_object(
    'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'today',
      to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
      'number_prefix',
      coalesce(
        (
          select k.number_prefix
          from api_connections k
          where k.company_id = :company_id and k.id = :connection_id::bigint
        ),
          ''
      ),
      'tax',
      case
        when c.default_tax_rate_id is not null then json_build_object(
          'included',
            c.prices_include_tax,
            'default_id',
            c.default_tax_rate_id,
            'rates',
            (
              select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text))
              from tax_rates t
              where t.company_id = :company_id
            )
        )
        end
  )
  from companies c
  where c.company_id = :company_id
) as company,
  (
    select coalesce(json_agg(t.id), '[]'::json)
    from storages t
    where t.company_id = :company_id and t.id = any(:storage_ids::bigint[]) and t.deleted_at is null
  ) as storages,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select unnest((select n.ids from named n)::bigint[])
        union all
        select w.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'product'
            and c.code = any(:product_skus::text[])
            and c.code_key is null
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code_key = any(:material_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code = any(:material_skus::text[])
            and c.code_key is null
        ) w
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as items,
  (
    select coalesce(json_agg(json_build_array(w.space, w.code, w.item_id)), '[]'::json)
    from (
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id
        and c.space = 'product'
        and c.code = any(:product_skus::text[])
        and c.code_key is null
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = 'material' and c.code_key = any(:material_skus::text[])
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id
        and c.space = 'material'
        and c.code = any(:material_skus::text[])
        and c.code_key is null
    ) w
  ) as codes,
  (
    select coalesce(json_agg(json_build_array(x.record, x.external_id, x.item_id)), '[]'::json)
    from external_items x
  ) as external_items,
  (
    select json_build_array(r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ())
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'productions'
      and r.listed = (
        select date '9999-12-31' - coalesce(
          :day::date,
            (now() at time zone (select c.timezone from companies c where c.company_id = :company_id))::date
        )
      )
    order by r.entries desc
    limit 1
  ) as longest_run,
  (
    with recursive tried (number, step, tries) as (
      select k.last_production_number + 1, 1::bigint, 1
      from company_clock k
      where k.company_id = :company_id
      union all
      select t.number + t.step, case when t.tries < 1000 then 1 else t.step * 2 end, t.tries + 1
      from tried t
      where t.tries < 1030
        and exists (
          select
          from productions d
          where d.company_id = :company_id and d.num = 'M-' || t.number
          offset 0
        )
    )
    select max(t.number)
    from tried t
  ) as free_number,
  (
    select coalesce(
      json_agg(json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position),
        '[]'::json
    )
    from (
      select k.*
      from components k
      where k.company_id = :company_id
        and k.product_id in (
          select unnest((select n.ids from named n)::bigint[])
          union all
          select c.item_id
          from (
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space = 'product'
              and c.code_key = any(:product_skus::text[])
            union all
            select c.space, c.code, c.item_id, c.role
            from item_codes c
            where c.company_id = :company_id
              and c.space = 'product'
              and c.code = any(:product_skus::text[])
              and c.code_key is null
          ) c
          union all
          select l.item_id
          from production_lines l
          where l.company_id = :company_id and l.production_id = :document_id::bigint
          union all
          select l.item_id
          from sale_lines l
          where l.company_id = :company_id
            and l.sale_id = (
              select coalesce(
                :sale_id::bigint,
                  (
                    select p.sale_id
                    from productions p
                    where p.company_id = :company_id and p.id = :document_id::bigint
                  )
              )
            )
        )
      limit 10001
    ) k
  ) as composition,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select k.item_id
        from (
          select k.*
          from components k
          where k.company_id = :company_id
            and k.product_id in (
              select unnest((select n.ids from named n)::bigint[])
              union all
              select c.item_id
              from (
                select c.space, c.code, c.item_id, c.role
                from item_codes c
                where c.company_id = :company_id
                  and c.space = 'product'
                  and c.code_key = any(:product_skus::text[])
                union all
                select c.space, c.code, c.item_id, c.role
                from item_codes c
                where c.company_id = :company_id
                  and c.space = 'product'
                  and c.code = any(:product_skus::text[])
                  and c.code_key is null
              ) c
              union all
              select l.item_id
              from production_lines l
              where l.company_id = :company_id and l.production_id = :document_id::bigint
              union all
              select l.item_id
              from sale_lines l
              where l.company_id = :company_id
                and l.sale_id = (
                  select coalesce(
                    :sale_id::bigint,
                      (
                        select p.sale_id
                        from productions p
                        where p.company_id = :company_id and p.id = :document_id::bigint
                      )
                  )
                )
            )
          limit 10001
        ) k
        union all
        select u.item_id
        from production_uses u
        where u.company_id = :company_id and u.production_id = :document_id::bigint
        union all
        select l.item_id
        from sale_lines l
        where l.company_id = :company_id
          and l.sale_id = (
            select coalesce(
              :sale_id::bigint,
                (
                  select p.sale_id
                  from productions p
                  where p.company_id = :company_id and p.id = :document_id::bigint
                )
            )
          )
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as parts,
  (
    select coalesce(
      json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position),
        '[]'::json
    )
    from production_uses u
    join items i on i.company_id = :company_id and i.id = u.item_id
    where u.company_id = :company_id and u.production_id = :document_id::bigint
  ) as uses,
  (
    select json_build_object(
      'id',
        s.id,
        'canceled',
        s.status = 4,
        'production_id',
        (select p.id from productions p where p.company_id = :company_id and p.sale_id = s.id),
        'lines',
        (
          select coalesce(
            json_agg(json_build_array(l.item_id, l.amount::text) order by l.position), '[]'::json
          )
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id and i.kind = 'product'
          where l.company_id = :company_id and l.sale_id = s.id
        )
    )
    from sales s
    where s.company_id = :company_id
      and s.id = (
        select coalesce(
          :sale_id::bigint,
            (
              select p.sale_id
              from productions p
              where p.company_id = :company_id and p.id = :document_id::bigint
            )
        )
      )
  ) as
order;

-- productions.page
-- parameters: company_id, offset, date_to, date_from, limit
-- sent by: productions/get_list
with start as materialized (
  select w.listed, w.from_key, w.from_id, (:offset::bigint - w.before)::bigint as skip
  from (
    select r.listed,
      r.from_key,
      r.from_id,
      r.entries,
      sum(r.entries) over (order by r.listed, r.from_key, r.from_id) - r.entries as before
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'productions'
      and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
        select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
      )
  ) w
  where w.before <= :offset::bigint and w.before + w.entries > :offset::bigint
)
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'productions'
    and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
) as total,
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
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_planned":',
            concat('"', d.date_planned, '"'),
            ',"date_done":',
            concat('"', d.date_done, '"'),
            ',"order_id":',
            coalesce(d.sale_id::text, 'null'),
            ',"order_num":',
            coalesce(to_json(o.num)::text, 'null'),
            ',"products_storage_id":',
            d.products_storage_id,
            ',"products_storage_name":',
            to_json(ps.name),
            ',"materials_storage_id":',
            d.materials_storage_id,
            ',"materials_storage_name":',
            to_json(ms.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"cost":',
            trim_scale(d.cost),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"created_at":',
            to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"updated_at":',
            to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            '}'
        ) as json
        from (
          select o.*
          from productions o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
            and (o.listed, o.num_key, o.id) >= (
              (select t.listed from start t),
                (select t.from_key from start t),
                (select t.from_id from start t)
            )
          order by o.listed, o.num_key, o.id
          offset coalesce((select t.skip from start t), 0)
          limit :limit
        ) d
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- productions.page_by_ids
-- parameters: company_id, date_to, date_from, search, status, ids, updated_after, with_lines, with_meta, offset, limit
-- sent by: productions/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from productions o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (
      :search::text is null
        or (
          replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            or exists (
              select
              from sales q
              where q.company_id = :company_id
                and q.id = o.sale_id
                and replace(replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
    )
    and (:status::int is null or o.status = :status)
    and o.id = any(:ids::bigint[])
    and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
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
          '{',
            concat(
              '"id":',
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_planned":',
                concat('"', d.date_planned, '"'),
                ',"date_done":',
                concat('"', d.date_done, '"'),
                ',"order_id":',
                coalesce(d.sale_id::text, 'null'),
                ',"order_num":',
                coalesce(to_json(o.num)::text, 'null'),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  ']',
                  ',"materials":[',
                  used_items.materials,
                  ']',
                  ',"resources":[',
                  used_items.resources,
                  ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'production' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join productions o on o.company_id = :company_id and o.id = p.id
        ) d
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products
          from production_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.production_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                i.id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"unit":',
                to_json(n.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"cost":',
                trim_scale(round(l.cost, 2)),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind <> 'resource') as materials,
            string_agg(
              concat(
                '{"id":',
                  i.id,
                  ',"name":',
                  to_json(i.name),
                  ',"unit":',
                  to_json(n.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"cost":',
                  trim_scale(round(l.cost, 2)),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'resource') as resources
          from (
            select u.company_id,
              u.item_id,
              sum(u.amount) as amount,
              sum(u.cost) as cost,
              min(u.position) as position
            from production_uses u
            where u.company_id = :company_id and u.production_id = d.id
            group by u.company_id, u.item_id
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id and :with_lines::boolean
        ) used_items
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- productions.page_by_updated_after
-- parameters: company_id, date_to, date_from, search, status, ids, updated_after, with_lines, with_meta, offset, limit
-- sent by: productions/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from productions o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (
      :search::text is null
        or (
          replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            or exists (
              select
              from sales q
              where q.company_id = :company_id
                and q.id = o.sale_id
                and replace(replace(replace(lower(q.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
            )
        )
    )
    and (:status::int is null or o.status = :status)
    and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
    and o.updated_at > :updated_after::timestamptz
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
          '{',
            concat(
              '"id":',
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_planned":',
                concat('"', d.date_planned, '"'),
                ',"date_done":',
                concat('"', d.date_done, '"'),
                ',"order_id":',
                coalesce(d.sale_id::text, 'null'),
                ',"order_num":',
                coalesce(to_json(o.num)::text, 'null'),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  ']',
                  ',"materials":[',
                  used_items.materials,
                  ']',
                  ',"resources":[',
                  used_items.resources,
                  ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'production' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join productions o on o.company_id = :company_id and o.id = p.id
        ) d
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products
          from production_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.production_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                i.id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"unit":',
                to_json(n.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"cost":',
                trim_scale(round(l.cost, 2)),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind <> 'resource') as materials,
            string_agg(
              concat(
                '{"id":',
                  i.id,
                  ',"name":',
                  to_json(i.name),
                  ',"unit":',
                  to_json(n.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"cost":',
                  trim_scale(round(l.cost, 2)),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'resource') as resources
          from (
            select u.company_id,
              u.item_id,
              sum(u.amount) as amount,
              sum(u.cost) as cost,
              min(u.position) as position
            from production_uses u
            where u.company_id = :company_id and u.production_id = d.id
            group by u.company_id, u.item_id
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id and :with_lines::boolean
        ) used_items
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- productions.set_free
-- parameters: company_id, former_sale_id, at, production_id
-- sent by: orders/delete, orders/edit, orders/update_status
update productions
set sale_id = null, former_sale_id = :former_sale_id, updated_at = :at
where company_id = :company_id and id = :production_id;

-- productions.shown.first_page
-- parameters: company_id, date_to, date_from, with_lines, with_meta, limit
-- sent by: productions/get_list
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'productions'
    and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
) as total,
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
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_planned":',
                concat('"', d.date_planned, '"'),
                ',"date_done":',
                concat('"', d.date_done, '"'),
                ',"order_id":',
                coalesce(d.sale_id::text, 'null'),
                ',"order_num":',
                coalesce(to_json(o.num)::text, 'null'),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  ']',
                  ',"materials":[',
                  used_items.materials,
                  ']',
                  ',"resources":[',
                  used_items.resources,
                  ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'production' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from productions o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
          order by o.listed, o.num_key, o.id
          limit :limit
        ) d
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products
          from production_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.production_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                i.id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"unit":',
                to_json(n.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"cost":',
                trim_scale(round(l.cost, 2)),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind <> 'resource') as materials,
            string_agg(
              concat(
                '{"id":',
                  i.id,
                  ',"name":',
                  to_json(i.name),
                  ',"unit":',
                  to_json(n.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"cost":',
                  trim_scale(round(l.cost, 2)),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'resource') as resources
          from (
            select u.company_id,
              u.item_id,
              sum(u.amount) as amount,
              sum(u.cost) as cost,
              min(u.position) as position
            from production_uses u
            where u.company_id = :company_id and u.production_id = d.id
            group by u.company_id, u.item_id
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id and :with_lines::boolean
        ) used_items
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- productions.shown.page
-- parameters: company_id, offset, date_to, date_from, with_lines, with_meta, limit
-- sent by: productions/get_list
with start as materialized (
  select w.listed, w.from_key, w.from_id, (:offset::bigint - w.before)::bigint as skip
  from (
    select r.listed,
      r.from_key,
      r.from_id,
      r.entries,
      sum(r.entries) over (order by r.listed, r.from_key, r.from_id) - r.entries as before
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'productions'
      and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
        select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
      )
  ) w
  where w.before <= :offset::bigint and w.before + w.entries > :offset::bigint
)
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'productions'
    and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
) as total,
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
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_planned":',
                concat('"', d.date_planned, '"'),
                ',"date_done":',
                concat('"', d.date_done, '"'),
                ',"order_id":',
                coalesce(d.sale_id::text, 'null'),
                ',"order_num":',
                coalesce(to_json(o.num)::text, 'null'),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  ']',
                  ',"materials":[',
                  used_items.materials,
                  ']',
                  ',"resources":[',
                  used_items.resources,
                  ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'production' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from productions o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
            and (o.listed, o.num_key, o.id) >= (
              (select t.listed from start t),
                (select t.from_key from start t),
                (select t.from_id from start t)
            )
          order by o.listed, o.num_key, o.id
          offset coalesce((select t.skip from start t), 0)
          limit :limit
        ) d
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join sales o on o.company_id = :company_id and o.id = d.sale_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products
          from production_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.production_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                i.id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"unit":',
                to_json(n.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"cost":',
                trim_scale(round(l.cost, 2)),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind <> 'resource') as materials,
            string_agg(
              concat(
                '{"id":',
                  i.id,
                  ',"name":',
                  to_json(i.name),
                  ',"unit":',
                  to_json(n.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"cost":',
                  trim_scale(round(l.cost, 2)),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'resource') as resources
          from (
            select u.company_id,
              u.item_id,
              sum(u.amount) as amount,
              sum(u.cost) as cost,
              min(u.position) as position
            from production_uses u
            where u.company_id = :company_id and u.production_id = d.id
            group by u.company_id, u.item_id
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id and :with_lines::boolean
        ) used_items
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from production_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.production_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- productions.touch_order
-- parameters: company_id, at, sale_id
-- sent by: productions/edit
update sales
set updated_at = :at
where company_id = :company_id and id = :sale_id;

-- productions.update
-- parameters: company_id, num, num_key, status, sale_id, former_sale_id, date_placed, date_planned, date_done, date_effective, products_storage_id, materials_storage_id, components_by_kind, cost, amount, lines, use_told, notes, at, document_id
-- sent by: orders/edit, productions/edit, productions/update_status
update productions
set num = :num,
  num_key = :num_key,
  status = :status,
  sale_id = :sale_id,
  former_sale_id = :former_sale_id,
  date_placed = :date_placed,
  date_planned = :date_planned,
  date_done = :date_done,
  date_effective = :date_effective,
  products_storage_id = :products_storage_id,
  materials_storage_id = :materials_storage_id,
  components_by_kind = :components_by_kind,
  cost = :cost,
  amount = :amount,
  lines = :lines,
  use_told = :use_told,
  notes = :notes,
  updated_at = :at
where company_id = :company_id and id = :document_id;
