// The metrics of the process, for Prometheus.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { commit } from './commit.ts'
import { busyReasons, faultKinds } from './faults.ts'
import { version } from './version.ts'

/** Why a request is missing from the request log: the queue was full, PostgreSQL refused the row, or the process ended before it was written. */
export const logDropReasons = ['full', 'refused', 'stop'] as const
export type LogDropReason = (typeof logDropReasons)[number]

export class Metrics {
  readonly registry = new Registry()
  readonly requests = new Counter({
    name: 'kontor_requests_total',
    help: 'Requests answered, by method and status.',
    labelNames: ['method', 'status'] as const,
    registers: [this.registry],
  })
  readonly duration = new Histogram({
    name: 'kontor_request_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['method'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  })
  readonly faults = new Counter({
    name: 'kontor_faults_total',
    help: 'Requests answered with 500, by kind: internal, sql (an unexpected error of PostgreSQL) or outcome_unknown (no answer to COMMIT).',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  })
  readonly busy = new Counter({
    name: 'kontor_busy_total',
    help: 'Requests answered with 503, by reason: full, lock (not in time), timeout (of a statement) or database (not reached, or full).',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  })
  readonly requestLogDropped = new Counter({
    name: 'kontor_request_log_dropped_total',
    help: 'Requests missing from the request log, by reason: full (queue), refused (by PostgreSQL) or stop (not written before the end).',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  })

  constructor() {
    new Gauge({
      name: 'kontor_build_info',
      help: 'Always 1; the labels are the version and its commit.',
      labelNames: ['version', 'commit'] as const,
      registers: [this.registry],
      // Not the sum over all workers.
      aggregator: 'first',
    }).set({ version, commit: commit() ?? '' }, 1)
    collectDefaultMetrics({ register: this.registry })
    // Initialized with 0, because Prometheus does not see an increase from absent to 1.
    for (const kind of faultKinds) this.faults.inc({ kind }, 0)
    for (const reason of busyReasons) this.busy.inc({ reason }, 0)
    for (const reason of logDropReasons) this.requestLogDropped.inc({ reason }, 0)
  }

  /** A value of the whole installation, read from the database: all processes report the same, so that they are not added up. */
  sharedGauge(name: string, help: string, read: () => Promise<number | undefined>): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      aggregator: 'max',
      async collect() {
        // The last value stays while the database does not respond.
        const value = await read().catch(() => undefined)
        if (value !== undefined) this.set(value)
      },
    })
    gauge.set(0)
  }

  /** A value that is read when the metrics are scraped. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read())
      },
    })
  }
}
