// What passes through a door: what is asked, what is told, and what a door shares between its requests.

import type { Readable } from 'node:stream'
import type { Answer, Declared, Method, Role } from '../kernel/method.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Statement } from '../kernel/statement.ts'
import type { Database, Pool } from './database.ts'
import type { CompanyQueue } from './queue.ts'
import type { Secret } from './secrets.ts'

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
  readonly headers: Record<string, string | string[]>
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

/** A request of the screens, as their door sees it. */
export type ScreensAsked = Pick<Asked, 'requestId' | 'at' | 'path' | 'isPost' | 'idempotencyKey' | 'body'> & {
  /** It comes from a page of our own. */
  readonly isOwn: boolean
  /** Where it comes from on the network. */
  readonly address: string
  /** What the cookies hold. */
  readonly session: string | undefined
  readonly device: string | undefined
  /** Plan, tell the effect on stock, write nothing. */
  readonly preview: boolean
  /** The last change of the record that the asker has seen. */
  readonly expect: string | undefined
}

export type Session = Secret & { readonly userId: number; readonly role: Role; readonly settings: Settings }

/** A way in or out: what is done before there is a session, or to the session itself. It runs on its own, not in a company's order. */
export type Entrance<I = unknown> = Declared<I> & {
  readonly kind: 'entrance'
  readonly needsSession: boolean
  readonly enter: (input: I, visitor: Visitor, inside: Inside) => Promise<Entered>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of entrances forgets their inputs, as a list of methods does
export type AnyEntrance = Entrance<any>

export type Visitor = Pick<ScreensAsked, 'requestId' | 'address' | 'device'> & { readonly session: Session | undefined }
export type Inside = { readonly pool: Pool; readonly queue: CompanyQueue; readonly signUpIsOpen: boolean }
export type Entered = {
  readonly answer: Answer
  /** Set as cookies; null takes the cookie away. */
  readonly session?: string | null
  readonly device?: string
}

export const entrance = <I>(declared: Omit<Entrance<I>, 'kind' | 'door' | 'role'>): Entrance<I> => ({
  ...declared,
  kind: 'entrance',
  door: 'screens',
  role: 'worker',
})

/** What the access section brings to the screens' door. */
export type ScreensAccess = {
  readonly sessionOf: (secret: Secret) => Statement<Settings & { user_id: number; role: Role; is_stale: boolean }>
  readonly prolongSession: (pool: Pool, secret: Secret, userId: number) => Promise<void>
  readonly signUpIsOpen: boolean
}
