// Configuration from the environment, checked once at startup, and the time limits of the server. The limits nest: a shorter one
// always expires before the longer one around it.

import { z } from 'zod'
import { describeVariables, type Reading, readEnvironment, type Variable } from './environment.ts'
import {
  count,
  databaseUrl,
  endpoint,
  host,
  mailbox,
  networks,
  oneOf,
  origin,
  port,
  proxies,
  secretsKey,
  shownDatabaseUrl,
  shownSmtpUrl,
  smtpUrl,
} from './variable-kinds.ts'

export const defaultMetricsPort = 9464

// The descriptions are what "kontor serve --help" prints, and what docs/guides/configuration.md contains.
const settings = z.object({
  DATABASE_URL: databaseUrl.meta({ description: 'the PostgreSQL database (required)', shown: shownDatabaseUrl }),
  HOST: host.default('127.0.0.1').describe('where to listen'),
  PORT: port.default(8080).describe('the port; 0 selects any free port'),
  WORKERS: count(1, 64).default(1).describe('server processes on that port'),
  METRICS_HOST: host.default('127.0.0.1').describe('where Prometheus finds /metrics'),
  METRICS_PORT: port.optional().describe(`the port of /metrics; default ${defaultMetricsPort} if it is free`),
  DATABASE_METRICS_SECONDS: count(1, 3_600)
    .default(30)
    .describe('how often the metrics of the database itself are read: its oldest transaction and dead rows'),
  PUBLIC_ORIGIN: origin
    .optional()
    .describe('the address browsers use, such as https://kontor.example; set it when the service is behind a proxy'),
  TRUSTED_PROXIES: proxies
    .default('loopback')
    .describe('proxies whose X-Forwarded-For is trusted: addresses or networks, comma-separated'),
  SIGN_UP: oneOf('open', 'closed')
    .default('open')
    .describe('open, or closed: companies are then created with "company create" and "user invite"'),
  SIGN_UPS_PER_HOUR: count(1, 100_000).default(5).describe('companies that one address may sign up in an hour'),
  SIGN_UPS_PER_DAY: count(1, 1_000_000).default(20).describe('the same in a day'),
  WEB_DIR: z.string().optional().describe('the built screens; default web/dist'),
  DATABASE_CONNECTIONS: count(1, 200).default(8).describe('connections for requests, over all workers'),
  DATABASE_STREAMS: count(1, 50)
    .default(4)
    .describe('streamed lists at a time per process, each on its own connection'),
  // More requests than the database can process only wait for each other: with 512, a successful response took up to 3 s under overload.
  MAX_REQUESTS: count(1, 1_000_000).default(128).describe('requests under way per process; more are answered with 503'),
  MAX_COMPANY_REQUESTS: count(1, 1_000_000).default(64).describe('the same for one company'),
  MAX_CONNECTIONS: count(10, 1_000_000)
    .default(5_000)
    .describe('open connections per process; unused ones are closed for new ones'),
  BODY_MEMORY_MIB: count(16, 4_096)
    .default(64)
    .describe('memory for request bodies per process, a quarter of it for one company'),
  // Bursts may be twenty times as large.
  ANONYMOUS_REQUESTS: count(1, 100_000)
    .default(100)
    .describe('requests a second from one address without a live key or session'),
  // Bursts may be ten times as large.
  SESSION_REQUESTS_PER_SECOND: count(1, 100_000)
    .default(100)
    .describe('requests a second through the screens, of one company per process'),
  // An open screen polls every three seconds: 50 people send 480,000 requests in eight hours.
  SESSION_REQUESTS_PER_DAY: count(1, 1_000_000_000)
    .default(1_000_000)
    .describe('requests a day through the screens, of one company'),
  STORAGE_LIMIT_MIB: count(1, 1_000_000_000)
    .default(10_240)
    .describe('what a company may store in total, in MiB, unless it has its own limit; beyond that, it cannot write'),
  REQUEST_LOG_MIB_PER_DAY: count(0, 1_000_000)
    .default(50)
    .describe('size of the request log per company and day; beyond that, rows have no bodies'),
  REQUEST_LOG_QUEUE_ROWS: count(10, 10_000_000)
    .default(20_000)
    .describe('unwritten rows of the request log per process; beyond that, rows are dropped and counted'),
  REQUEST_LOG_QUEUE_MIB: count(1, 4_096).default(32).describe('memory for these rows'),
  REQUEST_LOG_DAYS: count(1, 3650).default(30).describe('days the request log is kept'),
  WEBHOOK_ALLOW_NETWORKS: networks
    .default('')
    .describe(
      'networks of your own that webhooks may be sent to and identity providers may be in, at any port, such as 10.0.0.0/8, comma-separated; others must be public',
    ),
  WEBHOOK_ALLOW_HTTP: oneOf('true', 'false')
    .default('false')
    .describe('true: webhooks and identity providers may also use http instead of https, in these networks'),
  SMTP_URL: smtpUrl.optional().meta({
    description:
      'the SMTP server that sends mails, such as smtp://user:password@mail.example:587, or smtps:// for TLS from the start; without it no mails are sent',
    shown: shownSmtpUrl,
  }),
  MAIL_FROM: mailbox.optional().describe('the sender of mails; required with SMTP_URL, as PUBLIC_ORIGIN is'),
  MAILS_PER_DAY: count(1, 1_000_000).default(200).describe('mails that one company may send in 24 hours'),
  SECRETS_KEY: secretsKey.optional().meta({
    description:
      'encrypts the secrets of authenticator apps in the database: 32 random bytes as base64, the same for all servers; without it they are stored plainly',
    shown: () => '***',
  }),
  // Gives proxies time to switch to another server.
  STOP_DELAY_MS: count(0, 60_000).default(0).describe('time between /readyz turning 503 and the end of listening'),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
  SLOW_REQUEST_MS: count(1, 600_000)
    .default(1_000)
    .describe('requests that take as long are logged with their round trips'),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint
    .optional()
    .describe('the OpenTelemetry collector to which traces are sent as OTLP over HTTP; without it there are none'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .meta({ description: 'headers for the collector: name=value, comma-separated', shown: () => '***' }),
  OTEL_SERVICE_NAME: z.string().default('kontor').describe('the name of the service in traces'),
  TRACE_PERCENT: count(0, 100)
    .default(100)
    .describe('how many traces are recorded; a caller can only prevent that its trace is'),
})

// Links in mails begin with this address: the Host header of a request could be anything.
const environment = settings.superRefine((config, context) => {
  for (const name of ['MAIL_FROM', 'PUBLIC_ORIGIN'] as const)
    if (config.SMTP_URL !== undefined && config[name] === undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'is required with SMTP_URL' })
})

