// One step: a change of the skipped lines of many documents in one transaction. The documents it concerns, their changes, and what is written.

import { type ItemChange, writtenItem } from '../../catalog/added-code.ts'
import { maxLines } from '../../documents/lines.ts'
import { keyOfCode, type SkippedCode } from '../../documents/skipped-lines.ts'
import type { SkippingChange, SkippingPlan } from '../../documents/skipping.ts'
import { productionKind } from '../../fulfilment/production.ts'
import type { RequestContext, TransactionContext } from '../../kernel/clock.ts'
import { tooMany } from '../../kernel/field.ts'
import type { RelatedEvent, Written } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import type { Cost } from '../../stock/posting.ts'
import { type AnySection, factsColumn, sections } from './sections.ts'

/** The most documents that one step changes, and the most lines and components of them; the rest is left for the next step. */
export const maxDocuments = 500
const maxWeight = 5_000
/** The most documents that are counted. */
export const maxCounted = 10_000

/** The facts of the documents of a step, by section. */
export type DocumentsFacts = {
  readonly [column: `${string}_facts`]: readonly unknown[]
  /** Numbers after the last one of the sequence of productions that a production has already. */
  readonly taken_numbers: readonly number[]
}

export type StepFacts = DocumentsFacts & {
  /** How many documents wait for the lines, including those of this step: all, and those that have room for them. */
  readonly found: number
  readonly fitting: number
}

/** The facts of the documents that `chosen` selects, with the columns `section` (an index) and `id`. */
export const documentsFacts = (chosen: string): string =>
  [
    ...sections.map(
      (section, at) =>
        `${section.facts(`select c.id from ${chosen} c where c.section = ${at}`)} as ${factsColumn(section)}`,
    ),
    // Several documents of a step may get a new production.
    `(select coalesce(json_agg(t.number), '[]'::json) from company_clock k
       cross join lateral generate_series(k.last_production_number + 1, k.last_production_number + ${2 * maxDocuments}) as t (number)
       where k.company_id = :company_id and exists (
         select from productions p where p.company_id = :company_id and p.num = '${productionKind.numbers?.prefix}' || t.number offset 0)) as taken_numbers`,
  ].join(',\n')

type DocumentsValues = { readonly company_id: number } & Readonly<Record<string, unknown>>

export const documentsValues = (context: RequestContext, itemIds: readonly number[]): DocumentsValues =>
  Object.assign({ company_id: context.companyId }, ...sections.map((section) => section.values(context, itemIds)))

const waiting = (section: AnySection, at: number): string => `(
  select ${at} as section, f.id, f.lines + f.skipped as lines from (
    select d.id, d.lines, count(*) as skipped from ${section.skippedTable} w
    join ${section.table} d on d.company_id = :company_id and d.id = w.${section.key} and (d.status in (${section.closed})) = :is_closed::boolean
    where w.company_id = :company_id and w.kind = :kind and w.named_by = :named_by and w.code_key = :code_key and w.connection_id = :code_connection_id
      and (:record::text is null or :record::text = '${section.record}' and w.${section.key} = :record_id::bigint)
    group by d.id, d.lines order by d.id limit ${maxCounted}) f)`

/** SQL: the rows besides its lines that change with the document `f`. */
const otherRows = `case f.section ${sections.map(({ otherRows: rows = '0' }, at) => `when ${at} then ${rows}`).join(' ')} end`

// The oldest documents come first. One that would have too many lines is left out.
const findDocuments = statement<StepFacts, DocumentsValues>(
  'skipped_lines.documents',
  `with found as materialized (${sections.map(waiting).join(' union all ')}),
   fitting as materialized (
     select f.*, row_number() over (order by f.section, f.id) as place from found f
     where not :adds_lines::boolean or f.lines <= ${maxLines}),
   weighed as materialized (
     select f.section, f.id, f.place, sum(f.lines + ${otherRows}) over (order by f.place) as weight
     from fitting f where f.place <= ${maxDocuments}),
   chosen as materialized (select w.section, w.id from weighed w where w.place = 1 or w.weight <= ${maxWeight})
   select ${documentsFacts('chosen')}, (select count(*) from found) as found, (select count(*) from fitting) as fitting`,
)

/** Which documents a step is about. */
export type StepScope = {
  readonly itemId?: number
  readonly document?: { readonly record: string; readonly id: number } | undefined
  readonly isClosed?: boolean
}

export const factsOfStep = (context: RequestContext, code: SkippedCode, scope: StepScope): Statement<StepFacts> =>
  findDocuments({
    ...documentsValues(context, scope.itemId === undefined ? [] : [scope.itemId]),
    kind: code.kind,
    named_by: code.namedBy,
    code_key: keyOfCode(code),
    code_connection_id: code.connectionId,
    record: scope.document?.record ?? null,
    record_id: scope.document?.id ?? null,
    is_closed: scope.isClosed ?? false,
    adds_lines: scope.itemId !== undefined,
  })

export const noSkippedLine = 'Skipped line not found'

/** Refuses a step without documents. */
export function refuseNoDocuments({ found, fitting }: StepFacts): void {
  if (found === 0) refuse(noSkippedLine, { code: 'record_not_found' })
  if (fitting === 0) refuse(tooMany('lines', maxLines), { code: 'too_many_lines', value: maxLines })
}

/** The changes of all documents in the facts. Each sees the costs and the numbers of those before. */
export function planDocuments(
  facts: DocumentsFacts,
  changeOf: (section: AnySection, id: number) => SkippingChange,
  transaction: TransactionContext,
): SkippingPlan[] {
  const costs = new Map<number, Cost>()
  const taken = new Set(facts.taken_numbers)
  return sections.flatMap((section) =>
    (facts[factsColumn(section) as `${string}_facts`] ?? []).map((document) => {
      const read = document as never
      skipTaken(taken, transaction)
      const plan = section.plan(read, changeOf(section, section.idOf(read) ?? 0), { costs, transaction })
      for (const [itemId, cost] of plan.costs) costs.set(itemId, cost)
      return plan
    }),
  )
}

function skipTaken(taken: ReadonlySet<number>, { ids }: TransactionContext): void {
  let free = ids.last('production_number') + 1
  while (taken.has(free)) free++
  ids.skipTo('production_number', free)
}

export type Step = {
  /** The number of its first event, by which it can be undone. */
  readonly step: number
  readonly plans: readonly SkippingPlan[]
  readonly item: ItemChange | undefined
}

/** An event for the item, and one for each document and each production of a sale. */
export function writtenStep({ plans, item }: Omit<Step, 'step'>, transaction: TransactionContext): Written | undefined {
  const ofItem = item === undefined ? undefined : writtenItem(item, transaction)
  const events: RelatedEvent[] = [
    ...(ofItem === undefined ? [] : [ofItem.event]),
    ...plans.flatMap((plan) => plan.events),
  ]
  const whole = { ...transaction, lastSeq: transaction.seq + events.length - 1 }
  const event = events.pop()
  if (event === undefined) return undefined
  const statements = [...(ofItem?.statements ?? []), ...plans.flatMap((plan) => plan.write(whole))]
  return { statements, event, related: events }
}
