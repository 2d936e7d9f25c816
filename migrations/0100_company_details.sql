-- What a company prints on its documents: its legal name, address, numbers, bank account and logo.
alter table companies
  add column legal_name text not null default '' check (char_length(legal_name) <= 255),
  add column address text not null default '' check (char_length(address) <= 1000),
  add column country text not null default '' check (country ~ '^([A-Z]{2})?$'),
  add column vat_number text not null default '' check (char_length(vat_number) <= 255),
  add column registration text not null default '' check (char_length(registration) <= 255),
  add column bank_name text not null default '' check (char_length(bank_name) <= 255),
  add column bank_account text not null default '' check (char_length(bank_account) <= 255),
  add column bank_code text not null default '' check (char_length(bank_code) <= 255),
  add column email text not null default '' check (char_length(email) <= 255),
  add column phone text not null default '' check (char_length(phone) <= 255),
  add column logo bytea,
  add column logo_type text check (logo_type in ('image/jpeg', 'image/png')),
  add column logo_tag text check (char_length(logo_tag) = 22),
  add constraint companies_logo check (num_nonnulls(logo, logo_type, logo_tag) in (0, 3) and octet_length(logo) <= 524288);
comment on column companies.legal_name is 'As registered, if it differs from the name.';
comment on column companies.country is 'Two letters by ISO 3166-1, or empty.';
comment on column companies.registration is 'The register and the number in it, such as HRB 12345, Amtsgericht Berlin.';
comment on column companies.bank_account is 'The IBAN, or another number of an account.';
comment on column companies.bank_code is 'The BIC, or another code of the bank.';
comment on column companies.logo is 'A picture without metadata, at most 512 KiB.';
comment on column companies.logo_tag is 'The beginning of the SHA-256 of the logo, as base64url. It is part of the address of the logo.';
-- Pictures are compressed already.
alter table companies alter logo set storage external;
