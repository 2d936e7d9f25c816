// The facts that a decision needs about a document and everything its request names: the SQL statements of a kind of document and their values.
// Long because the statements of new and of existing documents share their parts.

import { type CompanyFactsValues, companyFacts } from '../access/settings.ts'
import type { ContactKind } from '../contacts/contact.ts'
import {
  type PartyInput,
  type PartyValues,
  partyFacts,
  partyFactsByExternalId,
  partyFactsById,
  partyFactsByName,
  partyValues,
} from '../contacts/party.ts'
import type { RequestContext } from '../kernel/clock.ts'
import type { CompanyFacts } from '../kernel/settings.ts'
import { replaceParameters, type Statement } from '../kernel/statement.ts'
import { type LongestRun, longestRunFacts } from '../platform/lists/list-runs.ts'
import {
  externalItemFacts,
  externalItems,
  type ItemFacts,
  itemFacts,
  itemFactsById,
  ownItemFacts,
  type StrandedRows,
  strandedFacts,
} from '../stock/items.ts'
import { type PostedRow, postedFacts } from '../stock/ledger.ts'
import type { DocumentKind } from './document.ts'
import { freeNumberFacts } from './free-number.ts'
import { type LineInput, type NamedItemValues, namedItemValues } from './lines.ts'
import {
  declareByLookUps,
  type LookUps,
  lookUpsOf,
  lookUpsOfMaking,
  lookUpsOfNew,
  lookUpsOfPresent,
} from './look-ups.ts'

/** Columns of a table: `decimal` ones are read as text to keep every digit. */
export type Columns = Readonly<Record<string, 'plain' | 'decimal'>>
/** Columns of lines, with the element type of their array parameter. */
export type LineColumns = Readonly<Record<string, 'bigint' | 'numeric' | 'timestamptz' | 'text'>>

/** The tables of a kind of document. */
export type DocumentTables = {
  readonly kind: DocumentKind
  readonly columns: Columns
  readonly lineColumns: LineColumns
}

export type FactsDescription<Extra extends object> = DocumentTables & {
  readonly party?: ContactKind
  /** The parameters that only this kind of document has, each with its default value. */
  readonly extraValues: Extra
  /** More subselects for the facts, each ending in `as <name>`; `:document_id` is null for a new document. */
  readonly moreFacts?: string
  /** The additional subselects of a new document. */
  readonly moreFactsOfNew?: string
  /** Additional subselects for a document, existing or new, that may order a production. They form separate statements, so that other documents skip
   * the lookup. */
  readonly makingFacts?: { readonly present: string; readonly ofNew: string }
  /** Columns of the storage locations that a document of this kind takes goods from. It may correct what is on hand of deleted items and at deleted
   * storage locations. */
  readonly corrects?: readonly string[]
}

/** Every document has its row and its lines; a line includes the kind and the unit of its item. */
export type DocumentFacts<Row, Line> = {
  readonly document:
    | (Row & { readonly id: number; readonly source: string; readonly line_rows: readonly Line[] })
    | null
  readonly posted: readonly PostedRow[]
}

/** What the request refers to: the settings of its company, and which of the named items and storage locations exist. */
export type NamedFacts = ItemFacts & {
  readonly company: CompanyFacts
  readonly storages: readonly number[]
  readonly longest_run: LongestRun
  readonly free_number?: number
  /** For documents that correct stock: where deleted items, or items at deleted storage locations, are on hand. */
  readonly stranded?: StrandedRows
}

/** What a request refers to. */
export type Names<Extra extends object = object> = {
  readonly lines?: readonly LineInput[] | undefined
  readonly storages?: readonly (number | undefined)[]
  readonly party?: PartyInput | undefined
  /** The day under which the list will show the document. */
  readonly day?: string | undefined
  /** Whether the request may change the document's position in the list. */
  readonly moves?: boolean
  /** Whether the document may order a production. */
  readonly making?: boolean
  /** Values of the parameters that only this kind of document has. */
  readonly extra?: Partial<Extra>
}

/** Each statement uses those values whose parameters occur in its text. */
type FactsValues = CompanyFactsValues &
  NamedItemValues &
  PartyValues & {
    readonly storage_ids: readonly number[]
    readonly day: string | null
    /** Null for a new document. */
    readonly document_id: number | null
    readonly moves_in_list: boolean
  }

const storageFacts = `(
  select coalesce(json_agg(t.id), '[]'::json) from storages t where t.company_id = :company_id and t.id = any(:storage_ids::bigint[]) and t.deleted_at is null)`

/** SQL of the day of a new document. */
export const dayOrToday = `coalesce(:day::date, (now() at time zone (select c.timezone from companies c where c.company_id = :company_id))::date)`

