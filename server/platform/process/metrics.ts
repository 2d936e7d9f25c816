// The metrics of one process, made from the table in metric-table.ts. Series whose labels are known in advance start with 0, because
// Prometheus does not see an increase from absent to 1.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { knownSeries, type MetricKey, type MetricRow, type MetricTable, metricTable } from './metric-table.ts'

/** `single` serves requests alone; with several processes each is a `worker`, and the `supervisor` serves none. */
export type ProcessRole = 'single' | 'worker' | 'supervisor'

type LabelOf<Key extends MetricKey> = MetricTable[Key] extends { readonly labels: infer Labels }
  ? keyof Labels & string
  : never
type KeyOf<Type extends MetricRow['type']> = {
  [Key in MetricKey]: MetricTable[Key]['type'] extends Type ? Key : never
}[MetricKey]
/** `undefined` while it cannot be read; the last value remains. */
type Read = () => number | Promise<number | undefined>
type Reading = { readonly labels: Readonly<Record<string, string>>; readonly read: Read }

export class Metrics {
  readonly registry = new Registry()
  readonly role: ProcessRole
  readonly requests: Counter<LabelOf<'requests'>>
  readonly duration: Histogram<LabelOf<'duration'>>
  readonly faults: Counter<LabelOf<'faults'>>
  readonly busy: Counter<LabelOf<'busy'>>
  readonly limited: Counter<LabelOf<'limited'>>
  readonly waits: Histogram<LabelOf<'waits'>>
  readonly eventLoopDelay: Histogram<LabelOf<'eventLoopDelay'>>
  readonly quotaReached: Counter<LabelOf<'quotaReached'>>
  readonly connectionLimitReached: Counter
  readonly requestLogDropped: Counter<LabelOf<'requestLogDropped'>>
  readonly webhookAttempts: Counter<LabelOf<'webhookAttempts'>>
  readonly webhookDelay: Histogram<LabelOf<'webhookDelay'>>
  readonly webhooksDisabled: Counter<LabelOf<'webhooksDisabled'>>
  readonly mails: Counter<LabelOf<'mails'>>
  readonly workerExits: Counter
  readonly backgroundErrors: Counter<LabelOf<'backgroundErrors'>>
  readonly logLinesLost: Counter
  /** What is read when the metrics are collected. */
  readonly #readings = new Map<KeyOf<'gauge'>, Reading[]>()

  constructor(role: ProcessRole = 'single') {
    this.role = role
    this.requests = this.#counter('requests')
    this.duration = this.#histogram('duration')
    this.faults = this.#counter('faults')
    this.busy = this.#counter('busy')
    this.limited = this.#counter('limited')
    this.waits = this.#histogram('waits')
    this.quotaReached = this.#counter('quotaReached')
    this.connectionLimitReached = this.#counter('connectionLimitReached')
    this.requestLogDropped = this.#counter('requestLogDropped')
    this.webhookAttempts = this.#counter('webhookAttempts')
    this.webhookDelay = this.#histogram('webhookDelay')
    this.webhooksDisabled = this.#counter('webhooksDisabled')
    this.mails = this.#counter('mails')
    this.workerExits = this.#counter('workerExits')
    this.backgroundErrors = this.#counter('backgroundErrors')
    this.eventLoopDelay = this.#histogram('eventLoopDelay')
    this.logLinesLost = this.#counter('logLinesLost')
    for (const [key, { type }] of Object.entries(metricTable)) if (type === 'gauge') this.#gauge(key as KeyOf<'gauge'>)
    if (role === 'supervisor') return
    collectDefaultMetrics({ register: this.registry })
  }

  /** A value that is read when the metrics are collected. */
  gauge<Key extends KeyOf<'gauge'>>(key: Key, read: Read, labels: Record<LabelOf<Key>, string> = {} as never) {
    const readings = this.#readings.get(key) ?? []
    this.#readings.set(key, [...readings, { labels, read }])
  }

  /** The registries of a metric: none for what only the supervisor measures. */
  #registers(key: MetricKey): Registry[] {
    return this.role === 'worker' && metricTable[key].of === 'supervisor' ? [] : [this.registry]
  }

  #options<Key extends MetricKey>(key: Key) {
    const { name, help, labels = {} }: MetricRow = metricTable[key]
    return { name, help, labelNames: Object.keys(labels) as LabelOf<Key>[], registers: this.#registers(key) }
  }

  #counter<Key extends KeyOf<'counter'>>(key: Key): Counter<LabelOf<Key>> {
    const counter = new Counter<LabelOf<Key>>(this.#options(key))
    for (const labels of knownSeries(metricTable[key])) counter.inc(labels as never, 0)
    return counter
  }

  #histogram<Key extends KeyOf<'histogram'>>(key: Key): Histogram<LabelOf<Key>> {
    const histogram = new Histogram<LabelOf<Key>>({ ...this.#options(key), buckets: [...metricTable[key].buckets] })
    for (const labels of knownSeries(metricTable[key])) histogram.zero(labels as never)
    return histogram
  }

  #gauge(key: KeyOf<'gauge'>): void {
    const readings = this.#readings
    const { of, aggregator }: MetricRow = metricTable[key]
    const gauge = new Gauge<string>({
      ...this.#options(key),
      // What all workers read from the same place is not added up.
      aggregator: aggregator ?? (of === 'database' ? 'max' : 'sum'),
      async collect() {
        for (const { labels, read } of readings.get(key) ?? []) {
          const value = await Promise.resolve(read()).catch(() => undefined)
          if (value !== undefined) this.set(labels, value)
        }
      },
    })
    for (const labels of knownSeries(metricTable[key])) gauge.set(labels, 0)
  }
}
