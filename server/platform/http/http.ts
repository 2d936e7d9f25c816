// The only file that contains "/v1/" and ".php". It converts HTTP requests into requests of the two APIs, and their responses into HTTP. Long because both
// APIs, the files and the probes share how requests are read and finished.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Raw } from '../../kernel/json.ts'
import { inBackground } from '../process/background.ts'
import { bounds } from '../process/config.ts'
import type { Logger } from '../process/logger.ts'
import type { Metrics } from '../process/metrics.ts'
import { nowMs } from '../process/now.ts'
import { newTrace, type RequestTrace, runTraced } from '../process/request-trace.ts'
import type { SlowRequests } from '../process/slow-requests.ts'
import type { Tracing } from '../process/tracing.ts'
import { version } from '../process/version.ts'
import type { AddressLimit } from '../requests/address-limit.ts'
import { type AppApi, filePath } from '../requests/app-api.ts'
import { archivePath } from '../requests/archives.ts'
import type { Bodies } from '../requests/bodies.ts'
import { discardBody } from '../requests/body-stream.ts'
import { errorCode } from '../requests/error-headers.ts'
import { busyText } from '../requests/failure-response.ts'
import { paperPath } from '../requests/papers.ts'
import type { PublicApi } from '../requests/public-api.ts'
import type { ApiResponse, StoredFile } from '../requests/request.ts'
import { failureText } from '../requests/response-text.ts'
import { closedBefore } from './closed-connection.ts'
import { compressed } from './compression.ts'
import { Connections } from './connections.ts'
import { cookiesOf } from './cookies.ts'
import { json, newRequestId, newServer } from './http-server.ts'
import { headerText, isForeign, isOwn, isTyped } from './origin.ts'
import { DelayedResponses, shedLoad } from './shedding.ts'
import { guards, type Served, type StaticAnswer, type StaticFiles } from './static-files.ts'

export const versionPrefix = '/v1/'
export const screensPrefix = '/screens/'
const suffix = '.php'

/** The URL path of a method. The suffix belongs to it, although requests without it are accepted. */
export const methodPath = (path: string): string => `${versionPrefix}${path}${suffix}`

/** Headers of every response below the version prefix. */
const noCacheHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

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

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

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
      metrics.requests.inc({ method: api.label(pathOf(request.url ?? '')), status: 503 })
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
    const path = pathOf(request.url)
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

type FileParams = { readonly file: string }
type FileHandler = (request: FastifyRequest<{ Params: FileParams }>, reply: FastifyReply) => Promise<FastifyReply>

/** Its tag follows from the content, so the content of an address never changes. */
const fileName = /^(logo|[1-9]\d{0,14})-([\w-]{22})$/

/** Files that users have stored. Pictures are shown by our pages; whatever else a file is, a browser only downloads it. */
function storedFileHandler(parts: HttpParts, connections: Connections, isSmall = false): FileHandler {
  const isHttps = parts.publicOrigin?.startsWith('https:') === true
  const cookies = cookiesOf(parts.publicOrigin)
  return async (request, reply) => {
    const [, id, tag = ''] = fileName.exec(request.params.file) ?? []
    const trace = newTrace(request.id, `screens/${filePath}`, performance.now())
    const file = await runTraced(trace, () =>
      parts.screens.file({
        requestId: request.id,
        isOwn: isOwn(request, parts.publicOrigin) || isTyped(request),
        address: addressOf(request),
        session: cookies.read(request.headers.cookie, 'session'),
        signal: closedBefore(reply.raw),
        wanted: { fileId: id === 'logo' ? id : Number(id ?? 0), tag, isSmall },
      }),
    )
    const isFound = 'content' in file
    const response = isFound ? { status: 200, body: '', headers: {} } : file
    if (isFound) connections.know(request.raw.socket)
    finishAtClose(parts, request, reply, { api: 'screens', path: filePath, response, trace })
    reply.code(response.status).headers({ ...guards(isHttps), 'cache-control': 'no-store', ...response.headers })
    if (!isFound) return reply.type(json).send(response.body)
    return reply.headers(storedFileHeaders(file)).send(file.content)
  }
}

type PaperParams = { readonly kind: string }
type PaperHandler = (request: FastifyRequest<{ Params: PaperParams }>, reply: FastifyReply) => Promise<FastifyReply>

