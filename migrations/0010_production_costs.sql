-- What is used is kept to the millionth, like the value of every movement: the hours of one production may end in half a cent, and rounding
-- them before they enter the value of what is made would lose it.
alter table production_uses drop constraint production_uses_cost_check;
alter table production_uses
  alter column cost type numeric(36, 6),
  add constraint production_uses_cost_check check (cost between -1e29 and 1e29);
