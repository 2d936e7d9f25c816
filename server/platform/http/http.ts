// Converts HTTP requests into requests of the two APIs, and their responses into HTTP.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inBackground } from '../process/background.ts'
import { bounds } from '../process/config.ts'
import { nowMs } from '../process/now.ts'
import { newTrace, runTraced } from '../process/request-trace.ts'
import { version } from '../process/version.ts'
import { discardBody } from '../requests/body-stream.ts'
import { errorCode } from '../requests/error-headers.ts'
import { busyText } from '../requests/failure-response.ts'
import { failureText } from '../requests/response-text.ts'
import { closedBefore } from './closed-connection.ts'
import { compressed } from './compression.ts'
import { Connections } from './connections.ts'
import { cookiesOf } from './cookies.ts'
import {
  archiveHandler,
  type FileParams,
  type PaperParams,
  paperHandler,
  type SharedPaperParams,
  sharedPaperHandler,
  storedFileHandler,
} from './downloads.ts'
import { addressOf, finishAtClose, type Handler, type HttpParts } from './http-parts.ts'
import { json, newRequestId, newServer } from './http-server.ts'
import { headerText, isForeign, isOwn } from './origin.ts'
import { methodNamed, screensPrefix, versionPrefix } from './paths.ts'
import { DelayedResponses, shedLoad } from './shedding.ts'
import { guards, type StaticAnswer } from './static-files.ts'

/** Headers of every response below the version prefix. */
const noCacheHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

export function createHttp(parts: HttpParts): { readonly http: FastifyInstance; readonly connections: Connections } {
  const answerUnknown: Handler = async (request, reply) => {
    const url = request.raw.url ?? '/'
    if (url.startsWith(versionPrefix)) return await callMethod(request, reply)
    if (
      url.startsWith(screensPrefix) ||
      url === '/metrics' ||
      (request.method !== 'GET' && request.method !== 'HEAD')
    ) {
      return reply.code(404).type(json).send(failureText('Not found'))
    }
    return sendFile(parts, request, reply, () => parts.files.answer(url.split('?', 1)[0] ?? '/', wantedBy(request)))
  }
  const app = newServer(parts, answerUnknown)
  shedWhenFull(app, parts)
  const connections = new Connections(app.server, parts.maxConnections)
  parts.metrics.gauge('connections', () => connections.open)
  const callMethod = publicHandler(parts, connections)
  app.all(`${versionPrefix}*`, callMethod)
  app.all(`${screensPrefix}*`, screensHandler(parts, connections))
  app.get<{ Params: FileParams }>(`${screensPrefix}files/:file`, storedFileHandler(parts, connections))
  app.get<{ Params: FileParams }>(`${screensPrefix}files/:file/small`, storedFileHandler(parts, connections, true))
  app.get<{ Params: PaperParams }>(`${screensPrefix}documents/:kind`, paperHandler(parts, connections))
  app.get<{ Params: SharedPaperParams }>(`${screensPrefix}shared/quote/:token`, sharedPaperHandler(parts))
  app.get(`${screensPrefix}archive`, archiveHandler(parts, connections))
  app.setNotFoundHandler(answerUnknown)
  addProbes(app, parts)
  app.get('/openapi.json', (request, reply) =>
    sendFile(parts, request, reply, async () => parts.files.answerWith(await parts.openapi(), wantedBy(request))),
  )
  return { http: app, connections }
}

/** Refuses requests under overload before anything of them is read. */
function shedWhenFull(app: FastifyInstance, { api, metrics, isStopping }: HttpParts): void {
  const busyBody = failureText(busyText)
  const refused = new DelayedResponses(bounds.refusalMs, 10_000)
  shedLoad(
    app.server,
    ({ url, headers }) => url?.startsWith(versionPrefix) === true && api.isFullFor(headers.authorization ?? ''),
    (request, response) => {
      metrics.requests.inc({ method: api.label(methodNamed(request.url ?? '')), status: 503 })
      metrics.busy.inc({ reason: 'full' })
      refused.add(() => {
        response.writeHead(503, {
          'content-type': json,
          'content-length': busyBody.length,
          'retry-after': '1',
          ...errorCode('busy'),
          'x-request-id': newRequestId(),
          ...noCacheHeaders,
          ...(isStopping() ? { connection: 'close' } : {}),
        })
        response.end(busyBody)
        if (!request.complete)
          inBackground('refusals', () => discardBody(request).then(() => request.complete || request.destroy()))
      })
    },
  )
}

