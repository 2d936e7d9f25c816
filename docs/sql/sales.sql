-- sales.browse.by_cost_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
with short as materialized (
  select v.storage_id, v.item_id, v.on_hand, i.kind
  from stock_levels v
  join items i on i.company_id = :company_id and i.id = v.item_id
  where v.company_id = :company_id and v.on_hand < v.reserved
),
  expected as materialized (
    select e.storage_id, e.item_id, sum(e.amount) as amount
    from (
      select case i.kind
        when 'product' then d.products_storage_id
        else d.materials_storage_id
        end as storage_id,
        l.item_id,
        l.amount
      from purchases d
      join purchase_lines l on l.company_id = :company_id and l.purchase_id = d.id
      join items i on i.company_id = :company_id and i.id = l.item_id
      where d.company_id = :company_id
        and d.status in (0, 1, 2)
        and l.item_id in (select h.item_id from short h)
      union all
      select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end,
        r.item_id,
        -r.amount
      from purchases d
      join purchase_receipts r on r.company_id = :company_id and r.purchase_id = d.id
      join items i on i.company_id = :company_id and i.id = r.item_id
      where d.company_id = :company_id and d.status = 2 and r.item_id in (select h.item_id from short h)
      union all
      select d.products_storage_id, l.item_id, l.amount
      from productions d
      join production_lines l on l.company_id = :company_id and l.production_id = d.id
      where d.company_id = :company_id and d.status in (0, 1) and l.item_id in (select h.item_id from short h)
      union all
      select d.storage_to_id, l.item_id, l.amount
      from transfers d
      join transfer_lines l on l.company_id = :company_id and l.transfer_id = d.id
      where d.company_id = :company_id and d.status = 1 and l.item_id in (select h.item_id from short h)
    ) e
    group by e.storage_id, e.item_id
  ),
  waiting as materialized (
    select distinct w.sale_id, w.item_id, w.reaches > w.on_hand + coalesce(x.amount, 0) as is_missing
    from (
      select n.sale_id,
        n.storage_id,
        n.item_id,
        n.on_hand,
        sum(n.amount) over (
          partition by n.storage_id, n.item_id order by n.comes_later, n.date_placed, n.sale_id
        ) as reaches
      from (
        select s.id, h.storage_id, h.item_id, h.on_hand, s.status = 0, s.date_placed, l.amount
        from short h
        join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
        join sales s on s.company_id = :company_id
          and s.id = l.sale_id
          and s.status in (0, 1)
          and case h.kind
            when 'product' then h.storage_id = s.products_storage_id
            else h.storage_id = s.materials_storage_id
            end
        where exists (select from short)
        union all
        select s.id,
          h.storage_id,
          h.item_id,
          h.on_hand,
          false,
          s.date_placed,
          sum(l.amount) - coalesce(
            (
              select sum(p.amount)
              from sale_shipments p
              where p.company_id = :company_id and p.sale_id = s.id and p.item_id = h.item_id
            ),
              0
          )
        from short h
        join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
        join sales s on s.company_id = :company_id
          and s.id = l.sale_id
          and s.status = 2
          and case h.kind
            when 'product' then h.storage_id = s.products_storage_id
            else h.storage_id = s.materials_storage_id
            end
        where exists (select from short)
        group by s.id, h.storage_id, h.item_id, h.on_hand, s.date_placed
        having sum(l.amount) > coalesce(
          (
            select sum(p.amount)
            from sale_shipments p
            where p.company_id = :company_id and p.sale_id = s.id and p.item_id = h.item_id
          ),
            0
        )
      ) n (sale_id, storage_id, item_id, on_hand, comes_later, date_placed, amount)
    ) w
    left join expected x on x.storage_id = w.storage_id and x.item_id = w.item_id
    where w.reaches > w.on_hand
  ),
  held_up as materialized (
    select w.sale_id, bool_or(w.is_missing) as is_missing
    from waiting w
    group by w.sale_id
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
            ',"payment":',
            d.payment,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_shipped":',
            concat('"', d.date_shipped, '"'),
            ',"customer_id":',
            d.customer_id,
            ',"customer_name":',
            to_json(u.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"total":',
            trim_scale(d.total),
            ',"cost":',
            coalesce(
              trim_scale((case when coalesce(d.cost_known, d.cost <> 0) then d.cost end))::text, 'null'
            ),
            ',"margin":',
            coalesce(
              trim_scale((case when coalesce(d.cost_known, d.cost <> 0) then d.total - d.cost end))::text,
                'null'
            ),
            ',"planned_margin":',
            coalesce(
              trim_scale(
                (
                  case when p.id is not null
                    and not coalesce(d.cost_known, d.cost <> 0) then (
                      select case when bool_and(x.cost <> 0) then d.total - sum(x.cost) end
                      from (
                        select case
                          when l.cost <> 0 then l.cost
                          else round(l.amount * coalesce(nullif(k.average, 0), q.cost, 0), 2)
                          end as cost
                        from sale_lines l
                        cross join lateral (
                          select i.id, i.kind, i.price
                          from items i
                          where i.company_id = :company_id and i.id = l.item_id
                          offset 0
                        ) i
                        left join item_costs k on k.company_id = :company_id and k.item_id = l.item_id
                        cross join lateral (
                          select case
                            when i.kind = 'material' then i.price
                            else (
                              with recursive made (id, kind, price, amount, leaf) as (
                                select i.id, i.kind, i.price, 1::numeric, false
                                union all
                                select distinct x.id,
                                  x.kind,
                                  x.price,
                                  sum(m.amount * c.amount) over (partition by x.id),
                                  not exists (
                                    select
                                    from components d
                                    where d.company_id = :company_id and d.product_id = x.id
                                    offset 0
                                  )
                                from made m
                                cross join lateral (
                                  select c.item_id, c.amount
                                  from components c
                                  where c.company_id = :company_id and c.product_id = m.id
                                  offset 0
                                ) c
                                cross join lateral (
                                  select x.id, x.kind, x.price
                                  from items x
                                  where x.company_id = :company_id and x.id = c.item_id
                                  offset 0
                                ) x
                              )
                              select case
                                when bool_and((case when m.kind = 'resource' then m.price when coalesce(k.average, 0) > 0 or m.kind = 'product' then coalesce(k.average, 0) else m.price end) <> 0) then round(
                                  sum(
                                    m.amount * case
                                      when m.kind = 'resource' then m.price
                                      when coalesce(k.average, 0) > 0
                                      or m.kind = 'product' then coalesce(k.average, 0) else m.price end
                                  ),
                                    2
                                )
                                end
                              from made m
                              left join lateral (
                                select k.average
                                from item_costs k
                                where k.company_id = :company_id and k.item_id = m.id
                                offset 0
                              ) k on true
                              where m.leaf
                            )
                            end as cost
                          offset 0
                        ) q
                        where l.company_id = :company_id and l.sale_id = d.id
                      ) x
                    )
                      end
                )
              )::text,
                'null'
            ),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"production_id":',
            coalesce(p.id::text, 'null'),
            ',"production_num":',
            coalesce(to_json(p.num)::text, 'null'),
            ',"availability":',
            coalesce(
              to_json(
                (
                  case
                    when d.status in (3, 4) then null
                    when d.id in (select w.sale_id from held_up w where w.is_missing) then 'missing'
                    when d.id in (select w.sale_id from held_up w) then 'expected'
                    when d.status = 2
                    and not exists (
                      select
                      from (
                        select l.item_id, sum(l.amount) as amount
                        from sale_lines l
                        where l.company_id = :company_id and l.sale_id = d.id
                        group by l.item_id
                      ) l
                      where l.amount > coalesce(
                        (
                          select sum(p.amount)
                          from sale_shipments p
                          where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                        ),
                          0
                      )
                    ) then 'none'
                      else 'in_stock'
                      end
                )
              )::text,
                'null'
            ),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from sales d
            left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(
                      replace(
                        replace(
                          case
                            when octet_length(d.found_by) <= 2000 then d.found_by
                            else left(d.found_by, 2000)
                            end,
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
                                d.num || e'\x1f' || regexp_replace(
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
                    or d.customer_id in (
                      select c.id
                      from customers c
                      where c.company_id = :company_id
                        and coalesce(
                          c.folded_name,
                            replace(replace(replace(lower(c.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                        ) like :search
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:payment::int[] is null or d.payment = any(:payment))
              and (:source::text is null or d.source = :source)
              and (:customer_id::bigint is null or d.customer_id = :customer_id)
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.sale_id
                    from sale_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and case :cut::text
                when 'all' then true
                when 'open' then d.status in (0, 1, 2)
                when 'to_ship' then (
                  d.status in (0, 1, 2)
                    and not d.id in (select w.sale_id from held_up w)
                    and (
                      d.status <> 2
                        or exists (
                          select
                          from (
                            select l.item_id, sum(l.amount) as amount
                            from sale_lines l
                            where l.company_id = :company_id and l.sale_id = d.id
                            group by l.item_id
                          ) l
                          where l.amount > coalesce(
                            (
                              select sum(p.amount)
                              from sale_shipments p
                              where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                            ),
                              0
                          )
                        )
                    )
                )
                when 'shipped' then d.status = 3
                when 'canceled' then d.status = 4
                end
            order by (case when coalesce(d.cost_known, d.cost <> 0) then d.cost end) nulls last,
              d.listed,
              d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join (
          sales d left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
        ) on d.id = page.key_0
        left join customers u on u.company_id = :company_id and u.id = d.customer_id
        left join productions p on p.company_id = :company_id and p.sale_id = d.id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
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
      '{"total":',
        trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)),
        ',"cost":',
        trim_scale(
          coalesce(
            sum(each_group.sum_1) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          )
        ),
        ',"margin":',
        trim_scale(
          coalesce(
            sum(each_group.sum_0) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          ) - coalesce(
            sum(each_group.sum_1) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          )
        ),
        ',"sales":',
        trim_scale(coalesce(sum(each_group.entries) filter (where each_group.is_summed), 0)),
        ',"without_cost":',
        trim_scale(
          coalesce(
            sum(each_group.entries) filter (where each_group.is_summed and (each_group.met & 64 <> 0)), 0
          )
        ),
        '}'
    ) as sums,
    concat(
      '{"open":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 1 <> 0)), 0)::text,
        ',"to_ship":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 2 <> 0)), 0)::text,
        ',"shipped":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 4 <> 0)), 0)::text,
        ',"canceled":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 8 <> 0)), 0)::text,
        ',"all":',
        coalesce(sum(each_group.entries) filter (where true), 0)::text,
        '}'
    ) as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 16 <> 0)
            or not bool_or(each_group.is_shown and (each_group.met & 16 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*,
        case :cut::text
          when 'all' then true
          when 'open' then (each_group.met & 1 <> 0)
          when 'to_ship' then (each_group.met & 2 <> 0)
          when 'shipped' then (each_group.met & 4 <> 0)
          when 'canceled' then (each_group.met & 8 <> 0)
          end as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0, sum(each_row.term_1) as sum_1
        from (
          select case
            when d.status in (0, 1, 2) then 1
            else 0
            end + case
            when (
              d.status in (0, 1, 2)
                and not d.id in (select w.sale_id from held_up w)
                and (
                  d.status <> 2
                    or exists (
                      select
                      from (
                        select l.item_id, sum(l.amount) as amount
                        from sale_lines l
                        where l.company_id = :company_id and l.sale_id = d.id
                        group by l.item_id
                      ) l
                      where l.amount > coalesce(
                        (
                          select sum(p.amount)
                          from sale_shipments p
                          where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                        ),
                          0
                      )
                    )
                )
            ) then 2
            else 0
            end + case
            when d.status = 3 then 4
            else 0
            end + case
            when d.status = 4 then 8
            else 0
            end + case
            when d.status <> 4 then 16
            else 0
            end + case
            when coalesce(d.cost_known, d.cost <> 0) then 32
            else 0
            end + case
            when not coalesce(d.cost_known, d.cost <> 0) then 64
            else 0
            end as met,
            d.total as term_0,
            d.cost as term_1
          from sales d
          left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(
                    replace(
                      replace(
                        case
                          when octet_length(d.found_by) <= 2000 then d.found_by
                          else left(d.found_by, 2000)
                          end,
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
                              d.num || e'\x1f' || regexp_replace(
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
                  or d.customer_id in (
                    select c.id
                    from customers c
                    where c.company_id = :company_id
                      and coalesce(
                        c.folded_name,
                          replace(replace(replace(lower(c.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                      ) like :search
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:payment::int[] is null or d.payment = any(:payment))
            and (:source::text is null or d.source = :source)
            and (:customer_id::bigint is null or d.customer_id = :customer_id)
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.sale_id
                  from sale_lines l
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

-- sales.browse.by_cost_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_cost_asc, but order by (case when coalesce(d.cost_known, d.cost <> 0) then d.cost end) desc nulls last,

-- sales.browse.by_customer_name_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
with short as materialized (
  select v.storage_id, v.item_id, v.on_hand, i.kind
  from stock_levels v
  join items i on i.company_id = :company_id and i.id = v.item_id
  where v.company_id = :company_id and v.on_hand < v.reserved
),
  expected as materialized (
    select e.storage_id, e.item_id, sum(e.amount) as amount
    from (
      select case i.kind
        when 'product' then d.products_storage_id
        else d.materials_storage_id
        end as storage_id,
        l.item_id,
        l.amount
      from purchases d
      join purchase_lines l on l.company_id = :company_id and l.purchase_id = d.id
      join items i on i.company_id = :company_id and i.id = l.item_id
      where d.company_id = :company_id
        and d.status in (0, 1, 2)
        and l.item_id in (select h.item_id from short h)
      union all
      select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end,
        r.item_id,
        -r.amount
      from purchases d
      join purchase_receipts r on r.company_id = :company_id and r.purchase_id = d.id
      join items i on i.company_id = :company_id and i.id = r.item_id
      where d.company_id = :company_id and d.status = 2 and r.item_id in (select h.item_id from short h)
      union all
      select d.products_storage_id, l.item_id, l.amount
      from productions d
      join production_lines l on l.company_id = :company_id and l.production_id = d.id
      where d.company_id = :company_id and d.status in (0, 1) and l.item_id in (select h.item_id from short h)
      union all
      select d.storage_to_id, l.item_id, l.amount
      from transfers d
      join transfer_lines l on l.company_id = :company_id and l.transfer_id = d.id
      where d.company_id = :company_id and d.status = 1 and l.item_id in (select h.item_id from short h)
    ) e
    group by e.storage_id, e.item_id
  ),
  waiting as materialized (
    select distinct w.sale_id, w.item_id, w.reaches > w.on_hand + coalesce(x.amount, 0) as is_missing
    from (
      select n.sale_id,
        n.storage_id,
        n.item_id,
        n.on_hand,
        sum(n.amount) over (
          partition by n.storage_id, n.item_id order by n.comes_later, n.date_placed, n.sale_id
        ) as reaches
      from (
        select s.id, h.storage_id, h.item_id, h.on_hand, s.status = 0, s.date_placed, l.amount
        from short h
        join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
        join sales s on s.company_id = :company_id
          and s.id = l.sale_id
          and s.status in (0, 1)
          and case h.kind
            when 'product' then h.storage_id = s.products_storage_id
            else h.storage_id = s.materials_storage_id
            end
        where exists (select from short)
        union all
        select s.id,
          h.storage_id,
          h.item_id,
          h.on_hand,
          false,
          s.date_placed,
          sum(l.amount) - coalesce(
            (
              select sum(p.amount)
              from sale_shipments p
              where p.company_id = :company_id and p.sale_id = s.id and p.item_id = h.item_id
            ),
              0
          )
        from short h
        join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
        join sales s on s.company_id = :company_id
          and s.id = l.sale_id
          and s.status = 2
          and case h.kind
            when 'product' then h.storage_id = s.products_storage_id
            else h.storage_id = s.materials_storage_id
            end
        where exists (select from short)
        group by s.id, h.storage_id, h.item_id, h.on_hand, s.date_placed
        having sum(l.amount) > coalesce(
          (
            select sum(p.amount)
            from sale_shipments p
            where p.company_id = :company_id and p.sale_id = s.id and p.item_id = h.item_id
          ),
            0
        )
      ) n (sale_id, storage_id, item_id, on_hand, comes_later, date_placed, amount)
    ) w
    left join expected x on x.storage_id = w.storage_id and x.item_id = w.item_id
    where w.reaches > w.on_hand
  ),
  held_up as materialized (
    select w.sale_id, bool_or(w.is_missing) as is_missing
    from waiting w
    group by w.sale_id
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
            ',"payment":',
            d.payment,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_shipped":',
            concat('"', d.date_shipped, '"'),
            ',"customer_id":',
            d.customer_id,
            ',"customer_name":',
            to_json(u.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"total":',
            trim_scale(d.total),
            ',"cost":',
            coalesce(
              trim_scale((case when coalesce(d.cost_known, d.cost <> 0) then d.cost end))::text, 'null'
            ),
            ',"margin":',
            coalesce(
              trim_scale((case when coalesce(d.cost_known, d.cost <> 0) then d.total - d.cost end))::text,
                'null'
            ),
            ',"planned_margin":',
            coalesce(
              trim_scale(
                (
                  case when p.id is not null
                    and not coalesce(d.cost_known, d.cost <> 0) then (
                      select case when bool_and(x.cost <> 0) then d.total - sum(x.cost) end
                      from (
                        select case
                          when l.cost <> 0 then l.cost
                          else round(l.amount * coalesce(nullif(k.average, 0), q.cost, 0), 2)
                          end as cost
                        from sale_lines l
                        cross join lateral (
                          select i.id, i.kind, i.price
                          from items i
                          where i.company_id = :company_id and i.id = l.item_id
                          offset 0
                        ) i
                        left join item_costs k on k.company_id = :company_id and k.item_id = l.item_id
                        cross join lateral (
                          select case
                            when i.kind = 'material' then i.price
                            else (
                              with recursive made (id, kind, price, amount, leaf) as (
                                select i.id, i.kind, i.price, 1::numeric, false
                                union all
                                select distinct x.id,
                                  x.kind,
                                  x.price,
                                  sum(m.amount * c.amount) over (partition by x.id),
                                  not exists (
                                    select
                                    from components d
                                    where d.company_id = :company_id and d.product_id = x.id
                                    offset 0
                                  )
                                from made m
                                cross join lateral (
                                  select c.item_id, c.amount
                                  from components c
                                  where c.company_id = :company_id and c.product_id = m.id
                                  offset 0
                                ) c
                                cross join lateral (
                                  select x.id, x.kind, x.price
                                  from items x
                                  where x.company_id = :company_id and x.id = c.item_id
                                  offset 0
                                ) x
                              )
                              select case
                                when bool_and((case when m.kind = 'resource' then m.price when coalesce(k.average, 0) > 0 or m.kind = 'product' then coalesce(k.average, 0) else m.price end) <> 0) then round(
                                  sum(
                                    m.amount * case
                                      when m.kind = 'resource' then m.price
                                      when coalesce(k.average, 0) > 0
                                      or m.kind = 'product' then coalesce(k.average, 0) else m.price end
                                  ),
                                    2
                                )
                                end
                              from made m
                              left join lateral (
                                select k.average
                                from item_costs k
                                where k.company_id = :company_id and k.item_id = m.id
                                offset 0
                              ) k on true
                              where m.leaf
                            )
                            end as cost
                          offset 0
                        ) q
                        where l.company_id = :company_id and l.sale_id = d.id
                      ) x
                    )
                      end
                )
              )::text,
                'null'
            ),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"production_id":',
            coalesce(p.id::text, 'null'),
            ',"production_num":',
            coalesce(to_json(p.num)::text, 'null'),
            ',"availability":',
            coalesce(
              to_json(
                (
                  case
                    when d.status in (3, 4) then null
                    when d.id in (select w.sale_id from held_up w where w.is_missing) then 'missing'
                    when d.id in (select w.sale_id from held_up w) then 'expected'
                    when d.status = 2
                    and not exists (
                      select
                      from (
                        select l.item_id, sum(l.amount) as amount
                        from sale_lines l
                        where l.company_id = :company_id and l.sale_id = d.id
                        group by l.item_id
                      ) l
                      where l.amount > coalesce(
                        (
                          select sum(p.amount)
                          from sale_shipments p
                          where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                        ),
                          0
                      )
                    ) then 'none'
                      else 'in_stock'
                      end
                )
              )::text,
                'null'
            ),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from sales d
            left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(
                      replace(
                        replace(
                          case
                            when octet_length(d.found_by) <= 2000 then d.found_by
                            else left(d.found_by, 2000)
                            end,
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
                                d.num || e'\x1f' || regexp_replace(
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
                    or d.customer_id in (
                      select c.id
                      from customers c
                      where c.company_id = :company_id
                        and coalesce(
                          c.folded_name,
                            replace(replace(replace(lower(c.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                        ) like :search
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:payment::int[] is null or d.payment = any(:payment))
              and (:source::text is null or d.source = :source)
              and (:customer_id::bigint is null or d.customer_id = :customer_id)
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.sale_id
                    from sale_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and case :cut::text
                when 'all' then true
                when 'open' then d.status in (0, 1, 2)
                when 'to_ship' then (
                  d.status in (0, 1, 2)
                    and not d.id in (select w.sale_id from held_up w)
                    and (
                      d.status <> 2
                        or exists (
                          select
                          from (
                            select l.item_id, sum(l.amount) as amount
                            from sale_lines l
                            where l.company_id = :company_id and l.sale_id = d.id
                            group by l.item_id
                          ) l
                          where l.amount > coalesce(
                            (
                              select sum(p.amount)
                              from sale_shipments p
                              where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                            ),
                              0
                          )
                        )
                    )
                )
                when 'shipped' then d.status = 3
                when 'canceled' then d.status = 4
                end
            order by o.name_key, d.listed, d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join (
          sales d left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
        ) on d.id = page.key_0
        left join customers u on u.company_id = :company_id and u.id = d.customer_id
        left join productions p on p.company_id = :company_id and p.sale_id = d.id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
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
      '{"total":',
        trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)),
        ',"cost":',
        trim_scale(
          coalesce(
            sum(each_group.sum_1) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          )
        ),
        ',"margin":',
        trim_scale(
          coalesce(
            sum(each_group.sum_0) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          ) - coalesce(
            sum(each_group.sum_1) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          )
        ),
        ',"sales":',
        trim_scale(coalesce(sum(each_group.entries) filter (where each_group.is_summed), 0)),
        ',"without_cost":',
        trim_scale(
          coalesce(
            sum(each_group.entries) filter (where each_group.is_summed and (each_group.met & 64 <> 0)), 0
          )
        ),
        '}'
    ) as sums,
    concat(
      '{"open":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 1 <> 0)), 0)::text,
        ',"to_ship":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 2 <> 0)), 0)::text,
        ',"shipped":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 4 <> 0)), 0)::text,
        ',"canceled":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 8 <> 0)), 0)::text,
        ',"all":',
        coalesce(sum(each_group.entries) filter (where true), 0)::text,
        '}'
    ) as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 16 <> 0)
            or not bool_or(each_group.is_shown and (each_group.met & 16 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*,
        case :cut::text
          when 'all' then true
          when 'open' then (each_group.met & 1 <> 0)
          when 'to_ship' then (each_group.met & 2 <> 0)
          when 'shipped' then (each_group.met & 4 <> 0)
          when 'canceled' then (each_group.met & 8 <> 0)
          end as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0, sum(each_row.term_1) as sum_1
        from (
          select case
            when d.status in (0, 1, 2) then 1
            else 0
            end + case
            when (
              d.status in (0, 1, 2)
                and not d.id in (select w.sale_id from held_up w)
                and (
                  d.status <> 2
                    or exists (
                      select
                      from (
                        select l.item_id, sum(l.amount) as amount
                        from sale_lines l
                        where l.company_id = :company_id and l.sale_id = d.id
                        group by l.item_id
                      ) l
                      where l.amount > coalesce(
                        (
                          select sum(p.amount)
                          from sale_shipments p
                          where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                        ),
                          0
                      )
                    )
                )
            ) then 2
            else 0
            end + case
            when d.status = 3 then 4
            else 0
            end + case
            when d.status = 4 then 8
            else 0
            end + case
            when d.status <> 4 then 16
            else 0
            end + case
            when coalesce(d.cost_known, d.cost <> 0) then 32
            else 0
            end + case
            when not coalesce(d.cost_known, d.cost <> 0) then 64
            else 0
            end as met,
            d.total as term_0,
            d.cost as term_1
          from sales d
          left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(
                    replace(
                      replace(
                        case
                          when octet_length(d.found_by) <= 2000 then d.found_by
                          else left(d.found_by, 2000)
                          end,
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
                              d.num || e'\x1f' || regexp_replace(
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
                  or d.customer_id in (
                    select c.id
                    from customers c
                    where c.company_id = :company_id
                      and coalesce(
                        c.folded_name,
                          replace(replace(replace(lower(c.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                      ) like :search
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:payment::int[] is null or d.payment = any(:payment))
            and (:source::text is null or d.source = :source)
            and (:customer_id::bigint is null or d.customer_id = :customer_id)
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.sale_id
                  from sale_lines l
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

-- sales.browse.by_customer_name_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by o.name_key desc, d.listed, d.id

-- sales.browse.by_date_placed_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.listed desc, d.num_key, d.listed, d.id

-- sales.browse.by_date_placed_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.listed, d.num_key, d.listed, d.id

-- sales.browse.by_date_shipped_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.date_shipped nulls last, d.listed, d.id

-- sales.browse.by_date_shipped_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.date_shipped desc nulls last, d.listed, d.id

-- sales.browse.by_margin_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_cost_asc, but order by (case when coalesce(d.cost_known, d.cost <> 0) then d.total - d.cost end) nulls last,

-- sales.browse.by_margin_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
with short as materialized (
  select v.storage_id, v.item_id, v.on_hand, i.kind
  from stock_levels v
  join items i on i.company_id = :company_id and i.id = v.item_id
  where v.company_id = :company_id and v.on_hand < v.reserved
),
  expected as materialized (
    select e.storage_id, e.item_id, sum(e.amount) as amount
    from (
      select case i.kind
        when 'product' then d.products_storage_id
        else d.materials_storage_id
        end as storage_id,
        l.item_id,
        l.amount
      from purchases d
      join purchase_lines l on l.company_id = :company_id and l.purchase_id = d.id
      join items i on i.company_id = :company_id and i.id = l.item_id
      where d.company_id = :company_id
        and d.status in (0, 1, 2)
        and l.item_id in (select h.item_id from short h)
      union all
      select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end,
        r.item_id,
        -r.amount
      from purchases d
      join purchase_receipts r on r.company_id = :company_id and r.purchase_id = d.id
      join items i on i.company_id = :company_id and i.id = r.item_id
      where d.company_id = :company_id and d.status = 2 and r.item_id in (select h.item_id from short h)
      union all
      select d.products_storage_id, l.item_id, l.amount
      from productions d
      join production_lines l on l.company_id = :company_id and l.production_id = d.id
      where d.company_id = :company_id and d.status in (0, 1) and l.item_id in (select h.item_id from short h)
      union all
      select d.storage_to_id, l.item_id, l.amount
      from transfers d
      join transfer_lines l on l.company_id = :company_id and l.transfer_id = d.id
      where d.company_id = :company_id and d.status = 1 and l.item_id in (select h.item_id from short h)
    ) e
    group by e.storage_id, e.item_id
  ),
  waiting as materialized (
    select distinct w.sale_id, w.item_id, w.reaches > w.on_hand + coalesce(x.amount, 0) as is_missing
    from (
      select n.sale_id,
        n.storage_id,
        n.item_id,
        n.on_hand,
        sum(n.amount) over (
          partition by n.storage_id, n.item_id order by n.comes_later, n.date_placed, n.sale_id
        ) as reaches
      from (
        select s.id, h.storage_id, h.item_id, h.on_hand, s.status = 0, s.date_placed, l.amount
        from short h
        join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
        join sales s on s.company_id = :company_id
          and s.id = l.sale_id
          and s.status in (0, 1)
          and case h.kind
            when 'product' then h.storage_id = s.products_storage_id
            else h.storage_id = s.materials_storage_id
            end
        where exists (select from short)
        union all
        select s.id,
          h.storage_id,
          h.item_id,
          h.on_hand,
          false,
          s.date_placed,
          sum(l.amount) - coalesce(
            (
              select sum(p.amount)
              from sale_shipments p
              where p.company_id = :company_id and p.sale_id = s.id and p.item_id = h.item_id
            ),
              0
          )
        from short h
        join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
        join sales s on s.company_id = :company_id
          and s.id = l.sale_id
          and s.status = 2
          and case h.kind
            when 'product' then h.storage_id = s.products_storage_id
            else h.storage_id = s.materials_storage_id
            end
        where exists (select from short)
        group by s.id, h.storage_id, h.item_id, h.on_hand, s.date_placed
        having sum(l.amount) > coalesce(
          (
            select sum(p.amount)
            from sale_shipments p
            where p.company_id = :company_id and p.sale_id = s.id and p.item_id = h.item_id
          ),
            0
        )
      ) n (sale_id, storage_id, item_id, on_hand, comes_later, date_placed, amount)
    ) w
    left join expected x on x.storage_id = w.storage_id and x.item_id = w.item_id
    where w.reaches > w.on_hand
  ),
  held_up as materialized (
    select w.sale_id, bool_or(w.is_missing) as is_missing
    from waiting w
    group by w.sale_id
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
            ',"payment":',
            d.payment,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_shipped":',
            concat('"', d.date_shipped, '"'),
            ',"customer_id":',
            d.customer_id,
            ',"customer_name":',
            to_json(u.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"total":',
            trim_scale(d.total),
            ',"cost":',
            coalesce(
              trim_scale((case when coalesce(d.cost_known, d.cost <> 0) then d.cost end))::text, 'null'
            ),
            ',"margin":',
            coalesce(
              trim_scale((case when coalesce(d.cost_known, d.cost <> 0) then d.total - d.cost end))::text,
                'null'
            ),
            ',"planned_margin":',
            coalesce(
              trim_scale(
                (
                  case when p.id is not null
                    and not coalesce(d.cost_known, d.cost <> 0) then (
                      select case when bool_and(x.cost <> 0) then d.total - sum(x.cost) end
                      from (
                        select case
                          when l.cost <> 0 then l.cost
                          else round(l.amount * coalesce(nullif(k.average, 0), q.cost, 0), 2)
                          end as cost
                        from sale_lines l
                        cross join lateral (
                          select i.id, i.kind, i.price
                          from items i
                          where i.company_id = :company_id and i.id = l.item_id
                          offset 0
                        ) i
                        left join item_costs k on k.company_id = :company_id and k.item_id = l.item_id
                        cross join lateral (
                          select case
                            when i.kind = 'material' then i.price
                            else (
                              with recursive made (id, kind, price, amount, leaf) as (
                                select i.id, i.kind, i.price, 1::numeric, false
                                union all
                                select distinct x.id,
                                  x.kind,
                                  x.price,
                                  sum(m.amount * c.amount) over (partition by x.id),
                                  not exists (
                                    select
                                    from components d
                                    where d.company_id = :company_id and d.product_id = x.id
                                    offset 0
                                  )
                                from made m
                                cross join lateral (
                                  select c.item_id, c.amount
                                  from components c
                                  where c.company_id = :company_id and c.product_id = m.id
                                  offset 0
                                ) c
                                cross join lateral (
                                  select x.id, x.kind, x.price
                                  from items x
                                  where x.company_id = :company_id and x.id = c.item_id
                                  offset 0
                                ) x
                              )
                              select case
                                when bool_and((case when m.kind = 'resource' then m.price when coalesce(k.average, 0) > 0 or m.kind = 'product' then coalesce(k.average, 0) else m.price end) <> 0) then round(
                                  sum(
                                    m.amount * case
                                      when m.kind = 'resource' then m.price
                                      when coalesce(k.average, 0) > 0
                                      or m.kind = 'product' then coalesce(k.average, 0) else m.price end
                                  ),
                                    2
                                )
                                end
                              from made m
                              left join lateral (
                                select k.average
                                from item_costs k
                                where k.company_id = :company_id and k.item_id = m.id
                                offset 0
                              ) k on true
                              where m.leaf
                            )
                            end as cost
                          offset 0
                        ) q
                        where l.company_id = :company_id and l.sale_id = d.id
                      ) x
                    )
                      end
                )
              )::text,
                'null'
            ),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"production_id":',
            coalesce(p.id::text, 'null'),
            ',"production_num":',
            coalesce(to_json(p.num)::text, 'null'),
            ',"availability":',
            coalesce(
              to_json(
                (
                  case
                    when d.status in (3, 4) then null
                    when d.id in (select w.sale_id from held_up w where w.is_missing) then 'missing'
                    when d.id in (select w.sale_id from held_up w) then 'expected'
                    when d.status = 2
                    and not exists (
                      select
                      from (
                        select l.item_id, sum(l.amount) as amount
                        from sale_lines l
                        where l.company_id = :company_id and l.sale_id = d.id
                        group by l.item_id
                      ) l
                      where l.amount > coalesce(
                        (
                          select sum(p.amount)
                          from sale_shipments p
                          where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                        ),
                          0
                      )
                    ) then 'none'
                      else 'in_stock'
                      end
                )
              )::text,
                'null'
            ),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from sales d
            left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(
                      replace(
                        replace(
                          case
                            when octet_length(d.found_by) <= 2000 then d.found_by
                            else left(d.found_by, 2000)
                            end,
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
                                d.num || e'\x1f' || regexp_replace(
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
                    or d.customer_id in (
                      select c.id
                      from customers c
                      where c.company_id = :company_id
                        and coalesce(
                          c.folded_name,
                            replace(replace(replace(lower(c.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                        ) like :search
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:payment::int[] is null or d.payment = any(:payment))
              and (:source::text is null or d.source = :source)
              and (:customer_id::bigint is null or d.customer_id = :customer_id)
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.sale_id
                    from sale_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and case :cut::text
                when 'all' then true
                when 'open' then d.status in (0, 1, 2)
                when 'to_ship' then (
                  d.status in (0, 1, 2)
                    and not d.id in (select w.sale_id from held_up w)
                    and (
                      d.status <> 2
                        or exists (
                          select
                          from (
                            select l.item_id, sum(l.amount) as amount
                            from sale_lines l
                            where l.company_id = :company_id and l.sale_id = d.id
                            group by l.item_id
                          ) l
                          where l.amount > coalesce(
                            (
                              select sum(p.amount)
                              from sale_shipments p
                              where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                            ),
                              0
                          )
                        )
                    )
                )
                when 'shipped' then d.status = 3
                when 'canceled' then d.status = 4
                end
            order by (
              case when coalesce(d.cost_known, d.cost <> 0) then d.total - d.cost end
            ) desc nulls last,
              d.listed,
              d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join (
          sales d left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
        ) on d.id = page.key_0
        left join customers u on u.company_id = :company_id and u.id = d.customer_id
        left join productions p on p.company_id = :company_id and p.sale_id = d.id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
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
      '{"total":',
        trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)),
        ',"cost":',
        trim_scale(
          coalesce(
            sum(each_group.sum_1) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          )
        ),
        ',"margin":',
        trim_scale(
          coalesce(
            sum(each_group.sum_0) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          ) - coalesce(
            sum(each_group.sum_1) filter (where each_group.is_summed and (each_group.met & 32 <> 0)), 0
          )
        ),
        ',"sales":',
        trim_scale(coalesce(sum(each_group.entries) filter (where each_group.is_summed), 0)),
        ',"without_cost":',
        trim_scale(
          coalesce(
            sum(each_group.entries) filter (where each_group.is_summed and (each_group.met & 64 <> 0)), 0
          )
        ),
        '}'
    ) as sums,
    concat(
      '{"open":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 1 <> 0)), 0)::text,
        ',"to_ship":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 2 <> 0)), 0)::text,
        ',"shipped":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 4 <> 0)), 0)::text,
        ',"canceled":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 8 <> 0)), 0)::text,
        ',"all":',
        coalesce(sum(each_group.entries) filter (where true), 0)::text,
        '}'
    ) as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 16 <> 0)
            or not bool_or(each_group.is_shown and (each_group.met & 16 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*,
        case :cut::text
          when 'all' then true
          when 'open' then (each_group.met & 1 <> 0)
          when 'to_ship' then (each_group.met & 2 <> 0)
          when 'shipped' then (each_group.met & 4 <> 0)
          when 'canceled' then (each_group.met & 8 <> 0)
          end as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0, sum(each_row.term_1) as sum_1
        from (
          select case
            when d.status in (0, 1, 2) then 1
            else 0
            end + case
            when (
              d.status in (0, 1, 2)
                and not d.id in (select w.sale_id from held_up w)
                and (
                  d.status <> 2
                    or exists (
                      select
                      from (
                        select l.item_id, sum(l.amount) as amount
                        from sale_lines l
                        where l.company_id = :company_id and l.sale_id = d.id
                        group by l.item_id
                      ) l
                      where l.amount > coalesce(
                        (
                          select sum(p.amount)
                          from sale_shipments p
                          where p.company_id = :company_id and p.sale_id = d.id and p.item_id = l.item_id
                        ),
                          0
                      )
                    )
                )
            ) then 2
            else 0
            end + case
            when d.status = 3 then 4
            else 0
            end + case
            when d.status = 4 then 8
            else 0
            end + case
            when d.status <> 4 then 16
            else 0
            end + case
            when coalesce(d.cost_known, d.cost <> 0) then 32
            else 0
            end + case
            when not coalesce(d.cost_known, d.cost <> 0) then 64
            else 0
            end as met,
            d.total as term_0,
            d.cost as term_1
          from sales d
          left join customers o on o.company_id = :company_id and o.id = d.customer_id + 0
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(
                    replace(
                      replace(
                        case
                          when octet_length(d.found_by) <= 2000 then d.found_by
                          else left(d.found_by, 2000)
                          end,
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
                              d.num || e'\x1f' || regexp_replace(
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
                  or d.customer_id in (
                    select c.id
                    from customers c
                    where c.company_id = :company_id
                      and coalesce(
                        c.folded_name,
                          replace(replace(replace(lower(c.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                      ) like :search
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:payment::int[] is null or d.payment = any(:payment))
            and (:source::text is null or d.source = :source)
            and (:customer_id::bigint is null or d.customer_id = :customer_id)
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.sale_id
                  from sale_lines l
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

-- sales.browse.by_num_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.num_key, d.listed, d.id

-- sales.browse.by_num_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.num_key desc, d.listed, d.id

-- sales.browse.by_payment_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.payment, d.listed, d.id

-- sales.browse.by_payment_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.payment desc, d.listed, d.id

-- sales.browse.by_source_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.source, d.listed, d.id

-- sales.browse.by_source_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.source desc, d.listed, d.id

-- sales.browse.by_status_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.status, d.listed, d.id

-- sales.browse.by_status_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.status desc, d.listed, d.id

-- sales.browse.by_total_asc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.total, d.listed, d.id

-- sales.browse.by_total_desc
-- parameters: company_id, is_unfiltered, search, ids, status, payment, source, customer_id, item_id, date_from, date_to, cut, limit, offset
-- sent by: orders/browse
-- as sales.browse.by_customer_name_asc, but order by d.total desc, d.listed, d.id

-- sales.card
-- parameters: company_id, document_id
-- sent by: orders/get_card
with short as materialized (
  select v.storage_id, v.item_id, v.on_hand, i.kind
  from stock_levels v
  join items i on i.company_id = :company_id and i.id = v.item_id
  where v.company_id = :company_id
    and v.on_hand < v.reserved
    and v.item_id in (
      select l.item_id
      from sale_lines l
      where l.company_id = :company_id and l.sale_id = :document_id
    )
),
  expected as materialized (
    select e.storage_id, e.item_id, sum(e.amount) as amount
    from (
      select case i.kind
        when 'product' then d.products_storage_id
        else d.materials_storage_id
        end as storage_id,
        l.item_id,
        l.amount
      from purchases d
      join purchase_lines l on l.company_id = :company_id and l.purchase_id = d.id
      join items i on i.company_id = :company_id and i.id = l.item_id
      where d.company_id = :company_id
        and d.status in (0, 1, 2)
        and l.item_id in (
          select l.item_id
          from sale_lines l
          where l.company_id = :company_id and l.sale_id = :document_id
        )
      union all
      select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end,
        r.item_id,
        -r.amount
      from purchases d
      join purchase_receipts r on r.company_id = :company_id and r.purchase_id = d.id
      join items i on i.company_id = :company_id and i.id = r.item_id
      where d.company_id = :company_id
        and d.status = 2
        and r.item_id in (
          select l.item_id
          from sale_lines l
          where l.company_id = :company_id and l.sale_id = :document_id
        )
      union all
      select d.products_storage_id, l.item_id, l.amount
      from productions d
      join production_lines l on l.company_id = :company_id and l.production_id = d.id
      where d.company_id = :company_id
        and d.status in (0, 1)
        and l.item_id in (
          select l.item_id
          from sale_lines l
          where l.company_id = :company_id and l.sale_id = :document_id
        )
      union all
      select d.storage_to_id, l.item_id, l.amount
      from transfers d
      join transfer_lines l on l.company_id = :company_id and l.transfer_id = d.id
      where d.company_id = :company_id
        and d.status = 1
        and l.item_id in (
          select l.item_id
          from sale_lines l
          where l.company_id = :company_id and l.sale_id = :document_id
        )
    ) e
    group by e.storage_id, e.item_id
  ),
  waiting as materialized (
    select distinct w.sale_id, w.item_id, w.reaches > w.on_hand + coalesce(x.amount, 0) as is_missing
    from (
      select n.sale_id,
        n.storage_id,
        n.item_id,
        n.on_hand,
        sum(n.amount) over (
          partition by n.storage_id, n.item_id order by n.comes_later, n.date_placed, n.sale_id
        ) as reaches
      from (
        select s.id, h.storage_id, h.item_id, h.on_hand, s.status = 0, s.date_placed, l.amount
        from short h
        join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
        join sales s on s.company_id = :company_id
          and s.id = l.sale_id
          and s.status in (0, 1)
          and case h.kind
            when 'product' then h.storage_id = s.products_storage_id
            else h.storage_id = s.materials_storage_id
            end
        where exists (select from short)
        union all
        select s.id,
          h.storage_id,
          h.item_id,
          h.on_hand,
          false,
          s.date_placed,
          sum(l.amount) - coalesce(
            (
              select sum(p.amount)
              from sale_shipments p
              where p.company_id = :company_id and p.sale_id = s.id and p.item_id = h.item_id
            ),
              0
          )
        from short h
        join sale_lines l on l.company_id = :company_id and l.item_id = h.item_id
        join sales s on s.company_id = :company_id
          and s.id = l.sale_id
          and s.status = 2
          and case h.kind
            when 'product' then h.storage_id = s.products_storage_id
            else h.storage_id = s.materials_storage_id
            end
        where exists (select from short)
        group by s.id, h.storage_id, h.item_id, h.on_hand, s.date_placed
        having sum(l.amount) > coalesce(
          (
            select sum(p.amount)
            from sale_shipments p
            where p.company_id = :company_id and p.sale_id = s.id and p.item_id = h.item_id
          ),
            0
        )
      ) n (sale_id, storage_id, item_id, on_hand, comes_later, date_placed, amount)
    ) w
    left join expected x on x.storage_id = w.storage_id and x.item_id = w.item_id
    where w.reaches > w.on_hand
  ),
  held_up as materialized (
    select w.sale_id, bool_or(w.is_missing) as is_missing
    from waiting w
    group by w.sale_id
  ),
  own_waiting as materialized (select w.item_id, w.is_missing from waiting w where w.sale_id = :document_id)
select concat(
  '{',
    concat(
      '"id":',
        d.id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"payment":',
        d.payment,
        ',"date_placed":',
        concat('"', d.date_placed, '"'),
        ',"date_shipped":',
        concat('"', d.date_shipped, '"'),
        ',"subtotal":',
        trim_scale(d.subtotal),
        ',"delivery_price":',
        trim_scale(d.delivery_price),
        ',"discount":',
        trim_scale(d.discount),
        ',"total":',
        trim_scale(d.total),
        ',"cost":',
        trim_scale(d.cost),
        ',"amount":',
        coalesce(trim_scale(shared.amount)::text, 'null'),
        ',"lines":',
        d.lines,
        ',"production":',
        d.production::int,
        ',"production_num":',
        coalesce(to_json(p.num)::text, 'null'),
        ',"source":',
        to_json(d.source),
        ',"notes":',
        to_json(d.notes),
        ',"products_storage_id":',
        d.products_storage_id,
        ',"products_storage_name":',
        to_json(ps.name),
        ',"materials_storage_id":',
        d.materials_storage_id,
        ',"materials_storage_name":',
        to_json(ms.name),
        ',"customer_id":',
        d.customer_id,
        ',"customer_name":',
        to_json(u.name),
        ',"customer_email":',
        to_json(u.email),
        ',"customer_phone":',
        to_json(u.phone),
        ',"customer_address_real":',
        to_json(u.address_real),
        ',"customer_address_legal":',
        to_json(u.address_legal),
        ',"customer_agreement":',
        to_json(u.agreement),
        ',"customer_manager_name":',
        to_json(u.manager_name),
        ',"customer_manager_post":',
        to_json(u.manager_post),
        ',"customer_notes":',
        to_json(u.notes)
    ),
    ',"products":[',
    own_lines.products,
    ']',
    ',"materials":[',
    own_lines.materials,
    ']',
    '}'
) as entry,
  (
    select coalesce(max(e.seq), 0)
    from events e
    where e.company_id = :company_id and e.record = 'sale' and e.record_id = d.id
  ) as seq,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"type":',
            to_json(i.kind),
            ',"id":',
            l.item_id,
            ',"sku":',
            to_json(i.sku),
            ',"name":',
            to_json(i.name),
            ',"unit":',
            to_json(n.name),
            ',"position":',
            l.position,
            ',"amount":',
            trim_scale(l.amount),
            ',"price":',
            trim_scale(round(l.total / l.amount, 2)),
            ',"total":',
            trim_scale(l.total),
            ',"cost":',
            trim_scale(l.cost),
            ',"shipped":',
            trim_scale(
              (
                case
                  when d.status = 3 then l.amount
                  else least(l.amount, greatest(0, coalesce(h.amount, 0) - l.before))
                  end
              )
            ),
            ',"left":',
            trim_scale(
              (
                case
                  when d.status in (3, 4) then 0
                  else l.amount - case
                  when d.status = 3 then l.amount
                  else least(l.amount, greatest(0, coalesce(h.amount, 0) - l.before))
                  end
                  end
              )
            ),
            ',"on_hand":',
            trim_scale(coalesce(v.on_hand, 0)),
            ',"reserved":',
            trim_scale(coalesce(v.reserved, 0)),
            ',"available":',
            trim_scale(coalesce(v.on_hand - v.reserved, 0)),
            ',"expected":',
            trim_scale(coalesce(x.amount, 0)),
            ',"mark":',
            coalesce(
              to_json(
                (
                  case
                    when case
                    when d.status in (3, 4) then 0
                    else l.amount - case
                    when d.status = 3 then l.amount
                    else least(l.amount, greatest(0, coalesce(h.amount, 0) - l.before))
                    end
                    end <= 0 then null
                    when l.item_id in (select w.item_id from own_waiting w where w.is_missing) then 'missing'
                    when l.item_id in (select w.item_id from own_waiting w) then 'expected'
                    else 'in_stock'
                    end
                )
              )::text,
                'null'
            ),
            '}'
        ),
          ',' order by l.position
      )
        || ']'
      from (
        select o.item_id,
          o.position,
          o.amount,
          o.total,
          o.cost,
          sum(o.amount) over (partition by o.item_id order by o.position) - o.amount as before
        from sale_lines o
        where o.company_id = :company_id and o.sale_id = d.id
      ) l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      left join (
        select s.item_id, sum(s.amount) as amount
        from sale_shipments s
        where s.company_id = :company_id and s.sale_id = d.id
        group by s.item_id
      ) h on h.item_id = l.item_id
      left join stock_levels v on v.company_id = :company_id
        and v.item_id = l.item_id
        and v.storage_id = case i.kind
          when 'product' then d.products_storage_id
          else d.materials_storage_id
          end
      left join expected x on x.item_id = l.item_id
        and x.storage_id = case i.kind
          when 'product' then d.products_storage_id
          else d.materials_storage_id
          end
    ),
      '[]'
  ) as lines,
  coalesce(
    (
      select '[' || string_agg(
        concat('{"shipment":', p.part, ',"date":', to_json(p.date), ',"lines":', '[' || p.lines || ']', '}'),
          ',' order by p.part
      )
        || ']'
      from (
        select h.shipment as part,
          h.date,
          string_agg(
            concat(
              '{"id":',
                i.id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(h.amount),
                ',"unit":',
                to_json(n.name),
                '}'
            ),
              ',' order by i.name_key,
              i.id
          ) as lines
        from sale_shipments h
        join items i on i.company_id = :company_id and i.id = h.item_id
        join units n on n.company_id = :company_id and n.id = i.unit_id
        where h.company_id = :company_id and h.sale_id = d.id
        group by h.shipment, h.date
      ) p
    ),
      '[]'
  ) as shipments,
  coalesce(
    (
      select '[' || string_agg(
        concat('{"id":', q.id, ',"num":', to_json(q.num), ',"status":', q.status, '}'), ',' order by q.id
      )
        || ']'
      from productions q
      where q.company_id = :company_id and q.sale_id = d.id
    ),
      '[]'
  ) as productions,
  concat(
    '{"billing_address":',
      to_json(coalesce(d.billing_address, u.address_legal)),
      ',"delivery_address":',
      to_json(coalesce(d.delivery_address, u.address_real)),
      '}'
  ) as addresses,
  coalesce(
    (
      case
        when d.total = (
          d.tax ->> case when (d.tax -> 'included')::boolean then 'gross' else 'net' end
        )::numeric then d.tax
        end
    )::text,
      'null'
  ) as tax,
  coalesce(
    to_json(
      (
        select string_agg(o.line, e'\n' order by o.place)
        from regexp_split_to_table(d.notes, '\n') with ordinality as o (line, place)
        where o.line like 'Product not found: %' or o.line like 'Material not found: %'
      )
    )::text,
      'null'
  ) as skipped,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"request_id":',
            to_json(e.request_id),
            ',"at":',
            to_char(e.at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"method":',
            to_json(e.method),
            ',"status":',
            coalesce(r.status, 200)::text,
            '}'
        ),
          ',' order by e.seq desc
      )
        || ']'
      from events e
      left join lateral (
        select o.status
        from request_log o
        where o.company_id = :company_id
          and o.request_id = e.request_id
          and o.at between e.at - interval '1 minute' and e.at + interval '1 minute'
        limit 1
      ) r on true
      where e.company_id = :company_id and e.record = 'sale' and e.record_id = d.id
    ),
      '[]'
  ) as requests,
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
        and m.section = 'sales'
        and m.document_id = d.id
        and (m.on_hand <> 0 or m.reserved <> 0)
    ),
      '[]'
  ) as effect
from sales d
join customers u on u.company_id = :company_id and u.id = d.customer_id
join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
        ',"total":',
        trim_scale(l.total),
        ',"price":',
        trim_scale(round(l.total / l.amount, 2)),
        ',"cost":',
        trim_scale(l.cost),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind = 'product') as products,
    string_agg(
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
          ',"total":',
          trim_scale(l.total),
          ',"price":',
          trim_scale(round(l.total / l.amount, 2)),
          ',"cost":',
          trim_scale(l.cost),
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'material') as materials
  from sale_lines l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.company_id = :company_id and l.sale_id = d.id
) own_lines
cross join lateral (
  select case when d.lines > 1
    and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
      from sale_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.sale_id = d.id
    )
      else d.amount
      end
) shared (amount)
where d.company_id = :company_id and d.id = :document_id;

-- sales.delete
-- parameters: company_id, document_id
-- sent by: example_data/delete, orders/delete
delete from sales
where company_id = :company_id and id = :document_id;

-- sales.delete_lines
-- parameters: company_id, document_id
-- sent by: example_data/add, example_data/delete, orders/delete, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_status, skipped_lines/assign, skipped_lines/undo
delete from sale_lines
where company_id = :company_id and sale_id = :document_id;

-- sales.facts
-- parameters: company_id, connection_id, document_id, moves_in_list, day
-- sent by: example_data/add, example_data/delete, orders/delete, orders/ship, orders/ship_part, orders/update_payment, orders/update_status
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
  null::bigint as party,
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
        from sale_lines l
        where l.company_id = :company_id and l.sale_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id and m.section = 'sales' and m.document_id = :document_id::bigint
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
        'payment',
        d.payment,
        'date_placed',
        d.date_placed,
        'date_shipped',
        d.date_shipped,
        'date_deducted',
        d.date_deducted,
        'subtotal',
        d.subtotal::text,
        'delivery_price',
        d.delivery_price::text,
        'discount',
        d.discount::text,
        'total',
        d.total::text,
        'cost',
        d.cost::text,
        'cost_known',
        d.cost_known,
        'amount',
        d.amount::text,
        'lines',
        d.lines,
        'production',
        d.production,
        'notes',
        d.notes,
        'products_storage_id',
        d.products_storage_id,
        'materials_storage_id',
        d.materials_storage_id,
        'customer_id',
        d.customer_id,
        'billing_address',
        d.billing_address,
        'delivery_address',
        d.delivery_address,
        'tax',
        d.tax,
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
                  'total',
                  l.total::text,
                  'cost',
                  l.cost::text,
                  'exact_cost',
                  l.exact_cost::text
              ) order by l.position
            ),
              '[]'::json
          )
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.sale_id = d.id
        )
    )
    from sales d
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
      where m.company_id = :company_id and m.section = 'sales' and m.document_id = :document_id::bigint
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
        and r.list = 'sales'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            :day::date,
              (
                select d.date_placed
                from sales d
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
      json_agg(
        json_build_array(
          h.shipment, h.date, h.item_id, h.amount::text, h.tracking_number, h.carrier
        ) order by h.shipment,
          h.item_id
      ),
        '[]'::json
    )
    from sale_shipments h
    where h.company_id = :company_id and h.sale_id = :document_id::bigint
  ) as shipments,
  (
    select coalesce(
      json_agg(
        json_build_array(
          w.position, w.kind, w.named_by, w.code, w.connection_id, w.amount::text, w.total::text
        ) order by w.position
      ),
        '[]'::json
    )
    from sale_skipped_lines w
    where w.company_id = :company_id and w.sale_id = :document_id::bigint
  ) as skipped,
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
    where d.company_id = :company_id and d.sale_id = :document_id::bigint
  ) as production,
  (
    select coalesce(
      json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position),
        '[]'::json
    )
    from production_uses u
    join items i on i.company_id = :company_id and i.id = u.item_id
    where u.company_id = :company_id
      and u.production_id = (
        select p.id
        from productions p
        where p.company_id = :company_id and p.sale_id = :document_id::bigint
      )
  ) as production_uses;

-- sales.facts.external
-- a variant of sales.facts; the others between the two: .items, .all
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
  coalesce(
    coalesce(
      (
        select json_build_object(
          'id',
            u.id,
            'addresses',
            json_build_object('billing', u.address_legal, 'delivery', u.address_real),
            'tax',
            json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
        )
        from customers u
        where u.company_id = :company_id and u.id = :party_id::bigint and u.deleted_at is null
        order by u.id
        limit 1
      ),
        coalesce(
          (
            select json_build_object(
              'id',
                u.id,
                'addresses',
                json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                'tax',
                json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
            )
            from customers u
            where u.company_id = :company_id and u.name = :party_name::text and u.deleted_at is null
            order by u.id
            limit 1
          ),
            (
              select json_build_object(
                'id',
                  u.id,
                  'addresses',
                  json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                  'tax',
                  json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
              )
              from customers u
              where u.company_id = :company_id
                and u.folded_name = :party_folded_name::text
                and u.deleted_at is null
              order by u.id
              limit 1
            )
        )
    ),
      (
        select json_build_object(
          'id',
            u.id,
            'addresses',
            json_build_object('billing', u.address_legal, 'delivery', u.address_real),
            'tax',
            json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
        )
        from external_ids x
        join customers u on u.company_id = :company_id and u.id = x.record_id
        where x.company_id = :company_id
          and x.connection_id = coalesce(:connection_id::bigint, 0)
          and x.record = 'customer'
          and x.external_id = :party_external_id::text
      )
  ) as party,
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
        from sale_lines l
        where l.company_id = :company_id and l.sale_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id and m.section = 'sales' and m.document_id = :document_id::bigint
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
        'payment',
        d.payment,
        'date_placed',
        d.date_placed,
        'date_shipped',
        d.date_shipped,
        'date_deducted',
        d.date_deducted,
        'subtotal',
        d.subtotal::text,
        'delivery_price',
        d.delivery_price::text,
        'discount',
        d.discount::text,
        'total',
        d.total::text,
        'cost',
        d.cost::text,
        'cost_known',
        d.cost_known,
        'amount',
        d.amount::text,
        'lines',
        d.lines,
        'production',
        d.production,
        'notes',
        d.notes,
        'products_storage_id',
        d.products_storage_id,
        'materials_storage_id',
        d.materials_storage_id,
        'customer_id',
        d.customer_id,
        'billing_address',
        d.billing_address,
        'delivery_address',
        d.delivery_address,
        'tax',
        d.tax,
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
                  'total',
                  l.total::text,
                  'cost',
                  l.cost::text,
                  'exact_cost',
                  l.exact_cost::text
              ) order by l.position
            ),
              '[]'::json
          )
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.sale_id = d.id
        )
    )
    from sales d
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
      where m.company_id = :company_id and m.section = 'sales' and m.document_id = :document_id::bigint
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
        and r.list = 'sales'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            :day::date,
              (
                select d.date_placed
                from sales d
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
      json_agg(
        json_build_array(
          h.shipment, h.date, h.item_id, h.amount::text, h.tracking_number, h.carrier
        ) order by h.shipment,
          h.item_id
      ),
        '[]'::json
    )
    from sale_shipments h
    where h.company_id = :company_id and h.sale_id = :document_id::bigint
  ) as shipments,
  (
    select coalesce(
      json_agg(
        json_build_array(
          w.position, w.kind, w.named_by, w.code, w.connection_id, w.amount::text, w.total::text
        ) order by w.position
      ),
        '[]'::json
    )
    from sale_skipped_lines w
    where w.company_id = :company_id and w.sale_id = :document_id::bigint
  ) as skipped,
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
    where d.company_id = :company_id and d.sale_id = :document_id::bigint
  ) as production,
  (
    select coalesce(
      json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position),
        '[]'::json
    )
    from production_uses u
    join items i on i.company_id = :company_id and i.id = u.item_id
    where u.company_id = :company_id
      and u.production_id = (
        select p.id
        from productions p
        where p.company_id = :company_id and p.sale_id = :document_id::bigint
      )
  ) as production_uses;

-- sales.find
-- parameters: company_id, id
-- sent by: orders/get_entry
select concat(
  '{',
    concat(
      '"id":',
        d.id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"payment":',
        d.payment,
        ',"date_placed":',
        concat('"', d.date_placed, '"'),
        ',"date_shipped":',
        concat('"', d.date_shipped, '"'),
        ',"subtotal":',
        trim_scale(d.subtotal),
        ',"delivery_price":',
        trim_scale(d.delivery_price),
        ',"discount":',
        trim_scale(d.discount),
        ',"total":',
        trim_scale(d.total),
        ',"cost":',
        trim_scale(d.cost),
        ',"amount":',
        coalesce(trim_scale(shared.amount)::text, 'null'),
        ',"lines":',
        d.lines,
        ',"production":',
        d.production::int,
        ',"production_num":',
        coalesce(to_json(p.num)::text, 'null'),
        ',"source":',
        to_json(d.source),
        ',"notes":',
        to_json(d.notes),
        ',"products_storage_id":',
        d.products_storage_id,
        ',"products_storage_name":',
        to_json(ps.name),
        ',"materials_storage_id":',
        d.materials_storage_id,
        ',"materials_storage_name":',
        to_json(ms.name),
        ',"customer_id":',
        d.customer_id,
        ',"customer_name":',
        to_json(u.name),
        ',"customer_email":',
        to_json(u.email),
        ',"customer_phone":',
        to_json(u.phone),
        ',"customer_address_real":',
        to_json(u.address_real),
        ',"customer_address_legal":',
        to_json(u.address_legal),
        ',"customer_agreement":',
        to_json(u.agreement),
        ',"customer_manager_name":',
        to_json(u.manager_name),
        ',"customer_manager_post":',
        to_json(u.manager_post),
        ',"customer_notes":',
        to_json(u.notes)
    ),
    ',"products":[',
    own_lines.products,
    ']',
    ',"materials":[',
    own_lines.materials,
    ']',
    '}'
) as record
from sales d
join customers u on u.company_id = :company_id and u.id = d.customer_id
join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
        ',"total":',
        trim_scale(l.total),
        ',"price":',
        trim_scale(round(l.total / l.amount, 2)),
        ',"cost":',
        trim_scale(l.cost),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind = 'product') as products,
    string_agg(
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
          ',"total":',
          trim_scale(l.total),
          ',"price":',
          trim_scale(round(l.total / l.amount, 2)),
          ',"cost":',
          trim_scale(l.cost),
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'material') as materials
  from sale_lines l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.company_id = :company_id and l.sale_id = d.id
) own_lines
cross join lateral (
  select case when d.lines > 1
    and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
      from sale_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.sale_id = d.id
    )
      else d.amount
      end
) shared (amount)
where d.company_id = :company_id and d.id = :id;

-- sales.find_number
-- parameters: company_id, num_key, num, except_id
-- sent by: orders/find_number
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          d.id,
          ',"num":',
          to_json(d.num),
          ',"status":',
          d.status,
          ',"date_placed":',
          concat('"', d.date_placed, '"'),
          ',"customer_name":',
          to_json(u.name),
          '}'
      ),
        ',' order by d.id desc
    )
      || ']'
    from (
      select o.id, o.num, o.status, o.date_placed, o.customer_id
      from sales o
      where o.company_id = :company_id
        and o.num_key = :num_key
        and o.num = :num
        and o.id <> :except_id::bigint
      order by o.id desc
      limit 3
    ) d
    join customers u on u.company_id = :company_id and u.id = d.customer_id
  ),
    '[]'
) as found;

-- sales.find_shown
-- parameters: company_id, with_lines, with_shipments, with_addresses, with_meta, connection_id, id, external_id
-- sent by: orders/get_entry
select concat(
  '{',
    concat(
      '"id":',
        d.id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"payment":',
        d.payment,
        ',"date_placed":',
        concat('"', d.date_placed, '"'),
        ',"date_shipped":',
        concat('"', d.date_shipped, '"'),
        ',"subtotal":',
        trim_scale(d.subtotal),
        ',"delivery_price":',
        trim_scale(d.delivery_price),
        ',"discount":',
        trim_scale(d.discount),
        ',"total":',
        trim_scale(d.total),
        ',"cost":',
        trim_scale(d.cost),
        ',"amount":',
        coalesce(trim_scale(shared.amount)::text, 'null'),
        ',"lines":',
        d.lines,
        ',"production":',
        d.production::int,
        ',"production_num":',
        coalesce(to_json(p.num)::text, 'null'),
        ',"source":',
        to_json(d.source),
        ',"notes":',
        to_json(d.notes),
        ',"products_storage_id":',
        d.products_storage_id,
        ',"products_storage_name":',
        to_json(ps.name),
        ',"materials_storage_id":',
        d.materials_storage_id,
        ',"materials_storage_name":',
        to_json(ms.name),
        ',"customer_id":',
        d.customer_id,
        ',"customer_name":',
        to_json(u.name),
        ',"customer_email":',
        to_json(u.email),
        ',"customer_phone":',
        to_json(u.phone),
        ',"customer_address_real":',
        to_json(u.address_real),
        ',"customer_address_legal":',
        to_json(u.address_legal),
        ',"customer_agreement":',
        to_json(u.agreement),
        ',"customer_manager_name":',
        to_json(u.manager_name),
        ',"customer_manager_post":',
        to_json(u.manager_post),
        ',"customer_notes":',
        to_json(u.notes)
    ),
    case
      when :with_lines::boolean then concat(
        ',"products":[',
          own_lines.products,
          shipped_lines.products,
          ']',
          ',"materials":[',
          own_lines.materials,
          shipped_lines.materials,
          ']'
      )
      end,
    case when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']') end,
    case
      when :with_addresses::boolean then concat(
        ',',
          concat(
            '"billing_address":',
              to_json(coalesce(d.billing_address, u.address_legal)),
              ',"delivery_address":',
              to_json(coalesce(d.delivery_address, u.address_real))
          )
      )
      end,
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
                      and x.record = 'sale'
                      and x.record_id = d.id
                      and x.connection_id = :connection_id::bigint
                  )
                )::text,
                  'null'
              ),
              ',"created_at":',
              to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
              ',"updated_at":',
              to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
              ',"version":',
              (
                select max(v.seq)
                from events v
                where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
              )::text
          )
      )
      end,
    '}'
) as record
from sales d
join customers u on u.company_id = :company_id and u.id = d.customer_id
join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
        ',"total":',
        trim_scale(l.total),
        ',"price":',
        trim_scale(round(l.total / l.amount, 2)),
        ',"cost":',
        trim_scale(l.cost),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind = 'product') as products,
    string_agg(
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
          ',"total":',
          trim_scale(l.total),
          ',"price":',
          trim_scale(round(l.total / l.amount, 2)),
          ',"cost":',
          trim_scale(l.cost),
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'material') as materials
  from sale_lines l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.company_id = :company_id
    and l.sale_id = d.id
    and :with_lines::boolean
    and :with_shipments::boolean is null
) own_lines
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
        ',"shipped":',
        trim_scale(
          (case when d.status = 3 then l.amount else least(l.amount, greatest(0, l.shipped - l.before)) end)
        ),
        ',"unit":',
        to_json(n.name),
        ',"total":',
        trim_scale(l.total),
        ',"price":',
        trim_scale(round(l.total / l.amount, 2)),
        ',"cost":',
        trim_scale(l.cost),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind = 'product') as products,
    string_agg(
      concat(
        '{"id":',
          l.item_id,
          ',"sku":',
          to_json(i.sku),
          ',"name":',
          to_json(i.name),
          ',"amount":',
          trim_scale(l.amount),
          ',"shipped":',
          trim_scale(
            (case when d.status = 3 then l.amount else least(l.amount, greatest(0, l.shipped - l.before)) end)
          ),
          ',"unit":',
          to_json(n.name),
          ',"total":',
          trim_scale(l.total),
          ',"price":',
          trim_scale(round(l.total / l.amount, 2)),
          ',"cost":',
          trim_scale(l.cost),
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'material') as materials
  from (
    select w.*,
      sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
      sum(w.left_stock) over (partition by w.item_id) as shipped
    from (
      select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
      from sale_lines o
      where o.company_id = :company_id
        and o.sale_id = d.id
        and :with_lines::boolean
        and :with_shipments::boolean
      union all
      select s.item_id, null, null, null, null, s.amount
      from sale_shipments s
      where s.company_id = :company_id
        and s.sale_id = d.id
        and :with_lines::boolean
        and :with_shipments::boolean
    ) w
  ) l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.position is not null
) shipped_lines
cross join lateral (
  select string_agg(
    concat(
      '{',
        concat(
          '"shipment":',
            p.shipment,
            ',"date":',
            concat('"', p.date, '"'),
            ',"tracking_number":',
            to_json(p.tracking_number),
            ',"carrier":',
            to_json(p.carrier)
        ),
        ',"lines":[',
        p.lines,
        ']}'
    ),
      ',' order by p.shipment
  ) as shipments
  from (
    select g.shipment,
      g.date,
      g.tracking_number,
      g.carrier,
      string_agg(
        concat(
          '{"id":',
            i.id,
            ',"sku":',
            to_json(i.sku),
            ',"name":',
            to_json(i.name),
            ',"amount":',
            trim_scale(g.amount),
            ',"unit":',
            to_json(n.name),
            '}'
        ),
          ',' order by i.name_key,
          i.id
      ) as lines
    from (
      select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
      from sale_shipments s
      where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
      union all
      select 1 + coalesce(
        (select max(s.shipment) from sale_shipments s where s.company_id = :company_id and s.sale_id = d.id),
          0
      ),
        d.date_deducted,
        '',
        '',
        w.item_id,
        sum(w.amount)
      from (
        select o.item_id, o.amount
        from sale_lines o
        where o.company_id = :company_id and o.sale_id = d.id
        union all
        select s.item_id, -s.amount
        from sale_shipments s
        where s.company_id = :company_id and s.sale_id = d.id
      ) w
      where d.status = 3 and :with_shipments::boolean
      group by w.item_id
      having sum(w.amount) > 0
    ) g (shipment, date, tracking_number, carrier, item_id, amount)
    join items i on i.company_id = :company_id and i.id = g.item_id
    join units n on n.company_id = :company_id and n.id = i.unit_id
    group by g.shipment, g.date, g.tracking_number, g.carrier
  ) p
) own_shipments
cross join lateral (
  select case when d.lines > 1
    and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
      from sale_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.sale_id = d.id
    )
      else d.amount
      end
) shared (amount)
where d.company_id = :company_id
  and d.id = coalesce(
    :id::bigint,
      (
        select x.record_id
        from external_ids x
        where x.company_id = :company_id
          and x.connection_id = :connection_id::bigint
          and x.record = 'sale'
          and x.external_id = :external_id::text
      )
  );

-- sales.first_page
-- parameters: company_id, date_to, date_from, limit
-- sent by: orders/get_list
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'sales'
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
            ',"payment":',
            d.payment,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_shipped":',
            concat('"', d.date_shipped, '"'),
            ',"subtotal":',
            trim_scale(d.subtotal),
            ',"delivery_price":',
            trim_scale(d.delivery_price),
            ',"discount":',
            trim_scale(d.discount),
            ',"total":',
            trim_scale(d.total),
            ',"cost":',
            trim_scale(d.cost),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"production":',
            d.production::int,
            ',"production_num":',
            coalesce(to_json(p.num)::text, 'null'),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"products_storage_id":',
            d.products_storage_id,
            ',"products_storage_name":',
            to_json(ps.name),
            ',"materials_storage_id":',
            d.materials_storage_id,
            ',"materials_storage_name":',
            to_json(ms.name),
            ',"customer_id":',
            d.customer_id,
            ',"customer_name":',
            to_json(u.name),
            ',"customer_email":',
            to_json(u.email),
            ',"customer_phone":',
            to_json(u.phone),
            ',"customer_address_real":',
            to_json(u.address_real),
            ',"customer_address_legal":',
            to_json(u.address_legal),
            ',"customer_agreement":',
            to_json(u.agreement),
            ',"customer_manager_name":',
            to_json(u.manager_name),
            ',"customer_manager_post":',
            to_json(u.manager_post),
            ',"customer_notes":',
            to_json(u.notes),
            '}'
        ) as json
        from (
          select o.*
          from sales o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
          order by o.listed, o.num_key, o.id
          limit :limit
        ) d
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.insert
-- parameters: company_id, document_id, num, num_key, status, payment, date_placed, date_shipped, date_deducted, subtotal, delivery_price, discount, total, cost, cost_known, amount, lines, production, notes, products_storage_id, materials_storage_id, customer_id, billing_address, delivery_address, tax, at, source
-- sent by: example_data/add, orders/add, quotes/accept, quotes/accept_shared
insert into sales (
  company_id,
    id,
    num,
    num_key,
    status,
    payment,
    date_placed,
    date_shipped,
    date_deducted,
    subtotal,
    delivery_price,
    discount,
    total,
    cost,
    cost_known,
    amount,
    lines,
    production,
    notes,
    products_storage_id,
    materials_storage_id,
    customer_id,
    billing_address,
    delivery_address,
    tax,
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
    :payment,
    :date_placed,
    :date_shipped,
    :date_deducted,
    :subtotal,
    :delivery_price,
    :discount,
    :total,
    :cost,
    :cost_known,
    :amount,
    :lines,
    :production,
    :notes,
    :products_storage_id,
    :materials_storage_id,
    :customer_id,
    :billing_address,
    :delivery_address,
    :tax,
    :at,
    :at,
    :source
);

-- sales.insert_lines
-- parameters: company_id, sale_id, item_id, amount, total, cost, exact_cost
-- sent by: example_data/add, orders/add, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_status, quotes/accept, quotes/accept_shared, skipped_lines/assign, skipped_lines/undo
insert into sale_lines (company_id, sale_id, position, item_id, amount, total, cost, exact_cost)
select c.company_id, :sale_id, x.place - 1, x.item_id, x.amount, x.total, x.cost, x.exact_cost
from company_clock c
cross join unnest(
  :item_id::bigint[], :amount::numeric[], :total::numeric[], :cost::numeric[], :exact_cost::numeric[]
) with ordinality as x (item_id, amount, total, cost, exact_cost, place)
where c.company_id = :company_id;

-- sales.insert_lines.rows_8
-- a variant of sales.insert_lines; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into sale_lines (company_id, sale_id, position, item_id, amount, total, cost, exact_cost)
values (:company_id, :sale_id, 0, :item_id_1, :amount_1, :total_1, :cost_1, :exact_cost_1),
  (:company_id, :sale_id, 1, :item_id_2, :amount_2, :total_2, :cost_2, :exact_cost_2),
  (:company_id, :sale_id, 2, :item_id_3, :amount_3, :total_3, :cost_3, :exact_cost_3),
  (:company_id, :sale_id, 3, :item_id_4, :amount_4, :total_4, :cost_4, :exact_cost_4),
  (:company_id, :sale_id, 4, :item_id_5, :amount_5, :total_5, :cost_5, :exact_cost_5),
  (:company_id, :sale_id, 5, :item_id_6, :amount_6, :total_6, :cost_6, :exact_cost_6),
  (:company_id, :sale_id, 6, :item_id_7, :amount_7, :total_7, :cost_7, :exact_cost_7),
  (:company_id, :sale_id, 7, :item_id_8, :amount_8, :total_8, :cost_8, :exact_cost_8);

-- sales.making_facts
-- parameters: company_id, connection_id, storage_ids, party_id, party_name, party_folded_name, item_ids, product_skus, material_skus, document_id, moves_in_list, day, wants_production
-- sent by: example_data/add, orders/edit, orders/undo_shipment, orders/update_status
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
  coalesce(
    (
      select json_build_object(
        'id',
          u.id,
          'addresses',
          json_build_object('billing', u.address_legal, 'delivery', u.address_real),
          'tax',
          json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
      )
      from customers u
      where u.company_id = :company_id and u.id = :party_id::bigint and u.deleted_at is null
      order by u.id
      limit 1
    ),
      coalesce(
        (
          select json_build_object(
            'id',
              u.id,
              'addresses',
              json_build_object('billing', u.address_legal, 'delivery', u.address_real),
              'tax',
              json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
          )
          from customers u
          where u.company_id = :company_id and u.name = :party_name::text and u.deleted_at is null
          order by u.id
          limit 1
        ),
          (
            select json_build_object(
              'id',
                u.id,
                'addresses',
                json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                'tax',
                json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
            )
            from customers u
            where u.company_id = :company_id
              and u.folded_name = :party_folded_name::text
              and u.deleted_at is null
            order by u.id
            limit 1
          )
      )
  ) as party,
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
        select unnest(:item_ids::bigint[])
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
        from sale_lines l
        where l.company_id = :company_id and l.sale_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id and m.section = 'sales' and m.document_id = :document_id::bigint
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
        'payment',
        d.payment,
        'date_placed',
        d.date_placed,
        'date_shipped',
        d.date_shipped,
        'date_deducted',
        d.date_deducted,
        'subtotal',
        d.subtotal::text,
        'delivery_price',
        d.delivery_price::text,
        'discount',
        d.discount::text,
        'total',
        d.total::text,
        'cost',
        d.cost::text,
        'cost_known',
        d.cost_known,
        'amount',
        d.amount::text,
        'lines',
        d.lines,
        'production',
        d.production,
        'notes',
        d.notes,
        'products_storage_id',
        d.products_storage_id,
        'materials_storage_id',
        d.materials_storage_id,
        'customer_id',
        d.customer_id,
        'billing_address',
        d.billing_address,
        'delivery_address',
        d.delivery_address,
        'tax',
        d.tax,
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
                  'total',
                  l.total::text,
                  'cost',
                  l.cost::text,
                  'exact_cost',
                  l.exact_cost::text
              ) order by l.position
            ),
              '[]'::json
          )
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.sale_id = d.id
        )
    )
    from sales d
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
      where m.company_id = :company_id and m.section = 'sales' and m.document_id = :document_id::bigint
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
        and r.list = 'sales'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            :day::date,
              (
                select d.date_placed
                from sales d
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
      json_agg(
        json_build_array(
          h.shipment, h.date, h.item_id, h.amount::text, h.tracking_number, h.carrier
        ) order by h.shipment,
          h.item_id
      ),
        '[]'::json
    )
    from sale_shipments h
    where h.company_id = :company_id and h.sale_id = :document_id::bigint
  ) as shipments,
  (
    select coalesce(
      json_agg(
        json_build_array(
          w.position, w.kind, w.named_by, w.code, w.connection_id, w.amount::text, w.total::text
        ) order by w.position
      ),
        '[]'::json
    )
    from sale_skipped_lines w
    where w.company_id = :company_id and w.sale_id = :document_id::bigint
  ) as skipped,
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
    where d.company_id = :company_id and d.sale_id = :document_id::bigint
  ) as production,
  (
    select coalesce(
      json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position),
        '[]'::json
    )
    from production_uses u
    join items i on i.company_id = :company_id and i.id = u.item_id
    where u.company_id = :company_id
      and u.production_id = (
        select p.id
        from productions p
        where p.company_id = :company_id and p.sale_id = :document_id::bigint
      )
  ) as production_uses,
  case
    when (:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = :document_id::bigint and s.production)) then (
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
            from sale_lines l
            where l.company_id = :company_id and l.sale_id = :document_id::bigint
          )
        limit 10001
      ) k
    )
    end as composition,
  case
    when (:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = :document_id::bigint and s.production)) then (
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
                from sale_lines l
                where l.company_id = :company_id and l.sale_id = :document_id::bigint
              )
            limit 10001
          ) k
          union all
          select u.item_id
          from production_uses u
          where u.company_id = :company_id
            and u.production_id = (
              select p.id
              from productions p
              where p.company_id = :company_id and p.sale_id = :document_id::bigint
            )
        ) w (id)
      ) w
      cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
      left join item_costs k on k.company_id = :company_id and k.item_id = i.id
    )
    end as parts,
  (
    select json_build_array(r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ())
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'productions'
      and r.listed = (
        select date '9999-12-31' - coalesce(
          :day::date,
            (
              select s.date_placed
              from sales s
              where s.company_id = :company_id and s.id = :document_id::bigint
            )
        )
      )
    order by r.entries desc
    limit 1
  ) as longest_production_run,
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
  ) as free_production_number,
  (
    select p.id
    from productions p
    where p.company_id = :company_id and p.former_sale_id = :document_id::bigint and p.status in (1, 3)
  ) as former_production;

