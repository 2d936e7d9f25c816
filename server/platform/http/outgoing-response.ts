// Reads the responses of addresses that a company has entered: never more than a limit.

import type { IncomingMessage } from 'node:http'

const maxResponseBytes = 16_384
/** Of a response that is read as a whole. */
const maxFetchedBytes = 262_144
const maxKeptCharacters = 1_024

/** The connection ended before the response did. */
export class CutResponse extends Error {
  readonly text: string

  constructor(text: string) {
    super('The connection was closed before the end of the response')
    this.text = text
  }
}

/** Reads to the end, or as much as is read of any response. */
export async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxResponseBytes) break
    }
  } catch (error) {
    if (codeOf(error) === 'ECONNRESET' || codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE')
      throw new CutResponse(startOf(chunks))
    throw error
  }
  return startOf(chunks)
}

/** As a whole, for a library that needs it. */
export async function readAll(response: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxFetchedBytes) throw new Error('The response is too long')
  }
  return Buffer.concat(chunks)
}

/** Storable text: PostgreSQL accepts neither NUL nor a lone surrogate. */
const startOf = (chunks: readonly Buffer[]): string =>
  [
    ...Buffer.concat(chunks)
      .subarray(0, 4 * maxKeptCharacters)
      .toString('utf8')
      .replaceAll('\0', '\ufffd'),
  ]
    .slice(0, maxKeptCharacters)
    .join('')
    .toWellFormed()

export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')
