// Options of a write: a run without storing anything, which shows its effect, and a check that the record has not changed since it was read.

import type { RecordEvent, ResponseFields } from '../../kernel/method.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { type Statement, statement } from '../../kernel/statement.ts'
import type { Connection } from '../postgres/connection.ts'
import type { PlannedWrite } from './planning.ts'
import type { Planner } from './planning-thread.ts'

export type WriteOptions = {
  /** Run the write, read its effect in the same transaction, and roll back. */
  readonly dryRun?: DryRun | undefined
  /** The last change of the record that the caller has seen. */
  readonly expect?: number | undefined
  /** The time of the write: now, except for the demo's past year. Callers of the APIs cannot set it. */
  readonly at?: string | undefined
  /** Called after a write of a company that has webhooks. */
  readonly onChange?: ((companyId: number) => void) | undefined
  /** Plans large writes. Absent: all are planned here. */
  readonly planner?: Planner | undefined
  readonly bodyLength?: number | undefined
  /** How much a company may store unless it has its own limit. Absent: there is no limit. */
  readonly storageLimitMib?: number | undefined
}

export type EffectOf = (companyId: number) => Statement<{ effect: string }>

export type DryRun = {
  readonly effectOf: EffectOf
  /** The response, from the effect on stock as JSON if the caller may see it, the fields that the method would have returned, and the records it would have created. */
  readonly responseOf: (effect: string | undefined, fields: ResponseFields, created: readonly RecordEvent[]) => string
}

/** The last change that the caller of the screens has seen, from its header. */
export function readExpect(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  return /^\d{1,15}$/.test(header) ? Number(header) : refuse('Invalid Kontor-Expect', { code: 'expect_invalid' })
}

type LaterValues = {
  readonly company_id: number
  readonly record: string
  readonly record_id: number
  readonly seq: number
}

const findLater = statement<{ seq: number }, LaterValues>(
  'events.find_later',
  'select seq from events where company_id = :company_id and record = :record and record_id = :record_id and seq > :seq limit 1',
)

export const changedMeanwhile = 'Changed by someone else meanwhile'

/** The lock on the company's clock is held, so the record cannot change between this check and the write. */
export async function refuseChanged(
  connection: Connection,
  companyId: number,
  { record, recordId }: PlannedWrite['about'],
  expect: number,
): Promise<void> {
  const trip = await connection.roundTrip([
    findLater({ company_id: companyId, record, record_id: recordId, seq: expect }),
  ])
  if (trip.error !== undefined) throw trip.error
  if (trip.rows(0).length > 0) throw new Refusal(changedMeanwhile, { code: 'changed_meanwhile' })
}

/** Writes, reads the effect and rolls back. Nothing is kept, not even an id. */
export async function runDry(
  connection: Connection,
  companyId: number,
  statements: readonly Statement[],
  effectOf: EffectOf,
): Promise<string> {
  const trip = await connection.roundTrip([...statements, effectOf(companyId)])
  await connection.roundTrip(['rollback'])
  if (trip.error !== undefined) throw trip.error
  return trip.rows<{ effect: string }>(-1)[0]?.effect ?? '[]'
}
