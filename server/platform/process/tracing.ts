// Tracing with OpenTelemetry: a span for each request and one for each of its round trips, sent to a collector as OTLP over HTTP in JSON. Loaded only
// when a collector is configured. Spans contain names of statements and ids, never values.

import { randomBytes } from 'node:crypto'
import { inBackgroundAfter } from './background.ts'
import type { Logger } from './logger.ts'
import { type FinishedRequest, statementNames, type TracedRoundTrip } from './request-trace.ts'

const sendAfterMs = 2_000
const sendTimeoutMs = 5_000
/** Spans in memory; more are dropped while the collector does not accept them. */
const maxSpans = 5_000

export type TracingOptions = {
  /** The base address of the collector; the path of OTLP is added. */
  readonly endpoint: string
  /** `name=value` pairs separated by commas, such as an authorization. */
  readonly headers: string | undefined
  readonly serviceName: string
  readonly version: string
  /** The percentage of traces that are recorded. */
  readonly percent: number
}

/** The place of a request in a trace. */
export type TraceContext = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly isSampled: boolean
  /** The header that passes it on. */
  readonly traceparent: string
}

type Attribute = { readonly key: string; readonly value: object }
type Span = object

const traceparentPattern = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/
const newId = (bytes: number): string => randomBytes(bytes).toString('hex')

function contextOf(traceId: string, parentSpanId: string | undefined, isSampled: boolean): TraceContext {
  const spanId = newId(8)
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
  return { traceId, spanId, parentSpanId, isSampled, traceparent }
}

export class Tracing {
  readonly #options: TracingOptions
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #logger: Logger
  #spans: Span[] = []
  #timer: NodeJS.Timeout | undefined
  #dropped = 0

  constructor(options: TracingOptions, logger: Logger) {
    this.#options = options
    this.#url = new URL('v1/traces', `${options.endpoint.replace(/\/$/, '')}/`).href
    this.#headers = { 'content-type': 'application/json', ...headersOf(options.headers) }
    this.#logger = logger
  }

  /**
   * Continues the trace of the caller, or begins one. A caller can prevent that its trace is recorded, but not demand it: anybody can send the header. For
   * the same reason chance decides, not the id of the trace.
   */
  begin(traceparent: string | undefined): TraceContext {
    const isChosen = Math.random() * 100 < this.#options.percent
    const [, traceId, parentSpanId, flags = '00'] = traceparentPattern.exec(traceparent ?? '') ?? []
    // Zeros are invalid.
    if (traceId !== undefined && !/^0+$/.test(traceId) && !/^0+$/.test(parentSpanId ?? ''))
      return contextOf(traceId, parentSpanId, isChosen && (Number.parseInt(flags, 16) & 1) === 1)
    return contextOf(newId(16), undefined, isChosen)
  }

  end(context: TraceContext, request: FinishedRequest): void {
    if (!context.isSampled) return
    const spans = [
      requestSpan(context, request),
      ...request.trace.roundTrips.map((roundTrip) => roundTripSpan(context, roundTrip)),
    ]
    if (this.#spans.length + spans.length > maxSpans) this.#dropped += spans.length
    else this.#spans.push(...spans)
    this.#timer ??= inBackgroundAfter('tracing', sendAfterMs, () => this.flush())
  }

  /** Sends what was recorded. What the collector does not accept is lost; the log has the number. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const spans = this.#spans
    this.#spans = []
    if (spans.length === 0) return
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify(this.#document(spans)),
        signal: AbortSignal.timeout(sendTimeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the collector answered ${response.status}`)
    } catch (error) {
      this.#logger.warn({ err: error, spans: spans.length, dropped: this.#dropped }, 'traces could not be sent')
      this.#dropped = 0
    }
  }

  #document(spans: readonly Span[]): object {
    const { serviceName, version } = this.#options
    const attributes = [text('service.name', serviceName), text('service.version', version)]
    return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'kontor' }, spans }] }] }
  }
}

const text = (key: string, value: string): Attribute => ({ key, value: { stringValue: value } })
const integer = (key: string, value: number): Attribute => ({ key, value: { intValue: String(value) } })
const texts = (key: string, values: readonly string[]): Attribute => ({
  key,
  value: { arrayValue: { values: values.map((value) => ({ stringValue: value })) } },
})

/** Nanoseconds since 1970 as text: they do not fit into a number. */
const nanoseconds = (ms: number): string => `${Math.round((performance.timeOrigin + ms) * 1000)}000`

// The numbers are those of OTLP.
const kinds = { server: 2, client: 3 } as const
const statusOf = (failed: boolean): object => (failed ? { status: { code: 2 } } : {})

const requestSpan = (context: TraceContext, { trace, api, method, status, endedMs }: FinishedRequest): Span => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(context.parentSpanId === undefined ? {} : { parentSpanId: context.parentSpanId }),
  name: method,
  kind: kinds.server,
  startTimeUnixNano: nanoseconds(trace.startedMs),
  endTimeUnixNano: nanoseconds(endedMs),
  attributes: [
    integer('http.response.status_code', status),
    text('kontor.api', api),
    text('kontor.request_id', trace.requestId),
    ...(trace.companyId === undefined ? [] : [integer('kontor.company_id', trace.companyId)]),
  ],
  ...statusOf(status >= 500),
})

const roundTripSpan = (context: TraceContext, roundTrip: TracedRoundTrip): Span => ({
  traceId: context.traceId,
  spanId: newId(8),
  parentSpanId: context.spanId,
  name: 'round trip',
  kind: kinds.client,
  startTimeUnixNano: nanoseconds(roundTrip.startedMs),
  endTimeUnixNano: nanoseconds(roundTrip.endedMs),
  attributes: [text('db.system.name', 'postgresql'), texts('kontor.statements', statementNames(roundTrip))],
  ...statusOf(roundTrip.failed),
})

function headersOf(pairs: string | undefined): Record<string, string> {
  const entries = (pairs ?? '').split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name.trim() === '' ? [] : [[name.trim(), decodeURIComponent(value.join('='))] as const]
  })
  return Object.fromEntries(entries)
}
