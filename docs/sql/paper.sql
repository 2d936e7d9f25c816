-- paper.job_sheet
-- parameters: company_id, document_id
-- sent by: a document as PDF
select json_build_object(
  'company',
    json_build_object(
      'name',
        c.name,
        'legal_name',
        c.legal_name,
        'address',
        c.address,
        'country',
        c.country,
        'email',
        c.email,
        'phone',
        c.phone,
        'currency',
        c.currency,
        'paper_size',
        c.paper_size,
        'document_language',
        c.document_language
    ),
    'num',
    d.num,
    'date_placed',
    d.date_placed,
    'date_planned',
    d.date_planned,
    'notes',
    d.notes,
    'is_canceled',
    (d.status = 4),
    'order_num',
    o.num,
    'products_storage',
    ps.name,
    'materials_storage',
    ms.name,
    'lines',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'name', i.name, 'sku', i.sku, 'unit', n.name, 'amount', trim_scale(l.amount)::text
          ) order by l.position
        ),
          '[]'::json
      )
      from production_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where l.company_id = :company_id and l.production_id = d.id
    ),
    'uses',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'name', i.name, 'sku', i.sku, 'unit', n.name, 'kind', i.kind, 'amount', trim_scale(l.amount)::text
          ) order by l.position,
            i.id
        ),
          '[]'::json
      )
      from (
        select w.item_id, sum(w.amount) as amount, min(w.position) as position
        from production_uses w
        where w.company_id = :company_id and w.production_id = d.id
        group by w.item_id
      ) l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
    )
)::text as facts,
  c.logo,
  c.logo_type
from productions d
join companies c on c.company_id = :company_id
join storages ps on ps.company_id = :company_id and ps.id = d.products_storage_id
join storages ms on ms.company_id = :company_id and ms.id = d.materials_storage_id
left join sales o on o.company_id = :company_id and o.id = d.sale_id
where d.company_id = :company_id and d.id = :document_id;

-- paper.labels
-- parameters: company_id, ids, count
-- sent by: a document as PDF
select json_build_object(
  'company',
    json_build_object(
      'name',
        c.name,
        'legal_name',
        c.legal_name,
        'address',
        c.address,
        'country',
        c.country,
        'email',
        c.email,
        'phone',
        c.phone,
        'currency',
        c.currency,
        'paper_size',
        c.paper_size,
        'document_language',
        c.document_language
    ),
    'items',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'id',
              i.id,
              'name',
              i.name,
              'sku',
              i.sku,
              'barcode',
              (
                select o.code
                from item_codes o
                where o.company_id = :company_id and o.item_id = i.id and o.role = 'barcode'
                order by o.position, o.code
                limit 1
              )
          ) order by i.id
        ),
          '[]'::json
      )
      from items i
      where i.company_id = :company_id and i.id = any(:ids::bigint[]) and i.deleted_at is null
    )
)::text as facts,
  null::bytea as logo,
  null::text as logo_type
from companies c
where c.company_id = :company_id
  and :count::int = (
    select count(*)
    from items i
    where i.company_id = :company_id and i.id = any(:ids::bigint[]) and i.deleted_at is null
  );

