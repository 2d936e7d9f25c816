// A write made by a session method: in the company's order and with an event, like every other write.

import type { RequestContext, RequestOrigin } from '../kernel/clock.ts'
import type { WriteMethod } from '../kernel/method.ts'
import type { SessionMethodServices } from '../platform/requests/request.ts'
import { runWrite } from '../platform/requests/run.ts'

export type Writer = {
  readonly companyId: number
  readonly userId: number | null
  readonly requestId: string
  readonly from: RequestOrigin
}

/** Returns the response of the method, or throws its refusal. */
export async function runSessionWrite<I, Facts, Plan>(
  { pool, queue, onChange }: SessionMethodServices,
  method: WriteMethod<I, Facts, Plan>,
  input: I,
  writer: Writer,
): Promise<Readonly<Record<string, unknown>>> {
  const context: RequestContext = { ...writer, connectionId: null, source: 'manual' }
  const { body } = await queue.run(context.companyId, () =>
    runWrite(pool, method, input, context, undefined, undefined, { onChange }),
  )
  return JSON.parse(body)
}
