// What the environment says, checked once at start. Every wait of the server has its bound here, and the bounds nest: a shorter one
// always runs out before the longer one around it.

import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)

const environment = z.object({
  DATABASE_URL: z.string({
    error: 'is not set. Point it at a PostgreSQL database, for example postgres://postgres@127.0.0.1:5432/kontor',
  }),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8080),
  /** Server processes on one port. */
  WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  /** The service's own origin as browsers see it, when a proxy stands in front of it. */
  PUBLIC_ORIGIN: z
    .url()
    .transform((url) => new URL(url).origin)
    .optional(),
  /** Proxies whose word about the caller's address is taken: addresses or networks, comma-separated. */
  TRUSTED_PROXIES: z.string().default('loopback'),
  /** Whether anybody may sign up a company. */
  SIGN_UP: z.enum(['open', 'closed']).default('open'),
  /** Where the built screens are; by default beside the server. */
  WEB_DIR: z.string().optional(),
  /** Database connections of one process, for everything but endless lists. */
  DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(8),
  /** Endless lists that one process streams at a time, each on a connection of its own. */
  DATABASE_STREAMS: z.coerce.number().int().min(1).max(50).default(2),
  /** How statements are planned: generic plans are quicker, a sharded cluster needs auto. */
  DATABASE_PLANS: z.enum(['generic', 'auto']).default('generic'),
  /**
   * Requests under way in one process, and of one company in it, before the service says that it is busy. More than the database can work on soon only
   * wait for each other: with 512 a good answer took up to 3 s in a flood.
   */
  MAX_REQUESTS: z.coerce.number().int().min(1).default(128),
  MAX_COMPANY_REQUESTS: z.coerce.number().int().min(1).default(64),
  REQUEST_LOG_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Time between the first sign of stopping (/readyz) and the end of listening, for proxies to look elsewhere. */
  STOP_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
})

export type Config = z.infer<typeof environment>

export const bounds = {
  poolWaitMs: 250,
  connectMs: 1_500,
  lockMs: 2_000,
  companyQueueMs: 2_000,
  statementMs: 5_000,
  /** Beyond the longest statement: what all statements of a request may take. With the waits before them it stays below requestMs. */
  workMarginMs: 1_000,
  requestMs: 10_000,
  /** How long the answer to a request that there is no room for is held back. */
  refusalMs: 1_000,
  headersMs: 5_000,
  bodyMs: 15_000,
  /** An endless list whose reader takes nothing for this long is given up; one that reads on may take its time. */
  streamStallMs: 15_000,
  streamMs: 600_000,
  stopMs: 20_000,
} as const

export const maxBodyBytes = 8 * 1024 * 1024

export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = environment.safeParse(given)
  if (result.success) return result.data
  throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'))
}
