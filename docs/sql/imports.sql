-- imports.advance
-- parameters: company_id, next_position, lease_ms, import_id
-- sent by: the runner of imports
update imports
set next_position = :next_position, leased_until = now() + :lease_ms::integer * interval '1 millisecond'
where company_id = :company_id and id = :import_id;

-- imports.begin_run
-- parameters: company_id, at, import_id
-- sent by: imports/start
update imports
set status = 'running', started_at = :at, next_position = 0, lease = null, leased_until = null
where company_id = :company_id and id = :import_id;

-- imports.begin_undo
-- parameters: company_id, import_id
-- sent by: imports/undo
update imports
set status = 'undoing', next_position = rows - 1, lease = null, leased_until = null
where company_id = :company_id and id = :import_id;

-- imports.companies
-- parameters: after, limit
-- sent by: the runner of imports
select company_id
from import_companies
where is_working and company_id > :after
order by company_id
limit :limit;

-- imports.delete
-- parameters: company_id, import_id
-- sent by: imports/delete
delete from imports
where company_id = :company_id and id = :import_id;

-- imports.drop_company
-- parameters: company_id
-- sent by: imports/delete
delete from import_companies
where company_id = :company_id;

-- imports.end
-- parameters: company_id, status, at, import_id
-- sent by: the runner of imports
update imports
set status = :status, ended_at = :at, lease = null, leased_until = null
where company_id = :company_id and id = :import_id;

-- imports.facts
-- parameters: company_id, import_id
-- sent by: imports/add, imports/delete, imports/start, imports/undo, the runner of imports
select (
  select json_build_object(
    'kind',
      i.kind,
      'status',
      i.status,
      'storage_id',
      i.storage_id,
      'counted_on',
      i.counted_on,
      'rows',
      i.rows,
      'next_position',
      i.next_position,
      'lease',
      i.lease
  )
  from imports i
  where i.company_id = :company_id and i.id = :import_id
) as import,
  (select count(*) from imports i where i.company_id = :company_id) as imports,
  (
    select count(*)
    from imports i
    where i.company_id = :company_id and i.id <> :import_id and i.status in ('running', 'undoing')
  ) as others_working,
  (
    select json_build_object(
      'writable',
        count(*) filter (where r.state in ('create', 'change')),
        'written',
        count(*) filter (where r.state in ('created', 'changed'))
    )
    from import_rows r
    where r.company_id = :company_id and r.import_id = :import_id
  ) as left;

