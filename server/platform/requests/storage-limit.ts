// The limit on what a company may store. Every write adds the size of its values to the company's clock row, which it locks and updates anyway; a
// company over its limit is refused further writes. The limit is exceeded by at most one request, by settings, and by deleting.

import type { WriteMethod } from '../../kernel/method.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Statement } from '../../kernel/statement.ts'

const mib = 1024 * 1024

/** 403, not 507: monitoring takes a 5xx for a fault of the service, and clients would send the request again. */
const storageFull = (): Refusal => new Refusal('Storage limit reached', { code: 'storage_full' })

/** `limitMib` is the limit of the installation; `undefined` for writes without a limit, such as those of the command line. */
export function refuseFull(
  method: Pick<WriteMethod, 'whenFull'>,
  clock: Readonly<Record<string, number | string | boolean | null>>,
  limitMib: number | undefined,
): void {
  if (limitMib === undefined || method.whenFull === 'always') return
  const own = clock['storage_limit_mib']
  const limit = (own === null || own === undefined ? limitMib : Number(own)) * mib
  const reserve = method.whenFull === 'in reserve' ? reserveMib * mib : 0
  if (Number(clock['written_bytes']) >= limit + reserve) throw storageFull()
}

/** Settings and users can be changed any number of times, and each change is kept in the history. */
const reserveMib = 16

/** What a value takes in PostgreSQL, roughly: texts their length, everything else the size of a number. */
const numberBytes = 8

export function bytesOf(statements: readonly Statement[]): number {
  let bytes = 0
  for (const { values } of statements) bytes += sizeOf(values)
  return bytes
}

// Runs with every write.
function sizeOf(values: readonly unknown[]): number {
  let bytes = 0
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length
    else if (Array.isArray(value)) bytes += typeof value[0] === 'number' ? value.length * numberBytes : sizeOf(value)
    else bytes += numberBytes
  }
  return bytes
}
