-- skipped_lines.documents
-- parameters: company_id, is_closed, kind, named_by, code_key, code_connection_id, record, record_id, adds_lines, connection_id, item_ids, product_skus, material_skus, moves_in_list, day, wants_production
-- sent by: skipped_lines/assign, skipped_lines/dismiss
with found as materialized (
  (select 0 as section, f.id, f.lines + f.skipped as lines from (select d.id, d.lines, count(*) as skipped from sale_skipped_lines w join sales d on d.company_id = :company_id and d.id = w.sale_id and (d.status in (3, 4)) = :is_closed::boolean where w.company_id = :company_id and w.kind = :kind and w.named_by = :named_by and w.code_key = :code_key and w.connection_id = :code_connection_id and (:record::text is null or :record::text = 'sale' and w.sale_id = :record_id::bigint) group by d.id, d.lines order by d.id limit 10000) f) union all (
    select 1 as section, f.id, f.lines + f.skipped as lines
    from (
      select d.id, d.lines, count(*) as skipped
      from purchase_skipped_lines w
      join purchases d on d.company_id = :company_id
        and d.id = w.purchase_id
        and (d.status in (3, 4)) = :is_closed::boolean
      where w.company_id = :company_id
        and w.kind = :kind
        and w.named_by = :named_by
        and w.code_key = :code_key
        and w.connection_id = :code_connection_id
        and (:record::text is null or :record::text = 'purchase' and w.purchase_id = :record_id::bigint)
      group by d.id, d.lines
      order by d.id
      limit 10000
    ) f
  )
),
  fitting as materialized (
    select f.*, row_number() over (order by f.section, f.id) as place
    from found f
    where not :adds_lines::boolean or f.lines <= 5000
  ),
  weighed as materialized (
    select f.section,
      f.id,
      f.place,
      sum(
        f.lines + case f.section
          when 0 then (
            select count(*)
            from productions p
            join production_uses u on u.company_id = :company_id and u.production_id = p.id
            where p.company_id = :company_id and p.sale_id = f.id
          )
          when 1 then 0
          end
      ) over (order by f.place) as weight
    from fitting f
    where f.place <= 500
  ),
  chosen as materialized (select w.section, w.id from weighed w where w.place = 1 or w.weight <= 5000)
