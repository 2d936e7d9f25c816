// The HTTP server without routes: limits, request ids, hooks, and the response to malformed HTTP.

import { randomFillSync } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { PublicCode } from '../../kernel/refusal.ts'
import { inBackground } from '../process/background.ts'
import { bounds, maxBodyBytes } from '../process/config.ts'
import type { Logger } from '../process/logger.ts'
import type { Metrics } from '../process/metrics.ts'
import { discardBody } from '../requests/body-stream.ts'
import { errorCode, errorCodeHeader } from '../requests/error-headers.ts'
import { failureText } from '../requests/response-text.ts'

export const json = 'application/json; charset=utf-8'

type ServerParts = {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly isStopping: () => boolean
  readonly trustedProxies: string
}

/** `answerBroken` answers a request whose URL the router cannot parse. */
export function newServer(
  parts: ServerParts,
  answerBroken: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: parts.trustedProxies,
    requestTimeout: bounds.bodyMs,
    // A request on a connection that is still open is served while the process stops; its response closes the connection.
    return503OnClosing: false,
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 2_000 },
    http: { headersTimeout: bounds.headersMs, connectionsCheckingInterval: 2_000 },
    genReqId: newRequestId,
    frameworkErrors: (_error, request, reply) =>
      inBackground('refusals', () => answerBroken(request as FastifyRequest, reply as FastifyReply)),
    clientErrorHandler: endBrokenConnection,
  })
  // The APIs read the bodies themselves, after their checks.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // Every body is parsed as JSON; the content type that was sent is ignored.
    if (request.headers['content-type'] !== undefined) request.raw.headers['content-type'] = 'application/json'
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (parts.isStopping()) reply.header('connection', 'close')
    if (request.raw.complete) done(null, payload)
    else endBody(request, reply).then(() => done(null, payload), done)
  })
  app.setErrorHandler((error, request, reply) => {
    // A list ends with its reader. Nobody gets this response.
    if (reply.raw.destroyed) return reply.code(400).send('')
    parts.metrics.faults.inc({ kind: 'internal' })
    parts.logger.error({ err: error, requestId: request.id }, 'a response could not be sent')
    return reply.code(500).headers(errorCode('internal_error')).type(json).send(failureText('Internal error'))
  })
  return app
}

/** Malformed HTTP: there is no request to answer, only a connection to close. */
function endBrokenConnection(error: Error, socket: Socket): void {
  if (socket.writable && 'code' in error && error.code !== 'ECONNRESET') {
    const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const status = isSlow ? '408 Request Timeout' : '400 Bad Request'
    const code: PublicCode = isSlow ? 'body_too_slow' : 'not_http'
    const body = failureText(status.slice(4))
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: ${json}\r\nContent-Length: ${body.length}\r\n${errorCodeHeader}: ${code}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy()
}

export const newRequestId = (): string => `req_${randomText()}`

// Random bytes are fetched for many requests at once: one call per request took 2 % of the time of a small read.
const randomPool = Buffer.alloc(12 * 1024)
let randomTaken = randomPool.length
function randomText(): string {
  if (randomTaken === randomPool.length) {
    randomFillSync(randomPool)
    randomTaken = 0
  }
  randomTaken += 12
  return randomPool.toString('base64url', randomTaken - 12, randomTaken)
}

/** Reads the rest of an unread body, up to a limit, so that its sender can read the response. */
async function endBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (reply.statusCode !== 408) await discardBody(raw)
  if (!raw.complete) reply.header('connection', 'close')
}
