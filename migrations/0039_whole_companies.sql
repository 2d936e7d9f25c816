-- The owner of the tables deletes whole companies and erases personal data, restricted to one company like every request. The role of the server
-- gets no new privilege: it can still neither delete keys nor change the request log.

create policy own_company_deletes on api_keys for delete using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_updates on request_log for update using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
create policy own_company_deletes on request_log for delete using (company_id = nullif(current_setting('app.company_id', true), '')::bigint);
