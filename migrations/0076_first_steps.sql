-- The first steps of a new company, which Home shows until they are done or dismissed.
alter table companies
  add column shows_first_steps boolean not null default false,
  add column details_seen boolean not null default false;
comment on column companies.shows_first_steps is 'Whether Home shows the first steps: from the creation of the company until somebody dismisses them.';
comment on column companies.details_seen is 'Whether somebody opened the details of the company from the first steps.';
