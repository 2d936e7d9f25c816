// What all handlers of HTTP requests share: the parts they are made of, and how a request is finished.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../process/logger.ts'
import type { Metrics } from '../process/metrics.ts'
import type { RequestTrace } from '../process/request-trace.ts'
import type { SlowRequests } from '../process/slow-requests.ts'
import type { Tracing } from '../process/tracing.ts'
import type { AddressLimit } from '../requests/address-limit.ts'
import type { AppApi } from '../requests/app-api.ts'
import type { Bodies } from '../requests/bodies.ts'
import type { PublicApi } from '../requests/public-api.ts'
import type { ApiResponse } from '../requests/request.ts'
import { headerText } from './origin.ts'
import type { Served, StaticFiles } from './static-files.ts'

export type HttpParts = {
  readonly api: PublicApi
  readonly screens: AppApi
  readonly files: StaticFiles
  readonly logger: Logger
  readonly metrics: Metrics
  readonly bodies: Bodies
  readonly anonymousLimit: AddressLimit
  readonly openapi: () => Promise<Served>
  readonly notReadyBecause: () => Promise<string | undefined>
  /** What an operator must know while requests are served. */
  readonly warning: () => string | undefined
  readonly isStopping: () => boolean
  readonly publicOrigin: string | undefined
  readonly trustedProxies: string
  readonly maxConnections: number
  readonly slowRequests: SlowRequests
  /** Only when tracing is configured. */
  readonly tracing: Tracing | undefined
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Read on arrival: a connection that is closed has no address any more. Empty when it was closed before. */
export const addressOf = (request: FastifyRequest): string => request.ip ?? ''

type Answered = {
  readonly api: 'public' | 'screens'
  readonly path: string
  readonly response: ApiResponse
  readonly trace: RequestTrace
}

/** Measures, logs and traces a request when its response is complete. */
export function finishAtClose(
  parts: HttpParts,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answered: Answered,
): void {
  const { metrics, slowRequests, tracing } = parts
  const { api, path, trace } = answered
  const { status, body } = answered.response
  const called = api === 'public' ? parts.api : parts.screens
  const isStreamed = typeof body !== 'string'
  const method = called.label(path)
  const labels = { api, class: isStreamed ? 'list' : called.classOf(path) }
  const context = tracing?.begin(headerText(headers['traceparent']))
  if (context !== undefined) reply.header('traceparent', context.traceparent)
  reply.raw.once('close', () => {
    trace.isEnded = true
    const endedMs = performance.now()
    metrics.requests.inc({ method, status })
    metrics.duration.observe(labels, (endedMs - trace.startedMs) / 1000)
    const finished = { trace, api, method, status, endedMs }
    // A list takes as long as its reader.
    if (!isStreamed) slowRequests.log(finished)
    if (context !== undefined) tracing?.end(context, finished)
  })
}
