// What can go wrong with the database, and what each fault says about the request it met.

/** The database cannot take this now; the request may be sent again later. */
export class Busy extends Error {}

/** COMMIT was sent and no answer came: nobody knows whether the write happened. */
export class OutcomeUnknown extends Error {}

export const sqlState = (error: unknown): string | undefined =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined

/** Deadlock and serialization failure: the transaction did nothing and may run again at once. */
export const mayRunAgain = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '')

/** Waits that ran out, a server that is full, stops or cannot be reached. */
export function isBusy(error: unknown): boolean {
  if (error instanceof Busy) return true
  const state = sqlState(error)
  if (state === undefined) return isConnectionLost(error)
  return ['55P03', '57014', '25P03', '57P01', '57P02', '57P03'].includes(state) || /^(08|53)/.test(state)
}

export function isConnectionLost(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('code' in error && /^E[A-Z]+$/.test(String(error.code))) ||
      /Connection terminated|connection error|Client was closed/i.test(error.message))
  )
}
