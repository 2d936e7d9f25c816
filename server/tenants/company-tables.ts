// The tables that hold rows of companies, read from the catalog: a new table is exported and deleted without being listed anywhere.

import type pg from 'pg'

export type Column = { readonly name: string; readonly type: string; readonly isGenerated: boolean }
export type Reference = {
  readonly to: string
  readonly columns: readonly string[]
  readonly toColumns: readonly string[]
  /** Checked by COMMIT, so that two tables can refer to each other. */
  readonly isDeferred: boolean
}
export type CompanyTable = {
  readonly name: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  readonly references: readonly Reference[]
}

const read = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'isGenerated', a.attgenerated <> '') order by a.attnum)
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select json_agg(a.attname order by k.at) from pg_index i, unnest(i.indkey::int2[]) with ordinality k (attnum, at), pg_attribute a
       where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as key,
    (select coalesce(json_agg(json_build_object('to', f.confrelid::regclass::text, 'isDeferred', f.condeferred,
         'columns', (select json_agg(a.attname order by k.at) from unnest(f.conkey) with ordinality k (attnum, at), pg_attribute a
                     where a.attrelid = f.conrelid and a.attnum = k.attnum),
         'toColumns', (select json_agg(a.attname order by k.at) from unnest(f.confkey) with ordinality k (attnum, at), pg_attribute a
                       where a.attrelid = f.confrelid and a.attnum = k.attnum))), '[]')
       from pg_constraint f where f.conrelid = c.oid and f.contype = 'f') as references
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped)
  order by c.relname`

/** Tables that refer to others come before them. Partitions are part of their table. */
export async function readCompanyTables(client: pg.Client): Promise<CompanyTable[]> {
  const { rows } = await client.query<CompanyTable>(read)
  return referringFirst(rows)
}

/** References within a table and those that COMMIT checks do not count: `companies` and `storages` refer to each other. */
export function referringFirst(tables: readonly CompanyTable[]): CompanyTable[] {
  const ordered: CompanyTable[] = []
  // As late as possible: what a deferred reference points to can only be deleted together with the table that refers to it.
  const left = [
    ...tables.filter((table) => !isDeferredTarget(tables, table)),
    ...tables.filter((table) => isDeferredTarget(tables, table)),
  ]
  const isReferredTo = ({ name }: CompanyTable): boolean =>
    left.some(
      (other) => other.name !== name && other.references.some(({ to, isDeferred }) => to === name && !isDeferred),
    )
  while (left.length > 0) {
    const at = left.findIndex((table) => !isReferredTo(table))
    if (at < 0) throw new Error(`these tables refer to each other: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...left.splice(at, 1))
  }
  return ordered
}

export const isDeferredTarget = (tables: readonly CompanyTable[], { name }: CompanyTable): boolean =>
  tables.some(({ references }) => references.some(({ to, isDeferred }) => to === name && isDeferred))
