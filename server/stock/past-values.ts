// The value of stock at the end of a past day: what the values of the ledger add up to.

/** A select of item_id, storage_id, on_hand, reserved, cost and value. The ledger values an item over the whole company: its value is divided among
 * the storage locations by quantity, and what remains is counted at the first of them. `cost` is the average of that day, or null if nothing was on hand. */
export const valuesAt = (day: string): string => `
  select x.item_id, x.storage_id, x.on_hand, x.reserved, case when x.all_on_hand > 0 then round(x.all_value / x.all_on_hand, 6) end as cost,
    x.share + case when x.place = 1 then x.all_value - sum(x.share) over (partition by x.item_id) else 0 end as value
  from (
    select y.*, case when y.all_on_hand = 0 then 0 else round(y.all_value * y.on_hand / y.all_on_hand, 6) end as share
    from (
      select m.item_id, m.storage_id, sum(m.on_hand) as on_hand, sum(m.reserved) as reserved,
        sum(sum(m.on_hand)) over item as all_on_hand, sum(sum(m.value)) over item as all_value,
        row_number() over (partition by m.item_id order by m.storage_id) as place
      from stock_movements m where m.company_id = :company_id and m.date <= ${day}::date
      group by m.item_id, m.storage_id window item as (partition by m.item_id)) y) x`
