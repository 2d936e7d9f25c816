-- units.delete
-- parameters: company_id, unit_id
-- sent by: units/delete
delete from units
where company_id = :company_id and id = :unit_id;

-- units.facts
-- parameters: company_id, unit_id
-- sent by: units/add, units/delete, units/edit
select (
  select json_build_object('name', u.name, 'full_name', u.full_name)
  from units u
  where u.company_id = :company_id and u.id = :unit_id::bigint
) as record,
  exists (select from items i where i.company_id = :company_id and i.unit_id = :unit_id::bigint) as in_use;

-- units.insert
-- parameters: company_id, unit_id, name, full_name, at
-- sent by: units/add
insert into units (company_id, id, name, full_name, created_at, updated_at)
values (:company_id, :unit_id, :name, :full_name, :at, :at);

-- units.list
-- parameters: company_id, with_meta, ids, updated_after
-- sent by: units/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{',
          concat(
            '"id":',
              u.id,
              ',"name":',
              to_json(u.name),
              ',"full_name":',
              to_json(u.full_name),
              ',"created_at":',
              to_char(u.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
              ',"updated_at":',
              to_char(u.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
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
                        where v.company_id = :company_id and v.record = 'unit' and v.record_id = u.id
                      ),
                        0
                    )::text
                )
            )
            end,
          '}'
      ),
        ',' order by u.id
    )
      || ']'
    from units u
    where u.company_id = :company_id
      and (:ids::bigint[] is null or u.id = any(:ids::bigint[]))
      and (:updated_after::timestamptz is null or u.updated_at > :updated_after::timestamptz)
  ),
    '[]'
) as rows;

-- units.update
-- parameters: company_id, name, full_name, at, unit_id
-- sent by: units/edit
update units
set name = :name, full_name = :full_name, updated_at = :at
where company_id = :company_id and id = :unit_id;
