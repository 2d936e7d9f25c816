-- items.card
-- parameters: company_id, item_id
-- sent by: items/get_card
with recursive today as materialized (
  select (now() at time zone c.timezone)::date as today
  from companies c
  where c.company_id = :company_id
),
  made (id) as (
    select :item_id::bigint
    union
    select c.item_id
    from made m
    join components c on c.company_id = :company_id and c.product_id = m.id
  ),
  edges as materialized (
    select c.product_id, c.item_id, c.amount, c.position
    from components c
    where c.company_id = :company_id and c.product_id in (select m.id from made m)
    limit 10000
  )
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"storage_id":',
          t.id,
          ',"storage_name":',
          to_json(t.name),
          ',"amount":',
          trim_scale(v.on_hand),
          ',"reserved":',
          trim_scale(v.reserved),
          ',"available":',
          trim_scale((v.on_hand - v.reserved)),
          ',"in_transit":',
          trim_scale(v.in_transit),
          ',"total_cost":',
          trim_scale(round(v.value, 2)),
          '}'
      ),
        ',' order by t.name collate "C",
        t.id
    )
      || ']'
    from (
      select x.storage_id,
        sum(x.on_hand) as on_hand,
        sum(x.reserved) as reserved,
        sum(x.in_transit) as in_transit,
        sum(x.value) as value
      from (
        select l.storage_id,
          l.on_hand,
          l.reserved,
          0 as in_transit,
          l.on_hand * coalesce(k.average, 0) as value
        from stock_levels l
        left join item_costs k on k.company_id = :company_id and k.item_id = l.item_id
        where l.company_id = :company_id and l.item_id = i.id
        union all
        select q.storage_id, 0, 0, q.amount, q.value
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
        where q.item_id = i.id
      ) x
      group by x.storage_id
    ) v
    join storages t on t.company_id = :company_id and t.id = v.storage_id
    where t.deleted_at is null or v.on_hand <> 0 or v.reserved <> 0 or v.in_transit <> 0
  ),
    '[]'
) as levels,
  coalesce(
    (
      select '[' || string_agg(
        concat('{"date":', to_json(s.day), ',"amount":', trim_scale(s.amount), '}'), ',' order by s.day
      )
        || ']'
      from (
        select w.day,
          coalesce(
            (
              select sum(m.on_hand)
              from stock_movements m
              where m.company_id = :company_id
                and m.item_id = i.id
                and m.date <= (select t.today from today t) - 90
            ),
              0
          ) + sum(coalesce(c.change, 0)) over (order by w.day) as amount
        from (select t.today - g.back as day from today t cross join generate_series(0, 89) g (back)) w
        left join (
          select m.date, sum(m.on_hand) as change
          from stock_movements m
          where m.company_id = :company_id
            and m.item_id = i.id
            and m.date > (select t.today from today t) - 90
          group by m.date
        ) c on c.date = w.day
      ) s
    ),
      '[]'
  ) as series,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"week":',
            to_json(w.week),
            ',"amount":',
            trim_scale(coalesce(o.amount, 0)),
            ',"total":',
            trim_scale(coalesce(o.total, 0)),
            '}'
        ),
          ',' order by w.week
      )
        || ']'
      from (
        select t.today - (extract(isodow from t.today)::int - 1) - 7 * g.back as week
        from today t
        cross join generate_series(0, 25) g (back)
      ) w
      left join (
        select d.date_placed - (extract(isodow from d.date_placed)::int - 1) as week,
          sum(l.amount) as amount,
          sum(l.total) as total
        from sales d
        join sale_lines l on l.company_id = :company_id and l.sale_id = d.id and l.item_id = i.id
        where d.company_id = :company_id
          and d.status <> 4
          and d.listed <= date '9999-12-31' - (select t.today - 182 from today t)
        group by 1
      ) o on o.week = w.week
    ),
      '[]'
  ) as weeks,
  coalesce(
    (
      select '[' || string_agg(
        concat('{"id":', x.id, ',"name":', to_json(x.name), ',"amount":', trim_scale(x.amount), '}'),
          ',' order by x.name_key,
          x.id
      )
        || ']'
      from (
        select p.id, p.name, p.name_key, sum(c.amount) as amount
        from components c
        join items p on p.company_id = :company_id and p.id = c.product_id and p.deleted_at is null
        where c.company_id = :company_id and c.item_id = i.id
        group by p.id, p.name, p.name_key
      ) x
    ),
      '[]'
  ) as used_in,
  (
    select coalesce(
      json_agg(json_build_array(e.product_id, e.item_id, e.amount::text) order by e.product_id, e.position),
        '[]'::json
    )
    from edges e
  ) as edges,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            x.id,
            'kind',
            x.kind,
            'sku',
            x.sku,
            'name',
            x.name,
            'unit',
            n.name,
            'cost',
            (
              case when x.kind = 'resource' then x.price when coalesce(k.average, 0) > 0
                or x.kind = 'product' then coalesce(k.average, 0) else x.price end
            )::text
        )
      ),
        '[]'::json
    )
    from items x
    join units n on n.company_id = :company_id and n.id = x.unit_id
    left join item_costs k on k.company_id = :company_id and k.item_id = x.id
    where x.company_id = :company_id and (x.id = :item_id or x.id in (select e.item_id from edges e))
  ) as items