/** Methods of the public API. */
const publicHandler =
  (parts: HttpParts, connections: Connections): Handler =>
  async (request, reply) => {
    const at = new Date(nowMs())
    const path = methodNamed(request.url)
    const startedMs = performance.now()
    const trace = newTrace(request.id, path, startedMs)
    const response = await runTraced(trace, () =>
      parts.api.answer({
        requestId: request.id,
        at,
        startedMs,
        path,
        isPost: request.method === 'POST',
        authorization: request.headers.authorization ?? '',
        isForeign: isForeign(request, parts.publicOrigin),
        idempotencyKey: headerText(request.headers['idempotency-key']),
        dryRun: headerText(request.headers['kontor-dry-run']),
        address: addressOf(request),
        body: (payer, maxBytes) => parts.bodies.receive(request.raw, payer, maxBytes),
        signal: closedBefore(reply.raw),
      }),
    )
    if (response.status !== 401 && response.status !== 503) connections.know(request.raw.socket)
    finishAtClose(parts, request, reply, { api: 'public', path, response, trace })
    // Set again, because hooks do not run for a URL that cannot be decoded.
    reply.code(response.status).header('x-request-id', request.id).headers(noCacheHeaders).headers(response.headers)
    if (response.body === '') return reply.send()
    if (response.status !== 200) return reply.type(json).send(response.body)
    const { body, headers } = await compressed(response.body, headerText(request.headers['accept-encoding']) ?? '')
    return reply.headers(headers).type(json).send(body)
  }

/** Methods of the screens. */
function screensHandler(parts: HttpParts, connections: Connections): Handler {
  const isHttps = parts.publicOrigin?.startsWith('https:') === true
  const cookies = cookiesOf(parts.publicOrigin)
  return async (request, reply) => {
    const path = request.url.split('?', 1)[0]?.slice(screensPrefix.length) ?? ''
    const trace = newTrace(request.id, `screens/${path}`, performance.now())
    const response = await runTraced(trace, () =>
      parts.screens.answer({
        requestId: request.id,
        at: new Date(nowMs()),
        path,
        isPost: request.method === 'POST',
        isOwn: isOwn(request, parts.publicOrigin),
        address: addressOf(request),
        session: cookies.read(request.headers.cookie, 'session'),
        others: cookies.read(request.headers.cookie, 'others'),
        device: cookies.read(request.headers.cookie, 'device'),
        agent: headerText(request.headers['user-agent']),
        idempotencyKey: headerText(request.headers['idempotency-key']),
        preview: headerText(request.headers['kontor-preview']) === '1',
        expect: headerText(request.headers['kontor-expect']),
        user: headerText(request.headers['kontor-user']),
        body: (payer, maxBytes) => parts.bodies.receive(request.raw, payer, maxBytes),
        signal: closedBefore(reply.raw),
      }),
    )
    if (response.status < 400) connections.know(request.raw.socket)
    finishAtClose(parts, request, reply, { api: 'screens', path, response, trace })
    reply.code(response.status).headers({ ...guards(isHttps), 'cache-control': 'no-store', ...response.headers })
    for (const text of cookies.write(response.cookies)) reply.header('set-cookie', text)
    return reply.type(json).send(response.body)
  }
}

async function sendFile(
  { anonymousLimit, metrics }: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: () => StaticAnswer | Promise<StaticAnswer>,
): Promise<FastifyReply> {
  if (!anonymousLimit.take(addressOf(request))) {
    metrics.limited.inc({ api: 'files' })
    return reply.code(429).header('retry-after', '1').type(json).send(failureText('Too many requests'))
  }
  const file = await answer()
  return reply.code(file.status).headers(file.headers).send(file.body)
}

function addProbes(app: FastifyInstance, { notReadyBecause, warning, isStopping }: HttpParts): void {
  app.get('/healthz', async (_request, reply) => reply.type(json).send(JSON.stringify({ status: 'ok', version })))
  // Concurrent probes share one query, because anonymous clients can send them.
  let checking: Promise<string | undefined> | undefined
  app.get('/readyz', async (_request, reply) => {
    checking ??= notReadyBecause().finally(() => {
      checking = undefined
    })
    const reason = isStopping() ? 'The service is stopping.' : await checking
    return reply
      .code(reason === undefined ? 200 : 503)
      .type(json)
      .send(
        JSON.stringify(
          reason === undefined ? { status: 'ready', warning: warning() } : { status: 'not ready', reason },
        ),
      )
  })
}

const wantedBy = ({ headers }: FastifyRequest) => ({
  acceptEncoding: headerText(headers['accept-encoding']) ?? '',
  ifNoneMatch: headers['if-none-match'] ?? '',
})
