// The compression of an archive: a frame of zstd, and after it a frame that zstd skips, with the number of bytes before it and their SHA-256. zlib ignores
// what follows a frame, so without that number two archives in one file would be read as the first of them.

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress, type ZstdCompress } from 'node:zlib'
import { ArchiveError, damaged, notOurs, wrongEnd } from './format.ts'

/** Level 3, the default: COPY takes longer. */
const compression = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
/** The memory that the compressed text may ask for, as a power of two; it is written with 2 MiB. */
const decompression = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const mark = Buffer.from('kontorco')
/** The mark, the number of bytes and the checksum. */
const skippedBytes = mark.length + 8 + 32
const trailerStart = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, skippedBytes, 0, 0, 0]), mark])
export const trailerBytes = 8 + skippedBytes

export const createCompression = (): ZstdCompress => createZstdCompress(compression)

/** Adds the second frame. */
export async function* withTrailer(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const trailer = new Trailer()
  for await (const chunk of packed) {
    trailer.add(chunk)
    yield chunk
  }
  yield trailer.end()
}

/** Of the bytes that were added. */
export class Trailer {
  readonly #sha256 = createHash('sha256')
  bytes = 0

  add(chunk: Buffer): this {
    this.#sha256.update(chunk)
    this.bytes += chunk.length
    return this
  }

  end(): Buffer {
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(this.bytes))
    return Buffer.concat([trailerStart, length, this.#sha256.digest()])
  }
}

/** Takes the second frame off, and refuses what does not end with it. */
async function* withoutTrailer(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  const trailer = new Trailer()
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk])
    if (trailer.bytes === 0 && held.length < trailerBytes) continue
    if (trailer.bytes === 0 && !held.subarray(0, zstdMagic.length).equals(zstdMagic)) throw new ArchiveError(notOurs)
    const ready = held.subarray(0, Math.max(0, held.length - trailerBytes))
    trailer.add(ready)
    held = held.subarray(ready.length)
    if (ready.length > 0) yield ready
  }
  if (trailer.bytes === 0) throw new ArchiveError(notOurs)
  if (!held.subarray(0, trailerStart.length).equals(trailerStart)) throw new ArchiveError(wrongEnd)
  if (!held.equals(trailer.end())) throw new ArchiveError(damaged)
}

/** The text of an archive. */
export async function* unpack(input: Readable): AsyncGenerator<Buffer> {
  const unpacked = createZstdDecompress(decompression)
  const reading = pipeline(input, withoutTrailer, unpacked)
  reading.catch(() => {})
  try {
    yield* unpacked as AsyncIterable<Buffer>
    await reading
  } catch (error) {
    const isDamaged = /^(?:Z_|ZSTD_|ERR_STREAM_PREMATURE_CLOSE)/.test(String((error as { code?: unknown }).code))
    throw isDamaged ? new ArchiveError(damaged) : error
  } finally {
    unpacked.destroy()
    input.destroy()
  }
}
