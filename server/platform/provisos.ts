// What a screen may ask of a write beside the write itself: to see its effect and undo it, and to write only over what it has seen.

import type { Written } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import { type Statement, statement } from '../kernel/statement.ts'
import type { Connection } from './database.ts'

export type Provisos = {
  /** The statement that reads the effect of what was written before it in the same transaction, which is then undone. */
  readonly preview?: ((companyId: number) => Statement<{ effect: string }>) | undefined
  /** The last change of the record that the asker has seen. */
  readonly expect?: number | undefined
  /** When it is taken to happen: now, unless a past is being written down. No door lets a caller say. */
  readonly at?: string | undefined
}

const findLater = statement<{ seq: number }>(
  'events.find_later',
  'select seq from events where company_id = $1 and record = $2 and record_id = $3 and seq > $4 limit 1',
)

export const changedMeanwhile = 'Changed by someone else meanwhile'

/** The lock on the company's clock is held: nothing can come between this look and the write. */
export async function refuseChanged(
  connection: Connection,
  companyId: number,
  { event }: Written,
  expect: number,
): Promise<void> {
  const flown = await connection.flight([findLater(companyId, event.record, event.recordId, expect)])
  if (flown.error !== undefined) throw flown.error
  if (flown.rows(0).length > 0) throw new Refusal(changedMeanwhile, 409)
}

/** Writes, looks and undoes: what is told is what would happen, and nothing of it stays, not even an id. */
export async function previewOf(
  connection: Connection,
  companyId: number,
  written: Written | undefined,
  effectOf: (companyId: number) => Statement<{ effect: string }>,
): Promise<string> {
  const flown = await connection.flight([...(written?.statements ?? []), effectOf(companyId)])
  await connection.flight(['rollback'])
  if (flown.error !== undefined) throw flown.error
  return `{"success":true,"effect":${flown.rows<{ effect: string }>(-1)[0]?.effect ?? '[]'}}`
}
