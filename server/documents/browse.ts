// Browsing documents other than sales: the columns are fields of their views, newest first by default.

import { canceled } from '../kernel/document-statuses.ts'
import { searched } from '../kernel/filters.ts'
import { foldedSql } from '../kernel/folded-text.ts'
import { notByTotals } from '../kernel/skipped-line.ts'
import { type Browsed, browse, by, byKey, type Column, type Sorted } from '../platform/lists/browse.ts'
import { dayFilter, type Filter, idFilter } from '../platform/lists/browse-filters.ts'
import type { Fields } from '../platform/lists/record-fields.ts'
import { amountInList, joinAmount } from './amount.ts'
import type { DocumentKind } from './document.ts'

// `listed` counts days backwards, so an ascending index scan returns the newest first.
const newest: Sorted = { asc: 'd.listed desc, d.num_key', desc: 'd.listed, d.num_key' }

/** The sort orders of columns that several kinds of documents have; other columns are not sortable unless their list defines an order. */
const sorts: Readonly<Record<string, Sorted>> = {
  num: byKey('d.num_key'),
  status: byKey('d.status'),
  payment: byKey('d.payment'),
  cost: byKey('d.cost'),
  total: byKey('d.total'),
  source: byKey('d.source'),
}

export function documentBrowse(
  list: {
    readonly kind: DocumentKind
    readonly fields: Fields
    /** The fields in the order of the columns. */
    readonly show: readonly string[]
    readonly sorts?: Readonly<Record<string, Sorted>>
    readonly more?: Readonly<Record<string, Column>>
    /** Conditions on d that match the pattern `:search`, in addition to the number and the notes. */
    readonly search?: string
    readonly filters: readonly Filter[]
    /** Joins required by sort orders and filters. */
    readonly from?: string
  } & Pick<Browsed, 'cuts' | 'totals' | 'summedWhere' | 'joins' | 'notes' | 'ctes'>,
) {
  const { kind, search } = list
  const own: Readonly<Record<string, Sorted>> = {
    ...sorts,
    amount: by(amountInList(kind)),
    [kind.listedBy]: newest,
    ...list.sorts,
  }
  const columns = list.show.map((name): [string, Column] => {
    const field = list.fields[name]
    if (field === undefined) throw new Error(`${kind.section} has no field ${name} to show`)
    const sort = own[name]
    const { sql: json, schema, example } = field
    return [name, { json, schema, example, ...(sort === undefined ? {} : { sort }) }]
  })
  return browse({
    section: kind.section,
    title: kind.section,
    name: `${kind.table}.browse`,
    from: `${kind.table} d ${list.from ?? ''}`,
    where: 'd.company_id = :company_id',
    keys: ['d.id'],
    sort: [kind.listedBy, 'desc'],
    ties: 'd.listed, d.id',
    search: `${foldedSql('d.num')} like :search or (d.notes <> '' and ${foldedSql(searched('d.notes'))} like :search and ${notByTotals('d.notes', `''`)})${search === undefined ? '' : ` or ${search}`}`,
    filters: [
      ...list.filters,
      idFilter(
        'item_id',
        'Only documents with this item.',
        `d.id in (select l.${kind.key} from ${kind.linesTable} l where l.company_id = :company_id and l.item_id = :item_id)`,
      ),
      dayFilter(
        'date_from',
        'Documents of this day or later, `YYYY-MM-DD`.',
        `d.listed <= date '9999-12-31' - :date_from`,
      ),
      dayFilter(
        'date_to',
        'Documents of this day or earlier, `YYYY-MM-DD`.',
        `d.listed >= date '9999-12-31' - :date_to`,
      ),
    ],
    columns: { ...Object.fromEntries(columns), ...list.more },
    ...(list.cuts === undefined ? {} : { cuts: list.cuts }),
    ...(list.totals === undefined ? {} : { totals: list.totals }),
    ...(list.summedWhere === undefined ? {} : { summedWhere: list.summedWhere }),
    joins: `${list.joins ?? ''} ${joinAmount(kind)}`,
    ...(list.notes === undefined ? {} : { notes: list.notes }),
    ...(list.ctes === undefined ? {} : { ctes: list.ctes }),
  })
}

/** Sums leave out canceled documents. */
export const notCanceled = `d.status <> ${canceled}`

export const costTotal = { cost: { sum: 'd.cost', meaning: 'Sum of the costs.', example: 37 } }
