// Rules for the catalog and the text of statements that keep companies separated and make it possible to shard the
// schema. Each check returns its complaints. The tests and `kontor db check` use the same checks.

import { serverRole } from '../platform/postgres/connection.ts'
import { localTables, referenceTables } from '../platform/postgres/table-placement.ts'

export type Run = (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>

/** Tables about the schema, without a company. They stay on the coordinator. */
export const isBookkeeping = `t.name in (${localTables.map((name) => `'${name}'`).join(', ')})`

export const ofOurs = (classOf: string, oid: string, namespace: string): string => `
  ${namespace}::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')
  and ${namespace}::regnamespace::text not like 'pg\\_t%temp\\_%'
  and not exists (select from pg_depend e where e.classid = '${classOf}'::regclass and e.objid = ${oid} and e.deptype = 'e')`

export const ourTables = `(
  select c.oid, c.relname::text as name, c.relrowsecurity and c.relforcerowsecurity as walled, c.relpersistence as persistence,
    c.relispartition as is_partition
  from pg_class c where c.relkind in ('r', 'p') and ${ofOurs('pg_class', 'c.oid', 'c.relnamespace')}
)`

const column = (table: string, number: string): string =>
  `(select a.attname::text from pg_attribute a where a.attrelid = ${table} and a.attnum = ${number})`

const everyRight = 'select, insert, update, delete, truncate, references, trigger'

const lookedUpFirst = referenceTables.map((name) => `'${name}'`).join(', ')

/** Queries of one column, `complaint`. */
const queries = {
  // A partition is accessed through its parent, whose policies apply, as long as the server has no privilege on it.
  'row level security': `
    select t.name || ' has no row level security, or does not force it' as complaint from ${ourTables} t
    where not t.walled and not ${isBookkeeping}
      and not (t.is_partition and not has_table_privilege('${serverRole}', t.oid, '${everyRight}'))`,

  // Keys and emails are looked up before the company is known; the log inserts rows of many companies in one batch.
  policies: `
    select p.tablename || '.' || p.policyname || ' has no condition on the company' as complaint from pg_policies p
    where p.roles && array['public', '${serverRole}']::name[]
      and concat(p.qual, p.with_check) not like '%app.company_id%'
      and not (p.tablename in (${lookedUpFirst}) and p.cmd = 'SELECT')
      and not (p.tablename = 'request_log' and p.cmd = 'INSERT')`,

  // The hashes of a key and of an email are keys without the company: they are looked up before the company is known.
  'unique keys': `
    select i.indexrelid::regclass || ' does not start with company_id' as complaint
    from ${ourTables} t join pg_index i on i.indrelid = t.oid
    where i.indisunique and ${column('t.oid', 'i.indkey[0]')} is distinct from 'company_id'
      and not ${isBookkeeping} and not (t.name in (${lookedUpFirst}) and i.indisprimary)`,

  'primary keys': `
    select t.name || ' has no primary key' as complaint from ${ourTables} t
    where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`,

  'foreign keys': `
    select f.conrelid::regclass || '.' || f.conname || ' does not start with company_id on both sides' as complaint
    from ${ourTables} t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
    where ${column('f.conrelid', 'f.conkey[1]')} is distinct from 'company_id'
      or ${column('f.confrelid', 'f.confkey[1]')} is distinct from 'company_id'`,

  triggers: `
    select t.name || '.' || g.tgname || ' is a trigger' as complaint
    from ${ourTables} t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal`,

  sequences: `
    select s.relname || ' is a sequence' as complaint from pg_class s
    where s.relkind = 'S' and ${ofOurs('pg_class', 's.oid', 's.relnamespace')}
      and not exists (select from pg_depend d join ${ourTables} t on t.oid = d.refobjid
        where d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i') and ${isBookkeeping})`,

  functions: `
    select p.proname || ' runs with its owner''s rights' as complaint from pg_proc p
    where p.prosecdef and ${ofOurs('pg_proc', 'p.oid', 'p.pronamespace')}`,

  'unlogged tables': `
    select t.name || ' does not survive a crash' as complaint from ${ourTables} t where t.persistence <> 'p'`,

  // The duration of a request is a measurement, no calculation is based on it.
  'binary floating point': `
    select t.name || '.' || a.attname || ' is binary floating point' as complaint
    from ${ourTables} t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0
    where a.atttypid in ('real'::regtype, 'double precision'::regtype) and not (t.name like 'request\\_log%' and a.attname = 'duration_ms')`,
} as const

export type CatalogCheck = keyof typeof queries
export const catalogChecks = Object.keys(queries) as CatalogCheck[]

export const complaintTexts = (rows: readonly Record<string, unknown>[]): string[] =>
  rows.map((row) => String(row['complaint'])).sort()

export const catalogComplaints = async (run: Run, check: CatalogCheck): Promise<string[]> =>
  complaintTexts(await run(queries[check]))

/** Statements without a condition on the company, and why. */
const companyless: Readonly<Record<string, string>> = {
  'gate.find_key': 'a key is looked up by its hash, before its company is known',
  'sign_ins.find': 'an email is looked up by its hash, before its company is known',
  'webhooks.companies': 'lists the companies with webhooks, to look for messages in each of them',
  'imports.companies': 'lists the companies with unfinished imports, to continue them',
  'mails.companies': 'lists the companies with queued mails, to send them',
  'mails.shortage_companies': 'lists the companies with users who want a daily mail',
  'mails.find_companies':
    'an email is looked up by its hash: the request for a new password is passed on to its companies',
  'companies.find_timezone': 'reads the names of time zones, which belong to no company',
  'idempotency.lock': 'reads no table: it takes a lock in memory, named after the company and the key',
}
const filtersByCompany = /\bcompany_id\s*=\s*\$1\b/
const insertsForCompany =
  /\binsert\s+into\s+\w+(?:\s+as\s+\w+)?\s*\(\s*company_id\b[^)]*\)\s*(?:values\s*\(|select\s)\s*\$1\b/i

const changes = /\b(?:insert\s+into|merge\s+into|delete\s+from|(?<!\b(?:for|do|no\s+key)\s+)update\s+\w+)\b/gi
const rowSource =
  /\b(?:unnest|generate_series|jsonb?_(?:to_recordset|populate_recordset|array_elements(?:_text)?|each))\s*\(/i

/** Such rows go through the coordinator, which copies them to the shard: not possible with row level security. */
const selectsParameter =
  /\binsert\s+into\s+\w+\s*\(\s*company_id\b[^)]*\)\s*select\s+\$1\b[\s\S]*\bfrom\s+company_clock\b/i
const changesTable = /\b(?:insert\s+into|delete\s+from|update)\s+(\w+)/i
const readsTable = /(?<!\bdelete\s+)\b(?:from|join|using)\s+([a-z_]+)\b(?!\s*\()/gi

/** Citus 13.0 writes the name of the table before the columns it returns, where the statement for a shard has another name. */
const returnsSelected = /\binsert\s+into\s+\w+\s*\([^)]*\)\s*select\b[\s\S]*\breturning\b/i

export function statementComplaints(statements: ReadonlyMap<string, string>): string[] {
  return [...statements].flatMap(([name, text]) => {
    const sql = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').replace(/'(?:[^']|'')*'/g, "''")
    const changed = sql.match(changes) ?? []
    const complaints: string[] = []
    if (!filtersByCompany.test(sql) && !insertsForCompany.test(sql) && !(name in companyless)) {
      complaints.push('has no condition on the company')
    }
    if (/\bset_config\s*\(/i.test(sql))
      complaints.push('calls set_config, which Citus does not propagate to its workers')
    if (changed.length > 1)
      complaints.push(`changes data ${changed.length} times in one statement: use separate statements`)
    if (/\binsert\s+into\b/i.test(sql) && rowSource.test(sql) && !/\bcompany_clock\b/.test(sql)) {
      complaints.push('inserts rows of a function without joining company_clock')
    }
    if (changed.length > 0 && /\bcase\b(?!\s+when\b)/i.test(sql))
      complaints.push('has a CASE whose value Citus 13.0 loses: repeat the value in each branch')
    if (selectsParameter.test(sql))
      complaints.push(
        'inserts the company as a parameter into selected rows: select the column of the table that is read',
      )
    const changedTable = changesTable.exec(sql)?.[1] ?? ''
    const others = [...sql.matchAll(readsTable)]
      .map((match) => match[1] ?? '')
      .filter((read) => !referenceTables.includes(read))
    if (referenceTables.includes(changedTable) && others.length > 0)
      complaints.push(`changes ${changedTable}, which every node has, and reads ${others.join(', ')}`)
    if (returnsSelected.test(sql) && !/\bon\s+conflict\b/i.test(sql))
      complaints.push('inserts selected rows and returns columns without an alias of the table')
    return complaints.map((complaint) => `${name} ${complaint}`)
  })
}
