// Rules for migrations, so that a release can be installed and rolled back while the service runs. An expanding migration leaves everything in place
// that an older version needs; a contracting one removes it, a release later. Neither blocks requests for long.

import { isExpanding, lastOfBaseline, type Migration, withoutComments } from '../../platform/postgres/migration-file.ts'
import { statementsOf } from '../../platform/postgres/sql-text.ts'

/** Tables with few rows for each company: reading or changing all of their rows takes no time worth mentioning. */
const smallTables = ['api_keys', 'backfills', 'companies', 'company_clock', 'schema_migrations', 'users']

type Rule = {
  /** What a statement must not contain, in lower case with single blanks. */
  readonly pattern: RegExp
  readonly complaint: string
  /** Also for contracting migrations, because it blocks requests. */
  readonly always?: boolean
  /** Allowed on small tables and on those that the migration itself creates. The table is the first group of the pattern. */
  readonly unlessEmpty?: boolean
}

const onTable = String.raw`^alter table (?:only )?(?:if exists )?(\w+)\b.*`

const rules: readonly Rule[] = [
  {
    // A check that is replaced in the same statement still exists for an older version; the other rules apply to the new one.
    pattern: /\bdrop (?!not null\b|policy if exists\b|constraint (\w+_check), add constraint \1 check\b)/,
    complaint: 'drops something that an older version may need',
  },
  { pattern: /\brename\b/, complaint: 'renames something that an older version uses' },
  { pattern: /\brevoke\b/, complaint: 'revokes a privilege that an older version may need' },
  { pattern: /\bset not null\b/, complaint: 'sets not null: an older version may write null' },
  {
    pattern: new RegExp(
      `${onTable}\\badd (?:column )?(?:if not exists )?(?!constraint\\b|check\\b|foreign\\b|unique\\b|primary\\b|exclude\\b)\\w+ [^,]*\\bnot null\\b(?![^,]*\\bdefault\\b)(?<!\\bdefault\\b[^,]*)`,
    ),
    complaint: 'adds a column that is not null and has no default: an older version cannot insert',
    unlessEmpty: false,
  },
  {
    pattern: new RegExp(`${onTable}\\badd (?:constraint \\w+ )?(?:unique|exclude)\\b`),
    complaint: 'adds a constraint that an older version may violate',
  },
  {
    pattern: new RegExp(`${onTable}\\b(?:set data )?type\\b`),
    complaint: 'changes the type of a column, which rewrites the table',
    always: true,
    unlessEmpty: true,
  },
  {
    pattern: new RegExp(
      `${onTable}\\b(?:(?:small|big)?serial\\b|generated\\b|default (?:clock_timestamp|random|gen_random_uuid|nextval)\\b)`,
    ),
    complaint: 'adds a column whose value differs from row to row, which rewrites the table',
    always: true,
    unlessEmpty: true,
  },
  {
    pattern: new RegExp(`${onTable}\\b(?:check ?\\(|foreign key\\b|references\\b)(?!.*\\bnot valid\\b)`),
    complaint:
      'adds a constraint without "not valid", which reads the table while requests wait; validate it in a later migration',
    always: true,
    unlessEmpty: true,
  },
  {
    pattern: /^create (?:unique )?index (?!concurrently\b)(?:if not exists )?(?:\w+ )?on (?:only )?(\w+)/,
    complaint: 'builds an index while writes wait: use "create index concurrently"',
    always: true,
    unlessEmpty: true,
  },
  {
    pattern: /^(?:update|delete from|truncate(?: table)?) (?:only )?(\w+)/,
    complaint: 'changes rows in one transaction: declare a backfill',
    always: true,
    unlessEmpty: true,
  },
  {
    pattern:
      /^(?:vacuum full|cluster|lock table|reindex(?! \w+ concurrently))\b|\bset (?:un)?logged\b|\bset tablespace\b/,
    complaint: 'blocks requests',
    always: true,
  },
]

export type MigrationFacts = {
  /** Versions that were released, from the changelog. */
  readonly released: readonly string[]
  /** Names of the declared backfills. */
  readonly backfills: readonly string[]
}

/** One line for every part of a migration that breaks a rule. Migrations of the baseline are exempt. */
export function migrationComplaints(migration: Migration, { released, backfills }: MigrationFacts): string[] {
  const { name, sql, oldestVersion, requiredBackfills, isConcurrent } = migration
  if (name <= lastOfBaseline) return []
  const statements = readableStatements(sql)
  const created = statements.flatMap((text) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? [])
  const mayScan = new Set([...smallTables, ...created])
  const applied = isExpanding(migration) ? rules : rules.filter(({ always }) => always === true)
  const found = statements.flatMap((text) =>
    applied.flatMap(({ pattern, complaint, unlessEmpty }) => {
      const match = pattern.exec(text)
      if (match === null || (unlessEmpty === true && mayScan.has(match[1] ?? ''))) return []
      return [`${name} ${complaint}: ${text.slice(0, 100)}`]
    }),
  )
  if (/contract/i.test(sql.split('\n', 1)[0] ?? '') && oldestVersion === undefined)
    found.push(`${name} has no valid header: "-- Contracts: not needed since 1.2.3"`)
  if (oldestVersion !== undefined && !released.includes(oldestVersion))
    found.push(
      `${name} removes what version ${oldestVersion} does not need, which is not released yet: wait for the release after it`,
    )
  for (const one of requiredBackfills)
    if (!backfills.includes(one)) found.push(`${name} requires the backfill ${one}, which is not declared`)
  if (isConcurrent && !statements.every((text) => concurrentStatement.test(text)))
    found.push(
      `${name} builds an index concurrently: put everything else into another migration, which can be a transaction`,
    )
  return found
}

const concurrentStatement =
  /^(?:create (?:unique )?index concurrently \w+ on|drop index concurrently if exists|comment on index) /

/** Lower case, single blanks, without comments and quoted text. Code between dollar signs is read like other statements. */
const readableStatements = (sql: string): string[] =>
  statementsOf(
    withoutComments(sql)
      .replace(/'(?:[^']|'')*'/g, "''")
      .replace(/\$\w*\$/g, ';'),
  ).map((text) =>
    text
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/^(?:do|begin|declare|execute|perform) /, ''),
  )

/** The headings of released versions: "## 1.0.0 (2026-11-16)" or "## [1.0.0] - 2026-11-16". */
export const releasedVersions = (changelog: string): string[] =>
  [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)\b/gm)].map(([, version = '']) => version)
