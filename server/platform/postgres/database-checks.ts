// What PostgreSQL has to be like for Kontor. Each check is a line of `kontor doctor`; `migrate`, `serve` and `audit` use those that concern them.

import type pg from 'pg'
import { sqlState } from '../process/faults.ts'
import { type ConnectionNeed, checkClock, checkConnections, checkDisk, checkSettings } from './capacity-checks.ts'
import { serverRole } from './connection.ts'
import { type Finding, rowOf } from './finding.ts'
import { knownMigrations } from './migration-file.ts'
import { actsAs, grantOfServer, loginWarning, rightsInvariants } from './rights.ts'
import { appliedMigrations, incompatibility, migrationsTable, schemaDifference } from './schema-version.ts'

const oldestVersion = 150_000

const versionOf = (client: pg.Client) =>
  rowOf<{ number: number; text: string }>(
    client,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  )

export async function checkVersion(client: pg.Client): Promise<Finding> {
  const { number, text } = await versionOf(client)
  return versionFinding(number, text)
}

export const versionFinding = (number: number, text: string): Finding =>
  number >= oldestVersion
    ? { check: 'version', level: 'ok', text: `PostgreSQL ${text}` }
    : {
        check: 'version',
        level: 'error',
        text: `This is PostgreSQL ${text}.`,
        advice: 'Kontor needs PostgreSQL 15 or later: upgrade the database server.',
      }

/** Whether the login owns the tables; null while there are none. */
const ownership = (client: pg.Client) =>
  rowOf<{ login: string; owns: boolean | null }>(
    client,
    `select current_user as login, (select pg_has_role(current_user, relowner, 'usage') from pg_class where oid = to_regclass('companies')) as owns`,
  )

export async function checkLogin(client: pg.Client): Promise<Finding> {
  const warning = await loginWarning(client)
  if (warning !== undefined) return { check: 'login', level: 'warning', text: warning }
  const { login, owns } = await ownership(client)
  const text =
    owns === null
      ? 'there are no tables yet'
      : owns
        ? 'owns the tables: it migrates, maintains and audits'
        : 'owns no tables: for "kontor serve --no-migrate"'
  return { check: 'login', level: 'ok', text: `${login}, no superuser; ${text}` }
}

type Member = {
  readonly login: string
  readonly acts: boolean
  readonly inherits: boolean
  readonly current: boolean
  readonly version: number
}

const findMembers = `
  select r.rolname as login, ${actsAs('r.oid', 's.oid')} as acts, pg_has_role(r.oid, s.oid, 'usage') as inherits,
    r.rolname = current_user as current, current_setting('server_version_num')::int as version
  from pg_roles s join pg_roles r on r.rolname = current_user or (r.rolcanlogin and not r.rolsuper and pg_has_role(r.oid, s.oid, 'member'))
  where s.rolname = '${serverRole}' order by r.rolname = current_user desc, r.rolname`

/** The role that requests run as, and the logins that may act as it. */
export async function checkRole(client: pg.Client): Promise<Finding[]> {
  const members = (await client.query<Member>(findMembers)).rows
  if (members.length === 0) return [await missingRole(client)]
  const { owns } = await ownership(client)
  return members.map((member) => membershipFinding(member, owns ?? true))
}

async function missingRole(client: pg.Client): Promise<Finding> {
  const { login, creates, version } = await rowOf<{ login: string; creates: boolean; version: number }>(
    client,
    `select current_user as login, rolsuper or rolcreaterole as creates, current_setting('server_version_num')::int as version
     from pg_roles where rolname = current_user`,
  )
  const advice = creates
    ? 'Run "kontor migrate": it creates the role.'
    : `Run as a superuser: create role ${serverRole} nologin; ${grantOfServer(login, version)}`
  return { check: 'role', level: 'error', text: `The role ${serverRole} does not exist.`, advice }
}

function membershipFinding(member: Member, owns: boolean): Finding {
  const { login, acts, inherits, current } = member
  // The owner reads its own tables; every other login reads the state of the schema with the rights of the role.
  if (acts && (inherits || (current && owns)))
    return { check: 'role', level: 'ok', text: `${login} may act as ${serverRole}` }
  return {
    check: 'role',
    level: current ? 'error' : 'warning',
    text: acts
      ? `${login} does not inherit the rights of ${serverRole}.`
      : `${login} may not act as ${serverRole} (SET ROLE).`,
    advice: `Run as a superuser: ${grantOfServer(login, member.version)}`,
  }
}

