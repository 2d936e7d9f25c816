// What the process counts about itself, for Prometheus.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

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
    help: 'Requests that failed for a reason of ours, by SQLSTATE or kind.',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  /** A value that is read when the metrics are asked for. */
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