const namedItems = [':item_ids', ':product_skus', ':material_skus'] as const

const columnJson = (alias: string, columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `'${name}', ${alias}.${name}${type === 'decimal' ? '::text' : ''}`)
    .join(', ')

/** A subselect: the document selected by a condition on `d`, in the form of the facts of its kind. */
function foundDocument({ kind, columns, lineColumns }: DocumentTables, condition: string): string {
  const lineJson = Object.entries(lineColumns)
    .map(([name, type]) => `'${name}', l.${name}${type === 'numeric' ? '::text' : ''}`)
    .join(', ')
  return `(
    select json_build_object('id', d.id, 'source', d.source, ${columnJson('d', columns)}, 'line_rows', (
      select coalesce(json_agg(json_build_object('kind', i.kind, 'unit_id', i.unit_id,
        ${lineJson}) order by l.position), '[]'::json)
      from ${kind.linesTable} l join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.${kind.key} = d.id))
    from ${kind.table} d where d.company_id = :company_id and ${condition})`
}

/** A select of the ids of the items in the document or in its movements. Their costs are needed even if they are deleted. */
const ownItems = ({ linesTable, key, ledger }: DocumentKind): string =>
  `select l.item_id from ${linesTable} l where l.company_id = :company_id and l.${key} = :document_id::bigint
    union all select m.item_id from stock_movements m where m.company_id = :company_id and m.section = '${ledger}' and m.document_id = :document_id::bigint`

/**
 * The statement that reads these facts. The items that are named by external id are found first, and all facts read them as if they were named by id:
 * `:item_ids` contains them too.
 */
function selectOf(lookUps: LookUps, ...facts: readonly (string | undefined)[]): string {
  const sql = `select ${listOf(...facts)}`
  if (lookUps.items !== 'any') return sql
  const ids = '(select n.ids from named n)'
  return `with ${externalItems}, named as materialized (select :item_ids::bigint[] || array(select x.item_id from external_items x) as ids)
    ${replaceParameters(sql, (name) => (name === 'item_ids' ? ids : `:${name}`))}`
}

/** Subselects for what a request about a document of this kind names. `own` selects the ids of the items that the document already has. */
function namedFacts(party: ContactKind | undefined, lookUps: LookUps, own: string): string {
  const partyBy = {
    any: partyFactsByExternalId,
    named: partyFacts,
    id: partyFactsById,
    name: partyFactsByName,
    none: () => 'null::bigint',
  }
  const items = {
    any: () => `${itemFacts(...namedItems, own)}, ${externalItemFacts}`,
    codes: () => itemFacts(...namedItems, own),
    ids: () => itemFactsById(':item_ids'),
    none: () => ownItemFacts(own),
  }
  return listOf(
    `${companyFacts} as company`,
    `${lookUps.storages ? storageFacts : `'[]'::json`} as storages`,
    party === undefined ? undefined : `${partyBy[lookUps.party](party)} as party`,
    items[lookUps.items](),
  )
}

/** Subselects for a document that exists. */
function presentFacts(tables: DocumentTables): string {
  const { table, ledger, listedBy } = tables.kind
  const dayOrOwn = `coalesce(:day::date, (select d.${listedBy} from ${table} d where d.company_id = :company_id and d.id = :document_id::bigint))`
  return `${foundDocument(tables, 'd.id = :document_id::bigint')} as document, ${postedFacts(ledger, ':document_id::bigint')} as posted,
    case when :moves_in_list::boolean then ${longestRunFacts(ledger, dayOrOwn)} end as longest_run`
}

/** The subselect `stranded`, only for kinds that correct stock. `own` selects the ids of the items in the document. */
function correctableFacts(
  { corrects, kind }: FactsDescription<object>,
  own: string,
  isNew: boolean,
): readonly string[] {
  if (corrects === undefined) return []
  const ownStorages = isNew
    ? []
    : corrects.map(
        (name) =>
          ` union all select d.${name} from ${kind.table} d where d.company_id = :company_id and d.id = :document_id::bigint`,
      )
  return [strandedFacts(...namedItems, own, `select unnest(:storage_ids::bigint[])${ownStorages.join('')}`)]
}

const listOf = (...facts: readonly (string | undefined)[]): string =>
  facts.filter((one) => one !== undefined).join(', ')

