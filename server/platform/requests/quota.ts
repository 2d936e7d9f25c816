// Counts requests against the company's daily limit. The count is sent in the same round trip as the request's other statements; a request whose
// work has begun counts even if it fails.

import type { Settings } from '../../kernel/settings.ts'
import type { Statement } from '../../kernel/statement.ts'
import { beginAsyncAs } from '../postgres/company-transaction.ts'
import type { Connection } from '../postgres/connection.ts'
import type { Pool } from '../postgres/database.ts'
import type { RoundTripResult } from '../postgres/round-trip.ts'
import { bounds } from '../process/config.ts'
import { isUndone } from '../process/faults.ts'

/** A statement that counts the request; `check` reads its result and throws if the request is refused. It runs before other results are used. */
export type QuotaCheck = { readonly statement: Statement; readonly check: (rows: readonly unknown[]) => void }

// The count need not be on disk before the response: it is in the WAL before anything that the request writes.
export const beginCount = beginAsyncAs

/** Counts a request that sends no other statements. */
export async function runQuotaCheck(pool: Pool, companyId: number, quota: QuotaCheck): Promise<void> {
  await pool.useFor(companyId, (connection) => countOn(connection, companyId, quota))
}

export async function countOn(connection: Connection, companyId: number, quota: QuotaCheck): Promise<void> {
  const trip = await connection.roundTrip([beginCount(companyId), quota.statement, 'commit'])
  throwErrorOf(trip)
  quota.check(trip.rows(1))
}

/** Counts a request whose input is refused, and reads the settings that the refusal may depend on. */
export async function runSettings(
  pool: Pool,
  companyId: number,
  quota: QuotaCheck | undefined,
  settings: Statement<Settings>,
): Promise<Settings> {
  return await pool.useFor(companyId, async (connection) => {
    const trip = await connection.roundTrip([
      beginCount(companyId),
      settings,
      ...(quota === undefined ? [] : [quota.statement]),
      'commit',
    ])
    throwErrorOf(trip)
    if (quota !== undefined) quota.check(trip.rows(2))
    return loadRow(trip.rows<Settings>(1))
  })
}

/** One round trip that reads and counts; the rows of the reads start at index 1. */
export async function readCounted(
  connection: Connection,
  companyId: number,
  reads: readonly (string | Statement)[],
  quota: QuotaCheck | undefined,
  signal: AbortSignal | undefined,
): Promise<RoundTripResult> {
  // Counted last, so that the company's counter row is locked only briefly: 16 concurrent readers of one company reached
  // 0.4 of the uncounted rate when counting first, 0.68 when counting last.
  const count = quota === undefined ? [] : [quota.statement]
  const parts = [beginCount(companyId), ...reads, ...count, 'commit']
  const trip = await connection.roundTrip(parts, { mayCancel: true, signal })
  if (quota !== undefined && trip.error === undefined) quota.check(trip.rows(1 + reads.length))
  return trip
}

/** Counts a request that failed or timed out after its work had begun: its count was rolled back with the rest. */
export async function countBegun(
  connection: Connection,
  companyId: number,
  quota: QuotaCheck | undefined,
  error: unknown,
): Promise<void> {
  // When the connection was lost, it is unknown whether the request was counted.
  if (quota === undefined || !isUndone(error)) return
  if (!connection.usable) await connection.reopen()
  connection.beginWork(bounds.workMarginMs)
  await countOn(connection, companyId, quota)
}

export function loadRow<Row>(rows: readonly Row[]): Row {
  const row = rows[0]
  if (row === undefined) throw new Error('a statement that always returns a row returned none')
  return row
}

function throwErrorOf(trip: RoundTripResult): void {
  if (trip.error !== undefined) throw trip.error
}
