// Plans the distribution of a migrated database: from its catalog to a list of SQL steps. Pure. Steps that are already
// done are left out, so an interrupted run can be continued.

import { localTables, referenceTables } from '../platform/postgres/table-placement.ts'

export type ForeignKey = {
  readonly table: string
  readonly name: string
  readonly references: string
  readonly definition: string
}

export type Placement =
  | { readonly kind: 'reference' }
  | { readonly kind: 'distributed'; readonly column: string; readonly group: number }

export type Table = {
  readonly name: string
  /** It has a company_id. */
  readonly ofCompany: boolean
  readonly partitionOf: string | null
  /** It has partitions, and therefore no rows of its own. */
  readonly isPartitioned: boolean
  /** Row level security applies to its owner too. */
  readonly isForced: boolean
  /** It has data on this server outside the shards. */
  readonly hasLocalRows: boolean
  /** How Citus stores it; null for an ordinary table. */
  readonly placement: Placement | null
}

export type Catalog = {
  readonly tables: readonly Table[]
  readonly foreignKeys: readonly ForeignKey[]
  /** The role that requests run as may log in. */
  readonly serverMayLogIn: boolean
  /** The current user bypasses row level security. */
  readonly passesRowSecurity: boolean
}

export type Step = { readonly why: string; readonly sql: string }

/** The database cannot be distributed in its current state. */
export class NotDistributable extends Error {}

/** All tables of a company are colocated with this one. */
const first = 'companies'
const column = 'company_id'

/**
 * Foreign keys that close a circle. Citus distributes a table only after those it refers to, so these are dropped first and added again last; they are
 * listed here because they are not in the catalog when a run was interrupted in between.
 */
export const circleClosing: readonly ForeignKey[] = ['products_storage_id', 'materials_storage_id'].map((storage) => ({
  table: first,
  name: `companies_company_id_${storage}_fkey`,
  references: 'storages',
  definition: `FOREIGN KEY (company_id, ${storage}) REFERENCES storages(company_id, id) DEFERRABLE INITIALLY DEFERRED`,
}))

export const defaultShards = 64

export function planDistribution(catalog: Catalog, serverRole: string, shards: number = defaultShards): Step[] {
  refuseUnknown(catalog)
  const circles = circleSteps(catalog)
  return [
    ...loginSteps(catalog, serverRole),
    ...referenceSteps(catalog),
    ...circles.dropped,
    ...distributionSteps(catalog, shards),
    ...circles.restored,
    ...securitySteps(catalog),
    ...emptyingSteps(catalog),
  ]
}

const partitionsOf = ({ tables }: Catalog, name: string): Table[] =>
  tables.filter(({ partitionOf }) => partitionOf === name)

const loginSteps = ({ serverMayLogIn }: Catalog, serverRole: string): Step[] =>
  serverMayLogIn
    ? []
    : [
        {
          why: `Citus connects to the workers as the role that a request runs as, so that role must be allowed to log in. The workers must accept connections of the coordinator as ${serverRole} (pg_hba.conf, or pg_dist_authinfo).`,
          sql: `alter role ${serverRole} login`,
        },
      ]

const referenceSteps = (catalog: Catalog): Step[] =>
  catalog.tables
    .filter(({ name, placement }) => referenceTables.includes(name) && placement === null)
    .flatMap((table) =>
      withSecuritySuspended([table], catalog, {
        why: `${table.name} is read before the company is known: every worker gets a copy.`,
        sql: `select create_reference_table('${table.name}')`,
      }),
    )

/** Foreign keys that close a circle are dropped before the tables are distributed, and added again afterwards. */
function circleSteps(catalog: Catalog): { dropped: Step[]; restored: Step[] } {
  const { tables, foreignKeys } = catalog
  const isPlaced = (wanted: string): boolean => tables.find(({ name }) => name === wanted)?.placement != null
  const exists = (key: ForeignKey): boolean => foreignKeys.some(({ name }) => name === key.name)
  const isDone = (key: ForeignKey): boolean => exists(key) && isPlaced(key.table) && isPlaced(key.references)
  const dropped = circleClosing
    .filter((key) => exists(key) && !isDone(key))
    .map((key) => ({
      why: `${key.table} and ${key.references} refer to each other, and Citus distributes a table only after those it refers to. This foreign key is added again below.`,
      sql: `alter table ${key.table} drop constraint ${key.name}`,
    }))
  // It is checked against the rows, which the owner does not see while row level security is forced.
  const restored = circleClosing
    .filter((key) => !isDone(key))
    .flatMap((key) =>
      withSecuritySuspended(
        tables.filter(({ name }) => name === key.table || name === key.references),
        catalog,
        {
          why: `The foreign key from ${key.table} to ${key.references}, now between colocated shards.`,
          sql: `alter table ${key.table} add constraint ${key.name} ${key.definition}`,
        },
      ),
    )
  return { dropped, restored }
}

