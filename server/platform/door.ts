// What passes through a door: what is asked, what is told, and what a door shares between its requests.

import type { Readable } from 'node:stream'
import type { Method } from '../kernel/method.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Statement } from '../kernel/statement.ts'
import type { Database } from './database.ts'
import type { CompanyQueue } from './queue.ts'

/** A request as the door sees it; HTTP has been left behind. */
export type Asked = {
  readonly requestId: string
  readonly at: Date
  /** `<section>/<method>`, without version and suffix. */
  readonly path: string
  readonly isPost: boolean
  readonly authorization: string
  readonly isForeign: boolean
  readonly idempotencyKey: string | undefined
  /** `undefined` when the body is too large. */
  readonly body: () => Promise<Uint8Array | undefined>
}

export type Told = {
  readonly status: number
  readonly body: string | Readable
  readonly headers: Record<string, string>
}

export type Owner = { readonly company_id: number; readonly connection_id: number }
export type Counted = { readonly used: number; readonly daily_limit: number; readonly reset_seconds: number }

/** What the access section brings to the door. */
export type Access = {
  readonly isWellFormed: (key: string) => boolean
  readonly hashOf: (key: string) => Buffer
  readonly findKey: (hash: Buffer) => Statement<Owner>
  readonly countRequest: (companyId: number, hash: Buffer, now: string) => Statement<Counted>
  readonly uncountRequest: (companyId: number, now: string) => Statement
  readonly findSettings: (companyId: number) => Statement<Settings>
  readonly log: (entry: {
    companyId: number
    connectionId: number | null
    at: Date
    requestId: string
    method: string
    status: number
    durationMs: number
    error: string | null
    request: string
    answer: string
  }) => void
}

/** The key is not (or no longer) one of ours. Answered without a word. */
export class Unauthorized extends Error {}

/** Shared by the requests of one process. Everything remembered here is a hint: the database decides. */
export type Door = {
  readonly database: Database
  readonly methods: ReadonlyMap<string, Method>
  readonly access: Access
  readonly queue: CompanyQueue
  /** Companies seen over their limit, and until when: their requests are counted before anything else is asked of the database. */
  readonly overLimit: Map<number, number>
  readonly keysInProgress: Set<string>
  readonly forgetKey: (hash: Buffer) => void
  /** The answer to whatever was thrown. */
  readonly failed: (error: unknown, asked: Asked) => Told
}
