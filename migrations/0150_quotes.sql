-- Quotes: what a customer is offered, until when, and what became of it. A quote has no effect on stock; an accepted one has become a sale.
create table quotes (
  company_id bigint not null,
  id bigint not null check (id > 0),
  num text not null check (char_length(num) <= 255),
  num_key text collate "C" not null,
  status smallint not null check (status in (0, 1, 3, 4)),
  date_placed date not null,
  valid_until date not null,
  customer_id bigint not null,
  subtotal numeric(18, 2) not null check (abs(subtotal) < 1e16),
  delivery_price numeric(14, 2) not null check (delivery_price between 0 and 999999999999.99),
  discount numeric(14, 2) not null check (discount between 0 and 999999999999.99),
  total numeric(18, 2) not null check (abs(total) < 1e16),
  lines int not null check (lines between 1 and 5000),
  notes text not null default '',
  tax jsonb,
  sale_id bigint check (sale_id > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  constraint quotes_total_is_sum check (total = subtotal + delivery_price - discount),
  constraint quotes_valid_from_their_day check (valid_until >= date_placed),
  constraint quotes_accepted_are_sales check ((status = 3) = (sale_id is not null)),
  constraint quotes_customer foreign key (company_id, customer_id) references customers (company_id, id)
);
create index quotes_by_number on quotes (company_id, num);
create index quotes_of_customer on quotes (company_id, customer_id);
create unique index quotes_of_sale on quotes (company_id, sale_id) where sale_id is not null;
comment on table quotes is 'Quotes to customers. An accepted quote has become a sale.';
comment on column quotes.num is 'Document number shown to the user; not unique.';
comment on column quotes.num_key is 'Sort key of num: digits compare as numbers, bytes compare in the C collation.';
comment on column quotes.status is '0 draft, 1 sent, 3 accepted, 4 declined. A sent quote is expired after valid_until.';
comment on column quotes.valid_until is 'The last day on which the customer can accept it, in the time zone of the company.';
comment on column quotes.notes is 'Printed on the quote; the sale gets them too.';
comment on column quotes.tax is 'As sales.tax. Null in drafts too: it is computed when a draft is sent, and the sale gets it.';
comment on column quotes.sale_id is 'The sale that it became. It may have been deleted since, so there is no foreign key.';
comment on index quotes_by_number is 'Whether a number of the sequence is taken.';
comment on index quotes_of_sale is 'The quote that a sale came from; a sale comes from one quote at most.';

create table quote_lines (
  company_id bigint not null,
  quote_id bigint not null,
  position int not null check (position between 0 and 4999),
  item_id bigint not null,
  amount numeric(12, 3) not null check (amount > 0 and amount <= 999999999.999),
  total numeric(14, 2) not null check (total between -999999999999.99 and 999999999999.99),
  primary key (company_id, quote_id, position),
  constraint quote_lines_quote foreign key (company_id, quote_id) references quotes (company_id, id),
  constraint quote_lines_item foreign key (company_id, item_id) references items (company_id, id)
);
create index quote_lines_by_item on quote_lines (company_id, item_id, quote_id);
comment on table quote_lines is 'Lines of quotes.';
comment on column quote_lines.position is 'Position of the line in the document, from 0.';
comment on column quote_lines.total is 'Price of the whole line.';

create table quote_links (
  company_id bigint not null,
  quote_id bigint not null,
  number int not null check (number > 0),
  mail_id text,
  sent_at timestamptz not null,
  revoked_at timestamptz,
  opened int not null default 0 check (opened >= 0),
  first_opened_at timestamptz,
  first_opened_from text check (char_length(first_opened_from) <= 64),
  last_opened_at timestamptz,
  last_opened_from text check (char_length(last_opened_from) <= 64),
  decision text check (decision in ('accepted', 'declined')),
  decided_at timestamptz,
  decided_by text check (char_length(decided_by) <= 255),
  decided_from text check (char_length(decided_from) <= 64),
  primary key (company_id, quote_id, number),
  constraint quote_links_quote foreign key (company_id, quote_id) references quotes (company_id, id)
);
comment on table quote_links is 'The links by which customers read and accept quotes without an account: one for each time that a quote was sent, the latest of each quote.';
comment on column quote_links.number is 'From 1 for each quote.';
comment on column quote_links.mail_id is 'The mail that contains the link. Null: the link was shown, to be copied.';
comment on column quote_links.opened is 'How often the page was opened.';
comment on column quote_links.first_opened_from is 'The address of the request.';
comment on column quote_links.decision is 'What the customer decided on the page. Null if nothing, or if a user of the company decided.';
comment on column quote_links.decided_by is 'The name that the customer typed.';

create table quote_tokens (
  company_id bigint not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  quote_id bigint not null,
  number int not null check (number > 0),
  primary key (company_id, token_hash),
  constraint quote_tokens_link foreign key (company_id, quote_id, number) references quote_links (company_id, quote_id, number) on delete cascade
);
create index quote_tokens_of_link on quote_tokens (company_id, quote_id, number);
comment on table quote_tokens is 'The tokens of the links of quotes, as hashes: one for a link that was shown, one for each attempt to send a mail. Without one, as in an archive without secrets, a link does not work.';
comment on column quote_tokens.token_hash is 'SHA-256 of the token.';

alter table quotes alter company_id set (n_distinct = -0.0005), alter id set (n_distinct = 2000);
alter table quote_lines alter company_id set (n_distinct = -0.0005);
alter table quote_links alter company_id set (n_distinct = -0.0005);
alter table quote_tokens alter company_id set (n_distinct = -0.0005);
alter table quotes enable row level security, force row level security;
alter table quote_lines enable row level security, force row level security;
alter table quote_links enable row level security, force row level security;
alter table quote_tokens enable row level security, force row level security;
create policy own_company on quotes using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on quote_lines using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on quote_links using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on quote_tokens using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on quotes, quote_lines, quote_links, quote_tokens to kontor_server;

alter table company_clock
  add column last_quote_id bigint not null default 0,
  add column last_quote_number bigint not null default 0;

alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check (kind in ('invitation', 'password_reset', 'password_changed', 'sign_up', 'webhook_disabled', 'shortages', 'quote')) not valid,
  add column quote_id bigint;
comment on column mails.quote_id is 'The quote whose link the mail contains. Null for another mail.';