from items i
where i.company_id = :company_id and i.id = :item_id and i.deleted_at is null;

-- items.delete
-- parameters: company_id, at, item_id
-- sent by: example_data/delete, materials/delete, products/delete, resources/delete
update items
set deleted_at = :at, updated_at = :at
where company_id = :company_id and id = :item_id;

-- items.delete_categories
-- parameters: company_id, item_id
-- sent by: example_data/delete, materials/delete, materials/edit, products/delete, products/edit, resources/delete, resources/edit, the runner of imports
delete from item_categories
where company_id = :company_id and item_id = :item_id;

-- items.delete_codes
-- parameters: company_id, item_id
-- sent by: example_data/delete, materials/delete, materials/edit, products/delete, products/edit, resources/delete, skipped_lines/assign, skipped_lines/undo, the runner of imports
delete from item_codes
where company_id = :company_id and item_id = :item_id;

-- items.delete_components
-- parameters: company_id, item_id
-- sent by: products/edit, the runner of imports
delete from components
where company_id = :company_id and product_id = :item_id;

-- items.delete_suppliers
-- parameters: company_id, item_id
-- sent by: materials/edit, products/edit, the runner of imports
delete from item_suppliers
where company_id = :company_id and item_id = :item_id;

-- items.facts
-- parameters: company_id, component_ids, component_spaces, component_codes, item_id, kind, unit_id, category_ids, supplier_ids, spaces, codes
-- sent by: example_data/add, example_data/delete, materials/add, materials/delete, materials/edit, products/add, products/delete, products/edit, resources/add, resources/delete, resources/edit, skipped_lines/assign, the runner of imports
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
  )
