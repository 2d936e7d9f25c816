// Types of the two APIs: requests, responses, and what requests of one process share.

import type { Readable } from 'node:stream'
import type { RequestOrigin } from '../../kernel/clock.ts'
import type { KeyScope } from '../../kernel/key-scope.ts'
import type { Declared, Method, ResponseFields, Role } from '../../kernel/method.ts'
import type { Settings } from '../../kernel/settings.ts'
import type { Statement } from '../../kernel/statement.ts'
import type { Database, Pool } from '../postgres/database.ts'
import type { CompanyQueue } from '../postgres/queue.ts'
import type { Body, Payer } from './bodies.ts'
import type { KeysInProgress } from './idempotency.ts'
import type { Planner } from './planning-thread.ts'
import type { Secret } from './secrets.ts'
import type { TokenBuckets } from './token-buckets.ts'
import type { DryRun } from './write-options.ts'

/** A request of the public API, independent of HTTP. */
export type PublicRequest = {
  readonly requestId: string
  readonly at: Date
  /** The same moment on the clock of `performance.now()`. */
  readonly startedMs: number
  /** `<section>/<method>`, without version and suffix. */
  readonly path: string
  readonly isPost: boolean
  readonly authorization: string
  readonly isForeign: boolean
  readonly idempotencyKey: string | undefined
  /** The header that asks for the response and the effects of a write that is not stored. */
  readonly dryRun: string | undefined
  /** The IP address of the caller; empty when the connection was closed before the request was read. */
  readonly address: string
  readonly body: (payer: Payer, maxBytes: number) => Promise<Body>
  /** Aborted when the caller closes the connection before the response. */
  readonly signal: AbortSignal
}

export type ApiResponse = {
  readonly status: number
  readonly body: string | Readable
  readonly headers: Record<string, string | string[]>
}

export type Owner = { readonly company_id: number; readonly connection_id: number }
/** The count of the requests of the day, and what the key may do until when. */
export type Counted = KeyScope & {
  readonly used: number
  readonly daily_limit: number
  /** Of the connection of the key. Requests beyond its limit are not counted for the company. Null: it may use the whole limit of the company. */
  readonly counted: number
  readonly connection_limit: number | null
  readonly reset_seconds: number
  /** Milliseconds since 1970; null: it does not expire. */
  readonly expires_at_ms: number | null
}

/** A key as the process remembers it. What it may do was read with its last request; the database decides. */
export type KnownKey = {
  readonly hash: Buffer
  readonly owner: Owner
  scope: Pick<Counted, keyof KeyScope | 'expires_at_ms'>
}

/** What the access section provides to the public API. */
export type Access = {
  readonly isWellFormed: (key: string) => boolean
  /** The hash of a key as base64. */
  readonly hashTextOf: (key: string) => string
  readonly findKey: (hash: Buffer) => Statement<Owner>
  readonly countRequest: (companyId: number, hash: Buffer) => Statement<Counted>
  /** The same without counting. */
  readonly readKey: (companyId: number, hash: Buffer) => Statement<Counted>
  readonly findSettings: (companyId: number) => Statement<Settings>
  /** Remembers the last use of a connection. */
  readonly noteUse: (companyId: number, connectionId: number, at: Date, address: string) => void
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
    ignoredFields: readonly string[]
  }) => void
}

/** The key is not valid. Answered with an empty body. */
export class Unauthorized extends Error {}
/** The company that the process remembers for the key does not have it any more. */
export class KeyGone extends Unauthorized {}

/** Shared by the requests of one process. What it remembers of keys and limits is a cache: the database decides. */
export type PublicApiContext = {
  readonly database: Database
  readonly methods: ReadonlyMap<string, Method>
  readonly access: Access
  readonly queue: CompanyQueue
  /** Companies and connections over their limit, and until when: their requests are counted before any other statement is sent. */
  readonly overLimit: Map<string, number>
  /** How much a company may store unless it has its own limit. */
  readonly storageLimitMib: number
  /** Called after a write of a company that has webhooks. */
  readonly onChange: (companyId: number) => void
  readonly planner: Planner
  readonly keysInProgress: KeysInProgress
  readonly dryRun: DryRun
  readonly forgetKey: (hash: Buffer) => void
  /** Requests that a key may not make are not counted for its company; they have this limit for each connection. */
  readonly refusedByScope: TokenBuckets<string>
  /** Counts a company that has just reached this share of its daily limit. */
  readonly countReached: (percent: '80' | '100') => void
  /** Counts a connection that has just passed its daily limit. */
  readonly countConnectionReached: () => void
  /** The response to an exception. */
  readonly failed: (error: unknown, request: PublicRequest) => ApiResponse
}

