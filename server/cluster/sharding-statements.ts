// Rules of Citus that need the parse tree of a statement: which functions it may call where, what it may be ordered by, and that every table has a
// condition on the company, so that the statement runs on one shard.

import { referenceTables } from '../platform/postgres/table-placement.ts'
import { field, isNode, list, nodesIn, number, parseStatement, type Tree, type TreeNode } from './parse-tree.ts'
import type { Run } from './sharding-rules.ts'

type Volatility = 'i' | 's' | 'v'
type Called = { readonly name: string; readonly volatility: Volatility }

/** The functions and tables of the catalog by OID. */
type Known = {
  readonly functions: ReadonlyMap<number, Called>
  /** The input and output functions of each type. */
  readonly conversions: ReadonlyMap<number, { readonly reads: Called; readonly writes: Called }>
  /** Tables of a company, and the column number of their company_id. */
  readonly tables: ReadonlyMap<number, { readonly name: string; readonly column: number }>
}

export type TreeComplaints = {
  /** Statements that Citus refuses, or that have another result there. */
  readonly refused: readonly string[]
  /** Statements that Citus accepts, but runs on every shard. */
  readonly scattered: readonly string[]
}

export async function treeComplaints(run: Run, statements: ReadonlyMap<string, string>): Promise<TreeComplaints> {
  const known = await readKnown(run)
  const refused: string[] = []
  const scattered: string[] = []
  for (const [name, text] of statements) {
    const named = (complaints: readonly string[]) => new Set(complaints.map((complaint) => `${name} ${complaint}`))
    let query: TreeNode
    try {
      query = await parseStatement(run, text)
    } catch (error) {
      refused.push(`${name} is refused by this database: ${error instanceof Error ? error.message : error}`)
      continue
    }
    refused.push(...named([...callComplaints(query, known), ...orderComplaints(query)]))
    scattered.push(...named(companyComplaints(query, known)))
  }
  return { refused, scattered }
}

async function readKnown(run: Run): Promise<Known> {
  const functions = new Map<number, Called>()
  for (const { oid, name, volatility } of await run(
    'select oid::int, proname::text as name, provolatile::text as volatility from pg_proc',
  )) {
    functions.set(Number(oid), { name: String(name), volatility: volatility as Volatility })
  }
  const called = (oid: unknown): Called => functions.get(Number(oid)) ?? { name: String(oid), volatility: 'v' }
  const types = await run('select oid::int, typinput::oid::int as reads, typoutput::oid::int as writes from pg_type')
  const tables = await run(
    `select a.attrelid::int as oid, a.attrelid::regclass::text as name, a.attnum::int as column from pg_attribute a
     join pg_class c on c.oid = a.attrelid
     where a.attname = 'company_id' and c.relkind in ('r', 'p') and c.relname <> all ('{${referenceTables.join(',')}}')`,
  )
  return {
    functions,
    conversions: new Map(
      types.map(({ oid, reads, writes }) => [Number(oid), { reads: called(reads), writes: called(writes) }]),
    ),
    tables: new Map(
      tables.map(({ oid, name, column }) => [Number(oid), { name: String(name), column: Number(column) }]),
    ),
  }
}

const commands = { update: 2, insert: 3, delete: 4 }
const isQuery = (node: TreeNode): boolean => node.tag === 'QUERY'

/** https://docs.citusdata.com: a function that runs on a worker must return the same result wherever and whenever it runs. */
function callComplaints(query: TreeNode, known: Known): string[] {
  const command = number(query, 'commandType')
  if (!Object.values(commands).includes(command)) return []
  const complaints: string[] = []
  const complain = (where: string, calls: Iterable<Called>, refused: (call: Called) => boolean): void => {
    for (const call of calls) if (refused(call)) complaints.push(`calls ${call.name}() ${where}`)
  }
  const isVolatile = ({ volatility }: Called): boolean => volatility === 'v'
  const isMutable = ({ volatility }: Called): boolean => volatility !== 'i'

  complain('in a change: a volatile function', callsIn(query, known), isVolatile)
  complain('in RETURNING: only an immutable function may be', callsIn(field(query, 'returningList'), known), isMutable)
  const conflict = field(query, 'onConflict')
  complain('in ON CONFLICT: only an immutable function may be', callsIn(conflict, known), isMutable)
  if (command === commands.insert) {
    const selects = list(query, 'rtable').some((table) => isNode(table) && number(table, 'rtekind') === 1)
    if (field(query, 'hasSubLinks') === 'true' && !selects) complaints.push('inserts values that a subquery gives')
    return complaints
  }
  for (const part of changedAndAsked(query, command)) {
    for (const node of nodesIn(part, (one) => !isQuery(one))) {
      if (node.tag === 'CASEEXPR' || node.tag === 'COALESCEEXPR')
        complain('in CASE or COALESCE: only an immutable function may be', callsIn(node, known), isMutable)
      const [call] = callsOf(node, known)
      const columns = nodesIn([...node.fields.values()].flat(), (one) => !isQuery(one)).some(({ tag }) => tag === 'VAR')
      if (call?.volatility === 's' && columns) complaints.push(`calls ${call.name}() with a column: a stable function`)
    }
  }
  return complaints
}

function* changedAndAsked(query: TreeNode, command: number): Generator<Tree | undefined> {
  if (command === commands.update) yield list(query, 'targetList')
  const from = field(query, 'jointree')
  if (isNode(from)) yield field(from, 'quals')
}

const callsIn = (tree: Tree | undefined, known: Known): readonly Called[] =>
  nodesIn(tree).flatMap((node) => callsOf(node, known))

