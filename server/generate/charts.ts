// The chart of every metric in the dashboard.

import type { MetricKey } from '../platform/process/metric-table.ts'

export type Chart = {
  readonly title: string
  readonly expr: string
  readonly legend: string
  readonly unit: 'short' | 'reqps' | 's' | 'bytes'
}

export const charts: Readonly<Record<MetricKey, Chart>> = {
  requests: {
    title: 'Requests by status',
    expr: 'sum by (status) (rate(kontor_requests_total[5m]))',
    legend: '{{status}}',
    unit: 'reqps',
  },
  duration: {
    title: '95 % of the requests take less than',
    expr: 'histogram_quantile(0.95, sum by (api, class, le) (rate(kontor_request_seconds_bucket[5m])))',
    legend: '{{api}} {{class}}',
    unit: 's',
  },
  faults: {
    title: 'Requests answered with 500',
    expr: 'sum by (kind) (increase(kontor_faults_total[5m]))',
    legend: '{{kind}}',
    unit: 'short',
  },
  backgroundErrors: {
    title: 'Errors in the background',
    expr: 'sum by (task) (increase(kontor_background_errors_total[5m]))',
    legend: '{{task}}',
    unit: 'short',
  },
  logLinesLost: {
    title: 'Log lines that could not be written',
    expr: 'sum by (instance) (increase(kontor_log_lines_lost_total[5m]))',
    legend: '{{instance}}',
    unit: 'short',
  },
  busy: {
    title: 'Requests answered with 503',
    expr: 'sum by (reason) (rate(kontor_busy_total[5m]))',
    legend: '{{reason}}',
    unit: 'reqps',
  },
  limited: {
    title: 'Requests answered with 429',
    expr: 'sum by (api) (rate(kontor_limited_total[5m]))',
    legend: '{{api}}',
    unit: 'reqps',
  },
  underWay: { title: 'Requests in progress', expr: 'kontor_requests_under_way', legend: '{{instance}}', unit: 'short' },
  connections: { title: 'HTTP connections', expr: 'kontor_connections', legend: '{{instance}}', unit: 'short' },
  bodyBytes: { title: 'Memory of request bodies', expr: 'kontor_body_bytes', legend: '{{instance}}', unit: 'bytes' },
  waits: {
    title: 'Requests waiting, on average',
    expr: 'sum by (queue) (rate(kontor_wait_seconds_sum[5m]))',
    legend: '{{queue}}',
    unit: 'short',
  },
  waiting: { title: 'Requests waiting now', expr: 'kontor_waiting', legend: '{{instance}} {{queue}}', unit: 'short' },
  databaseConnections: {
    title: 'Database connections',
    expr: 'kontor_database_connections',
    legend: '{{instance}}',
    unit: 'short',
  },
  clockInDoubt: {
    title: 'The clock of the database is in doubt',
    expr: 'kontor_clock_in_doubt',
    legend: '{{instance}}',
    unit: 'short',
  },
  databaseUp: { title: 'The database responds', expr: 'kontor_database_up', legend: '{{instance}}', unit: 'short' },
  oldestTransaction: {
    title: 'Oldest transaction',
    expr: 'kontor_database_oldest_transaction_seconds',
    legend: '{{instance}}',
    unit: 's',
  },
  deadRows: {
    title: 'Dead rows',
    expr: 'max by (table) (kontor_table_dead_rows)',
    legend: '{{table}}',
    unit: 'short',
  },
  backfillLeft: {
    title: 'Companies left to backfill',
    expr: 'max(kontor_backfill_companies_left)',
    legend: 'companies',
    unit: 'short',
  },
  quotaReached: {
    title: 'Companies that reached 80 % and 100 % of their daily limit, per day',
    expr: 'sum by (percent) (increase(kontor_quota_reached_total[1d]))',
    legend: '{{percent}} %',
    unit: 'short',
  },
  connectionLimitReached: {
    title: 'Connections that used up their daily limit, per day',
    expr: 'sum(increase(kontor_connection_limit_reached_total[1d]))',
    legend: 'connections',
    unit: 'short',
  },
  requestLogQueued: {
    title: 'Unwritten rows',
    expr: 'kontor_request_log_queued',
    legend: '{{instance}}',
    unit: 'short',
  },
  requestLogQueueLimit: {
    title: 'Share of the queue in use',
    expr: 'kontor_request_log_queued / kontor_request_log_queue_limit',
    legend: '{{instance}}',
    unit: 'short',
  },
  requestLogQueuedBytes: {
    title: 'Memory of unwritten rows',
    expr: 'kontor_request_log_queued_bytes',
    legend: '{{instance}}',
    unit: 'bytes',
  },
  requestLogDropped: {
    title: 'Requests missing from the log',
    expr: 'sum by (reason) (increase(kontor_request_log_dropped_total[5m]))',
    legend: '{{reason}}',
    unit: 'short',
  },
  webhookAttempts: {
    title: 'Attempts to deliver webhooks',
    expr: 'sum by (result) (rate(kontor_webhook_attempts_total[5m]))',
    legend: '{{result}}',
    unit: 'reqps',
  },
  webhookDelay: {
    title: '95 % of the webhooks are delivered within',
    expr: 'histogram_quantile(0.95, sum by (instance, le) (rate(kontor_webhook_delay_seconds_bucket[5m])))',
    legend: '{{instance}}',
    unit: 's',
  },
  webhookRuns: {
    title: 'Webhooks being sent to',
    expr: 'kontor_webhook_runs',
    legend: '{{instance}}',
    unit: 'short',
  },
  webhookWait: {
    title: 'Longest wait for a sender of webhooks',
    expr: 'kontor_webhook_wait_seconds',
    legend: '{{instance}}',
    unit: 's',
  },
  webhooksDisabled: {
    title: 'Webhooks turned off because of their answers',
    expr: 'sum by (reason) (increase(kontor_webhooks_disabled_total[5m]))',
    legend: '{{reason}}',
    unit: 'short',
  },
  mails: {
    title: 'Attempts to send mails',
    expr: 'sum by (result) (increase(kontor_mails_total[5m]))',
    legend: '{{result}}',
    unit: 'short',
  },
  mailsQueued: {
    title: 'Mails that are not sent yet',
    expr: 'max(kontor_mails_queued)',
    legend: 'mails',
    unit: 'short',
  },
  mailLag: {
    title: 'Age of the oldest mail that is not sent',
    expr: 'max(kontor_mail_lag_seconds)',
    legend: 'age',
    unit: 's',
  },
  buildInfo: {
    title: 'Versions',
    expr: 'count by (version) (kontor_build_info)',
    legend: '{{version}}',
    unit: 'short',
  },
  workers: { title: 'Server processes', expr: 'kontor_workers', legend: '{{instance}}', unit: 'short' },
  workersConfigured: {
    title: 'Missing server processes',
    expr: 'kontor_workers_configured - kontor_workers',
    legend: '{{instance}}',
    unit: 'short',
  },
  workerExits: {
    title: 'Server processes that ended',
    expr: 'increase(kontor_worker_exits_total[5m])',
    legend: '{{instance}}',
    unit: 'short',
  },
  eventLoopDelay: {
    title: '99 % of the timers run with a delay of less than',
    expr: 'histogram_quantile(0.99, sum by (instance, le) (rate(kontor_event_loop_delay_seconds_bucket[5m])))',
    legend: '{{instance}}',
    unit: 's',
  },
}
