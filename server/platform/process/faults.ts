// Database errors, and what each of them means for the request.

/** The server has no capacity for the request now; it may be retried later. */
export class Busy extends Error {}

/** The caller closed the connection before the response was ready. */
export class CallerGone extends Error {}

/** COMMIT was sent and no response arrived: it is unknown whether the write happened. */
export class OutcomeUnknown extends Error {}

export const sqlState = (error: unknown): string | undefined =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined

/** Deadlock and serialization failure: the transaction was rolled back and may be retried at once. */
export const mayRunAgain = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '')

/** PostgreSQL reported the error itself, so the transaction is rolled back. */
export const isUndone = (error: unknown): boolean => !/^(08|57P|$)/.test(sqlState(error) ?? '')

/** Timeouts, and a database server that is full, shutting down or unreachable. */
export function isBusy(error: unknown): boolean {
  if (error instanceof Busy) return true
  const state = sqlState(error)
  if (state === undefined) return isConnectionLost(error)
  return ['55P03', '57014', '25P03', '57P01', '57P02', '57P03'].includes(state) || /^(08|53)/.test(state)
}

export type BusyReason = 'full' | 'lock' | 'timeout' | 'database'

/** Why a request was answered as busy, to distinguish load from an unavailable database. */
export function busyReason(error: unknown): BusyReason {
  if (error instanceof Busy) return error.cause === undefined ? 'full' : 'database'
  const state = sqlState(error)
  if (state === '55P03') return 'lock'
  return state === '57014' || state === '25P03' ? 'timeout' : 'database'
}

export type FaultKind = 'internal' | 'sql' | 'outcome_unknown'

/** The cause of a 500: an error in the server, one reported by PostgreSQL, or a COMMIT without a response. */
export function faultKind(error: unknown): FaultKind {
  if (error instanceof OutcomeUnknown) return 'outcome_unknown'
  return sqlState(error) === undefined ? 'internal' : 'sql'
}

export function isConnectionLost(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('code' in error && /^E[A-Z]+$/.test(String(error.code))) ||
      /Connection terminated|connection error|Client was closed/i.test(error.message))
  )
}