-- sales.making_facts.external
-- a variant of sales.making_facts
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
  coalesce(
    coalesce(
      (
        select json_build_object(
          'id',
            u.id,
            'addresses',
            json_build_object('billing', u.address_legal, 'delivery', u.address_real),
            'tax',
            json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
        )
        from customers u
        where u.company_id = :company_id and u.id = :party_id::bigint and u.deleted_at is null
        order by u.id
        limit 1
      ),
        coalesce(
          (
            select json_build_object(
              'id',
                u.id,
                'addresses',
                json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                'tax',
                json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
            )
            from customers u
            where u.company_id = :company_id and u.name = :party_name::text and u.deleted_at is null
            order by u.id
            limit 1
          ),
            (
              select json_build_object(
                'id',
                  u.id,
                  'addresses',
                  json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                  'tax',
                  json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
              )
              from customers u
              where u.company_id = :company_id
                and u.folded_name = :party_folded_name::text
                and u.deleted_at is null
              order by u.id
              limit 1
            )
        )
    ),
      (
        select json_build_object(
          'id',
            u.id,
            'addresses',
            json_build_object('billing', u.address_legal, 'delivery', u.address_real),
            'tax',
            json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
        )
        from external_ids x
        join customers u on u.company_id = :company_id and u.id = x.record_id
        where x.company_id = :company_id
          and x.connection_id = coalesce(:connection_id::bigint, 0)
          and x.record = 'customer'
          and x.external_id = :party_external_id::text
      )
  ) as party,
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
        from sale_lines l
        where l.company_id = :company_id and l.sale_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id and m.section = 'sales' and m.document_id = :document_id::bigint
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
        'payment',
        d.payment,
        'date_placed',
        d.date_placed,
        'date_shipped',
        d.date_shipped,
        'date_deducted',
        d.date_deducted,
        'subtotal',
        d.subtotal::text,
        'delivery_price',
        d.delivery_price::text,
        'discount',
        d.discount::text,
        'total',
        d.total::text,
        'cost',
        d.cost::text,
        'cost_known',
        d.cost_known,
        'amount',
        d.amount::text,
        'lines',
        d.lines,
        'production',
        d.production,
        'notes',
        d.notes,
        'products_storage_id',
        d.products_storage_id,
        'materials_storage_id',
        d.materials_storage_id,
        'customer_id',
        d.customer_id,
        'billing_address',
        d.billing_address,
        'delivery_address',
        d.delivery_address,
        'tax',
        d.tax,
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
                  'total',
                  l.total::text,
                  'cost',
                  l.cost::text,
                  'exact_cost',
                  l.exact_cost::text
              ) order by l.position
            ),
              '[]'::json
          )
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.sale_id = d.id
        )
    )
    from sales d
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
      where m.company_id = :company_id and m.section = 'sales' and m.document_id = :document_id::bigint
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
        and r.list = 'sales'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            :day::date,
              (
                select d.date_placed
                from sales d
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
      json_agg(
        json_build_array(
          h.shipment, h.date, h.item_id, h.amount::text, h.tracking_number, h.carrier
        ) order by h.shipment,
          h.item_id
      ),
        '[]'::json
    )
    from sale_shipments h
    where h.company_id = :company_id and h.sale_id = :document_id::bigint
  ) as shipments,
  (
    select coalesce(
      json_agg(
        json_build_array(
          w.position, w.kind, w.named_by, w.code, w.connection_id, w.amount::text, w.total::text
        ) order by w.position
      ),
        '[]'::json
    )
    from sale_skipped_lines w
    where w.company_id = :company_id and w.sale_id = :document_id::bigint
  ) as skipped,
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
    where d.company_id = :company_id and d.sale_id = :document_id::bigint
  ) as production,
  (
    select coalesce(
      json_agg(json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position),
        '[]'::json
    )
    from production_uses u
    join items i on i.company_id = :company_id and i.id = u.item_id
    where u.company_id = :company_id
      and u.production_id = (
        select p.id
        from productions p
        where p.company_id = :company_id and p.sale_id = :document_id::bigint
      )
  ) as production_uses,
  case
    when (:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = :document_id::bigint and s.production)) then (
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
            from sale_lines l
            where l.company_id = :company_id and l.sale_id = :document_id::bigint
          )
        limit 10001
      ) k
    )
    end as composition,
  case
    when (:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = :document_id::bigint and s.production)) then (
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
                from sale_lines l
                where l.company_id = :company_id and l.sale_id = :document_id::bigint
              )
            limit 10001
          ) k
          union all
          select u.item_id
          from production_uses u
          where u.company_id = :company_id
            and u.production_id = (
              select p.id
              from productions p
              where p.company_id = :company_id and p.sale_id = :document_id::bigint
            )
        ) w (id)
      ) w
      cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
      left join item_costs k on k.company_id = :company_id and k.item_id = i.id
    )
    end as parts,
  (
    select json_build_array(r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ())
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'productions'
      and r.listed = (
        select date '9999-12-31' - coalesce(
          :day::date,
            (
              select s.date_placed
              from sales s
              where s.company_id = :company_id and s.id = :document_id::bigint
            )
        )
      )
    order by r.entries desc
    limit 1
  ) as longest_production_run,
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
  ) as free_production_number,
  (
    select p.id
    from productions p
    where p.company_id = :company_id and p.former_sale_id = :document_id::bigint and p.status in (1, 3)
  ) as former_production;

