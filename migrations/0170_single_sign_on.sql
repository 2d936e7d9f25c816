-- Single sign-on: users of a company sign in at its identity provider, by OpenID Connect.

create table identity_providers (
  company_id bigint primary key,
  link_key text not null check (char_length(link_key) = 22),
  name text not null check (char_length(name) between 1 and 255),
  issuer text not null check (char_length(issuer) between 1 and 2048),
  client_id text not null check (char_length(client_id) between 1 and 255),
  client_secret bytea not null check (octet_length(client_secret) between 2 and 5000),
  created_at timestamptz not null
);
comment on table identity_providers is 'The identity provider of a company, at which its users can sign in by OpenID Connect.';
comment on column identity_providers.link_key is 'Part of the address at which users begin to sign in.';
comment on column identity_providers.client_secret is 'With which this service identifies itself to the provider. The first byte says how it is stored: 0 plainly, 1 encrypted with SECRETS_KEY.';

create table provider_identities (
  company_id bigint not null,
  subject text not null check (char_length(subject) between 1 and 255),
  user_id bigint not null,
  created_at timestamptz not null,
  primary key (company_id, subject),
  unique (company_id, user_id),
  foreign key (company_id, user_id) references users
);
comment on table provider_identities is 'Accounts at the identity provider, and the users they sign in as. Created with the first sign-in; from then on the email of the account does not matter.';
comment on column provider_identities.subject is 'The id of the account at the provider.';

create table pending_single_sign_ons (
  company_id bigint not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  nonce text not null check (char_length(nonce) = 43),
  verifier text not null check (char_length(verifier) = 43),
  expires_at timestamptz not null,
  primary key (company_id, token_hash)
);
comment on table pending_single_sign_ons is 'Sign-ins that have been sent to the identity provider, for ten minutes. Each can be completed once.';
comment on column pending_single_sign_ons.token_hash is 'SHA-256 of the token, which only the browser knows that began the sign-in.';
comment on column pending_single_sign_ons.nonce is 'Must be in the ID token.';
comment on column pending_single_sign_ons.verifier is 'Proves to the provider that the code is redeemed by who asked for it (PKCE).';

alter table identity_providers alter company_id set (n_distinct = -1);
alter table provider_identities alter company_id set (n_distinct = -0.05);
alter table pending_single_sign_ons alter company_id set (n_distinct = -0.5);

alter table identity_providers enable row level security, force row level security;
alter table provider_identities enable row level security, force row level security;
alter table pending_single_sign_ons enable row level security, force row level security;
create policy own_company on identity_providers using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on provider_identities using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company on pending_single_sign_ons using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
grant select, insert, update, delete on identity_providers, provider_identities, pending_single_sign_ons to kontor_server;
