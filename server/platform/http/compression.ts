// Compressed responses of the public API. Only of the public API: its requests carry the key in a header of their own, so no page of another origin can
// make a browser send one and guess, from the length of the response, what it contains (BREACH). The screens use a cookie, and are sent as they are.

import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Whether the header Accept-Encoding names the encoding. */
export const accepts = (header: string, encoding: Encoding): boolean =>
  header.split(',').some((one) => {
    const [name, ...more] = one.split(';').map((word) => word.trim().toLowerCase())
    return name === encoding && !more.some((word) => /^q=0(\.0*)?$/.test(word))
  })

/** Below this, compressing costs more than it saves. */
const minBytes = 1024

/**
 * Texts that are compressed at the same time. Compression runs in the threads of libuv, of which there are four, and which also check passwords and look up
 * names: while this many are occupied, a response is sent as it is.
 */
const maxAtOnce = 2
let compressing = 0

/** 20,000 sales (12 MB) become 13 times smaller, at 112 MB a second on one core of the test machine. The usual level 6: 15 times, at 43 MB a second. */
const options = { level: 3, chunkSize: 64 * 1024 }
const compress = promisify<string, typeof options, Buffer>(gzip)

export type SentBody = {
  readonly body: string | Buffer | Readable
  readonly headers: Readonly<Record<string, string>>
}

const varied = { vary: 'accept-encoding' }
const packed = { ...varied, 'content-encoding': 'gzip' }

/** The body as it is sent to a caller with this header Accept-Encoding. */
export async function compressed(body: string | Readable, acceptEncoding: string): Promise<SentBody> {
  if (!accepts(acceptEncoding, 'gzip')) return { body, headers: varied }
  if (typeof body !== 'string') {
    // If the list or its reader ends early, so does the other one.
    return { body: pipeline(body, createGzip(options), () => undefined), headers: packed }
  }
  if (body.length < minBytes || compressing >= maxAtOnce) return { body, headers: varied }
  compressing++
  try {
    return { body: await compress(body, options), headers: packed }
  } finally {
    compressing--
  }
}