/** A request of the app API. */
export type AppRequest = Omit<PublicRequest, 'startedMs' | 'authorization' | 'isForeign' | 'dryRun'> & {
  /** Sent by a page of this service. */
  readonly isOwn: boolean
  /** The values of the cookies. */
  readonly session: string | undefined
  readonly others: string | undefined
  readonly device: string | undefined
  /** What the browser calls itself. */
  readonly agent: string | undefined
  /** Return the effect on stock, write nothing. */
  readonly preview: boolean
  /** The last change of the record that the caller has seen. */
  readonly expect: string | undefined
  /** The user for whom the page was opened, as `<company>.<user>`: another user may have signed in since in another tab. */
  readonly user: string | undefined
}

export type Session = Secret & {
  readonly userId: number
  readonly role: Role
  readonly settings: Settings
  /** The user proved a short time ago who they are. */
  readonly isFresh: boolean
  readonly hasSecondFactor: boolean
  /** The company requires a second factor, and the user has none: only methods for setting one up can be called. */
  readonly mustSetUp: boolean
  /** The company is a test company. */
  readonly isTest: boolean
}

/** A session as the database returns it. */
export type SessionRow = Settings & {
  readonly user_id: number
  readonly role: Role
  readonly is_stale: boolean
  readonly is_fresh: boolean
  readonly has_second_factor: boolean
  readonly must_set_up: boolean
  readonly is_test: boolean
}

/** A method that runs without a session or changes the session itself. It is not part of the company's sequence of writes. */
export type SessionMethod<I = unknown> = Declared<I> & {
  readonly kind: 'session'
  readonly needsSession: boolean
  /** Exempt from the limits of the company, so that users can sign out when they are used up. */
  readonly isUnlimited?: boolean
  readonly run: (input: I, caller: SessionMethodCaller, services: SessionMethodServices) => Promise<SessionMethodResult>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of session methods erases their input types, as a list of methods does
export type AnySessionMethod = SessionMethod<any>

export type SessionMethodCaller = Pick<AppRequest, 'requestId' | 'address' | 'device' | 'agent'> & {
  readonly session: Session | undefined
  /** The values of the cookies of all sessions of the browser, the one that is used first. None of them has been checked. */
  readonly cookies: readonly string[]
}
export type SessionMethodServices = {
  readonly pool: Pool
  readonly queue: CompanyQueue
  readonly signUp: SignUpPolicy
  /** Called after a write that leaves work to be done in the background. */
  readonly onWork: (companyId: number) => void
  /** Called after a write of a company that has webhooks. */
  readonly onChange: (companyId: number) => void
}
/** Whether companies can be signed up without an invitation, and how many from one address. */
export type SignUpPolicy = { readonly isOpen: boolean; readonly perHour: number; readonly perDay: number }
export type SessionMethodResult = {
  readonly response: ResponseFields
  /** Set as cookies; null removes the cookie. */
  readonly session?: string | null
  readonly device?: string
  /** Sessions that have begun besides, which the browser can switch to. */
  readonly others?: readonly string[]
}

export const sessionMethod = <I>({
  role = 'worker',
  ...declared
}: Omit<SessionMethod<I>, 'kind' | 'api' | 'role'> & { readonly role?: Role }): SessionMethod<I> => ({
  ...declared,
  kind: 'session',
  api: 'app',
  role,
})

/** A request for a stored file, independent of HTTP. */
export type FileRequest = Pick<AppRequest, 'requestId' | 'isOwn' | 'address' | 'session' | 'signal'> & {
  readonly wanted: WantedFile
}
/** The logo is that of the company. */
export type WantedFile = { readonly fileId: number | 'logo'; readonly tag: string; readonly isSmall: boolean }
export type StoredFile = { readonly name: string; readonly type: string; readonly content: Buffer }
/** Finds a file that the role may see. */
export type FindFile = (wanted: WantedFile, session: Pick<Session, 'companyId' | 'role'>) => Statement<StoredFile>

/** What the access section provides to the app API. */
export type AppAccess = {
  readonly sessionOf: (secret: Secret) => Statement<SessionRow>
  readonly prolongSession: (pool: Pool, secret: Secret, userId: number) => Promise<void>
  /** Which of the other sessions the browser keeps when one has begun or is switched to. */
  readonly keptSessions: (pool: Pool, begun: string, others: readonly string[]) => Promise<readonly string[]>
  readonly signUp: SignUpPolicy
  /** Records that an owner downloads the archive of the company. */
  readonly noteArchive: (session: Pick<Session, 'companyId' | 'userId'>, origin: RequestOrigin) => Statement
  /** Counts a request of a session against its company's limits; refuses when they are exceeded. */
  readonly countRequest: (companyId: number) => void
}
