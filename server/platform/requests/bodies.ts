// Reads request bodies within limits: how many arrive at once, how fast, and how much memory they use. Each caller (a
// company, or the network of a caller without a key) has its own share, so that none can use up everything.

import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { bodyTooLarge, parseBody, type Raw, readBody, scanBody } from '../../kernel/json.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { inBackgroundEvery } from '../process/background.ts'
import { maxBodyBytes } from '../process/config.ts'
import { holdingLoop } from '../process/event-loop.ts'
import { Busy, CallerGone } from '../process/faults.ts'
import { Turns } from './blocking-work.ts'
import { Collected, pace } from './body-stream.ts'

/** To whom a body is charged: a company id, or the network of a caller without a key. */
export type Payer = number | string

export type Body = {
  readonly bytes: Uint8Array
  /** The parsed body, or why it is refused. */
  readonly content: Raw | Refusal
  /** Must be called when the request is done: until then the body counts as memory in use. */
  readonly release: () => void
}

/** For requests that are refused without reading their body. */
export const unreadBody: Body = { bytes: new Uint8Array(), content: {}, release: () => {} }

const mebibyte = 1024 * 1024

/** Incomplete bodies of one payer. A body that arrived together with the headers is not counted. */
const maxArriving = { company: 32, network: 16 } as const
/** Above that number, a body that has been slower than this for a while is dropped for the next one. */
const slowBytesPerSecond = 16 * 1024
const slowMs = 250
/** Memory that a payer may always use, whatever the others use. */
const ownBytes = mebibyte
/** Bodies of this size and larger are parsed one at a time, with pauses. */
const largeBytes = 64 * 1024
/** The minimum average rate of a body after the first seconds. */
const minBytesPerSecond = 1_024
const graceMs = 5_000
const checkEveryMs = 500
type Arriving = { readonly sinceMs: number; size: number; readonly cut: (why: Error) => void }
type Account = { bytes: number; readonly arriving: Set<Arriving> }

export class Bodies {
  readonly #maxBytes: number
  readonly #maxBytesOfPayer: number
  readonly #accounts = new Map<Payer, Account>()
  readonly #arriving = new Set<Arriving>()
  readonly #turns = new Turns<Payer>({ pauseFactor: 3, waitMs: 5_000 })
  #bytes = 0
  #watch: NodeJS.Timeout | undefined

  /** `maxBytes` is the memory for all unparsed bodies of the process; a quarter of it for one payer. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#maxBytesOfPayer = Math.max(maxBodyBytes, maxBytes / 4)
  }

  get bytesInUse(): number {
    return this.#bytes
  }

  /** The body of a request, read and parsed. Too many bodies at once are `Busy`; one that arrives too slowly is refused with 408. */
  async receive(message: IncomingMessage, payer: Payer, maxBytes: number): Promise<Body> {
    // The usual body is in the packet of the headers, and is parsed when this turn of the event loop ends.
    if (!message.complete) await setImmediate()
    if (message.destroyed) throw new CallerGone()
    if (message.complete) {
      // The usual case: the body has arrived with the headers, and is too small to be counted.
      const bytes: Buffer = message.read() ?? Buffer.alloc(0)
      return { bytes, content: bytes.length > maxBytes ? bodyTooLarge() : contentOf(bytes), release: () => {} }
    }
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) return { ...unreadBody, content: bodyTooLarge() }
    const account: Account = this.#accounts.get(payer) ?? { bytes: 0, arriving: new Set() }
    if (account.arriving.size >= maxArriving[typeof payer === 'number' ? 'company' : 'network']) {
      const slowest = slowestOf(account.arriving)
      if (slowest === undefined) throw tooManyArriving()
      slowest.cut(tooManyArriving())
    }
    this.#accounts.set(payer, account)
    const collected = new Collected(message)
    let charged = 0
    const charge = (size: number): boolean => {
      if (!this.#hasRoom(account, size)) return false
      charged += size
      account.bytes += size
      this.#bytes += size
      return true
    }
    const release = (): void => {
      account.bytes -= charged
      this.#bytes -= charged
      charged = 0
      collected.free()
      const isUnused = account.bytes === 0 && account.arriving.size === 0
      if (isUnused && this.#accounts.get(payer) === account) this.#accounts.delete(payer)
    }
    try {
      await this.#collect(message, maxBytes, account.arriving, (chunk) => {
        if (!charge(chunk.length)) throw new Busy('too much memory is taken by request bodies')
        collected.add(chunk)
      })
      const bytes = collected.bytes()
      return { bytes, content: bytes.length < largeBytes ? contentOf(bytes) : await this.#large(bytes, payer), release }
    } catch (error) {
      release()
      if (error instanceof Refusal && error.status === 413) return { ...unreadBody, content: error }
      throw error
    }
  }

  async #large(bytes: Uint8Array, payer: Payer): Promise<Raw | Refusal> {
    const inTurn = <T>(work: () => T): Promise<T | Refusal> =>
      this.#turns.run(payer, () => orRefusal(() => holdingLoop('body', work)))
    const scanned = await inTurn(() => scanBody(bytes))
    return scanned instanceof Refusal ? scanned : await inTurn(() => parseBody(bytes, scanned))
  }

  #hasRoom({ bytes }: Account, size: number): boolean {
    if (bytes + size <= ownBytes) return true
    return bytes + size <= this.#maxBytesOfPayer && this.#bytes + size <= this.#maxBytes
  }

  /** Passes all bytes to `take`. When it throws, the rest is left unread. */
  async #collect(
    message: IncomingMessage,
    maxBytes: number,
    ofPayer: Set<Arriving>,
    take: (chunk: Buffer) => void,
  ): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        message.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone).pause()
        this.#arriving.delete(arriving)
        ofPayer.delete(arriving)
      }
      const fail = (error: unknown): void => {
        stop()
        reject(error)
      }
      const onData = (chunk: Buffer): void => {
        const { length } = chunk
        arriving.size += length
        try {
          if (arriving.size > maxBytes) throw bodyTooLarge()
          take(chunk)
          pace(message, length)
        } catch (error) {
          fail(error)
        }
      }
      const onEnd = (): void => {
        stop()
        resolve()
      }
      const onGone = (): void => fail(new CallerGone())
      const arriving: Arriving = { sinceMs: performance.now(), size: 0, cut: fail }
      this.#arriving.add(arriving)
      ofPayer.add(arriving)
      this.#watch ??= inBackgroundEvery('bodies', checkEveryMs, () => this.#cutSlow())
      message.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
    })
  }

  #cutSlow(): void {
    const now = performance.now()
    for (const { sinceMs, size, cut } of this.#arriving) {
      if (size < ((now - sinceMs - graceMs) / 1000) * minBytesPerSecond) cut(tooSlow())
    }
    if (this.#arriving.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }
}

const tooSlow = (): Refusal => new Refusal('Request Timeout', { code: 'body_too_slow' })
const tooManyArriving = (): Busy => new Busy('too many request bodies of one caller arrive at once')

function slowestOf(arriving: Iterable<Arriving>): Arriving | undefined {
  const now = performance.now()
  let [slowest, lowestRate]: [Arriving | undefined, number] = [undefined, slowBytesPerSecond]
  for (const one of arriving) {
    const ms = now - one.sinceMs
    const rate = (one.size * 1000) / ms
    if (ms > slowMs && rate < lowestRate) [slowest, lowestRate] = [one, rate]
  }
  return slowest
}

const contentOf = (bytes: Uint8Array): Raw | Refusal => orRefusal(() => holdingLoop('body', () => readBody(bytes)))

function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
