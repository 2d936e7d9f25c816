// The SQL of audits, and reading an audit from its rows.

import { z } from 'zod'
import { codesFound } from '../catalog/code-lookup.ts'
import { knownPlanCost } from '../catalog/view.ts'
import type { Present } from '../documents/document.ts'
import type { DocumentFacts, NamedFacts } from '../documents/facts.ts'
import { declareStore } from '../documents/store.ts'
import {
  codeField,
  commonFields,
  dayField,
  documentView,
  idAndNumber,
  joinStorages,
  lineEnd,
  lineFields,
  linesByKind,
  storageField,
} from '../documents/view.ts'
import { moneyFrom, quantityFrom, valueFrom } from '../kernel/decimal.ts'
import { auditStatusTable } from '../kernel/document-statuses.ts'
import { type Fields, field, nullableNumber, numberField, timeField } from '../platform/lists/record-fields.ts'
import { text } from '../platform/postgres/json-sql.ts'
import type { LineKind } from '../stock/items.ts'
import { readPosted } from '../stock/ledger.ts'
import { type Audit, auditKind, type CostSource, costSources } from './audit.ts'

export type Row = {
  readonly num: string
  readonly status: number
  readonly date: string
  readonly storage_id: number
  readonly notes: string
}
export type Line = {
  readonly item_id: number
  readonly kind: LineKind
  readonly unit_id: number
  readonly expected: string
  readonly counted: string
  readonly counted_at: string
  readonly unit_cost: string | null
  readonly cost: string
  /** Null in lines of older servers. */
  readonly cost_source: CostSource | null
}
export type Facts = NamedFacts &
  Partial<DocumentFacts<Row, Line>> & {
    readonly levels: readonly (readonly [itemId: number, onHand: string])[]
    /** The planned costs of products without an average, where they are known. */
    readonly plan_costs: readonly (readonly [itemId: number, cost: string])[]
  }

const namedItems = `select unnest(:item_ids::bigint[])
        union all select c.item_id from (${codesFound("= 'product'", '= any(:product_skus::text[])')}) c
        union all select c.item_id from (${codesFound("= 'material'", '= any(:material_skus::text[])')}) c
        union all select l.item_id from audit_lines l where l.company_id = :company_id and l.audit_id = :document_id::bigint`

// The stock of all named items at the counted storage location. The select around coalesce() and the separate selects for each kind of code
// allow both conditions to use the index.
const levelFacts = `(
    select coalesce(json_agg(json_build_array(v.item_id, v.on_hand::text)), '[]'::json) from stock_levels v
    where v.company_id = :company_id
      and v.storage_id = (select coalesce(:counted_storage_id::bigint, (select a.storage_id from audits a where a.company_id = :company_id and a.id = :document_id::bigint)))
      and v.item_id in (${namedItems})
  ) as levels`

const planCostFacts = `(
    select coalesce(json_agg(json_build_array(i.id, p.cost::text)), '[]'::json)
    from (select distinct w.id from (${namedItems}) w (id)) w
    cross join lateral (
      select i.id, i.kind, i.price from items i
      left join item_costs k on k.company_id = :company_id and k.item_id = i.id
      where i.company_id = :company_id and i.id = w.id and i.kind = 'product' and coalesce(k.average, 0) = 0 offset 0) i
    cross join lateral (select ${knownPlanCost} as cost offset 0) p
    where p.cost is not null) as plan_costs`

/** The counted storage location in the request. */
export type CountedStorageValue = { readonly counted_storage_id: number | null }

export const auditStore = declareStore<Row, Line, CountedStorageValue>({
  kind: auditKind,
  columns: {
    num: 'plain',
    num_key: 'plain',
    status: 'plain',
    date: 'plain',
    storage_id: 'plain',
    cost: 'decimal',
    amount: 'decimal',
    lines: 'plain',
    notes: 'plain',
  },
  lineColumns: {
    item_id: 'bigint',
    expected: 'numeric',
    counted: 'numeric',
    counted_at: 'timestamptz',
    unit_cost: 'numeric',
    cost: 'numeric',
    cost_source: 'text',
  },
  extraValues: { counted_storage_id: null },
  moreFacts: `${levelFacts}, ${planCostFacts}`,
  moreFactsOfNew: `${levelFacts}, ${planCostFacts}`,
  corrects: ['storage_id'],
})

export function loadAudit({ document: row, posted = [] }: Facts): Present<Audit> | undefined {
  if (row === undefined || row === null) return undefined
  const { id, num, status, date: day, notes } = row
  const lines = row.line_rows.map((line) => ({
    itemId: line.item_id,
    kind: line.kind,
    unitId: line.unit_id,
    amount: quantityFrom(line.counted),
    expected: quantityFrom(line.expected),
    countedAt: line.counted_at,
    unitCost: line.unit_cost === null ? undefined : valueFrom(line.unit_cost),
    total: 0n,
    cost: moneyFrom(line.cost),
    source: line.cost_source ?? 'average',
  }))
  return {
    document: { id, num, status, date: day, storageId: row.storage_id, notes, lines },
    posted: readPosted(posted),
  }
}

const { cost, position } = lineEnd
const line: Fields = {
  ...lineFields,
  amount: numberField('l.counted', 'Counted quantity, same as `counted`.', 4),
  expected: numberField('l.expected', 'Quantity on hand according to the ledger when it was counted.', 5),
  counted: numberField('l.counted', 'Counted quantity.', 4),
  difference: numberField('(l.counted - l.expected)', 'counted - expected.', -1),
  unit_cost: nullableNumber(
    'l.unit_cost',
    'Cost of one unit of a surplus, as it was entered, up to 6 decimals; null when none was.',
    null,
  ),
  ...(cost === undefined ? {} : { cost }),
  cost_source: field(
    text("coalesce(l.cost_source, 'average')"),
    z
      .enum(costSources)
      .describe(
        'What the difference is valued at: `given` the unit cost of the line, `average` the average cost, `price` the purchase price, `components` the planned cost, `none` nothing: no cost is known.',
      ),
    'average',
  ),
  counted_at: timeField('l.counted_at', 'When it was counted, ISO 8601 in UTC.'),
  ...(position === undefined ? {} : { position }),
}
export const auditView = documentView(
  auditKind,
  {
    ...idAndNumber,
    status: codeField('status', auditStatusTable),
    date: dayField('date', 'Day the difference is booked on,'),
    ...storageField('storage', 'sc', 'Storage location that is counted.'),
    ...commonFields,
  },
  joinStorages([['storage_id', 'sc']]),
  [linesByKind(auditKind, line)],
)
