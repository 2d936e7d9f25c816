// Writing documents: the row, the lines, the position in the list and the stock movements. Also reads lines from their tables.

import type { TransactionContext } from '../kernel/clock.ts'
import { moneyFrom, quantityFrom, valueFrom } from '../kernel/decimal.ts'
import { declareInsert } from '../kernel/insert-rows.ts'
import { naturalKey } from '../kernel/natural.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { type LongestRun, moveInList, type Place, runSplitter } from '../platform/lists/list-runs.ts'
import type { LineKind } from '../stock/items.ts'
import { post } from '../stock/ledger.ts'
import type { Change, DocumentRules, StockDocument } from './document.ts'
import { type DocumentTables, declareFacts, type FactsDescription } from './facts.ts'
import type { DocumentLine } from './lines.ts'

type DocumentId = { readonly company_id: number; readonly document_id: number }
/** Values by column; arrays for lines. */
type ColumnValues = Readonly<Record<string, unknown>>

const parameters = (names: readonly string[]): string => names.map((name) => `:${name}`).join(', ')

function declareRow({ kind: { table }, columns }: DocumentTables) {
  const names = Object.keys(columns)
  return {
    insert: statement<never, DocumentId & ColumnValues & { readonly at: string; readonly source: string }>(
      `${table}.insert`,
      `insert into ${table} (company_id, id, ${names.join(', ')}, updated_at, created_at, source)
       values (:company_id, :document_id, ${parameters(names)}, :at, :at, :source)`,
    ),
    update: statement<never, DocumentId & ColumnValues & { readonly at: string }>(
      `${table}.update`,
      `update ${table} set ${names.map((name) => `${name} = :${name}`).join(', ')}, updated_at = :at
       where company_id = :company_id and id = :document_id`,
    ),
    remove: statement<never, DocumentId>(
      `${table}.delete`,
      `delete from ${table} where company_id = :company_id and id = :document_id`,
    ),
  }
}

function declareLines({ kind: { table, linesTable, key }, lineColumns }: DocumentTables) {
  const insertLines = declareInsert<Record<string, number>, ColumnValues>({
    name: `${table}.insert_lines`,
    table: linesTable,
    shared: [key],
    columns: lineColumns,
    numbered: 'position',
  })
  return {
    remove: statement<never, DocumentId>(
      `${table}.delete_lines`,
      `delete from ${linesTable} where company_id = :company_id and ${key} = :document_id`,
    ),
    insert: ({ company_id, document_id }: DocumentId, rows: readonly ColumnValues[]): Statement[] =>
      insertLines({ company_id, [key]: document_id }, rows),
  }
}

/** Inserts, updates or deletes a document of this kind with its lines. */
function declareRows(tables: DocumentTables) {
  const row = declareRow(tables)
  const lines = declareLines(tables)
  return <D extends StockDocument>(
    rules: DocumentRules<D>,
    change: Change<D>,
    transaction: TransactionContext,
  ): Statement[] => {
    const { before, after } = change
    const document = { company_id: transaction.context.companyId, document_id: change.id }
    if (after === undefined) return [lines.remove(document), row.remove(document)]
    const derived = { ...rules.derived?.(after), num_key: naturalKey(after.num) }
    const values = { ...rules.row(after), ...derived, ...document, at: transaction.at }
    const newLines = () =>
      lines.insert(
        document,
        after.lines.map((line) => rules.lineRow(line)),
      )
    if (before === undefined) return [row.insert({ ...values, source: transaction.context.source }), ...newLines()]
    return [row.update(values), ...(after.lines === before.lines ? [] : [lines.remove(document), ...newLines()])]
  }
}

const placeOf = <D extends StockDocument>(rules: DocumentRules<D>, document: D | undefined): Place | undefined =>
  document === undefined
    ? undefined
    : { date: rules.listedOn(document), key: naturalKey(document.num), id: document.id }

/** The statements of a kind of document: its facts, and `write` for a planned change. */
export function declareStore<Row, Line, Extra extends object = object>(description: FactsDescription<Extra>) {
  const { table, ledger } = description.kind
  const writeRows = declareRows(description)
  const splitRun = runSplitter(ledger, table)
  return {
    ...declareFacts<Row, Line, Extra>(description),

    write<D extends StockDocument>(
      rules: DocumentRules<D>,
      change: Change<D>,
      transaction: TransactionContext,
      longestRun: LongestRun = null,
    ): Statement[] {
      const { companyId } = transaction.context
      const { before, after } = change
      const moves = moveInList(companyId, ledger, placeOf(rules, before), placeOf(rules, after), longestRun)
      return [
        // First, because a run is split according to the records that it counts.
        ...(after === undefined || moves.length === 0 ? [] : splitRun(companyId, rules.listedOn(after), longestRun)),
        ...writeRows(rules, change, transaction),
        ...moves,
        ...post(change.posting, transaction),
      ]
    },
  }
}

export type DocumentStore<Extra extends object> = ReturnType<typeof declareStore<unknown, unknown, Extra>>

/** A line of a document without totals. */
export type PlainLine = {
  readonly item_id: number
  readonly kind: LineKind
  readonly unit_id: number
  readonly amount: string
  readonly cost: string
}

/** A line of a document with prices. */
export type PricedLine = PlainLine & {
  readonly total: string
  /** Only of sales; null in lines that were written before the column existed. */
  readonly exact_cost?: string | null
}

const readLine = (line: PlainLine | PricedLine): DocumentLine => ({
  itemId: line.item_id,
  kind: line.kind,
  unitId: line.unit_id,
  amount: quantityFrom(line.amount),
  total: 'total' in line ? moneyFrom(line.total) : 0n,
  cost: moneyFrom(line.cost),
  ...('exact_cost' in line && typeof line.exact_cost === 'string' ? { exactCost: valueFrom(line.exact_cost) } : {}),
})

export const readLines = (rows: readonly (PlainLine | PricedLine)[]): DocumentLine[] => rows.map(readLine)
