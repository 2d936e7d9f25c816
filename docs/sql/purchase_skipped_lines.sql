-- purchase_skipped_lines.delete
-- parameters: company_id, document_id
-- sent by: purchases/delete, purchases/edit, skipped_lines/assign
delete from purchase_skipped_lines
where company_id = :company_id and purchase_id = :document_id;

-- purchase_skipped_lines.insert
-- parameters: company_id, purchase_id, position, kind, named_by, code, code_key, connection_id, amount, total
-- sent by: purchases/add, purchases/edit, skipped_lines/undo
insert into purchase_skipped_lines (
  company_id, purchase_id, position, kind, named_by, code, code_key, connection_id, amount, total
)
select c.company_id,
  :purchase_id,
  x.position,
  x.kind,
  x.named_by,
  x.code,
  x.code_key,
  x.connection_id,
  x.amount,
  x.total
from company_clock c
cross join unnest(
  :position::int[],
    :kind::text[],
    :named_by::text[],
    :code::text[],
    :code_key::text[],
    :connection_id::bigint[],
    :amount::numeric[],
    :total::numeric[]
) as x (position, kind, named_by, code, code_key, connection_id, amount, total)
where c.company_id = :company_id;

-- purchase_skipped_lines.insert.rows_8
-- a variant of purchase_skipped_lines.insert; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into purchase_skipped_lines (
  company_id, purchase_id, position, kind, named_by, code, code_key, connection_id, amount, total
)
values (
  :company_id,
    :purchase_id,
    :position_1,
    :kind_1,
    :named_by_1,
    :code_1,
    :code_key_1,
    :connection_id_1,
    :amount_1,
    :total_1
),
  (
    :company_id,
      :purchase_id,
      :position_2,
      :kind_2,
      :named_by_2,
      :code_2,
      :code_key_2,
      :connection_id_2,
      :amount_2,
      :total_2
  ),
  (
    :company_id,
      :purchase_id,
      :position_3,
      :kind_3,
      :named_by_3,
      :code_3,
      :code_key_3,
      :connection_id_3,
      :amount_3,
      :total_3
  ),
  (
    :company_id,
      :purchase_id,
      :position_4,
      :kind_4,
      :named_by_4,
      :code_4,
      :code_key_4,
      :connection_id_4,
      :amount_4,
      :total_4
  ),
  (
    :company_id,
      :purchase_id,
      :position_5,
      :kind_5,
      :named_by_5,
      :code_5,
      :code_key_5,
      :connection_id_5,
      :amount_5,
      :total_5
  ),
  (
    :company_id,
      :purchase_id,
      :position_6,
      :kind_6,
      :named_by_6,
      :code_6,
      :code_key_6,
      :connection_id_6,
      :amount_6,
      :total_6
  ),
  (
    :company_id,
      :purchase_id,
      :position_7,
      :kind_7,
      :named_by_7,
      :code_7,
      :code_key_7,
      :connection_id_7,
      :amount_7,
      :total_7
  ),
  (
    :company_id,
      :purchase_id,
      :position_8,
      :kind_8,
      :named_by_8,
      :code_8,
      :code_key_8,
      :connection_id_8,
      :amount_8,
      :total_8
  );