-- sales.new_facts
-- parameters: company_id, connection_id, party_id, item_ids, day
-- sent by: example_data/add, orders/add
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
    select json_build_object(
      'id',
        u.id,
        'addresses',
        json_build_object('billing', u.address_legal, 'delivery', u.address_real),
        'tax',
        json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
    )
    from customers u
    where u.company_id = :company_id and u.id = :party_id::bigint and u.deleted_at is null
    order by u.id
    limit 1
  ) as party,
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
      and r.list = 'sales'
      and r.listed = (
        select date '9999-12-31' - coalesce(
          :day::date,
            (now() at time zone (select c.timezone from companies c where c.company_id = :company_id))::date
        )
      )
    order by r.entries desc
    limit 1
  ) as longest_run;

-- sales.new_facts.external
-- a variant of sales.new_facts; the others between the two: .storages, .name, .name.storages, .codes, .codes.storages, .codes.name, .codes.name.storages
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
  coalesce(
    coalesce(
      (
        select json_build_object(
          'id',
            u.id,
            'addresses',
            json_build_object('billing', u.address_legal, 'delivery', u.address_real),
            'tax',
            json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
        )
        from customers u
        where u.company_id = :company_id and u.id = :party_id::bigint and u.deleted_at is null
        order by u.id
        limit 1
      ),
        coalesce(
          (
            select json_build_object(
              'id',
                u.id,
                'addresses',
                json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                'tax',
                json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
            )
            from customers u
            where u.company_id = :company_id and u.name = :party_name::text and u.deleted_at is null
            order by u.id
            limit 1
          ),
            (
              select json_build_object(
                'id',
                  u.id,
                  'addresses',
                  json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                  'tax',
                  json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
              )
              from customers u
              where u.company_id = :company_id
                and u.folded_name = :party_folded_name::text
                and u.deleted_at is null
              order by u.id
              limit 1
            )
        )
    ),
      (
        select json_build_object(
          'id',
            u.id,
            'addresses',
            json_build_object('billing', u.address_legal, 'delivery', u.address_real),
            'tax',
            json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
        )
        from external_ids x
        join customers u on u.company_id = :company_id and u.id = x.record_id
        where x.company_id = :company_id
          and x.connection_id = coalesce(:connection_id::bigint, 0)
          and x.record = 'customer'
          and x.external_id = :party_external_id::text
      )
  ) as party,
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
      and r.list = 'sales'
      and r.listed = (
        select date '9999-12-31' - coalesce(
          :day::date,
            (now() at time zone (select c.timezone from companies c where c.company_id = :company_id))::date
        )
      )
    order by r.entries desc
    limit 1
  ) as longest_run;