select (
  select coalesce(json_agg(f order by each_document.id), '[]'::json)
  from (select c.id from chosen c where c.section = 0) each_document
  cross join lateral (
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
            select unnest(:item_ids::bigint[])
            union all
            select w.item_id
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
            where l.company_id = :company_id and l.sale_id = each_document.id::bigint
            union all
            select m.item_id
            from stock_movements m
            where m.company_id = :company_id
              and m.section = 'sales'
              and m.document_id = each_document.id::bigint
          ) w (id)
        ) w
        cross join lateral (
          select i.*
          from items i
          where i.company_id = :company_id and i.id = w.id
          offset 0
        ) i
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
        where d.company_id = :company_id and d.id = each_document.id::bigint
      ) as document,
      (
        select coalesce(
          json_agg(
            json_build_array(
              p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued
            )
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
          where m.company_id = :company_id
            and m.section = 'sales'
            and m.document_id = each_document.id::bigint
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
                    where d.company_id = :company_id and d.id = each_document.id::bigint
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
        where h.company_id = :company_id and h.sale_id = each_document.id::bigint
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
        where w.company_id = :company_id and w.sale_id = each_document.id::bigint
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
        where d.company_id = :company_id and d.sale_id = each_document.id::bigint
      ) as production,
      (
        select coalesce(
          json_agg(
            json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position
          ),
            '[]'::json
        )
        from production_uses u
        join items i on i.company_id = :company_id and i.id = u.item_id
        where u.company_id = :company_id
          and u.production_id = (
            select p.id
            from productions p
            where p.company_id = :company_id and p.sale_id = each_document.id::bigint
          )
      ) as production_uses,
      case
        when (:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = each_document.id::bigint and s.production)) then (
          select coalesce(
            json_agg(
              json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position
            ),
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
                where l.company_id = :company_id and l.sale_id = each_document.id::bigint
              )
            limit 10001
          ) k
        )
        end as composition,
      case
        when (:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = each_document.id::bigint and s.production)) then (
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
                    where l.company_id = :company_id and l.sale_id = each_document.id::bigint
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
                  where p.company_id = :company_id and p.sale_id = each_document.id::bigint
                )
            ) w (id)
          ) w
          cross join lateral (
            select i.*
            from items i
            where i.company_id = :company_id and i.id = w.id
            offset 0
          ) i
          left join item_costs k on k.company_id = :company_id and k.item_id = i.id
        )
        end as parts,
      (
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
                  select s.date_placed
                  from sales s
                  where s.company_id = :company_id and s.id = each_document.id::bigint
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
        where p.company_id = :company_id
          and p.former_sale_id = each_document.id::bigint
          and p.status in (1, 3)
      ) as former_production
  ) f
) as sale_facts,
  (
    select coalesce(json_agg(f order by each_document.id), '[]'::json)
    from (select c.id from chosen c where c.section = 1) each_document
    cross join lateral (
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
              select unnest(:item_ids::bigint[])
              union all
              select w.item_id
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
              from purchase_lines l
              where l.company_id = :company_id and l.purchase_id = each_document.id::bigint
              union all
              select m.item_id
              from stock_movements m
              where m.company_id = :company_id
                and m.section = 'purchases'
                and m.document_id = each_document.id::bigint
            ) w (id)
          ) w
          cross join lateral (
            select i.*
            from items i
            where i.company_id = :company_id and i.id = w.id
            offset 0
          ) i
          left join item_costs k on k.company_id = :company_id and k.item_id = i.id
        ) as items,
        (
          select coalesce(json_agg(json_build_array(w.space, w.code, w.item_id)), '[]'::json)
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
              'date_received',
              d.date_received,
              'date_effective',
              d.date_effective,
              'products_storage_id',
              d.products_storage_id,
              'materials_storage_id',
              d.materials_storage_id,
              'supplier_id',
              d.supplier_id,
              'delivery_price',
              d.delivery_price::text,
              'discount',
              d.discount::text,
              'subtotal',
              d.subtotal::text,
              'total',
              d.total::text,
              'cost',
              d.cost::text,
              'adjustment',
              d.adjustment::text,
              'amount',
              d.amount::text,
              'lines',
              d.lines,
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
                        'total',
                        l.total::text,
                        'cost',
                        l.cost::text
                    ) order by l.position
                  ),
                    '[]'::json
                )
                from purchase_lines l
                join items i on i.company_id = :company_id and i.id = l.item_id
                where l.company_id = :company_id and l.purchase_id = d.id
              )
          )
          from purchases d
          where d.company_id = :company_id and d.id = each_document.id::bigint
        ) as document,
        (
          select coalesce(
            json_agg(
              json_build_array(
                p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued
              )
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
            where m.company_id = :company_id
              and m.section = 'purchases'
              and m.document_id = each_document.id::bigint
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
              and r.list = 'purchases'
              and r.listed = (
                select date '9999-12-31' - coalesce(
                  :day::date,
                    (
                      select d.date_placed
                      from purchases d
                      where d.company_id = :company_id and d.id = each_document.id::bigint
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
              json_build_array(h.receipt, h.date, h.item_id, h.amount::text) order by h.receipt, h.item_id
            ),
              '[]'::json
          )
          from purchase_receipts h
          where h.company_id = :company_id and h.purchase_id = each_document.id::bigint
        ) as receipts,
        (
          select coalesce(
            json_agg(
              json_build_array(
                w.position, w.kind, w.named_by, w.code, w.connection_id, w.amount::text, w.total::text
              ) order by w.position
            ),
              '[]'::json
          )
          from purchase_skipped_lines w
          where w.company_id = :company_id and w.purchase_id = each_document.id::bigint
        ) as skipped
    ) f
  ) as purchase_facts,
  (
    select coalesce(json_agg(t.number), '[]'::json)
    from company_clock k
    cross join lateral generate_series(
      k.last_production_number + 1, k.last_production_number + 1000
    ) as t (number)
    where k.company_id = :company_id
      and exists (
        select
        from productions p
        where p.company_id = :company_id and p.num = 'M-' || t.number
        offset 0
      )
  ) as taken_numbers,
  (select count(*) from found) as found,
  (select count(*) from fitting) as fitting;

-- skipped_lines.list
-- parameters: company_id, is_closed, search, limit, offset
-- sent by: skipped_lines/get_list
with newest as materialized (
  (select 'order' as record, d.id, w.kind, w.named_by, w.code, w.code_key, w.connection_id, w.amount, w.total, d.num, d.date_placed, d.status, p.name as party from sale_skipped_lines w join sales d on d.company_id = :company_id and d.id = w.sale_id join customers p on p.company_id = :company_id and p.id = d.customer_id where w.company_id = :company_id and (d.status in (3, 4)) = :is_closed::boolean and (:search::text is null or replace(replace(replace(lower(w.code), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search::text) order by w.sale_id desc, w.position desc limit 20001) union all (
    select 'purchase' as record,
      d.id,
      w.kind,
      w.named_by,
      w.code,
      w.code_key,
      w.connection_id,
      w.amount,
      w.total,
      d.num,
      d.date_placed,
      d.status,
      p.name as party
    from purchase_skipped_lines w
    join purchases d on d.company_id = :company_id and d.id = w.purchase_id
    join suppliers p on p.company_id = :company_id and p.id = d.supplier_id
    where w.company_id = :company_id
      and (d.status in (3, 4)) = :is_closed::boolean
      and (
        :search::text is null
          or replace(replace(replace(lower(w.code), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search::text
      )
    order by w.purchase_id desc, w.position desc
    limit 20001
  )
),
  documents as materialized (
    select n.kind,
      n.named_by,
      n.code_key,
      n.connection_id,
      min(n.code) as code,
      n.record,
      n.id,
      n.num,
      n.date_placed,
      n.status,
      n.party,
      sum(n.amount) as amount,
      sum(n.total) as total,
      row_number() over (
        partition by n.kind,
          n.named_by,
          n.code_key,
          n.connection_id order by n.date_placed desc,
          n.record,
          n.id desc
      ) as place
    from newest n
    group by n.kind,
      n.named_by,
      n.code_key,
      n.connection_id,
      n.record,
      n.id,
      n.num,
      n.date_placed,
      n.status,
      n.party
  ),
  codes as materialized (
    select x.kind,
      x.named_by,
      x.code_key,
      x.connection_id,
      min(x.code) as code,
      count(*) filter (where x.record = 'order') as sales,
      count(*) filter (where x.record = 'purchase') as purchases,
      count(*) as documents,
      sum(x.amount) as amount,
      sum(x.total) as total,
      string_agg(
        concat(
          '{"record":',
            to_json(x.record),
            ',"id":',
            x.id,
            ',"num":',
            to_json(x.num),
            ',"date_placed":',
            concat('"', x.date_placed, '"'),
            ',"status":',
            x.status,
            ',"contact_name":',
            to_json(x.party),
            ',"amount":',
            trim_scale(x.amount),
            ',"total":',
            trim_scale(x.total),
            '}'
        ),
          ',' order by x.place
      ) filter (where x.place <= 20) as shown
    from documents x
    group by x.kind, x.named_by, x.code_key, x.connection_id
  ),
  page as materialized (
    select c.*
    from codes c
    order by c.documents desc, c.kind, c.named_by, c.code_key, c.connection_id
    limit :limit
    offset :offset
  )
select (select count(*) from codes) as total,
  (
    select coalesce(max(r.lines), 0) <= 20000
    from (select count(*) as lines from newest n group by n.record) r
  ) as is_complete,
  (
    select coalesce(
      string_agg(
        concat(
          '{"type":',
            to_json(p.kind),
            ',"sku":',
            coalesce(to_json((case p.named_by when 'sku' then p.code end))::text, 'null'),
            ',"id":',
            coalesce(to_json((case p.named_by when 'id' then p.code end))::text, 'null'),
            ',"external_id":',
            coalesce(to_json((case p.named_by when 'external_id' then p.code end))::text, 'null'),
            ',"connection_id":',
            coalesce((case p.named_by when 'external_id' then p.connection_id end)::text, 'null'),
            ',"connection_name":',
            coalesce(to_json(n.name)::text, 'null'),
            ',"documents_count":',
            p.documents,
            ',"sales_count":',
            p.sales,
            ',"purchases_count":',
            p.purchases,
            ',"amount":',
            trim_scale(p.amount),
            ',"total":',
            trim_scale(p.total),
            ',"item_id":',
            coalesce(i.id::text, 'null'),
            ',"item_name":',
            coalesce(to_json(i.name)::text, 'null'),
            ',"documents":',
            '[' || p.shown || ']',
            '}'
        ),
          ',' order by p.documents desc,
          p.kind,
          p.named_by,
          p.code_key,
          p.connection_id
      ),
        ''
    )
    from page p
    left join api_connections n on n.company_id = :company_id
      and p.named_by = 'external_id'
      and n.id = p.connection_id
    left join lateral (
      select i.id, i.name
      from (
        select c.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = p.kind and c.code_key = p.code_key
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = p.kind and c.code = p.code_key and c.code_key is null
        ) c
        where p.named_by = 'sku'
        union all
        select x.record_id
        from external_ids x
        where x.company_id = :company_id
          and p.named_by = 'external_id'
          and x.connection_id = p.connection_id
          and x.record = p.kind
          and x.external_id = p.code_key
      ) o
      join items i on i.company_id = :company_id and i.id = o.item_id
      order by i.id
      limit 1
    ) i on true
  ) as rows;

-- skipped_lines.step
-- parameters: company_id, step, connection_id, item_ids, product_skus, material_skus, moves_in_list, day, wants_production
-- sent by: skipped_lines/undo
with first as materialized (
  select e.at
  from events e
  where e.company_id = :company_id
    and e.seq = :step
    and e.method in ('skipped_lines/assign', 'skipped_lines/dismiss')
    and not exists (
      select
      from events b
      where b.company_id = :company_id and b.seq = :step - 1 and b.at = e.at
    )
),
  step as materialized (
    select e.seq, e.record, e.record_id, e.change
    from events e
    join first f on f.at = e.at
    where e.company_id = :company_id and e.seq between :step and :step + 1001
  ),
  chosen as materialized (
    select 0 as section, e.record_id as id
    from step e
    where e.record = 'sale'
    union all
    select 1 as section, e.record_id as id
    from step e
    where e.record = 'purchase'
  )
select (
  select coalesce(json_agg(f order by each_document.id), '[]'::json)
  from (select c.id from chosen c where c.section = 0) each_document
  cross join lateral (
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
            select unnest(:item_ids::bigint[])
            union all
            select w.item_id
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
            where l.company_id = :company_id and l.sale_id = each_document.id::bigint
            union all
            select m.item_id
            from stock_movements m
            where m.company_id = :company_id
              and m.section = 'sales'
              and m.document_id = each_document.id::bigint
          ) w (id)
        ) w
        cross join lateral (
          select i.*
          from items i
          where i.company_id = :company_id and i.id = w.id
          offset 0
        ) i
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
        where d.company_id = :company_id and d.id = each_document.id::bigint
      ) as document,
      (
        select coalesce(
          json_agg(
            json_build_array(
              p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued
            )
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
          where m.company_id = :company_id
            and m.section = 'sales'
            and m.document_id = each_document.id::bigint
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
                    where d.company_id = :company_id and d.id = each_document.id::bigint
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
        where h.company_id = :company_id and h.sale_id = each_document.id::bigint
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
        where w.company_id = :company_id and w.sale_id = each_document.id::bigint
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
        where d.company_id = :company_id and d.sale_id = each_document.id::bigint
      ) as production,
      (
        select coalesce(
          json_agg(
            json_build_array(u.line, u.item_id, i.kind, u.amount::text, u.cost::text) order by u.position
          ),
            '[]'::json
        )
        from production_uses u
        join items i on i.company_id = :company_id and i.id = u.item_id
        where u.company_id = :company_id
          and u.production_id = (
            select p.id
            from productions p
            where p.company_id = :company_id and p.sale_id = each_document.id::bigint
          )
      ) as production_uses,
      case
        when (:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = each_document.id::bigint and s.production)) then (
          select coalesce(
            json_agg(
              json_build_array(k.product_id, k.item_id, k.amount::text) order by k.product_id, k.position
            ),
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
                where l.company_id = :company_id and l.sale_id = each_document.id::bigint
              )
            limit 10001
          ) k
        )
        end as composition,
      case
        when (:wants_production::boolean or exists (select from sales s where s.company_id = :company_id and s.id = each_document.id::bigint and s.production)) then (
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
                    where l.company_id = :company_id and l.sale_id = each_document.id::bigint
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
                  where p.company_id = :company_id and p.sale_id = each_document.id::bigint
                )
            ) w (id)
          ) w
          cross join lateral (
            select i.*
            from items i
            where i.company_id = :company_id and i.id = w.id
            offset 0
          ) i
          left join item_costs k on k.company_id = :company_id and k.item_id = i.id
        )
        end as parts,
      (
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
                  select s.date_placed
                  from sales s
                  where s.company_id = :company_id and s.id = each_document.id::bigint
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
        where p.company_id = :company_id
          and p.former_sale_id = each_document.id::bigint
          and p.status in (1, 3)
      ) as former_production
  ) f
) as sale_facts,
  (
    select coalesce(json_agg(f order by each_document.id), '[]'::json)
    from (select c.id from chosen c where c.section = 1) each_document
    cross join lateral (
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
              select unnest(:item_ids::bigint[])
              union all
              select w.item_id
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
              from purchase_lines l
              where l.company_id = :company_id and l.purchase_id = each_document.id::bigint
              union all
              select m.item_id
              from stock_movements m
              where m.company_id = :company_id
                and m.section = 'purchases'
                and m.document_id = each_document.id::bigint
            ) w (id)
          ) w
          cross join lateral (
            select i.*
            from items i
            where i.company_id = :company_id and i.id = w.id
            offset 0
          ) i
          left join item_costs k on k.company_id = :company_id and k.item_id = i.id
        ) as items,
        (
          select coalesce(json_agg(json_build_array(w.space, w.code, w.item_id)), '[]'::json)
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
              'date_received',
              d.date_received,
              'date_effective',
              d.date_effective,
              'products_storage_id',
              d.products_storage_id,
              'materials_storage_id',
              d.materials_storage_id,
              'supplier_id',
              d.supplier_id,
              'delivery_price',
              d.delivery_price::text,
              'discount',
              d.discount::text,
              'subtotal',
              d.subtotal::text,
              'total',
              d.total::text,
              'cost',
              d.cost::text,
              'adjustment',
              d.adjustment::text,
              'amount',
              d.amount::text,
              'lines',
              d.lines,
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
                        'total',
                        l.total::text,
                        'cost',
                        l.cost::text
                    ) order by l.position
                  ),
                    '[]'::json
                )
                from purchase_lines l
                join items i on i.company_id = :company_id and i.id = l.item_id
                where l.company_id = :company_id and l.purchase_id = d.id
              )
          )
          from purchases d
          where d.company_id = :company_id and d.id = each_document.id::bigint
        ) as document,
        (
          select coalesce(
            json_agg(
              json_build_array(
                p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued
              )
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
            where m.company_id = :company_id
              and m.section = 'purchases'
              and m.document_id = each_document.id::bigint
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
              and r.list = 'purchases'
              and r.listed = (
                select date '9999-12-31' - coalesce(
                  :day::date,
                    (
                      select d.date_placed
                      from purchases d
                      where d.company_id = :company_id and d.id = each_document.id::bigint
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
              json_build_array(h.receipt, h.date, h.item_id, h.amount::text) order by h.receipt, h.item_id
            ),
              '[]'::json
          )
          from purchase_receipts h
          where h.company_id = :company_id and h.purchase_id = each_document.id::bigint
        ) as receipts,
        (
          select coalesce(
            json_agg(
              json_build_array(
                w.position, w.kind, w.named_by, w.code, w.connection_id, w.amount::text, w.total::text
              ) order by w.position
            ),
              '[]'::json
          )
          from purchase_skipped_lines w
          where w.company_id = :company_id and w.purchase_id = each_document.id::bigint
        ) as skipped
    ) f
  ) as purchase_facts,
  (
    select coalesce(json_agg(t.number), '[]'::json)
    from company_clock k
    cross join lateral generate_series(
      k.last_production_number + 1, k.last_production_number + 1000
    ) as t (number)
    where k.company_id = :company_id
      and exists (
        select
        from productions p
        where p.company_id = :company_id and p.num = 'M-' || t.number
        offset 0
      )
  ) as taken_numbers,
  (
    select coalesce(
      json_agg(
        json_build_array(
          e.record,
            e.record_id,
            e.change,
            not exists (
              select
              from events n
              where n.company_id = :company_id
                and n.record = e.record
                and n.record_id = e.record_id
                and n.seq > e.seq
            )
        ) order by e.seq
      ),
        '[]'::json
    )
    from step e
    where e.record in ('sale', 'purchase')
  ) as document_events,
  (
    select json_build_object(
      'id',
        e.record_id,
        'kind',
        e.record,
        'change',
        e.change,
        'state',
        (
          select json_build_object(
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
          from items i
          where i.company_id = :company_id and i.id = e.record_id and i.deleted_at is null
        )
    )
    from step e
    where e.record in ('product', 'material')
  ) as item;
