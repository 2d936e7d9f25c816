// Privileges of the role that requests run as, and policies for the owner of the tables. Roles belong to a database cluster and are not in a
// dump, so a database restored on another machine has neither: `migrate` restores them every time, and `audit` checks them.

import pg from 'pg'
import type { Invariant } from '../../kernel/invariant.ts'
import { sqlState } from '../process/faults.ts'
import { serverRole } from './connection.ts'

const rights = ['select', 'insert', 'update', 'delete'] as const

/** Tables on which the server has fewer privileges. The ledger and the events cannot be changed. */
const narrower: Readonly<Record<string, readonly (typeof rights)[number][]>> = {
  backfills: ['select'],
  companies: ['select', 'insert', 'update'],
  company_clock: ['select', 'insert', 'update'],
  daily_usage: ['select', 'insert', 'update'],
  events: ['select', 'insert'],
  further_sign_ins: ['select', 'insert', 'delete'],
  quotas: ['select', 'insert', 'update'],
  request_log: ['select', 'insert'],
  request_log_gaps: ['select', 'insert'],
  schema_expansions: ['select'],
  schema_migrations: ['select'],
  sign_ins: ['select', 'insert', 'delete'],
  stock_movements: ['select', 'insert'],
  test_companies: ['select', 'insert', 'update'],
  trusted_clock: ['select', 'update'],
  users: ['select', 'insert', 'update'],
  webhook_companies: ['select', 'insert', 'delete'],
  webhook_deliveries: ['select', 'insert', 'delete'],
}

/** The owner lists companies for the command line and does maintenance over all of them; otherwise it acts as one company at a time. */
const ownerPolicies = [
  { policy: 'owner_lists', table: 'companies', command: 'for select' },
  { policy: 'owner_keeps', table: 'idempotency_keys', command: '' },
  { policy: 'owner_keeps', table: 'request_log_gaps', command: '' },
  { policy: 'owner_keeps', table: 'request_log_other', command: '' },
  { policy: 'owner_keeps', table: 'sign_in_attempts', command: '' },
] as const

/** Whether the user of DATABASE_URL sees the companies: row level security does not apply to it, or the owner's policy does. */
export const seesEveryCompany = `
  select current_user as login, pg_has_role(current_user, t.relowner, 'usage') as owns,
    not row_security_active(t.oid) or exists (
      select from pg_policy p cross join unnest(p.polroles) role
      where p.polrelid = t.oid and p.polname = 'owner_lists' and pg_has_role(current_user, role, 'usage')) as sees
  from pg_class t where t.oid = 'companies'::regclass`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const wantedRows = Object.entries(narrower).flatMap(([table, wanted]) =>
  rights.map((right) => `(${literal(table)}, ${literal(right)}, ${wanted.includes(right)})`),
)

/** Every privilege on every table that is missing or too much. A partition is accessed through its table and needs none. */
const wrongRights = `
  select t.relname as table_name, p.privilege, coalesce(n.wanted, true) as wanted
  from pg_class t cross join unnest(array[${rights.map(literal).join(', ')}]) p (privilege)
  left join (values ${wantedRows.join(', ')}) n (table_name, privilege, wanted) on n.table_name = t.relname and n.privilege = p.privilege
  left join pg_roles r on r.rolname = ${literal(serverRole)}
  where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
    and case when t.relispartition then false else coalesce(n.wanted, true) end
      is distinct from coalesce(has_table_privilege(r.oid, t.oid, p.privilege), false)`

export const rightsInvariants: readonly Invariant[] = [
  {
    name: `the role ${serverRole} exists and cannot pass row level security`,
    sql: `select w.role, coalesce('has more rights than it may: ' || concat_ws(', ', case when r.rolsuper then 'superuser' end,
            case when r.rolbypassrls then 'bypassrls' end, case when r.rolcreaterole then 'createrole' end, case when r.rolcreatedb then 'createdb' end), 'is missing') as problem
          from (values (${literal(serverRole)})) w (role) left join pg_roles r on r.rolname = w.role
          where r.rolname is null or r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb`,
  },
  { name: `the role ${serverRole} has exactly the rights it needs`, sql: wrongRights },
  {
    name: 'every table of a company has a policy that keeps companies apart',
    sql: `select t.relname as table_name from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attname = 'company_id' and not a.attisdropped
          where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
            and not exists (select from pg_policy p where p.polrelid = t.oid)`,
  },
]