-- sales.new_making_facts
-- parameters: company_id, connection_id, storage_ids, party_id, party_name, party_folded_name, item_ids, product_skus, material_skus, day, document_id
-- sent by: example_data/add, orders/add
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
  coalesce(
    (
      select json_build_object(
        'id',
          u.id,
          'addresses',
          json_build_object('billing', u.address_legal, 'delivery', u.address_real),
          'tax',
          json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
      )
      from customers u
      where u.company_id = :company_id and u.id = :party_id::bigint and u.deleted_at is null
      order by u.id
      limit 1
    ),
      coalesce(
        (
          select json_build_object(
            'id',
              u.id,
              'addresses',
              json_build_object('billing', u.address_legal, 'delivery', u.address_real),
              'tax',
              json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
          )
          from customers u
          where u.company_id = :company_id and u.name = :party_name::text and u.deleted_at is null
          order by u.id
          limit 1
        ),
          (
            select json_build_object(
              'id',
                u.id,
                'addresses',
                json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                'tax',
                json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
            )
            from customers u
            where u.company_id = :company_id
              and u.folded_name = :party_folded_name::text
              and u.deleted_at is null
            order by u.id
            limit 1
          )
      )
  ) as party,
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
        select unnest(:item_ids::bigint[])
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
    select json_build_array(r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ())
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'sales'
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
          from sale_lines l
          where l.company_id = :company_id and l.sale_id = :document_id::bigint
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
              from sale_lines l
              where l.company_id = :company_id and l.sale_id = :document_id::bigint
            )
          limit 10001
        ) k
        union all
        select u.item_id
        from production_uses u
        where u.company_id = :company_id
          and u.production_id = (
            select p.id
            from productions p
            where p.company_id = :company_id and p.sale_id = :document_id::bigint
          )
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as parts,
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
  ) as longest_production_run,
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
  ) as free_production_number;

