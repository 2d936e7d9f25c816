// Every metric of the service: its name, what it means, and its labels. The page docs/reference/metrics.md, the dashboard and the tests
// are made from this table. Long because each metric is a row of several lines.

import { backgroundTasks } from './background.ts'
import type { BusyReason, FaultKind } from './faults.ts'

/** Why a request is missing from the request log. */
export type LogDropReason = 'full' | 'refused' | 'stop'
/** Why a webhook was turned off. */
export type WebhookDisableReason = 'gone' | 'failing'
/** What became of an attempt to send a mail. */
export type MailResult = 'sent' | 'postponed' | 'failed'
/** What requests wait for. */
export type WaitQueue = 'database' | 'lists' | 'company' | 'documents'
export type ApiName = 'public' | 'screens' | 'files'
export type MethodClass = 'read' | 'write' | 'list' | 'session' | 'unknown'

/** Tables whose rows are updated by nearly every request, so that dead rows would slow down everything. */
const hotTables = {
  company_clock: 'locked and updated by every write',
  quotas: 'updated by every request of the public API',
  daily_usage: 'updated for every company in use, every few seconds',
  list_runs: 'updated when records are added to or removed from a list',
  stock_levels: 'updated when stock changes',
  item_costs: 'updated when the cost of an item changes',
  idempotency_keys: 'rows live for one day',
  sales: 'updated when the status of a sale changes',
} as const
export type HotTable = keyof typeof hotTables

/** The values of a label with their meanings, or one sentence if the values are not known in advance. */
type Labels = Readonly<Record<string, string | Readonly<Record<string, string>>>>

export type MetricRow = {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: Labels
  readonly buckets?: readonly number[]
  /** How the values of the workers become one; the sum unless it is given. */
  readonly aggregator?: 'sum' | 'max'
  /** `worker`: over all workers. `supervisor`: measured by one process. `database`: the same in all workers. */
  readonly of: 'worker' | 'supervisor' | 'database'
  readonly area: 'Requests' | 'Waiting' | 'Database' | 'Companies' | 'Request log' | 'Webhooks' | 'Mails' | 'Processes'
}

const queues: Readonly<Record<WaitQueue, string>> = {
  database: 'a database connection',
  lists: 'a database connection for a long list',
  company: 'the turn among the writes of the company',
  documents: 'the turn among the documents that are printed',
}

