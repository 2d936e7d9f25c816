-- A company may require that all its users sign in with a second factor.
alter table companies add column requires_second_factor boolean not null default false;
comment on column companies.requires_second_factor is 'Users without a second factor can only set one up. API keys are not affected.';