/** Some tables, views and sequences that no extension brought along. */
const findContent = `
  select current_database() as database, current_schema() is not null as has_schema,
    (select count(*) = 2 from pg_attribute where attrelid = to_regclass('${migrationsTable}') and attname in ('name', 'run_on')) as has_list,
    array(select c.relname::text from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and c.relname <> '${migrationsTable}'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by c.relname limit 5) as tables,
    to_regclass('${migrationsTable}') is not null as has_other_list`

/** Whether the database is empty or Kontor's. Anything else is not touched: its name was probably mistyped. */
export async function checkContent(client: pg.Client, known: readonly string[] = knownMigrations()): Promise<Finding> {
  const content = await rowOf<{
    database: string
    has_schema: boolean
    has_list: boolean
    has_other_list: boolean
    tables: string[]
  }>(client, findContent)
  const { database, tables } = content
  const foreign = (text: string): Finding => ({
    check: 'content',
    level: 'error',
    text: `The database ${database} ${text}.`,
    advice: 'Nothing was changed. Check the name in DATABASE_URL: Kontor needs a database of its own.',
  })
  if (!content.has_schema) return foreign('has no schema that search_path names')
  if (content.has_other_list && !content.has_list) return foreign(`has a table ${migrationsTable} of another program`)
  const applied = content.has_list ? await appliedMigrations(client) : []
  if (applied.some(({ name }) => known.includes(name)))
    return { check: 'content', level: 'ok', text: `${database} is a database of Kontor` }
  if (applied.length > 0) return foreign(`was migrated by another program (${applied[0]?.name})`)
  if (tables.length > 0) return foreign(`contains tables of another program: ${tables.join(', ')}`)
  return { check: 'content', level: 'ok', text: `${database} is empty` }
}

/** Whether the schema is that of this version. A new database is not an error for `migrate`. */
export async function checkSchema(client: pg.Client): Promise<Finding> {
  const content = await checkContent(client)
  if (content.level === 'error') return content
  const applied = await appliedMigrations(client)
  const difference = schemaDifference(applied)
  const reason = incompatibility(difference)
  if (reason !== undefined) return { check: 'schema', level: 'error', text: reason }
  if (applied.length === 0)
    return {
      check: 'schema',
      level: 'error',
      text: 'The database has no tables of Kontor.',
      advice: 'Check that DATABASE_URL names the right database, then run "kontor migrate".',
    }
  if (difference.missing.length > 0)
    return {
      check: 'schema',
      level: 'error',
      text: `The database lacks ${difference.missing.join(', ')}.`,
      advice: 'Run "kontor migrate" as the owner of the tables.',
    }
  return { check: 'schema', level: 'ok', text: `${applied.length} migrations, the newest is ${applied.at(-1)?.name}` }
}

/** Privileges and policies, which a restored dump lacks. */
export async function checkRights(client: pg.Client): Promise<Finding[]> {
  const broken: Finding[] = []
  for (const { name, sql } of rightsInvariants) {
    const { rows } = await client.query(`select * from (${sql}) broken limit 100`)
    if (rows.length > 0)
      broken.push({
        check: 'rights',
        level: 'error',
        text: `Not true: ${name} (${rows.length === 100 ? 'at least 100' : rows.length}, such as ${JSON.stringify(rows[0])}).`,
        advice: 'Run "kontor migrate" as the owner of the tables.',
      })
  }
  return broken.length > 0 ? broken : [{ check: 'rights', level: 'ok', text: `${serverRole} has the rights it needs` }]
}

/** Everything, for `kontor doctor`. What a check may not read is an error of that check, and the others go on. */
export async function checkAll(client: pg.Client, need: ConnectionNeed): Promise<Finding[]> {
  const version = await checkVersion(client)
  // The other checks read what an older PostgreSQL does not have.
  if (version.level === 'error') return [version]
  const role = await tried('role', () => checkRole(client))
  const schema = await tried('schema', () => checkSchema(client))
  // Without the role or the tables there are no privileges to compare.
  const hasRights = ![...role, ...schema].some(({ level }) => level === 'error')
  return [
    version,
    ...(await tried('login', () => checkLogin(client))),
    ...role,
    ...schema,
    ...(hasRights ? await tried('rights', () => checkRights(client)) : []),
    ...(await tried('settings', () => checkSettings(client))),
    ...(await tried('clock', () => checkClock(client))),
    ...(await tried('disk', () => checkDisk(client))),
    ...(await tried('connections', () => checkConnections(client, need))),
  ]
}

async function tried(check: string, run: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await run()].flat()
  } catch (error) {
    if (sqlState(error) === undefined) throw error
    const text = `Could not be checked: ${error instanceof Error ? error.message : error}.`
    return [{ check, level: 'error', text, advice: 'Run this as the owner of the tables.' }]
  }
}
