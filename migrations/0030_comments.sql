-- Explanations of the tables and of the columns whose meaning is not obvious, for psql and for schema.sql. Comments take a lock that blocks neither
-- reads nor writes.

comment on table companies is 'The companies (tenants) and their settings. company_id is a random number, so that it does not reveal how many companies exist.';
comment on column companies.timezone is 'IANA name, such as Europe/Berlin. It decides which date is today and when the daily quota resets.';
comment on column companies.default_sale_status is 'Status of new sales: 0 New, 1 Packed, 3 Shipped, 4 Canceled.';
comment on column companies.materials_in_sales is 'Whether materials may be sold.';
comment on column companies.products_storage_id is 'Default storage location of products.';
comment on column companies.materials_storage_id is 'Default storage location of materials.';
comment on column companies.default_fulfillment is 'How the app fulfills new sales: stock or production (made to order). The API ignores it.';
comment on column companies.show_payment_status is 'Whether the app shows the payment status.';
comment on column companies.daily_limit is 'API requests allowed per day.';
comment on column companies.currency is 'ISO 4217 code, such as EUR.';

comment on table company_clock is 'One row per company, locked by every write: it serializes the writes of a company, numbers its events and issues its ids (the last_..._id columns hold the latest).';
comment on column company_clock.seq is 'Sequence number of the latest event.';
comment on column company_clock.at is 'Time of the latest event. It never decreases, even when the system clock is set back.';
comment on column company_clock.last_production_number is 'Highest number issued by the number sequence of productions.';
comment on column company_clock.last_purchase_number is 'Highest number issued by the number sequence of purchases.';
comment on column company_clock.last_writeoff_number is 'Highest number issued by the number sequence of writeoffs.';
comment on column company_clock.last_transfer_number is 'Highest number issued by the number sequence of transfers.';
comment on column company_clock.last_audit_number is 'Highest number issued by the number sequence of audits.';

comment on table events is 'One row per change of a record, inserted in the transaction of the change. Append-only. It is the history shown in the app.';
comment on column events.seq is 'Sequence number within the company, without gaps, in the order of the commits.';
comment on column events.method is 'Path of the method that made the change, such as orders/add.';
comment on column events.source is 'api: the API; manual: the app; system: the command line.';
comment on column events.connection_id is 'API connection that made the request. Null for other sources.';
comment on column events.user_id is 'User who made the request in the app. Null for other sources.';
comment on column events.request_id is 'Id of the request; also in request_log.';
comment on column events.record is 'Kind of the changed record, such as sale, product or customer.';
comment on column events.record_id is 'Id of the changed record.';
comment on column events.change is 'The fields of a record that was created or deleted; each changed field of another as [before, after]. Some methods store other details.';

comment on table api_connections is 'API connections. An integration has one, with its own keys and its own prefix for sale numbers.';
comment on column api_connections.number_prefix is 'Prefix of the numbers of sales created through this connection.';

comment on table api_keys is 'Hashes of API keys. Read before the company is known, therefore not keyed by company; a reference table on a cluster.';
comment on column api_keys.key_hash is 'SHA-256 of the key. The key itself is not stored.';
comment on column api_keys.hint is 'First and last characters of the key, shown in the list of keys.';
comment on column api_keys.expires_at is 'When the key stops working. Null: it does not expire.';
comment on column api_keys.revoked_at is 'When the key was revoked. Null: it was not.';

comment on table quotas is 'Number of API requests of each company on its current day. One row per company, updated by every request.';
comment on column quotas.day is 'The current day in the time zone of the company. It never goes back.';
comment on column quotas.used is 'Requests counted on that day.';

comment on table daily_usage is 'Requests of the app and bytes of the request log of each company on its current day. Updated in batches every few seconds.';
comment on column daily_usage.day is 'The current day in the time zone of the company. It never goes back.';
comment on column daily_usage.session_requests is 'Requests made in the app on that day.';
comment on column daily_usage.log_bytes is 'Bytes of requests and responses stored in request_log on that day.';

comment on table idempotency_keys is 'Responses stored under the Idempotency-Key of a request for 24 hours. The same request sent again gets the same response.';
comment on column idempotency_keys.key is 'The Idempotency-Key header.';
comment on column idempotency_keys.request_hash is 'SHA-256 of the path and the body. Another request with the same key is refused.';
comment on column idempotency_keys.status is 'HTTP status of the response.';
comment on column idempotency_keys.answer is 'Body of the response.';
comment on column idempotency_keys.seq is 'The event of the change. Null when the request changed nothing.';

