// The origin of a request according to the browser's headers.

import type { FastifyRequest } from 'fastify'

/** Sent by a browser from a page of another site. Servers send neither header. */
export function isForeign(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = headerText(request.headers['sec-fetch-site'])
  if (site === 'cross-site' || site === 'same-site') return true
  const origin = headerText(request.headers.origin)
  if (origin === undefined) return false
  const own =
    publicOrigin === undefined ? [`http://${request.headers.host}`, `https://${request.headers.host}`] : [publicOrigin]
  return !own.includes(origin)
}

/** Sent by a page of this service, according to Sec-Fetch-Site or Origin. False when neither header is present. */
export function isOwn(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = headerText(request.headers['sec-fetch-site'])
  if (site !== undefined) return site === 'same-origin'
  return request.headers.origin !== undefined && !isForeign(request, publicOrigin)
}

/** Opened by the user rather than by a page: typed, from a bookmark, or loaded again. */
export const isTyped = (request: FastifyRequest): boolean => headerText(request.headers['sec-fetch-site']) === 'none'

export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value