-- sales.new_making_facts.external
-- a variant of sales.new_making_facts
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
  coalesce(
    coalesce(
      (
        select json_build_object(
          'id',
            u.id,
            'addresses',
            json_build_object('billing', u.address_legal, 'delivery', u.address_real),
            'tax',
            json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
        )
        from customers u
        where u.company_id = :company_id and u.id = :party_id::bigint and u.deleted_at is null
        order by u.id
        limit 1
      ),
        coalesce(
          (
            select json_build_object(
              'id',
                u.id,
                'addresses',
                json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                'tax',
                json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
            )
            from customers u
            where u.company_id = :company_id and u.name = :party_name::text and u.deleted_at is null
            order by u.id
            limit 1
          ),
            (
              select json_build_object(
                'id',
                  u.id,
                  'addresses',
                  json_build_object('billing', u.address_legal, 'delivery', u.address_real),
                  'tax',
                  json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
              )
              from customers u
              where u.company_id = :company_id
                and u.folded_name = :party_folded_name::text
                and u.deleted_at is null
              order by u.id
              limit 1
            )
        )
    ),
      (
        select json_build_object(
          'id',
            u.id,
            'addresses',
            json_build_object('billing', u.address_legal, 'delivery', u.address_real),
            'tax',
            json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
        )
        from external_ids x
        join customers u on u.company_id = :company_id and u.id = x.record_id
        where x.company_id = :company_id
          and x.connection_id = coalesce(:connection_id::bigint, 0)
          and x.record = 'customer'
          and x.external_id = :party_external_id::text
      )
  ) as party,
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
      and r.list = 'sales'
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
          from sale_lines l
          where l.company_id = :company_id and l.sale_id = :document_id::bigint
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
              from sale_lines l
              where l.company_id = :company_id and l.sale_id = :document_id::bigint
            )
          limit 10001
        ) k
        union all
        select u.item_id
        from production_uses u
        where u.company_id = :company_id
          and u.production_id = (
            select p.id
            from productions p
            where p.company_id = :company_id and p.sale_id = :document_id::bigint
          )
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as parts,
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
  ) as longest_production_run,
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
  ) as free_production_number;