comment on table request_log is 'API requests and their responses, kept for support for a limited number of days. Partitioned by day, inserted in batches off the request path.';
comment on column request_log.at is 'Time of the request.';
comment on column request_log.status is 'HTTP status of the response.';
comment on column request_log.error is 'Error message of the response. Null when the request succeeded.';
comment on column request_log.request is 'Body of the request: long bodies are cut, secrets are removed.';
comment on column request_log.answer is 'Body of the response: long bodies are cut, secrets are removed.';
comment on column request_log.bodies_left_out is 'Whether the bodies were not stored because the company had used up its log space for the day.';

comment on table request_log_other is 'Default partition of request_log: rows of days that have no partition of their own.';

comment on table list_runs is 'Counts behind the lists of documents. Each row counts the documents of one day from one position in the list order to the next row. The sum is the total of the list, and an offset skips whole rows.';
comment on column list_runs.list is 'Name of the list, such as sales.';
comment on column list_runs.listed is 'The day, as in the listed column of the document table.';
comment on column list_runs.from_key is 'num_key at which the run starts; empty for the first run of a day.';
comment on column list_runs.from_id is 'Id at which the run starts; 0 for the first run of a day.';
comment on column list_runs.entries is 'Number of documents in the run. A long run is split in two.';

comment on table units is 'Units of measure.';
comment on column units.name is 'Short name, such as pcs or kg.';
comment on column units.full_name is 'Full name, such as pieces.';

comment on table storages is 'Storage locations.';
comment on column storages.deleted_at is 'When it was deleted. The row is kept for the documents that refer to it.';

comment on table categories is 'Categories of products, materials and resources: one tree for each type.';
comment on column categories.parent_id is 'Parent category, of the same type. Null at the top level.';
comment on column categories.position is 'Sort order among the categories with the same parent.';

comment on table items is 'Products, materials and resources, which share one sequence of ids.';
comment on column items.name_key is 'Sort key of the name: digits compare as numbers, bytes compare in the C collation.';
comment on column items.price is 'Sale price of a product, reference purchase price of a material, cost of one unit of a resource.';
comment on column items.min_amount is 'Below this quantity the item counts as low on stock.';
comment on column items.deleted_at is 'When it was deleted. The row is kept for the documents that refer to it.';
comment on column items.codes is 'SKU, alternative SKUs and barcodes, each after a unit separator (0x1F). A copy of item_codes for the search.';
comment on column items.found_by is 'Text that the search reads: name and codes in lower case.';
comment on column items.unit_changed is 'Whether the unit of measure of the item was ever changed. The total quantity of documents that contain the item is then recalculated when they are read.';

comment on table item_codes is 'Codes that identify an item: SKU, alternative SKUs and barcodes. Deleted items have no codes, so their codes can be used again.';
comment on column item_codes.space is 'Codes are unique within a space: product SKUs, material SKUs, barcodes.';
comment on column item_codes.role is 'sku, alternative (an alternative SKU of a product) or barcode.';
comment on column item_codes.position is 'Order in which the codes of an item are shown.';

comment on table item_categories is 'The categories of each item.';

comment on table components is 'Bills of materials: what one unit of a product is made of.';
comment on column components.position is 'Order of the components, from 0.';
comment on column components.item_id is 'The component: a product, material or resource.';
comment on column components.amount is 'Quantity needed for one unit of the product.';

comment on table customers is 'Customers. The name is unique among those that are not deleted.';
comment on column customers.name_key is 'Sort key of the name: digits compare as numbers, bytes compare in the C collation.';
comment on column customers.address_real is 'Delivery address.';
comment on column customers.address_legal is 'Legal address.';
comment on column customers.agreement is 'Agreement with the contact, as free text.';
comment on column customers.manager_name is 'Name of the manager.';
comment on column customers.manager_post is 'Position of the manager.';
comment on column customers.deleted_at is 'When it was deleted. The row is kept for the documents that refer to it.';

comment on table suppliers is 'Suppliers. The name is unique among those that are not deleted.';
comment on column suppliers.name_key is 'Sort key of the name: digits compare as numbers, bytes compare in the C collation.';
comment on column suppliers.address_real is 'Delivery address.';
comment on column suppliers.address_legal is 'Legal address.';
comment on column suppliers.agreement is 'Agreement with the contact, as free text.';
comment on column suppliers.manager_name is 'Name of the manager.';
comment on column suppliers.manager_post is 'Position of the manager.';
comment on column suppliers.deleted_at is 'When it was deleted. The row is kept for the documents that refer to it.';

