// The SQL that documents share: what a decision needs to know of one, and writing it with its lines, its place in the list and its stock.

import { companyFacts } from '../access/settings.ts'
import type { ContactKind } from '../contacts/contact.ts'
import { type PartyInput, partyFacts, partyValues } from '../contacts/party.ts'
import type { Call, Moment } from '../kernel/clock.ts'
import { moneyFrom, quantityFrom } from '../kernel/decimal.ts'
import { naturalKey } from '../kernel/natural.ts'
import type { CompanyFacts } from '../kernel/settings.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import { type LongestRun, longestRunFacts, moveInList, runSplitter } from '../platform/list-runs.ts'
import { type ItemFacts, itemFacts, type LineKind } from '../stock/items.ts'
import { type PostedRow, post, postedFacts } from '../stock/ledger.ts'
import type { Change, Document, DocumentKind, DocumentRules } from './document.ts'
import { type DocumentLine, type LineInput, lookedUp } from './lines.ts'

/** Columns of a table: `decimal` ones travel as text, so that no digit is lost. */
export type Columns = Readonly<Record<string, 'plain' | 'decimal'>>
/** Columns of lines, with the type that an array of them has. */
export type LineColumns = Readonly<Record<string, 'bigint' | 'numeric' | 'timestamptz'>>

const columnJson = (alias: string, columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `'${name}', ${alias}.${name}${type === 'decimal' ? '::text' : ''}`)
    .join(', ')

/** Every document has its row and its lines; a line brings kind and unit of its item along. */
export type DocumentFacts<Row, Line> = {
  readonly document:
    | (Row & { readonly id: number; readonly source: string; readonly line_rows: readonly Line[] })
    | null
  readonly posted: readonly PostedRow[]
}

/** What the document names: its company's settings, and what of the items, storage locations and parties is there. */
export type NamedFacts = ItemFacts & {
  readonly company: CompanyFacts
  readonly storages: readonly number[]
  readonly party: number | null
  readonly longest_run: LongestRun
}

export type Names = {
  readonly lines?: readonly LineInput[] | undefined
  readonly storages?: readonly (number | undefined)[]
  readonly party?: PartyInput | undefined
  /** The day that the list will show the document under. */
  readonly day?: string | undefined
  /** Whether a document that is there may come to stand elsewhere in the list. */
  readonly moves?: boolean
  /** $11, for what a kind of document names beside. */
  readonly more?: unknown
  /** Whether the document may come to order what it holds to be made. */
  readonly making?: boolean
}

const storageFacts = `(
  select coalesce(json_agg(t.id), '[]'::json) from storages t where t.company_id = $1 and t.id = any($6::bigint[]) and t.deleted_at is null)`

/** SQL: the day of a new document. */
export const dayOrToday = `coalesce($10::date, (now() at time zone (select c.timezone from companies c where c.company_id = $1))::date)`

