// The alerts for Prometheus, as data and as the file deploy/prometheus/alerts.yaml. docs/guides/runbook.md has a section for each of them.
// Long because each alert is a row of several lines.

export type Alert = {
  readonly name: string
  readonly expr: string
  /** How long the condition must hold. */
  readonly for: string
  /** `critical`: somebody must act now. `warning`: during the working day. `info`: good to know. */
  readonly severity: 'critical' | 'warning' | 'info'
  readonly summary: string
}

export const alerts: readonly Alert[] = [
  {
    name: 'KontorDown',
    // By the name of the job, and for jobs of any name by the service's own metric, as long as it is remembered.
    expr: 'up{job=~".*kontor.*"} == 0 or (up == 0 and on (job, instance) last_over_time(kontor_build_info[7d]))',
    for: '1m',
    severity: 'critical',
    summary: 'The metrics of {{ $labels.instance }} cannot be read.',
  },
  {
    name: 'KontorFaults',
    expr: 'sum by (instance, kind) (increase(kontor_faults_total[5m])) > 0',
    for: '0m',
    severity: 'critical',
    summary: '{{ $labels.instance }} answered requests with 500 ({{ $labels.kind }}).',
  },
  {
    name: 'KontorDatabaseUnavailable',
    expr: 'kontor_database_up == 0 or ignoring (reason) increase(kontor_busy_total{reason="database"}[5m]) > 0',
    for: '0m',
    severity: 'critical',
    summary: '{{ $labels.instance }} cannot reach the database, or the database has no free connection.',
  },
  {
    name: 'KontorClockInDoubt',
    expr: 'max(kontor_clock_in_doubt) > 0',
    for: '0m',
    severity: 'critical',
    summary:
      'The clock of the database has jumped: nothing is deleted, and requests count for an earlier day, until it is confirmed.',
  },
  {
    name: 'KontorBusy',
    expr: 'sum by (instance) (rate(kontor_busy_total{reason!="database"}[5m])) > 0.1',
    for: '5m',
    severity: 'warning',
    summary: '{{ $labels.instance }} answers {{ $value | humanize }} requests a second with 503.',
  },
  {
    name: 'KontorSlow',
    expr: 'histogram_quantile(0.95, sum by (instance, class, le) (rate(kontor_request_seconds_bucket{class=~"read|write"}[5m]))) > 1',
    for: '10m',
    severity: 'warning',
    summary:
      'One in twenty requests of the class {{ $labels.class }} takes longer than {{ $value | humanizeDuration }}.',
  },
  {
    name: 'KontorConnectionsShort',
    expr: 'rate(kontor_wait_seconds_sum{queue="database"}[5m]) > 1',
    for: '5m',
    severity: 'warning',
    summary: 'On average {{ $value | humanize }} requests wait for a database connection.',
  },
  {
    name: 'KontorWritesQueue',
    expr: 'rate(kontor_wait_seconds_sum{queue="company"}[5m]) > 5',
    for: '10m',
    severity: 'warning',
    summary: 'On average {{ $value | humanize }} writes wait for other writes of the same company.',
  },
  {
    name: 'KontorEventLoopBlocked',
    expr: 'increase(kontor_event_loop_delay_seconds_count[5m]) - ignoring (le) increase(kontor_event_loop_delay_seconds_bucket{le="0.25"}[5m]) > 15',
    for: '0m',
    severity: 'warning',
    summary:
      'Processes of {{ $labels.instance }} did not respond for a quarter of a second, {{ $value | humanize }} times.',
  },
  {
    name: 'KontorWorkersMissing',
    expr: 'kontor_workers < kontor_workers_configured',
    for: '2m',
    severity: 'critical',
    summary: 'Only {{ $value }} server processes of {{ $labels.instance }} respond.',
  },
  {
    name: 'KontorWorkerEnded',
    expr: 'increase(kontor_worker_exits_total[10m]) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'A server process of {{ $labels.instance }} ended unexpectedly and was replaced.',
  },
  {
    name: 'KontorLongTransaction',
    expr: 'kontor_database_oldest_transaction_seconds > 900',
    for: '0m',
    severity: 'warning',
    summary: 'A transaction has been open for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'KontorDeadRows',
    expr: 'max by (table) (kontor_table_dead_rows) > 100000',
    for: '30m',
    severity: 'warning',
    summary: 'The table {{ $labels.table }} has {{ $value | humanize }} dead rows.',
  },
  {
    name: 'KontorRequestLogQueue',
    expr: 'kontor_request_log_queued / kontor_request_log_queue_limit > 0.5',
    for: '5m',
    severity: 'warning',
    summary: 'The queue of the request log is filled to {{ $value | humanizePercentage }}.',
  },
  {
    name: 'KontorRequestLogDropped',
    expr: 'sum by (instance, reason) (increase(kontor_request_log_dropped_total[5m])) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'Requests are missing from the request log ({{ $labels.reason }}).',
  },
  {
    name: 'KontorWebhooksLate',
    expr: 'kontor_webhook_wait_seconds > 30',
    for: '5m',
    severity: 'warning',
    summary: 'Webhooks wait {{ $value | humanizeDuration }} before {{ $labels.instance }} begins to send them.',
  },
  {
    name: 'KontorMailsLate',
    expr: 'max(kontor_mail_lag_seconds) > 900',
    for: '5m',
    severity: 'warning',
    summary: 'A mail has been waiting to be sent for {{ $value | humanizeDuration }}.',
  },
  {
    name: 'KontorMailsRefused',
    // A single wrong address is no reason to act.
    expr: 'sum(increase(kontor_mails_total{result="failed"}[1h])) > 5 and sum(increase(kontor_mails_total{result="failed"}[1h])) > sum(increase(kontor_mails_total{result="sent"}[1h]))',
    for: '0m',
    severity: 'warning',
    summary: '{{ $value | humanize }} mails failed within an hour, more than were sent.',
  },
  {
    name: 'KontorQuotaNearlyUsed',
    expr: 'sum (increase(kontor_quota_reached_total{percent="80"}[10m])) > 0',
    for: '0m',
    severity: 'info',
    summary: 'A company has used 80 % of its daily limit of API requests.',
  },
  {
    name: 'KontorQuotaUsedUp',
    expr: 'sum (increase(kontor_quota_reached_total{percent="100"}[10m])) > 0',
    for: '0m',
    severity: 'warning',
    summary: 'A company has used up its daily limit of API requests.',
  },
  {
    name: 'KontorAuditViolations',
    expr: 'sum by (invariant) (kontor_audit_violations) > 0',
    for: '0m',
    severity: 'critical',
    summary: 'The audit found {{ $value }} violations: {{ $labels.invariant }}.',
  },
  {
    name: 'KontorAuditTooOld',
    expr: 'time() - max(kontor_audit_last_run_timestamp_seconds) > 129600',
    for: '0m',
    severity: 'warning',
    summary: 'The last audit finished {{ $value | humanizeDuration }} ago.',
  },
]

export const runbookPage = 'docs/guides/runbook.md'
/** The heading of an alert in the runbook is its name. */
export const runbookAnchor = ({ name }: Alert): string => `${runbookPage}#${name.toLowerCase()}`

/** A text in single quotes can hold every other character of PromQL as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** For Prometheus, and as a file of the chart, which makes a PrometheusRule of it. */
export const alertsFile = (): string =>
  [
    '# The alerts of Kontor for Prometheus. Generated from server/generate/alerts.ts; change it there.',
    'groups:',
    '  - name: kontor',
    '    rules:',
    ...alerts.flatMap((alert) => [
      `      - alert: ${alert.name}`,
      `        expr: ${quoted(alert.expr)}`,
      `        for: ${alert.for}`,
      '        labels:',
      `          severity: ${alert.severity}`,
      '        annotations:',
      `          summary: ${quoted(alert.summary)}`,
      `          runbook: ${quoted(runbookAnchor(alert))}`,
    ]),
    '',
  ].join('\n')
