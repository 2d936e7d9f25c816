// The database side of the sender: leases, and the results of runs. Every statement of a company is sent in a transaction of that company. Commits are
// asynchronous: what a crash of PostgreSQL loses is sent again.

import type { Statement } from '../../kernel/statement.ts'
import { beginAsyncAs } from '../../platform/postgres/company-transaction.ts'
import type { Pool } from '../../platform/postgres/database.ts'
import { microsecondsText, nowMs } from '../../platform/process/now.ts'
import type { RunResult } from './delivery-run.ts'
import {
  dueIn,
  insertDeliveries,
  type LeasedEndpoint,
  leasedEndpoints,
  type ParkedMessage,
  park,
  parkedMessages,
  recordProgress,
  renewLease,
  takeLease,
  unpark,
  webhookCompanies,
} from './statements.ts'

/** A process that was killed holds its leases for so long. It renews them while it sends. */
export const leaseMs = 10_000

export type Taken = {
  readonly endpoints: readonly LeasedEndpoint[]
  readonly parked: readonly ParkedMessage[]
  /** Milliseconds until there is something else to send; `undefined`: nothing. */
  readonly dueMs: number | undefined
}

export class EndpointStore {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async take(companyId: number, lease: string, limit: number, mayBeSlow: boolean): Promise<Taken> {
    const key = { company_id: companyId, lease }
    const rows = await this.#trip([
      beginAsyncAs(companyId),
      takeLease({ ...key, lease_ms: leaseMs, limit, may_be_slow: mayBeSlow }),
      leasedEndpoints(key),
      parkedMessages(key),
      dueIn({ company_id: companyId, may_be_slow: mayBeSlow }),
      'commit',
    ])
    return {
      endpoints: rows(2) as LeasedEndpoint[],
      parked: rows(3) as ParkedMessage[],
      dueMs: dueOf(rows(4)),
    }
  }

  /** Whether the lease is still ours and the endpoint still turned on. */
  async renew(companyId: number, webhookId: number, lease: string): Promise<boolean> {
    const renewed = renewLease({ company_id: companyId, webhook_id: webhookId, lease, lease_ms: leaseMs })
    const rows = await this.#trip([beginAsyncAs(companyId), renewed, 'commit'])
    return rows(1).length > 0
  }

  /**
   * Stores the results, gives up the lease, and returns when there is something to send next. That is read after the commit: what another process has
   * written while it could not get the lease is seen here.
   */
  async record(
    companyId: number,
    endpoint: LeasedEndpoint,
    lease: string,
    result: RunResult,
    mayBeSlow: boolean,
  ): Promise<number | undefined> {
    const key = { company_id: companyId, webhook_id: endpoint.id, lease }
    const last = result.deliveries.at(-1)
    const statements: Statement[] = [
      ...(last === undefined ? [] : [insertDeliveries(key, result.deliveries)]),
      ...result.park.map(({ seq, attempts, pauseMs }) => park({ ...key, seq, attempts, pause_ms: pauseMs })),
      ...(result.unpark.length === 0 ? [] : [unpark({ ...key, seqs: result.unpark })]),
      recordProgress({
        ...key,
        from_position: endpoint.position,
        position: result.position,
        attempts: result.attempts,
        next_at: result.pauseMs === null ? null : microsecondsText(nowMs() + result.pauseMs),
        keeps_pause: result.keepsPause,
        deliveries: result.deliveries.length,
        last_at: last?.at ?? null,
        last_status: last?.status ?? null,
        last_error: last?.error ?? null,
        last_duration_ms: last?.duration_ms ?? null,
        has_delivered: result.hasDelivered,
        is_failing: result.isFailing,
      }),
    ]
    const rows = await this.#trip([
      beginAsyncAs(companyId),
      ...statements,
      'commit',
      beginAsyncAs(companyId),
      dueIn({ company_id: companyId, may_be_slow: mayBeSlow }),
      'commit',
    ])
    return dueOf(rows(-2))
  }

  /** The next companies with webhooks, in the order of their ids. */
  async companiesAfter(after: number, limit: number): Promise<number[]> {
    const rows = await this.#trip([webhookCompanies({ after, limit })])
    return (rows(0) as { company_id: number }[]).map(({ company_id: companyId }) => companyId)
  }

  /** For each company: milliseconds until there is something to send. */
  async due(companyIds: readonly number[], mayBeSlow: boolean): Promise<(number | undefined)[]> {
    const rows = await this.#trip(
      companyIds.flatMap((companyId) => [
        beginAsyncAs(companyId),
        dueIn({ company_id: companyId, may_be_slow: mayBeSlow }),
        'commit',
      ]),
    )
    return companyIds.map((_, at) => dueOf(rows(3 * at + 1)))
  }

  async #trip(parts: readonly (string | Statement)[]): Promise<(at: number) => readonly unknown[]> {
    const trip = await this.#pool.followUp(parts)
    return (at) => trip.rows(at)
  }
}

function dueOf(rows: readonly unknown[]): number | undefined {
  const due = (rows[0] as { due_ms: number | null } | undefined)?.due_ms
  return due === null || due === undefined ? undefined : Math.max(0, due)
}
