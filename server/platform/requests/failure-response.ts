// The response to an exception, the same in both APIs.

import { Refusal, type RefusalDetail, statusOf } from '../../kernel/refusal.ts'
import { busyReason, CallerGone, faultKind, isBusy } from '../process/faults.ts'
import type { Logger } from '../process/logger.ts'
import type { Metrics } from '../process/metrics.ts'
import { errorHeaders } from './error-headers.ts'
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
  /** The screens find the code in the body. */
  const failed = (body: string, detail: RefusalDetail, headers = {}): ApiResponse => ({
    status: statusOf(detail.code),
    body,
    headers: request.api === 'public' ? { ...headers, ...errorHeaders(detail) } : headers,
  })
  if (error instanceof Unauthorized)
    return failed('', { code: 'unauthorized' }, { 'www-authenticate': authenticateHeader })
  if (error instanceof Refusal) {
    if (error.status === 429) metrics.limited.inc({ api: request.api })
    const headers = error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }
    return failed(failureText(error.message), error.detail, headers)
  }
  // Not logged: anonymous clients could fill the log with these.
  if (error instanceof CallerGone) return failed(failureText('Request is not complete'), { code: 'body_incomplete' })
  if (isBusy(error)) {
    metrics.busy.inc({ reason: busyReason(error) })
    logBusy(error, logger, request.id)
    return failed(failureText(busyText), { code: 'busy' }, { 'retry-after': '1' })
  }
  metrics.faults.inc({ kind: faultKind(error) })
  logger.error({ err: error, requestId: request.id, method: request.method }, 'a request failed')
  return failed(failureText('Internal error'), { code: 'internal_error' })
}