const distributionSteps = (catalog: Catalog, shards: number): Step[] =>
  distributionOrder(catalog)
    .filter((table) => table.placement === null)
    .flatMap((table) => {
      const partitions = partitionsOf(catalog, table.name)
      const parts = partitions.length === 0 ? '' : ` and its ${partitions.length} partitions`
      return withSecuritySuspended(
        [table, ...partitions],
        catalog,
        table.name === first
          ? {
              why: `The companies themselves, over ${shards} shards by ${column}. All other data of a company will be colocated with its row here.`,
              sql: `select create_distributed_table('${first}', '${column}', colocate_with => 'none', shard_count => ${shards})`,
            }
          : {
              why: `${table.name}${parts}, colocated with the companies. Its rows are copied into the shards.`,
              sql: `select create_distributed_table('${table.name}', '${column}', colocate_with => '${first}')`,
            },
      )
    })

const securitySteps = ({ tables }: Catalog): Step[] =>
  tables
    .filter(({ name, isForced }) => !isForced && !localTables.includes(name))
    .map(({ name }) => ({
      why: `Row level security on ${name} holds for its owner again.`,
      sql: `alter table ${name} force row level security`,
    }))

/** Referencing tables first, because truncating a table also truncates those that still refer to it. */
const emptyingSteps = (catalog: Catalog): Step[] =>
  [...distributionOrder(catalog).reverse(), ...catalog.tables.filter(({ name }) => referenceTables.includes(name))]
    .flatMap((table) => (table.isPartitioned ? partitionsOf(catalog, table.name) : [table]))
    .filter(({ hasLocalRows }) => hasLocalRows)
    .map(({ name }) => ({
      why: `The rows of ${name} are in the shards; the local copies are removed.`,
      sql: `select truncate_local_data_after_distributing_table('${name}')`,
    }))

/** The step, with row level security suspended for the owner if necessary, because neither COPY nor the check of a foreign key bypasses it. */
function withSecuritySuspended(tables: readonly Table[], { passesRowSecurity }: Catalog, step: Step): Step[] {
  const forced = passesRowSecurity ? [] : tables.filter(({ isForced }) => isForced)
  return [
    ...forced.map(({ name }) => ({
      why: `The rows of ${name} are loaded by its owner: row level security is suspended for the owner only, until the next steps.`,
      sql: `alter table ${name} no force row level security`,
    })),
    step,
    ...forced.map(({ name }) => ({
      why: `Row level security on ${name} holds for its owner again.`,
      sql: `alter table ${name} force row level security`,
    })),
  ]
}

/** Tables of a company, each after those it refers to, the companies first; without partitions. */
function distributionOrder({ tables, foreignKeys }: Catalog): Table[] {
  const waiting = tables
    .filter(({ name, ofCompany, partitionOf }) => ofCompany && partitionOf === null && !referenceTables.includes(name))
    .toSorted((a, b) => Number(b.name === first) - Number(a.name === first) || (a.name < b.name ? -1 : 1))
  const ordered: Table[] = []
  while (waiting.length > 0) {
    const at = waiting.findIndex(
      (table) =>
        !foreignKeys.some(
          (key) =>
            key.table === table.name &&
            key.references !== table.name &&
            !circleClosing.some(({ name }) => name === key.name) &&
            waiting.some(({ name }) => name === key.references),
        ),
    )
    const next = waiting.splice(at === -1 ? 0 : at, at === -1 ? 0 : 1)[0]
    if (next === undefined) {
      const names = waiting.map(({ name }) => name).join(', ')
      throw new NotDistributable(
        `foreign keys lead in a circle among ${names}: one of them must be listed in circleClosing`,
      )
    }
    ordered.push(next)
  }
  return ordered
}

/** Refuses tables that are not planned for, and tables that were distributed differently by hand. */
function refuseUnknown({ tables, foreignKeys }: Catalog): void {
  const companies = tables.find(({ name }) => name === first)
  if (companies === undefined) throw new NotDistributable('there is no table of companies: run "kontor migrate" first')
  const group = companies.placement?.kind === 'distributed' ? companies.placement.group : undefined
  for (const { name, ofCompany, placement, partitionOf } of tables) {
    const known = ofCompany || localTables.includes(name)
    if (!known) throw new NotDistributable(`${name} has no ${column} and is not listed as a local table`)
    if (placement === null || partitionOf !== null) continue
    const isRight = referenceTables.includes(name)
      ? placement.kind === 'reference'
      : placement.kind === 'distributed' && placement.column === column && placement.group === group
    if (!isRight)
      throw new NotDistributable(`${name} is distributed already, but not by ${column} together with ${first}`)
  }
  for (const { table, name, references } of foreignKeys) {
    if (referenceTables.includes(table) || referenceTables.includes(references))
      throw new NotDistributable(
        `${table}.${name}: ${referenceTables.join(', ')} cannot have foreign keys to or from tables of a company`,
      )
  }
}
