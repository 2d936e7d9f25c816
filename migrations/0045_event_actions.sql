-- A write may change several records, and each has its own event. The method says what it does to its own record; for the others the event says it.

alter table events add column action text;
comment on table events is 'One row per record that was created, changed or deleted, inserted in the transaction of the change. Append-only. It is the history shown in the app, and the change feed.';
comment on column events.action is 'created, updated or deleted. Null when the method says it: add creates its record, delete deletes it, every other method changes it.';
comment on column events.method is 'Path of the method that made the change, such as orders/add. A customer created together with a sale has orders/add too.';
comment on column stock_movements.seq is 'The first event of the write that caused the movement.';
