-- files.content
-- parameters: company_id, file_id, tag, is_worker
-- sent by: a stored file
select f.name, f.type, f.content as content
from files f
where f.company_id = :company_id
  and f.id = :file_id
  and f.tag = :tag
  and f.content is not null
  and (
    not :is_worker
      or f.item_id is not null
      or f.production_id is not null
      or f.writeoff_id is not null
      or f.transfer_id is not null
      or f.audit_id is not null
  );

-- files.delete
-- parameters: company_id, file_id
-- sent by: files/add, files/delete
delete from files
where company_id = :company_id and id = :file_id;

-- files.facts
-- parameters: company_id, file_id
-- sent by: files/delete
select (
  select json_build_object(
    'record',
      case
        when f.item_id is not null then 'item'
        when f.sale_id is not null then 'sale'
        when f.purchase_id is not null then 'purchase'
        when f.production_id is not null then 'production'
        when f.writeoff_id is not null then 'writeoff'
        when f.transfer_id is not null then 'transfer'
        when f.audit_id is not null then 'audit'
        end,
      'record_id',
      coalesce(
        f.item_id, f.sale_id, f.purchase_id, f.production_id, f.writeoff_id, f.transfer_id, f.audit_id
      ),
      'is_picture',
      f.is_picture,
      'name',
      f.name,
      'type',
      f.type,
      'size',
      f.size,
      'tag',
      f.tag
  )
  from files f
  where f.company_id = :company_id and f.id = :file_id
) as file;

-- files.facts_of_audit
-- parameters: company_id, record_id
-- sent by: files/add
select exists (select from audits r where r.company_id = :company_id and r.id = :record_id) as exists,
  (select count(*) from files f where f.company_id = :company_id and f.audit_id = :record_id) as files,
  (
    select f.id
    from files f
    where f.company_id = :company_id and f.audit_id = :record_id and f.is_picture
  ) as picture_id;

-- files.facts_of_item
-- parameters: company_id, record_id
-- sent by: files/add
select exists (
  select
  from items r
  where r.company_id = :company_id and r.id = :record_id and r.deleted_at is null
) as exists,
  (select count(*) from files f where f.company_id = :company_id and f.item_id = :record_id) as files,
  (
    select f.id
    from files f
    where f.company_id = :company_id and f.item_id = :record_id and f.is_picture
  ) as picture_id;

-- files.facts_of_production
-- parameters: company_id, record_id
-- sent by: files/add
select exists (select from productions r where r.company_id = :company_id and r.id = :record_id) as exists,
  (select count(*) from files f where f.company_id = :company_id and f.production_id = :record_id) as files,
  (
    select f.id
    from files f
    where f.company_id = :company_id and f.production_id = :record_id and f.is_picture
  ) as picture_id;

-- files.facts_of_purchase
-- parameters: company_id, record_id
-- sent by: files/add
select exists (select from purchases r where r.company_id = :company_id and r.id = :record_id) as exists,
  (select count(*) from files f where f.company_id = :company_id and f.purchase_id = :record_id) as files,
  (
    select f.id
    from files f
    where f.company_id = :company_id and f.purchase_id = :record_id and f.is_picture
  ) as picture_id;

-- files.facts_of_sale
-- parameters: company_id, record_id
-- sent by: files/add
select exists (select from sales r where r.company_id = :company_id and r.id = :record_id) as exists,
  (select count(*) from files f where f.company_id = :company_id and f.sale_id = :record_id) as files,
  (
    select f.id
    from files f
    where f.company_id = :company_id and f.sale_id = :record_id and f.is_picture
  ) as picture_id;

-- files.facts_of_transfer
-- parameters: company_id, record_id
-- sent by: files/add
select exists (select from transfers r where r.company_id = :company_id and r.id = :record_id) as exists,
  (select count(*) from files f where f.company_id = :company_id and f.transfer_id = :record_id) as files,
  (
    select f.id
    from files f
    where f.company_id = :company_id and f.transfer_id = :record_id and f.is_picture
  ) as picture_id;

-- files.facts_of_writeoff
-- parameters: company_id, record_id
-- sent by: files/add
select exists (select from writeoffs r where r.company_id = :company_id and r.id = :record_id) as exists,
  (select count(*) from files f where f.company_id = :company_id and f.writeoff_id = :record_id) as files,
  (
    select f.id
    from files f
    where f.company_id = :company_id and f.writeoff_id = :record_id and f.is_picture
  ) as picture_id;

-- files.insert
-- parameters: company_id, file_id, record, record_id, is_picture, name, type, size, tag, content, thumbnail, at
-- sent by: files/add
insert into files (
  company_id,
    id,
    item_id,
    sale_id,
    purchase_id,
    production_id,
    writeoff_id,
    transfer_id,
    audit_id,
    is_picture,
    name,
    type,
    size,
    tag,
    content,
    thumbnail,
    created_at
)
values (
  :company_id,
    :file_id,
    case when :record::text = 'item' then :record_id::bigint end,
    case when :record::text = 'sale' then :record_id::bigint end,
    case when :record::text = 'purchase' then :record_id::bigint end,
    case when :record::text = 'production' then :record_id::bigint end,
    case when :record::text = 'writeoff' then :record_id::bigint end,
    case when :record::text = 'transfer' then :record_id::bigint end,
    case when :record::text = 'audit' then :record_id::bigint end,
    :is_picture,
    :name,
    :type,
    :size,
    :tag,
    decode(:content, 'base64'),
    decode(:thumbnail, 'base64'),
    :at
);

