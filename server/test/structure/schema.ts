// Further checks of the catalog: numeric columns refuse NaN, tables have comments, and the role of requests has no more rights than it
// needs. Each check returns complaints: none when everything is correct.

import { complaintTexts, isBookkeeping, ourTables, type Run } from '../../cluster/sharding-rules.ts'
import { serverRole } from '../../platform/postgres/connection.ts'

/** Numbers that no column may contain. NaN passes every `>` comparison in PostgreSQL, so a check must be evaluated, not read. */
const beyond = ["'NaN'::numeric", "'1e60'::numeric", "'-1e60'::numeric"]

/** Evaluates the checks of every numeric column on NaN and on numbers that are far too large. A declared precision limits the numbers, but not NaN. */
export async function numericComplaints(run: Run): Promise<string[]> {
  const columns = await run(`
    select t.name, a.attname::text as column_name, a.atttypmod <> -1 as is_limited, array_agg(pg_get_expr(c.conbin, c.conrelid)) filter (where c.conbin is not null) as checks,
      (select jsonb_object_agg(o.attname, format_type(o.atttypid, null)) from pg_attribute o
        where o.attrelid = t.oid and o.attnum > 0 and not o.attisdropped) as columns
    from ${ourTables} t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and a.atttypid = 'numeric'::regtype
    left join pg_constraint c on c.conrelid = t.oid and c.contype = 'c' and a.attnum = any (c.conkey)
    group by t.oid, t.name, a.attname, a.atttypmod order by 1, 2`)
  const complaints: string[] = []
  for (const { name, column_name, is_limited, checks, columns: types } of columns) {
    // In the other columns, numbers are 1 and everything else is null.
    const row = (value: string): string =>
      Object.entries(types as Record<string, string>)
        .map(([other, type]) => {
          const isNumber = ['numeric', 'bigint', 'integer', 'smallint'].includes(type)
          return `${other === column_name ? value : isNumber ? `1::${type}` : `null::${type}`} as "${other}"`
        })
        .join(', ')
    const refused = async (value: string, check: string): Promise<boolean> =>
      (await run(`select (${check}) as passes from (select ${row(value)}) one`))[0]?.['passes'] === false
    const bounding: string[] = []
    // A check that also refuses an ordinary number says nothing about this one.
    for (const check of (checks ?? []) as string[]) if (!(await refused('1::numeric', check))) bounding.push(check)
    for (const value of beyond) {
      let isRefused = is_limited === true && !value.includes('NaN')
      for (const check of bounding) isRefused ||= await refused(value, check)
      if (!isRefused) complaints.push(`${name}.${column_name} takes ${value}`)
    }
  }
  return complaints
}

/** Tables that are planned for the average company, which has hardly any rows, and not for a large one. */
export async function planComplaints(run: Run): Promise<string[]> {
  return complaintTexts(
    await run(
      `select t.name || '.' || a.attname || ' is planned by what the average company has: set its n_distinct' as complaint
       from ${ourTables} t join pg_class c on c.oid = t.oid and c.relkind = 'r' and not c.relispartition
       join pg_attribute a on a.attrelid = t.oid and a.attname in ('company_id', 'id') and not a.attisdropped
       where exists (select from pg_attribute k where k.attrelid = t.oid and k.attname = 'company_id' and not k.attisdropped)
         and not exists (select from unnest(a.attoptions) o where o like 'n_distinct=%')`,
    ),
  )
}

/** Tables without a comment, and check constraints over several columns that PostgreSQL named itself: `sales_check`, `sales_check1`. */
export async function explanationComplaints(run: Run): Promise<string[]> {
  return complaintTexts(
    await run(
      `select t.name || ' has no comment' as complaint from ${ourTables} t
       where not t.is_partition and obj_description(t.oid, 'pg_class') is null
       union all
       select t.name || '.' || k.conname || ' has no chosen name' from ${ourTables} t
       join pg_constraint k on k.conrelid = t.oid and k.contype = 'c'
       where k.conname ~ ('^' || t.name || '_check[0-9]*$') order by 1`,
    ),
  )
}

/** What the role of requests must not be or be allowed to do. */
export async function roleComplaints(run: Run, role: string = serverRole): Promise<string[]> {
  const rows = await run(
    `with role as (select oid, rolname from pg_roles where rolname = $1)
     select 'there is no role ' || $1 as complaint where not exists (select from role)
     union all
     select 'may become ' || r.rolname || ', whom no policy holds' from role, pg_roles r
     where pg_has_role(role.oid, r.oid, 'member') and (r.rolsuper or r.rolbypassrls)
     union all
     select 'owns or may own ' || pg_describe_object(d.classid, d.objid, d.objsubid) from role, pg_shdepend d
     where d.refclassid = 'pg_authid'::regclass and d.deptype = 'o' and d.dbid = (select oid from pg_database where datname = current_database())
       and pg_has_role(role.oid, d.refobjid, 'member')
     union all
     select 'may ' || kind || ' on ' || t.name from role, ${ourTables} t, unnest(array['update', 'delete']) kind
     where t.name in ('events', 'stock_movements')
       and (has_table_privilege(role.oid, t.oid, kind) or kind = 'update' and has_any_column_privilege(role.oid, t.oid, kind))
     union all
     select 'may ' || kind || ' on ' || t.name from role, ${ourTables} t, unnest(array['insert', 'update', 'delete', 'references', 'trigger']) kind
     where ${isBookkeeping} and has_table_privilege(role.oid, t.oid, kind)
       -- The servers record the time.
       and (t.name, kind) <> ('trusted_clock', 'update')
     union all
     select 'may truncate ' || t.name || ', which no policy holds back' from role, ${ourTables} t
     where has_table_privilege(role.oid, t.oid, 'truncate')`,
    [role],
  )
  return complaintTexts(rows)
}
