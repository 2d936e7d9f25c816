// docs/reference/metrics.md: every metric with its labels, and every alert.

import { type MetricRow, metricTable } from '../platform/process/metric-table.ts'
import { alerts } from './alerts.ts'

const labelText = ([label, values]: [string, string | Readonly<Record<string, string>>]): string =>
  typeof values === 'string'
    ? `\`${label}\`: ${values}`
    : `\`${label}\`: ${Object.entries(values)
        .map(([value, meaning]) => `\`${value}\` (${meaning})`)
        .join(', ')}`

const metricLine = ({ name, type, help, labels = {} }: MetricRow): string =>
  `| \`${name}\` | ${type} | ${[help, ...Object.entries(labels).map(labelText)].join('<br>')} | ${alertsOn(name)} |`

const alertLink = (name: string): string => `[${name}](../guides/runbook.md#${name.toLowerCase()})`

/** A histogram has series with further endings. */
const alertsOn = (metric: string): string =>
  alerts
    .filter(({ expr }) => new RegExp(`\\b${metric}(?:_bucket|_sum|_count)?\\b`).test(expr))
    .map(({ name }) => alertLink(name))
    .join(', ')

const metricTables = (): string[] =>
  [...Map.groupBy(Object.values<MetricRow>(metricTable), (row) => row.area)].flatMap(([area, rows]) => [
    `## ${area}`,
    '',
    '| metric | type | meaning | alerts |',
    '| --- | --- | --- | --- |',
    ...rows.map(metricLine),
    '',
  ])

const cell = (text: string): string => text.replaceAll('|', '\\|')

export const metricsPage = (): string =>
  [
    '# Metrics',
    '',
    'What `/metrics` returns, for Prometheus. With several workers, counters and histograms are sums over all of them, those that ended included. Every series',
    'whose labels are listed here exists from the first scrape, with the value 0. The metrics of Node (`process_…`, `nodejs_…`) are included as well.',
    '',
    ...metricTables(),
    '## Alerts',
    '',
    '`deploy/prometheus/alerts.yaml` contains these alerts; the [runbook](../guides/runbook.md) explains what to do. Those on the audit use the metrics that',
    '`kontor audit --metrics` writes.',
    '',
    '| alert | severity | condition | for |',
    '| --- | --- | --- | --- |',
    ...alerts.map(
      (alert) => `| ${alertLink(alert.name)} | ${alert.severity} | \`${cell(alert.expr)}\` | ${alert.for} |`,
    ),
    '',
  ].join('\n')