-- sales.next_number
-- parameters: company_id
-- sent by: orders/next_number
with recursive chosen as materialized (
  select c.first_sale_number as num,
    c.first_sale_number_key as num_key,
    substring(c.first_sale_number from '[0-9]+$') as digits
  from companies c
  where c.company_id = :company_id and c.first_sale_number <> ''
),
  latest as materialized (
    select c.num, c.num_key, c.digits
    from chosen c
    union all (
      select n.num, n.num_key, n.digits
      from (
        select o.id,
          o.num,
          o.num_key,
          x.digits,
          x.prefix = lead(x.prefix) over (order by o.id desc) as is_continued
        from (
          select d.id, d.num, d.num_key
          from sales d
          where d.company_id = :company_id and d.source = 'manual'
          order by d.id desc
          limit 100
        ) o
        cross join lateral (
          select substring(o.num from '[0-9]+$') as digits, regexp_replace(o.num, '[0-9]+$', '') as prefix
        ) x
        where o.num ~ '[0-9]$' and not exists (select from chosen)
      ) n
      order by n.is_continued is true desc, n.id desc
      limit 1
    )
  ),
  series as materialized (
    select k.prefix, k.key, k.key || '0' as from_key, k.key || ':' as to_key
    from (
      select left(l.num, length(l.num) - length(l.digits)) as prefix,
        left(
          l.num_key,
            length(l.num_key) - length(
              case
                when length(
                  coalesce(nullif(ltrim(l.digits, '0'), ''), '0')
                ) < 9 then length(coalesce(nullif(ltrim(l.digits, '0'), ''), '0'))::text
                else '9' || lpad(length(coalesce(nullif(ltrim(l.digits, '0'), ''), '0'))::text, 3, '0')
                end || coalesce(nullif(ltrim(l.digits, '0'), ''), '0')
            )
        ) as key
      from latest l
      union all
      select '', '' collate "C"
      where not exists (select from latest)
    ) k
  ),
  walk (num, num_key, stem, step) as (
    select h.num, h.num_key, h.stem, 1
    from series s
    cross join lateral (
      select d.num,
        d.num_key,
        case
          when substr(d.num_key, length(s.key) + 1, 1) = '9' then left(
            d.num_key, length(s.key) + 4 + substr(d.num_key, length(s.key) + 2, 3)::int
          )
          else left(d.num_key, length(s.key) + 1 + substr(d.num_key, length(s.key) + 1, 1)::int)
          end as stem
      from sales d
      where d.company_id = :company_id
        and d.source = 'manual'
        and d.num_key >= s.from_key
        and d.num_key < s.to_key
      order by d.num_key desc
      limit 1
    ) h
    union all
    select h.num, h.num_key, h.stem, w.step + 1
    from walk w
    cross join series s
    cross join lateral (
      select d.num,
        d.num_key,
        case
          when substr(d.num_key, length(s.key) + 1, 1) = '9' then left(
            d.num_key, length(s.key) + 4 + substr(d.num_key, length(s.key) + 2, 3)::int
          )
          else left(d.num_key, length(s.key) + 1 + substr(d.num_key, length(s.key) + 1, 1)::int)
          end as stem
      from sales d
      where d.company_id = :company_id
        and d.source = 'manual'
        and d.num_key >= s.from_key
        and d.num_key <= w.stem
      order by d.num_key desc
      limit 1
    ) h
    where w.num_key <> w.stem and w.step < 100
  ),
  highest as materialized (
    select coalesce(greatest(u.digits::numeric, c.digits::numeric - 1), 0) as number,
      coalesce(greatest(length(u.digits), length(c.digits)), 1) as width
    from (
      select max(substr(w.num, length(s.prefix) + 1)) as digits
      from series s
      join walk w on w.num_key = w.stem
    ) u
    left join chosen c on true
  ),
  proposed as materialized (
    select n.place,
      s.prefix || lpad(x.digits, greatest(h.width, length(x.digits)), '0') as num,
      s.key || case
        when length(x.digits) < 9 then length(x.digits)::text
        else '9' || lpad(length(x.digits)::text, 3, '0')
        end || x.digits as num_key
    from series s
    cross join highest h
    cross join generate_series(1, 100) n (place)
    cross join lateral (select (h.number + n.place)::text as digits) x
  )
select p.num
from proposed p
where length(p.num) <= 255
  and (
    select d.id
    from sales d
    where d.company_id = :company_id and d.num_key = p.num_key collate "C" and d.num = p.num
    limit 1
  ) is null
order by p.place
limit 1;