select (
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
            json_build_object('item_id', c.item_id, 'amount', trim_scale(c.amount)::text) order by c.position
          ),
            '[]'::json
        )
        from components c
        where c.company_id = :company_id and c.product_id = i.id
      )
  )
  from items i
  where i.company_id = :company_id and i.id = :item_id::bigint and i.kind = :kind and i.deleted_at is null
) as record,
  (select min(u.id) from units u where u.company_id = :company_id) as first_unit,
  (
    select coalesce(json_agg(u.id), '[]'::json)
    from units u
    where u.company_id = :company_id and u.id = :unit_id::bigint
  ) as units,
  (
    select coalesce(json_agg(c.id), '[]'::json)
    from categories c
    where c.company_id = :company_id and c.id = any(:category_ids::bigint[]) and c.type = :kind || 's'
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
    select coalesce(json_agg(json_build_array(c.space, c.code, c.item_id)), '[]'::json)
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
  (select coalesce(json_agg(b.id), '[]'::json) from below b) as below,
  exists (
    select
    from stock_levels l
    where l.company_id = :company_id and l.item_id = :item_id::bigint and (l.on_hand <> 0 or l.reserved <> 0)
  )
    or exists (
      select
      from transfers d
      join transfer_lines l on l.company_id = :company_id and l.transfer_id = d.id
      where d.company_id = :company_id and d.status = 1 and l.item_id = :item_id::bigint
    ) as has_stock,
  exists (
    select
    from components c
    join items p on p.company_id = :company_id and p.id = c.product_id
    where c.company_id = :company_id and c.item_id = :item_id::bigint and p.deleted_at is null
  ) as is_component;

-- items.insert
-- parameters: company_id, item_id, name, name_key, sku, codes, search_key, unit_id, price, tax_rate_id, min_amount, notes, at, kind
-- sent by: example_data/add, kontor company create, materials/add, materials/upsert, products/add, products/upsert, resources/add, the runner of imports
insert into items (
  company_id,
    id,
    name,
    name_key,
    sku,
    codes,
    search_key,
    unit_id,
    price,
    tax_rate_id,
    min_amount,
    notes,
    updated_at,
    created_at,
    kind
)
values (
  :company_id,
    :item_id,
    :name,
    :name_key,
    :sku,
    :codes,
    :search_key,
    :unit_id,
    :price,
    :tax_rate_id,
    :min_amount,
    :notes,
    :at,
    :at,
    :kind
);

-- items.insert_categories
-- parameters: company_id, item_id, category_id
-- sent by: materials/add, materials/edit, products/add, products/edit, resources/add, resources/edit, the runner of imports
insert into item_categories (company_id, item_id, category_id)
select c.company_id, :item_id, x.category_id
from company_clock c
cross join unnest(:category_id::bigint[]) as x (category_id)
where c.company_id = :company_id;

-- items.insert_categories.rows_8
-- a variant of items.insert_categories; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into item_categories (company_id, item_id, category_id)
values (:company_id, :item_id, :category_id_1),
  (:company_id, :item_id, :category_id_2),
  (:company_id, :item_id, :category_id_3),
  (:company_id, :item_id, :category_id_4),
  (:company_id, :item_id, :category_id_5),
  (:company_id, :item_id, :category_id_6),
  (:company_id, :item_id, :category_id_7),
  (:company_id, :item_id, :category_id_8);

-- items.insert_codes
-- parameters: company_id, item_id, space, code, role, code_key
-- sent by: example_data/add, kontor company create, materials/add, materials/edit, products/add, products/edit, skipped_lines/assign, skipped_lines/undo, the runner of imports
insert into item_codes (company_id, item_id, position, space, code, role, code_key)
select c.company_id, :item_id, x.place - 1, x.space, x.code, x.role, x.code_key
from company_clock c
cross join unnest(
  :space::text[], :code::text[], :role::text[], :code_key::text[]
) with ordinality as x (space, code, role, code_key, place)
where c.company_id = :company_id;

-- items.insert_codes.rows_8
-- a variant of items.insert_codes; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into item_codes (company_id, item_id, position, space, code, role, code_key)
values (:company_id, :item_id, 0, :space_1, :code_1, :role_1, :code_key_1),
  (:company_id, :item_id, 1, :space_2, :code_2, :role_2, :code_key_2),
  (:company_id, :item_id, 2, :space_3, :code_3, :role_3, :code_key_3),
  (:company_id, :item_id, 3, :space_4, :code_4, :role_4, :code_key_4),
  (:company_id, :item_id, 4, :space_5, :code_5, :role_5, :code_key_5),
  (:company_id, :item_id, 5, :space_6, :code_6, :role_6, :code_key_6),
  (:company_id, :item_id, 6, :space_7, :code_7, :role_7, :code_key_7),
  (:company_id, :item_id, 7, :space_8, :code_8, :role_8, :code_key_8);

-- items.insert_components
-- parameters: company_id, product_id, item_id, amount
-- sent by: example_data/add, products/add, products/edit, the runner of imports
insert into components (company_id, product_id, position, item_id, amount)
select c.company_id, :product_id, x.place - 1, x.item_id, x.amount
from company_clock c
cross join unnest(:item_id::bigint[], :amount::numeric[]) with ordinality as x (item_id, amount, place)
where c.company_id = :company_id;

-- items.insert_components.rows_8
-- a variant of items.insert_components; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into components (company_id, product_id, position, item_id, amount)
values (:company_id, :product_id, 0, :item_id_1, :amount_1),
  (:company_id, :product_id, 1, :item_id_2, :amount_2),
  (:company_id, :product_id, 2, :item_id_3, :amount_3),
  (:company_id, :product_id, 3, :item_id_4, :amount_4),
  (:company_id, :product_id, 4, :item_id_5, :amount_5),
  (:company_id, :product_id, 5, :item_id_6, :amount_6),
  (:company_id, :product_id, 6, :item_id_7, :amount_7),
  (:company_id, :product_id, 7, :item_id_8, :amount_8);

-- items.insert_suppliers
-- parameters: company_id, item_id, supplier_id, sku, price
-- sent by: example_data/add, materials/add, materials/edit, products/add, products/edit, the runner of imports
insert into item_suppliers (company_id, item_id, position, supplier_id, sku, price)
select c.company_id, :item_id, x.place - 1, x.supplier_id, x.sku, x.price
from company_clock c
cross join unnest(
  :supplier_id::bigint[], :sku::text[], :price::numeric[]
) with ordinality as x (supplier_id, sku, price, place)
where c.company_id = :company_id;

-- items.insert_suppliers.rows_8
-- a variant of items.insert_suppliers; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into item_suppliers (company_id, item_id, position, supplier_id, sku, price)
values (:company_id, :item_id, 0, :supplier_id_1, :sku_1, :price_1),
  (:company_id, :item_id, 1, :supplier_id_2, :sku_2, :price_2),
  (:company_id, :item_id, 2, :supplier_id_3, :sku_3, :price_3),
  (:company_id, :item_id, 3, :supplier_id_4, :sku_4, :price_4),
  (:company_id, :item_id, 4, :supplier_id_5, :sku_5, :price_5),
  (:company_id, :item_id, 5, :supplier_id_6, :sku_6, :price_6),
  (:company_id, :item_id, 6, :supplier_id_7, :sku_7, :price_7),
  (:company_id, :item_id, 7, :supplier_id_8, :sku_8, :price_8);

-- items.reorder
-- parameters: company_id, ids
-- sent by: items/reorder
with wanted as materialized (
  select i.id,
    i.kind,
    i.name,
    i.name_key,
    i.sku,
    i.unit_id,
    i.price,
    i.min_amount,
    coalesce(v.on_hand, 0) as on_hand,
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
    and i.kind <> 'resource'
    and case when :ids::bigint[] is null then i.min_amount > 0
    and coalesce(v.on_hand, 0) < i.min_amount else i.id = any(:ids) end
  order by i.name_key, i.id
  limit 500
),
  expected as materialized (
    select x.item_id, sum(x.amount) as amount
    from (
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
          and l.item_id in (select w.id from wanted w)
        union all
        select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end,
          r.item_id,
          -r.amount
        from purchases d
        join purchase_receipts r on r.company_id = :company_id and r.purchase_id = d.id
        join items i on i.company_id = :company_id and i.id = r.item_id
        where d.company_id = :company_id and d.status = 2 and r.item_id in (select w.id from wanted w)
        union all
        select d.products_storage_id, l.item_id, l.amount
        from productions d
        join production_lines l on l.company_id = :company_id and l.production_id = d.id
        where d.company_id = :company_id and d.status in (0, 1) and l.item_id in (select w.id from wanted w)
        union all
        select d.storage_to_id, l.item_id, l.amount
        from transfers d
        join transfer_lines l on l.company_id = :company_id and l.transfer_id = d.id
        where d.company_id = :company_id and d.status = 1 and l.item_id in (select w.id from wanted w)
      ) e
      group by e.storage_id, e.item_id
    ) x
    group by x.item_id
  )
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"type":',
          to_json(w.kind),
          ',"id":',
          w.id,
          ',"sku":',
          to_json(w.sku),
          ',"name":',
          to_json(w.name),
          ',"unit":',
          to_json(n.name),
          ',"on_hand":',
          trim_scale(w.on_hand),
          ',"available":',
          trim_scale(w.available),
          ',"expected":',
          trim_scale(coalesce(x.amount, 0)),
          ',"min_amount":',
          trim_scale(w.min_amount),
          ',"short":',
          trim_scale(greatest(w.min_amount - w.available - coalesce(x.amount, 0), 0)),
          ',"price":',
          trim_scale(
            (
              case
                when coalesce(p.price, 0) > 0 then p.price
                when coalesce(k.average, 0) > 0 then round(k.average, 2)
                when w.kind = 'material' then w.price
                else 0
                end
            )
          ),
          ',"is_made":',
          (exists (select from components c where c.company_id = :company_id and c.product_id = w.id))::text,
          ',"supplier_id":',
          coalesce(p.id::text, 'null'),
          ',"supplier_name":',
          coalesce(to_json(p.name)::text, 'null'),
          '}'
      ),
        ',' order by w.name_key,
        w.id
    )
      || ']'
    from wanted w
    join units n on n.company_id = :company_id and n.id = w.unit_id
    left join item_costs k on k.company_id = :company_id and k.item_id = w.id
    left join expected x on x.item_id = w.id
    left join lateral (
      select u.id, u.name, s.price
      from item_suppliers s
      join suppliers u on u.company_id = :company_id and u.id = s.supplier_id and u.deleted_at is null
      where s.company_id = :company_id and s.item_id = w.id
      order by s.position
      limit 1
    ) p on true
  ),
    '[]'
) as items;

