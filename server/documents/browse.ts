// Browsing documents other than sales: the columns are fields of their views, newest first unless asked otherwise.

import { type Browsed, browse, by, byKey, type Column, type Sorted } from '../platform/browse.ts'
import { dayFilter, type Filter, idFilter } from '../platform/browse-filters.ts'
import type { DocumentKind } from './document.ts'
import type { Fields } from './view.ts'

// Days are counted backwards in `listed`, so that the newest come first by walking an index.
const newest: Sorted = { asc: 'd.listed desc, d.num_key', desc: 'd.listed, d.num_key' }

/** How columns that several kinds of documents have are ordered; what is not here orders nothing unless its list says how. */
const sorts: Readonly<Record<string, Sorted>> = {
  num: byKey('d.num_key'),
  status: byKey('d.status'),
  payment: byKey('d.payment'),
  amount: by('d.amount'),
  cost: byKey('d.cost'),
  total: byKey('d.total'),
  source: byKey('d.source'),
}

export function documentBrowse(
  list: {
    readonly kind: DocumentKind
    readonly fields: Fields
    /** The fields that are shown, in their order. */
    readonly show: readonly string[]
    readonly sorts?: Readonly<Record<string, Sorted>>
    readonly more?: Readonly<Record<string, Column>>
    /** Conditions on d that look for the pattern $2, beside the number and the notes. */
    readonly search?: string
    readonly filters: readonly Filter[]
    /** Joins that orders and filters need. */
    readonly from?: string
  } & Pick<Browsed, 'cuts' | 'totals' | 'joins' | 'notes' | 'ctes'>,
) {
  const { kind, search } = list
  const own: Readonly<Record<string, Sorted>> = { ...sorts, [kind.listedBy]: newest, ...list.sorts }
  const columns = list.show.map((name): [string, Column] => {
    const field = list.fields[name]
    if (field === undefined) throw new Error(`${kind.section} has no field ${name} to show`)
    const sort = own[name]
    const { sql: json, onWire, example } = field
    return [name, { json, onWire, example, ...(sort === undefined ? {} : { sort }) }]
  })
  return browse({
    section: kind.section,
    title: kind.section,
    name: `${kind.table}.browse`,
    from: `${kind.table} d ${list.from ?? ''}`,
    where: 'd.company_id = $1',
    keys: ['d.id'],
    sort: [kind.listedBy, 'desc'],
    ties: 'd.listed, d.id',
    search: `lower(d.num) like lower($2) or (d.notes <> '' and lower(d.notes) like lower($2))${search === undefined ? '' : ` or ${search}`}`,
    filters: [
      ...list.filters,
      idFilter(
        'item_id',
        'Only documents that hold this item.',
        `d.id in (select l.${kind.key} from ${kind.linesTable} l where l.company_id = $1 and l.item_id = ?)`,
      ),
      dayFilter('date_from', 'Documents of this day or later, `YYYY-MM-DD`.', `d.listed <= date '9999-12-31' - ?`),
      dayFilter('date_to', 'Documents of this day or earlier, `YYYY-MM-DD`.', `d.listed >= date '9999-12-31' - ?`),
    ],
    columns: { ...Object.fromEntries(columns), ...list.more },
    ...(list.cuts === undefined ? {} : { cuts: list.cuts }),
    ...(list.totals === undefined ? {} : { totals: list.totals }),
    ...(list.joins === undefined ? {} : { joins: list.joins }),
    ...(list.notes === undefined ? {} : { notes: list.notes }),
    ...(list.ctes === undefined ? {} : { ctes: list.ctes }),
  })
}

export const costTotal = { cost: { sum: 'd.cost', meaning: 'Sum of the costs.', example: 37 } }
