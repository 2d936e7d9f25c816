// Computes a write: its plan, its statements, its events and its response. Pure, so that it can be done in another thread.

import type { Counter, TransactionContext } from '../../kernel/clock.ts'
import type { RecordEvent, ResponseFields, WriteMethod } from '../../kernel/method.ts'
import type { Statement } from '../../kernel/statement.ts'
import { createdBy, eventsOf, lastSeqOf } from './company-clock.ts'
import { bytesOf } from './storage-limit.ts'

/** Everything that can be copied to another thread. */
export type Planned = {
  readonly fields: ResponseFields
  /** Absent when the plan changes nothing. */
  readonly written?: PlannedWrite
  /** The last id of every counter. */
  readonly ids: Readonly<Record<Counter, number>>
}

export type PlannedWrite = {
  readonly statements: readonly Statement[]
  /** Those that store the events; none in a dry run. */
  readonly events: readonly Statement[]
  /** The size of the values of all of them. */
  readonly bytes: number
  /** The record that the method is about. */
  readonly about: Pick<RecordEvent, 'record' | 'recordId'>
  readonly lastSeq: number
  /** The records that are created; only in a dry run, whose response shows them. */
  readonly created: readonly RecordEvent[]
}

/** Runs one of several steps. */
export type Step = <T>(part: string, work: () => T) => T | Promise<T>

export async function computePlan<I, Facts, Plan>(
  method: WriteMethod<I, Facts, Plan>,
  { input, facts, isDry }: { readonly input: I; readonly facts: Facts; readonly isDry: boolean },
  transaction: TransactionContext,
  step: Step,
): Promise<Planned> {
  const plan = await step('plan', () => method.plan(input, facts, transaction))
  const written = await step('write', () => method.write(plan, transaction))
  const fields = method.response(plan)
  const ids = transaction.ids.all
  if (written === undefined) return { fields, ids }
  const { statements, event } = written
  const events = isDry ? [] : await step('events', () => eventsOf(transaction, method, written))
  return {
    fields,
    written: {
      statements,
      events,
      bytes: isDry ? 0 : await step('size', () => bytesOf([...statements, ...events])),
      about: { record: event.record, recordId: event.recordId },
      lastSeq: lastSeqOf(transaction, written),
      created: isDry ? createdBy(method, written) : [],
    },
    ids,
  }
}
