-- How a company prints its documents: the size of the paper and the language, where they are not those of its country.
alter table companies
  add column paper_size text not null default '' check (paper_size in ('', 'A4', 'Letter')),
  add column document_language text not null default '' check (document_language in ('', 'en', 'de', 'ru'));
comment on column companies.paper_size is 'Empty: that of the country.';
comment on column companies.document_language is 'Of what it prints for others. Empty: that of the country, otherwise English.';