-- items.search
-- parameters: company_id, pattern, typed, kinds, limit, storage_id
-- sent by: items/search
select coalesce(
  string_agg(
    concat(
      '{"id":',
        i.id,
        ',"kind":',
        to_json(i.kind),
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
        ',"matched":',
        coalesce(
          to_json(
            (
              case when :pattern::text is null
                or replace(replace(replace(lower(i.sku), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') = :typed
                or not (
                  strpos(coalesce(i.search_key, i.found_by) || e'\x1f', e'\x1f' || :typed || e'\x1f') > 0
                )
                and (
                  split_part(coalesce(i.search_key, i.found_by), e'\x1f', 1) like :pattern
                    or replace(replace(replace(lower(i.sku), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :pattern
                ) then null
                  else (
                    select c.code
                    from item_codes c
                    where c.company_id = :company_id
                      and c.item_id = i.id
                      and c.role <> 'sku'
                      and coalesce(
                        c.code_key, replace(replace(replace(lower(c.code), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                      ) like :pattern
                    order by coalesce(
                      c.code_key, replace(replace(replace(lower(c.code), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                    ) <> :typed,
                      c.role,
                      c.position
                    limit 1
                  )
                  end
            )
          )::text,
            'null'
        ),
        ',"unit":',
        to_json(n.name),
        ',"price":',
        trim_scale(i.price),
        ',"cost":',
        trim_scale(case when i.kind = 'resource' then i.price else coalesce(k.average, 0) end),
        ',"on_hand":',
        coalesce(case when i.kind <> 'resource' then trim_scale(v.on_hand)::text end, 'null'),
        ',"reserved":',
        coalesce(case when i.kind <> 'resource' then trim_scale(v.reserved)::text end, 'null'),
        ',"available":',
        coalesce(case when i.kind <> 'resource' then trim_scale((v.on_hand - v.reserved))::text end, 'null'),
        '}'
    ),
      ',' order by p.place
  ),
    ''
) as rows
from unnest(
  array(
    select i.id
    from items i
    where i.company_id = :company_id
      and i.deleted_at is null
      and i.kind = any(:kinds::text[])
      and (:pattern::text is null or coalesce(i.search_key, i.found_by) like :pattern)
    order by case
      when strpos(coalesce(i.search_key, i.found_by) || e'\x1f', e'\x1f' || :typed || e'\x1f') > 0 then 0
      when starts_with(coalesce(i.search_key, i.found_by), :typed) then 1
      else 2
      end,
      i.name_key,
      i.id
    limit :limit
  )
) with ordinality as p (id, place)
join items i on i.company_id = :company_id and i.id = p.id
join units n on n.company_id = :company_id and n.id = i.unit_id
left join item_costs k on k.company_id = :company_id and k.item_id = i.id
cross join lateral (
  select coalesce(sum(l.on_hand), 0) as on_hand, coalesce(sum(l.reserved), 0) as reserved
  from stock_levels l
  where l.company_id = :company_id
    and l.item_id = i.id
    and (:storage_id::bigint is null or l.storage_id = :storage_id)
) v;

-- items.update
-- parameters: company_id, name, name_key, sku, codes, search_key, unit_id, price, tax_rate_id, min_amount, notes, at, item_id
-- sent by: materials/edit, materials/upsert, products/edit, products/upsert, resources/edit, skipped_lines/assign, skipped_lines/undo, the runner of imports
update items
set name = :name,
  name_key = :name_key,
  sku = :sku,
  codes = :codes,
  search_key = :search_key,
  unit_id = :unit_id,
  price = :price,
  tax_rate_id = :tax_rate_id,
  min_amount = :min_amount,
  notes = :notes,
  updated_at = :at,
  unit_changed = unit_changed or unit_id <> :unit_id
where company_id = :company_id and id = :item_id;
