-- clock.add_written
-- parameters: company_id, written_bytes
-- sent by: units/edit
update company_clock
set written_bytes = written_bytes + :written_bytes
where company_id = :company_id;

-- clock.advance
-- parameters: company_id, seq, at, written_bytes, connection_id, user_id, invitation_id, unit_id, category_id, storage_id, item_id, customer_id, supplier_id, sale_id, production_id, production_number, purchase_id, purchase_number, writeoff_id, writeoff_number, transfer_id, transfer_number, audit_id, audit_number, movement_id, webhook_id, file_id, import_id, quote_id, quote_number, tax_rate_id
-- sent by: every write
update company_clock
set seq = :seq,
  at = :at,
  written_bytes = written_bytes + :written_bytes,
  last_connection_id = :connection_id,
  last_user_id = :user_id,
  last_invitation_id = :invitation_id,
  last_unit_id = :unit_id,
  last_category_id = :category_id,
  last_storage_id = :storage_id,
  last_item_id = :item_id,
  last_customer_id = :customer_id,
  last_supplier_id = :supplier_id,
  last_sale_id = :sale_id,
  last_production_id = :production_id,
  last_production_number = :production_number,
  last_purchase_id = :purchase_id,
  last_purchase_number = :purchase_number,
  last_writeoff_id = :writeoff_id,
  last_writeoff_number = :writeoff_number,
  last_transfer_id = :transfer_id,
  last_transfer_number = :transfer_number,
  last_audit_id = :audit_id,
  last_audit_number = :audit_number,
  last_movement_id = :movement_id,
  last_webhook_id = :webhook_id,
  last_file_id = :file_id,
  last_import_id = :import_id,
  last_quote_id = :quote_id,
  last_quote_number = :quote_number,
  last_tax_rate_id = :tax_rate_id
where company_id = :company_id;

-- clock.lock
-- parameters: company_id, at
-- sent by: every write
select seq + 1 as seq,
  greatest(at + interval '1 microsecond', :at::timestamptz) as at,
  written_bytes,
  storage_limit_mib,
  has_webhooks,
  last_connection_id,
  last_user_id,
  last_invitation_id,
  last_unit_id,
  last_category_id,
  last_storage_id,
  last_item_id,
  last_customer_id,
  last_supplier_id,
  last_sale_id,
  last_production_id,
  last_production_number,
  last_purchase_id,
  last_purchase_number,
  last_writeoff_id,
  last_writeoff_number,
  last_transfer_id,
  last_transfer_number,
  last_audit_id,
  last_audit_number,
  last_movement_id,
  last_webhook_id,
  last_file_id,
  last_import_id,
  last_quote_id,
  last_quote_number,
  last_tax_rate_id
from company_clock
where company_id = :company_id for no key update;