-- imports.find
-- parameters: company_id, import_id
-- sent by: imports/get_entry
select concat(
  '{"id":',
    i.id,
    ',"kind":',
    to_json(i.kind),
    ',"name":',
    to_json(i.name),
    ',"status":',
    to_json(i.status),
    ',"rows":',
    i.rows,
    ',"next_position":',
    i.next_position,
    ',"storage_id":',
    coalesce(i.storage_id::text, 'null'),
    ',"date":',
    coalesce(to_json(i.counted_on)::text, 'null'),
    ',"headings":',
    i.headings,
    ',"user_name":',
    coalesce(to_json(u.name)::text, 'null'),
    ',"created_at":',
    to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
    ',"ended_at":',
    coalesce(to_char(i.ended_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
    '}'
) as entry,
  (
    select coalesce(json_object_agg(c.state, c.rows), '{}')
    from (
      select r.state, count(*) as rows
      from import_rows r
      where r.company_id = :company_id and r.import_id = :import_id
      group by r.state
    ) c
  ) as counts
from imports i
left join users u on u.company_id = :company_id and u.id = i.user_id
where i.company_id = :company_id and i.id = :import_id;

-- imports.insert
-- parameters: company_id, import_id, kind, name, user_id, at, storage_id, counted_on, headings
-- sent by: imports/add
insert into imports (
  company_id, id, kind, name, status, user_id, created_at, storage_id, counted_on, headings
)
values (
  :company_id, :import_id, :kind, :name, 'draft', :user_id, :at, :storage_id, :counted_on, :headings::jsonb
);

-- imports.insert_rows
-- parameters: company_id, import_id, position, line, key, fields, state, changes, refusal
-- sent by: imports/add_rows
insert into import_rows (company_id, import_id, position, line, key, fields, state, changes, refusal)
select c.company_id, :import_id, x.position, x.line, x.key, x.fields, x.state, x.changes, x.refusal
from company_clock c
cross join unnest(
  :position::integer[],
    :line::integer[],
    :key::text[],
    :fields::jsonb[],
    :state::text[],
    :changes::jsonb[],
    :refusal::jsonb[]
) as x (position, line, key, fields, state, changes, refusal)
where c.company_id = :company_id
on conflict (company_id, import_id, position) do update
set line = excluded.line,
  key = excluded.key,
  fields = excluded.fields,
  state = excluded.state,
  changes = excluded.changes,
  refusal = excluded.refusal;

-- imports.insert_rows.rows_8
-- a variant of imports.insert_rows; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into import_rows (company_id, import_id, position, line, key, fields, state, changes, refusal)
values (:company_id, :import_id, :position_1, :line_1, :key_1, :fields_1, :state_1, :changes_1, :refusal_1),
  (:company_id, :import_id, :position_2, :line_2, :key_2, :fields_2, :state_2, :changes_2, :refusal_2),
  (:company_id, :import_id, :position_3, :line_3, :key_3, :fields_3, :state_3, :changes_3, :refusal_3),
  (:company_id, :import_id, :position_4, :line_4, :key_4, :fields_4, :state_4, :changes_4, :refusal_4),
  (:company_id, :import_id, :position_5, :line_5, :key_5, :fields_5, :state_5, :changes_5, :refusal_5),
  (:company_id, :import_id, :position_6, :line_6, :key_6, :fields_6, :state_6, :changes_6, :refusal_6),
  (:company_id, :import_id, :position_7, :line_7, :key_7, :fields_7, :state_7, :changes_7, :refusal_7),
  (:company_id, :import_id, :position_8, :line_8, :key_8, :fields_8, :state_8, :changes_8, :refusal_8)
on conflict (company_id, import_id, position) do update
set line = excluded.line,
  key = excluded.key,
  fields = excluded.fields,
  state = excluded.state,
  changes = excluded.changes,
  refusal = excluded.refusal;

-- imports.keep_company
-- parameters: company_id, is_working
-- sent by: imports/add, imports/delete, imports/start, imports/undo, the runner of imports
insert into import_companies (company_id, is_working)
values (:company_id, :is_working)
on conflict (company_id) do update
set is_working = excluded.is_working;

-- imports.lease
-- parameters: company_id, lease, lease_ms
-- sent by: the runner of imports
update imports
set lease = :lease, leased_until = now() + :lease_ms::integer * interval '1 millisecond'
where company_id = :company_id
  and status in ('running', 'undoing')
  and (leased_until is null or leased_until <= now() or leased_until > now() + interval '1 minute')
  and id = (
    select min(p.id)
    from imports p
    where p.company_id = :company_id and p.status in ('running', 'undoing')
  )
returning id, kind, status, storage_id, counted_on, rows, next_position, user_id;

-- imports.list
-- parameters: company_id
-- sent by: imports/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          i.id,
          ',"kind":',
          to_json(i.kind),
          ',"name":',
          to_json(i.name),
          ',"status":',
          to_json(i.status),
          ',"rows":',
          i.rows,
          ',"next_position":',
          i.next_position,
          ',"storage_id":',
          coalesce(i.storage_id::text, 'null'),
          ',"date":',
          coalesce(to_json(i.counted_on)::text, 'null'),
          ',"headings":',
          i.headings,
          ',"user_name":',
          coalesce(to_json(u.name)::text, 'null'),
          ',"created_at":',
          to_char(i.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          ',"ended_at":',
          coalesce(to_char(i.ended_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'), 'null'),
          '}'
      ),
        ',' order by i.id desc
    )
      || ']'
    from imports i
    left join users u on u.company_id = :company_id and u.id = i.user_id
    where i.company_id = :company_id
  ),
    '[]'
) as rows;

-- imports.list_rows
-- parameters: company_id, import_id, state, limit, offset
-- sent by: imports/get_rows
select (
  select count(*)
  from import_rows r
  where r.company_id = :company_id
    and r.import_id = :import_id
    and (:state::text is null or r.state = :state::text)
) as total,
  coalesce(
    (
      select '[' || string_agg(p.row, ',' order by p.position) || ']'
      from (
        select r.position,
          concat(
            '{"position":',
              r.position,
              ',"line":',
              r.line,
              ',"fields":',
              r.fields,
              ',"state":',
              to_json(r.state),
              ',"changes":',
              coalesce(r.changes::text, 'null'),
              ',"refusal":',
              coalesce(r.refusal::text, 'null'),
              ',"record":',
              coalesce(to_json(r.record)::text, 'null'),
              ',"record_id":',
              coalesce(r.record_id::text, 'null'),
              '}'
          ) as row
        from import_rows r
        where r.company_id = :company_id
          and r.import_id = :import_id
          and (:state::text is null or r.state = :state::text)
        order by r.position
        limit :limit
        offset :offset
      ) p
    ),
      '[]'
  ) as rows;

-- imports.next_rows
-- parameters: company_id, import_id, from_position, limit
-- sent by: the runner of imports
select position, line, fields
from import_rows
where company_id = :company_id
  and import_id = :import_id
  and position >= :from_position
  and state in ('create', 'change')
order by position
limit :limit;

-- imports.refuse_left
-- parameters: company_id, refusal, import_id
-- sent by: the runner of imports
update import_rows
set state = 'refused', refusal = :refusal::jsonb
where company_id = :company_id and import_id = :import_id and state in ('create', 'change');

-- imports.renew
-- parameters: company_id, lease_ms, import_id, lease
-- sent by: the runner of imports
update imports
set leased_until = now() + :lease_ms::integer * interval '1 millisecond'
where company_id = :company_id and id = :import_id and lease = :lease and status in ('running', 'undoing')
returning next_position;

-- imports.rows_facts
-- parameters: company_id, import_id, keys, from_position, unit_names, category_type, category_names, supplier_names, resource_names, component_keys
-- sent by: imports/add_rows, the runner of imports
select (
  select json_build_object(
    'kind',
      i.kind,
      'status',
      i.status,
      'storage_id',
      i.storage_id,
      'counted_on',
      i.counted_on,
      'rows',
      i.rows,
      'next_position',
      i.next_position,
      'lease',
      i.lease
  )
  from imports i
  where i.company_id = :company_id and i.id = :import_id
) as import,
  (
    select coalesce(json_agg(json_build_array(r.key, r.line) order by r.position desc), '[]'::json)
    from import_rows r
    where r.company_id = :company_id
      and r.import_id = :import_id
      and coalesce(r.key in (select unnest(:keys::text[])), false)
      and r.position < :from_position
  ) as same_keys,
  (
    select coalesce(json_agg(json_build_array(u.id, u.name, u.full_name) order by u.id), '[]'::json)
    from units u
    where u.company_id = :company_id
      and (
        replace(replace(replace(lower(u.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') = any(:unit_names::text[])
          or replace(
            replace(replace(lower(u.full_name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'
          ) = any(:unit_names::text[])
      )
  ) as named_units,
  (
    select coalesce(json_agg(json_build_array(c.id, c.name) order by c.id), '[]'::json)
    from categories c
    where c.company_id = :company_id
      and c.type = :category_type
      and replace(
        replace(replace(lower(c.name), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i'
      ) = any(:category_names::text[])
  ) as named_categories,
  (
    select coalesce(json_agg(json_build_array(s.id, s.name) order by s.id), '[]'::json)
    from suppliers s
    where s.company_id = :company_id and s.folded_name = any(:supplier_names::text[]) and s.deleted_at is null
  ) as named_suppliers,
  (
    select coalesce(json_agg(json_build_array(i.id, i.name) order by i.id), '[]'::json)
    from items i
    where i.company_id = :company_id
      and i.kind = 'resource'
      and i.search_key = any(:resource_names::text[])
      and i.deleted_at is null
  ) as named_resources,
  (
    select coalesce(json_agg(distinct r.key), '[]'::json)
    from import_rows r
    where r.company_id = :company_id
      and r.import_id = :import_id
      and coalesce(r.key in (select unnest(:component_keys::text[])), false)
      and r.state <> 'refused'
  ) as imported;

-- imports.rows_to_undo
-- parameters: company_id, import_id, from_position, limit
-- sent by: the runner of imports
select r.position,
  r.record,
  r.record_id,
  r.seq,
  e.action is not distinct from 'created' as created,
  case when e.action is not distinct from 'created' then '{}'::jsonb else e.change end as change
from import_rows r
join events e on e.company_id = :company_id and e.seq = r.seq
where r.company_id = :company_id
  and r.import_id = :import_id
  and r.position <= :from_position
  and r.state in ('created', 'changed')
order by r.position desc
limit :limit;

-- imports.set_rows
-- parameters: company_id, rows, import_id
-- sent by: imports/add_rows
update imports
set rows = greatest(rows, :rows::integer)
where company_id = :company_id and id = :import_id;

-- imports.storage
-- parameters: company_id, storage_id
-- sent by: imports/add
select exists (
  select
  from storages s
  where s.company_id = :company_id and s.id = :storage_id and s.deleted_at is null
) as is_storage;

-- imports.undo_facts
-- parameters: company_id, import_id, position, record, record_id, seq
-- sent by: the runner of imports
select (
  select json_build_object('status', i.status, 'lease', i.lease)
  from imports i
  where i.company_id = :company_id and i.id = :import_id
) as import,
  exists (
    select
    from import_rows r
    where r.company_id = :company_id
      and r.import_id = :import_id
      and r.position = :position
      and r.state in ('created', 'changed')
  ) as is_left,
  exists (
    select
    from events e
    where e.company_id = :company_id and e.record = :record and e.record_id = :record_id and e.seq > :seq
  ) as is_touched;

-- imports.update_undone
-- parameters: company_id, state, refusal, import_id, record, record_id
-- sent by: the runner of imports
update import_rows
set state = :state, refusal = :refusal::jsonb
where company_id = :company_id
  and import_id = :import_id
  and record = :record
  and record_id = :record_id
  and state in ('created', 'changed');

-- imports.update_written
-- parameters: company_id, positions, states, changes, refusals, records, record_ids, seqs, import_id
-- sent by: the runner of imports
update import_rows r
set state = x.state,
  changes = x.changes,
  refusal = x.refusal,
  record = x.record,
  record_id = x.record_id,
  seq = x.seq
from unnest(
  :positions::integer[],
    :states::text[],
    :changes::jsonb[],
    :refusals::jsonb[],
    :records::text[],
    :record_ids::bigint[],
    :seqs::bigint[]
) as x (position, state, changes, refusal, record, record_id, seq)
where r.company_id = :company_id and r.import_id = :import_id and r.position = x.position;
