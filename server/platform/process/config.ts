// Configuration from the environment, checked once at startup, and the time limits of the server. The limits nest: a shorter one
// always expires before the longer one around it.

import { z } from 'zod'

export const defaultMetricsPort = 9464
const port = z.coerce.number().int().min(0).max(65_535)
const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

const databaseExample = 'postgres://postgres@127.0.0.1:5432/kontor'

// The descriptions are what "kontor serve --help" prints.
const environment = z.object({
  DATABASE_URL: z
    .string({ error: `is not set. Point it at a PostgreSQL database, for example ${databaseExample}` })
    .refine(isDatabaseUrl, `is not the address of a PostgreSQL database. It looks like ${databaseExample}`)
    .describe('the PostgreSQL database (required)'),
  HOST: z.string().default('127.0.0.1').describe('where to listen'),
  PORT: port.default(8080).describe('the port; 0 selects any free port'),
  WORKERS: count(1, 64).default(1).describe('server processes on that port'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('where Prometheus finds /metrics'),
  METRICS_PORT: port.optional().describe(`the port of /metrics; default ${defaultMetricsPort} if it is free`),
  PUBLIC_ORIGIN: z
    .url()
    .transform((url) => new URL(url).origin)
    .optional()
    .describe('the address browsers use, such as https://kontor.example; set it when the service is behind a proxy'),
  TRUSTED_PROXIES: z
    .string()
    .default('loopback')
    .describe('proxies whose X-Forwarded-For is trusted: addresses or networks, comma-separated'),
  SIGN_UP: z
    .enum(['open', 'closed'])
    .default('open')
    .describe('open, or closed: companies are then created with "company create" and "user invite"'),
  SIGN_UPS_PER_HOUR: count(1, 100_000).default(5).describe('companies that one address may sign up in an hour'),
  SIGN_UPS_PER_DAY: count(1, 1_000_000).default(20).describe('the same in a day'),
  WEB_DIR: z.string().optional().describe('the built screens; default web/dist'),
  DATABASE_CONNECTIONS: count(1, 200).default(8).describe('connections for requests, over all workers'),
  DATABASE_STREAMS: count(1, 50)
    .default(2)
    .describe('streamed lists at a time per process, each on its own connection'),
  DATABASE_PLANS: z.enum(['generic', 'auto']).default('generic').describe('generic, or auto on a sharded cluster'),
  // More requests than the database can process only wait for each other: with 512, a successful response took up to 3 s under overload.
  MAX_REQUESTS: z.coerce
    .number()
    .int()
    .min(1)
    .default(128)
    .describe('requests under way per process; more are answered with 503'),
  MAX_COMPANY_REQUESTS: z.coerce.number().int().min(1).default(64).describe('the same for one company'),
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
  REQUEST_LOG_MIB_PER_DAY: count(0, 1_000_000)
    .default(50)
    .describe('size of the request log per company and day; beyond that, rows have no bodies'),
  REQUEST_LOG_QUEUE_ROWS: count(10, 10_000_000)
    .default(20_000)
    .describe('unwritten rows of the request log per process; beyond that, rows are dropped and counted'),
  REQUEST_LOG_QUEUE_MIB: count(1, 4_096).default(32).describe('memory for these rows'),
  REQUEST_LOG_DAYS: count(1, 3650).default(30).describe('days the request log is kept'),
  // Gives proxies time to switch to another server.
  STOP_DELAY_MS: count(0, 60_000).default(0).describe('time between /readyz turning 503 and the end of listening'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
})

function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['postgres:', 'postgresql:'].includes(url.protocol)
}

/** A line for each variable: its name, what it does, its default. */
export function environmentHelp(): string {
  const { shape } = environment
  const width = Math.max(...Object.keys(shape).map((name) => name.length))
  return Object.entries(shape)
    .map(([name, schema]) => {
      const unset = schema instanceof z.ZodDefault ? `; default ${schema.def.defaultValue}` : ''
      return `  ${name.padEnd(width)}  ${schema.description}${unset}`
    })
    .join('\n')
}

export type Config = z.infer<typeof environment>

export const bounds = {
  poolWaitMs: 250,
  connectMs: 1_500,
  /** How long PostgreSQL may take to confirm that a query was cancelled. */
  cancelMs: 500,
  lockMs: 2_000,
  companyQueueMs: 2_000,
  statementMs: 5_000,
  /** Added to statementMs for all statements of a request together. With the waits before them the sum stays below requestMs. */
  workMarginMs: 1_000,
  requestMs: 10_000,
  /** How long the response to a request that is refused under overload is delayed. */
  refusalMs: 1_000,
  headersMs: 5_000,
  bodyMs: 15_000,
  /** How long a streamed list waits for a connection. */
  streamWaitMs: 5_000,
  /** The period over which the reader of a streamed list must reach the minimum rate. */
  readerWindowMs: 15_000,
  /** How long it may take to find out whether a streamed list is short. */
  shortListMs: 1_000,
  streamMs: 600_000,
  /** How long a stopping process goes on trying to write the request log while the database does not accept it. */
  logFlushMs: 3_000,
  stopMs: 20_000,
} as const

export const maxBodyBytes = 8 * 1024 * 1024
/** For methods that are called without a key or session. */
export const maxAnonymousBodyBytes = 16 * 1024

export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = environment.safeParse(given)
  if (result.success) return result.data
  throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'))
}
