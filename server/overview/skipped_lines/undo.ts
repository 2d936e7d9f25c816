// Undoing an assignment or a dismissal as a whole, from its events. App API only.

import { z } from 'zod'
import { planRemovedCodes } from '../../catalog/added-code.ts'
import { itemState } from '../../catalog/facts.ts'
import type { Item } from '../../catalog/item.ts'
import { tooLargeRefusal } from '../../documents/limits.ts'
import type { DocumentLine } from '../../documents/lines.ts'
import { readSkipped, type SkippedFacts } from '../../documents/skipped-lines.ts'
import type { SkippingChange } from '../../documents/skipping.ts'
import { moneyFrom, quantityFrom, valueFrom } from '../../kernel/decimal.ts'
import { requiredId } from '../../kernel/field.ts'
import { write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { statement } from '../../kernel/statement.ts'
import { jsonRows } from '../../platform/postgres/json-sql.ts'
import type { Items } from '../../stock/items.ts'
import { type AnySection, sections } from './sections.ts'
import {
  type DocumentsFacts,
  documentsFacts,
  documentsValues,
  maxDocuments,
  planDocuments,
  type Step,
  writtenStep,
} from './step.ts'

type LineOfEvent = {
  readonly item_id: number
  readonly amount: string
  readonly total: string
  readonly cost: string
  readonly exact_cost?: string
}

/** The fields that a step changes, each as [before, after]. */
type DocumentOfEvent = {
  readonly lines?: readonly [LineOfEvent[], LineOfEvent[]]
  readonly notes?: readonly [string, string]
  readonly skipped: readonly [SkippedFacts | null, SkippedFacts | null]
}

type UndoFacts = DocumentsFacts & {
  readonly document_events: readonly (readonly [
    record: string,
    documentId: number,
    change: DocumentOfEvent,
    isLatest: boolean,
  ])[]
  readonly item: {
    readonly id: number
    readonly kind: 'product' | 'material'
    readonly change: { readonly alt_skus?: readonly [string[], string[]]; readonly sku?: readonly [string, string] }
    /** Null when it was deleted meanwhile. */
    readonly state: Item | null
  } | null
}

// A write gives its events consecutive numbers and one time: one event for the item, and two for a sale with a production.
const maxEvents = 1 + 2 * maxDocuments
const records = sections.map(({ record }) => `'${record}'`).join(', ')

const findStep = statement<UndoFacts, { readonly company_id: number } & Readonly<Record<string, unknown>>>(
  'skipped_lines.step',
  `with first as materialized (
     select e.at from events e
     where e.company_id = :company_id and e.seq = :step and e.method in ('skipped_lines/assign', 'skipped_lines/dismiss')
       and not exists (select from events b where b.company_id = :company_id and b.seq = :step - 1 and b.at = e.at)),
   step as materialized (
     select e.seq, e.record, e.record_id, e.change from events e join first f on f.at = e.at
     where e.company_id = :company_id and e.seq between :step and :step + ${maxEvents}),
   chosen as materialized (
     ${sections.map(({ record }, at) => `select ${at} as section, e.record_id as id from step e where e.record = '${record}'`).join(' union all ')})
   select ${documentsFacts('chosen')},
     ${jsonRows(`json_build_array(e.record, e.record_id, e.change, not exists (
       select from events n where n.company_id = :company_id and n.record = e.record and n.record_id = e.record_id and n.seq > e.seq)) order by e.seq`)}
       from step e where e.record in (${records})) as document_events, (
     select json_build_object('id', e.record_id, 'kind', e.record, 'change', e.change, 'state', (
       select ${itemState} from items i where i.company_id = :company_id and i.id = e.record_id and i.deleted_at is null))
     from step e where e.record in ('product', 'material')) as item`,
)

const noStep = 'Step not found'
const changedDocument = 'A document of this step was changed meanwhile'

export const undoSkipped = write({
  path: 'skipped_lines/undo',
  api: 'app',
  summary: 'Undo an assignment or a dismissal of skipped lines.',
  notes: [
    'The documents lose the lines again and get back their notes and skipped lines; the item loses the SKU.',
    'All or nothing: it is refused when one of the documents was changed meanwhile.',
  ],
  input: {
    schema: z.object({
      step: z.union([z.int(), z.string()]).describe('`step` of the response to skipped_lines/assign or dismiss.'),
    }),
    read: (raw) => ({ step: requiredId(raw, 'step') }),
  },
  output: z.object({ documents: z.int().describe('Number of documents that were changed back.') }),
  refusals: ['No step in input', noStep, tooLargeRefusal],
  conflicts: [changedDocument],
  example: { request: { step: 42 }, response: { success: true, documents: 3 } },
  facts: ({ step }, context) => findStep({ ...documentsValues(context, []), step }),
  plan: (_input, facts, transaction): Omit<Step, 'step'> => {
    if (facts.document_events.length === 0) refuse(noStep, { code: 'record_not_found', field: 'step' })
    const events = new Map(facts.document_events.map(([record, id, change]) => [`${record} ${id}`, change]))
    // First, because the facts may not contain what a document that was changed had before.
    if (facts.document_events.some(([, , , isLatest]) => !isLatest)) refuseChanged()
    const plans = planDocuments(facts, (section, id) => asBefore(eventOf(events, section, id)), transaction)
    const { item } = facts
    const back =
      item === null || item.state === null ? undefined : planRemovedCodes(item.kind, item.id, item.state, item.change)
    return { plans, item: back }
  },
  write: (plan, transaction) => writtenStep(plan, transaction),
  response: ({ plans }) => ({ documents: plans.length }),
})

function eventOf(events: ReadonlyMap<string, DocumentOfEvent>, { record }: AnySection, id: number): DocumentOfEvent {
  return events.get(`${record} ${id}`) ?? refuseChanged()
}

function refuseChanged(): never {
  refuse(changedDocument, { code: 'changed_meanwhile' })
}

/** The document as it was before the step, which is the last change of it. */
const asBefore =
  (event: DocumentOfEvent): SkippingChange =>
  ({ lines, notes }, items) => ({
    lines: event.lines === undefined ? lines : event.lines[0].map((line) => lineOf(line, items)),
    notes: event.notes === undefined ? notes : event.notes[0],
    skipped: readSkipped(event.skipped[0] ?? []),
  })

function lineOf({ item_id, amount, total, cost, exact_cost }: LineOfEvent, items: Items): DocumentLine {
  const { kind, unitId } = items.load(item_id)
  return {
    itemId: item_id,
    kind,
    unitId,
    amount: quantityFrom(amount),
    total: moneyFrom(total),
    cost: moneyFrom(cost),
    ...(exact_cost === undefined ? {} : { exactCost: valueFrom(exact_cost) }),
  }
}
