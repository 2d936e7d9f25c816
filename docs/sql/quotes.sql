-- quotes.acceptance_facts
-- parameters: company_id, quote_id
-- sent by: quotes/accept, quotes/accept_shared
select f.*,
  (
    select json_build_object(
      'id',
        d.id,
        'num',
        d.num,
        'status',
        d.status,
        'date_placed',
        d.date_placed,
        'valid_until',
        d.valid_until,
        'customer_id',
        d.customer_id,
        'delivery_price',
        d.delivery_price::text,
        'discount',
        d.discount::text,
        'notes',
        d.notes,
        'sale_id',
        d.sale_id,
        'tax',
        d.tax,
        'customer_tax',
        (
          select json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
          from customers u
          where u.company_id = :company_id and u.id = d.customer_id
        ),
        'line_rows',
        (
          select coalesce(
            json_agg(
              json_build_object(
                'kind',
                  i.kind,
                  'unit_id',
                  i.unit_id,
                  'tax_rate_id',
                  i.tax_rate_id,
                  'item_id',
                  l.item_id,
                  'amount',
                  l.amount::text,
                  'total',
                  l.total::text
              ) order by l.position
            ),
              '[]'::json
          )
          from quote_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.quote_id = d.id
        )
    )
    from quotes d
    where d.company_id = :company_id and d.id = :quote_id
  ) as quote,
  (
    select json_build_object('billing', u.address_legal, 'delivery', u.address_real)
    from quotes d
    join customers u on u.company_id = :company_id and u.id = d.customer_id
    where d.company_id = :company_id and d.id = :quote_id
  ) as addresses,
  (
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
    limit 1
  ) as next_number
from (
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
            where k.company_id = :company_id and k.id = null::bigint
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
      from items i
      left join item_costs k on k.company_id = :company_id and k.item_id = i.id
      where i.company_id = :company_id
        and i.id = any(
          array(
            select l.item_id
            from quote_lines l
            where l.company_id = :company_id and l.quote_id = :quote_id
          )::bigint[]
        )
    ) as items,
    '[]'::json as codes,
    (
      select json_build_array(
        r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ()
      )
      from list_runs r
      where r.company_id = :company_id
        and r.list = 'sales'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            null::date,
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
            select unnest(
              array(
                select l.item_id
                from quote_lines l
                where l.company_id = :company_id and l.quote_id = :quote_id
              )::bigint[]
            )
            union all
            select c.item_id
            from (
              select c.space, c.code, c.item_id, c.role
              from item_codes c
              where c.company_id = :company_id and c.space = 'product' and c.code_key = any(array['']::text[])
              union all
              select c.space, c.code, c.item_id, c.role
              from item_codes c
              where c.company_id = :company_id
                and c.space = 'product'
                and c.code = any(array['']::text[])
                and c.code_key is null
            ) c
            union all
            select l.item_id
            from sale_lines l
            where l.company_id = :company_id and l.sale_id = null::bigint
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
                select unnest(
                  array(
                    select l.item_id
                    from quote_lines l
                    where l.company_id = :company_id and l.quote_id = :quote_id
                  )::bigint[]
                )
                union all
                select c.item_id
                from (
                  select c.space, c.code, c.item_id, c.role
                  from item_codes c
                  where c.company_id = :company_id
                    and c.space = 'product'
                    and c.code_key = any(array['']::text[])
                  union all
                  select c.space, c.code, c.item_id, c.role
                  from item_codes c
                  where c.company_id = :company_id
                    and c.space = 'product'
                    and c.code = any(array['']::text[])
                    and c.code_key is null
                ) c
                union all
                select l.item_id
                from sale_lines l
                where l.company_id = :company_id and l.sale_id = null::bigint
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
              where p.company_id = :company_id and p.sale_id = null::bigint
            )
        ) w (id)
      ) w
      cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
      left join item_costs k on k.company_id = :company_id and k.item_id = i.id
    ) as parts,
    (
      select json_build_array(
        r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ()
      )
      from list_runs r
      where r.company_id = :company_id
        and r.list = 'productions'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            null::date,
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
    ) as free_production_number
) f;

