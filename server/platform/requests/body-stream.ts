// Collects or discards the stream of a request body without blocking other requests. The buffers of large bodies
// are freed at once: until the next garbage collection, 26 bodies of 8 MiB would take hundreds of megabytes.

import type { IncomingMessage } from 'node:http'

const mebibyte = 1024 * 1024
/** Chunks of this size indicate a sender that fills the connection. */
const largeChunkBytes = 16 * 1024
/** How much of a refused body is read and discarded, so that its sender can read the response. */
const discardBytes = 16 * mebibyte
const discardMs = 1_000

/** A body as it arrives. A large one is assembled in place, so that it is in memory only once. */
export class Collected {
  readonly #length: number
  #whole: Buffer | undefined
  #chunks: Buffer[] = []
  #size = 0

  constructor(message: IncomingMessage) {
    this.#length = Number(message.headers['content-length'] ?? 0)
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length
    if (this.#whole !== undefined) {
      chunk.copy(this.#whole, this.#size - chunk.length)
      free(chunk)
      return
    }
    this.#chunks.push(chunk)
    // Not allocated by Content-Length alone: of many large bodies at the same time, most are refused before they are complete.
    if (this.#size < mebibyte || this.#length < this.#size) return
    const whole = Buffer.allocUnsafeSlow(this.#length)
    let at = 0
    for (const one of this.#chunks) at += one.copy(whole, at)
    this.free()
    this.#whole = whole
  }

  bytes(): Buffer {
    if (this.#whole !== undefined) return this.#whole
    const whole = Buffer.concat(this.#chunks)
    this.free()
    this.#whole = whole
    return whole
  }

  free(): void {
    if (this.#whole !== undefined) free(this.#whole)
    for (const chunk of this.#chunks) free(chunk)
    this.#chunks = []
  }
}

/** Frees a buffer that does not share its memory with others. It is empty afterwards for everyone who still references it. */
function free({ buffer, length }: Buffer): void {
  if (length >= largeChunkBytes && length === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/**
 * Reads one chunk of each body per iteration of the event loop, so that other requests are served in between. A fast connection would deliver
 * 2 MiB at a time, and 26 of them would block the process until they are read.
 */
export function pace(message: IncomingMessage, size: number): void {
  if (size < largeChunkBytes || message.isPaused()) return
  message.pause()
  setImmediate(() => message.resume())
}

/** Reads and discards the rest of a body, up to a limit. `message.complete` shows whether the body has ended. */
export async function discardBody(message: IncomingMessage): Promise<void> {
  if (message.destroyed) return
  await new Promise<void>((resolve) => {
    let left = discardBytes
    const timer = setTimeout(resolve, discardMs)
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    message.on('data', (chunk: Buffer) => {
      const size = chunk.length
      free(chunk)
      left -= size
      if (left >= 0) return pace(message, size)
      message.pause()
      stop()
    })
    message.on('end', stop).on('error', stop).on('close', stop).resume()
  })
}
