-- storages.delete
-- parameters: company_id, at, storage_id
-- sent by: storages/delete
update storages
set deleted_at = :at, updated_at = :at
where company_id = :company_id and id = :storage_id;

-- storages.facts
-- parameters: company_id, storage_id
-- sent by: storages/add, storages/delete, storages/edit
select (
  select json_build_object(
    'name',
      t.name,
      'address',
      t.address,
      'notes',
      t.notes,
      'default_products',
      c.products_storage_id = t.id,
      'default_materials',
      c.materials_storage_id = t.id
  )
  from storages t
  join companies c on c.company_id = :company_id
  where t.company_id = :company_id and t.id = :storage_id::bigint and t.deleted_at is null
) as record,
  exists (
    select
    from stock_levels l
    where l.company_id = :company_id
      and l.storage_id = :storage_id::bigint
      and (l.on_hand <> 0 or l.reserved <> 0)
  )
    or exists (
      select
      from sales d
      where d.company_id = :company_id
        and d.status in (0, 1, 2)
        and (d.products_storage_id = :storage_id::bigint or d.materials_storage_id = :storage_id::bigint)
    )
    or exists (
      select
      from productions d
      where d.company_id = :company_id
        and d.status in (0, 1)
        and (d.products_storage_id = :storage_id::bigint or d.materials_storage_id = :storage_id::bigint)
    )
    or exists (
      select
      from purchases d
      where d.company_id = :company_id
        and d.status in (0, 1, 2)
        and (d.products_storage_id = :storage_id::bigint or d.materials_storage_id = :storage_id::bigint)
    )
    or exists (
      select
      from transfers d
      where d.company_id = :company_id
        and d.status in (0, 1)
        and (d.storage_from_id = :storage_id::bigint or d.storage_to_id = :storage_id::bigint)
    )
    or exists (
      select
      from audits d
      where d.company_id = :company_id and d.status = 0 and (d.storage_id = :storage_id::bigint)
    ) as in_use,
  (
    select json_build_object(
      'products_storage_id', c.products_storage_id, 'materials_storage_id', c.materials_storage_id
    )
    from companies c
    where c.company_id = :company_id
  ) as defaults;

-- storages.insert
-- parameters: company_id, storage_id, name, address, notes, at
-- sent by: storages/add
insert into storages (company_id, id, name, address, notes, created_at, updated_at)
values (:company_id, :storage_id, :name, :address, :notes, :at, :at);

-- storages.list
-- parameters: company_id, with_meta, ids, updated_after
-- sent by: storages/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{',
          concat(
            '"id":',
              t.id,
              ',"name":',
              to_json(t.name),
              ',"address":',
              to_json(t.address),
              ',"notes":',
              to_json(t.notes),
              ',"default_products":',
              (c.products_storage_id = t.id)::int::text,
              ',"default_materials":',
              (c.materials_storage_id = t.id)::int::text,
              ',"created_at":',
              to_char(t.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
              ',"updated_at":',
              to_char(t.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
          ),
          case
            when :with_meta::boolean then concat(
              ',',
                concat(
                  '"version":',
                    coalesce(
                      (
                        select max(v.seq)
                        from events v
                        where v.company_id = :company_id and v.record = 'storage' and v.record_id = t.id
                      ),
                        0
                    )::text
                )
            )
            end,
          '}'
      ),
        ',' order by t.id
    )
      || ']'
    from storages t
    join companies c on c.company_id = :company_id
    where t.company_id = :company_id
      and t.deleted_at is null
      and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
      and (:updated_after::timestamptz is null or t.updated_at > :updated_after::timestamptz)
  ),
    '[]'
) as rows;

-- storages.set_defaults
-- parameters: company_id, for_products, storage_id, for_materials
-- sent by: storages/add, storages/edit
update companies
set products_storage_id = case when :for_products then :storage_id else products_storage_id end,
  materials_storage_id = case when :for_materials then :storage_id else materials_storage_id end
where company_id = :company_id;

-- storages.set_updated
-- parameters: company_id, at, storage_ids
-- sent by: settings/edit
update storages
set updated_at = :at
where company_id = :company_id and id = any(:storage_ids::bigint[]);

-- storages.touch_defaults
-- parameters: company_id, at, storage_id, for_products, for_materials
-- sent by: storages/add, storages/edit
update storages
set updated_at = :at
where company_id = :company_id
  and id <> :storage_id
  and id in (
    select unnest(
      array[case when :for_products then c.products_storage_id end,
        case when :for_materials then c.materials_storage_id end]
    )
    from companies c
    where c.company_id = :company_id
  );

-- storages.update
-- parameters: company_id, name, address, notes, at, storage_id
-- sent by: storages/edit
update storages
set name = :name, address = :address, notes = :notes, updated_at = :at
where company_id = :company_id and id = :storage_id;