export const variables: readonly Variable[] = describeVariables(environment)

/** A line for each variable: its name, what it does, its default. */
export function environmentHelp(): string {
  const width = Math.max(...variables.map(({ name }) => name.length))
  return variables
    .map(({ name, about, unset, fileName }) => {
      const file = fileName === undefined ? '' : `; or ${fileName}: a file that contains it`
      return `  ${name.padEnd(width)}  ${about}${file}${unset === undefined ? '' : `; default ${unset}`}`
    })
    .join('\n')
}

export type Config = z.infer<typeof environment>

/** Connections for requests of each process: with one alone, nothing could be kept for short requests. */
export const connectionsOfProcess = ({
  DATABASE_CONNECTIONS: all,
  WORKERS: processes,
}: Pick<Config, 'DATABASE_CONNECTIONS' | 'WORKERS'>): number => Math.max(2, Math.floor(all / processes))

export const bounds = {
  poolWaitMs: 250,
  /** The same for requests that take long. */
  longWaitMs: 1_500,
  connectMs: 1_500,
  /** How long PostgreSQL may take to confirm that a query was cancelled. */
  cancelMs: 500,
  lockMs: 2_000,
  companyQueueMs: 2_000,
  statementMs: 5_000,
  /** How long the statement of a request with a search may take: it reads all records of the company. */
  searchMs: 2_000,
  /** Added to statementMs for all statements of a request together. With the waits before them the sum stays below requestMs. */
  workMarginMs: 1_000,
  requestMs: 10_000,
  /** How long the response to a request that is refused under overload is delayed. */
  refusalMs: 1_000,
  headersMs: 5_000,
  bodyMs: 15_000,
  /** How long a streamed list waits for a connection. */
  streamWaitMs: 8_000,
  /** The period over which the reader of a streamed list must reach the minimum rate. */
  readerWindowMs: 15_000,
  /** How long it may take to find out whether a streamed list is short. */
  shortListMs: 1_000,
  streamMs: 600_000,
  /** How long a stopping process goes on trying to write the request log while the database does not accept it. */
  logFlushMs: 3_000,
  /** While the process stops: how long a connection may be unused before it is closed. A request that arrives until then is answered. */
  idleMs: 500,
  stopMs: 20_000,
} as const

export const maxBodyBytes = 8 * 1024 * 1024
/** For methods that are called without a key or session. */
export const maxAnonymousBodyBytes = 16 * 1024

export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const reading = examineConfig(env)
  if ('problems' in reading) throw new ConfigError(reading.problems.join('\n'))
  return reading.config
}

/** Variables that look misspelled. */
export function configWarnings(env: NodeJS.ProcessEnv): readonly string[] {
  const reading = examineConfig(env)
  return 'problems' in reading ? [] : reading.warnings
}

/** The configuration with where each value comes from, or everything that is wrong with it. */
export const examineConfig = (env: NodeJS.ProcessEnv): Reading<Config> => readEnvironment(environment, env)
