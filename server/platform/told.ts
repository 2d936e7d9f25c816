// The answer to whatever was thrown, the same at both doors.

import { Refusal } from '../kernel/refusal.ts'
import { failureText } from './answer.ts'
import { type Told, Unauthorized } from './door.ts'
import { isBusy, sqlState } from './faults.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

export const busyText = 'Service is busy'

/** A service that is asked for too much says so once a second: more would be work of its own. */
const busyEveryMs = 1_000
let busySaidAt = 0
let busyUnsaid = 0

function sayBusy(error: unknown, logger: Logger, requestId: string): void {
  const time = Date.now()
  if (time - busySaidAt < busyEveryMs) {
    busyUnsaid++
    return
  }
  logger.warn({ err: error, requestId, ...(busyUnsaid === 0 ? {} : { more: busyUnsaid }) }, 'busy')
  busySaidAt = time
  busyUnsaid = 0
}

export function toldOf(
  error: unknown,
  logger: Logger,
  metrics: Metrics,
  request: { id: string; method: string },
): Told {
  if (error instanceof Unauthorized) return { status: 401, body: '', headers: {} }
  if (error instanceof Refusal) return { status: error.status, body: failureText(error.message), headers: {} }
  metrics.faults.inc({ kind: sqlState(error) ?? (error instanceof Error ? error.name : 'unknown') })
  if (isBusy(error)) {
    sayBusy(error, logger, request.id)
    return { status: 503, body: failureText(busyText), headers: { 'retry-after': '1' } }
  }
  logger.error({ err: error, requestId: request.id, method: request.method }, 'a request failed')
  return { status: 500, body: failureText('Internal error'), headers: {} }
}