comment on table item_suppliers is 'The suppliers of each item.';
comment on column item_suppliers.position is 'Order of the suppliers, from 0.';
comment on column item_suppliers.sku is 'SKU that the supplier uses.';
comment on column item_suppliers.price is 'Price of the supplier.';

comment on table stock_movements is 'The stock ledger: every change of stock on hand, reserved stock and stock value. Append-only; written only by server/stock/ledger.ts.';
comment on column stock_movements.seq is 'The event that caused the movement.';
comment on column stock_movements.kind is 'move: changes quantities and their value. revaluation: changes only the value.';
comment on column stock_movements.section is 'Kind of the document, such as sales or purchases.';
comment on column stock_movements.date is 'The day the movement counts on. It may be in the past.';
comment on column stock_movements.on_hand is 'Change of the stock on hand.';
comment on column stock_movements.reserved is 'Change of the reserved stock.';
comment on column stock_movements.value is 'Change of the stock value.';
comment on column stock_movements.recorded_at is 'When it was recorded.';
comment on column stock_movements.part is '0, or 1 for the second half of a document that issues goods in one place and receives them in another.';

comment on table stock_levels is 'Stock of each item in each storage location: the sums of stock_movements.';
comment on column stock_levels.reserved is 'Quantity reserved by open sales.';

comment on table item_costs is 'Stock quantity, stock value and average unit cost of each item over all storage locations. Derived from stock_movements.';
comment on column item_costs.average is 'Moving average unit cost. It is kept when the stock on hand is zero.';

comment on table sales is 'Sales. They are called orders in the API.';
comment on column sales.num is 'Document number shown to the user; not unique.';
comment on column sales.num_key is 'Sort key of num: digits compare as numbers, bytes compare in the C collation.';
comment on column sales.status is '0 New, 1 Packed, 2 Partially shipped, 3 Shipped, 4 Canceled.';
comment on column sales.payment is '0 Unpaid, 1 Partially paid, 2 Paid.';
comment on column sales.date_placed is 'Day of the sale.';
comment on column sales.date_shipped is 'Day of shipping, as entered.';
comment on column sales.date_deducted is 'Day on which the goods are deducted from stock. Null while they are not. It is kept when date_shipped is cleared.';
comment on column sales.subtotal is 'Sum of the line totals.';
comment on column sales.total is 'subtotal + delivery_price - discount.';
comment on column sales.production is 'Whether the sale is fulfilled by made-to-order production.';
comment on column sales.products_storage_id is 'Storage location of the product lines.';
comment on column sales.materials_storage_id is 'Storage location of the material lines.';
comment on column sales.found_by is 'Text that the search reads: number and notes in lower case.';
comment on column sales.cost is 'Cost of the goods: the sum of the line costs.';
comment on column sales.amount is 'Total quantity of the lines. Null when the lines have different units of measure.';
comment on column sales.lines is 'Number of lines.';
comment on column sales.source is 'manual: entered in the app; api: created through the API; otherwise the name of an online-store integration.';
comment on column sales.listed is 'Days from date_placed to 9999-12-31: newer documents sort first while every column of the list index is ascending.';

comment on table sale_lines is 'Lines of sales.';
comment on column sale_lines.position is 'Position of the line in the document, from 0.';
comment on column sale_lines.total is 'Price of the whole line.';
comment on column sale_lines.cost is 'Cost of the goods. Set when the line is written and again when its goods are deducted; later receipts do not change it.';

comment on table sale_shipments is 'What has been shipped of a sale, by shipment and item.';
comment on column sale_shipments.shipment is 'Number of the shipment within the sale, from 1.';