/** Documents as PDF, shown by the browser or saved as a file. */
function paperHandler(parts: HttpParts, connections: Connections): PaperHandler {
  const isHttps = parts.publicOrigin?.startsWith('https:') === true
  const cookies = cookiesOf(parts.publicOrigin)
  return async (request, reply) => {
    const { download, company, ...parameters } = request.query as Raw
    const trace = newTrace(request.id, `screens/${paperPath}`, performance.now())
    const paper = await runTraced(trace, () =>
      parts.screens.paper({
        requestId: request.id,
        isOwn: isOwn(request, parts.publicOrigin) || isTyped(request),
        address: addressOf(request),
        session: cookies.read(request.headers.cookie, 'session'),
        signal: closedBefore(reply.raw),
        kind: request.params.kind,
        parameters,
        company: companyOfPage(company),
      }),
    )
    const isPrinted = 'content' in paper
    const response = isPrinted ? { status: 200, body: '', headers: {} } : paper
    if (isPrinted) connections.know(request.raw.socket)
    finishAtClose(parts, request, reply, { api: 'screens', path: paperPath, response, trace })
    reply.code(response.status).headers({ ...guards(isHttps), 'cache-control': 'no-store', ...response.headers })
    if (!isPrinted) return reply.type(json).send(response.body)
    return reply.headers(paperHeaders(paper.name, download === '1')).send(Buffer.from(paper.content.buffer))
  }
}

/** As an address names it: the company of the page that it was opened from. */
const companyOfPage = (company: unknown): string | undefined => (company === undefined ? undefined : String(company))

/** The archive of the company, as a download. */
function archiveHandler(parts: HttpParts, connections: Connections): Handler {
  const isHttps = parts.publicOrigin?.startsWith('https:') === true
  const cookies = cookiesOf(parts.publicOrigin)
  return async (request, reply) => {
    const trace = newTrace(request.id, `screens/${archivePath}`, performance.now())
    const { company } = request.query as Raw
    const file = await runTraced(trace, () =>
      parts.screens.archive({
        requestId: request.id,
        // An address that is typed or linked to elsewhere starts no download.
        isOwn: isOwn(request, parts.publicOrigin),
        address: addressOf(request),
        session: cookies.read(request.headers.cookie, 'session'),
        agent: headerText(request.headers['user-agent']),
        signal: closedBefore(reply.raw),
        company: companyOfPage(company),
      }),
    )
    const isOpen = 'archive' in file
    const response = isOpen ? { status: 200, body: file.archive, headers: {} } : file
    if (isOpen) connections.know(request.raw.socket)
    finishAtClose(parts, request, reply, { api: 'screens', path: archivePath, response, trace })
    reply.code(response.status).headers({ ...guards(isHttps), 'cache-control': 'no-store', ...response.headers })
    if (!isOpen) return reply.type(json).send(response.body)
    const headers = { 'content-type': 'application/zstd', 'content-disposition': `attachment; filename="${file.name}"` }
    return reply.headers(headers).send(file.archive)
  }
}

/** No sandbox, in which browsers show no PDF: it contains nothing but what this server wrote. */
const paperHeaders = (name: string, isDownload: boolean): Record<string, string> => ({
  'content-type': 'application/pdf',
  'content-disposition': `${isDownload ? 'attachment' : 'inline'}; filename*=UTF-8''${extendedValue(name)}`,
  'content-security-policy': "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
})

const storedFileHeaders = ({ name, type }: StoredFile): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `${type.startsWith('image/') ? 'inline' : 'attachment'}; filename*=UTF-8''${extendedValue(name)}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=31536000, immutable',
})

/** A text in a parameter of a header, by RFC 8187. */
const extendedValue = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

type Answered = {
  readonly api: 'public' | 'screens'
  readonly path: string
  readonly response: ApiResponse
  readonly trace: RequestTrace
}

/** Measures, logs and traces a request when its response is complete. */
function finishAtClose(parts: HttpParts, { headers }: FastifyRequest, reply: FastifyReply, answered: Answered): void {
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

/** Read on arrival: a connection that is closed has no address any more. Empty when it was closed before. */
const addressOf = (request: FastifyRequest): string => request.ip ?? ''

function pathOf(url: string): string {
  const path = url.split('?', 1)[0]?.slice(versionPrefix.length) ?? ''
  return path.endsWith(suffix) ? path.slice(0, -suffix.length) : path
}

const wantedBy = ({ headers }: FastifyRequest) => ({
  acceptEncoding: headerText(headers['accept-encoding']) ?? '',
  ifNoneMatch: headers['if-none-match'] ?? '',
})