/** The facts statements of new documents, by their look-ups, and one for documents that may order a production. */
function declareNewFacts<Extra extends object>(description: FactsDescription<Extra>) {
  const { kind, party, moreFactsOfNew, makingFacts } = description
  const run = `${longestRunFacts(kind.ledger, dayOrToday)} as longest_run`
  const number = freeNumberFacts(kind, 'free_number')
  const sql = (lookUps: LookUps, ...more: readonly (string | undefined)[]): string =>
    selectOf(lookUps, namedFacts(party, lookUps, ''), run, number, moreFactsOfNew, ...more)
  return {
    plain: declareByLookUps<NamedFacts, FactsValues & Extra>(
      `${kind.table}.new_facts`,
      lookUpsOfNew(party !== undefined),
      (lookUps) => sql(lookUps, ...correctableFacts(description, '', true)),
    ),
    making:
      makingFacts === undefined
        ? undefined
        : declareByLookUps<NamedFacts, FactsValues & Extra>(
            `${kind.table}.new_making_facts`,
            lookUpsOfMaking,
            (lookUps) => sql(lookUps, makingFacts.ofNew),
          ),
    from: (items: string): string => {
      const facts = sql({ items: 'ids', storages: false, party: 'none' }, makingFacts?.ofNew)
      return replaceParameters(facts, (name) => {
        if (name === 'company_id') return ':company_id'
        if (name === 'item_ids') return `array(${items})`
        // No item has an empty code. With an empty list the planner does not use the index, and reads all codes.
        return name.endsWith('_skus') ? `array['']` : 'null'
      })
    },
  }
}

/** The same for existing documents. */
function declarePresentFacts<Row, Line, Extra extends object>(description: FactsDescription<Extra>) {
  type Facts = NamedFacts & DocumentFacts<Row, Line>
  const { kind, party, moreFacts, makingFacts } = description
  const own = ownItems(kind)
  const sql = (lookUps: LookUps, ...more: readonly (string | undefined)[]): string =>
    selectOf(lookUps, namedFacts(party, lookUps, own), presentFacts(description), moreFacts, ...more)
  return {
    plain: declareByLookUps<Facts, FactsValues & Extra>(`${kind.table}.facts`, lookUpsOfPresent, (lookUps) =>
      sql(lookUps, ...correctableFacts(description, own, false)),
    ),
    making:
      makingFacts === undefined
        ? undefined
        : declareByLookUps<Facts, FactsValues & Extra>(`${kind.table}.making_facts`, lookUpsOfMaking, (lookUps) =>
            sql(lookUps, makingFacts.present),
          ),
    each: (chosen: string): string => {
      const facts = sql({ items: 'codes', storages: false, party: 'none' }, makingFacts?.present)
      return `(
        select coalesce(json_agg(f order by each_document.id), '[]'::json) from (${chosen}) each_document
        cross join lateral (${replaceParameters(facts, (name) => (name === 'document_id' ? 'each_document.id' : `:${name}`))}) f)`
    },
  }
}

type ByLookUps<S> = (needed: LookUps) => S

const statementFor = <S>(
  { plain, making }: { plain: ByLookUps<S>; making: ByLookUps<S> | undefined },
  names: Names,
): S => (names.making === true && making !== undefined ? making : plain)(lookUpsOf(names))

export function declareFacts<Row, Line, Extra extends object>(description: FactsDescription<Extra>) {
  const newFacts = declareNewFacts(description)
  const present = declarePresentFacts<Row, Line, Extra>(description)
  const values = (context: RequestContext, id: number | null, names: Names<Extra>): FactsValues & Extra => ({
    company_id: context.companyId,
    connection_id: context.connectionId,
    ...namedItemValues(names.lines ?? []),
    storage_ids: (names.storages ?? []).filter((one) => one !== undefined),
    ...partyValues(names.party),
    document_id: id,
    day: names.day ?? null,
    moves_in_list: names.moves ?? false,
    ...description.extraValues,
    ...names.extra,
  })
  return {
    /** A subselect: the document selected by a condition on `d`. */
    found: (condition: string): string => foundDocument(description, condition),
    /** SQL of the facts of a new document that may order a production, for the items that `items` selects. Its only other parameter is the company. */
    factsOfNewFrom: newFacts.from,
    /** A subselect: an array with the facts of each document whose id `chosen` selects. `valuesOfEach` has the values of its parameters. */
    factsOfEach: present.each,
    valuesOfEach: (context: RequestContext, itemIds: readonly number[]) => ({
      ...values(context, null, {}),
      item_ids: itemIds,
    }),
    factsOfNew: (context: RequestContext, names: Names<Extra>): Statement<NamedFacts> =>
      statementFor(newFacts, names)(values(context, null, names)),
    facts: (
      context: RequestContext,
      id: number,
      names: Names<Extra>,
    ): Statement<NamedFacts & DocumentFacts<Row, Line>> => statementFor(present, names)(values(context, id, names)),
  }
}