export function declareStore<Row, Line>(description: {
  readonly kind: DocumentKind
  readonly columns: Columns
  readonly lineColumns: LineColumns
  readonly party?: ContactKind
  /** More subselects for the facts, each ending in `as <name>`; $9 is the document's id (null for a new one), $11 is `more` of the names. */
  readonly moreFacts?: string
  /** Those that a new document needs. */
  readonly moreFactsOfNew?: string
  /** Those of a document, and of a new one, that may order what it holds to be made. They are a statement of their own: what is never made need not pay
   * for the question. */
  readonly makingFacts?: { readonly present: string; readonly ofNew: string }
}) {
  const { kind, columns, lineColumns, party } = description
  const { table, linesTable, key, ledger } = kind
  const names = Object.keys(columns)
  const lineNames = Object.keys(lineColumns)

  /** A subselect: the document that a condition on `d` names, as the facts of its own kind hold it. */
  const found = (condition: string): string => `(
    select json_build_object('id', d.id, 'source', d.source, ${columnJson('d', columns)}, 'line_rows', (
      select coalesce(json_agg(json_build_object('kind', i.kind, 'unit_id', i.unit_id,
        ${lineNames.map((name) => `'${name}', l.${name}${lineColumns[name] === 'numeric' ? '::text' : ''}`).join(', ')}) order by l.position), '[]'::json)
      from ${linesTable} l join items i on i.company_id = $1 and i.id = l.item_id
      where l.company_id = $1 and l.${key} = d.id))
    from ${table} d where d.company_id = $1 and ${condition})`
  const documentFacts = `${found('d.id = $9::bigint')} as document, ${postedFacts(ledger, '$9::bigint')} as posted`
  // Costs are needed of every item that the document or its movements hold, also of deleted ones.
  const ownItems = `select l.item_id from ${linesTable} l where l.company_id = $1 and l.${key} = $9::bigint
    union all select m.item_id from stock_movements m where m.company_id = $1 and m.section = '${ledger}' and m.document_id = $9::bigint`
  const named = `${companyFacts} as company, ${storageFacts} as storages,
    ${party === undefined ? '$7::bigint + length($8::text)' : partyFacts(party, '$7', '$8')} as party`
  const more = (facts: string | undefined): string => (facts === undefined ? '' : `, ${facts}`)
  const dayOrOwn = `coalesce($10::date, (select d.${kind.listedBy} from ${table} d where d.company_id = $1 and d.id = $9::bigint))`
  const declareNew = (name: string, facts: string) =>
    statement<NamedFacts>(
      `${table}.${name}`,
      `select ${named}, ${itemFacts('$3', '$4', '$5')}, ${longestRunFacts(ledger, dayOrToday)} as longest_run,
         $9::bigint as none, $11::bigint as more, $12::boolean as moves${facts}`,
    )
  const declarePresent = (name: string, facts: string) =>
    statement<NamedFacts & DocumentFacts<Row, Line>>(
      `${table}.${name}`,
      `select ${named}, ${itemFacts('$3', '$4', '$5', ownItems)}, ${documentFacts},
         case when $12::boolean then ${longestRunFacts(ledger, dayOrOwn)} end as longest_run, $11::bigint as more${facts}`,
    )
  const { moreFacts, moreFactsOfNew, makingFacts } = description
  const newFacts = declareNew('new_facts', more(moreFactsOfNew))
  const presentFacts = declarePresent('facts', more(moreFacts))
  const newMakingFacts =
    makingFacts === undefined
      ? newFacts
      : declareNew('new_making_facts', more(moreFactsOfNew) + more(makingFacts.ofNew))
  const presentMakingFacts =
    makingFacts === undefined
      ? presentFacts
      : declarePresent('making_facts', more(moreFacts) + more(makingFacts.present))
  const values = (call: Call, id: number | null, given: Names) => {
    const { ids, productSkus, materialSkus } = lookedUp(given.lines ?? [])
    const storages = (given.storages ?? []).filter((one) => one !== undefined)
    return [
      call.companyId,
      call.connectionId,
      ids,
      productSkus,
      materialSkus,
      storages,
      ...partyValues(given.party),
      id,
      given.day ?? null,
      given.more ?? null,
      given.moves ?? false,
    ]
  }

  const insert = statement(
    `${table}.insert`,
    `insert into ${table} (company_id, id, ${names.join(', ')}, updated_at, created_at, source)
     values ($1, $2, ${names.map((_, at) => `$${at + 3}`).join(', ')}, $${names.length + 3}, $${names.length + 3}, $${names.length + 4})`,
  )
  const update = statement(
    `${table}.update`,
    `update ${table} set ${names.map((name, at) => `${name} = $${at + 3}`).join(', ')}, updated_at = $${names.length + 3}
     where company_id = $1 and id = $2`,
  )
  const remove = statement(`${table}.delete`, `delete from ${table} where company_id = $1 and id = $2`)
  const removeLines = statement(
    `${table}.delete_lines`,
    `delete from ${linesTable} where company_id = $1 and ${key} = $2`,
  )
  const addLines = statement(
    `${table}.insert_lines`,
    `insert into ${linesTable} (company_id, ${key}, position, ${lineNames.join(', ')})
     select c.company_id, $2, x.position - 1, ${lineNames.map((name) => `x.${name}`).join(', ')}
     from company_clock c
     cross join unnest(${lineNames.map((name, at) => `$${at + 3}::${lineColumns[name]}[]`).join(', ')}) with ordinality as x (${lineNames.join(', ')}, position)
     where c.company_id = $1`,
  )
  const split = runSplitter(ledger, table)

  return {
    found,
    factsOfNew: (call: Call, given: Names): Statement<NamedFacts> =>
      (given.making === true ? newMakingFacts : newFacts)(...values(call, null, given)),
    facts: (call: Call, id: number, given: Names): Statement<NamedFacts & DocumentFacts<Row, Line>> =>
      (given.making === true ? presentMakingFacts : presentFacts)(...values(call, id, given)),

    /** The only place that writes a document of this kind. `around` is what refers to it and must go before it. */
    write<D extends Document>(
      rules: DocumentRules<D>,
      change: Change<D>,
      moment: Moment,
      longestRun: LongestRun = null,
    ): Statement[] {
      const { companyId, source } = moment.call
      const { id, before, after } = change
      const place = (document: D | undefined) =>
        document === undefined ? undefined : { date: rules.listedOn(document), key: naturalKey(document.num), id }
      const row = (document: D) => {
        const shown: Record<string, unknown> = { ...rules.row(document), num_key: naturalKey(document.num) }
        return names.map((name) => shown[name])
      }
      const lines = (document: D) => {
        const rows = document.lines.map((line) => rules.lineRow(line))
        return addLines(companyId, id, ...lineNames.map((name) => rows.map((one) => one[name])))
      }
      const own =
        after === undefined
          ? [removeLines(companyId, id), remove(companyId, id)]
          : before === undefined
            ? [
                insert(companyId, id, ...row(after), moment.at, source),
                ...(after.lines.length === 0 ? [] : [lines(after)]),
              ]
            : [
                update(companyId, id, ...row(after), moment.at),
                ...(after.lines === before.lines
                  ? []
                  : [removeLines(companyId, id), ...(after.lines.length === 0 ? [] : [lines(after)])]),
              ]
      const moves = moveInList(companyId, ledger, place(before), place(after))
      return [
        // Before anything moves: a run is split by the records that it counts.
        ...(after === undefined || moves.length === 0 ? [] : split(companyId, rules.listedOn(after), longestRun)),
        ...own,
        ...moves,
        ...post(change.posting, moment),
      ]
    },
  }
}

/** A line of a document without totals. */
export type PlainLine = {
  readonly item_id: number
  readonly kind: LineKind
  readonly unit_id: number
  readonly amount: string
  readonly cost: string
}

/** A line of a document with prices. */
export type PricedLine = PlainLine & { readonly total: string }

const readLine = (line: PlainLine | PricedLine): DocumentLine => ({
  itemId: line.item_id,
  kind: line.kind,
  unitId: line.unit_id,
  amount: quantityFrom(line.amount),
  total: 'total' in line ? moneyFrom(line.total) : 0n,
  cost: moneyFrom(line.cost),
})

export const readLines = (rows: readonly (PlainLine | PricedLine)[]): DocumentLine[] => rows.map(readLine)
