// One portion of the rows of an import: its records, what became of each row, and how far the import is, in one transaction. Not a method of the API:
// the runner calls it. A portion that another process has written meanwhile changes nothing.

import { z } from 'zod'
import { type RelatedEvent, write } from '../../kernel/method.ts'
import { refuse } from '../../kernel/refusal.ts'
import { planRows, sections } from './check.ts'
import type { ImportKind, ImportRow } from './row.ts'
import type { CountOptions, Outcome, PlannedRows } from './section.ts'
import {
  advanceImport,
  type CheckFacts,
  factsOfRows,
  leaseMs,
  type RowState,
  refusalJson,
  updateWrittenRows,
} from './store.ts'

export type Portion = {
  readonly id: number
  readonly kind: ImportKind
  readonly options: CountOptions
  readonly lease: string
  /** The position from which the rows were read. */
  readonly from: number
  readonly rows: readonly ImportRow[]
}

export const internalInput = {
  schema: z.object({}),
  read: (): never => refuse('Imports are begun with imports/start', { code: 'not_for_requests' }),
}

type Plan = { readonly portion: Portion; readonly planned: PlannedRows | undefined }

export const runImportRows = write({
  path: 'imports/run',
  api: 'app',
  summary: 'Write a portion of the rows of an import.',
  input: { ...internalInput, read: (): Portion => internalInput.read() },
  output: z.object({}),
  refusals: [],
  example: { request: {}, response: { success: true } },
  facts: ({ kind, rows, options }, context) => sections(false)[kind].facts(rows, options, context),
  moreFacts: ({ id, kind, rows }, context) => factsOfRows(id, kind, rows, context),
  plan: (portion, facts, transaction): Plan => {
    const found = facts as object & CheckFacts
    const { import: now } = found
    const isNext =
      now !== null && now.status === 'running' && now.lease === portion.lease && now.next_position === portion.from
    if (!isNext) return { portion, planned: undefined }
    const { kind, rows, options } = portion
    return { portion, planned: planRows(sections(false)[kind], rows, options, found, transaction) }
  },
  write: ({ portion, planned }, transaction) => {
    if (planned === undefined) return undefined
    const { id, rows, from } = portion
    const of = { company_id: transaction.context.companyId, import_id: id }
    const { statements, events } = planned.write(transaction)
    const next = (rows.at(-1)?.position ?? from - 1) + 1
    const related: readonly RelatedEvent[] = events
    return {
      statements: [
        ...statements,
        updateWrittenRows({ ...of, ...writtenRows(rows, planned.outcomes, transaction.seq) }),
        advanceImport({ ...of, next_position: next, lease_ms: leaseMs }),
      ],
      event: { record: 'import', recordId: id, action: 'updated', change: { next_position: [from, next] } },
      related,
    }
  },
  response: ({ planned }) => ({ written: planned !== undefined }),
})

const stateOf = { create: 'created', change: 'changed', unchanged: 'unchanged', refused: 'refused' } as const

function writtenRows(rows: readonly ImportRow[], outcomes: readonly Outcome[], seq: number) {
  const changed = outcomes.map((one) => ('recordId' in one ? one : undefined))
  return {
    positions: rows.map(({ position }) => position),
    states: outcomes.map(({ state }): RowState => stateOf[state]),
    changes: changed.map((one) => (one?.changes === undefined ? null : JSON.stringify(one.changes))),
    refusals: outcomes.map((one) => (one.state === 'refused' ? refusalJson(one.refusal) : null)),
    records: changed.map((one) => one?.record ?? null),
    record_ids: changed.map((one) => one?.recordId ?? null),
    seqs: changed.map((one) => (one === undefined ? null : seq + one.event)),
  }
}
