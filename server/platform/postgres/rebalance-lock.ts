// The lock that is held while shards are moved and row level security does not apply to the owner of the tables.

export const rebalanceLock = "hashtextextended('kontor rebalance', 0)"

/** SQL: whether shards are being moved. */
export const isRebalancing = `exists (select from pg_locks where locktype = 'advisory' and objsubid = 1
  and database = (select oid from pg_database where datname = current_database())
  and (classid::bigint << 32 | objid::bigint) = ${rebalanceLock})`