const calledIn: Readonly<Record<string, string>> = {
  FUNCEXPR: 'funcid',
  OPEXPR: 'opfuncid',
  DISTINCTEXPR: 'opfuncid',
  NULLIFEXPR: 'opfuncid',
  SCALARARRAYOPEXPR: 'opfuncid',
  AGGREF: 'aggfnoid',
  WINDOWFUNC: 'winfnoid',
}
const typeFields = ['vartype', 'consttype', 'paramtype', 'funcresulttype', 'opresulttype', 'resulttype', 'casetype']

function callsOf(node: TreeNode, { functions, conversions }: Known): Called[] {
  const name = calledIn[node.tag]
  if (name !== undefined) return [functions.get(number(node, name)) ?? { name: 'unknown', volatility: 'v' }]
  if (node.tag === 'SQLVALUEFUNCTION') return [{ name: 'current_date or the like', volatility: 's' }]
  if (node.tag === 'NEXTVALUEEXPR') return [{ name: 'nextval', volatility: 'v' }]
  if (node.tag !== 'COERCEVIAIO') return []
  const argument = field(node, 'arg')
  const typed = isNode(argument) ? typeFields.find((one) => argument.fields.has(one)) : undefined
  const from = isNode(argument) && typed !== undefined ? conversions.get(number(argument, typed)) : undefined
  const to = conversions.get(number(node, 'resulttype'))
  return [from?.writes, to?.reads].filter((call) => call !== undefined)
}

/**
 * Citus sends a query to its shard as text, in which a column that it is ordered by may be without its table. PostgreSQL then takes the column of the result
 * that has this name, such as `seq::text as seq`, which is ordered as text.
 */
function orderComplaints(query: TreeNode): string[] {
  return nodesIn(query)
    .filter(isQuery)
    .flatMap((one) => {
      const entries = list(one, 'targetList').filter(isNode)
      const isShown = (entry: TreeNode): boolean => field(entry, 'resjunk') !== 'true'
      const shown = new Set(entries.filter(isShown).map((entry) => unquoted(field(entry, 'resname'))))
      const ordered = list(one, 'sortClause').flatMap((sort) => {
        const entry = entries.find(
          (candidate) => isNode(sort) && number(candidate, 'ressortgroupref') === number(sort, 'tleSortGroupRef'),
        )
        return entry === undefined || isShown(entry) ? [] : columnName(one, field(entry, 'expr'))
      })
      return ordered
        .filter((column) => shown.has(column))
        .map((column) => `is ordered by the column ${column}, but another column of its result has this name`)
    })
}

/** Names in lists are quoted. */
const unquoted = (tree: Tree | undefined): string => String(tree ?? '').replace(/^"(.*)"$/s, '$1')

/** The name of a column of a table of the query; nothing for another expression. */
function columnName(query: TreeNode, expression: Tree | undefined): string[] {
  if (!isNode(expression) || expression.tag !== 'VAR') return []
  const table = list(query, 'rtable')[number(expression, 'varno') - 1]
  const alias = isNode(table) ? field(table, 'eref') : undefined
  return isNode(alias) ? [unquoted(list(alias, 'colnames')[number(expression, 'varattno') - 1])] : []
}

/** Tables that a query reads without a condition on the company: Citus would have to read every shard. */
function companyComplaints(query: TreeNode, known: Known): string[] {
  return nodesIn(query)
    .filter(isQuery)
    .flatMap((one) => {
      // In a table that is inserted into, the company is part of the row; ON CONFLICT refers to the table once more, for the rejected row.
      const conflict = field(one, 'onConflict')
      const inserted = number(one, 'commandType') === commands.insert ? [number(one, 'resultRelation')] : []
      if (isNode(conflict)) inserted.push(number(conflict, 'exclRelIndex'))
      const tables = list(one, 'rtable').flatMap((table, at) => {
        const tenant = isNode(table) ? known.tables.get(number(table, 'relid')) : undefined
        return tenant === undefined || inserted.includes(at + 1) ? [] : [{ ...tenant, at: at + 1 }]
      })
      const same = companiesNamed(field(one, 'jointree'))
      return tables
        .filter(({ at, column }) => !same.has(`${at}.${column}`))
        .map(({ name }) => `reads ${name} without a condition on the company`)
    })
}

/** Columns that are equal to the first parameter, directly or transitively, in the conditions on all rows of a query. */
function companiesNamed(from: Tree | undefined): ReadonlySet<string> {
  const equal: [string, string][] = []
  const demand = (tree: Tree | undefined): void => {
    if (!isNode(tree)) return
    if (tree.tag === 'BOOLEXPR' && field(tree, 'boolop') === 'and') for (const part of list(tree, 'args')) demand(part)
    if (tree.tag !== 'OPEXPR') return
    const [left, right] = list(tree, 'args').map(valueName)
    if (left !== undefined && right !== undefined) equal.push([left, right])
  }
  for (const node of nodesIn(from, (one) => ['FROMEXPR', 'JOINEXPR'].includes(one.tag))) {
    if (node.tag === 'FROMEXPR' || node.tag === 'JOINEXPR') demand(field(node, 'quals'))
  }
  const named = new Set(['$1'])
  for (let before = 0; before < named.size; ) {
    before = named.size
    for (const [left, right] of equal) if (named.has(left) || named.has(right)) named.add(left).add(right)
  }
  return named
}

function valueName(tree: Tree): string | undefined {
  if (!isNode(tree)) return undefined
  if (tree.tag === 'PARAM') return `$${number(tree, 'paramid')}`
  if (tree.tag === 'VAR' && number(tree, 'varlevelsup') === 0)
    return `${number(tree, 'varno')}.${number(tree, 'varattno')}`
  return undefined
}
