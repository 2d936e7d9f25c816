// What is opened by its address in the browser: stored files, documents as PDF, and the archive of the company.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Raw } from '../../kernel/json.ts'
import { newTrace, runTraced } from '../process/request-trace.ts'
import { filePath } from '../requests/app-api.ts'
import { archivePath } from '../requests/archives.ts'
import { paperPath } from '../requests/papers.ts'
import type { StoredFile } from '../requests/request.ts'
import { closedBefore } from './closed-connection.ts'
import type { Connections } from './connections.ts'
import { cookiesOf } from './cookies.ts'
import { addressOf, finishAtClose, type Handler, type HttpParts } from './http-parts.ts'
import { json } from './http-server.ts'
import { headerText, isOwn, isTyped } from './origin.ts'
import { guards, linkGuards } from './static-files.ts'

export type FileParams = { readonly file: string }
type FileHandler = (request: FastifyRequest<{ Params: FileParams }>, reply: FastifyReply) => Promise<FastifyReply>

/** Its tag follows from the content, so the content of an address never changes. */
const fileName = /^(logo|[1-9]\d{0,14})-([\w-]{22})$/

/** Files that users have stored. Pictures are shown by our pages; whatever else a file is, a browser only downloads it. */
export function storedFileHandler(parts: HttpParts, connections: Connections, isSmall = false): FileHandler {
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

export type PaperParams = { readonly kind: string }
type PaperHandler = (request: FastifyRequest<{ Params: PaperParams }>, reply: FastifyReply) => Promise<FastifyReply>

/** Documents as PDF, shown by the browser or saved as a file. */
export function paperHandler(parts: HttpParts, connections: Connections): PaperHandler {
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

export type SharedPaperParams = { readonly token: string }
type SharedPaperHandler = (
  request: FastifyRequest<{ Params: SharedPaperParams }>,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** A document for somebody who has its link. */
export function sharedPaperHandler(parts: HttpParts): SharedPaperHandler {
  const isHttps = parts.publicOrigin?.startsWith('https:') === true
  return async (request, reply) => {
    const trace = newTrace(request.id, `screens/${paperPath}`, performance.now())
    const paper = await runTraced(trace, () =>
      parts.screens.sharedPaper({
        requestId: request.id,
        isOwn: isOwn(request, parts.publicOrigin) || isTyped(request),
        address: addressOf(request),
        signal: closedBefore(reply.raw),
        token: request.params.token,
      }),
    )
    const isPrinted = 'content' in paper
    const response = isPrinted ? { status: 200, body: '', headers: {} } : paper
    finishAtClose(parts, request, reply, { api: 'screens', path: paperPath, response, trace })
    reply.code(response.status).headers({ ...guards(isHttps), 'cache-control': 'no-store', ...response.headers })
    reply.headers(linkGuards)
    if (!isPrinted) return reply.type(json).send(response.body)
    return reply.headers(paperHeaders(paper.name, true)).send(Buffer.from(paper.content.buffer))
  }
}

/** As an address names it: the company of the page that it was opened from. */
const companyOfPage = (company: unknown): string | undefined => (company === undefined ? undefined : String(company))

/** The archive of the company, as a download. */
export function archiveHandler(parts: HttpParts, connections: Connections): Handler {
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