-- sales.page
-- parameters: company_id, offset, date_to, date_from, limit
-- sent by: orders/get_list
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
      and r.list = 'sales'
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
    and r.list = 'sales'
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
            ',"payment":',
            d.payment,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"date_shipped":',
            concat('"', d.date_shipped, '"'),
            ',"subtotal":',
            trim_scale(d.subtotal),
            ',"delivery_price":',
            trim_scale(d.delivery_price),
            ',"discount":',
            trim_scale(d.discount),
            ',"total":',
            trim_scale(d.total),
            ',"cost":',
            trim_scale(d.cost),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"production":',
            d.production::int,
            ',"production_num":',
            coalesce(to_json(p.num)::text, 'null'),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"products_storage_id":',
            d.products_storage_id,
            ',"products_storage_name":',
            to_json(ps.name),
            ',"materials_storage_id":',
            d.materials_storage_id,
            ',"materials_storage_name":',
            to_json(ms.name),
            ',"customer_id":',
            d.customer_id,
            ',"customer_name":',
            to_json(u.name),
            ',"customer_email":',
            to_json(u.email),
            ',"customer_phone":',
            to_json(u.phone),
            ',"customer_address_real":',
            to_json(u.address_real),
            ',"customer_address_legal":',
            to_json(u.address_legal),
            ',"customer_agreement":',
            to_json(u.agreement),
            ',"customer_manager_name":',
            to_json(u.manager_name),
            ',"customer_manager_post":',
            to_json(u.manager_post),
            ',"customer_notes":',
            to_json(u.notes),
            '}'
        ) as json
        from (
          select o.*
          from sales o
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
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.page_by_external_ids
-- parameters: company_id, date_to, date_from, ids, connection_id, external_ids, num, num_key, updated_after, search, status, payment, with_lines, with_shipments, with_addresses, with_meta, offset, limit
-- sent by: orders/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from sales o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
    and o.id in (
      select x.record_id
      from external_ids x
      where x.company_id = :company_id
        and x.connection_id = :connection_id::bigint
        and x.record = 'sale'
        and x.external_id = any(:external_ids::text[])
    )
    and (:num::text is null or o.num_key = :num_key::text and o.num = :num::text)
    and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
    and (
      :search::text is null
        or (
          replace(
            replace(
              replace(
                case when octet_length(o.found_by) <= 2000 then o.found_by else left(o.found_by, 2000) end,
                  'ß',
                  'ss'
              ),
                'ς',
                'σ'
            ),
              'i̇',
              'i'
          ) like :search::text
            and replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search::text
            or o.customer_id in (
              select q.id
              from customers q
              where q.company_id = :company_id
                and coalesce(
                  q.folded_name, replace(replace(replace(lower(q.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                ) like :search::text
            )
        )
    )
    and (:status::smallint is null or o.status = :status::smallint)
    and (:payment::smallint is null or o.payment = :payment::smallint)
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
                ',"payment":',
                d.payment,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_shipped":',
                concat('"', d.date_shipped, '"'),
                ',"subtotal":',
                trim_scale(d.subtotal),
                ',"delivery_price":',
                trim_scale(d.delivery_price),
                ',"discount":',
                trim_scale(d.discount),
                ',"total":',
                trim_scale(d.total),
                ',"cost":',
                trim_scale(d.cost),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"production":',
                d.production::int,
                ',"production_num":',
                coalesce(to_json(p.num)::text, 'null'),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"customer_id":',
                d.customer_id,
                ',"customer_name":',
                to_json(u.name),
                ',"customer_email":',
                to_json(u.email),
                ',"customer_phone":',
                to_json(u.phone),
                ',"customer_address_real":',
                to_json(u.address_real),
                ',"customer_address_legal":',
                to_json(u.address_legal),
                ',"customer_agreement":',
                to_json(u.agreement),
                ',"customer_manager_name":',
                to_json(u.manager_name),
                ',"customer_manager_post":',
                to_json(u.manager_post),
                ',"customer_notes":',
                to_json(u.notes)
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  shipped_lines.products,
                  ']',
                  ',"materials":[',
                  own_lines.materials,
                  shipped_lines.materials,
                  ']'
              )
              end,
            case
              when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']')
              end,
            case
              when :with_addresses::boolean then concat(
                ',',
                  concat(
                    '"billing_address":',
                      to_json(coalesce(d.billing_address, u.address_legal)),
                      ',"delivery_address":',
                      to_json(coalesce(d.delivery_address, u.address_real))
                  )
              )
              end,
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
                              and x.record = 'sale'
                              and x.record_id = d.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"created_at":',
                      to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"updated_at":',
                      to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"version":',
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join sales o on o.company_id = :company_id and o.id = p.id
        ) d
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
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
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id
            and l.sale_id = d.id
            and :with_lines::boolean
            and :with_shipments::boolean is null
        ) own_lines
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
                ',"shipped":',
                trim_scale(
                  (
                    case
                      when d.status = 3 then l.amount
                      else least(l.amount, greatest(0, l.shipped - l.before))
                      end
                  )
                ),
                ',"unit":',
                to_json(n.name),
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"shipped":',
                  trim_scale(
                    (
                      case
                        when d.status = 3 then l.amount
                        else least(l.amount, greatest(0, l.shipped - l.before))
                        end
                    )
                  ),
                  ',"unit":',
                  to_json(n.name),
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from (
            select w.*,
              sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
              sum(w.left_stock) over (partition by w.item_id) as shipped
            from (
              select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
              from sale_lines o
              where o.company_id = :company_id
                and o.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
              union all
              select s.item_id, null, null, null, null, s.amount
              from sale_shipments s
              where s.company_id = :company_id
                and s.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
            ) w
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.position is not null
        ) shipped_lines
        cross join lateral (
          select string_agg(
            concat(
              '{',
                concat(
                  '"shipment":',
                    p.shipment,
                    ',"date":',
                    concat('"', p.date, '"'),
                    ',"tracking_number":',
                    to_json(p.tracking_number),
                    ',"carrier":',
                    to_json(p.carrier)
                ),
                ',"lines":[',
                p.lines,
                ']}'
            ),
              ',' order by p.shipment
          ) as shipments
          from (
            select g.shipment,
              g.date,
              g.tracking_number,
              g.carrier,
              string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"sku":',
                    to_json(i.sku),
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(g.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              ) as lines
            from (
              select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
              from sale_shipments s
              where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
              union all
              select 1 + coalesce(
                (
                  select max(s.shipment)
                  from sale_shipments s
                  where s.company_id = :company_id and s.sale_id = d.id
                ),
                  0
              ),
                d.date_deducted,
                '',
                '',
                w.item_id,
                sum(w.amount)
              from (
                select o.item_id, o.amount
                from sale_lines o
                where o.company_id = :company_id and o.sale_id = d.id
                union all
                select s.item_id, -s.amount
                from sale_shipments s
                where s.company_id = :company_id and s.sale_id = d.id
              ) w
              where d.status = 3 and :with_shipments::boolean
              group by w.item_id
              having sum(w.amount) > 0
            ) g (shipment, date, tracking_number, carrier, item_id, amount)
            join items i on i.company_id = :company_id and i.id = g.item_id
            join units n on n.company_id = :company_id and n.id = i.unit_id
            group by g.shipment, g.date, g.tracking_number, g.carrier
          ) p
        ) own_shipments
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.page_by_ids
-- parameters: company_id, date_to, date_from, ids, external_ids, connection_id, num, num_key, updated_after, search, status, payment, with_lines, with_shipments, with_addresses, with_meta, offset, limit
-- sent by: orders/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from sales o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and o.id = any(:ids::bigint[])
    and (
      :external_ids::text[] is null
        or o.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'sale'
            and x.external_id = any(:external_ids::text[])
        )
    )
    and (:num::text is null or o.num_key = :num_key::text and o.num = :num::text)
    and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
    and (
      :search::text is null
        or (
          replace(
            replace(
              replace(
                case when octet_length(o.found_by) <= 2000 then o.found_by else left(o.found_by, 2000) end,
                  'ß',
                  'ss'
              ),
                'ς',
                'σ'
            ),
              'i̇',
              'i'
          ) like :search::text
            and replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search::text
            or o.customer_id in (
              select q.id
              from customers q
              where q.company_id = :company_id
                and coalesce(
                  q.folded_name, replace(replace(replace(lower(q.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                ) like :search::text
            )
        )
    )
    and (:status::smallint is null or o.status = :status::smallint)
    and (:payment::smallint is null or o.payment = :payment::smallint)
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
                ',"payment":',
                d.payment,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_shipped":',
                concat('"', d.date_shipped, '"'),
                ',"subtotal":',
                trim_scale(d.subtotal),
                ',"delivery_price":',
                trim_scale(d.delivery_price),
                ',"discount":',
                trim_scale(d.discount),
                ',"total":',
                trim_scale(d.total),
                ',"cost":',
                trim_scale(d.cost),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"production":',
                d.production::int,
                ',"production_num":',
                coalesce(to_json(p.num)::text, 'null'),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"customer_id":',
                d.customer_id,
                ',"customer_name":',
                to_json(u.name),
                ',"customer_email":',
                to_json(u.email),
                ',"customer_phone":',
                to_json(u.phone),
                ',"customer_address_real":',
                to_json(u.address_real),
                ',"customer_address_legal":',
                to_json(u.address_legal),
                ',"customer_agreement":',
                to_json(u.agreement),
                ',"customer_manager_name":',
                to_json(u.manager_name),
                ',"customer_manager_post":',
                to_json(u.manager_post),
                ',"customer_notes":',
                to_json(u.notes)
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  shipped_lines.products,
                  ']',
                  ',"materials":[',
                  own_lines.materials,
                  shipped_lines.materials,
                  ']'
              )
              end,
            case
              when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']')
              end,
            case
              when :with_addresses::boolean then concat(
                ',',
                  concat(
                    '"billing_address":',
                      to_json(coalesce(d.billing_address, u.address_legal)),
                      ',"delivery_address":',
                      to_json(coalesce(d.delivery_address, u.address_real))
                  )
              )
              end,
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
                              and x.record = 'sale'
                              and x.record_id = d.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"created_at":',
                      to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"updated_at":',
                      to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"version":',
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join sales o on o.company_id = :company_id and o.id = p.id
        ) d
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
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
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id
            and l.sale_id = d.id
            and :with_lines::boolean
            and :with_shipments::boolean is null
        ) own_lines
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
                ',"shipped":',
                trim_scale(
                  (
                    case
                      when d.status = 3 then l.amount
                      else least(l.amount, greatest(0, l.shipped - l.before))
                      end
                  )
                ),
                ',"unit":',
                to_json(n.name),
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"shipped":',
                  trim_scale(
                    (
                      case
                        when d.status = 3 then l.amount
                        else least(l.amount, greatest(0, l.shipped - l.before))
                        end
                    )
                  ),
                  ',"unit":',
                  to_json(n.name),
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from (
            select w.*,
              sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
              sum(w.left_stock) over (partition by w.item_id) as shipped
            from (
              select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
              from sale_lines o
              where o.company_id = :company_id
                and o.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
              union all
              select s.item_id, null, null, null, null, s.amount
              from sale_shipments s
              where s.company_id = :company_id
                and s.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
            ) w
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.position is not null
        ) shipped_lines
        cross join lateral (
          select string_agg(
            concat(
              '{',
                concat(
                  '"shipment":',
                    p.shipment,
                    ',"date":',
                    concat('"', p.date, '"'),
                    ',"tracking_number":',
                    to_json(p.tracking_number),
                    ',"carrier":',
                    to_json(p.carrier)
                ),
                ',"lines":[',
                p.lines,
                ']}'
            ),
              ',' order by p.shipment
          ) as shipments
          from (
            select g.shipment,
              g.date,
              g.tracking_number,
              g.carrier,
              string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"sku":',
                    to_json(i.sku),
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(g.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              ) as lines
            from (
              select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
              from sale_shipments s
              where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
              union all
              select 1 + coalesce(
                (
                  select max(s.shipment)
                  from sale_shipments s
                  where s.company_id = :company_id and s.sale_id = d.id
                ),
                  0
              ),
                d.date_deducted,
                '',
                '',
                w.item_id,
                sum(w.amount)
              from (
                select o.item_id, o.amount
                from sale_lines o
                where o.company_id = :company_id and o.sale_id = d.id
                union all
                select s.item_id, -s.amount
                from sale_shipments s
                where s.company_id = :company_id and s.sale_id = d.id
              ) w
              where d.status = 3 and :with_shipments::boolean
              group by w.item_id
              having sum(w.amount) > 0
            ) g (shipment, date, tracking_number, carrier, item_id, amount)
            join items i on i.company_id = :company_id and i.id = g.item_id
            join units n on n.company_id = :company_id and n.id = i.unit_id
            group by g.shipment, g.date, g.tracking_number, g.carrier
          ) p
        ) own_shipments
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.page_by_num
-- parameters: company_id, date_to, date_from, ids, external_ids, connection_id, num_key, num, updated_after, search, status, payment, with_lines, with_shipments, with_addresses, with_meta, offset, limit
-- sent by: orders/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from sales o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
    and (
      :external_ids::text[] is null
        or o.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'sale'
            and x.external_id = any(:external_ids::text[])
        )
    )
    and o.num_key = :num_key::text
    and o.num = :num::text
    and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
    and (
      :search::text is null
        or (
          replace(
            replace(
              replace(
                case when octet_length(o.found_by) <= 2000 then o.found_by else left(o.found_by, 2000) end,
                  'ß',
                  'ss'
              ),
                'ς',
                'σ'
            ),
              'i̇',
              'i'
          ) like :search::text
            and replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search::text
            or o.customer_id in (
              select q.id
              from customers q
              where q.company_id = :company_id
                and coalesce(
                  q.folded_name, replace(replace(replace(lower(q.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                ) like :search::text
            )
        )
    )
    and (:status::smallint is null or o.status = :status::smallint)
    and (:payment::smallint is null or o.payment = :payment::smallint)
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
                ',"payment":',
                d.payment,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_shipped":',
                concat('"', d.date_shipped, '"'),
                ',"subtotal":',
                trim_scale(d.subtotal),
                ',"delivery_price":',
                trim_scale(d.delivery_price),
                ',"discount":',
                trim_scale(d.discount),
                ',"total":',
                trim_scale(d.total),
                ',"cost":',
                trim_scale(d.cost),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"production":',
                d.production::int,
                ',"production_num":',
                coalesce(to_json(p.num)::text, 'null'),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"customer_id":',
                d.customer_id,
                ',"customer_name":',
                to_json(u.name),
                ',"customer_email":',
                to_json(u.email),
                ',"customer_phone":',
                to_json(u.phone),
                ',"customer_address_real":',
                to_json(u.address_real),
                ',"customer_address_legal":',
                to_json(u.address_legal),
                ',"customer_agreement":',
                to_json(u.agreement),
                ',"customer_manager_name":',
                to_json(u.manager_name),
                ',"customer_manager_post":',
                to_json(u.manager_post),
                ',"customer_notes":',
                to_json(u.notes)
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  shipped_lines.products,
                  ']',
                  ',"materials":[',
                  own_lines.materials,
                  shipped_lines.materials,
                  ']'
              )
              end,
            case
              when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']')
              end,
            case
              when :with_addresses::boolean then concat(
                ',',
                  concat(
                    '"billing_address":',
                      to_json(coalesce(d.billing_address, u.address_legal)),
                      ',"delivery_address":',
                      to_json(coalesce(d.delivery_address, u.address_real))
                  )
              )
              end,
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
                              and x.record = 'sale'
                              and x.record_id = d.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"created_at":',
                      to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"updated_at":',
                      to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"version":',
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join sales o on o.company_id = :company_id and o.id = p.id
        ) d
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
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
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id
            and l.sale_id = d.id
            and :with_lines::boolean
            and :with_shipments::boolean is null
        ) own_lines
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
                ',"shipped":',
                trim_scale(
                  (
                    case
                      when d.status = 3 then l.amount
                      else least(l.amount, greatest(0, l.shipped - l.before))
                      end
                  )
                ),
                ',"unit":',
                to_json(n.name),
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"shipped":',
                  trim_scale(
                    (
                      case
                        when d.status = 3 then l.amount
                        else least(l.amount, greatest(0, l.shipped - l.before))
                        end
                    )
                  ),
                  ',"unit":',
                  to_json(n.name),
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from (
            select w.*,
              sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
              sum(w.left_stock) over (partition by w.item_id) as shipped
            from (
              select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
              from sale_lines o
              where o.company_id = :company_id
                and o.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
              union all
              select s.item_id, null, null, null, null, s.amount
              from sale_shipments s
              where s.company_id = :company_id
                and s.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
            ) w
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.position is not null
        ) shipped_lines
        cross join lateral (
          select string_agg(
            concat(
              '{',
                concat(
                  '"shipment":',
                    p.shipment,
                    ',"date":',
                    concat('"', p.date, '"'),
                    ',"tracking_number":',
                    to_json(p.tracking_number),
                    ',"carrier":',
                    to_json(p.carrier)
                ),
                ',"lines":[',
                p.lines,
                ']}'
            ),
              ',' order by p.shipment
          ) as shipments
          from (
            select g.shipment,
              g.date,
              g.tracking_number,
              g.carrier,
              string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"sku":',
                    to_json(i.sku),
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(g.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              ) as lines
            from (
              select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
              from sale_shipments s
              where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
              union all
              select 1 + coalesce(
                (
                  select max(s.shipment)
                  from sale_shipments s
                  where s.company_id = :company_id and s.sale_id = d.id
                ),
                  0
              ),
                d.date_deducted,
                '',
                '',
                w.item_id,
                sum(w.amount)
              from (
                select o.item_id, o.amount
                from sale_lines o
                where o.company_id = :company_id and o.sale_id = d.id
                union all
                select s.item_id, -s.amount
                from sale_shipments s
                where s.company_id = :company_id and s.sale_id = d.id
              ) w
              where d.status = 3 and :with_shipments::boolean
              group by w.item_id
              having sum(w.amount) > 0
            ) g (shipment, date, tracking_number, carrier, item_id, amount)
            join items i on i.company_id = :company_id and i.id = g.item_id
            join units n on n.company_id = :company_id and n.id = i.unit_id
            group by g.shipment, g.date, g.tracking_number, g.carrier
          ) p
        ) own_shipments
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.page_by_search
-- parameters: company_id, date_to, date_from, ids, external_ids, connection_id, num, num_key, updated_after, search, status, payment, with_lines, with_shipments, with_addresses, with_meta, offset, limit
-- sent by: orders/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from sales o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
    and (
      :external_ids::text[] is null
        or o.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'sale'
            and x.external_id = any(:external_ids::text[])
        )
    )
    and (:num::text is null or o.num_key = :num_key::text and o.num = :num::text)
    and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
    and (
      replace(
        replace(
          replace(
            case when octet_length(o.found_by) <= 2000 then o.found_by else left(o.found_by, 2000) end,
              'ß',
              'ss'
          ),
            'ς',
            'σ'
        ),
          'i̇',
          'i'
      ) like :search::text
        and replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search::text
        or o.customer_id in (
          select q.id
          from customers q
          where q.company_id = :company_id
            and coalesce(
              q.folded_name, replace(replace(replace(lower(q.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
            ) like :search::text
        )
    )
    and (:status::smallint is null or o.status = :status::smallint)
    and (:payment::smallint is null or o.payment = :payment::smallint)
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
                ',"payment":',
                d.payment,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_shipped":',
                concat('"', d.date_shipped, '"'),
                ',"subtotal":',
                trim_scale(d.subtotal),
                ',"delivery_price":',
                trim_scale(d.delivery_price),
                ',"discount":',
                trim_scale(d.discount),
                ',"total":',
                trim_scale(d.total),
                ',"cost":',
                trim_scale(d.cost),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"production":',
                d.production::int,
                ',"production_num":',
                coalesce(to_json(p.num)::text, 'null'),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"customer_id":',
                d.customer_id,
                ',"customer_name":',
                to_json(u.name),
                ',"customer_email":',
                to_json(u.email),
                ',"customer_phone":',
                to_json(u.phone),
                ',"customer_address_real":',
                to_json(u.address_real),
                ',"customer_address_legal":',
                to_json(u.address_legal),
                ',"customer_agreement":',
                to_json(u.agreement),
                ',"customer_manager_name":',
                to_json(u.manager_name),
                ',"customer_manager_post":',
                to_json(u.manager_post),
                ',"customer_notes":',
                to_json(u.notes)
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  shipped_lines.products,
                  ']',
                  ',"materials":[',
                  own_lines.materials,
                  shipped_lines.materials,
                  ']'
              )
              end,
            case
              when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']')
              end,
            case
              when :with_addresses::boolean then concat(
                ',',
                  concat(
                    '"billing_address":',
                      to_json(coalesce(d.billing_address, u.address_legal)),
                      ',"delivery_address":',
                      to_json(coalesce(d.delivery_address, u.address_real))
                  )
              )
              end,
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
                              and x.record = 'sale'
                              and x.record_id = d.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"created_at":',
                      to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"updated_at":',
                      to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"version":',
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join sales o on o.company_id = :company_id and o.id = p.id
        ) d
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
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
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id
            and l.sale_id = d.id
            and :with_lines::boolean
            and :with_shipments::boolean is null
        ) own_lines
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
                ',"shipped":',
                trim_scale(
                  (
                    case
                      when d.status = 3 then l.amount
                      else least(l.amount, greatest(0, l.shipped - l.before))
                      end
                  )
                ),
                ',"unit":',
                to_json(n.name),
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"shipped":',
                  trim_scale(
                    (
                      case
                        when d.status = 3 then l.amount
                        else least(l.amount, greatest(0, l.shipped - l.before))
                        end
                    )
                  ),
                  ',"unit":',
                  to_json(n.name),
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from (
            select w.*,
              sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
              sum(w.left_stock) over (partition by w.item_id) as shipped
            from (
              select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
              from sale_lines o
              where o.company_id = :company_id
                and o.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
              union all
              select s.item_id, null, null, null, null, s.amount
              from sale_shipments s
              where s.company_id = :company_id
                and s.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
            ) w
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.position is not null
        ) shipped_lines
        cross join lateral (
          select string_agg(
            concat(
              '{',
                concat(
                  '"shipment":',
                    p.shipment,
                    ',"date":',
                    concat('"', p.date, '"'),
                    ',"tracking_number":',
                    to_json(p.tracking_number),
                    ',"carrier":',
                    to_json(p.carrier)
                ),
                ',"lines":[',
                p.lines,
                ']}'
            ),
              ',' order by p.shipment
          ) as shipments
          from (
            select g.shipment,
              g.date,
              g.tracking_number,
              g.carrier,
              string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"sku":',
                    to_json(i.sku),
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(g.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              ) as lines
            from (
              select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
              from sale_shipments s
              where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
              union all
              select 1 + coalesce(
                (
                  select max(s.shipment)
                  from sale_shipments s
                  where s.company_id = :company_id and s.sale_id = d.id
                ),
                  0
              ),
                d.date_deducted,
                '',
                '',
                w.item_id,
                sum(w.amount)
              from (
                select o.item_id, o.amount
                from sale_lines o
                where o.company_id = :company_id and o.sale_id = d.id
                union all
                select s.item_id, -s.amount
                from sale_shipments s
                where s.company_id = :company_id and s.sale_id = d.id
              ) w
              where d.status = 3 and :with_shipments::boolean
              group by w.item_id
              having sum(w.amount) > 0
            ) g (shipment, date, tracking_number, carrier, item_id, amount)
            join items i on i.company_id = :company_id and i.id = g.item_id
            join units n on n.company_id = :company_id and n.id = i.unit_id
            group by g.shipment, g.date, g.tracking_number, g.carrier
          ) p
        ) own_shipments
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.page_by_status
-- parameters: company_id, offset, statuses, payments, date_to, date_from, with_lines, with_shipments, with_addresses, with_meta, connection_id, limit
-- sent by: orders/get_list
with start as materialized (
  select w.listed, (:offset::bigint - w.before)::bigint as skip
  from (
    select r.listed,
      sum(r.entries) as entries,
      sum(sum(r.entries)) over (order by r.listed) - sum(r.entries) as before
    from sale_counts r
    where r.company_id = :company_id
      and r.status = any(:statuses::smallint[])
      and r.payment = any(:payments::smallint[])
      and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
        select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
      )
    group by r.listed
  ) w
  where w.before <= :offset::bigint and w.before + w.entries > :offset::bigint
)
select (
  select coalesce(sum(r.entries), 0)::bigint
  from sale_counts r
  where r.company_id = :company_id
    and r.status = any(:statuses::smallint[])
    and r.payment = any(:payments::smallint[])
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
                ',"payment":',
                d.payment,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_shipped":',
                concat('"', d.date_shipped, '"'),
                ',"subtotal":',
                trim_scale(d.subtotal),
                ',"delivery_price":',
                trim_scale(d.delivery_price),
                ',"discount":',
                trim_scale(d.discount),
                ',"total":',
                trim_scale(d.total),
                ',"cost":',
                trim_scale(d.cost),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"production":',
                d.production::int,
                ',"production_num":',
                coalesce(to_json(p.num)::text, 'null'),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"customer_id":',
                d.customer_id,
                ',"customer_name":',
                to_json(u.name),
                ',"customer_email":',
                to_json(u.email),
                ',"customer_phone":',
                to_json(u.phone),
                ',"customer_address_real":',
                to_json(u.address_real),
                ',"customer_address_legal":',
                to_json(u.address_legal),
                ',"customer_agreement":',
                to_json(u.agreement),
                ',"customer_manager_name":',
                to_json(u.manager_name),
                ',"customer_manager_post":',
                to_json(u.manager_post),
                ',"customer_notes":',
                to_json(u.notes)
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  shipped_lines.products,
                  ']',
                  ',"materials":[',
                  own_lines.materials,
                  shipped_lines.materials,
                  ']'
              )
              end,
            case
              when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']')
              end,
            case
              when :with_addresses::boolean then concat(
                ',',
                  concat(
                    '"billing_address":',
                      to_json(coalesce(d.billing_address, u.address_legal)),
                      ',"delivery_address":',
                      to_json(coalesce(d.delivery_address, u.address_real))
                  )
              )
              end,
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
                              and x.record = 'sale'
                              and x.record_id = d.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"created_at":',
                      to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"updated_at":',
                      to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"version":',
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (
            select k.id
            from start t
            cross join unnest(:statuses::smallint[]) s (status)
            cross join unnest(:payments::smallint[]) p (payment)
            cross join lateral (
              select o.listed, o.num_key, o.id
              from sales o
              where o.company_id = :company_id
                and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
                  select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
                )
                and o.status = s.status
                and o.payment = p.payment
                and o.listed >= t.listed
              order by o.listed, o.num_key, o.id
              limit t.skip + :limit::bigint
            ) k
            order by k.listed, k.num_key, k.id
            offset (select t.skip from start t)
            limit :limit::bigint
          ) p
          join sales o on o.company_id = :company_id and o.id = p.id
        ) d
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
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
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id
            and l.sale_id = d.id
            and :with_lines::boolean
            and :with_shipments::boolean is null
        ) own_lines
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
                ',"shipped":',
                trim_scale(
                  (
                    case
                      when d.status = 3 then l.amount
                      else least(l.amount, greatest(0, l.shipped - l.before))
                      end
                  )
                ),
                ',"unit":',
                to_json(n.name),
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"shipped":',
                  trim_scale(
                    (
                      case
                        when d.status = 3 then l.amount
                        else least(l.amount, greatest(0, l.shipped - l.before))
                        end
                    )
                  ),
                  ',"unit":',
                  to_json(n.name),
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from (
            select w.*,
              sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
              sum(w.left_stock) over (partition by w.item_id) as shipped
            from (
              select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
              from sale_lines o
              where o.company_id = :company_id
                and o.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
              union all
              select s.item_id, null, null, null, null, s.amount
              from sale_shipments s
              where s.company_id = :company_id
                and s.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
            ) w
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.position is not null
        ) shipped_lines
        cross join lateral (
          select string_agg(
            concat(
              '{',
                concat(
                  '"shipment":',
                    p.shipment,
                    ',"date":',
                    concat('"', p.date, '"'),
                    ',"tracking_number":',
                    to_json(p.tracking_number),
                    ',"carrier":',
                    to_json(p.carrier)
                ),
                ',"lines":[',
                p.lines,
                ']}'
            ),
              ',' order by p.shipment
          ) as shipments
          from (
            select g.shipment,
              g.date,
              g.tracking_number,
              g.carrier,
              string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"sku":',
                    to_json(i.sku),
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(g.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              ) as lines
            from (
              select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
              from sale_shipments s
              where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
              union all
              select 1 + coalesce(
                (
                  select max(s.shipment)
                  from sale_shipments s
                  where s.company_id = :company_id and s.sale_id = d.id
                ),
                  0
              ),
                d.date_deducted,
                '',
                '',
                w.item_id,
                sum(w.amount)
              from (
                select o.item_id, o.amount
                from sale_lines o
                where o.company_id = :company_id and o.sale_id = d.id
                union all
                select s.item_id, -s.amount
                from sale_shipments s
                where s.company_id = :company_id and s.sale_id = d.id
              ) w
              where d.status = 3 and :with_shipments::boolean
              group by w.item_id
              having sum(w.amount) > 0
            ) g (shipment, date, tracking_number, carrier, item_id, amount)
            join items i on i.company_id = :company_id and i.id = g.item_id
            join units n on n.company_id = :company_id and n.id = i.unit_id
            group by g.shipment, g.date, g.tracking_number, g.carrier
          ) p
        ) own_shipments
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.page_by_updated_after
-- parameters: company_id, date_to, date_from, ids, external_ids, connection_id, num, num_key, updated_after, search, status, payment, with_lines, with_shipments, with_addresses, with_meta, offset, limit
-- sent by: orders/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from sales o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
    and (
      :external_ids::text[] is null
        or o.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'sale'
            and x.external_id = any(:external_ids::text[])
        )
    )
    and (:num::text is null or o.num_key = :num_key::text and o.num = :num::text)
    and o.updated_at > :updated_after::timestamptz
    and (
      :search::text is null
        or (
          replace(
            replace(
              replace(
                case when octet_length(o.found_by) <= 2000 then o.found_by else left(o.found_by, 2000) end,
                  'ß',
                  'ss'
              ),
                'ς',
                'σ'
            ),
              'i̇',
              'i'
          ) like :search::text
            and replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search::text
            or o.customer_id in (
              select q.id
              from customers q
              where q.company_id = :company_id
                and coalesce(
                  q.folded_name, replace(replace(replace(lower(q.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                ) like :search::text
            )
        )
    )
    and (:status::smallint is null or o.status = :status::smallint)
    and (:payment::smallint is null or o.payment = :payment::smallint)
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
                ',"payment":',
                d.payment,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_shipped":',
                concat('"', d.date_shipped, '"'),
                ',"subtotal":',
                trim_scale(d.subtotal),
                ',"delivery_price":',
                trim_scale(d.delivery_price),
                ',"discount":',
                trim_scale(d.discount),
                ',"total":',
                trim_scale(d.total),
                ',"cost":',
                trim_scale(d.cost),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"production":',
                d.production::int,
                ',"production_num":',
                coalesce(to_json(p.num)::text, 'null'),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"customer_id":',
                d.customer_id,
                ',"customer_name":',
                to_json(u.name),
                ',"customer_email":',
                to_json(u.email),
                ',"customer_phone":',
                to_json(u.phone),
                ',"customer_address_real":',
                to_json(u.address_real),
                ',"customer_address_legal":',
                to_json(u.address_legal),
                ',"customer_agreement":',
                to_json(u.agreement),
                ',"customer_manager_name":',
                to_json(u.manager_name),
                ',"customer_manager_post":',
                to_json(u.manager_post),
                ',"customer_notes":',
                to_json(u.notes)
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  shipped_lines.products,
                  ']',
                  ',"materials":[',
                  own_lines.materials,
                  shipped_lines.materials,
                  ']'
              )
              end,
            case
              when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']')
              end,
            case
              when :with_addresses::boolean then concat(
                ',',
                  concat(
                    '"billing_address":',
                      to_json(coalesce(d.billing_address, u.address_legal)),
                      ',"delivery_address":',
                      to_json(coalesce(d.delivery_address, u.address_real))
                  )
              )
              end,
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
                              and x.record = 'sale'
                              and x.record_id = d.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"created_at":',
                      to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"updated_at":',
                      to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"version":',
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join sales o on o.company_id = :company_id and o.id = p.id
        ) d
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
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
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id
            and l.sale_id = d.id
            and :with_lines::boolean
            and :with_shipments::boolean is null
        ) own_lines
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
                ',"shipped":',
                trim_scale(
                  (
                    case
                      when d.status = 3 then l.amount
                      else least(l.amount, greatest(0, l.shipped - l.before))
                      end
                  )
                ),
                ',"unit":',
                to_json(n.name),
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"shipped":',
                  trim_scale(
                    (
                      case
                        when d.status = 3 then l.amount
                        else least(l.amount, greatest(0, l.shipped - l.before))
                        end
                    )
                  ),
                  ',"unit":',
                  to_json(n.name),
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from (
            select w.*,
              sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
              sum(w.left_stock) over (partition by w.item_id) as shipped
            from (
              select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
              from sale_lines o
              where o.company_id = :company_id
                and o.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
              union all
              select s.item_id, null, null, null, null, s.amount
              from sale_shipments s
              where s.company_id = :company_id
                and s.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
            ) w
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.position is not null
        ) shipped_lines
        cross join lateral (
          select string_agg(
            concat(
              '{',
                concat(
                  '"shipment":',
                    p.shipment,
                    ',"date":',
                    concat('"', p.date, '"'),
                    ',"tracking_number":',
                    to_json(p.tracking_number),
                    ',"carrier":',
                    to_json(p.carrier)
                ),
                ',"lines":[',
                p.lines,
                ']}'
            ),
              ',' order by p.shipment
          ) as shipments
          from (
            select g.shipment,
              g.date,
              g.tracking_number,
              g.carrier,
              string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"sku":',
                    to_json(i.sku),
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(g.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              ) as lines
            from (
              select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
              from sale_shipments s
              where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
              union all
              select 1 + coalesce(
                (
                  select max(s.shipment)
                  from sale_shipments s
                  where s.company_id = :company_id and s.sale_id = d.id
                ),
                  0
              ),
                d.date_deducted,
                '',
                '',
                w.item_id,
                sum(w.amount)
              from (
                select o.item_id, o.amount
                from sale_lines o
                where o.company_id = :company_id and o.sale_id = d.id
                union all
                select s.item_id, -s.amount
                from sale_shipments s
                where s.company_id = :company_id and s.sale_id = d.id
              ) w
              where d.status = 3 and :with_shipments::boolean
              group by w.item_id
              having sum(w.amount) > 0
            ) g (shipment, date, tracking_number, carrier, item_id, amount)
            join items i on i.company_id = :company_id and i.id = g.item_id
            join units n on n.company_id = :company_id and n.id = i.unit_id
            group by g.shipment, g.date, g.tracking_number, g.carrier
          ) p
        ) own_shipments
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.shown.first_page
-- parameters: company_id, date_to, date_from, with_lines, with_shipments, with_addresses, with_meta, connection_id, limit
-- sent by: orders/get_list
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'sales'
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
                ',"payment":',
                d.payment,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_shipped":',
                concat('"', d.date_shipped, '"'),
                ',"subtotal":',
                trim_scale(d.subtotal),
                ',"delivery_price":',
                trim_scale(d.delivery_price),
                ',"discount":',
                trim_scale(d.discount),
                ',"total":',
                trim_scale(d.total),
                ',"cost":',
                trim_scale(d.cost),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"production":',
                d.production::int,
                ',"production_num":',
                coalesce(to_json(p.num)::text, 'null'),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"customer_id":',
                d.customer_id,
                ',"customer_name":',
                to_json(u.name),
                ',"customer_email":',
                to_json(u.email),
                ',"customer_phone":',
                to_json(u.phone),
                ',"customer_address_real":',
                to_json(u.address_real),
                ',"customer_address_legal":',
                to_json(u.address_legal),
                ',"customer_agreement":',
                to_json(u.agreement),
                ',"customer_manager_name":',
                to_json(u.manager_name),
                ',"customer_manager_post":',
                to_json(u.manager_post),
                ',"customer_notes":',
                to_json(u.notes)
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  shipped_lines.products,
                  ']',
                  ',"materials":[',
                  own_lines.materials,
                  shipped_lines.materials,
                  ']'
              )
              end,
            case
              when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']')
              end,
            case
              when :with_addresses::boolean then concat(
                ',',
                  concat(
                    '"billing_address":',
                      to_json(coalesce(d.billing_address, u.address_legal)),
                      ',"delivery_address":',
                      to_json(coalesce(d.delivery_address, u.address_real))
                  )
              )
              end,
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
                              and x.record = 'sale'
                              and x.record_id = d.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"created_at":',
                      to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"updated_at":',
                      to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"version":',
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from sales o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
          order by o.listed, o.num_key, o.id
          limit :limit
        ) d
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
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
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id
            and l.sale_id = d.id
            and :with_lines::boolean
            and :with_shipments::boolean is null
        ) own_lines
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
                ',"shipped":',
                trim_scale(
                  (
                    case
                      when d.status = 3 then l.amount
                      else least(l.amount, greatest(0, l.shipped - l.before))
                      end
                  )
                ),
                ',"unit":',
                to_json(n.name),
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"shipped":',
                  trim_scale(
                    (
                      case
                        when d.status = 3 then l.amount
                        else least(l.amount, greatest(0, l.shipped - l.before))
                        end
                    )
                  ),
                  ',"unit":',
                  to_json(n.name),
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from (
            select w.*,
              sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
              sum(w.left_stock) over (partition by w.item_id) as shipped
            from (
              select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
              from sale_lines o
              where o.company_id = :company_id
                and o.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
              union all
              select s.item_id, null, null, null, null, s.amount
              from sale_shipments s
              where s.company_id = :company_id
                and s.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
            ) w
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.position is not null
        ) shipped_lines
        cross join lateral (
          select string_agg(
            concat(
              '{',
                concat(
                  '"shipment":',
                    p.shipment,
                    ',"date":',
                    concat('"', p.date, '"'),
                    ',"tracking_number":',
                    to_json(p.tracking_number),
                    ',"carrier":',
                    to_json(p.carrier)
                ),
                ',"lines":[',
                p.lines,
                ']}'
            ),
              ',' order by p.shipment
          ) as shipments
          from (
            select g.shipment,
              g.date,
              g.tracking_number,
              g.carrier,
              string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"sku":',
                    to_json(i.sku),
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(g.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              ) as lines
            from (
              select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
              from sale_shipments s
              where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
              union all
              select 1 + coalesce(
                (
                  select max(s.shipment)
                  from sale_shipments s
                  where s.company_id = :company_id and s.sale_id = d.id
                ),
                  0
              ),
                d.date_deducted,
                '',
                '',
                w.item_id,
                sum(w.amount)
              from (
                select o.item_id, o.amount
                from sale_lines o
                where o.company_id = :company_id and o.sale_id = d.id
                union all
                select s.item_id, -s.amount
                from sale_shipments s
                where s.company_id = :company_id and s.sale_id = d.id
              ) w
              where d.status = 3 and :with_shipments::boolean
              group by w.item_id
              having sum(w.amount) > 0
            ) g (shipment, date, tracking_number, carrier, item_id, amount)
            join items i on i.company_id = :company_id and i.id = g.item_id
            join units n on n.company_id = :company_id and n.id = i.unit_id
            group by g.shipment, g.date, g.tracking_number, g.carrier
          ) p
        ) own_shipments
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.shown.page
-- parameters: company_id, offset, date_to, date_from, with_lines, with_shipments, with_addresses, with_meta, connection_id, limit
-- sent by: orders/get_list
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
      and r.list = 'sales'
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
    and r.list = 'sales'
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
                ',"payment":',
                d.payment,
                ',"date_placed":',
                concat('"', d.date_placed, '"'),
                ',"date_shipped":',
                concat('"', d.date_shipped, '"'),
                ',"subtotal":',
                trim_scale(d.subtotal),
                ',"delivery_price":',
                trim_scale(d.delivery_price),
                ',"discount":',
                trim_scale(d.discount),
                ',"total":',
                trim_scale(d.total),
                ',"cost":',
                trim_scale(d.cost),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"production":',
                d.production::int,
                ',"production_num":',
                coalesce(to_json(p.num)::text, 'null'),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"products_storage_id":',
                d.products_storage_id,
                ',"products_storage_name":',
                to_json(ps.name),
                ',"materials_storage_id":',
                d.materials_storage_id,
                ',"materials_storage_name":',
                to_json(ms.name),
                ',"customer_id":',
                d.customer_id,
                ',"customer_name":',
                to_json(u.name),
                ',"customer_email":',
                to_json(u.email),
                ',"customer_phone":',
                to_json(u.phone),
                ',"customer_address_real":',
                to_json(u.address_real),
                ',"customer_address_legal":',
                to_json(u.address_legal),
                ',"customer_agreement":',
                to_json(u.agreement),
                ',"customer_manager_name":',
                to_json(u.manager_name),
                ',"customer_manager_post":',
                to_json(u.manager_post),
                ',"customer_notes":',
                to_json(u.notes)
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[',
                  own_lines.products,
                  shipped_lines.products,
                  ']',
                  ',"materials":[',
                  own_lines.materials,
                  shipped_lines.materials,
                  ']'
              )
              end,
            case
              when :with_shipments::boolean then concat(',"shipments":[', own_shipments.shipments, ']')
              end,
            case
              when :with_addresses::boolean then concat(
                ',',
                  concat(
                    '"billing_address":',
                      to_json(coalesce(d.billing_address, u.address_legal)),
                      ',"delivery_address":',
                      to_json(coalesce(d.delivery_address, u.address_real))
                  )
              )
              end,
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
                              and x.record = 'sale'
                              and x.record_id = d.id
                              and x.connection_id = :connection_id::bigint
                          )
                        )::text,
                          'null'
                      ),
                      ',"created_at":',
                      to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"updated_at":',
                      to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                      ',"version":',
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'sale' and v.record_id = d.id
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from sales o
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
        join customers u on u.company_id = :company_id and u.id = d.customer_id
        join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
        join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
        left join productions p on d.production and p.company_id = :company_id and p.sale_id = d.id
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
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
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
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from sale_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id
            and l.sale_id = d.id
            and :with_lines::boolean
            and :with_shipments::boolean is null
        ) own_lines
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
                ',"shipped":',
                trim_scale(
                  (
                    case
                      when d.status = 3 then l.amount
                      else least(l.amount, greatest(0, l.shipped - l.before))
                      end
                  )
                ),
                ',"unit":',
                to_json(n.name),
                ',"total":',
                trim_scale(l.total),
                ',"price":',
                trim_scale(round(l.total / l.amount, 2)),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"shipped":',
                  trim_scale(
                    (
                      case
                        when d.status = 3 then l.amount
                        else least(l.amount, greatest(0, l.shipped - l.before))
                        end
                    )
                  ),
                  ',"unit":',
                  to_json(n.name),
                  ',"total":',
                  trim_scale(l.total),
                  ',"price":',
                  trim_scale(round(l.total / l.amount, 2)),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from (
            select w.*,
              sum(w.amount) over (partition by w.item_id order by w.position) - w.amount as before,
              sum(w.left_stock) over (partition by w.item_id) as shipped
            from (
              select o.item_id, o.position, o.amount, o.total, o.cost, 0 as left_stock
              from sale_lines o
              where o.company_id = :company_id
                and o.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
              union all
              select s.item_id, null, null, null, null, s.amount
              from sale_shipments s
              where s.company_id = :company_id
                and s.sale_id = d.id
                and :with_lines::boolean
                and :with_shipments::boolean
            ) w
          ) l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.position is not null
        ) shipped_lines
        cross join lateral (
          select string_agg(
            concat(
              '{',
                concat(
                  '"shipment":',
                    p.shipment,
                    ',"date":',
                    concat('"', p.date, '"'),
                    ',"tracking_number":',
                    to_json(p.tracking_number),
                    ',"carrier":',
                    to_json(p.carrier)
                ),
                ',"lines":[',
                p.lines,
                ']}'
            ),
              ',' order by p.shipment
          ) as shipments
          from (
            select g.shipment,
              g.date,
              g.tracking_number,
              g.carrier,
              string_agg(
                concat(
                  '{"id":',
                    i.id,
                    ',"sku":',
                    to_json(i.sku),
                    ',"name":',
                    to_json(i.name),
                    ',"amount":',
                    trim_scale(g.amount),
                    ',"unit":',
                    to_json(n.name),
                    '}'
                ),
                  ',' order by i.name_key,
                  i.id
              ) as lines
            from (
              select s.shipment, s.date, s.tracking_number, s.carrier, s.item_id, s.amount
              from sale_shipments s
              where s.company_id = :company_id and s.sale_id = d.id and :with_shipments::boolean
              union all
              select 1 + coalesce(
                (
                  select max(s.shipment)
                  from sale_shipments s
                  where s.company_id = :company_id and s.sale_id = d.id
                ),
                  0
              ),
                d.date_deducted,
                '',
                '',
                w.item_id,
                sum(w.amount)
              from (
                select o.item_id, o.amount
                from sale_lines o
                where o.company_id = :company_id and o.sale_id = d.id
                union all
                select s.item_id, -s.amount
                from sale_shipments s
                where s.company_id = :company_id and s.sale_id = d.id
              ) w
              where d.status = 3 and :with_shipments::boolean
              group by w.item_id
              having sum(w.amount) > 0
            ) g (shipment, date, tracking_number, carrier, item_id, amount)
            join items i on i.company_id = :company_id and i.id = g.item_id
            join units n on n.company_id = :company_id and n.id = i.unit_id
            group by g.shipment, g.date, g.tracking_number, g.carrier
          ) p
        ) own_shipments
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from sale_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.sale_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- sales.update
-- parameters: company_id, num, num_key, status, payment, date_placed, date_shipped, date_deducted, subtotal, delivery_price, discount, total, cost, cost_known, amount, lines, production, notes, products_storage_id, materials_storage_id, customer_id, billing_address, delivery_address, tax, at, document_id
-- sent by: example_data/add, orders/edit, orders/ship, orders/ship_part, orders/undo_shipment, orders/update_payment, orders/update_status, skipped_lines/assign, skipped_lines/dismiss, skipped_lines/undo
update sales
set num = :num,
  num_key = :num_key,
  status = :status,
  payment = :payment,
  date_placed = :date_placed,
  date_shipped = :date_shipped,
  date_deducted = :date_deducted,
  subtotal = :subtotal,
  delivery_price = :delivery_price,
  discount = :discount,
  total = :total,
  cost = :cost,
  cost_known = :cost_known,
  amount = :amount,
  lines = :lines,
  production = :production,
  notes = :notes,
  products_storage_id = :products_storage_id,
  materials_storage_id = :materials_storage_id,
  customer_id = :customer_id,
  billing_address = :billing_address,
  delivery_address = :delivery_address,
  tax = :tax,
  updated_at = :at
where company_id = :company_id and id = :document_id;
