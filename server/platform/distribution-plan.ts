// The order in which a migrated database becomes a distributed one: from what the catalog shows to a list of SQL steps. Pure. What is done
// already is left out, so an interrupted run is taken up where it ended.

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
  /** Row level security holds for its owner too. */
  readonly isForced: boolean
  /** There are bytes of it on this server, outside of any shard. */
  readonly hasLocalRows: boolean
  /** Where Citus keeps it; null while it is an ordinary table. */
  readonly placement: Placement | null
}

export type Catalog = {
  readonly tables: readonly Table[]
  readonly foreignKeys: readonly ForeignKey[]
  /** The role that requests run as may log in. */
  readonly serverMayLogIn: boolean
  /** No policy holds the user who distributes. */
  readonly passesRowSecurity: boolean
}

export type Step = { readonly why: string; readonly sql: string }

/** The database is not one that can be distributed as it is. */
export class NotDistributable extends Error {}

/** All tables of a company lie beside this one. */
const first = 'companies'
const column = 'company_id'
/** Read before the company is known: a copy of each on every worker. */
export const referenceTables = ['api_keys', 'sign_ins']
/** Of no company and of no use to a worker: stay on the coordinator. */
const localTables = ['schema_migrations']

/**
 * Foreign keys that close a circle. Citus takes a table only after those it refers to, so these are dropped first and made again last; they are
 * written down here because a run that was interrupted in between no longer finds them in the catalog.
 */
export const circleClosing: readonly ForeignKey[] = ['products_storage_id', 'materials_storage_id'].map((storage) => ({
  table: first,
  name: `companies_company_id_${storage}_fkey`,
  references: 'storages',
  definition: `FOREIGN KEY (company_id, ${storage}) REFERENCES storages(company_id, id) DEFERRABLE INITIALLY DEFERRED`,
}))

export const defaultShards = 64

export function planDistribution(catalog: Catalog, serverRole: string, shards: number = defaultShards): Step[] {
  refuseStrangers(catalog)
  const byName = new Map(catalog.tables.map((table) => [table.name, table]))
  const isPlaced = (name: string): boolean => byName.get(name)?.placement != null
  const partitionsOf = (name: string): Table[] => catalog.tables.filter(({ partitionOf }) => partitionOf === name)

  const login: Step[] = catalog.serverMayLogIn
    ? []
    : [
        {
          why: `Citus connects to the workers as the role that a request runs as, so that role must be one that may log in. The workers must let the coordinator in as ${serverRole} (pg_hba.conf, or pg_dist_authinfo).`,
          sql: `alter role ${serverRole} login`,
        },
      ]

  const references = catalog.tables
    .filter(({ name, placement }) => referenceTables.includes(name) && placement === null)
    .flatMap((table) =>
      lowered([table], catalog, {
        why: `${table.name} is asked before the company is known: every worker gets a copy.`,
        sql: `select create_reference_table('${table.name}')`,
      }),
    )

  const standing = (key: ForeignKey): boolean => catalog.foreignKeys.some(({ name }) => name === key.name)
  const isSettled = (key: ForeignKey): boolean => standing(key) && isPlaced(key.table) && isPlaced(key.references)
  const dropped = circleClosing
    .filter((key) => standing(key) && !isSettled(key))
    .map((key) => ({
      why: `${key.table} and ${key.references} refer to each other, and Citus takes a table only after those it refers to. This foreign key comes back below.`,
      sql: `alter table ${key.table} drop constraint ${key.name}`,
    }))
  const restored = circleClosing
    .filter((key) => !isSettled(key))
    .map((key) => ({
      why: `The foreign key from ${key.table} to ${key.references}, now between shards that lie side by side.`,
      sql: `alter table ${key.table} add constraint ${key.name} ${key.definition}`,
    }))

  const distributed = distributionOrder(catalog)
    .filter((table) => table.placement === null)
    .flatMap((table) => {
      const partitions = partitionsOf(table.name)
      const parts = partitions.length === 0 ? '' : ` and its ${partitions.length} partitions with it`
      return lowered(
        [table, ...partitions],
        catalog,
        table.name === first
          ? {
              why: `The companies themselves, over ${shards} shards by ${column}. Everything else of a company will lie beside its row here.`,
              sql: `select create_distributed_table('${first}', '${column}', colocate_with => 'none', shard_count => ${shards})`,
            }
          : {
              why: `${table.name}${parts}, beside the companies. Its rows are copied into the shards.`,
              sql: `select create_distributed_table('${table.name}', '${column}', colocate_with => '${first}')`,
            },
      )
    })

  const raised = catalog.tables
    .filter(({ name, isForced }) => !isForced && !localTables.includes(name))
    .map(({ name }) => ({
      why: `Row level security on ${name} holds for its owner again.`,
      sql: `alter table ${name} force row level security`,
    }))

  // Those that refer to others first: emptying a table empties whatever still refers to it.
  const emptied = [
    ...distributionOrder(catalog).reverse(),
    ...catalog.tables.filter(({ name }) => referenceTables.includes(name)),
  ]
    .flatMap((table) => (table.isPartitioned ? partitionsOf(table.name) : [table]))
    .filter(({ hasLocalRows }) => hasLocalRows)
    .map(({ name }) => ({
      why: `The rows of ${name} are in the shards; what is left of them outside is freed.`,
      sql: `select truncate_local_data_after_distributing_table('${name}')`,
    }))

  return [...login, ...references, ...dropped, ...distributed, ...restored, ...raised, ...emptied]
}

/** The step; where the rows are loaded by someone whom policies hold, they stand aside for it, since COPY does not go past them. */
function lowered(tables: readonly Table[], { passesRowSecurity }: Catalog, step: Step): Step[] {
  const forced = passesRowSecurity ? [] : tables.filter(({ isForced }) => isForced)
  return [
    ...forced.map(({ name }) => ({
      why: `The rows of ${name} are loaded by its owner: row level security stands aside for the owner alone, until the next steps.`,
      sql: `alter table ${name} no force row level security`,
    })),
    step,
    ...forced.map(({ name }) => ({
      why: `Row level security on ${name} holds for its owner again.`,
      sql: `alter table ${name} force row level security`,
    })),
  ]
}

/** Tables of a company, each after those it refers to, the companies first; partitions go with their table. */
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
        `foreign keys lead in a circle among ${names}: one of them must be named as closing it`,
      )
    }
    ordered.push(next)
  }
  return ordered
}

/** What Citus would take in another way than it is meant, or what somebody distributed by hand. */
function refuseStrangers({ tables, foreignKeys }: Catalog): void {
  const companies = tables.find(({ name }) => name === first)
  if (companies === undefined) throw new NotDistributable('there is no table of companies: run "kontor migrate" first')
  const group = companies.placement?.kind === 'distributed' ? companies.placement.group : undefined
  for (const { name, ofCompany, placement, partitionOf } of tables) {
    const known = ofCompany || localTables.includes(name)
    if (!known) throw new NotDistributable(`${name} has no ${column}, and nobody said where it belongs`)
    if (placement === null || partitionOf !== null) continue
    const isRight = referenceTables.includes(name)
      ? placement.kind === 'reference'
      : placement.kind === 'distributed' && placement.column === column && placement.group === group
    if (!isRight) throw new NotDistributable(`${name} is distributed already, but not by ${column} beside ${first}`)
  }
  for (const { table, name, references } of foreignKeys) {
    if (referenceTables.includes(table) || referenceTables.includes(references))
      throw new NotDistributable(
        `${table}.${name}: ${referenceTables.join(', ')} can be bound to no table of a company`,
      )
  }
}
