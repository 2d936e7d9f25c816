// The only file that knows HTTP, "/v1/" and ".php". It turns a request into what the door is asked, and what the door tells into an answer.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { failureText } from './answer.ts'
import { bounds, maxBodyBytes } from './config.ts'
import type { PublicDoor } from './dispatch.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

export const versionPrefix = '/v1/'
const suffix = '.php'

/** Where a method is called: the suffix is part of the address, though the door also opens without it. */
export const methodPath = (path: string): string => `${versionPrefix}${path}${suffix}`

const json = 'application/json; charset=utf-8'
/** What of an oversize body is read and thrown away, so that its sender can still read the answer. */
const drainBytes = 64 * 1024 * 1024

export type HttpParts = {
  readonly door: PublicDoor
  readonly logger: Logger
  readonly metrics: Metrics
  readonly openapi: () => string
  readonly isReady: () => Promise<boolean>
  readonly isStopping: () => boolean
  readonly publicOrigin: string | undefined
}

export function createHttp(parts: HttpParts): FastifyInstance {
  const app = Fastify({
    logger: false,
    requestTimeout: bounds.bodyMs,
    forceCloseConnections: 'idle',
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 2_000 },
    http: { headersTimeout: bounds.headersMs, connectionsCheckingInterval: 2_000 },
    genReqId: () => `req_${randomBytes(12).toString('base64url')}`,
    frameworkErrors: (_error, request, reply) => void answerUnknown(request as FastifyRequest, reply as FastifyReply),
    clientErrorHandler: (error, socket) => {
      // Not HTTP at all: there is no request to answer, only a line to close.
      if (socket.writable && 'code' in error && error.code !== 'ECONNRESET') {
        const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
        const body = failureText(status.slice(4))
        socket.write(
          `HTTP/1.1 ${status}\r\nContent-Type: ${json}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        )
      }
      socket.destroy()
    },
  })
  // Bodies are read by the door, when it is their turn.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (parts.isStopping()) reply.header('connection', 'close')
    // A body is JSON or it is not; what its sender calls it, however oddly, is not looked at.
    if (request.headers['content-type'] !== undefined) request.raw.headers['content-type'] = 'application/json'
  })
  app.setErrorHandler((error, request, reply) => {
    parts.logger.error({ err: error, requestId: request.id }, 'an answer could not be given')
    return reply.code(500).type(json).send(failureText('Internal error'))
  })

  const callMethod = async (request: FastifyRequest, reply: FastifyReply) => {
    const at = new Date()
    const path = pathOf(request.url)
    const started = performance.now()
    const told = await parts.door.answer({
      requestId: request.id,
      at,
      path,
      isPost: request.method === 'POST',
      authorization: request.headers.authorization ?? '',
      isForeign: isForeign(request, parts.publicOrigin),
      idempotencyKey: headerText(request.headers['idempotency-key']),
      body: () => readBytes(request.raw),
    })
    const method = parts.door.label(path)
    reply.raw.once('close', () => {
      parts.metrics.requests.inc({ method, status: told.status })
      parts.metrics.duration.observe({ method }, (performance.now() - started) / 1000)
    })
    // Set again, because an address that cannot be decoded passes no hook.
    reply.code(told.status).header('x-request-id', request.id).headers(told.headers)
    if (told.status === 413) reply.header('connection', 'close')
    if (told.body === '') return reply.send()
    return reply.type(json).send(told.body)
  }
  const answerUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.raw.url?.startsWith(versionPrefix) === true) return await callMethod(request, reply)
    return reply.code(404).type(json).send(failureText('Not found'))
  }

  app.all(`${versionPrefix}*`, callMethod)
  app.setNotFoundHandler(answerUnknown)
  app.get('/healthz', async (_request, reply) => reply.type(json).send('{"status":"ok"}'))
  app.get('/readyz', async (_request, reply) => {
    const ready = !parts.isStopping() && (await parts.isReady())
    return reply
      .code(ready ? 200 : 503)
      .type(json)
      .send(ready ? '{"status":"ready"}' : '{"status":"not ready"}')
  })
  app.get('/openapi.json', async (_request, reply) => reply.type(json).send(parts.openapi()))
  return app
}

function pathOf(url: string): string {
  const path = url.split('?', 1)[0]?.slice(versionPrefix.length) ?? ''
  return path.endsWith(suffix) ? path.slice(0, -suffix.length) : path
}

/** A browser that stands on another site's page. Servers send neither header. */
function isForeign(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = headerText(request.headers['sec-fetch-site'])
  if (site === 'cross-site' || site === 'same-site') return true
  const origin = headerText(request.headers.origin)
  if (origin === undefined) return false
  const own =
    publicOrigin === undefined ? [`http://${request.headers.host}`, `https://${request.headers.host}`] : [publicOrigin]
  return !own.includes(origin)
}

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** The whole body, or `undefined` when it is larger than allowed; what is too large is read to its end, within reason. */
async function readBytes(message: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBodyBytes) chunks.push(chunk)
    else chunks.length = 0
    if (size > drainBytes) break
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks)
}
