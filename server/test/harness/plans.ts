// The plans of declared statements.

import pg from 'pg'
import { type DeclaredStatement, declaredStatements } from '../../kernel/statement.ts'
import { notOnCluster } from './citus.ts'
import { databaseUrl } from './database.ts'

/** For tests of plans. A coordinator shows how it distributes a statement; how it is executed is planned by the workers. */
export const skipOnCluster = notOnCluster('the statements of a cluster are planned by its workers')

/** The indexes that a plan in JSON reads. On a worker of a cluster their names end in the number of the shard. */
export const indexesIn = (plan: string): string[] =>
  [...plan.matchAll(/"Index Name":"(\w+?)(?:_\d{6,})?"/g)].map(([, name = '']) => name)

/**
 * The plans of the declared statements that are wanted, by their names. They are those that the server gets: made once for all companies, with row level
 * security. The tables of the tests are small, so that many plans would cost the same: until the rollback their statistics are those of large ones.
 * Empty tables have none: they are not read whole, either.
 */
export async function plansOf(
  isWanted: (name: string, statement: DeclaredStatement) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const plans = new Map<string, string>()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    await client.query(`begin;
      update pg_class set relpages = 1, reltuples = 1000000 where relnamespace = 'public'::regnamespace and relkind in ('r', 'i');
      set local role kontor_server; set local app.company_id = '1'; set local plan_cache_mode = force_generic_plan;
      set local enable_seqscan = off`)
    for (const [name, one] of declaredStatements()) {
      if (!isWanted(name, one)) continue
      await client.query(`prepare one as ${one.text}`)
      const nulls = one.parameters.map(() => 'null').join(', ')
      const { rows } = await client.query(`explain execute one(${nulls})`)
      await client.query('deallocate one')
      plans.set(name, rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
  } finally {
    await client.end()
  }
  return plans
}
