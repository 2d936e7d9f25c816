// The response to an exception, the same in both APIs.

import { Refusal } from '../../kernel/refusal.ts'
import { busyReason, CallerGone, faultKind, isBusy } from '../process/faults.ts'
import type { Logger } from '../process/logger.ts'
import type { Metrics } from '../process/metrics.ts'
import { type ApiResponse, Unauthorized } from './request.ts'
import { failureText } from './response-text.ts'

export const busyText = 'Service is busy'
/** 401 has no body; this header helps callers who send "Bearer". */
const authenticateHeader = 'ApiKey realm="Send the API key alone, without Bearer"'

/** Overload is logged once a second, because more would add to the load. */
const busyLogEveryMs = 1_000
let busyLoggedAt = Number.NEGATIVE_INFINITY
let busyNotLogged = 0

function logBusy(error: unknown, logger: Logger, requestId: string): void {
  const time = performance.now()
  if (time - busyLoggedAt < busyLogEveryMs) {
    busyNotLogged++
    return
  }
  logger.warn({ err: error, requestId, ...(busyNotLogged === 0 ? {} : { more: busyNotLogged }) }, 'busy')
  busyLoggedAt = time
  busyNotLogged = 0
}

export function failureResponse(
  error: unknown,
  logger: Logger,
  metrics: Metrics,
  request: { id: string; api: 'public' | 'screens'; method: string },
): ApiResponse {
  if (error instanceof Unauthorized)
    return { status: 401, body: '', headers: { 'www-authenticate': authenticateHeader } }
  if (error instanceof Refusal) {
    if (error.status === 429) metrics.limited.inc({ api: request.api })
    const headers = error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }
    return { status: error.status, body: failureText(error.message), headers }
  }
  // Not logged: anonymous clients could fill the log with these.
  if (error instanceof CallerGone) return { status: 400, body: failureText('Request is not complete'), headers: {} }
  if (isBusy(error)) {
    metrics.busy.inc({ reason: busyReason(error) })
    logBusy(error, logger, request.id)
    return { status: 503, body: failureText(busyText), headers: { 'retry-after': '1' } }
  }
  metrics.faults.inc({ kind: faultKind(error) })
  logger.error({ err: error, requestId: request.id, method: request.method }, 'a request failed')
  return { status: 500, body: failureText('Internal error'), headers: {} }
}