-- paper.order_confirmation
-- parameters: company_id, document_id
-- sent by: a document as PDF
select json_build_object(
  'company',
    json_build_object(
      'name',
        c.name,
        'legal_name',
        c.legal_name,
        'address',
        c.address,
        'country',
        c.country,
        'email',
        c.email,
        'phone',
        c.phone,
        'currency',
        c.currency,
        'paper_size',
        c.paper_size,
        'document_language',
        c.document_language,
        'vat_number',
        c.vat_number,
        'registration',
        c.registration,
        'bank_name',
        c.bank_name,
        'bank_account',
        c.bank_account,
        'bank_code',
        c.bank_code
    ),
    'num',
    d.num,
    'date_placed',
    d.date_placed,
    'is_canceled',
    (d.status = 4),
    'subtotal',
    d.subtotal::text,
    'delivery_price',
    d.delivery_price::text,
    'discount',
    d.discount::text,
    'total',
    d.total::text,
    'customer',
    json_build_object('name', u.name, 'country', u.country, 'vat_number', u.vat_number),
    'tax',
    case
      when d.total = (
        d.tax ->> case when (d.tax -> 'included')::boolean then 'gross' else 'net' end
      )::numeric then d.tax
      end,
    'billing_address',
    coalesce(d.billing_address, u.address_legal),
    'delivery_address',
    coalesce(d.delivery_address, u.address_real),
    'lines',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'item_id',
              l.item_id,
              'name',
              i.name,
              'sku',
              i.sku,
              'unit',
              n.name,
              'amount',
              trim_scale(l.amount)::text,
              'price',
              round(l.total / l.amount, 2)::text,
              'total',
              l.total::text
          ) order by l.position
        ),
          '[]'::json
      )
      from sale_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where l.company_id = :company_id and l.sale_id = d.id
    )
)::text as facts,
  c.logo,
  c.logo_type
from sales d
join companies c on c.company_id = :company_id
join customers u on u.company_id = :company_id and u.id = d.customer_id
where d.company_id = :company_id and d.id = :document_id;

-- paper.packing_slip
-- parameters: company_id, document_id
-- sent by: a document as PDF
select json_build_object(
  'company',
    json_build_object(
      'name',
        c.name,
        'legal_name',
        c.legal_name,
        'address',
        c.address,
        'country',
        c.country,
        'email',
        c.email,
        'phone',
        c.phone,
        'currency',
        c.currency,
        'paper_size',
        c.paper_size,
        'document_language',
        c.document_language
    ),
    'num',
    d.num,
    'date_placed',
    d.date_placed,
    'is_canceled',
    (d.status = 4),
    'customer',
    json_build_object('name', u.name, 'country', u.country, 'phone', u.phone),
    'delivery_address',
    coalesce(d.delivery_address, u.address_real),
    'date_shipped',
    d.date_shipped,
    'shipment',
    null::int,
    'tracking_number',
    '',
    'carrier',
    '',
    'lines',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'name',
              i.name,
              'sku',
              i.sku,
              'unit',
              n.name,
              'amount',
              trim_scale(l.amount)::text,
              'barcode',
              (
                select o.code
                from item_codes o
                where o.company_id = :company_id and o.item_id = i.id and o.role = 'barcode'
                order by o.position, o.code
                limit 1
              )
          ) order by l.position
        ),
          '[]'::json
      )
      from sale_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where l.company_id = :company_id and l.sale_id = d.id
    )
)::text as facts,
  c.logo,
  c.logo_type
from sales d
join companies c on c.company_id = :company_id
join customers u on u.company_id = :company_id and u.id = d.customer_id
where d.company_id = :company_id and d.id = :document_id;

-- paper.packing_slip_of_shipment
-- parameters: company_id, shipment, document_id
-- sent by: a document as PDF
select json_build_object(
  'company',
    json_build_object(
      'name',
        c.name,
        'legal_name',
        c.legal_name,
        'address',
        c.address,
        'country',
        c.country,
        'email',
        c.email,
        'phone',
        c.phone,
        'currency',
        c.currency,
        'paper_size',
        c.paper_size,
        'document_language',
        c.document_language
    ),
    'num',
    d.num,
    'date_placed',
    d.date_placed,
    'is_canceled',
    (d.status = 4),
    'customer',
    json_build_object('name', u.name, 'country', u.country, 'phone', u.phone),
    'delivery_address',
    coalesce(d.delivery_address, u.address_real),
    'date_shipped',
    (
      select s.date
      from sale_shipments s
      where s.company_id = :company_id and s.sale_id = d.id and s.shipment = :shipment
      limit 1
    ),
    'shipment',
    :shipment::int,
    'tracking_number',
    (
      select s.tracking_number
      from sale_shipments s
      where s.company_id = :company_id and s.sale_id = d.id and s.shipment = :shipment
      limit 1
    ),
    'carrier',
    (
      select s.carrier
      from sale_shipments s
      where s.company_id = :company_id and s.sale_id = d.id and s.shipment = :shipment
      limit 1
    ),
    'lines',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'name',
              i.name,
              'sku',
              i.sku,
              'unit',
              n.name,
              'amount',
              trim_scale(s.amount)::text,
              'barcode',
              (
                select o.code
                from item_codes o
                where o.company_id = :company_id and o.item_id = i.id and o.role = 'barcode'
                order by o.position, o.code
                limit 1
              )
          ) order by i.name_key,
            i.id
        ),
          '[]'::json
      )
      from sale_shipments s
      join items i on i.company_id = :company_id and i.id = s.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where s.company_id = :company_id and s.sale_id = d.id and s.shipment = :shipment
    )
)::text as facts,
  c.logo,
  c.logo_type
