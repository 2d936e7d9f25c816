// Taking back what an import did to one record: it is deleted if the import created it, otherwise it gets back what the import changed, by the rules of deleting
// and editing it. Not a method of the API: the runner calls it, once for each record, the last one first.

import { z } from 'zod'
import { auditMethods } from '../../audits/methods.ts'
import type { ItemFacts } from '../../catalog/facts.ts'
import type { ItemInput } from '../../catalog/item.ts'
import { materialSection, productSection } from '../../catalog/methods.ts'
import { contactFields } from '../../contacts/contact.ts'
import { customerSection, supplierSection } from '../../contacts/methods.ts'
import type { ContactInput } from '../../contacts/store.ts'
import { tradeFields } from '../../contacts/trade-details.ts'
import type { RequestContext, TransactionContext } from '../../kernel/clock.ts'
import { type RelatedEvent, type WriteMethod, write } from '../../kernel/method.ts'
import type { RecordState } from '../../kernel/patch.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import { deleteExternalIds } from '../../platform/lists/external-ids.ts'
import { missing, planRecordEdit, type RecordRules, writtenEdit } from '../../platform/lists/record-methods.ts'
import { changedMeanwhile } from '../../platform/requests/write-options.ts'
import { internalInput } from './run.ts'
import type { RowRefusal } from './section.ts'
import { advanceImport, type Import, leaseMs, type RowToUndo, refusalJson, updateUndoneRows } from './store.ts'

export type UndoneRow = { readonly id: number; readonly lease: string; readonly row: RowToUndo }

type Change = RowToUndo['change']
type Back = { readonly statements: readonly Statement[]; readonly event: RelatedEvent }
/** How what was done to a kind of record is taken back. */
type Undoing = {
  readonly facts: (context: RequestContext, row: RowToUndo) => Statement<object>
  readonly plan: (row: RowToUndo, facts: object, transaction: TransactionContext) => Back | undefined
}

function undoingOf<Changes, State extends RecordState, Facts extends { readonly record: State | null }>(
  rules: RecordRules<Changes, State, Facts>,
  before: (change: Change, facts?: Facts) => Changes,
): Undoing {
  return {
    facts: (context, { record_id: id, created, change }) =>
      rules.facts(context, id, created ? undefined : before(change)) as Statement as Statement<object>,
    plan: ({ record_id: id, created, change }, found, transaction) => {
      const facts = found as Facts
      const record = facts.record ?? refuse(missing(rules), { code: 'record_not_found' })
      if (created) {
        rules.refuseDelete?.(facts)
        return {
          statements: [...rules.remove(id, record, transaction), ...deleteExternalIds(rules.noun, id, transaction)],
          event: { record: rules.noun, recordId: id, change: record, action: 'deleted' },
        }
      }
      const given = { id, given: before(change, facts), externalId: undefined }
      const written = writtenEdit(rules, planRecordEdit(rules, given, facts), transaction)
      if (written === undefined) return undefined
      return { statements: written.statements, event: { ...written.event, action: 'updated' } }
    },
  }
}

const valuesBefore = (change: Change): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(change).flatMap(([field, value]) =>
      Array.isArray(value) && field !== 'external_id' ? [[field, value[0]]] : [],
    ),
  )

/** Events name components by id; of which kind they are is among the facts. */
function itemBefore(change: Change, facts?: ItemFacts): ItemInput {
  const { components, ...fields } = valuesBefore(change)
  if (!Array.isArray(components)) return fields
  const kinds = new Map(facts?.components ?? [])
  return {
    ...fields,
    components: (components as readonly { item_id: number; amount: string }[]).map(({ item_id: id, amount }) => ({
      type: kinds.get(id) ?? 'product',
      named: { id },
      label: `id ${id}`,
      amount,
    })),
  }
}

function contactBefore(change: Change): ContactInput {
  const before = valuesBefore(change) as Readonly<Record<string, string>>
  const changed = (fields: readonly string[]) =>
    Object.fromEntries(fields.filter((field) => before[field] !== undefined).map((field) => [field, before[field]]))
  return { name: before['name'], contact: changed(contactFields), trade: changed(tradeFields) }
}