-- files.list_of_audit
-- parameters: company_id, record_id
-- sent by: files/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          f.id,
          ',"is_picture":',
          (f.is_picture)::text,
          ',"name":',
          to_json(f.name),
          ',"type":',
          to_json(f.type),
          ',"size":',
          f.size,
          ',"tag":',
          to_json(f.tag),
          ',"created_at":',
          to_char(f.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          '}'
      ),
        ',' order by f.is_picture desc,
        f.id
    )
      || ']'
    from files f
    where f.company_id = :company_id and f.audit_id = :record_id
  ),
    '[]'
) as rows;

-- files.list_of_item
-- parameters: company_id, record_id
-- sent by: files/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          f.id,
          ',"is_picture":',
          (f.is_picture)::text,
          ',"name":',
          to_json(f.name),
          ',"type":',
          to_json(f.type),
          ',"size":',
          f.size,
          ',"tag":',
          to_json(f.tag),
          ',"created_at":',
          to_char(f.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          '}'
      ),
        ',' order by f.is_picture desc,
        f.id
    )
      || ']'
    from files f
    where f.company_id = :company_id and f.item_id = :record_id
  ),
    '[]'
) as rows;

-- files.list_of_production
-- parameters: company_id, record_id
-- sent by: files/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          f.id,
          ',"is_picture":',
          (f.is_picture)::text,
          ',"name":',
          to_json(f.name),
          ',"type":',
          to_json(f.type),
          ',"size":',
          f.size,
          ',"tag":',
          to_json(f.tag),
          ',"created_at":',
          to_char(f.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          '}'
      ),
        ',' order by f.is_picture desc,
        f.id
    )
      || ']'
    from files f
    where f.company_id = :company_id and f.production_id = :record_id
  ),
    '[]'
) as rows;

-- files.list_of_purchase
-- parameters: company_id, record_id
-- sent by: files/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          f.id,
          ',"is_picture":',
          (f.is_picture)::text,
          ',"name":',
          to_json(f.name),
          ',"type":',
          to_json(f.type),
          ',"size":',
          f.size,
          ',"tag":',
          to_json(f.tag),
          ',"created_at":',
          to_char(f.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          '}'
      ),
        ',' order by f.is_picture desc,
        f.id
    )
      || ']'
    from files f
    where f.company_id = :company_id and f.purchase_id = :record_id
  ),
    '[]'
) as rows;

-- files.list_of_sale
-- parameters: company_id, record_id
-- sent by: files/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          f.id,
          ',"is_picture":',
          (f.is_picture)::text,
          ',"name":',
          to_json(f.name),
          ',"type":',
          to_json(f.type),
          ',"size":',
          f.size,
          ',"tag":',
          to_json(f.tag),
          ',"created_at":',
          to_char(f.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          '}'
      ),
        ',' order by f.is_picture desc,
        f.id
    )
      || ']'
    from files f
    where f.company_id = :company_id and f.sale_id = :record_id
  ),
    '[]'
) as rows;

-- files.list_of_transfer
-- parameters: company_id, record_id
-- sent by: files/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          f.id,
          ',"is_picture":',
          (f.is_picture)::text,
          ',"name":',
          to_json(f.name),
          ',"type":',
          to_json(f.type),
          ',"size":',
          f.size,
          ',"tag":',
          to_json(f.tag),
          ',"created_at":',
          to_char(f.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          '}'
      ),
        ',' order by f.is_picture desc,
        f.id
    )
      || ']'
    from files f
    where f.company_id = :company_id and f.transfer_id = :record_id
  ),
    '[]'
) as rows;

-- files.list_of_writeoff
-- parameters: company_id, record_id
-- sent by: files/get_list
select coalesce(
  (
    select '[' || string_agg(
      concat(
        '{"id":',
          f.id,
          ',"is_picture":',
          (f.is_picture)::text,
          ',"name":',
          to_json(f.name),
          ',"type":',
          to_json(f.type),
          ',"size":',
          f.size,
          ',"tag":',
          to_json(f.tag),
          ',"created_at":',
          to_char(f.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
          '}'
      ),
        ',' order by f.is_picture desc,
        f.id
    )
      || ']'
    from files f
    where f.company_id = :company_id and f.writeoff_id = :record_id
  ),
    '[]'
) as rows;

-- files.thumbnail
-- parameters: company_id, file_id, tag, is_worker
-- sent by: a thumbnail
select f.name, f.type, f.thumbnail as content
from files f
where f.company_id = :company_id
  and f.id = :file_id
  and f.tag = :tag
  and f.thumbnail is not null
  and (
    not :is_worker
      or f.item_id is not null
      or f.production_id is not null
      or f.writeoff_id is not null
      or f.transfer_id is not null
      or f.audit_id is not null
  );
