-- company.delete_logo
-- parameters: company_id
-- sent by: company/delete_logo
update companies
set logo = null, logo_type = null, logo_tag = null
where company_id = :company_id;

-- company.deletion_facts
-- parameters: company_id
-- sent by: company/delete, company/keep
select c.name, to_char(c.delete_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as delete_at
from companies c
where c.company_id = :company_id;

-- company.details
-- parameters: company_id
-- sent by: company/get_details
select json_build_object(
  'legal_name',
    c.legal_name,
    'address',
    c.address,
    'vat_number',
    c.vat_number,
    'registration',
    c.registration,
    'bank_name',
    c.bank_name,
    'bank_account',
    c.bank_account,
    'bank_code',
    c.bank_code,
    'email',
    c.email,
    'phone',
    c.phone,
    'country',
    c.country,
    'paper_size',
    c.paper_size,
    'document_language',
    c.document_language
) as details,
  'logo-' || c.logo_tag as logo
from companies c
where c.company_id = :company_id;

-- company.details_facts
-- parameters: company_id
-- sent by: company/edit_details
select json_build_object(
  'legal_name',
    c.legal_name,
    'address',
    c.address,
    'vat_number',
    c.vat_number,
    'registration',
    c.registration,
    'bank_name',
    c.bank_name,
    'bank_account',
    c.bank_account,
    'bank_code',
    c.bank_code,
    'email',
    c.email,
    'phone',
    c.phone,
    'country',
    c.country,
    'paper_size',
    c.paper_size,
    'document_language',
    c.document_language
) as before
from companies c
where c.company_id = :company_id;

-- company.find
-- parameters: company_id
-- sent by: company/get
select json_build_object(
  'id', c.company_id, 'name', c.name, 'currency', c.currency, 'timezone', c.timezone
) as company
from companies c
where c.company_id = :company_id;

-- company.logo
-- parameters: company_id, tag
-- sent by: the logo
select 'logo' as name, c.logo_type as type, c.logo as content
from companies c
where c.company_id = :company_id and c.logo_tag = :tag;

-- company.logo_facts
-- parameters: company_id
-- sent by: company/delete_logo, company/set_logo
select c.logo_tag as tag
from companies c
where c.company_id = :company_id;

-- company.set_deletion
-- parameters: company_id, delete_at
-- sent by: company/delete, company/keep
update companies
set delete_at = :delete_at
where company_id = :company_id;

-- company.stored_bytes
-- parameters: company_id
-- sent by: company/prepare_archive
select k.written_bytes as stored_bytes
from company_clock k
where k.company_id = :company_id;

-- company.update_details
-- parameters: company_id, legal_name, address, vat_number, registration, bank_name, bank_account, bank_code, email, phone, country, paper_size, document_language
-- sent by: company/edit_details
update companies
set legal_name = :legal_name,
  address = :address,
  vat_number = :vat_number,
  registration = :registration,
  bank_name = :bank_name,
  bank_account = :bank_account,
  bank_code = :bank_code,
  email = :email,
  phone = :phone,
  country = :country,
  paper_size = :paper_size,
  document_language = :document_language
where company_id = :company_id;

-- company.update_logo
-- parameters: company_id, content, type, tag
-- sent by: company/set_logo
update companies
set logo = decode(:content, 'base64'), logo_type = :type, logo_tag = :tag
where company_id = :company_id;