comment on table productions is 'Production orders.';
comment on column productions.num is 'Document number shown to the user; not unique.';
comment on column productions.num_key is 'Sort key of num: digits compare as numbers, bytes compare in the C collation.';
comment on column productions.status is '0 Planned, 1 In progress, 3 Done, 4 Canceled.';
comment on column productions.sale_id is 'The sale that the goods are made for. Null for production to stock.';
comment on column productions.former_sale_id is 'The canceled sale that the goods were made for. When that sale is reopened, it is linked again.';
comment on column productions.date_planned is 'Planned day of completion.';
comment on column productions.date_done is 'Day of completion, as entered.';
comment on column productions.date_effective is 'Day of the stock movements. Null while there are none.';
comment on column productions.products_storage_id is 'Storage location that the finished products go to.';
comment on column productions.materials_storage_id is 'Storage location that the materials are taken from.';
comment on column productions.use_told is 'Whether the used materials were entered by hand. Otherwise they follow from the components of the products.';
comment on column productions.components_by_kind is 'Whether components that are products are taken from products_storage_id. False for older productions, which took everything from materials_storage_id.';
comment on column productions.cost is 'Cost of everything used.';
comment on column productions.amount is 'Total quantity of the lines. Null when the lines have different units of measure.';
comment on column productions.lines is 'Number of lines.';
comment on column productions.source is 'manual: entered in the app; api: created through the API.';
comment on column productions.listed is 'Days from date_placed to 9999-12-31: newer documents sort first while every column of the list index is ascending.';

comment on table production_lines is 'Products made by a production.';
comment on column production_lines.position is 'Position of the line in the document, from 0.';
comment on column production_lines.cost is 'Cost of the products made: what was used for the line, and its share by quantity of what was used for the whole production.';

comment on table production_uses is 'Materials, products and resources used by a production.';
comment on column production_uses.position is 'Order, from 0.';
comment on column production_uses.line is 'Position of the product line it is used for. Null when it is used for the whole production.';
comment on column production_uses.cost is 'Cost of what is used, to six decimals: it is rounded only as part of the value of the finished products.';

comment on table purchases is 'Purchases from suppliers.';
comment on column purchases.num is 'Document number shown to the user; not unique.';
comment on column purchases.num_key is 'Sort key of num: digits compare as numbers, bytes compare in the C collation.';
comment on column purchases.status is '0 New, 1 Ordered, 2 Partially received, 3 Received, 4 Canceled.';
comment on column purchases.payment is '0 Unpaid, 1 Partially paid, 2 Paid.';
comment on column purchases.date_placed is 'Day of the purchase.';
comment on column purchases.date_received is 'Day of receipt, as entered.';
comment on column purchases.date_effective is 'Day of the receipt in stock_movements. Null while there is none.';
comment on column purchases.products_storage_id is 'Storage location of the product lines.';
comment on column purchases.materials_storage_id is 'Storage location of the material lines.';
comment on column purchases.subtotal is 'Sum of the line totals.';
comment on column purchases.total is 'subtotal + delivery_price - discount.';
comment on column purchases.cost is 'Cost of the goods: the sum of the line costs.';
comment on column purchases.amount is 'Total quantity of the lines. Null when the lines have different units of measure.';
comment on column purchases.lines is 'Number of lines.';
comment on column purchases.source is 'manual: entered in the app; api: created through the API.';
comment on column purchases.listed is 'Days from date_placed to 9999-12-31: newer documents sort first while every column of the list index is ascending.';

comment on table purchase_lines is 'Lines of purchases.';
comment on column purchase_lines.position is 'Position of the line in the document, from 0.';
comment on column purchase_lines.total is 'Price of the whole line.';
comment on column purchase_lines.cost is 'Cost at which the goods enter stock: total plus the share by value of delivery less discount.';

comment on table purchase_receipts is 'What has been received of a purchase, by receipt and item.';
comment on column purchase_receipts.receipt is 'Number of the receipt within the purchase, from 1.';

comment on table writeoffs is 'Write-offs of stock.';
comment on column writeoffs.num is 'Document number shown to the user; not unique.';
comment on column writeoffs.num_key is 'Sort key of num: digits compare as numbers, bytes compare in the C collation.';
comment on column writeoffs.date is 'Day on which the goods leave stock.';
comment on column writeoffs.products_storage_id is 'Storage location of the product lines.';
comment on column writeoffs.materials_storage_id is 'Storage location of the material lines.';
comment on column writeoffs.cost is 'Cost of the goods written off: the sum of the line costs.';
comment on column writeoffs.amount is 'Total quantity of the lines. Null when the lines have different units of measure.';
comment on column writeoffs.lines is 'Number of lines.';
comment on column writeoffs.source is 'manual: entered in the app; api: created through the API.';
comment on column writeoffs.listed is 'Days from date to 9999-12-31: newer documents sort first while every column of the list index is ascending.';

comment on table writeoff_lines is 'Lines of write-offs.';
comment on column writeoff_lines.position is 'Position of the line in the document, from 0.';
comment on column writeoff_lines.cost is 'Cost of the goods.';

