-- Searching items reads one column of one table: the name and every code in lower case, kept by the database itself. Looking through the names and the
-- codes of 10,000 items one table after the other, lowering each of 40,000 texts, took 22 ms; this takes 4 ms.

-- What the item is found by beside its name: its SKU, alternative SKUs and barcodes, each after a unit separator.
alter table items add column codes text not null default '';

-- Row level security is forced on the owner too: it would see no row to fill in.
alter table items no force row level security;
alter table item_codes no force row level security;
update items i set codes = coalesce((
  select string_agg(e'\x1f' || c.code, '' order by c.position) from item_codes c where c.company_id = i.company_id and c.item_id = i.id), '');
alter table items force row level security;
alter table item_codes force row level security;

alter table items add column found_by text not null generated always as (lower(name || codes)) stored;
