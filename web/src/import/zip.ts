// The parts of a zip archive, unpacked in pieces, so that an archive that unpacks to gigabytes takes no memory.

import { Inflate } from 'fflate'
import { limits, unreadable } from './refusal.ts'

type Part = { readonly name: string; readonly method: number; readonly offset: number; readonly packed: number }

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const endLength = 22
const longestComment = 65_535
const maxParts = 10_000
const pieceBytes = 65_536

export class Archive {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #parts: ReadonlyMap<string, Part>

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#parts = this.#read()
  }

  has(name: string): boolean {
    return this.#parts.has(name)
  }

  /** The directory is at the end: an archive without it was cut off. */
  #read(): Map<string, Part> {
    const view = this.#view
    let end = view.byteLength - endLength
    while (end >= 0 && view.getUint32(end, true) !== endMark) {
      if (end <= view.byteLength - endLength - longestComment) return unreadable({ why: 'truncated' })
      end--
    }
    if (end < 0) return unreadable({ why: 'truncated' })
    const parts = new Map<string, Part>()
    const count = view.getUint16(end + 10, true)
    let at = view.getUint32(end + 16, true)
    if (count > maxParts) unreadable({ why: 'damaged' })
    for (let part = 0; part < count; part++) {
      if (at + 46 > view.byteLength || view.getUint32(at, true) !== entryMark) return unreadable({ why: 'damaged' })
      const [nameLength, extra, comment] = [28, 30, 32].map((of) => view.getUint16(at + of, true)) as [
        number,
        number,
        number,
      ]
      const name = new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + nameLength)).replace(/^\//, '')
      // The first bit of the flags says that it is encrypted.
      if ((view.getUint16(at + 8, true) & 1) === 1) unreadable({ why: 'password' })
      const method = view.getUint16(at + 10, true)
      parts.set(name, { name, method, offset: view.getUint32(at + 42, true), packed: view.getUint32(at + 20, true) })
      at += 46 + nameLength + extra + comment
    }
    return parts
  }

  /** The text of a part in pieces. */
  read(name: string, take: (text: string) => void): void {
    const part = this.#parts.get(name) ?? unreadable({ why: 'damaged' })
    const view = this.#view
    if (part.offset + 30 > view.byteLength || view.getUint32(part.offset, true) !== localMark)
      unreadable({ why: 'damaged' })
    const start = part.offset + 30 + view.getUint16(part.offset + 26, true) + view.getUint16(part.offset + 28, true)
    if (start + part.packed > view.byteLength) unreadable({ why: 'truncated' })
    const packed = this.#bytes.subarray(start, start + part.packed)
    const decoder = new TextDecoder()
    let length = 0
    const piece = (bytes: Uint8Array, isLast: boolean): void => {
      length += bytes.length
      if (length > limits.partBytes) unreadable({ why: 'unpacks too large', limit: limits.partBytes })
      take(decoder.decode(bytes, { stream: !isLast }))
    }
    if (part.method === 0) {
      piece(packed, true)
      return
    }
    if (part.method !== 8) unreadable({ why: 'damaged' })
    const inflate = new Inflate(piece)
    for (let at = 0; at < packed.length || at === 0; at += pieceBytes)
      inflate.push(packed.subarray(at, at + pieceBytes), at + pieceBytes >= packed.length)
  }
}