/**
 * Whether a role may act as another. Since PostgreSQL 16 a membership has options: who creates a role becomes a member who may only administer it,
 * and not act as it. Both are expressions of role ids.
 */
export const actsAs = (role: string, other: string): string =>
  `pg_has_role(${role}, ${other}, case when current_setting('server_version_num')::int >= ${membershipOptionsVersion} then 'set' else 'member' end)`

/** What an operator runs so that a login may act as the role of the server. */
export const grantOfServer = (login: string, version: number): string =>
  `grant ${serverRole} to ${pg.escapeIdentifier(login)}${membershipOptions(version)};`

const membershipOptionsVersion = 160_000
const membershipOptions = (version: number): string =>
  version >= membershipOptionsVersion ? ' with inherit true, set true' : ''

/** Without it every request fails. */
export const actInvariant: Invariant = {
  name: `the user of DATABASE_URL may act as ${serverRole}`,
  sql: `select current_user::text as login, r.rolname::text as role from pg_roles r
        where r.rolname = ${literal(serverRole)} and not ${actsAs('current_user::regrole::oid', 'r.oid')}`,
}

export class RightsError extends Error {}

/** Creates the role if the database cluster does not have it, and lets the current user act as it. */
export async function ensureServerRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; version: number }>(
    `select current_user as login, current_setting('server_version_num')::int as version`,
  )
  const { login = '', version = 0 } = rows[0] ?? {}
  try {
    const found = await client.query('select from pg_roles where rolname = $1', [serverRole])
    if (found.rowCount === 0) await createServerRole(client)
    const lacking = await client.query(actInvariant.sql)
    if (lacking.rowCount !== 0) await client.query(`grant ${serverRole} to current_user${membershipOptions(version)}`)
  } catch (error) {
    if (sqlState(error) !== '42501') throw error
    throw new RightsError(
      `The database user ${login} may not create the role ${serverRole}, or may not grant it to itself. Run once as a superuser:\n` +
        `  create role ${serverRole} nologin; ${grantOfServer(login, version)}\n` +
        'Leave out the first statement if the role exists.',
    )
  }
}

async function createServerRole(client: pg.Client): Promise<void> {
  try {
    await client.query(`create role ${serverRole} nologin nosuperuser nobypassrls nocreatedb nocreaterole`)
  } catch (error) {
    // Another database of this cluster was migrated at the same time.
    if (!['42710', '23505'].includes(sqlState(error) ?? '')) throw error
  }
}

/** Grants what is missing and revokes what is too much. Writes nothing if all privileges are correct. */
export async function restoreRights(client: pg.Client): Promise<void> {
  await client.query(
    `do $$ begin
       if not has_schema_privilege(${literal(serverRole)}, current_schema(), 'usage') then
         execute format('grant usage on schema %I to ${serverRole}', current_schema());
       end if;
     end $$`,
  )
  const wrong = await client.query<{ table_name: string; privilege: string; wanted: boolean }>(wrongRights)
  for (const { table_name: table, privilege, wanted } of wrong.rows) {
    const name = client.escapeIdentifier(table)
    await client.query(
      wanted ? `grant ${privilege} on ${name} to ${serverRole}` : `revoke ${privilege} on ${name} from ${serverRole}`,
    )
  }
  for (const { policy, table, command } of ownerPolicies) {
    const present = await client.query(
      `select from pg_policy where polrelid = $1::regclass and polname = $2 and current_user::regrole::oid = any(polroles)`,
      [table, policy],
    )
    if (present.rowCount !== 0) continue
    await client.query(`drop policy if exists ${policy} on ${table}`)
    await client.query(`create policy ${policy} on ${table} ${command} to current_user using (true)`)
  }
}

/** One sentence on the risk of the user in DATABASE_URL; `undefined` when there is none. */
export async function loginWarning(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ login: string; passes: boolean }>(
    'select rolname as login, rolsuper or rolbypassrls as passes from pg_roles where rolname = current_user',
  )
  return rows[0]?.passes === true
    ? `DATABASE_URL signs in as ${rows[0].login}, a superuser or one that passes row level security. Use a login of its own: see "The database" in docs/guides/operators.md.`
    : undefined
}
