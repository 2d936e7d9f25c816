-- An owner can have the company deleted after some days, and keep it until then.
alter table companies add column delete_at timestamptz;
comment on column companies.delete_at is 'From then on, maintenance deletes the company with everything it has stored. Null: it is kept.';
