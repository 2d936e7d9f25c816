-- What each index of the tables that every sale writes is for, so that none is kept without need.
comment on index sales_listed is 'The order of lists: orders/get_list, orders/browse by date, and where a long run of list_runs is split.';
comment on index sales_by_number is 'orders/find_number, and the first unused number of orders/next_number.';
comment on index sales_by_hand is 'orders/next_number: the latest sale entered in the app. Sales of the API are not in it.';
comment on index sales_by_hand_number is 'orders/next_number: the highest number of a series entered in the app. Sales of the API are not in it.';
comment on index sales_of_customer is 'The sales of a customer: the filter of orders/browse and the sums of customers/browse.';
comment on index stock_movements_of_document is 'The posted effect of a document, read by every change of it.';
comment on index stock_movements_of_item is 'The movements of an item in the order of stock/get_movements, and its balances.';
comment on index stock_levels_of_item is 'The levels of an item at all storage locations: cards, searches and stock/get_list.';
comment on index events_of_record is 'The history of a record, and what changed since a card was read.';
comment on index items_unit_changed is 'Whether any item of the company changed its unit: then quantities of documents are summed again when they are read. Usually empty.';
