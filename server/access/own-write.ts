// A write that an entrance makes: in the company's order and with its event, like every other.

import type { Call } from '../kernel/clock.ts'
import type { WriteMethod } from '../kernel/method.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Inside } from '../platform/door.ts'
import { runWrite } from '../platform/run.ts'

export type Writer = { readonly companyId: number; readonly userId: number | null; readonly requestId: string }

/** What the method answered, or its refusal thrown. */
export async function ownWrite<I, Facts, Plan>(
  { pool, queue }: Inside,
  method: WriteMethod<I, Facts, Plan>,
  input: I,
  writer: Writer,
): Promise<Readonly<Record<string, unknown>>> {
  const call: Call = { ...writer, connectionId: null, source: 'manual' }
  const outcome = await queue.run(call.companyId, () => runWrite(pool, method, input, call, undefined, undefined))
  const answer = JSON.parse(outcome.body) as Record<string, unknown>
  if (outcome.status !== 200) throw new Refusal(String(answer['error']), outcome.status)
  return answer
}
