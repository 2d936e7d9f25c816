-- suppliers.browse.by_documents_asc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
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
            ',"name":',
            to_json(d.name),
            ',"email":',
            to_json(d.email),
            ',"phone":',
            to_json(d.phone),
            ',"manager_name":',
            to_json(d.manager_name),
            ',"documents":',
            coalesce(v.documents, 0)::text,
            ',"total":',
            trim_scale(coalesce(v.total, 0)),
            ',"last_date":',
            coalesce(to_json(v.last_date)::text, 'null'),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from suppliers d
            left join (
              select o.supplier_id as id,
                count(*) as documents,
                sum(o.total) as total,
                max(o.date_placed) as last_date
              from purchases o
              where o.company_id = :company_id and o.status <> 4
              group by o.supplier_id
            ) v on v.id = d.id
            where d.company_id = :company_id
              and d.deleted_at is null
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or coalesce(
                      d.folded_name, replace(replace(replace(lower(d.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                    ) like :search
                    or replace(
                      replace(
                        replace(
                          lower(
                            case when octet_length(d.email) <= 2000 then d.email else left(d.email, 2000) end
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
                    or replace(
                      replace(
                        replace(
                          lower(
                            case when octet_length(d.phone) <= 2000 then d.phone else left(d.phone, 2000) end
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
              and (:ids::bigint[] is null or d.id = any(:ids)) then true else false end
              and true
            order by coalesce(v.documents, 0), d.name_key, d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join (
          suppliers d left join (
            select o.supplier_id as id,
              count(*) as documents,
              sum(o.total) as total,
              max(o.date_placed) as last_date
            from purchases o
            where o.company_id = :company_id and o.status <> 4
            group by o.supplier_id
          ) v on v.id = d.id
        ) on d.id = page.key_0
        where d.company_id = :company_id and d.deleted_at is null
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
    concat('{"all":', coalesce(sum(each_group.entries) filter (where true), 0)::text, '}') as counts
  from (
    select each_group.*, each_group.is_shown as is_summed
    from (
      select each_group.*, true as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select 0 as met, v.total as term_0
          from suppliers d
          left join (
            select o.supplier_id as id,
              count(*) as documents,
              sum(o.total) as total,
              max(o.date_placed) as last_date
            from purchases o
            where o.company_id = :company_id and o.status <> 4
            group by o.supplier_id
          ) v on v.id = d.id
          where d.company_id = :company_id
            and d.deleted_at is null
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or coalesce(
                    d.folded_name, replace(replace(replace(lower(d.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
                  ) like :search
                  or replace(
                    replace(
                      replace(
                        lower(
                          case when octet_length(d.email) <= 2000 then d.email else left(d.email, 2000) end
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
                  or replace(
                    replace(
                      replace(
                        lower(
                          case when octet_length(d.phone) <= 2000 then d.phone else left(d.phone, 2000) end
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
            and (:ids::bigint[] is null or d.id = any(:ids)) then true else false end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- suppliers.browse.by_documents_desc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by coalesce(v.documents, 0) desc, d.name_key, d.id

-- suppliers.browse.by_email_asc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by d.email collate "C", d.name_key, d.id

-- suppliers.browse.by_email_desc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by d.email collate "C" desc, d.name_key, d.id

-- suppliers.browse.by_last_date_asc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by v.last_date nulls last, d.name_key, d.id

-- suppliers.browse.by_last_date_desc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by v.last_date desc nulls last, d.name_key, d.id

-- suppliers.browse.by_manager_name_asc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by d.manager_name collate "C", d.name_key, d.id

-- suppliers.browse.by_manager_name_desc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by d.manager_name collate "C" desc, d.name_key, d.id

-- suppliers.browse.by_name_asc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by d.name_key, d.name_key, d.id

-- suppliers.browse.by_name_desc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by d.name_key desc, d.name_key, d.id

-- suppliers.browse.by_phone_asc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by d.phone collate "C", d.name_key, d.id

-- suppliers.browse.by_phone_desc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by d.phone collate "C" desc, d.name_key, d.id

-- suppliers.browse.by_total_asc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by coalesce(v.total, 0), d.name_key, d.id

-- suppliers.browse.by_total_desc
-- parameters: company_id, is_unfiltered, search, ids, limit, offset
-- sent by: suppliers/browse
-- as suppliers.browse.by_documents_asc, but order by coalesce(v.total, 0) desc, d.name_key, d.id

-- suppliers.delete
-- parameters: company_id, at, id
-- sent by: example_data/delete, suppliers/delete
update suppliers
set deleted_at = :at, updated_at = :at
where company_id = :company_id and id = :id;

-- suppliers.facts
-- parameters: company_id, id, folded_name, name, connection_id
-- sent by: example_data/add, example_data/delete, suppliers/add, suppliers/delete, suppliers/edit, the runner of imports
select (
  select json_build_object(
    'name',
      r.name,
      'email',
      r.email,
      'phone',
      r.phone,
      'address_real',
      r.address_real,
      'address_legal',
      r.address_legal,
      'agreement',
      r.agreement,
      'manager_name',
      r.manager_name,
      'manager_post',
      r.manager_post,
      'notes',
      r.notes,
      'country',
      r.country,
      'vat_number',
      r.vat_number,
      'payment_days',
      r.payment_days
  )
  from suppliers r
  where r.company_id = :company_id and r.id = :id::bigint and r.deleted_at is null
) as record,
  exists (
    select
    from suppliers r
    where r.company_id = :company_id
      and r.deleted_at is null
      and r.id is distinct from :id::bigint
      and r.folded_name = (
        select coalesce(
          :folded_name::text,
            (
              select coalesce(
                o.folded_name, replace(replace(replace(lower(o.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
              )
              from suppliers o
              where o.company_id = :company_id and o.id = :id::bigint
            )
        )
      )
  )
    or exists (
      select
      from suppliers r
      where r.company_id = :company_id
        and r.deleted_at is null
        and r.id is distinct from :id::bigint
        and r.name = (
          select coalesce(
            :name::text,
              (select o.name from suppliers o where o.company_id = :company_id and o.id = :id::bigint)
          )
        )
    ) as name_is_taken,
  exists (
    select
    from suppliers r
    where r.company_id = :company_id
      and r.deleted_at is null
      and r.id is distinct from :id::bigint
      and r.name = :name::text
  ) as exact_name_is_taken,
  exists (
    select
    from suppliers r
    where r.company_id = :company_id
      and r.deleted_at is null
      and r.id is distinct from :id::bigint
      and r.folded_name = (
        select coalesce(
          :folded_name::text,
            (
              select coalesce(
                o.folded_name, replace(replace(replace(lower(o.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
              )
              from suppliers o
              where o.company_id = :company_id and o.id = :id::bigint
            )
        )
      )
      and (
        select x.external_id
        from external_ids x
        where x.company_id = :company_id
          and x.record = 'supplier'
          and x.record_id = r.id
          and x.connection_id = :connection_id::bigint
      ) is null
  )
    or exists (
      select
      from suppliers r
      where r.company_id = :company_id
        and r.deleted_at is null
        and r.id is distinct from :id::bigint
        and r.name = (
          select coalesce(
            :name::text,
              (select o.name from suppliers o where o.company_id = :company_id and o.id = :id::bigint)
          )
        )
        and (
          select x.external_id
          from external_ids x
          where x.company_id = :company_id
            and x.record = 'supplier'
            and x.record_id = r.id
            and x.connection_id = :connection_id::bigint
        ) is null
    ) as is_without_external_id,
  (
    select x.external_id
    from external_ids x
    where x.company_id = :company_id
      and x.record = 'supplier'
      and x.record_id = :id::bigint
      and x.connection_id = :connection_id::bigint
  ) as own_external_id;

-- suppliers.find
-- parameters: company_id, id
-- sent by: suppliers/get_entry
select concat(
  '{"id":',
    r.id,
    ',"name":',
    to_json(r.name),
    ',"email":',
    to_json(r.email),
    ',"phone":',
    to_json(r.phone),
    ',"address_real":',
    to_json(r.address_real),
    ',"address_legal":',
    to_json(r.address_legal),
    ',"agreement":',
    to_json(r.agreement),
    ',"manager_name":',
    to_json(r.manager_name),
    ',"manager_post":',
    to_json(r.manager_post),
    ',"notes":',
    to_json(r.notes),
    ',"country":',
    to_json(r.country),
    ',"vat_number":',
    to_json(r.vat_number),
    ',"payment_days":',
    coalesce(r.payment_days::text, 'null'),
    ',"created_at":',
    to_char(r.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    ',"updated_at":',
    to_char(r.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    '}'
) as record
from suppliers r
where r.company_id = :company_id and r.deleted_at is null and r.id = :id;

-- suppliers.find_by_external_id
-- parameters: company_id, connection_id, external_id
-- sent by: suppliers/get_entry
select concat(
  '{"id":',
    r.id,
    ',"name":',
    to_json(r.name),
    ',"email":',
    to_json(r.email),
    ',"phone":',
    to_json(r.phone),
    ',"address_real":',
    to_json(r.address_real),
    ',"address_legal":',
    to_json(r.address_legal),
    ',"agreement":',
    to_json(r.agreement),
    ',"manager_name":',
    to_json(r.manager_name),
    ',"manager_post":',
    to_json(r.manager_post),
    ',"notes":',
    to_json(r.notes),
    ',"country":',
    to_json(r.country),
    ',"vat_number":',
    to_json(r.vat_number),
    ',"payment_days":',
    coalesce(r.payment_days::text, 'null'),
    ',"created_at":',
    to_char(r.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    ',"updated_at":',
    to_char(r.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    '}'
) as record
from suppliers r
where r.company_id = :company_id
  and r.deleted_at is null
  and r.id = (
    select x.record_id
    from external_ids x
    where x.company_id = :company_id
      and x.connection_id = :connection_id::bigint
      and x.record = 'supplier'
      and x.external_id = :external_id
  );

-- suppliers.insert
-- parameters: company_id, id, at, name, name_key, folded_name, email, phone, address_real, address_legal, agreement, manager_name, manager_post, notes, country, vat_number, payment_days
-- sent by: example_data/add, purchases/add, purchases/edit, suppliers/add, suppliers/upsert, the runner of imports
insert into suppliers (
  company_id,
    id,
    updated_at,
    created_at,
    name,
    name_key,
    folded_name,
    email,
    phone,
    address_real,
    address_legal,
    agreement,
    manager_name,
    manager_post,
    notes,
    country,
    vat_number,
    payment_days
)
values (
  :company_id,
    :id,
    :at,
    :at,
    :name,
    :name_key,
    :folded_name,
    :email,
    :phone,
    :address_real,
    :address_legal,
    :agreement,
    :manager_name,
    :manager_post,
    :notes,
    :country,
    :vat_number,
    :payment_days
);

-- suppliers.list
-- parameters: company_id, search, ids, external_ids, connection_id, updated_after, limit, offset, with_meta
-- sent by: suppliers/get_list
with matching as materialized (
  select r.id, r.name_key as key0, r.id as key1
  from suppliers r
  where r.company_id = :company_id
    and r.deleted_at is null
    and (
      :search::text is null
        or coalesce(
          r.folded_name, replace(replace(replace(lower(r.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
        ) like :search
        or replace(
          replace(
            replace(
              lower(case when octet_length(r.email) <= 2000 then r.email else left(r.email, 2000) end),
                'ß',
                'ss'
            ),
              'ς',
              'σ'
          ),
            'i̇',
            'i'
        ) like :search
        or replace(
          replace(
            replace(
              lower(case when octet_length(r.phone) <= 2000 then r.phone else left(r.phone, 2000) end),
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
    and (:ids::bigint[] is null or r.id = any(:ids::bigint[]))
    and (
      :external_ids::text[] is null
        or r.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'supplier'
            and x.external_id = any(:external_ids::text[])
        )
    )
    and (:updated_after::timestamptz is null or r.updated_at > :updated_after::timestamptz)
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
                r.id,
                ',"name":',
                to_json(r.name),
                ',"email":',
                to_json(r.email),
                ',"phone":',
                to_json(r.phone),
                ',"address_real":',
                to_json(r.address_real),
                ',"address_legal":',
                to_json(r.address_legal),
                ',"agreement":',
                to_json(r.agreement),
                ',"manager_name":',
                to_json(r.manager_name),
                ',"manager_post":',
                to_json(r.manager_post),
                ',"notes":',
                to_json(r.notes),
                ',"country":',
                to_json(r.country),
                ',"vat_number":',
                to_json(r.vat_number),
                ',"payment_days":',
                coalesce(r.payment_days::text, 'null'),
                ',"created_at":',
                to_char(r.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(r.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
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
                              and x.record = 'supplier'
                              and x.record_id = r.id
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
                          where v.company_id = :company_id and v.record = 'supplier' and v.record_id = r.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from page p
        join suppliers r on r.company_id = :company_id and r.id = p.id
        order by p.key0, p.key1
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- suppliers.list_by_external_ids
-- parameters: company_id, search, ids, connection_id, external_ids, updated_after, limit, offset, with_meta
-- sent by: suppliers/get_list
with matching as materialized (
  select r.id, r.name_key as key0, r.id as key1
  from suppliers r
  where r.company_id = :company_id
    and r.deleted_at is null
    and (
      :search::text is null
        or coalesce(
          r.folded_name, replace(replace(replace(lower(r.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
        ) like :search
        or replace(
          replace(
            replace(
              lower(case when octet_length(r.email) <= 2000 then r.email else left(r.email, 2000) end),
                'ß',
                'ss'
            ),
              'ς',
              'σ'
          ),
            'i̇',
            'i'
        ) like :search
        or replace(
          replace(
            replace(
              lower(case when octet_length(r.phone) <= 2000 then r.phone else left(r.phone, 2000) end),
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
    and (:ids::bigint[] is null or r.id = any(:ids::bigint[]))
    and r.id in (
      select x.record_id
      from external_ids x
      where x.company_id = :company_id
        and x.connection_id = :connection_id::bigint
        and x.record = 'supplier'
        and x.external_id = any(:external_ids::text[])
    )
    and (:updated_after::timestamptz is null or r.updated_at > :updated_after::timestamptz)
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
                r.id,
                ',"name":',
                to_json(r.name),
                ',"email":',
                to_json(r.email),
                ',"phone":',
                to_json(r.phone),
                ',"address_real":',
                to_json(r.address_real),
                ',"address_legal":',
                to_json(r.address_legal),
                ',"agreement":',
                to_json(r.agreement),
                ',"manager_name":',
                to_json(r.manager_name),
                ',"manager_post":',
                to_json(r.manager_post),
                ',"notes":',
                to_json(r.notes),
                ',"country":',
                to_json(r.country),
                ',"vat_number":',
                to_json(r.vat_number),
                ',"payment_days":',
                coalesce(r.payment_days::text, 'null'),
                ',"created_at":',
                to_char(r.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(r.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
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
                              and x.record = 'supplier'
                              and x.record_id = r.id
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
                          where v.company_id = :company_id and v.record = 'supplier' and v.record_id = r.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from page p
        join suppliers r on r.company_id = :company_id and r.id = p.id
        order by p.key0, p.key1
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- suppliers.list_by_ids
-- parameters: company_id, search, ids, external_ids, connection_id, updated_after, limit, offset, with_meta
-- sent by: suppliers/get_list
with matching as materialized (
  select r.id, r.name_key as key0, r.id as key1
  from suppliers r
  where r.company_id = :company_id
    and r.deleted_at is null
    and (
      :search::text is null
        or coalesce(
          r.folded_name, replace(replace(replace(lower(r.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
        ) like :search
        or replace(
          replace(
            replace(
              lower(case when octet_length(r.email) <= 2000 then r.email else left(r.email, 2000) end),
                'ß',
                'ss'
            ),
              'ς',
              'σ'
          ),
            'i̇',
            'i'
        ) like :search
        or replace(
          replace(
            replace(
              lower(case when octet_length(r.phone) <= 2000 then r.phone else left(r.phone, 2000) end),
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
    and r.id = any(:ids::bigint[])
    and (
      :external_ids::text[] is null
        or r.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'supplier'
            and x.external_id = any(:external_ids::text[])
        )
    )
    and (:updated_after::timestamptz is null or r.updated_at > :updated_after::timestamptz)
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
                r.id,
                ',"name":',
                to_json(r.name),
                ',"email":',
                to_json(r.email),
                ',"phone":',
                to_json(r.phone),
                ',"address_real":',
                to_json(r.address_real),
                ',"address_legal":',
                to_json(r.address_legal),
                ',"agreement":',
                to_json(r.agreement),
                ',"manager_name":',
                to_json(r.manager_name),
                ',"manager_post":',
                to_json(r.manager_post),
                ',"notes":',
                to_json(r.notes),
                ',"country":',
                to_json(r.country),
                ',"vat_number":',
                to_json(r.vat_number),
                ',"payment_days":',
                coalesce(r.payment_days::text, 'null'),
                ',"created_at":',
                to_char(r.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(r.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
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
                              and x.record = 'supplier'
                              and x.record_id = r.id
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
                          where v.company_id = :company_id and v.record = 'supplier' and v.record_id = r.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from page p
        join suppliers r on r.company_id = :company_id and r.id = p.id
        order by p.key0, p.key1
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- suppliers.list_by_updated_after
-- parameters: company_id, search, ids, external_ids, connection_id, updated_after, limit, offset, with_meta
-- sent by: suppliers/get_list
with matching as materialized (
  select r.id, r.name_key as key0, r.id as key1
  from suppliers r
  where r.company_id = :company_id
    and r.deleted_at is null
    and (
      :search::text is null
        or coalesce(
          r.folded_name, replace(replace(replace(lower(r.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
        ) like :search
        or replace(
          replace(
            replace(
              lower(case when octet_length(r.email) <= 2000 then r.email else left(r.email, 2000) end),
                'ß',
                'ss'
            ),
              'ς',
              'σ'
          ),
            'i̇',
            'i'
        ) like :search
        or replace(
          replace(
            replace(
              lower(case when octet_length(r.phone) <= 2000 then r.phone else left(r.phone, 2000) end),
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
    and (:ids::bigint[] is null or r.id = any(:ids::bigint[]))
    and (
      :external_ids::text[] is null
        or r.id in (
          select x.record_id
          from external_ids x
          where x.company_id = :company_id
            and x.connection_id = :connection_id::bigint
            and x.record = 'supplier'
            and x.external_id = any(:external_ids::text[])
        )
    )
    and r.updated_at > :updated_after::timestamptz
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
                r.id,
                ',"name":',
                to_json(r.name),
                ',"email":',
                to_json(r.email),
                ',"phone":',
                to_json(r.phone),
                ',"address_real":',
                to_json(r.address_real),
                ',"address_legal":',
                to_json(r.address_legal),
                ',"agreement":',
                to_json(r.agreement),
                ',"manager_name":',
                to_json(r.manager_name),
                ',"manager_post":',
                to_json(r.manager_post),
                ',"notes":',
                to_json(r.notes),
                ',"country":',
                to_json(r.country),
                ',"vat_number":',
                to_json(r.vat_number),
                ',"payment_days":',
                coalesce(r.payment_days::text, 'null'),
                ',"created_at":',
                to_char(r.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(r.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
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
                              and x.record = 'supplier'
                              and x.record_id = r.id
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
                          where v.company_id = :company_id and v.record = 'supplier' and v.record_id = r.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from page p
        join suppliers r on r.company_id = :company_id and r.id = p.id
        order by p.key0, p.key1
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- suppliers.update
-- parameters: company_id, at, name, name_key, folded_name, email, phone, address_real, address_legal, agreement, manager_name, manager_post, notes, country, vat_number, payment_days, id
-- sent by: suppliers/edit, suppliers/upsert, the runner of imports
update suppliers
set updated_at = :at,
  name = :name,
  name_key = :name_key,
  folded_name = :folded_name,
  email = :email,
  phone = :phone,
  address_real = :address_real,
  address_legal = :address_legal,
  agreement = :agreement,
  manager_name = :manager_name,
  manager_post = :manager_post,
  notes = :notes,
  country = :country,
  vat_number = :vat_number,
  payment_days = :payment_days
where company_id = :company_id and id = :id;

-- suppliers.upsert_facts
-- parameters: company_id, connection_id, external_ids, names, folded_names, times
-- sent by: imports/add_rows, suppliers/upsert, the runner of imports
with external as materialized (
  select x.external_id, x.record_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = :connection_id::bigint
    and x.record = 'supplier'
    and x.external_id = any(:external_ids::text[])
),
  renamed as materialized (
    select coalesce(
      r.folded_name, replace(replace(replace(lower(r.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i')
    ) as folded_name,
      count(*) as contacts
    from external e
    join suppliers r on r.company_id = :company_id and r.id = e.record_id
    group by 1
  ),
  wanted as materialized (
    select n.name, n.folded_name, 1 + n.times + coalesce(m.contacts, 0) as contacts
    from unnest(:names::text[], :folded_names::text[], :times::bigint[]) as n (name, folded_name, times)
    left join renamed m on m.folded_name = n.folded_name
  ),
  found as materialized (
    select e.record_id as id
    from external e
    union
    select o.id
    from wanted w
    cross join lateral (
      select r.id
      from suppliers r
      where r.company_id = :company_id and r.name = w.name and r.deleted_at is null
      order by r.id
      limit w.contacts
    ) o
    union
    select o.id
    from wanted w
    cross join lateral (
      select r.id
      from suppliers r
      where r.company_id = :company_id
        and r.name = w.name
        and (
          select x.external_id
          from external_ids x
          where x.company_id = :company_id
            and x.record = 'supplier'
            and x.record_id = r.id
            and x.connection_id = :connection_id::bigint
        ) is null
        and r.deleted_at is null
      order by r.id
      limit w.contacts
    ) o
    union
    select o.id
    from wanted w
    cross join lateral (
      select r.id
      from suppliers r
      where r.company_id = :company_id and r.folded_name = w.folded_name and r.deleted_at is null
      order by r.id
      limit w.contacts
    ) o
    union
    select o.id
    from wanted w
    cross join lateral (
      select r.id
      from suppliers r
      where r.company_id = :company_id
        and r.folded_name = w.folded_name
        and (
          select x.external_id
          from external_ids x
          where x.company_id = :company_id
            and x.record = 'supplier'
            and x.record_id = r.id
            and x.connection_id = :connection_id::bigint
        ) is null
        and r.deleted_at is null
      order by r.id
      limit w.contacts
    ) o
  )
select case
  when (select coalesce(sum(octet_length(r.email) + octet_length(r.phone) + octet_length(r.address_real) + octet_length(r.address_legal) + octet_length(r.agreement) + octet_length(r.manager_name) + octet_length(r.manager_post) + octet_length(r.notes) + octet_length(r.vat_number)), 0) from found f join suppliers r on r.company_id = :company_id and r.id = f.id where r.deleted_at is null) <= 8388608 then (
    select coalesce(
      json_agg(
        json_build_array(
          r.id,
            json_build_object(
              'name',
                r.name,
                'email',
                r.email,
                'phone',
                r.phone,
                'address_real',
                r.address_real,
                'address_legal',
                r.address_legal,
                'agreement',
                r.agreement,
                'manager_name',
                r.manager_name,
                'manager_post',
                r.manager_post,
                'notes',
                r.notes,
                'country',
                r.country,
                'vat_number',
                r.vat_number,
                'payment_days',
                r.payment_days
            )
        )
      ),
        '[]'::json
    )
    from found f
    join suppliers r on r.company_id = :company_id and r.id = f.id
    where r.deleted_at is null
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
      and x.record = 'supplier'
      and x.record_id = f.id
      and x.connection_id = :connection_id::bigint
  ) as own_external;