from sales d
join companies c on c.company_id = :company_id
join customers u on u.company_id = :company_id and u.id = d.customer_id
where d.company_id = :company_id
  and d.id = :document_id
  and exists (
    select
    from sale_shipments s
    where s.company_id = :company_id and s.sale_id = d.id and s.shipment = :shipment
  );

-- paper.purchase_order
-- parameters: company_id, document_id
-- sent by: a document as PDF
select json_build_object(
  'company',
    json_build_object(
      'name',
        c.name,
        'legal_name',
        c.legal_name,
        'address',
        c.address,
        'country',
        c.country,
        'email',
        c.email,
        'phone',
        c.phone,
        'currency',
        c.currency,
        'paper_size',
        c.paper_size,
        'document_language',
        c.document_language,
        'vat_number',
        c.vat_number,
        'registration',
        c.registration,
        'bank_name',
        c.bank_name,
        'bank_account',
        c.bank_account,
        'bank_code',
        c.bank_code
    ),
    'num',
    d.num,
    'date_placed',
    d.date_placed,
    'is_canceled',
    (d.status = 4),
    'subtotal',
    d.subtotal::text,
    'delivery_price',
    d.delivery_price::text,
    'discount',
    d.discount::text,
    'total',
    d.total::text,
    'supplier',
    json_build_object(
      'name', u.name, 'country', u.country, 'address', coalesce(nullif(u.address_legal, ''), u.address_real)
    ),
    'storages',
    (
      select coalesce(
        json_agg(json_build_object('name', s.name, 'address', s.address) order by s.id), '[]'::json
      )
      from storages s
      where s.company_id = :company_id
        and s.id in (
          select case i.kind when 'product' then d.products_storage_id else d.materials_storage_id end
          from purchase_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.purchase_id = d.id
        )
    ),
    'lines',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'name',
              i.name,
              'sku',
              i.sku,
              'unit',
              n.name,
              'amount',
              trim_scale(l.amount)::text,
              'price',
              round(l.total / l.amount, 2)::text,
              'total',
              l.total::text,
              'supplier_sku',
              (
                select nullif(p.sku, '')
                from item_suppliers p
                where p.company_id = :company_id and p.item_id = i.id and p.supplier_id = d.supplier_id
                limit 1
              )
          ) order by l.position
        ),
          '[]'::json
      )
      from purchase_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where l.company_id = :company_id and l.purchase_id = d.id
    )
)::text as facts,
  c.logo,
  c.logo_type
from purchases d
join companies c on c.company_id = :company_id
join suppliers u on u.company_id = :company_id and u.id = d.supplier_id
where d.company_id = :company_id and d.id = :document_id;