const deleteAudit = auditMethods.find(({ path }) => path === 'audits/delete') as WriteMethod

const ofAudits: Undoing = {
  facts: (context, { record_id: id }) => deleteAudit.facts({ id }, context) as Statement<object>,
  plan: ({ record_id: id }, facts, transaction) => {
    const written = deleteAudit.write(deleteAudit.plan({ id }, facts, transaction), transaction)
    return written && { statements: written.statements, event: { ...written.event, action: 'deleted' } }
  },
}

const undoings: Readonly<Record<string, Undoing>> = {
  product: undoingOf(productSection.rules, itemBefore),
  material: undoingOf(materialSection.rules, itemBefore),
  customer: undoingOf(customerSection.rules, contactBefore),
  supplier: undoingOf(supplierSection.rules, contactBefore),
  audit: ofAudits,
}

type UndoFacts = {
  readonly import: Pick<Import, 'status' | 'lease'> | null
  /** Whether the row has not been taken back yet. */
  readonly is_left: boolean
  readonly is_touched: boolean
}

const findUndo = statement<UndoFacts, Readonly<Record<string, number | string>>>(
  'imports.undo_facts',
  `select (select json_build_object('status', i.status, 'lease', i.lease) from imports i where i.company_id = :company_id and i.id = :import_id) as import,
     exists (select from import_rows r where r.company_id = :company_id and r.import_id = :import_id and r.position = :position
       and r.state in ('created', 'changed')) as is_left,
     exists (select from events e where e.company_id = :company_id and e.record = :record and e.record_id = :record_id and e.seq > :seq) as is_touched`,
)

const undoingFor = ({ record }: RowToUndo): Undoing => {
  const undoing = undoings[record]
  if (undoing === undefined) throw new Error(`an import changes no ${record}`)
  return undoing
}

type Plan = UndoneRow &
  ({ readonly back?: Back | undefined; readonly refusal?: RowRefusal } | { readonly isGone: true })

export const undoImportRow = write({
  path: 'imports/undo_row',
  whenFull: 'always',
  api: 'app',
  summary: 'Take back what an import did to one record.',
  input: { ...internalInput, read: (): UndoneRow => internalInput.read() },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: ({ row }, context) => undoingFor(row).facts(context, row),
  moreFacts: ({ id, row }, { companyId }) =>
    findUndo({
      company_id: companyId,
      import_id: id,
      position: row.position,
      record: row.record,
      record_id: row.record_id,
      seq: row.seq,
    }),
  plan: (input, facts, transaction): Plan => {
    const { import: now, is_left: isLeft, is_touched: isTouched } = facts as UndoFacts
    if (now === null || now.status !== 'undoing' || now.lease !== input.lease || !isLeft)
      return { ...input, isGone: true }
    if (isTouched) return { ...input, refusal: { error: changedMeanwhile, code: 'changed_meanwhile' } }
    try {
      return { ...input, back: undoingFor(input.row).plan(input.row, facts, transaction) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { line: _line, ...detail } = error.detail
      return { ...input, refusal: { error: error.message, ...detail } }
    }
  },
  write: (plan, { context }) => {
    if ('isGone' in plan) return undefined
    const { id, row, back, refusal } = plan
    const of = { company_id: context.companyId, import_id: id }
    const { record, record_id: recordId } = row
    const [state, why] = refusal === undefined ? (['undone', null] as const) : (['left', refusalJson(refusal)] as const)
    const event = { record: 'import', recordId: id, action: 'updated' as const, change: { [state]: row.position } }
    return {
      statements: [
        ...(back?.statements ?? []),
        updateUndoneRows({ ...of, record, record_id: recordId, state, refusal: why }),
        advanceImport({ ...of, next_position: row.position - 1, lease_ms: leaseMs }),
      ],
      event: back?.event ?? event,
    }
  },
  response: (plan) => ({ undone: !('isGone' in plan) }),
})