comment on table transfers is 'Transfers between two storage locations.';
comment on column transfers.num is 'Document number shown to the user; not unique.';
comment on column transfers.num_key is 'Sort key of num: digits compare as numbers, bytes compare in the C collation.';
comment on column transfers.status is '0 New, 1 In transit, 3 Received, 4 Canceled.';
comment on column transfers.date is 'Day on which the goods leave the source.';
comment on column transfers.date_received is 'Day on which the goods reach the destination. Null: the same day.';
comment on column transfers.storage_from_id is 'Source.';
comment on column transfers.storage_to_id is 'Destination.';
comment on column transfers.cost is 'Cost of the goods transferred: the sum of the line costs.';
comment on column transfers.amount is 'Total quantity of the lines. Null when the lines have different units of measure.';
comment on column transfers.lines is 'Number of lines.';
comment on column transfers.source is 'manual: entered in the app; api: created through the API.';
comment on column transfers.listed is 'Days from date to 9999-12-31: newer documents sort first while every column of the list index is ascending.';

comment on table transfer_lines is 'Lines of transfers.';
comment on column transfer_lines.position is 'Position of the line in the document, from 0.';
comment on column transfer_lines.cost is 'Cost of the goods.';

comment on table audits is 'Stocktakes of one storage location.';
comment on column audits.num is 'Document number shown to the user; not unique.';
comment on column audits.num_key is 'Sort key of num: digits compare as numbers, bytes compare in the C collation.';
comment on column audits.status is '0 Counting, 3 Completed, 4 Canceled.';
comment on column audits.date is 'Day on which the differences are recorded.';
comment on column audits.cost is 'Cost of the differences: the sum of the line costs. Negative when goods are missing.';
comment on column audits.amount is 'Total quantity counted. Null when the lines have different units of measure.';
comment on column audits.lines is 'Number of lines.';
comment on column audits.source is 'manual: entered in the app; api: created through the API.';
comment on column audits.listed is 'Days from date to 9999-12-31: newer documents sort first while every column of the list index is ascending.';

comment on table audit_lines is 'Counted items of stocktakes.';
comment on column audit_lines.position is 'Position of the line in the document, from 0.';
comment on column audit_lines.expected is 'Stock on hand according to the ledger when the item was counted. Goods may move while a stocktake goes on.';
comment on column audit_lines.counted is 'Quantity counted.';
comment on column audit_lines.cost is 'Cost of the difference between counted and expected. Negative when goods are missing.';

comment on table users is 'Users of a company. Rows of deleted users are kept for the history.';
comment on column users.email is 'As entered; users sign in with it, ignoring case.';
comment on column users.role is 'worker, manager or owner.';
comment on column users.password_hash is 'argon2id hash in PHC string format, which includes its parameters.';
comment on column users.last_seen_at is 'Latest use of the app, to within ten minutes.';
comment on column users.deleted_at is 'When the user was removed from the company.';

comment on table sign_ins is 'Which user of which company an email address signs in as. Read before the company is known, like api_keys; a reference table on a cluster.';
comment on column sign_ins.email_hash is 'SHA-256 of the address in lower case.';

comment on table sessions is 'Sessions of the app.';
comment on column sessions.secret_hash is 'SHA-256 of the secret in the session cookie.';
comment on column sessions.seen_at is 'Latest use, to within ten minutes.';

comment on table devices is 'Browsers that a user has signed in from. Failed attempts from other browsers do not lock them out.';
comment on column devices.secret_hash is 'SHA-256 of the secret in the device cookie.';
comment on column devices.seen_at is 'Latest sign-in from the browser.';

comment on table invitations is 'Open invitations to become a user of the company.';
comment on column invitations.token_hash is 'SHA-256 of the token in the link. The token itself is not stored.';
comment on column invitations.role is 'Role of the new user.';

comment on table sign_in_attempts is 'Counters that limit guessing: attempts by account, by address, or both. They belong to no company.';
comment on column sign_in_attempts.company_id is 'A negative number derived from counted, so that a cluster spreads the rows.';
comment on column sign_in_attempts.counted is 'SHA-256 of what the attempts have in common.';
comment on column sign_in_attempts.failures is 'Attempts counted until then; successful ones are subtracted.';
comment on column sign_in_attempts.until is 'When the counter starts again.';

comment on table schema_migrations is 'Migrations that were run; written by node-pg-migrate.';
