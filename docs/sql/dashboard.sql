-- dashboard.get
-- parameters: company_id
-- sent by: dashboard/get
with today as materialized (
  select (now() at time zone c.timezone)::date as today
  from companies c
  where c.company_id = :company_id
),
  short as materialized (
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
  ),
  counted as materialized (
    select count(*) filter (
      where (
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
    ) as can_ship,
      count(*) filter (where d.payment < 2) as unpaid,
      coalesce(sum(d.total) filter (where d.payment < 2), 0) as unpaid_total
    from sales d
    where d.company_id = :company_id and d.status <> 4
  ),
  low_items as materialized (
    select i.id,
      i.kind,
      i.name,
      i.name_key,
      i.unit_id,
      i.min_amount,
      coalesce(v.on_hand - v.reserved, 0) as available
    from items i
    left join (
      select l.item_id, sum(l.on_hand) as on_hand, sum(l.reserved) as reserved
      from stock_levels l
      where l.company_id = :company_id
      group by l.item_id
    ) v on v.item_id = i.id
    where i.company_id = :company_id
      and i.deleted_at is null
      and i.min_amount > 0
      and coalesce(v.on_hand, 0) < i.min_amount
  )
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"day":',
          to_json(w.day),
          ',"total":',
          trim_scale(coalesce(o.total, 0)),
          ',"margin":',
          coalesce(trim_scale((case when o.date_placed is null then 0 else o.margin end))::text, 'null'),
          ',"sales":',
          coalesce(o.sales, 0)::text,
          ',"without_cost":',
          coalesce(o.without_cost, 0)::text,
          '}'
      ),
        ',' order by w.day
    )
      || ']'
    from (select t.today - g.back as day from today t cross join generate_series(0, 59) g (back)) w
    left join (
      select d.date_placed,
        sum(d.total) as total,
        sum((case when coalesce(d.cost_known, d.cost <> 0) then d.total - d.cost end)) as margin,
        count(*) as sales,
        count(*) filter (where not coalesce(d.cost_known, d.cost <> 0)) as without_cost
      from sales d
      where d.company_id = :company_id
        and d.status <> 4
        and d.listed <= date '9999-12-31' - (select t.today - 60 from today t)
      group by d.date_placed
    ) o on o.date_placed = w.day
  ),
    '[]'
) as days,
  trim_scale(
    coalesce(
      (
        select round(sum(o.value), 2)
        from (
          select l.on_hand * coalesce(c.average, 0) as value
          from stock_levels l
          left join item_costs c on c.company_id = :company_id and c.item_id = l.item_id
          where l.company_id = :company_id
          union all
          select q.value
          from (
            select d.storage_to_id as storage_id, m.item_id, -sum(m.on_hand) as amount, -sum(m.value) as value
            from transfers d
            join stock_movements m on m.company_id = :company_id
              and m.section = 'transfers'
              and m.document_id = d.id
              and m.kind = 'move'
            where d.company_id = :company_id and d.status = 1
            group by d.storage_to_id, m.item_id
            having sum(m.on_hand) <> 0
          ) q
        ) o
      ),
        0
    )
  )::text as stock_total_cost,
  concat(
    '{"count":',
      (select k.can_ship from counted k)::text,
      ',"orders":',
      coalesce(
        (
          select '[' || string_agg(
            concat(
              '{"id":',
                d.id,
                ',"num":',
                to_json(d.num),
                ',"customer_name":',
                to_json(u.name),
                ',"date_placed":',
                to_json(d.date_placed),
                '}'
            ),
              ',' order by d.listed desc,
              d.id
          )
            || ']'
          from (
            select d.id, d.num, d.customer_id, d.date_placed, d.listed
            from sales d
            where d.company_id = :company_id
              and d.status in (0, 1, 2)
              and (
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
            order by d.listed desc, d.id
            limit 10
          ) d
          join customers u on u.company_id = :company_id and u.id = d.customer_id
        ),
          '[]'
      ),
      '}'
  ) as to_ship,
  concat(
    '{"count":',
      (select k.unpaid from counted k)::text,
      ',"total":',
      trim_scale((select k.unpaid_total from counted k)),
      '}'
  ) as unpaid,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"id":',
            i.id,
            ',"type":',
            to_json(i.kind),
            ',"name":',
            to_json(i.name),
            ',"available":',
            trim_scale(i.available),
            ',"min_amount":',
            trim_scale(i.min_amount),
            ',"unit":',
            to_json(n.name),
            '}'
        ),
          ',' order by i.name_key,
          i.id
      )
        || ']'
      from (select o.* from low_items o order by o.name_key, o.id limit 10) i
      join units n on n.company_id = :company_id and n.id = i.unit_id
    ),
      '[]'
  ) as low,
  (select count(*) from low_items)::text as low_count,
  (
    select count(*)
    from stock_levels l
    where l.company_id = :company_id and l.on_hand < 0
  )::text as negative_count;
