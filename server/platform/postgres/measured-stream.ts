// A stream to a reader over the network, which knows how much was read of it.

import { Transform, type TransformCallback } from 'node:stream'
import type { Reader } from './list-readers.ts'

/** Passes on what is written to it, unless a subclass changes it. */
export class MeasuredStream extends Transform implements Reader {
  #passed = 0

  constructor() {
    super({ writableHighWaterMark: 65_536, readableHighWaterMark: 65_536 })
  }

  get takenBytes(): number {
    return this.#passed - this.readableLength
  }

  get isWaitedFor(): boolean {
    return this.readableLength >= this.readableHighWaterMark
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#passed += chunk.length
    done(null, this.changed(chunk))
  }

  protected changed(chunk: Buffer): Buffer {
    return chunk
  }

  readonly stop = (reason: string): void => {
    this.destroy(new Error(reason))
  }
}
