// The only file that knows HTTP, "/v1/" and ".php". It turns a request into what the door is asked, and what the door tells into an answer.

import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { failureText } from './answer.ts'
import { bounds, maxBodyBytes } from './config.ts'
import { cookiesOf } from './cookies.ts'
import type { PublicDoor } from './dispatch.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { ScreensDoor } from './screens.ts'
import { HeldBack, shedLoad } from './shedding.ts'
import { guards, type StaticFiles } from './static-files.ts'
import { busyText } from './told.ts'

export const versionPrefix = '/v1/'
export const screensPrefix = '/screens/'
const suffix = '.php'

/** Where a method is called: the suffix is part of the address, though the door also opens without it. */
export const methodPath = (path: string): string => `${versionPrefix}${path}${suffix}`

const json = 'application/json; charset=utf-8'
/** What of an oversize body is read and thrown away, so that its sender can still read the answer. */
const drainBytes = 64 * 1024 * 1024

export type HttpParts = {
  readonly door: PublicDoor
  readonly screens: ScreensDoor
  readonly files: StaticFiles
  readonly logger: Logger
  readonly metrics: Metrics
  readonly openapi: () => string
  readonly isReady: () => Promise<boolean>
  readonly isStopping: () => boolean
  readonly publicOrigin: string | undefined
  readonly trustedProxies: string
}

export function createHttp(parts: HttpParts): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: parts.trustedProxies,
    requestTimeout: bounds.bodyMs,
    forceCloseConnections: 'idle',
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 2_000 },
    http: { headersTimeout: bounds.headersMs, connectionsCheckingInterval: 2_000 },
    genReqId: () => `req_${randomText()}`,
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
  const busyBody = failureText(busyText)
  const refused = new HeldBack(bounds.refusalMs, 10_000)
  shedLoad(
    app.server,
    ({ url, headers }) => url?.startsWith(versionPrefix) === true && parts.door.isFullFor(headers.authorization ?? ''),
    ({ url }, response) => {
      parts.metrics.requests.inc({ method: parts.door.label(pathOf(url ?? '')), status: 503 })
      parts.metrics.faults.inc({ kind: 'Busy' })
      refused.hold(() => {
        response.writeHead(503, {
          'content-type': json,
          'content-length': busyBody.length,
          'retry-after': '1',
          'x-request-id': `req_${randomText()}`,
          ...(parts.isStopping() ? { connection: 'close' } : {}),
        })
        response.end(busyBody)
      })
    },
  )
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
  const isHttps = parts.publicOrigin?.startsWith('https:') === true
  const cookies = cookiesOf(parts.publicOrigin)
  const callScreens = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]?.slice(screensPrefix.length) ?? ''
    const started = performance.now()
    const told = await parts.screens.answer({
      requestId: request.id,
      at: new Date(),
      path,
      isPost: request.method === 'POST',
      isOwn: isOwn(request, parts.publicOrigin),
      address: request.ip,
      session: cookies.read(request.headers.cookie, 'session'),
      device: cookies.read(request.headers.cookie, 'device'),
      idempotencyKey: headerText(request.headers['idempotency-key']),
      preview: headerText(request.headers['kontor-preview']) === '1',
      expect: headerText(request.headers['kontor-expect']),
      body: () => readBytes(request.raw),
    })
    const method = parts.screens.label(path)
    reply.raw.once('close', () => {
      parts.metrics.requests.inc({ method, status: told.status })
      parts.metrics.duration.observe({ method }, (performance.now() - started) / 1000)
    })
    reply.code(told.status).headers({ ...guards(isHttps), 'cache-control': 'no-store', ...told.headers })
    if (told.status === 413) reply.header('connection', 'close')
    for (const text of cookies.write(told.cookies)) reply.header('set-cookie', text)
    return reply.type(json).send(told.body)
  }
  const answerUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
    const url = request.raw.url ?? '/'
    if (url.startsWith(versionPrefix)) return await callMethod(request, reply)
    if (
      url.startsWith(screensPrefix) ||
      url === '/metrics' ||
      (request.method !== 'GET' && request.method !== 'HEAD')
    ) {
      return reply.code(404).type(json).send(failureText('Not found'))
    }
    const file = parts.files.answer(url.split('?', 1)[0] ?? '/', headerText(request.headers['accept-encoding']) ?? '')
    return reply.code(file.status).headers(file.headers).send(file.body)
  }

  app.all(`${versionPrefix}*`, callMethod)
  app.all(`${screensPrefix}*`, callScreens)
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

// Asked of the system for many requests at once: asking for each took 2 % of the time of a small read.
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

/** A page of our own: a browser says so itself, or names our origin. Who says nothing is no page of ours. */
function isOwn(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = headerText(request.headers['sec-fetch-site'])
  if (site !== undefined) return site === 'same-origin'
  return request.headers.origin !== undefined && !isForeign(request, publicOrigin)
}

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** The whole body, or `undefined` when it is larger than allowed; what is too large is read to its end, within reason. */
async function readBytes(message: IncomingMessage): Promise<Uint8Array | undefined> {
  return await new Promise((resolve, reject) => {
    if (message.destroyed) reject(new Error('the caller went away'))
    const chunks: Buffer[] = []
    let size = 0
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
      else chunks.length = 0
      if (size <= drainBytes) return
      resolve(undefined)
      message.destroy()
    })
    message.on('end', () => resolve(size > maxBodyBytes ? undefined : Buffer.concat(chunks)))
    message.on('error', reject)
    message.on('close', () => reject(new Error('the caller went away')))
  })
}