-- paper.quote
-- parameters: company_id, document_id
-- sent by: a document as PDF
select json_build_object(
  'company',
    json_build_object(
      'name',
        c.name,
        'legal_name',
        c.legal_name,
        'address',
        c.address,
        'country',
        c.country,
        'email',
        c.email,
        'phone',
        c.phone,
        'currency',
        c.currency,
        'paper_size',
        c.paper_size,
        'document_language',
        c.document_language,
        'vat_number',
        c.vat_number,
        'registration',
        c.registration,
        'bank_name',
        c.bank_name,
        'bank_account',
        c.bank_account,
        'bank_code',
        c.bank_code
    ),
    'num',
    d.num,
    'date_placed',
    d.date_placed,
    'valid_until',
    d.valid_until,
    'notes',
    d.notes,
    'subtotal',
    d.subtotal::text,
    'delivery_price',
    d.delivery_price::text,
    'discount',
    d.discount::text,
    'total',
    d.total::text,
    'customer',
    json_build_object('name', u.name, 'country', u.country, 'vat_number', u.vat_number),
    'tax',
    d.tax,
    'billing_address',
    u.address_legal,
    'delivery_address',
    u.address_real,
    'lines',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'item_id',
              l.item_id,
              'name',
              i.name,
              'sku',
              i.sku,
              'unit',
              n.name,
              'amount',
              trim_scale(l.amount)::text,
              'price',
              round(l.total / l.amount, 2)::text,
              'total',
              l.total::text
          ) order by l.position
        ),
          '[]'::json
      )
      from quote_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where l.company_id = :company_id and l.quote_id = d.id
    )
)::text as facts,
  c.logo,
  c.logo_type,
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
          where d.company_id = :company_id and d.id = :document_id and d.status = 0
        )
    )
    from companies c
    where c.company_id = :company_id
  ) as draft
from quotes d
join companies c on c.company_id = :company_id
join customers u on u.company_id = :company_id and u.id = d.customer_id
where d.company_id = :company_id and d.id = :document_id;

-- paper.shared_quote
-- parameters: company_id, token_hash
-- sent by: a quote as PDF
select json_build_object(
  'company',
    json_build_object(
      'name',
        c.name,
        'legal_name',
        c.legal_name,
        'address',
        c.address,
        'country',
        c.country,
        'email',
        c.email,
        'phone',
        c.phone,
        'currency',
        c.currency,
        'paper_size',
        c.paper_size,
        'document_language',
        c.document_language,
        'vat_number',
        c.vat_number,
        'registration',
        c.registration,
        'bank_name',
        c.bank_name,
        'bank_account',
        c.bank_account,
        'bank_code',
        c.bank_code
    ),
    'num',
    d.num,
    'date_placed',
    d.date_placed,
    'valid_until',
    d.valid_until,
    'notes',
    d.notes,
    'subtotal',
    d.subtotal::text,
    'delivery_price',
    d.delivery_price::text,
    'discount',
    d.discount::text,
    'total',
    d.total::text,
    'customer',
    json_build_object('name', u.name, 'country', u.country, 'vat_number', u.vat_number),
    'tax',
    d.tax,
    'billing_address',
    u.address_legal,
    'delivery_address',
    u.address_real,
    'lines',
    (
      select coalesce(
        json_agg(
          json_build_object(
            'item_id',
              l.item_id,
              'name',
              i.name,
              'sku',
              i.sku,
              'unit',
              n.name,
              'amount',
              trim_scale(l.amount)::text,
              'price',
              round(l.total / l.amount, 2)::text,
              'total',
              l.total::text
          ) order by l.position
        ),
          '[]'::json
      )
      from quote_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      where l.company_id = :company_id and l.quote_id = d.id
    )
)::text as facts,
  c.logo,
  c.logo_type
from quotes d
join companies c on c.company_id = :company_id
join customers u on u.company_id = :company_id and u.id = d.customer_id
join quote_tokens t on t.company_id = :company_id and t.token_hash = :token_hash and t.quote_id = d.id
join quote_links q on q.company_id = :company_id
  and q.quote_id = t.quote_id
  and q.number = t.number
  and q.revoked_at is null
where d.company_id = :company_id
  and d.status <> 0
  and (d.status <> 1 or d.valid_until >= (now() at time zone c.timezone)::date);