-- quotes.browse.by_customer_name_asc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
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
            ',"is_expired":',
            (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date)::int::text,
            ',"date_placed":',
            concat('"', d.date_placed, '"'),
            ',"valid_until":',
            concat('"', d.valid_until, '"'),
            ',"customer_id":',
            d.customer_id,
            ',"customer_name":',
            to_json(u.name),
            ',"subtotal":',
            trim_scale(d.subtotal),
            ',"delivery_price":',
            trim_scale(d.delivery_price),
            ',"discount":',
            trim_scale(d.discount),
            ',"total":',
            trim_scale(d.total),
            ',"lines":',
            d.lines,
            ',"notes":',
            to_json(d.notes),
            ',"order_id":',
            coalesce(s.id::text, 'null'),
            ',"order_num":',
            coalesce(to_json(s.num)::text, 'null'),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from quotes d
            join companies k on k.company_id = :company_id
            join customers u on u.company_id = :company_id and u.id = d.customer_id
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or replace(
                      replace(
                        replace(
                          lower(
                            case when octet_length(d.notes) <= 2000 then d.notes else left(d.notes, 2000) end
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
                    or coalesce(
                      u.folded_name, replace(replace(replace(lower(u.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                    ) like :search
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:customer_id::bigint is null or d.customer_id = :customer_id)
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.quote_id
                    from quote_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:order_id::bigint is null or d.sale_id = :order_id)
              and (:date_from::date is null or d.date_placed >= :date_from)
              and (:date_to::date is null or d.date_placed <= :date_to) then true else false end
              and case :cut::text
                when 'all' then true
                when 'open' then (
                  d.status in (0, 1)
                    and not (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date)
                )
                when 'expired' then (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date)
                when 'accepted' then d.status = 3
                when 'declined' then d.status = 4
                end
            order by u.name_key nulls last, d.id desc
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join (
          quotes d join companies k on k.company_id = :company_id join customers u on u.company_id = :company_id
            and u.id = d.customer_id
        ) on d.id = page.key_0
        left join sales s on s.company_id = :company_id and s.id = d.sale_id
        where d.company_id = :company_id
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"total":', trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)), '}'
    ) as sums,
    concat(
      '{"open":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 1 <> 0)), 0)::text,
        ',"expired":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 2 <> 0)), 0)::text,
        ',"accepted":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 4 <> 0)), 0)::text,
        ',"declined":',
        coalesce(sum(each_group.entries) filter (where (each_group.met & 8 <> 0)), 0)::text,
        ',"all":',
        coalesce(sum(each_group.entries) filter (where true), 0)::text,
        '}'
    ) as counts
  from (
    select each_group.*, each_group.is_shown as is_summed
    from (
      select each_group.*,
        case :cut::text
          when 'all' then true
          when 'open' then (each_group.met & 1 <> 0)
          when 'expired' then (each_group.met & 2 <> 0)
          when 'accepted' then (each_group.met & 4 <> 0)
          when 'declined' then (each_group.met & 8 <> 0)
          end as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select case
            when (
              d.status in (0, 1)
                and not (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date)
            ) then 1
            else 0
            end + case
            when (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date) then 2
            else 0
            end + case
            when d.status = 3 then 4
            else 0
            end + case
            when d.status = 4 then 8
            else 0
            end as met,
            d.total as term_0
          from quotes d
          join companies k on k.company_id = :company_id
          join customers u on u.company_id = :company_id and u.id = d.customer_id
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  or replace(
                    replace(
                      replace(
                        lower(
                          case when octet_length(d.notes) <= 2000 then d.notes else left(d.notes, 2000) end
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
                  or coalesce(
                    u.folded_name, replace(replace(replace(lower(u.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                  ) like :search
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:customer_id::bigint is null or d.customer_id = :customer_id)
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.quote_id
                  from quote_lines l
                  where l.company_id = :company_id and l.item_id = :item_id
                )
            )
            and (:order_id::bigint is null or d.sale_id = :order_id)
            and (:date_from::date is null or d.date_placed >= :date_from)
            and (:date_to::date is null or d.date_placed <= :date_to) then true else false end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- quotes.browse.by_customer_name_desc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by u.name_key desc nulls last, d.id desc

-- quotes.browse.by_date_placed_asc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.date_placed, d.id desc

-- quotes.browse.by_date_placed_desc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.date_placed desc, d.id desc

-- quotes.browse.by_num_asc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.num_key, d.id desc

-- quotes.browse.by_num_desc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.num_key desc, d.id desc

-- quotes.browse.by_status_asc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.status, d.id desc

-- quotes.browse.by_status_desc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.status desc, d.id desc

-- quotes.browse.by_total_asc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.total, d.id desc

-- quotes.browse.by_total_desc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.total desc, d.id desc

-- quotes.browse.by_valid_until_asc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.valid_until, d.id desc

-- quotes.browse.by_valid_until_desc
-- parameters: company_id, is_unfiltered, search, ids, status, customer_id, item_id, order_id, date_from, date_to, cut, limit, offset
-- sent by: quotes/browse
-- as quotes.browse.by_customer_name_asc, but order by d.valid_until desc, d.id desc

-- quotes.card
-- parameters: company_id, quote_id
-- sent by: quotes/get_card
select concat(
  '{',
    concat(
      '"id":',
        d.id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"is_expired":',
        (d.status = 1 and d.valid_until < (now() at time zone k.timezone)::date)::int::text,
        ',"date_placed":',
        concat('"', d.date_placed, '"'),
        ',"valid_until":',
        concat('"', d.valid_until, '"'),
        ',"customer_id":',
        d.customer_id,
        ',"customer_name":',
        to_json(u.name),
        ',"subtotal":',
        trim_scale(d.subtotal),
        ',"delivery_price":',
        trim_scale(d.delivery_price),
        ',"discount":',
        trim_scale(d.discount),
        ',"total":',
        trim_scale(d.total),
        ',"lines":',
        d.lines,
        ',"notes":',
        to_json(d.notes),
        ',"order_id":',
        coalesce(s.id::text, 'null'),
        ',"order_num":',
        coalesce(to_json(s.num)::text, 'null')
    ),
    ',"products":[',
    own_lines.products,
    ']',
    ',"materials":[',
    own_lines.materials,
    ']',
    '}'
) as quote,
  d.tax,
  (
    select json_build_object(
      'company_tax',
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
          end,
        'quote',
        (
          select json_build_object(
            'id',
              d.id,
              'num',
              d.num,
              'status',
              d.status,
              'date_placed',
              d.date_placed,
              'valid_until',
              d.valid_until,
              'customer_id',
              d.customer_id,
              'delivery_price',
              d.delivery_price::text,
              'discount',
              d.discount::text,
              'notes',
              d.notes,
              'sale_id',
              d.sale_id,
              'tax',
              d.tax,
              'customer_tax',
              (
                select json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
                from customers u
                where u.company_id = :company_id and u.id = d.customer_id
              ),
              'line_rows',
              (
                select coalesce(
                  json_agg(
                    json_build_object(
                      'kind',
                        i.kind,
                        'unit_id',
                        i.unit_id,
                        'tax_rate_id',
                        i.tax_rate_id,
                        'item_id',
                        l.item_id,
                        'amount',
                        l.amount::text,
                        'total',
                        l.total::text
                    ) order by l.position
                  ),
                    '[]'::json
                )
                from quote_lines l
                join items i on i.company_id = :company_id and i.id = l.item_id
                where l.company_id = :company_id and l.quote_id = d.id
              )
          )
          from quotes d
          where d.company_id = :company_id and d.id = :quote_id and d.status = 0
        )
    )
    from companies c
    where c.company_id = :company_id
  ) as draft,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"number":',
            l.number,
            ',"works":',
            (
              l.revoked_at is null
                and exists (
                  select
                  from quote_tokens t
                  where t.company_id = :company_id and t.quote_id = l.quote_id and t.number = l.number
                )
            )::int::text,
            ',"sent_at":',
            to_char(l.sent_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"mailed_to":',
            coalesce(to_json(m.recipient)::text, 'null'),
            ',"mail_status":',
            coalesce(to_json(m.status)::text, 'null'),
            ',"revoked_at":',
            coalesce(to_char(l.revoked_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
            ',"opened":',
            l.opened,
            ',"first_opened_at":',
            coalesce(
              to_char(l.first_opened_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'
            ),
            ',"first_opened_from":',
            coalesce(to_json(l.first_opened_from)::text, 'null'),
            ',"last_opened_at":',
            coalesce(
              to_char(l.last_opened_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'
            ),
            ',"last_opened_from":',
            coalesce(to_json(l.last_opened_from)::text, 'null'),
            ',"decision":',
            coalesce(to_json(l.decision)::text, 'null'),
            ',"decided_at":',
            coalesce(to_char(l.decided_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
            ',"decided_by":',
            coalesce(to_json(l.decided_by)::text, 'null'),
            ',"decided_from":',
            coalesce(to_json(l.decided_from)::text, 'null'),
            '}'
        ),
          ',' order by l.number desc
      )
        || ']'
      from quote_links l
      left join mails m on m.company_id = :company_id and m.id = l.mail_id
      where l.company_id = :company_id and l.quote_id = d.id
    ),
      '[]'
  ) as links,
  u.email as customer_email,
  (
    select coalesce(max(e.seq), 0)
    from events e
    where e.company_id = :company_id and e.record = 'quote' and e.record_id = d.id
  ) as seq
from quotes d
join companies k on k.company_id = :company_id
join customers u on u.company_id = :company_id and u.id = d.customer_id
left join sales s on s.company_id = :company_id and s.id = d.sale_id
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
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'material') as materials
  from quote_lines l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.company_id = :company_id and l.quote_id = d.id
) own_lines
where d.company_id = :company_id and d.id = :quote_id;

-- quotes.delete
-- parameters: company_id, quote_id
-- sent by: quotes/delete
delete from quotes
where company_id = :company_id and id = :quote_id;

-- quotes.delete_lines
-- parameters: company_id, quote_id
-- sent by: quotes/delete, quotes/edit
delete from quote_lines
where company_id = :company_id and quote_id = :quote_id;

-- quotes.delete_links
-- parameters: company_id, quote_id
-- sent by: quotes/delete
delete from quote_links
where company_id = :company_id and quote_id = :quote_id;

-- quotes.facts
-- parameters: company_id, connection_id, quote_id
-- sent by: quotes/decline, quotes/decline_shared, quotes/delete, quotes/reopen, quotes/revoke, quotes/send
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
    select json_build_object(
      'id',
        d.id,
        'num',
        d.num,
        'status',
        d.status,
        'date_placed',
        d.date_placed,
        'valid_until',
        d.valid_until,
        'customer_id',
        d.customer_id,
        'delivery_price',
        d.delivery_price::text,
        'discount',
        d.discount::text,
        'notes',
        d.notes,
        'sale_id',
        d.sale_id,
        'tax',
        d.tax,
        'customer_tax',
        (
          select json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
          from customers u
          where u.company_id = :company_id and u.id = d.customer_id
        ),
        'line_rows',
        (
          select coalesce(
            json_agg(
              json_build_object(
                'kind',
                  i.kind,
                  'unit_id',
                  i.unit_id,
                  'tax_rate_id',
                  i.tax_rate_id,
                  'item_id',
                  l.item_id,
                  'amount',
                  l.amount::text,
                  'total',
                  l.total::text
              ) order by l.position
            ),
              '[]'::json
          )
          from quote_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.quote_id = d.id
        )
    )
    from quotes d
    where d.company_id = :company_id and d.id = :quote_id
  ) as quote,
  exists (
    select
    from quote_links l
    where l.company_id = :company_id and l.quote_id = :quote_id and l.revoked_at is null
  ) as has_link;

-- quotes.insert
-- parameters: company_id, quote_id, num, num_key, status, date_placed, valid_until, customer_id, subtotal, delivery_price, discount, total, lines, notes, tax, sale_id, at
-- sent by: quotes/add
insert into quotes (
  company_id,
    id,
    num,
    num_key,
    status,
    date_placed,
    valid_until,
    customer_id,
    subtotal,
    delivery_price,
    discount,
    total,
    lines,
    notes,
    tax,
    sale_id,
    created_at,
    updated_at
)
values (
  :company_id,
    :quote_id,
    :num,
    :num_key,
    :status,
    :date_placed,
    :valid_until,
    :customer_id,
    :subtotal,
    :delivery_price,
    :discount,
    :total,
    :lines,
    :notes,
    :tax,
    :sale_id,
    :at,
    :at
);

-- quotes.insert_lines
-- parameters: company_id, quote_id, item_id, amount, total
-- sent by: quotes/add, quotes/edit
insert into quote_lines (company_id, quote_id, position, item_id, amount, total)
select c.company_id, :quote_id, x.place - 1, x.item_id, x.amount, x.total
from company_clock c
cross join unnest(
  :item_id::bigint[], :amount::numeric[], :total::numeric[]
) with ordinality as x (item_id, amount, total, place)
where c.company_id = :company_id;

-- quotes.insert_lines.rows_8
-- a variant of quotes.insert_lines; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into quote_lines (company_id, quote_id, position, item_id, amount, total)
values (:company_id, :quote_id, 0, :item_id_1, :amount_1, :total_1),
  (:company_id, :quote_id, 1, :item_id_2, :amount_2, :total_2),
  (:company_id, :quote_id, 2, :item_id_3, :amount_3, :total_3),
  (:company_id, :quote_id, 3, :item_id_4, :amount_4, :total_4),
  (:company_id, :quote_id, 4, :item_id_5, :amount_5, :total_5),
  (:company_id, :quote_id, 5, :item_id_6, :amount_6, :total_6),
  (:company_id, :quote_id, 6, :item_id_7, :amount_7, :total_7),
  (:company_id, :quote_id, 7, :item_id_8, :amount_8, :total_8);

-- quotes.named_facts
-- parameters: company_id, connection_id, quote_id, party_id, item_ids, product_skus, material_skus
-- sent by: quotes/add, quotes/edit
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
    select json_build_object(
      'id',
        d.id,
        'num',
        d.num,
        'status',
        d.status,
        'date_placed',
        d.date_placed,
        'valid_until',
        d.valid_until,
        'customer_id',
        d.customer_id,
        'delivery_price',
        d.delivery_price::text,
        'discount',
        d.discount::text,
        'notes',
        d.notes,
        'sale_id',
        d.sale_id,
        'tax',
        d.tax,
        'customer_tax',
        (
          select json_build_object('treatment', u.tax_treatment, 'reason', u.tax_reason)
          from customers u
          where u.company_id = :company_id and u.id = d.customer_id
        ),
        'line_rows',
        (
          select coalesce(
            json_agg(
              json_build_object(
                'kind',
                  i.kind,
                  'unit_id',
                  i.unit_id,
                  'tax_rate_id',
                  i.tax_rate_id,
                  'item_id',
                  l.item_id,
                  'amount',
                  l.amount::text,
                  'total',
                  l.total::text
              ) order by l.position
            ),
              '[]'::json
          )
          from quote_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.quote_id = d.id
        )
    )
    from quotes d
    where d.company_id = :company_id and d.id = :quote_id
  ) as quote,
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
        from quote_lines l
        where l.company_id = :company_id and l.quote_id = :quote_id
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
    with recursive tried (number, step, tries) as (
      select k.last_quote_number + 1, 1::bigint, 1
      from company_clock k
      where k.company_id = :company_id
      union all
      select t.number + t.step, case when t.tries < 1000 then 1 else t.step * 2 end, t.tries + 1
      from tried t
      where t.tries < 1030
        and exists (
          select
          from quotes d
          where d.company_id = :company_id and d.num = 'Q-' || t.number
          offset 0
        )
    )
    select max(t.number)
    from tried t
  ) as free_number;

-- quotes.update
-- parameters: company_id, num, num_key, status, date_placed, valid_until, customer_id, subtotal, delivery_price, discount, total, lines, notes, tax, sale_id, at, quote_id
-- sent by: quotes/accept, quotes/accept_shared, quotes/decline, quotes/decline_shared, quotes/edit, quotes/reopen, quotes/revoke, quotes/send
update quotes
set num = :num,
  num_key = :num_key,
  status = :status,
  date_placed = :date_placed,
  valid_until = :valid_until,
  customer_id = :customer_id,
  subtotal = :subtotal,
  delivery_price = :delivery_price,
  discount = :discount,
  total = :total,
  lines = :lines,
  notes = :notes,
  tax = :tax,
  sale_id = :sale_id,
  updated_at = :at
where company_id = :company_id and id = :quote_id;
