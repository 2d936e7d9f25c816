// What a request did, for the process log and for tracing: its company, and its round trips with the names of their statements and their times.
// Never a value of a statement, a body or a key.

import { AsyncLocalStorage } from 'node:async_hooks'

type Part = string | { readonly name: string }

export type TracedRoundTrip = {
  /** Only `statementNames` of it may be shown. */
  readonly parts: readonly Part[]
  /** On the clock of `performance.now()`. */
  readonly startedMs: number
  readonly endedMs: number
  readonly failed: boolean
}

export type RequestTrace = {
  readonly requestId: string
  /** The path as sent, which may be that of no method. */
  readonly method: string
  readonly startedMs: number
  companyId: number | undefined
  readonly roundTrips: TracedRoundTrip[]
  /** What is done on behalf of a request after its response, such as writing the request log, is not part of it. */
  isEnded: boolean
}

/** A request whose response is complete. */
export type FinishedRequest = {
  readonly trace: RequestTrace
  readonly api: 'public' | 'screens'
  readonly method: string
  readonly status: number
  readonly endedMs: number
}

const longestPath = 100

const current = new AsyncLocalStorage<RequestTrace>()

export const newTrace = (requestId: string, path: string, startedMs: number): RequestTrace => ({
  requestId,
  method: path.slice(0, longestPath),
  startedMs,
  companyId: undefined,
  roundTrips: [],
  isEnded: false,
})

export const runTraced = <T>(trace: RequestTrace, work: () => Promise<T>): Promise<T> => current.run(trace, work)

export const currentTrace = (): RequestTrace | undefined => current.getStore()

export function traceCompany(companyId: number): void {
  const trace = current.getStore()
  if (trace !== undefined) trace.companyId = companyId
}

/** Records a round trip of the current request, if there is one. */
export function traceRoundTrip(parts: readonly Part[], startedMs: number, failed: boolean): void {
  const trace = current.getStore()
  if (trace === undefined || trace.isEnded) return
  trace.roundTrips.push({ parts, startedMs, endedMs: performance.now(), failed })
}

export const statementNames = ({ parts }: TracedRoundTrip): string[] => parts.map(nameOf)

/** A text contains values, such as the id of the company; its first word does not. */
const nameOf = (part: Part): string =>
  typeof part === 'string' ? (/^\w+/.exec(part)?.[0] ?? '') : part.name === '' ? 'unnamed' : part.name
