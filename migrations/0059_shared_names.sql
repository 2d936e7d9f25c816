-- Two customers or suppliers may have the same name if they have different external ids. The next migration builds the indexes that find them by name.
drop index customers_living_name;
drop index suppliers_living_name;