export const metricTable = {
  requests: {
    name: 'kontor_requests_total',
    type: 'counter',
    help: 'Requests answered. Series appear with the first request of their kind; alerts use the other metrics.',
    labels: { method: 'the method; `unknown` if there is none of that name', status: 'the HTTP status' },
    of: 'worker',
    area: 'Requests',
  },
  duration: {
    name: 'kontor_request_seconds',
    type: 'histogram',
    help: 'Time from the head of a request to the end of its response.',
    labels: {
      api: { public: 'the public API', screens: 'the API of the screens' },
      class: {
        read: 'a record or a page of a list',
        write: 'a change',
        list: 'a list without a page size, which takes as long as its reader',
        session: 'signing in, signing out and similar',
        unknown: 'no such method',
      } satisfies Record<MethodClass, string>,
    },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    of: 'worker',
    area: 'Requests',
  },
  faults: {
    name: 'kontor_faults_total',
    type: 'counter',
    help: 'Requests answered with 500.',
    labels: {
      kind: {
        internal: 'an error in the server',
        sql: 'an unexpected error of PostgreSQL',
        outcome_unknown: 'the connection was lost after COMMIT was sent',
      } satisfies Record<FaultKind, string>,
    },
    of: 'worker',
    area: 'Requests',
  },
  busy: {
    name: 'kontor_busy_total',
    type: 'counter',
    help: 'Requests answered with 503. Nothing was changed, and the client is asked to try again.',
    labels: {
      reason: {
        full: 'too many requests in progress, or no database connection free in time',
        lock: 'a lock was not available in time',
        timeout: 'a statement took too long',
        database: 'the database was unreachable or had no free connection',
      } satisfies Record<BusyReason, string>,
    },
    of: 'worker',
    area: 'Requests',
  },
  limited: {
    name: 'kontor_limited_total',
    type: 'counter',
    help: 'Requests answered with 429.',
    labels: {
      api: {
        public: 'the company has used up its daily limit',
        screens: 'the company or the address has reached a limit of the screens',
        files: 'too many anonymous requests from one address',
      } satisfies Record<ApiName, string>,
    },
    of: 'worker',
    area: 'Requests',
  },
  backgroundErrors: {
    name: 'kontor_background_errors_total',
    type: 'counter',
    help: 'Errors of work that no request waits for. The process goes on; the log has the error.',
    labels: { task: backgroundTasks },
    of: 'worker',
    area: 'Processes',
  },
  logLinesLost: {
    name: 'kontor_log_lines_lost_total',
    type: 'counter',
    help: 'Lines of the log of the process that could not be written to standard output, for example because the disk is full.',
    of: 'worker',
    area: 'Processes',
  },
  underWay: {
    name: 'kontor_requests_under_way',
    type: 'gauge',
    help: 'Requests in progress; each process accepts `MAX_REQUESTS`.',
    of: 'worker',
    area: 'Requests',
  },
  connections: {
    name: 'kontor_connections',
    type: 'gauge',
    help: 'Open HTTP connections; each process accepts `MAX_CONNECTIONS`.',
    of: 'worker',
    area: 'Requests',
  },
  bodyBytes: {
    name: 'kontor_body_bytes',
    type: 'gauge',
    help: 'Memory that request bodies take before they are parsed; each process accepts `BODY_MEMORY_MIB`.',
    of: 'worker',
    area: 'Requests',
  },
  waits: {
    name: 'kontor_wait_seconds',
    type: 'histogram',
    help: 'How long requests waited in a queue, in success or in vain. Requests that did not have to wait are not included.',
    labels: { queue: queues },
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 5],
    of: 'worker',
    area: 'Waiting',
  },
  waiting: {
    name: 'kontor_waiting',
    type: 'gauge',
    help: 'Requests that wait in a queue at the moment.',
    labels: { queue: queues },
    of: 'worker',
    area: 'Waiting',
  },
  databaseConnections: {
    name: 'kontor_database_connections',
    type: 'gauge',
    help: 'Open connections to the database, without those for long lists.',
    of: 'worker',
    area: 'Database',
  },
  clockInDoubt: {
    name: 'kontor_clock_in_doubt',
    type: 'gauge',
    help: '1 while the clock of the database differs too much from the time recorded last, until `kontor clock confirm`; otherwise 0.',
    of: 'database',
    area: 'Database',
  },
  databaseUp: {
    name: 'kontor_database_up',
    type: 'gauge',
    help: '1 if the database responded when it was last queried for these metrics, every `DATABASE_METRICS_SECONDS`; otherwise 0.',
    of: 'supervisor',
    area: 'Database',
  },
  oldestTransaction: {
    name: 'kontor_database_oldest_transaction_seconds',
    type: 'gauge',
    help: 'Age of the oldest transaction in the database, prepared ones included. Transactions of other logins are seen only with `pg_read_all_stats`.',
    of: 'supervisor',
    area: 'Database',
  },
  deadRows: {
    name: 'kontor_table_dead_rows',
    type: 'gauge',
    help: 'Rows of a table that were deleted or replaced and are not vacuumed yet, as estimated by PostgreSQL.',
    labels: { table: hotTables },
    of: 'supervisor',
    area: 'Database',
  },
  backfillLeft: {
    name: 'kontor_backfill_companies_left',
    type: 'gauge',
    help: 'Companies in which backfills still have to change existing rows.',
    of: 'database',
    area: 'Database',
  },
  quotaReached: {
    name: 'kontor_quota_reached_total',
    type: 'counter',
    help: 'Companies that reached a share of their daily limit of API requests. A company counts once a day for each share.',
    labels: { percent: { '80': 'four fifths of the limit', '100': 'all of it: the request after it was refused' } },
    of: 'worker',
    area: 'Companies',
  },
  connectionLimitReached: {
    name: 'kontor_connection_limit_reached_total',
    type: 'counter',
    help: 'API connections that used up the daily limit set for them. A connection counts once a day.',
    of: 'worker',
    area: 'Companies',
  },
  requestLogQueued: {
    name: 'kontor_request_log_queued',
    type: 'gauge',
    help: 'Rows of the request log that are not written yet.',
    of: 'worker',
    area: 'Request log',
  },
  requestLogQueueLimit: {
    name: 'kontor_request_log_queue_limit',
    type: 'gauge',
    help: 'How many unwritten rows are kept: `REQUEST_LOG_QUEUE_ROWS` of every process.',
    of: 'worker',
    area: 'Request log',
  },
  requestLogQueuedBytes: {
    name: 'kontor_request_log_queued_bytes',
    type: 'gauge',
    help: 'Memory that the unwritten rows take; each process accepts `REQUEST_LOG_QUEUE_MIB`.',
    of: 'worker',
    area: 'Request log',
  },
  requestLogDropped: {
    name: 'kontor_request_log_dropped_total',
    type: 'counter',
    help: 'Requests that are missing from the request log.',
    labels: {
      reason: {
        full: 'the queue was full',
        refused: 'PostgreSQL did not accept the row',
        stop: 'not written before the process ended',
      } satisfies Record<LogDropReason, string>,
    },
    of: 'worker',
    area: 'Request log',
  },
  webhookAttempts: {
    name: 'kontor_webhook_attempts_total',
    type: 'counter',
    help: 'Attempts to deliver a message to a webhook.',
    labels: { result: { delivered: 'answered with 2xx', failed: 'any other answer, or none' } },
    of: 'worker',
    area: 'Webhooks',
  },
  webhookDelay: {
    name: 'kontor_webhook_delay_seconds',
    type: 'histogram',
    help: 'Time from a change to its delivery to a webhook, including the pauses before repeated attempts.',
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600, 3600, 86_400],
    of: 'worker',
    area: 'Webhooks',
  },
  webhookRuns: {
    name: 'kontor_webhook_runs',
    type: 'gauge',
    help: 'Webhooks that messages are being sent to; at most 500 per process.',
    of: 'worker',
    area: 'Webhooks',
  },
  webhookWait: {
    name: 'kontor_webhook_wait_seconds',
    type: 'gauge',
    help: 'How long the company that has waited longest has waited for a process to send its webhooks. Slow endpoints of its own do not count.',
    aggregator: 'max',
    of: 'worker',
    area: 'Webhooks',
  },
  webhooksDisabled: {
    name: 'kontor_webhooks_disabled_total',
    type: 'counter',
    help: 'Webhooks that were turned off because of their answers.',
    labels: {
      reason: {
        gone: 'answered with 410',
        failing: 'nothing but failures for five days',
      } satisfies Record<WebhookDisableReason, string>,
    },
    of: 'worker',
    area: 'Webhooks',
  },
  mails: {
    name: 'kontor_mails_total',
    type: 'counter',
    help: 'Attempts to send a mail, by their result.',
    labels: {
      result: {
        sent: 'accepted by the SMTP server',
        postponed: 'not accepted, and tried again later',
        failed: 'refused for good, or given up',
      } satisfies Record<MailResult, string>,
    },
    of: 'worker',
    area: 'Mails',
  },
  mailsQueued: {
    name: 'kontor_mails_queued',
    type: 'gauge',
    help: 'Mails that are not sent yet. Always 0 without `SMTP_URL`.',
    of: 'database',
    area: 'Mails',
  },
  mailLag: {
    name: 'kontor_mail_lag_seconds',
    type: 'gauge',
    help: 'Age of the oldest mail that is not sent yet.',
    of: 'database',
    area: 'Mails',
  },
  buildInfo: {
    name: 'kontor_build_info',
    type: 'gauge',
    help: 'Always 1. `kontor --version` prints the same version and commit.',
    labels: { version: 'the version that runs', commit: 'its commit' },
    of: 'supervisor',
    area: 'Processes',
  },
  workers: {
    name: 'kontor_workers',
    type: 'gauge',
    help: 'Server processes that responded to this collection of metrics.',
    of: 'supervisor',
    area: 'Processes',
  },
  workersConfigured: {
    name: 'kontor_workers_configured',
    type: 'gauge',
    help: 'Server processes that should run: `WORKERS`.',
    of: 'supervisor',
    area: 'Processes',
  },
  workerExits: {
    name: 'kontor_worker_exits_total',
    type: 'counter',
    help: 'Server processes that ended unexpectedly and were replaced.',
    of: 'supervisor',
    area: 'Processes',
  },
  eventLoopDelay: {
    name: 'kontor_event_loop_delay_seconds',
    type: 'histogram',
    help: 'How late a timer ran that is due ten times a second. While a process computes, all its requests wait that long.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    of: 'worker',
    area: 'Processes',
  },
} as const satisfies Readonly<Record<string, MetricRow>>

export type MetricTable = typeof metricTable
export type MetricKey = keyof MetricTable

/** Every combination of label values that is known in advance; none if a label is open. */
export function knownSeries({ labels = {} }: MetricRow): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (series, [label, values]) =>
      typeof values === 'string'
        ? []
        : series.flatMap((one) => Object.keys(values).map((value) => ({ ...one, [label]: value }))),
    [{}],
  )
}
